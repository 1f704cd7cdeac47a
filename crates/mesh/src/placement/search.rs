//! Placement by local search.
//!
//! **Problem.** Quadratic assignment: minimise the sum of values times cost over all
//! one-to-one placements.
//! **Method.** Several annealings with seeds of their own. One starts from the placement that
//! is given and not so hot, so that it keeps what is good there; the others are hot and
//! forget it. On a torus every other one spends half its steps on the mesh, then goes on
//! warm with the wrap-around: a mesh has fewer ways to get stuck folded over, and finds
//! good placements of plane quotients more often. The cheapest wins, the first of equals.
//! **Cost.** `restarts · steps` moves of `O(partners)` each; restarts run in parallel. A table
//! of costs of two bytes per pair of processors, up to 2048 of them.
//! **Determinism.** Same seed, same placement, on any number of threads; a time limit gives
//! that up, since then the clock decides how far the search comes.
//! **When not to use.** Thousands of parts: steps grow with their number. Embed the cut tree
//! instead, and [`improve`] that.

use super::anneal::{Schedule, anneal};
use super::assignment::{Assignment, Rules};
use super::{Placement, cost};
use crate::{Machine, Quotient};
use palmette_core::DEFAULT_SEED;
use rayon::prelude::*;
use std::time::{Duration, Instant};

/// How long and how hot placements are searched.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SearchParams {
    /// Moves tried in each annealing; `None` for 4096 per part, at most two million.
    pub steps: Option<u64>,
    /// Annealings.
    pub restarts: u32,
    /// The first temperature of an annealing that improves what is there, in mean costs of
    /// a random move.
    pub warmth: f64,
    /// Decides all random choices.
    pub seed: u64,
    /// Stops cooling after that time; results then depend on the machine's speed.
    pub time_limit: Option<Duration>,
}

impl Default for SearchParams {
    fn default() -> SearchParams {
        let seed = DEFAULT_SEED;
        SearchParams { steps: None, restarts: 8, warmth: 0.04, seed, time_limit: None }
    }
}

impl SearchParams {
    fn schedule(&self, quotient: &Quotient, restart: u32, heat: f64) -> Schedule {
        let steps = self.steps.unwrap_or((4096 * quotient.parts() as u64).min(2_000_000));
        let seed = self.seed.wrapping_add(u64::from(restart).wrapping_mul(0x9e37_79b9_7f4a_7c15));
        Schedule { steps, heat, seed, until: self.end() }
    }

    /// When to stop cooling, if the clock counts that far.
    fn end(&self) -> Option<Instant> {
        Instant::now().checked_add(self.time_limit?)
    }
}

/// The first temperature of an annealing that forgets where it starts.
const HOT: f64 = 0.2;

/// Searches from a placement.
pub(super) fn search(
    quotient: &Quotient,
    machine: &Machine,
    start: Placement,
    params: &SearchParams,
) -> Placement {
    let rules = Rules::new(quotient, machine);
    let torus = machine.lattice().filter(|lattice| lattice.is_torus());
    let mesh = torus.map(|lattice| Machine::Lattice(lattice.unwrapped()));
    let mesh_rules = mesh.as_ref().map(|mesh| Rules::new(quotient, mesh));
    // The clock starts now for all restarts, also for those that wait for a thread.
    let until = params.end();
    let run = |restart: u32| {
        let heat = if restart == 0 { params.warmth } else { HOT };
        let mut schedule = Schedule { until, ..params.schedule(quotient, restart, heat) };
        let mut from = start.clone();
        if let Some(mesh_rules) = mesh_rules.as_ref().filter(|_| restart % 2 == 1) {
            schedule.steps /= 2;
            let mut assignment = Assignment::new(mesh_rules, &from);
            anneal(mesh_rules, &mut assignment, &schedule);
            from = assignment.placement();
            schedule.heat = params.warmth;
        }
        let mut assignment = Assignment::new(&rules, &from);
        anneal(&rules, &mut assignment, &schedule);
        assignment
    };
    let boards: Vec<Assignment<'_>> = (0..params.restarts).into_par_iter().map(run).collect();
    let best = boards.iter().min_by_key(|assignment| assignment.cost);
    best.map_or(start, Assignment::placement)
}

/// A placement that costs no more: one warm annealing on one thread, then descent. With no
/// steps, descent only.
///
/// # Panics
/// When quotient and placement have different numbers of parts.
pub fn improve(
    quotient: &Quotient,
    machine: &Machine,
    placement: Placement,
    params: &SearchParams,
) -> Placement {
    assert_eq!(quotient.parts(), placement.parts(), "a processor for each part");
    let rules = Rules::new(quotient, machine);
    let mut assignment = Assignment::new(&rules, &placement);
    anneal(&rules, &mut assignment, &params.schedule(quotient, 0, params.warmth));
    debug_assert_eq!(assignment.cost as u64, cost(quotient, machine, &assignment.placement()));
    assignment.placement()
}
