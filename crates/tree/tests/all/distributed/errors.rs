//! Parents that are no tree, and questions without an answer: one rank says why.

use super::{cuts, on_ranks, sliced, wide};
use palmette_core::NONE;
use palmette_core::generate::{Shape, generate, shuffle};
use palmette_core::operator::Sum;
use palmette_tree::Scope;
use palmette_tree::distributed::{
    DistributedError, DistributedParams, DistributedTree, Metered, Names, OneWord, Ranks,
    RanksError, on_threads,
};

/// What the ranks say: one says why, the others that it does. With order and without.
fn told(parents: &[u64], cut: &[usize], forest: bool) -> [DistributedError; 2] {
    [true, false].map(|ordered| told_by(parents, cut, forest, ordered))
}

fn told_by(parents: &[u64], cut: &[usize], forest: bool, ordered: bool) -> DistributedError {
    let slices = sliced(parents, cut);
    let outcomes = on_threads(cut.len(), |rank| {
        let mut ranks = Metered::new(rank);
        let own = &slices[ranks.rank()];
        let params = DistributedParams { forest, ordered, seed: 1 };
        DistributedTree::build(&mut ranks, own, params).map(|_| ()).unwrap_err()
    });
    let elsewhere = |error: &&DistributedError| {
        matches!(error, DistributedError::Ranks(RanksError::Elsewhere { .. }))
    };
    assert_eq!(outcomes.iter().filter(elsewhere).count(), cut.len() - 1, "{outcomes:?}");
    outcomes.iter().find(|error| !elsewhere(error)).unwrap().clone()
}

#[test]
fn rings_of_any_length_are_found() {
    let n = 5000;
    for ring in [1, 2, 3, 50, 4000] {
        for shuffled in [false, true] {
            for ranks in [1, 2, 5] {
                for cut in cuts(n, ranks, 9) {
                    // A random tree, and beside it a ring with a few trees hanging on it.
                    let mut parents = generate(Shape::Random, n, 3).unwrap();
                    let first = n as u32 - ring;
                    for v in first..n as u32 {
                        parents[v as usize] = first + (v - first + 1) % ring;
                    }
                    if shuffled {
                        parents = shuffle(&parents, 4);
                    }
                    for error in told(&wide(&parents), &cut, false) {
                        let DistributedError::Cycle { vertex } = error else {
                            panic!("ring of {ring} on {ranks} ranks: {error}")
                        };
                        // From there one never gets to a root.
                        let mut v = vertex as u32;
                        for _ in 0..n {
                            v = parents[v as usize];
                            assert_ne!(v, NONE, "ring of {ring}, vertex {vertex}");
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn many_rings_and_no_root() {
    let n = 6000;
    let pairs: Vec<u64> = (0..n).map(|v| (v + n / 2) % n).collect();
    for cut in cuts(n as usize, 3, 1) {
        for error in told(&pairs, &cut, false) {
            assert!(matches!(error, DistributedError::Cycle { .. }));
        }
    }
}

#[test]
fn other_mistakes() {
    let none = u64::MAX;
    let both = |error: DistributedError| [error.clone(), error];
    assert_eq!(told(&[], &[0, 0], false), both(DistributedError::Empty));
    assert_eq!(
        told(&[none, 0, 0, 7], &[1, 2, 1], false),
        both(DistributedError::ParentOutOfRange { vertex: 3, parent: 7, vertices: 4 })
    );
    let roots = both(DistributedError::ManyRoots { first: 1, second: 3, count: 3 });
    assert_eq!(told(&[1, none, 1, none, none], &[1, 2, 2], false), roots);
    assert_eq!(told(&[1, none, 1, none, none], &[0, 0, 5], false), roots);
}

/// Rings beside a long shuffled path, whose cuts are peeled again.
#[test]
fn rings_among_chains_are_found() {
    let n = 100_000;
    for ring in [2, 40, 30_000] {
        let mut parents = generate(Shape::Path, n, 3).unwrap();
        let first = n as u32 - ring;
        for v in first..n as u32 {
            parents[v as usize] = first + (v - first + 1) % ring;
        }
        let parents = shuffle(&parents, 5);
        for ranks in [1, 2, 3] {
            let cut = cuts(n, ranks, 6).swap_remove(0);
            let error = told_by(&wide(&parents), &cut, false, false);
            let DistributedError::Cycle { vertex } = error else { panic!("{ring}: {error}") };
            let mut v = vertex as u32;
            for _ in 0..n {
                v = parents[v as usize];
                assert_ne!(v, NONE, "ring of {ring}, vertex {vertex}");
            }
        }
    }
}

#[test]
fn wrong_numbers_of_values_and_vertices() {
    let parents = generate(Shape::Random, 20, 1).unwrap();
    let outcomes = on_ranks(&parents, &[10, 10], |ranks, tree, parents| {
        let values = vec![[1]; 10 - ranks.rank()];
        let sums = tree.leaffix(ranks, &values, &OneWord(Sum::<u64>::new()), Scope::Inclusive);
        let lca = tree.lca(ranks, parents).unwrap();
        let pairs = if ranks.rank() == 0 { vec![(3, 20)] } else { vec![] };
        let meetings = lca.batch(ranks, &pairs);
        (sums.unwrap_err(), meetings.unwrap_err())
    });
    let (first, second) = (outcomes[0].clone().unwrap(), outcomes[1].clone().unwrap());
    assert_eq!(second.0, DistributedError::Length { expected: 10, actual: 9 });
    assert_eq!(first.0, RanksError::Elsewhere { rank: 1 }.into());
    assert_eq!(first.1, DistributedError::NoSuchVertex { vertex: 20, vertices: 20 });
}

#[test]
fn the_same_id_twice() {
    let ids = [[4, 9, 2], [7, 9, 5]];
    let outcomes = on_threads(2, |rank| {
        let mut ranks = Metered::new(rank);
        let own = ids[ranks.rank()];
        Names::build(&mut ranks, &own).map(|_| ()).unwrap_err()
    });
    let wanted = DistributedError::SameName { id: 9, first: 1, second: 4 };
    assert!(outcomes.contains(&wanted), "{outcomes:?}");
}
