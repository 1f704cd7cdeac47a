//! Random operations against parents that are walked.

use super::*;
use palmette_core::NONE;
use palmette_core::operator::Sum;
use palmette_core::random::{Purpose, Random};

/// Words, which do not commute: a polynomial of the letters, and how many there are.
#[derive(Debug, Clone)]
struct Words;

impl Monoid for Words {
    type Elem = (u64, u32);

    fn identity(&self) -> (u64, u32) {
        (0, 0)
    }

    fn combine(&self, (a, n): (u64, u32), (b, m): (u64, u32)) -> (u64, u32) {
        (a.wrapping_mul(31u64.wrapping_pow(m)).wrapping_add(b), n + m)
    }
}

/// A forest by parents.
struct Plain {
    parents: Vec<u32>,
    letters: Vec<u64>,
}

impl Plain {
    fn up(&self, v: u32) -> Vec<u32> {
        let mut way = vec![v];
        while self.parents[way[way.len() - 1] as usize] != NONE {
            way.push(self.parents[way[way.len() - 1] as usize]);
        }
        way
    }

    fn root(&self, v: u32) -> u32 {
        *self.up(v).last().unwrap()
    }

    fn lca(&self, a: u32, b: u32) -> Option<u32> {
        let way = self.up(b);
        self.up(a).into_iter().find(|v| way.contains(v))
    }

    fn path(&self, a: u32, b: u32) -> Option<(u64, u32)> {
        let top = self.lca(a, b)?;
        let until = |v: u32| self.up(v).into_iter().take_while(move |&u| u != top);
        let mut way: Vec<u32> = until(a).chain([top]).collect();
        let down: Vec<u32> = until(b).collect();
        way.extend(down.iter().rev());
        let letter = |&v: &u32| (self.letters[v as usize], 1);
        Some(way.iter().map(letter).fold((0, 0), |a, b| Words.combine(a, b)))
    }

    fn subtree(&self, v: u32) -> u64 {
        let all = 0..self.parents.len() as u32;
        all.filter(|&u| self.up(u).contains(&v)).map(|u| self.letters[u as usize]).sum()
    }

    fn reroot(&mut self, v: u32) {
        let way = self.up(v);
        way.windows(2).for_each(|pair| self.parents[pair[1] as usize] = pair[0]);
        self.parents[v as usize] = NONE;
    }

    fn link(&mut self, a: u32, b: u32) -> Result<(), DynamicForestError> {
        match self.lca(a, b) {
            Some(_) => Err(DynamicForestError::Cycle { a, b }),
            None => {
                self.reroot(a);
                self.parents[a as usize] = b;
                Ok(())
            }
        }
    }

    fn cut(&mut self, a: u32, b: u32) -> Result<(), DynamicForestError> {
        let below = match () {
            () if self.parents[a as usize] == b => a,
            () if self.parents[b as usize] == a => b,
            () => return Err(DynamicForestError::Missing { a, b }),
        };
        self.parents[below as usize] = NONE;
        Ok(())
    }
}

/// The plain forest, one with an operator that has an order, and one with a commutative one.
struct Three {
    plain: Plain,
    words: DynamicForest<Words>,
    sums: DynamicForest<Sum<u64>>,
}

impl Three {
    fn new(n: u32, random: &mut Random) -> Three {
        let letters: Vec<u64> = (0..n).map(|_| u64::from(random.below(26))).collect();
        let values: Vec<(u64, u32)> = letters.iter().map(|&letter| (letter, 1)).collect();
        let (words, sums) =
            (DynamicForest::new(Words, &values), DynamicForest::new(Sum::new(), &letters));
        Three { plain: Plain { parents: vec![NONE; n as usize], letters }, words, sums }
    }

    fn check_pair(&self, a: u32, b: u32, c: u32) {
        let Three { plain, words, sums } = self;
        assert_eq!(words.lca(a, b), Ok(plain.lca(a, b)));
        assert_eq!(words.path(a, b), Ok(plain.path(a, b)), "{a} {b}");
        assert_eq!(words.root(a), Ok(plain.root(a)));
        let parent = plain.parents[a as usize];
        assert_eq!(words.parent(a), Ok((parent != NONE).then_some(parent)));
        assert_eq!(sums.subtree(a), Ok(plain.subtree(a)), "{a}");
        let together = plain.root(a) == plain.root(c);
        let mut turned = Plain { parents: plain.parents.clone(), letters: plain.letters.clone() };
        turned.reroot(c);
        let expected = turned.lca(a, b).filter(|_| together && plain.lca(a, b).is_some());
        assert_eq!(words.lca_from(c, a, b), Ok(expected));
        let apart = DynamicForestError::Apart { a: c, b: a };
        let expected = if together { Ok(turned.subtree(a)) } else { Err(apart) };
        assert_eq!(sums.subtree_from(c, a), expected);
    }
}

