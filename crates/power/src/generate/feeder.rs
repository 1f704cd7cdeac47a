//! Random radial feeders at medium voltage.
//!
//! **Problem.** A number of buses and a seed; out comes a [`Balanced`] feeder such as cities have:
//! many feeders of some hundred buses on one source, deep and slightly branched.
//!
//! **Method.** Buses come one by one; each hangs on one that came a little earlier (exponential, 3
//! on average), so that a feeder of 500 buses is about 160 branches deep. Cables of four sections
//! and an overhead line, 20 to 300 m long, 10 kV, 50 Hz; four of five buses have a load with a power
//! factor between 0.9 and 1. All loads are scaled until the lowest voltage is the given one.
//! Numbers of buses and rows of branches are shuffled, as in users' files.
//!
//! **Cost.** Linear, and about ten power flows for the scale.
//!
//! **Determinism.** The seed gives the same feeder everywhere.

use crate::flow::{FlowError, FlowParams, solve};
use palmette_core::feeder::{
    Balanced, BranchKind, Branches, Buses, Column, Complex, Connection, Ends, Loads, PhaseBuses,
    PhaseLines, PhaseLoads, PhaseSources, Phases, Sources, ThreePhase, Zip,
};
use palmette_core::random::{Purpose, Random};
use palmette_core::{DEFAULT_SEED, Texts};

/// Resistance and reactance in ohm per km, capacitance in µF per km, rated current in A.
const TYPES: [[f64; 4]; 5] = [
    [0.063, 0.103, 0.40, 530.0],
    [0.125, 0.112, 0.30, 360.0],
    [0.206, 0.117, 0.25, 280.0],
    [0.443, 0.132, 0.20, 180.0],
    [0.641, 0.350, 0.010, 170.0],
];
const KILOVOLT: f64 = 10.0;
/// Near the source, only the two largest sections are used.
const TRUNK: u32 = 40;

/// Which feeder to generate.
#[derive(Debug, Clone, PartialEq)]
pub struct FeederShape {
    /// The number of buses, the source's included.
    pub buses: usize,
    /// The buses of each feeder.
    pub per_feeder: u32,
    /// The lowest voltage, per unit.
    pub v_min: f64,
    /// Seed for every random choice.
    pub seed: u64,
    /// Whether buses and branches are shuffled.
    pub shuffle: bool,
}

impl Default for FeederShape {
    fn default() -> Self {
        FeederShape { buses: 1000, per_feeder: 500, v_min: 0.93, seed: DEFAULT_SEED, shuffle: true }
    }
}

/// A random balanced feeder.
///
/// ```
/// use palmette_power::flow::{FlowParams, solve};
/// use palmette_power::generate::{FeederShape, feeder};
/// let feeder = feeder(&FeederShape::default()).unwrap();
/// let lowest = solve(&feeder, &FlowParams::default()).unwrap().lowest().1;
/// assert!((lowest - 0.93).abs() < 1e-6);
/// ```
///
/// # Errors
/// Fewer than two buses, or a lowest voltage that no loads lead to.
pub fn feeder(params: &FeederShape) -> Result<Balanced, FlowError> {
    let &FeederShape { buses: n, per_feeder, v_min, seed, shuffle } = params;
    if !(2..=palmette_core::MAX_VERTICES).contains(&n) || per_feeder == 0 {
        let must = "at least 2, a source and a load";
        return Err(FlowError::Parameter { what: "the number of buses", value: n as f64, must });
    }
    if !(v_min > 0.5 && v_min < 1.0) {
        let must = "above 0.5 and below 1";
        return Err(FlowError::Parameter { what: "the lowest voltage", value: v_min, must });
    }
    let mut numbers: Vec<u32> = (0..n as u32).collect();
    let mut rows: Vec<u32> = (1..n as u32).collect();
    if shuffle {
        let mut random = Random::new(seed, Purpose::Shuffle);
        random.shuffle(&mut numbers);
        random.shuffle(&mut rows);
    }
    let mut made = Balanced::new(1.0);
    made.buses = Buses { names: numbered("", n), vn_kv: Column::same(KILOVOLT, n) };
    made.sources = Sources { bus: vec![numbers[0]], v: vec![Complex::new(1.0, 0.0)] };
    let (mut shape, mut lengths) =
        (Random::new(seed, Purpose::Shape), Random::new(seed, Purpose::Lengths));
    // By bus: the bus that it hangs on, its type of branch and its length.
    let mut hung: Vec<(u32, u8, f64)> = vec![(0, 0, 0.0)];
    for k in 1..n as u32 {
        let place = (k - 1) % per_feeder;
        let back = (3.0 * shape.exponential()) as u32;
        let parent = if place == 0 { 0 } else { k - 1 - back.min(place - 1) };
        let kind = if place < TRUNK { lengths.below(2) } else { 1 + lengths.below(4) };
        hung.push((parent, kind as u8, 0.02 + 0.28 * lengths.unit()));
    }
    let ohm = KILOVOLT * KILOVOLT / made.base_mva;
    let mut lines = Branches {
        names: numbered("L", n - 1),
        kind: Column::same(BranchKind::Line, n - 1),
        ratio: Column::same(Complex::new(1.0, 0.0), n - 1),
        ends: Column::same(Ends::CLOSED, n - 1),
        ..Branches::default()
    };
    for &k in &rows {
        let (parent, kind, length) = hung[k as usize];
        let [r, x, c, rated] = TYPES[kind as usize];
        lines.from.push(numbers[parent as usize]);
        lines.to.push(numbers[k as usize]);
        lines.z.push(Complex::new(r, x) * (length / ohm));
        lines.y.push(Complex::new(0.0, std::f64::consts::TAU * 50.0 * c * 1e-6 * length * ohm));
        lines.length_km.push(length);
        lines.rated_a.push([rated; 2]);
    }
    made.branches = lines;
    drop(hung);
    let mut weights = Random::new(seed, Purpose::Weights);
    let mut loads = Loads::default();
    for &number in &numbers[1..] {
        let (p, factor) = (0.1 + 0.9 * weights.unit(), 0.9 + 0.1 * weights.unit());
        if weights.unit() < 0.8 {
            // The tangent of the angle whose cosine is the power factor.
            let q = p * (1.0 - factor * factor).max(0.0).sqrt() / factor;
            loads.bus.push(number);
            loads.s_mva.push(Complex::new(p, q));
        }
    }
    loads.names = numbered("load", loads.bus.len());
    loads.zip = Column::same(Zip::POWER, loads.bus.len());
    made.loads = loads;
    scale(&mut made, v_min)?;
    Ok(made)
}

