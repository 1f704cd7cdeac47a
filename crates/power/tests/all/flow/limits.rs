//! Where sweeps end without an answer, and loads without a limit.

use palmette_core::feeder::{Balanced, Column, Complex, Phases, Zip};
use palmette_power::flow::{
    FlowError, FlowParams, Prepared, max_loading, max_loading_three_phase, solve, solve_three_phase,
};
use palmette_power::generate::{FeederShape, feeder, three_phase_feeder};

fn small() -> Balanced {
    feeder(&FeederShape { buses: 60, ..FeederShape::default() }).unwrap()
}

/// Too few sweeps say nothing about the loads, neither as an error nor within `max_loading`.
#[test]
fn few_sweeps_are_no_limit_of_loads() {
    let feeder = small();
    let few = FlowParams { max_sweeps: 2, ..FlowParams::default() };
    let is_limit = |error: Option<FlowError>| match error {
        Some(FlowError::SweepLimit { sweeps, change, .. }) => sweeps == 2 && change > 0.0,
        _ => false,
    };
    assert!(is_limit(solve(&feeder, &few).err()));
    let mut prepared = Prepared::new(&feeder, &few).unwrap();
    assert!(is_limit(prepared.voltages(&feeder.loads.s_mva).err()));
    let most = max_loading(&feeder, &FlowParams::default()).unwrap();
    assert_eq!(max_loading(&feeder, &few).unwrap(), most);
    let beyond = FlowParams { load_factor: 1.1 * most.factor, ..FlowParams::default() };
    match solve(&feeder, &beyond).err() {
        Some(FlowError::Diverged { loadability: Some(reach), loops: 0, .. }) => {
            assert!((reach / most.factor - 1.0).abs() < 1e-3, "{reach} {}", most.factor);
        }
        other => panic!("{other:?}"),
    }
    let three = three_phase_feeder(&FeederShape { buses: 60, ..FeederShape::default() }).unwrap();
    assert!(is_limit(solve_three_phase(&three, &few).err()));
    let most = max_loading_three_phase(&three, &FlowParams::default()).unwrap();
    assert_eq!(max_loading_three_phase(&three, &few).unwrap(), most);
    let none = FlowParams { max_sweeps: 0, ..FlowParams::default() };
    assert!(matches!(solve(&feeder, &none).err(), Some(FlowError::Parameter { .. })));
}

#[test]
fn impedances_and_nothing_have_no_limit() {
    let params = FlowParams::default();
    let mut linear = small();
    linear.loads.zip = Column::same(Zip::IMPEDANCE, linear.loads.len());
    assert_eq!(max_loading(&linear, &params).unwrap().factor, f64::INFINITY);
    // One load of constant power is enough for a limit.
    linear.loads.zip.set(7, Zip::POWER);
    assert!(max_loading(&linear, &params).unwrap().factor.is_finite());
    let mut idle = small();
    idle.loads.s_mva.fill(Complex::default());
    assert_eq!(max_loading(&idle, &params).unwrap().factor, f64::INFINITY);
    let mut three =
        three_phase_feeder(&FeederShape { buses: 60, ..FeederShape::default() }).unwrap();
    assert!(max_loading_three_phase(&three, &params).unwrap().factor.is_finite());
    three.loads.zip = Column::same(Zip::IMPEDANCE, three.loads.bus.len());
    assert_eq!(max_loading_three_phase(&three, &params).unwrap().factor, f64::INFINITY);
}

/// A phase that a bus has and its supply does not is told, instead of having the source's voltage.
#[test]
fn phases_that_nothing_feeds() {
    let shape = FeederShape { buses: 60, ..FeederShape::default() };
    let mut three = three_phase_feeder(&shape).unwrap();
    let source = three.sources.bus[0];
    let at = (0..three.lines.from.len()).find(|&k| three.lines.from[k] != source).unwrap();
    three.lines.phases.set(at, Phases::from_bits(1).unwrap());
    let z = three.lines.z[at][0];
    three.lines.z[at] = [Complex::default(); 6];
    three.lines.z[at][0] = z;
    three.lines.b.set(at, [0.0; 6]);
    match solve_three_phase(&three, &FlowParams::default()).err() {
        Some(error @ FlowError::Unfed { .. }) => {
            let text = error.to_string();
            assert!(text.contains("has phases abc, but line"), "{text}");
            assert!(text.ends_with("which supplies it, has a"), "{text}");
        }
        other => panic!("{other:?}"),
    }
}
