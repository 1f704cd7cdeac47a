//! What ranks send: O(n/p + p) words each, in O(log p) rounds.

use super::{built, cuts, inputs, on_ranks};
use palmette_core::operator::Sum;
use palmette_tree::Scope;
use palmette_tree::distributed::OneWord;

/// Words per vertex of the slice, and rounds, that no input may exceed in a phase.
fn limits(phase: &str, ranks: usize) -> (u64, u64) {
    match phase {
        "rounds" => (6, 150),
        "chains" => (4, 700),
        // Two and a half for each deputy, of which a rank gets at most four per vertex.
        "numbering" => (12, 160),
        // Groups of siblings, and two nodes of eight words and their links.
        "children" => (9, 8),
        // A third of the list leaves in a round of three calls, until one in 8 p is left.
        "ranking" => (30, 10 + 6 * (4 + ranks.ilog2() as u64)),
        "blocks" => (4, 3),
        "values" => (4, 6),
        "treefix" => (6, 80),
        other => panic!("{other}"),
    }
}

#[test]
fn words_and_rounds_are_few() {
    let share = 4000;
    for ranks in [2, 4, 16, 32] {
        let n = share * ranks;
        for (name, parents) in inputs(n, 11) {
            let cut = cuts(n, ranks, 1).swap_remove(0);
            let found = on_ranks(&parents, &cut, |ranks, tree, parents| {
                let ones = vec![[1]; parents.len()];
                let op = OneWord(Sum::<u64>::new());
                tree.leaffix(ranks, &ones, &op, Scope::Inclusive).unwrap();
                tree.rootfix(ranks, &ones, &op, Scope::Inclusive).unwrap();
                ranks.phases().to_vec()
            });
            for (rank, phases) in found.into_iter().enumerate() {
                for phase in phases.unwrap() {
                    let what = format!("{name} on {ranks} ranks: rank {rank}, {phase:?}");
                    let (words, rounds) = limits(phase.name, ranks);
                    let traffic = phase.traffic;
                    let most = words * share as u64 + (40 + traffic.rounds) * ranks as u64 + 6000;
                    assert!(traffic.received <= most, "at most {most}; {what}");
                    assert!(traffic.sent <= most, "at most {most}; {what}");
                    assert!(traffic.rounds <= rounds, "at most {rounds}; {what}");
                }
            }
        }
    }
}

/// A tree without order: a word and a half per deputy and pass, a few words on chains, and one per
/// rank in each round of walking.
#[test]
fn peeling_sends_less() {
    let share = 4000;
    for ranks in [2, 4, 16] {
        let n = share * ranks;
        let mut peeled = 0;
        for (name, parents) in inputs(n, 12) {
            let cut = cuts(n, ranks, 1).swap_remove(0);
            let found = built(&parents, &cut, false, |ranks, tree, parents| {
                let ones = vec![[1]; parents.len()];
                let op = OneWord(Sum::<u64>::new());
                tree.leaffix(ranks, &ones, &op, Scope::Inclusive).unwrap();
                (tree.is_ordered(), ranks.phases().to_vec())
            });
            for (rank, found) in found.into_iter().enumerate() {
                let (ordered, phases) = found.unwrap();
                if ordered {
                    // A rank would have had too much.
                    continue;
                }
                peeled += 1;
                for phase in phases {
                    let what = format!("{name} on {ranks} ranks: rank {rank}, {phase:?}");
                    let (words, rounds) = limits(phase.name, ranks);
                    let traffic = phase.traffic;
                    let most = words * share as u64 + (40 + traffic.rounds) * ranks as u64 + 6000;
                    assert!(traffic.received <= most, "at most {most}; {what}");
                    assert!(traffic.sent <= most, "at most {most}; {what}");
                    assert!(traffic.rounds <= rounds, "at most {rounds}; {what}");
                }
            }
        }
        assert!(peeled >= 12 * ranks, "most shapes are peeled on {ranks} ranks: {peeled}");
    }
}
