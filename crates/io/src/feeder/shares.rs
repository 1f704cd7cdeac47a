//! Parts of a load that keep their current or their impedance.

use palmette_core::feeder::Zip;

/// What shares of a load must be.
pub(crate) const SHARES: &str = "shares of constant impedance and current from 0 to 100 %, \
    together at most 100 %, of active and of reactive power";

/// Rounding of a sum of percents.
const ROUNDING: f64 = 1e-9;

/// Whether the parts are shares of a whole; what they leave keeps its power. Models that OpenDSS
/// fits to measurements (`zipv`) need not be.
pub(crate) fn are_shares(zip: Zip) -> bool {
    let within = |current: f64, impedance: f64| {
        current >= 0.0 && impedance >= 0.0 && current + impedance <= 1.0 + ROUNDING
    };
    within(zip.current_p, zip.impedance_p) && within(zip.current_q, zip.impedance_q)
}
