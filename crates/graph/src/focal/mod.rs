//! Resistances and currents between focal points: how well places of a landscape are connected.
//!
//! **Problem.** A graph of conductances, and regions of one vertex or more. In one of three
//! [modes](FocalMode) a current of 1 flows between regions, again and again; out come the effective
//! resistances, and by vertex the sum of the currents through it. Or currents and conductances to
//! ground are given at any vertices ([`driven_currents`]).
//!
//! **Method.** Where all regions are single vertices, the potentials of `k` of them in one component
//! need `k − 1` solves with one preconditioner: one for each but the first, from it to the first.
//! What a pair, or one against all others, does to potentials is a sum of these with known factors
//! (`experiments.rs`). Vertices of a larger region are made one vertex: in a pair those of its two
//! regions, otherwise those of all. The current through a vertex is half the sum of all that flows in
//! its edges and of what enters or leaves it. For all pairs at once the sum over pairs of
//! `|d(i) − d(j)|` in each edge comes from sorting the differences `d`, not from going over pairs.
//!
//! **Cost.** `k − 1` solves, and a solve for each pair with a region of several vertices. Maps:
//! `8 (k − 1)` bytes per vertex, and per edge `k log k` operations for all pairs, `k²` in the
//! other modes.
//!
//! **Determinism.** As the solver's.
//!
//! **Reference.** McRae, Dickson, Keitt and Shah, *Using circuit theory to model connectivity in
//! ecology*, 2008.
//!
//! **When not to use.** For graphs with conductances to ground: those are no places.

mod currents;
mod driven;
mod experiments;
mod merge;
#[cfg(test)]
mod tests;

pub use driven::{Driven, DrivenError, driven_currents};

use crate::Laplacian;
use crate::solve::{SolveError, SolveParams, resistances};
use currents::{all_pairs, listed};
use experiments::Terminals;
use merge::merge;
use palmette_core::{Graph, named};

named! {
    /// Which currents flow between focal regions.
    #[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
    #[non_exhaustive]
    pub enum FocalMode("mode") {
        /// For each pair, 1 from one to the other.
        #[default]
        Pairwise = "pairwise",
        /// For each region, 1 from it to all others, which are grounded.
        OneToAll = "one-to-all",
        /// For each region, 1 from each of the others to it.
        AllToOne = "all-to-one",
    }
}

/// Which currents, and how they are found.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct FocalParams {
    /// What flows.
    pub mode: FocalMode,
    /// Only these pairs of regions; by default all (pairwise only).
    pub pairs: Option<Vec<(u32, u32)>>,
    /// Only the pairs among these regions; in the other modes only these sources, or sinks.
    pub only: Option<Vec<u32>>,
    /// How potentials are found.
    pub solve: SolveParams,
}

/// What flowed.
#[derive(Debug, Clone, PartialEq)]
pub struct FocalCurrents {
    /// The pairs of regions; in the other modes each region with itself.
    pub pairs: Vec<(u32, u32)>,
    /// By pair, the resistance, infinite where nothing flows; one-to-all: from a region to all others.
    /// Nothing for all-to-one, where sources have different potentials.
    pub resistances: Option<Vec<f64>>,
    /// By vertex, the sum of currents.
    pub currents: Vec<f64>,
    /// By vertex, the potential, if there was only one experiment; NaN where none is known. Where the
    /// current leaves it is 0.
    pub potentials: Option<Vec<f64>>,
}

impl FocalParams {
    /// The pairs of a number of regions that are wanted, or the regions.
    fn wanted(&self, regions: usize) -> Result<Vec<(u32, u32)>, SolveError> {
        let all = || (0..regions as u32).collect::<Vec<u32>>();
        let only = self.only.clone().unwrap_or_else(all);
        let listed = self.pairs.iter().flatten().flat_map(|&(a, b)| [a, b]);
        if let Some(vertex) = only.iter().copied().chain(listed).find(|&r| r as usize >= regions) {
            return Err(SolveError::Vertex { vertex, vertices: regions });
        }
        Ok(match (self.mode, &self.pairs) {
            (FocalMode::Pairwise, Some(pairs)) => pairs.clone(),
            (FocalMode::Pairwise, None) => {
                let after = |(k, &a): (usize, &u32)| {
                    only[k + 1..].iter().map(move |&b| (a, b)).collect::<Vec<_>>()
                };
                only.iter().enumerate().flat_map(after).collect()
            }
            _ => only.iter().map(|&region| (region, region)).collect(),
        })
    }
}

/// Pairs of regions, and by pair the resistance.
pub type PairResistances = (Vec<(u32, u32)>, Vec<f64>);

