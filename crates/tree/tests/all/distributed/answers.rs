//! The answers of one machine.

use super::{built, cuts, inputs, on_ranks, sliced, tree};
use palmette_core::operator::{MatrixModulo, Max, Sum};
use palmette_core::{Monoid, Tree};
use palmette_tree::distributed::{Metered, NO_VERTEX, Names, OneWord, Ranks, on_threads};
use palmette_tree::lca::Lca;
use palmette_tree::leaffix::leaffix;
use palmette_tree::rootfix::rootfix;
use palmette_tree::{Direction, Engine, Scope, TreefixParams};

const RANKS: [usize; 5] = [1, 2, 3, 4, 7];

/// Some word for each vertex.
fn word(v: usize, k: usize) -> u64 {
    (v as u64 * 7919 + k as u64 * 104_729 + 13) % 10_007
}

fn words<const N: usize>(n: usize) -> Vec<[u64; N]> {
    (0..n).map(|v| std::array::from_fn(|k| word(v, k))).collect()
}

/// On one machine, by vertex.
fn expected<M: Monoid<Elem = [u64; N]>, const N: usize>(
    tree: &Tree,
    direction: Direction,
    values: &[[u64; N]],
    op: &Plain<M>,
    scope: Scope,
) -> Vec<[u64; N]> {
    let values = tree.to_positions(values).unwrap();
    let params = TreefixParams { scope, engine: Engine::Sequential };
    let answers = match direction {
        Direction::Rootfix => rootfix(tree, &values, op, params),
        Direction::Leaffix => leaffix(tree, &values, op, params),
    };
    tree.to_vertices(&answers.unwrap()).unwrap()
}

/// A monoid as an operator for the engines of one machine.
struct Plain<M>(M);

impl<M: Monoid> Monoid for Plain<M> {
    type Elem = M::Elem;
    fn identity(&self) -> M::Elem {
        self.0.identity()
    }
    fn combine(&self, left: M::Elem, right: M::Elem) -> M::Elem {
        self.0.combine(left, right)
    }
}

impl<M: Monoid> palmette_core::operator::Operator for Plain<M> {}

/// Both directions and scopes, on every number of ranks and every cut, in order and, where the
/// operator commutes, without. A rootfix needs no order.
fn compare<M: Monoid<Elem = [u64; N]> + Copy, const N: usize>(n: usize, op: M, commutes: bool) {
    for ((name, parents), ordered) in
        inputs(n, n as u64).into_iter().flat_map(|input| [(input.clone(), true), (input, false)])
    {
        let tree = tree(&parents);
        let values = words::<N>(n);
        for (direction, scope) in [
            (Direction::Rootfix, Scope::Inclusive),
            (Direction::Rootfix, Scope::Exclusive),
            (Direction::Leaffix, Scope::Inclusive),
            (Direction::Leaffix, Scope::Exclusive),
        ] {
            if direction == Direction::Leaffix && !ordered && !commutes {
                continue;
            }
            let all = expected(&tree, direction, &values, &Plain(op), scope);
            for (ranks, cut) in RANKS
                .into_iter()
                .flat_map(|p| cuts(n, p, n as u64).into_iter().map(move |cut| (p, cut)))
            {
                let (own, wanted) = (sliced(&values, &cut), sliced(&all, &cut));
                let found = built(&parents, &cut, ordered, |ranks, tree, _| {
                    let own = &own[ranks.rank()];
                    match direction {
                        Direction::Rootfix => tree.rootfix(ranks, own, &op, scope),
                        Direction::Leaffix => tree.leaffix(ranks, own, &op, scope),
                    }
                });
                for (found, wanted) in found.into_iter().zip(&wanted) {
                    let found = found.unwrap().unwrap();
                    assert!(
                        found == *wanted,
                        "{name}: {direction:?} {scope:?} on {ranks} ranks, {cut:?}, {ordered}"
                    );
                }
            }
        }
    }
}

