//! Random operations against parents that are walked.

use super::*;
use palmette_core::random::{Purpose, Random};

/// Words, which do not commute: the first eight letters, and how many there are.
struct Words;

impl Monoid for Words {
    type Elem = (u64, u32);

    fn identity(&self) -> (u64, u32) {
        (0, 0)
    }

    fn combine(&self, (a, n): (u64, u32), (b, m): (u64, u32)) -> (u64, u32) {
        // A polynomial of the letters, so that order shows.
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

    fn reroot(&mut self, v: u32) {
        let way = self.up(v);
        way.windows(2).for_each(|pair| self.parents[pair[1] as usize] = pair[0]);
        self.parents[v as usize] = NONE;
    }
}

#[test]
fn random_operations_are_answered_as_by_walking() {
    for (n, seed) in [(1u32, 1), (2, 2), (12, 3), (60, 4), (300, 5)] {
        let mut random = Random::new(seed, Purpose::Samples);
        let letters: Vec<u64> = (0..n).map(|_| u64::from(random.below(26))).collect();
        let values: Vec<(u64, u32)> = letters.iter().map(|&letter| (letter, 1)).collect();
        let mut plain = Plain { parents: vec![NONE; n as usize], letters };
        let mut forest = DynamicForest::new(Words, &values);
        for _ in 0..4000 {
            let (a, b) = (random.below(n), random.below(n));
            match random.below(8) {
                0..3 => {
                    let expected = match plain.lca(a, b) {
                        Some(_) => Err(DynamicForestError::Cycle { a, b }),
                        None => {
                            plain.reroot(a);
                            plain.parents[a as usize] = b;
                            Ok(())
                        }
                    };
                    assert_eq!(forest.link(a, b), expected);
                }
                3 => {
                    let up = plain.parents[a as usize];
                    if up != NONE {
                        plain.parents[a as usize] = NONE;
                        let ends = if random.below(2) == 0 { (a, up) } else { (up, a) };
                        assert_eq!(forest.cut(ends.0, ends.1), Ok(()));
                    } else if plain.parents[b as usize] != a {
                        assert_eq!(forest.cut(a, b), Err(DynamicForestError::Missing { a, b }));
                    }
                }
                4 if random.below(4) == 0 => {
                    plain.reroot(a);
                    forest.reroot(a).unwrap();
                }
                5 => {
                    let letter = u64::from(random.below(26));
                    plain.letters[a as usize] = letter;
                    forest.set(a, (letter, 1)).unwrap();
                    assert_eq!(forest.value(a), Ok((letter, 1)));
                }
                6 => {
                    assert_eq!(forest.root(a), Ok(*plain.up(a).last().unwrap()));
                    let parent = plain.parents[a as usize];
                    assert_eq!(forest.parent(a), Ok((parent != NONE).then_some(parent)));
                }
                _ => {
                    assert_eq!(forest.lca(a, b), Ok(plain.lca(a, b)));
                    assert_eq!(forest.path(a, b), Ok(plain.path(a, b)));
                }
            }
        }
    }
}

#[test]
fn a_long_path_is_no_deep_recursion() {
    let n = 200_000u32;
    let mut forest = DynamicForest::new(Words, &vec![(1, 1); n as usize]);
    for v in 1..n {
        forest.link(v, v - 1).unwrap();
    }
    assert_eq!(forest.path(0, n - 1).unwrap().unwrap().1, n);
    forest.reroot(n - 1).unwrap();
    assert_eq!((forest.root(0), forest.lca(0, 7)), (Ok(n - 1), Ok(Some(7))));
    forest.cut(n / 2, n / 2 - 1).unwrap();
    assert_eq!((forest.path(0, n - 1), forest.joined(n / 2, n - 1)), (Ok(None), Ok(true)));
}

#[test]
fn vertices_that_do_not_exist() {
    let mut forest = DynamicForest::new(Words, &[(0, 1)]);
    let missing = DynamicForestError::Vertex { vertex: 1, vertices: 1 };
    assert_eq!(forest.link(0, 1), Err(missing));
    assert_eq!((forest.root(1), forest.set(1, (0, 1))), (Err(missing), Err(missing)));
    assert_eq!(forest.link(0, 0), Err(DynamicForestError::Cycle { a: 0, b: 0 }));
    assert!(!forest.is_empty() && DynamicForest::new(Words, &[]).is_empty());
}
