//! Currents at the final voltages, and what the arrays of sweeps say about the answer.

use super::compensation::Compensation;
use super::network::{PhaseDemand, PhaseNetwork};
use super::solve::PhaseState;
use super::sweep::{backward, draw_elements, product, symmetric};
use super::{Three, ZERO};
use crate::flow::balanced::drawn;
use crate::flow::wide::{Work, wide};
use palmette_core::feeder::Complex;
use std::ops::Range;

/// What a pass over all buses finds.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Settled {
    /// The square of how far the power of a bus is from the one given, at the worst bus.
    worst: f64,
    /// What lines and transformers of the forest take, and all admittances to ground.
    pub(super) losses: Complex,
}

impl Settled {
    /// How far powers are from those given, in VA, at the worst bus.
    pub(super) fn mismatch(&self) -> f64 {
        self.worst.sqrt()
    }
}

/// Puts the currents at the final voltages into the state. Mismatches are looked at where `looks` says
/// so.
pub(super) fn settle(
    network: &PhaseNetwork<'_>,
    demand: &PhaseDemand,
    compensation: Option<&Compensation>,
    state: &mut PhaseState,
    looks: bool,
) -> Settled {
    let (v, i) = (&state.v[..], &mut state.i[..]);
    // Forward sweeps have cleared all but those of sources.
    network.topology.roots.iter().for_each(|root| i[root.0 as usize] = ZERO);
    if let Some(compensation) = compensation {
        compensation.draw(i);
    }
    let tree = &network.topology.tree;
    let mut settled = Settled::default();
    for &(root, _) in network.topology.roots.iter().filter(|root| root.1) {
        let (at, range) = (root as usize, root + 1..tree.end(root));
        draw_elements(network, demand, &(root..tree.end(root)), v, i);
        backward(network, demand, &range, v, i);
        for phase in 0..3 {
            let own = drawn(demand.s[at][phase], demand.y[at][phase], v[at][phase]);
            i[at][phase] += own;
            settled.losses += network.y[at][phase].conj() * v[at][phase].norm_sqr();
        }
        settled = match looks {
            true => wide(Look::<'_, '_, true> { network, demand, range, v, i, settled }),
            false => wide(Look::<'_, '_, false> { network, demand, range, v, i, settled }),
        };
    }
    settled
}

struct Look<'b, 'a, const MISMATCH: bool> {
    network: &'b PhaseNetwork<'a>,
    demand: &'b PhaseDemand,
    range: Range<u32>,
    v: &'b [Three],
    i: &'b [Three],
    settled: Settled,
}

impl<const MISMATCH: bool> Work for Look<'_, '_, MISMATCH> {
    type Output = Settled;
    #[inline(always)]
    fn run(self) -> Settled {
        let Look { network, demand, range, v, i, mut settled } = self;
        let range = range.start as usize..range.end as usize;
        let parents = &network.topology.tree.parents()[range.clone()];
        let rows = parents.iter().zip(&network.ratio[range.clone()]).zip(&network.z[range.clone()]);
        let rows = rows.zip(&network.scale[range.clone()]).zip(&network.y[range.clone()]);
        let rows = rows.zip(&demand.s[range.clone()]).zip(&demand.y[range.clone()]);
        let rows = rows.zip(&v[range.clone()]).zip(&i[range]);
        // By phase, so that phases are added side by side.
        let (mut losses, mut worst) = (ZERO, [settled.worst; 3]);
        for ((((((((&parent, &ratio), z), &scale), own), s), y), v_own), i) in rows {
            let drop = symmetric(z, i);
            for phase in 0..3 {
                let ground = own[phase].conj() * v_own[phase].norm_sqr();
                losses[phase] += drop[phase] * i[phase].conj() + ground;
            }
            if !MISMATCH {
                continue;
            }
            let mut up = v[parent as usize];
            if ratio != 0 {
                up = product(&network.ratios[ratio as usize], &up);
            }
            let square = scale.recip();
            for phase in 0..3 {
                let off = (up[phase] - drop[phase] - v_own[phase]).norm_sqr() * scale;
                // Squares do until the end.
                let draws = s[phase].norm_sqr() + y[phase].norm_sqr() * (square * square);
                let far = off * draws;
                worst[phase] = if far <= worst[phase] { worst[phase] } else { far };
            }
        }
        for worst in worst {
            settled.worst = if worst <= settled.worst { settled.worst } else { worst };
        }
        settled.losses += losses.iter().sum::<Complex>();
        settled
    }
}
