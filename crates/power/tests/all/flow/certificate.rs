//! What certificates claim, against the network's own answers to single small loads.

use super::random::network;
use super::random_phases;
use palmette_core::feeder::{Balanced, Column, Complex, Connection, Ends, Phases, ThreePhase, Zip};
use palmette_power::flow::{Certificate, FlowParams, solve, solve_three_phase};

const TINY: f64 = 1e-4;

fn precise() -> FlowParams {
    FlowParams { tolerance: 1e-13, ..FlowParams::default() }
}

/// A network with loads of constant power alone.
fn plain(seed: u64) -> Balanced {
    let mut feeder = network(seed);
    feeder.branches.y = Column::same(Complex::default(), feeder.branches.len());
    feeder.branches.ends = Column::same(Ends::CLOSED, feeder.branches.len());
    feeder.shunts.y.fill(Complex::default());
    feeder.generators = Default::default();
    // One load per bus: those at one bus count together.
    let mut drawn = vec![Complex::default(); feeder.buses.names.len()];
    let loads = std::mem::take(&mut feeder.loads);
    loads.bus.iter().zip(&loads.s_mva).for_each(|(&bus, s)| drawn[bus as usize] += s);
    for (bus, &s) in drawn.iter().enumerate() {
        feeder.loads.names.push(&format!("l{bus}"));
        feeder.loads.bus.push(bus as u32);
        feeder.loads.s_mva.push(s);
        feeder.loads.zip.push(Zip::POWER);
    }
    feeder
}

/// `max Σ |Z| |s| / (e e)`, with `|Z|` from what a tiny load at one bus does to all others.
#[test]
fn xi_bounds_what_loads_do_to_voltages() {
    let mut loops = 0;
    for seed in 0..60 {
        let feeder = plain(seed);
        let n = feeder.buses.names.len();
        let mut idle = feeder.clone();
        idle.loads.s_mva.fill(Complex::default());
        let without = solve(&idle, &precise()).unwrap().voltages();
        let mut sums = vec![0.0; n];
        for k in 0..n {
            let mut one = idle.clone();
            one.loads.s_mva[k] = Complex::new(TINY, 0.0);
            let with = solve(&one, &precise()).unwrap().voltages();
            for at in 0..n {
                // |ΔV| = |Z| |s| / e
                let moved = (with[at] - without[at]).norm() * feeder.loads.s_mva[k].norm() / TINY;
                sums[at] += moved / without[at].norm();
            }
        }
        let exact = sums.iter().fold(0.0f64, |most, sum| most.max(*sum));
        let solution = solve(&feeder, &FlowParams::default()).unwrap();
        let found = solution.certificate().unwrap();
        assert!(found.xi >= 0.999 * exact, "seed {seed}: {found:?} below {exact}");
        // Angles of impedances differ, so that a tree's bound is near and not exact.
        let most = if solution.loops().is_empty() { 1.3 } else { 1.001 };
        assert!(found.xi <= most * exact, "seed {seed}: {found:?} far above {exact}");
        loops += usize::from(!solution.loops().is_empty());
        assert!(found.near && found.generators == 0, "seed {seed}: {found:?}");
        // What is certified has a power flow.
        let factor = 0.999 * found.factor.unwrap();
        let most = FlowParams { load_factor: factor, ..FlowParams::default() };
        let most = solve(&feeder, &most).unwrap().certificate().unwrap();
        assert!(most.holds() && (most.xi - 0.25).abs() < 1e-3, "seed {seed}: {most:?}");
    }
    assert!(loops > 15, "{loops}");
}

