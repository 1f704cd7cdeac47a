//! How far the loads of a feeder can grow.
//!
//! **Problem.** The largest factor of all loads for which there is a power flow.
//!
//! **Method.** The factor is doubled until sweeps diverge, then bisected. Each solution is the
//! start of the next, so that the branch with high voltages is followed. Sweeps have no limit here:
//! each ends at rest or without progress. Where nothing is drawn, or passive impedances draw all,
//! voltages are those of a linear network at any factor: there is no limit to find.
//!
//! **Cost.** About 20 solutions; those near the limit take tens of sweeps.

use super::{FlowError, FlowParams};
use palmette_core::feeder::{Complex, Zip};

/// The largest loads that a feeder carries.
#[derive(Debug, Clone, PartialEq)]
pub struct MaxLoading {
    /// All loads can be multiplied by it; infinite where there is no limit.
    pub factor: f64,
    /// The bus with the lowest voltage there; of the network without loads where there is no limit.
    pub bus: String,
    /// Its voltage, per unit.
    pub voltage: f64,
    /// How many power flows were tried.
    pub solved: usize,
}

/// Relative width at which bisection ends.
const WIDTH: f64 = 1e-5;
/// The same where only an error message needs it.
const COARSE: f64 = 1e-4;
/// Loads that grow further than this are no loads.
const MOST: f64 = 1e9;

/// A network of either kind whose loads are multiplied.
pub(super) trait Loaded {
    /// Whether there is a power flow at a factor, which is then the start of the next.
    fn carries(&mut self, factor: f64) -> Result<bool, FlowError>;
    /// Whether loads can grow without end.
    fn is_unlimited(&self) -> bool;
    /// The bus with the lowest voltage of the last power flow, and that voltage, per unit.
    fn lowest(&self) -> (String, f64);
    /// That there is no power flow without loads.
    fn without_loads(&self) -> FlowError;
}

/// Whether loads of supplied buses can grow without end: none draws anything but by a passive
/// impedance, which a network without generators that hold voltages always carries.
pub(super) fn unlimited(loads: impl Iterator<Item = (Complex, Zip)>, generators: bool) -> bool {
    let passive = |s: Complex, zip: Zip| !generators && zip == Zip::IMPEDANCE && s.re > 0.0;
    loads.into_iter().all(|(s, zip)| s == Complex::default() || passive(s, zip))
}

/// Parameters of the flows on the way: sweeps end by themselves.
pub(super) fn steps(params: &FlowParams) -> FlowParams {
    let tolerance = params.tolerance.max(1e-9);
    FlowParams { tolerance, max_sweeps: usize::MAX, ..params.clone() }
}

/// The largest factor of all loads for which there is a power flow.
pub(super) fn largest(of: &mut dyn Loaded) -> Result<MaxLoading, FlowError> {
    let mut solved = 0;
    let mut carries = |factor: f64| {
        solved += 1;
        of.carries(factor)
    };
    let mut found = carries(0.0)?.then_some(f64::INFINITY);
    if found.is_some() && !of.is_unlimited() {
        let mut carries = |factor: f64| {
            solved += 1;
            of.carries(factor)
        };
        let (mut low, mut high) = (0.0, 1.0);
        while high <= MOST && carries(high)? {
            (low, high) = (high, 2.0 * high);
        }
        if high <= MOST {
            found = Some(bisect(&mut carries, low, high, WIDTH)?);
        }
    }
    let Some(factor) = found else { return Err(of.without_loads()) };
    let (bus, voltage) = of.lowest();
    Ok(MaxLoading { factor, bus, voltage, solved })
}

/// The largest factor below one that is known to be too large, and the bus with the lowest voltage
/// there.
pub(super) fn below(of: &mut dyn Loaded, too_large: f64) -> Option<(f64, String)> {
    if !of.carries(0.0).ok()? {
        return None;
    }
    let factor = bisect(&mut |factor| of.carries(factor), 0.0, too_large, COARSE).ok()?;
    Some((factor, of.lowest().0))
}

fn bisect(
    carries: &mut dyn FnMut(f64) -> Result<bool, FlowError>,
    mut low: f64,
    mut high: f64,
    width: f64,
) -> Result<f64, FlowError> {
    while (high - low).abs() > width * high.abs() {
        let middle = 0.5 * (low + high);
        match carries(middle)? {
            true => low = middle,
            false => high = middle,
        }
    }
    Ok(low)
}