/// Resistances between pairs of regions, in the order of [`FocalCurrents::pairs`]; for one-to-all
/// from each region to all others.
///
/// ```
/// use palmette_core::Graph;
/// use palmette_graph::focal::{FocalParams, focal_resistances};
/// let path = Graph::from_edges(4, &[(0, 1, 1.0), (1, 2, 1.0), (2, 3, 1.0)])?;
/// let regions = [vec![0, 1], vec![3]];
/// let (pairs, found) = focal_resistances(&path, &regions, &FocalParams::default())?;
/// assert_eq!((pairs, found), (vec![(0, 1)], vec![2.0]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// As [`resistances`]; a region that is not there.
pub fn focal_resistances(
    graph: &Graph,
    regions: &[Vec<u32>],
    params: &FocalParams,
) -> Result<PairResistances, SolveError> {
    check(graph, regions)?;
    let pairs = params.wanted(regions.len())?;
    if params.mode != FocalMode::Pairwise {
        let found = focal_currents(graph, regions, params)?;
        return Ok((found.pairs, found.resistances.unwrap_or_default()));
    }
    let region = |r: u32| &regions[r as usize][..];
    let mut found = vec![f64::INFINITY; pairs.len()];
    let (mut single, mut places) = (Vec::new(), Vec::new());
    for (place, &(a, b)) in pairs.iter().enumerate() {
        match (region(a), region(b)) {
            ([], _) | (_, []) => {}
            (&[u], &[v]) => {
                single.push((u, v));
                places.push(place);
            }
            (from, to) if overlap(from, to) => found[place] = 0.0,
            (from, to) => {
                let (merged, names) = merge(graph, &[from, to])?;
                let ends = [(names[from[0] as usize], names[to[0] as usize])];
                let laplacian = Laplacian::new(&merged, None);
                found[place] = resistances(&laplacian, &ends, &params.solve)?[0];
            }
        }
    }
    let between = resistances(&Laplacian::new(graph, None), &single, &params.solve)?;
    places.into_iter().zip(between).for_each(|(place, r)| found[place] = r);
    Ok((pairs, found))
}

/// The currents through all vertices.
///
/// # Errors
/// As [`focal_resistances`]; potentials that do not fit in memory.
pub fn focal_currents(
    graph: &Graph,
    regions: &[Vec<u32>],
    params: &FocalParams,
) -> Result<FocalCurrents, SolveError> {
    check(graph, regions)?;
    let pairs = params.wanted(regions.len())?;
    let several = regions.iter().any(|region| region.len() > 1);
    if params.mode != FocalMode::Pairwise && several {
        // All regions take part in each experiment.
        let all: Vec<&[u32]> = regions.iter().map(|region| &region[..]).collect();
        let (merged, names) = merge(graph, &all)?;
        let single = |region: &Vec<u32>| region.first().map(|&v| names[v as usize]);
        let regions: Vec<Vec<u32>> =
            regions.iter().map(|r| single(r).into_iter().collect()).collect();
        let found = focal_currents(&merged, &regions, params)?;
        let spread = |values: &[f64]| names.iter().map(|&v| values[v as usize]).collect();
        let potentials = found.potentials.as_deref().map(spread);
        return Ok(FocalCurrents { currents: spread(&found.currents), potentials, ..found });
    }
    let laplacian = Laplacian::new(graph, None);
    let mut currents = vec![0.0; graph.len()];
    let mut found = vec![f64::INFINITY; pairs.len()];
    let mut potentials = None;
    let is_single =
        |&(a, b): &(u32, u32)| regions[a as usize].len() <= 1 && regions[b as usize].len() <= 1;
    let shared: Vec<usize> = (0..pairs.len()).filter(|&k| is_single(&pairs[k])).collect();
    if !shared.is_empty() {
        let take = |k: usize| regions[k].first().copied();
        let used = |r: u32| {
            params.mode != FocalMode::Pairwise
                || shared.iter().any(|&k| pairs[k].0 == r || pairs[k].1 == r)
        };
        let points: Vec<Option<u32>> =
            (0..regions.len()).map(|r| take(r).filter(|_| used(r as u32))).collect();
        let terminals = Terminals::solve(&laplacian, &points, &params.solve)?;
        let chosen: Vec<(u32, u32)> = shared.iter().map(|&k| pairs[k]).collect();
        let made = terminals.experiments(params.mode, &chosen)?;
        shared.iter().zip(&made).for_each(|(&k, experiment)| found[k] = experiment.resistance);
        let every = params.mode == FocalMode::Pairwise
            && params.pairs.is_none()
            && params.only.is_none()
            && chosen.len() == pairs.len();
        match every && pairs.len() > 3 {
            true => all_pairs(&laplacian, &terminals, &mut currents),
            false => listed(&laplacian, &terminals, &made, &mut currents),
        }
        if let ([only], true) = (&made[..], pairs.len() == 1) {
            potentials = Some(terminals.potentials(&laplacian, only));
        }
    }
    for (k, &(a, b)) in pairs.iter().enumerate().filter(|(_, pair)| !is_single(pair)) {
        let (from, to) = (&regions[a as usize][..], &regions[b as usize][..]);
        if from.is_empty() || to.is_empty() {
            continue;
        }
        if overlap(from, to) {
            found[k] = 0.0;
            continue;
        }
        let (merged, names) = merge(graph, &[from, to])?;
        let ends = [vec![names[from[0] as usize]], vec![names[to[0] as usize]]];
        let params = FocalParams { solve: params.solve.clone(), ..FocalParams::default() };
        let one = focal_currents(&merged, &ends, &params)?;
        found[k] = one.resistances.map_or(f64::INFINITY, |r| r[0]);
        currents.iter_mut().zip(&names).for_each(|(sum, &v)| *sum += one.currents[v as usize]);
        if pairs.len() == 1 {
            let own = one.potentials.map(|x| names.iter().map(|&v| x[v as usize]).collect());
            potentials = own;
        }
    }
    let resistances = (params.mode != FocalMode::AllToOne).then_some(found);
    Ok(FocalCurrents { pairs, resistances, currents, potentials })
}

fn check(graph: &Graph, regions: &[Vec<u32>]) -> Result<(), SolveError> {
    let vertices = graph.len();
    match regions.iter().flatten().find(|&&v| v as usize >= vertices) {
        Some(&vertex) => Err(SolveError::Vertex { vertex, vertices }),
        None => Ok(()),
    }
}

fn overlap(a: &[u32], b: &[u32]) -> bool {
    a.iter().any(|v| b.contains(v))
}