#[test]
fn sums_of_small_trees() {
    for n in [1, 2, 5, 13] {
        compare(n, OneWord(Sum::<u64>::new()), true);
    }
}

#[test]
fn matrices_of_small_trees() {
    for n in [1, 2, 7, 20] {
        compare(n, Matrices::new(), false);
    }
}

#[test]
fn larger_trees() {
    compare(700, OneWord(Max::<u64>::new()), true);
    compare(900, Matrices::new(), false);
}

/// Products of matrices modulo a prime, in which the order matters.
#[derive(Clone, Copy)]
struct Matrices(MatrixModulo);

impl Matrices {
    fn new() -> Matrices {
        Matrices(MatrixModulo::new(1_000_003).unwrap())
    }
}

impl Monoid for Matrices {
    type Elem = [u64; 4];
    fn identity(&self) -> [u64; 4] {
        self.0.identity()
    }
    fn combine(&self, left: [u64; 4], right: [u64; 4]) -> [u64; 4] {
        self.0.combine(left, right)
    }
}

#[test]
fn large_trees_are_contracted() {
    // Enough nodes for many rounds.
    let n = 60_000;
    for (name, parents) in inputs(n, 3) {
        let tree = tree(&parents);
        let values = words::<1>(n);
        let op = OneWord(Sum::<u64>::new());
        let all = expected(&tree, Direction::Leaffix, &values, &Plain(op), Scope::Inclusive);
        for cut in [cuts(n, 4, 1).swap_remove(0), cuts(n, 7, 1).swap_remove(3)] {
            let (own, wanted) = (sliced(&values, &cut), sliced(&all, &cut));
            for ordered in [true, false] {
                let found = built(&parents, &cut, ordered, |ranks, tree, _| {
                    tree.leaffix(ranks, &own[ranks.rank()], &op, Scope::Inclusive)
                });
                for (found, wanted) in found.into_iter().zip(&wanted) {
                    assert!(found.unwrap().unwrap() == *wanted, "{name} {cut:?} {ordered}");
                }
            }
        }
    }
}

/// Random trees on one to five ranks, each with other slices: the answers of one machine. Long
/// enough for chains that are cut, and for the tree of cuts to be peeled again.
#[test]
fn peeled_trees_of_any_shape() {
    let n = 150_000;
    for (turn, (name, parents)) in inputs(n, 8).into_iter().enumerate() {
        let tree = tree(&parents);
        let (values, matrices) = (words::<1>(n), words::<4>(n));
        let (op, matrix) = (OneWord(Sum::<u64>::new()), Matrices::new());
        let [up, below] = [Scope::Inclusive, Scope::Exclusive]
            .map(|scope| expected(&tree, Direction::Leaffix, &values, &Plain(op), scope));
        let down = expected(&tree, Direction::Rootfix, &matrices, &Plain(matrix), Scope::Inclusive);
        for ranks in 1..=5 {
            let cut = cuts(n, ranks, turn as u64).swap_remove((turn + ranks) % 4);
            let (own, own_matrices) = (sliced(&values, &cut), sliced(&matrices, &cut));
            let found = built(&parents, &cut, false, |ranks, tree, _| {
                let (own, matrices) = (&own[ranks.rank()], &own_matrices[ranks.rank()]);
                let up = tree.leaffix(ranks, own, &op, Scope::Inclusive).unwrap();
                let below = tree.leaffix(ranks, own, &op, Scope::Exclusive).unwrap();
                let down = tree.rootfix(ranks, matrices, &matrix, Scope::Inclusive).unwrap();
                (up, below, down)
            });
            let mut all = (Vec::new(), Vec::new(), Vec::new());
            for found in found {
                let found = found.unwrap();
                all.0.extend(found.0);
                all.1.extend(found.1);
                all.2.extend(found.2);
            }
            assert!(all.0 == up && all.1 == below && all.2 == down, "{name} {cut:?}");
        }
    }
}