fn numbered(prefix: &str, n: usize) -> Texts {
    let mut names = Texts::default();
    (0..n).for_each(|k| names.push(&format!("{prefix}{k}")));
    names
}

/// Scales all loads until the lowest voltage is the one given: regula falsi on its drop.
fn scale(feeder: &mut Balanced, v_min: f64) -> Result<(), FlowError> {
    let lowest = |factor: f64| {
        let params = FlowParams { load_factor: factor, tolerance: 1e-11, ..FlowParams::default() };
        match solve(feeder, &params) {
            Ok(solution) => Ok(solution.lowest().1),
            Err(FlowError::Diverged { .. }) => Ok(0.0),
            Err(error) => Err(error),
        }
    };
    let (mut low, mut high) = ((0.0, lowest(0.0)?), (1e-6, lowest(1e-6)?));
    while high.1 > v_min && high.0 < 1e6 {
        low = high;
        high = (high.0 * 4.0, lowest(high.0 * 4.0)?);
    }
    for _ in 0..60 {
        if (low.1 - v_min).abs() < 1e-10 || high.0 - low.0 < 1e-12 * high.0 {
            break;
        }
        // The drop grows faster than the loads: the secant is short of it, so go a little further.
        let part = (low.1 - v_min) / (low.1 - high.1);
        let next = low.0 + (high.0 - low.0) * if high.1 > 0.0 { part } else { 0.5 };
        let found = (next, lowest(next)?);
        if found.1 >= v_min && next > low.0 {
            low = found;
        } else {
            high = found;
        }
        if high.1 > 0.0 && low.1 - v_min > 1e-10 {
            let beyond = low.0 * (1.0 + 1.5 * (low.1 - v_min));
            if beyond < high.0 {
                let found = (beyond, lowest(beyond)?);
                if found.1 < v_min { high = found } else { low = found }
            }
        }
    }
    feeder.loads.s_mva.iter_mut().for_each(|s| *s *= low.0);
    Ok(())
}

/// The same feeder with three phases: lines with a zero sequence of three times their impedance,
/// and loads of one phase each, in turn at random.
///
/// # Errors
/// As [`feeder`].
pub fn three_phase_feeder(params: &FeederShape) -> Result<ThreePhase, FlowError> {
    let one = feeder(params)?;
    let n = one.buses.names.len();
    let ground = KILOVOLT * 1e3 / 3f64.sqrt();
    let ohm = KILOVOLT * KILOVOLT / one.base_mva;
    let third = |turns: f64| Complex::from_polar(ground, -turns * std::f64::consts::TAU / 3.0);
    let m = one.branches.len();
    let mut lines = PhaseLines {
        phases: Column::same(Phases::ABC, m),
        ends: Column::same(Ends::CLOSED, m),
        ..PhaseLines::default()
    };
    for k in 0..m {
        // Equal sequences but for the zero one: own (z0 + 2 z1)/3, mutual (z0 − z1)/3.
        let z = one.branches.z[k] * ohm;
        let (own, mutual) = (z * (5.0 / 3.0), z * (2.0 / 3.0));
        lines.z.push([own, mutual, own, mutual, mutual, own]);
        let b = one.branches.y.get(k).im / ohm;
        lines.b.push([b, 0.0, b, 0.0, 0.0, b]);
        lines.length.push(one.branches.length_km.get(k));
        lines.rated_a.push(one.branches.rated_a.get(k)[0]);
    }
    (lines.names, lines.from, lines.to) = (one.branches.names, one.branches.from, one.branches.to);
    let mut random = Random::new(params.seed, Purpose::Samples);
    let count = one.loads.bus.len();
    let mut loads = PhaseLoads {
        names: one.loads.names,
        bus: one.loads.bus,
        connection: Column::same(Connection::Wye, count),
        phases: Column::default(),
        s_va: Vec::with_capacity(count),
        zip: Column::same(Zip::POWER, count),
        v_nom: Column::same(ground, count),
    };
    for s in one.loads.s_mva {
        loads.phases.push(Phases::from_bits(1 << random.below(3)).unwrap_or(Phases::ABC));
        loads.s_va.push(s * (1e6 / 1.5));
    }
    Ok(ThreePhase {
        buses: PhaseBuses {
            names: one.buses.names,
            phases: Column::same(Phases::ABC, n),
            v_base: Column::same(ground, n),
        },
        sources: PhaseSources {
            bus: one.sources.bus,
            v: vec![[third(0.0), third(1.0), third(2.0)]],
        },
        lines,
        loads,
        ..ThreePhase::default()
    })
}
