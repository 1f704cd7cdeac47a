//! Each branch of a feeder out of service, one at a time.

use super::cases::{CaseFigures, CaseFlow};
use super::{Extreme, solve_feeder};
use crate::power::flow::{FlowError, FlowParams, Outage, outages};
use palmette_core::feeder::{Balanced, Ends, Feeder};
use rayon::prelude::*;

/// The power flow after the loss of each branch that is in service, one at a time. Buses that lose
/// their supply are named.
///
/// # Errors
/// When the feeder with all branches has no power flow.
pub fn solve_outages(feeder: &Feeder, params: &FlowParams) -> Result<Vec<CaseFlow>, FlowError> {
    let params = FlowParams { allow_unsupplied: true, ..params.clone() };
    let run = |name: &str, changed: Feeder| {
        let solution = solve_feeder(&changed, &params);
        let found = solution.map(|solution| CaseFigures::of(&solution, false));
        CaseFlow { name: name.to_string(), found: found.ok() }
    };
    match feeder {
        Feeder::Balanced(one) => {
            let all = outages(one, &params)?;
            Ok(all.iter().map(|outage| of_outage(one, outage)).collect())
        }
        Feeder::ThreePhase(one) => {
            let (lines, others) = (one.lines.from.len(), one.transformers.from.len());
            let out = |k: usize| {
                let mut changed = one.clone();
                if k < lines {
                    changed.lines.ends.set(k, Ends::OPEN);
                    run(one.lines.names.get(k), Feeder::ThreePhase(changed))
                } else if k < lines + others {
                    changed.transformers.closed.set(k - lines, false);
                    run(one.transformers.names.get(k - lines), Feeder::ThreePhase(changed))
                } else {
                    let at = k - lines - others;
                    changed.switches.closed.set(at, false);
                    run(one.switches.names.get(at), Feeder::ThreePhase(changed))
                }
            };
            let is_live = |&k: &usize| match k {
                k if k < lines => one.lines.ends.get(k) == Ends::CLOSED,
                k if k < lines + others => one.transformers.closed.get(k - lines),
                k => one.switches.closed.get(k - lines - others),
            };
            let all = lines + others + one.switches.from.len();
            Ok((0..all).filter(is_live).collect::<Vec<_>>().into_par_iter().map(out).collect())
        }
    }
}

/// What an outage of a balanced feeder says, with names.
fn of_outage(feeder: &Balanced, outage: &Outage) -> CaseFlow {
    let bus = |bus: u32| feeder.buses.names.get(bus as usize).to_string();
    let branch = |branch: u32| feeder.branches.names.get(branch as usize).to_string();
    let found = outage.converged.then(|| CaseFigures {
        lowest: Extreme { bus: bus(outage.v_min_bus), phase: None, voltage: outage.v_min },
        highest: Extreme { bus: bus(outage.v_max_bus), phase: None, voltage: outage.v_max },
        losses_mva: outage.losses_mva,
        sources_mva: outage.given_mva,
        most_loaded: (outage.loading > 0.0)
            .then(|| (branch(outage.loading_branch), outage.loading)),
        unsupplied: outage.lost.iter().map(|&lost| bus(lost)).collect(),
        unsupplied_count: outage.lost_buses,
        lost_mw: outage.lost_mva.re,
        iterations: outage.sweeps,
        voltages: Vec::new(),
    });
    CaseFlow { name: branch(outage.branch), found }
}