#[test]
fn generators_count_with_what_they_give() {
    let mut held = 0;
    for seed in 0..60 {
        let feeder = network(seed);
        let solution = solve(&feeder, &FlowParams::default()).unwrap();
        let found = solution.certificate().unwrap();
        assert_eq!(found.generators, feeder.generators.bus.len(), "seed {seed}");
        if found.generators == 0 {
            continue;
        }
        held += 1;
        assert_eq!(found.factor, None);
        // As loads that give the same.
        let mut fixed = feeder.clone();
        for generator in solution.generators() {
            let bus = feeder.generators.bus[generator.number as usize];
            fixed.loads.names.push(&format!("g{bus}"));
            fixed.loads.bus.push(bus);
            fixed.loads.s_mva.push(-generator.mva);
            fixed.loads.zip.push(Zip::POWER);
        }
        fixed.generators = Default::default();
        // Two elements at a bus count each.
        let same = solve(&fixed, &FlowParams::default()).unwrap().certificate().unwrap();
        assert!(found.xi >= same.xi - 1e-9, "seed {seed}: {found:?} {same:?}");
        assert!(found.xi <= 3.0 * same.xi, "seed {seed}: {found:?} {same:?}");
    }
    assert!(held > 15);
}

/// Loads of constant power from a phase to ground, each by itself.
fn plain_phases(seed: u64) -> ThreePhase {
    let mut feeder = random_phases::network(seed);
    feeder.capacitors = Default::default();
    let (m, t) = (feeder.lines.from.len(), feeder.transformers.from.len());
    feeder.lines.b = Column::same([0.0; 6], m);
    feeder.transformers.y = Column::same(Complex::default(), t);
    feeder.loads = Default::default();
    for bus in 1..feeder.buses.names.len() {
        for phase in feeder.buses.phases.get(bus).iter() {
            feeder.loads.names.push(&format!("{bus}.{phase}"));
            feeder.loads.bus.push(bus as u32);
            feeder.loads.phases.push(Phases::from_bits(1 << phase).unwrap());
            feeder.loads.connection.push(Connection::Wye);
            feeder.loads.zip.push(Zip::POWER);
            feeder.loads.v_nom.push(1000.0);
            feeder.loads.s_va.push(Complex::new(9e3 + 1e3 * (bus % 3) as f64, 4e3));
        }
    }
    feeder
}

#[test]
fn three_phase_xi_bounds_what_loads_do() {
    let mut loops = 0;
    for seed in (0..60).filter(|&seed| {
        let group = random_phases::network(seed).transformers.group.get(0);
        // An ungrounded side carries no load to ground.
        !matches!(
            group.windings(),
            palmette_core::feeder::Windings::DeltaDelta
                | palmette_core::feeder::Windings::StarDelta
        )
    }) {
        let feeder = plain_phases(seed);
        let n = feeder.buses.names.len();
        let mut idle = feeder.clone();
        idle.loads.s_va.fill(Complex::default());
        let voltages = |feeder: &ThreePhase| -> Vec<[Complex; 3]> {
            let solution = solve_three_phase(feeder, &precise()).unwrap();
            (0..n as u32).map(|bus| solution.voltage_pu(bus)).collect()
        };
        let without = voltages(&idle);
        let has = |bus: usize| feeder.buses.phases.get(bus);
        let least = |bus: usize| {
            has(bus).iter().map(|p| without[bus][p].norm()).fold(f64::INFINITY, f64::min)
        };
        let mut sums = vec![[0.0; 3]; n];
        for k in 0..feeder.loads.bus.len() {
            let mut one = idle.clone();
            one.loads.s_va[k] = Complex::new(1.0, 0.0);
            for (at, with) in voltages(&one).iter().enumerate() {
                for phase in has(at).iter() {
                    let moved = (with[phase] - without[at][phase]).norm();
                    sums[at][phase] += moved * feeder.loads.s_va[k].norm() / least(at);
                }
            }
        }
        let exact = sums.iter().flatten().fold(0.0f64, |most, sum| most.max(*sum));
        let solution = solve_three_phase(&feeder, &FlowParams::default()).unwrap();
        let found = solution.certificate().unwrap();
        assert!(found.xi >= 0.99 * exact, "seed {seed}: {found:?} below {exact}");
        assert!(found.xi <= 12.0 * exact, "seed {seed}: {found:?} far above {exact}");
        assert!(found.near && found.xi < Certificate::LIMIT, "seed {seed}: {found:?}");
        loops += usize::from(!solution.loops().is_empty());
    }
    assert!(loops > 5, "{loops}");
}