#[test]
fn random_operations_are_answered_as_by_walking() {
    for (n, seed) in [(1u32, 1), (2, 2), (5, 7), (12, 3), (60, 4), (300, 5)] {
        let mut random = Random::new(seed, Purpose::Samples);
        let mut all = Three::new(n, &mut random);
        // With few favoured ends there are vertices of many edges.
        let few = (n / 20).max(1);
        for step in 0..4000 {
            let (mut a, mut b) = (random.below(n), random.below(n));
            if step % 1000 > 500 && random.below(2) == 0 {
                a = random.below(few);
            }
            match random.below(9) {
                0..3 => {
                    if random.below(2) == 0 {
                        std::mem::swap(&mut a, &mut b);
                    }
                    let expected = all.plain.link(a, b);
                    assert_eq!(all.words.link(a, b), expected);
                    assert_eq!(all.sums.link(a, b), expected);
                }
                3 => {
                    let up = all.plain.parents[a as usize];
                    let ends = match (up, random.below(2)) {
                        (NONE, _) => (a, b),
                        (up, 0) => (up, a),
                        (up, _) => (a, up),
                    };
                    let expected = all.plain.cut(ends.0, ends.1);
                    assert_eq!(all.words.cut(ends.0, ends.1), expected);
                    assert_eq!(all.sums.cut(ends.0, ends.1), expected);
                }
                4 if random.below(4) == 0 => {
                    all.plain.reroot(a);
                    all.words.reroot(a).unwrap();
                    all.sums.reroot(a).unwrap();
                }
                5 => {
                    let letter = u64::from(random.below(26));
                    all.plain.letters[a as usize] = letter;
                    all.words.set(a, (letter, 1)).unwrap();
                    all.sums.set(a, letter).unwrap();
                    assert_eq!(all.words.value(a), Ok((letter, 1)));
                }
                _ => all.check_pair(a, b, random.below(n)),
            }
        }
    }
}

#[test]
fn batches_are_as_one_after_another() {
    for (n, seed) in [(8u32, 1), (100, 2), (400, 3)] {
        let mut random = Random::new(seed, Purpose::Samples);
        let mut all = Three::new(n, &mut random);
        for round in 0..60 {
            let mut links = Vec::new();
            for _ in 0..random.below(n) {
                let end = if round % 2 == 0 { n } else { 1 + n / 50 };
                let (a, b) = (random.below(n), random.below(end));
                if all.plain.link(a, b).is_ok() {
                    links.push((a, b));
                }
            }
            all.words.link_all(&links).unwrap();
            all.sums.link_all(&links).unwrap();
            let before = (all.words.clone(), all.words.edge_count());
            if let Some(&(a, b)) = links.first() {
                let cycle = Err(DynamicForestError::Cycle { a: b, b: a });
                assert_eq!(all.words.link_all(&[(b, a)]), cycle);
                let twice = Err(DynamicForestError::Missing { a, b });
                assert_eq!(all.words.cut_all(&[(b, a), (a, b)]), twice);
                assert_eq!(all.words.edge_count(), before.1);
                assert_eq!(all.words.paths(&links), before.0.paths(&links));
            }
            let mut values = Vec::new();
            for _ in 0..random.below(n) {
                let (v, letter) = (random.below(n), u64::from(random.below(26)));
                all.plain.letters[v as usize] = letter;
                values.push((v, letter));
            }
            let words: Vec<_> = values.iter().map(|&(v, letter)| (v, (letter, 1))).collect();
            all.words.set_all(&words).unwrap();
            all.sums.set_all(&values).unwrap();
            for _ in 0..10 {
                all.check_pair(random.below(n), random.below(n), random.below(n));
            }
            let mut cuts = Vec::new();
            for v in 0..n {
                let up = all.plain.parents[v as usize];
                if up != NONE && random.below(3) == 0 {
                    all.plain.parents[v as usize] = NONE;
                    cuts.push(if random.below(2) == 0 { (up, v) } else { (v, up) });
                }
            }
            all.words.cut_all(&cuts).unwrap();
            all.sums.cut_all(&cuts).unwrap();
            for _ in 0..10 {
                all.check_pair(random.below(n), random.below(n), random.below(n));
            }
        }
    }
}