#[test]
fn measures_and_ancestors() {
    for n in [1, 2, 9, 800] {
        for (name, parents) in inputs(n, 5) {
            let tree = tree(&parents);
            let lca = Lca::new(&tree);
            let place = tree.positions();
            let pairs: Vec<(u64, u64)> =
                (0..3 * n).map(|k| (word(k, 1) % n as u64, word(k, 2) % n as u64)).collect();
            let depth = by_vertex(&tree, &tree.depths());
            let size = by_vertex(&tree, tree.sizes());
            let meeting = |&(u, v): &(u64, u64)| {
                let Some(at) = lca.query(place[u as usize], place[v as usize]) else {
                    return (NO_VERTEX, NO_VERTEX);
                };
                let ancestor = u64::from(tree.vertices()[at as usize]);
                let between = depth[u as usize] + depth[v as usize] - 2 * depth[ancestor as usize];
                (ancestor, between)
            };
            for ranks in RANKS {
                for cut in cuts(n, ranks, 2) {
                    let asked = sliced(&pairs, &cuts(pairs.len(), ranks, 3)[3]);
                    let found = on_ranks(&parents, &cut, |ranks, tree, parents| {
                        let lca = tree.lca(ranks, parents).unwrap();
                        let own = &asked[ranks.rank()];
                        let meetings = lca.batch(ranks, own).unwrap();
                        let meetings: Vec<_> =
                            meetings.iter().map(|m| (m.ancestor, m.distance)).collect();
                        assert_eq!(meetings, own.iter().map(meeting).collect::<Vec<_>>());
                        (tree.depths(ranks).unwrap(), tree.sizes(ranks).unwrap())
                    });
                    let (depths, sizes): (Vec<_>, Vec<_>) =
                        found.into_iter().map(Result::unwrap).unzip();
                    assert_eq!(depths.concat(), depth, "{name} {cut:?}");
                    assert_eq!(sizes.concat(), size, "{name} {cut:?}");
                    let found = built(&parents, &cut, false, |ranks, tree, _| {
                        (tree.depths(ranks).unwrap(), tree.sizes(ranks).unwrap())
                    });
                    let (depths, sizes): (Vec<_>, Vec<_>) =
                        found.into_iter().map(Result::unwrap).unzip();
                    assert_eq!(depths.concat(), depth, "{name} {cut:?}");
                    assert_eq!(sizes.concat(), size, "{name} {cut:?}");
                }
            }
        }
    }
}

fn by_vertex(tree: &Tree, by_position: &[u32]) -> Vec<u64> {
    tree.to_vertices(by_position).unwrap().into_iter().map(u64::from).collect()
}

#[test]
fn ids_are_found() {
    let n = 500;
    let consecutive: Vec<i64> = (0..n).map(|v| v - 20).collect();
    let any: Vec<i64> = (0..n).map(|v| (v * 7919 - 1000) % 100_003 * 3).collect();
    for ids in [consecutive, any] {
        for ranks in RANKS {
            for cut in cuts(n as usize, ranks, 4) {
                let own = sliced(&ids, &cut);
                on_threads(ranks, |rank| {
                    let mut ranks = Metered::new(rank);
                    let own = &own[ranks.rank()];
                    let names = Names::build(&mut ranks, own).unwrap();
                    let mut wanted = ids.clone();
                    wanted.extend([i64::MIN, i64::MAX, -21, 480, 1]);
                    let found = names.find(&mut ranks, &wanted).unwrap();
                    for (id, found) in wanted.iter().zip(found) {
                        let place = ids.iter().position(|other| other == id);
                        assert_eq!(found, place.map_or(NO_VERTEX, |v| v as u64), "{id}");
                    }
                    let asked = [3, NO_VERTEX, n as u64 - 1, 3];
                    let found = names.ids_of(&mut ranks, own, &asked).unwrap();
                    assert_eq!(found, [Some(ids[3]), None, ids.last().copied(), Some(ids[3])]);
                });
            }
        }
    }
}
