//! Answers from the definition. Nothing here uses a `Tree` or an engine.
//!
//! [`Terms`] lists, for every vertex, the vertices whose values make up its answer:
//! the path from the root, found by walking up, and the descendants in preorder,
//! found by going through lists of children in the order of the input. That is
//! quadratic; [`Sweep`] does the same for larger trees in linear time, one vertex
//! after another, and is itself checked against [`Terms`].

use crate::engines::family::Family;
use palmette_core::NONE;
use palmette_tree::Scope;

/// Which of the two problems.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Direction {
    Rootfix,
    Leaffix,
}

pub(crate) const DIRECTIONS: [Direction; 2] = [Direction::Rootfix, Direction::Leaffix];
pub(crate) const SCOPES: [Scope; 2] = [Scope::Inclusive, Scope::Exclusive];

/// Something that knows the answers by vertex.
pub(crate) trait Checker: Sync {
    fn answers<F: Family>(
        &self,
        family: &F,
        values: &[F::Value],
        direction: Direction,
        scope: Scope,
    ) -> Vec<F::Reference>;
}

/// Roots, and the children of every vertex, both ascending.
fn children(parents: &[u32]) -> (Vec<u32>, Vec<Vec<u32>>) {
    let (mut roots, mut children) = (Vec::new(), vec![Vec::new(); parents.len()]);
    for (v, &p) in parents.iter().enumerate() {
        let siblings = if p == NONE { &mut roots } else { &mut children[p as usize] };
        siblings.push(v as u32);
    }
    (roots, children)
}

/// The vertices below and including `tops`, in preorder.
fn preorder(tops: &[u32], children: &[Vec<u32>]) -> Vec<u32> {
    let mut order = Vec::new();
    let mut stack: Vec<u32> = tops.iter().rev().copied().collect();
    while let Some(v) = stack.pop() {
        order.push(v);
        stack.extend(children[v as usize].iter().rev());
    }
    order
}

/// The vertices that make up every answer, in order.
pub(crate) struct Terms {
    from_root: Vec<Vec<u32>>,
    subtree: Vec<Vec<u32>>,
}

impl Terms {
    pub(crate) fn new(parents: &[u32]) -> Terms {
        let (_, children) = children(parents);
        let vertices = 0..parents.len() as u32;
        let above = |&v: &u32| Some(parents[v as usize]).filter(|&p| p != NONE);
        let from_root = |v: u32| {
            let mut path: Vec<u32> = std::iter::successors(Some(v), above).collect();
            path.reverse();
            path
        };
        Terms {
            from_root: vertices.clone().map(from_root).collect(),
            subtree: vertices.map(|v| preorder(&[v], &children)).collect(),
        }
    }
}

impl Checker for Terms {
    fn answers<F: Family>(
        &self,
        family: &F,
        values: &[F::Value],
        direction: Direction,
        scope: Scope,
    ) -> Vec<F::Reference> {
        let lists = match direction {
            Direction::Rootfix => &self.from_root,
            Direction::Leaffix => &self.subtree,
        };
        let answer = |(v, list): (usize, &Vec<u32>)| {
            let counts = |&&w: &&u32| scope == Scope::Inclusive || w as usize != v;
            list.iter().filter(counts).fold(family.empty(), |product, &w| {
                family.join(product, family.lift(values[w as usize]))
            })
        };
        lists.iter().enumerate().map(answer).collect()
    }
}

/// The same in linear time.
pub(crate) struct Sweep<'a> {
    parents: &'a [u32],
    children: Vec<Vec<u32>>,
    order: Vec<u32>,
}

impl<'a> Sweep<'a> {
    pub(crate) fn new(parents: &'a [u32]) -> Self {
        let (roots, children) = children(parents);
        Sweep { parents, order: preorder(&roots, &children), children }
    }
}

impl Checker for Sweep<'_> {
    fn answers<F: Family>(
        &self,
        family: &F,
        values: &[F::Value],
        direction: Direction,
        scope: Scope,
    ) -> Vec<F::Reference> {
        let n = self.parents.len();
        let own = |v: usize| family.lift(values[v]);
        let mut with = vec![family.empty(); n];
        let mut without = vec![family.empty(); n];
        let mut settle = |v: usize, product: F::Reference| {
            without[v] = product;
            with[v] = match direction {
                Direction::Rootfix => family.join(product, own(v)),
                Direction::Leaffix => family.join(own(v), product),
            };
            with[v]
        };
        let mut done = vec![family.empty(); n];
        match direction {
            Direction::Rootfix => self.order.iter().map(|&v| v as usize).for_each(|v| {
                let above = done.get(self.parents[v] as usize).copied();
                done[v] = settle(v, above.unwrap_or(family.empty()));
            }),
            Direction::Leaffix => self.order.iter().rev().map(|&v| v as usize).for_each(|v| {
                let below = self.children[v].iter().map(|&c| done[c as usize]);
                done[v] = settle(v, below.fold(family.empty(), |a, b| family.join(a, b)));
            }),
        }
        if scope == Scope::Inclusive { with } else { without }
    }
}

#[test]
fn the_sweep_agrees_with_the_definition() {
    use crate::engines::{exact, trees};
    for n in 0..50 {
        for shape in trees::shapes(n, 3) {
            for (name, parents) in trees::arrangements(&shape, 4) {
                let family = exact::rolling_hash();
                let mut random = crate::engines::random::Random(n as u64);
                let values: Vec<_> = (0..n as u32).map(|v| family.value(&mut random, v)).collect();
                let (terms, sweep) = (Terms::new(&parents), Sweep::new(&parents));
                for direction in DIRECTIONS {
                    for scope in SCOPES {
                        let expected = terms.answers(&family, &values, direction, scope);
                        let actual = sweep.answers(&family, &values, direction, scope);
                        assert_eq!(expected, actual, "{name}: {direction:?} {scope:?}");
                    }
                }
            }
        }
    }
}
