//! Words and rounds of jobs with many ranks, which are threads here.

use super::{Failure, Kind};
use crate::table::Table;
use palmette_core::NONE;
use palmette_core::operator::Sum;
use palmette_tree::Scope;
use palmette_tree::distributed::{
    DistributedError, DistributedParams, DistributedTree, Metered, NO_VERTEX, OneWord, Phase,
    Ranks, Slices, on_threads,
};

/// The columns of the table.
pub const HEAD: [&str; 8] = [
    "tree",
    "ranks",
    "way",
    "building",
    "leaffix",
    "all words",
    "rounds of building",
    "all rounds",
];

/// The phases of building, peeled or in order.
const BUILDING: [&str; 5] = ["rounds", "chains", "children", "ranking", "blocks"];

/// The phases of a leaffix.
const LEAFFIX: [&str; 2] = ["values", "treefix"];

/// What the busiest rank received, in words for each vertex of a slice.
#[derive(Debug, Clone, Copy, Default)]
pub struct Counted {
    /// Words of all phases.
    pub words: f64,
    /// Calls of all ranks.
    pub rounds: u64,
}

/// Counts building and one leaffix with so many vertices per rank, and adds a row.
///
/// # Errors
/// When the tree cannot be made.
pub fn measure(
    kind: Kind,
    ranks: usize,
    share: usize,
    table: &mut Table,
) -> Result<Counted, Failure> {
    let n = share * ranks;
    let parents: Vec<u64> = kind
        .parents(share, ranks)?
        .into_iter()
        .map(|parent| if parent == NONE { NO_VERTEX } else { parent.into() })
        .collect();
    let slices = Slices::even(n as u64, ranks);
    let found = on_threads(ranks, |rank| -> Result<(bool, Vec<Phase>), DistributedError> {
        let mut ranks = Metered::new(rank);
        let own = slices.of(ranks.rank());
        let own = &parents[own.start as usize..own.end as usize];
        let params = DistributedParams { ordered: false, ..Default::default() };
        let tree = DistributedTree::build(&mut ranks, own, params)?;
        let (ones, op) = (vec![[1]; own.len()], OneWord(Sum::<u64>::new()));
        tree.leaffix(&mut ranks, &ones, &op, Scope::Inclusive)?;
        Ok((tree.is_ordered(), ranks.phases().to_vec()))
    });
    let found = found.into_iter().collect::<Result<Vec<_>, _>>()?;
    let (ordered, phases): (Vec<bool>, Vec<Vec<Phase>>) = found.into_iter().unzip();
    let most = |names: &[&str]| {
        let of_rank = |phases: &Vec<Phase>| {
            let phases = phases.iter().filter(|phase| names.contains(&phase.name));
            phases.map(|phase| phase.traffic.received).sum::<u64>()
        };
        phases.iter().map(of_rank).max().unwrap_or(0) as f64 / share as f64
    };
    let rounds = |names: &[&str]| {
        let phases = phases[0].iter().filter(|phase| names.contains(&phase.name));
        phases.map(|phase| phase.traffic.rounds).sum::<u64>()
    };
    let all: Vec<&str> = BUILDING.into_iter().chain(LEAFFIX).collect();
    let (words, every) = (most(&all), rounds(&all));
    let number = |x: f64| format!("{x:.2}");
    table.row(vec![
        kind.name(),
        ranks.to_string(),
        if ordered[0] { "preorder" } else { "peeled" }.to_string(),
        number(most(&BUILDING)),
        number(most(&LEAFFIX)),
        number(words),
        rounds(&BUILDING).to_string(),
        every.to_string(),
    ]);
    Ok(Counted { words, rounds: every })
}
