//! A proof, in two passes, that the answer exists and is the only one near the sources' voltage.
//!
//! **Problem.** Do sweeps converge, and to the solution that is meant?
//!
//! **Method.** In the frame without ratios let `E` be the source's voltage. A sweep maps voltages
//! `V` to `E − Σ z I(V)`. With `w = |s_P|/|E|² + |s_I|/(2|E|) + ¾|y|` for constant power, constant
//! current and admittance, let `A = leaffix w`, `D = rootfix |z| A` and `ξ = max D`. In the ball
//! `|V − E| ≤ ½|E|` currents are at most `2|s_P|/|E| + |s_I| + 1½|y||E|`, so that a sweep moves no
//! voltage further than `2ξ|E|` from `E`; and it shrinks distances by `4ξ` or more. For `ξ < ¼`
//! the ball is mapped into itself and contracted: one solution lies in it, and sweeps from `E`
//! converge to it (Banach).
//!
//! **Cost.** One leaffix and one rootfix of numbers.
//!
//! **Reference.** For constant power alone: arXiv 1702.03310 and 1605.08511.
//!
//! **When not to use.** With loops or generators that hold voltages nothing is claimed.

use super::compensation::sources;
use super::{Demand, Network};
use palmette_core::NONE;
use palmette_core::feeder::Complex;

/// What two passes prove about a radial feeder.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Certificate {
    /// `ξ`: below ¼ a solution exists, is the only one within half of the sources' voltage, and
    /// sweeps converge to it.
    pub xi: f64,
    /// The largest factor of the loads for which that is proved; 0 if none is.
    pub factor: f64,
}

impl Certificate {
    /// Below this, a solution is certain.
    pub const LIMIT: f64 = 0.25;

    /// Whether it proves anything.
    pub fn holds(&self) -> bool {
        self.xi < Self::LIMIT
    }
}

/// The magnitude, without the care for tiny numbers that `norm` takes.
fn size(x: Complex) -> f64 {
    x.norm_sqr().sqrt()
}

/// The certificate of a network; none with loops or generators that hold voltages.
pub(super) fn certificate(
    network: &Network<'_>,
    demand: &Demand<'_>,
    factor: f64,
) -> Option<Certificate> {
    if network.components.iter().any(|part| !part.unknowns.is_empty()) {
        return None;
    }
    let tree = &network.topology.tree;
    let n = tree.len();
    // Of loads, which grow with their factor, and of the rest.
    let mut loads = vec![0.0; n];
    let mut rest = vec![0.0; n];
    let roots = sources(network);
    for &(root, v) in &roots {
        let square = v.norm_sqr();
        for k in root as usize..tree.end(root) as usize {
            let own = network.y[k];
            rest[k] = 0.75 * size(own);
            loads[k] = size(demand.s[k]) / square + 0.75 * size(demand.y[k] - own);
        }
    }
    for &(at, s) in &demand.current {
        let after = roots.partition_point(|root| root.0 <= at);
        // Before the first source and behind the last there are only buses without supply.
        if let Some((root, v)) = after.checked_sub(1).map(|root| roots[root])
            && at < tree.end(root)
        {
            loads[at as usize] += s.norm() / (2.0 * v.norm());
        }
    }
    for k in (0..n).rev() {
        let parent = tree.parents()[k];
        if parent != NONE {
            loads[parent as usize] += loads[k];
            rest[parent as usize] += rest[k];
        }
    }
    let (mut xi, mut most) = (0.0f64, f64::INFINITY);
    for k in 0..n {
        let parent = tree.parents()[k];
        if parent == NONE {
            (loads[k], rest[k]) = (0.0, 0.0);
            continue;
        }
        let z = size(network.z[k]);
        loads[k] = loads[parent as usize] + z * loads[k];
        rest[k] = rest[parent as usize] + z * rest[k];
        xi = xi.max(loads[k] + rest[k]);
        if loads[k] > 0.0 {
            most = most.min((Certificate::LIMIT - rest[k]).max(0.0) / loads[k]);
        }
    }
    Some(Certificate { xi, factor: most * factor.abs() })
}
