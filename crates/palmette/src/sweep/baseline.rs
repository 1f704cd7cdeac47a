//! What a simulated PRAM takes, for comparison.
//!
//! **Method.** Wyllie's pointer jumping, all memory being shared: along the Euler tour for sums
//! over subtrees, along predecessors for the ranks of a list. Sums over subtrees stand for all
//! programs on trees; they are what lowest common ancestors and layout creation begin with.
//!
//! **Cost.** O(n^1.5 log n) energy and O(log³ n) depth, because every step sorts.
//!
//! **Reference.** Wyllie, *The complexity of parallel computations*, 1979; for the
//! simulation section II-A of *Low-Depth Spatial Tree Algorithms*.

use super::lists::List;
use super::*;
use palmette_spatial::collective::{Network, Pram};
use palmette_spatial::program::pram::leaffix_by_pram;
use palmette_tree::leaffix::leaffix as on_host;

/// The network that costs less.
fn network(study: &Study) -> Network {
    if study.curve == CurveKind::Z { Network::Bitonic } else { Network::OddEven }
}

/// Sums over subtrees. Vertices lie where the program's do: at random where it makes a
/// layout, else in light-first order.
pub(super) fn leaffix(study: &Study, case: Case, shape: Shape) -> Result<Run, SweepError> {
    let tree = match study.program {
        StudyProgram::Layout => study.shuffled(shape, case.n)?,
        _ => Tree::from_parents(study.layout(shape, case.n)?.tree().parents())?,
    };
    let values = study.values(case.n);
    let (sum, links) = (Sum::<i64>::new(), links_of(&tree)?);
    let mut machine = study.machine(case.n)?;
    let input = Memory::from(values.clone());
    let found = leaffix_by_pram(&mut machine, network(study), sum, &links, input)?;
    let expected = on_host(&tree, &tree.to_positions(&values)?, &sum, TreefixParams::default())?;
    let correct = tree.to_vertices(&expected)? == found.states();
    Ok(Run::on(&machine, case, None, correct))
}

palmette_spatial::plain! {
    /// An element that points to an earlier one, and how far that is.
    #[derive(Debug, Clone, Copy)]
    struct Jump {
        before: u32,
        rank: u32,
    }
}

/// Ranks of a list.
pub(super) fn list_ranking(study: &Study, case: Case) -> Result<Run, SweepError> {
    let list = List::new(study, case.n)?;
    let mut machine = study.machine(case.n)?;
    let pram = Pram { processors: Range::new(0, case.n as u32), network: network(study) };
    let mut jumps = Memory::from(list.predecessors)
        .map(|_, before| Jump { before, rank: u32::from(before != NONE) });
    for _ in 0..case.n.next_power_of_two().ilog2() {
        let wanted = jumps.clone().map(|_, jump| (jump.before != NONE).then_some(jump.before));
        let found = pram.read(&mut machine, "jump", wanted, jumps.clone())?;
        jumps = jumps.beside(found).map(|_, (jump, found)| match found {
            Some(other) => Jump { before: other.before, rank: jump.rank + other.rank },
            None => jump,
        });
    }
    let ranks = jumps.map(|_, jump| jump.rank);
    Ok(Run::on(&machine, case, None, ranks.states() == list.ranks))
}