/// Roots, paths and subtrees.
type Answers = (Vec<u32>, Vec<Option<(u64, u32)>>, Vec<u64>);

/// Answers of a large forest after batches.
fn large(threads: usize) -> Answers {
    let n = 30_000u32;
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    pool.install(|| {
        let mut random = Random::new(9, Purpose::Samples);
        let mut words = DynamicForest::new(Words, &vec![(1, 1); n as usize]);
        let mut sums = DynamicForest::new(Sum::<u64>::new(), &vec![1; n as usize]);
        let links: Vec<(u32, u32)> = (1..n).map(|v| (v, random.below(v))).collect();
        words.link_all(&links).unwrap();
        sums.link_all(&links).unwrap();
        let (cuts, _) = links.split_at(n as usize / 2);
        words.cut_all(cuts).unwrap();
        sums.cut_all(cuts).unwrap();
        let all: Vec<u32> = (0..n).collect();
        let pairs: Vec<(u32, u32)> = all.iter().map(|&v| (v, v / 2)).collect();
        (words.roots(&all).unwrap(), words.paths(&pairs).unwrap(), sums.subtrees(&all).unwrap())
    })
}

#[test]
fn threads_do_not_show() {
    let (roots, paths, sums) = large(1);
    assert_eq!((roots.clone(), paths, sums.clone()), large(2));
    // Subtrees of roots are all there is.
    let of_roots = (0u32..).zip(&roots).filter(|(v, root)| v == *root);
    let total: u64 = of_roots.map(|(v, _)| sums[v as usize]).sum();
    assert_eq!(total, 30_000);
}

#[test]
fn a_long_path_and_a_large_star() {
    let n = 200_000u32;
    let values = vec![(1, 1); n as usize];
    let mut forest = DynamicForest::new(Words, &values);
    forest.link_all(&(1..n).map(|v| (v, v - 1)).collect::<Vec<_>>()).unwrap();
    assert_eq!(forest.path(0, n - 1).unwrap().unwrap().1, n);
    forest.reroot(n - 1).unwrap();
    assert_eq!((forest.root(0), forest.lca(0, 7)), (Ok(n - 1), Ok(Some(7))));
    forest.cut(n / 2, n / 2 - 1).unwrap();
    assert_eq!((forest.path(0, n - 1), forest.joined(n / 2, n - 1)), (Ok(None), Ok(true)));
    let rounds = |forest: &DynamicForest<Words>| {
        forest.inner.clusters.iter().map(|cluster| cluster.death).max().unwrap()
    };
    assert!(rounds(&forest) < 60, "{}", rounds(&forest));

    let mut star = DynamicForest::new(Words, &values);
    star.link_all(&(1..n).map(|v| (v, 0)).collect::<Vec<_>>()).unwrap();
    assert_eq!((star.path(5, n - 1).unwrap().unwrap().1, star.lca(1, 2)), (3, Ok(Some(0))));
    star.cut(0, 77).unwrap();
    assert_eq!((star.path(5, 77), star.parent(n - 1)), (Ok(None), Ok(Some(0))));
    assert!(rounds(&star) < 60, "{}", rounds(&star));
}

#[test]
fn vertices_that_do_not_exist() {
    let mut forest = DynamicForest::new(Words, &[(0, 1)]);
    let missing = DynamicForestError::Vertex { vertex: 1, vertices: 1 };
    assert_eq!(forest.link(0, 1), Err(missing));
    assert_eq!((forest.root(1), forest.set(1, (0, 1))), (Err(missing), Err(missing)));
    assert_eq!(forest.link_all(&[(0, 1)]), Err(missing));
    assert_eq!(forest.set_all(&[(0, (3, 1)), (1, (0, 1))]), Err(missing));
    assert_eq!((forest.value(0), forest.parents(&[0, 1])), (Ok((0, 1)), Err(missing)));
    assert_eq!(forest.link(0, 0), Err(DynamicForestError::Cycle { a: 0, b: 0 }));
    assert_eq!(forest.cut(0, 0), Err(DynamicForestError::Missing { a: 0, b: 0 }));
    assert!(!forest.is_empty() && DynamicForest::new(Words, &[]).is_empty());
}
