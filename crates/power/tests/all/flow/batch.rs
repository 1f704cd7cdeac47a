//! Many cases against stored ones, and against one at a time.

use super::random::network;
use super::tables::{balanced, folder, number, rows};
use palmette_core::feeder::Complex;
use palmette_core::random::{Purpose, Random};
use palmette_power::flow::{
    Batch, FlowError, FlowParams, LoadFactors, LoadPowers, LoadProfiles, solve,
};
use palmette_power::generate::{FeederShape, feeder};

#[test]
fn stored_scenarios_of_case33bw() {
    let Some(folder) = folder("case33bw") else { return };
    let feeder = balanced(&folder);
    let names: Vec<&str> = (0..feeder.loads.len()).map(|k| feeder.loads.names.get(k)).collect();
    let table = rows(&folder.join("scenarios_mult.csv"));
    let factors: Vec<f64> =
        table.iter().flat_map(|row| names.iter().map(|name| number(row, name))).collect();
    let batch = Batch::new(&feeder, &FlowParams::default()).unwrap();
    let cases = LoadProfiles { factors: &factors, profiles: names.len(), follows: &[] };
    let (voltages, report) = batch.voltages(&cases).unwrap();
    let reference = rows(&folder.join("scenarios_ref.csv"));
    assert_eq!((reference.len(), report.cases.len()), (96, 96));
    for (case, row) in reference.iter().enumerate() {
        for bus in 0..33 {
            let name = feeder.buses.names.get(bus);
            let expected = Complex::new(
                number(row, &format!("{name}_re")),
                number(row, &format!("{name}_im")),
            );
            assert!((voltages[33 * case + bus] - expected).norm() < 1e-8, "case {case} bus {name}");
        }
    }
}

/// Networks with everything, among them those that lanes leave to the other engine.
#[test]
fn cases_are_as_one_at_a_time() {
    for seed in 0..60 {
        let feeder = network(seed);
        let mut random = Random::new(seed, Purpose::Samples);
        let (n, m) = (feeder.buses.names.len(), feeder.loads.len());
        let cases = 1 + random.below(20) as usize;
        let draw =
            |random: &mut Random| (0..cases * m).map(|_| 0.6 * random.unit() - 0.1).collect();
        let (p, q): (Vec<f64>, Vec<f64>) = (draw(&mut random), draw(&mut random));
        let params = FlowParams::default();
        let batch = Batch::new(&feeder, &params).unwrap();
        let table = LoadPowers { loads: m, p_mw: &p, q_mvar: &q };
        let (voltages, report) = batch.voltages(&table).unwrap();
        let mut low = vec![(f64::INFINITY, 0); n];
        let mut loading = vec![0.0f64; feeder.branches.len()];
        for case in 0..cases {
            let mut one = feeder.clone();
            for k in 0..m {
                one.loads.s_mva[k] = Complex::new(p[case * m + k], q[case * m + k]);
            }
            let single = solve(&one, &params).unwrap();
            for bus in 0..n {
                let v = single.voltage(bus as u32);
                assert!((voltages[case * n + bus] - v).norm() < 1e-9, "seed {seed} case {case}");
                low[bus] = if v.norm() < low[bus].0 { (v.norm(), case) } else { low[bus] };
            }
            let found = &report.cases[case];
            let totals = single.totals();
            let near =
                |a: f64, b: f64| assert!((a - b).abs() < 1e-8, "seed {seed} case {case}: {a} {b}");
            assert!(found.converged && found.balance < 1e-9);
            near(found.v_min, single.lowest().1);
            near(found.v_max, single.highest().1);
            near(found.losses_mva.re, totals.losses_mva.re);
            near(found.losses_mva.im, totals.losses_mva.im);
            near(found.sources_mva.re, totals.sources_mva.re);
            near(found.generators_mva.im, totals.generators_mva.im);
            assert!(found.sweeps > 0);
            for k in single.parent_branches() {
                if let Some(most) = loading.get_mut(k as usize) {
                    *most = most.max(single.branch(k).loading);
                }
            }
        }
        for (bus, &(v, case)) in low.iter().enumerate() {
            assert!((report.buses[bus].v_min - v).abs() < 1e-9, "seed {seed} bus {bus}");
            let said = report.buses[bus].v_min_case as usize;
            assert!(
                (report.cases[said].v_min - report.cases[case].v_min).abs() < 0.1 && said < cases
            );
        }
        for (branch, &most) in loading.iter().enumerate() {
            assert!(
                (report.branches[branch].loading - most).abs() < 1e-7,
                "seed {seed} branch {branch}"
            );
        }
    }
}

#[test]
fn heavy_and_hopeless_cases() {
    let feeder = feeder(&FeederShape { buses: 300, ..FeederShape::default() }).unwrap();
    let batch = Batch::new(&feeder, &FlowParams::default()).unwrap();
    let report = batch.run(&LoadFactors(&[1.0, 3.5, 100.0, 0.0])).unwrap();
    let converged: Vec<bool> = report.cases.iter().map(|case| case.converged).collect();
    assert_eq!(converged, [true, true, false, true]);
    assert_eq!((report.diverged(), report.worst()), (1, Some(1)));
    let params = FlowParams { load_factor: 3.5, ..FlowParams::default() };
    let heavy = solve(&feeder, &params).unwrap();
    assert!((report.cases[1].v_min - heavy.lowest().1).abs() < 1e-9);
    // The hopeless case leaves no trace among extremes.
    assert!(report.buses.iter().all(|bus| bus.v_min.is_finite() && bus.v_min_case != 2));
}

#[test]
fn threads_do_not_change_a_bit() {
    let feeder = feeder(&FeederShape { buses: 700, ..FeederShape::default() }).unwrap();
    let batch = Batch::new(&feeder, &FlowParams::default()).unwrap();
    let factors: Vec<f64> = (0..203).map(|k| 0.3 + 0.9 * f64::from(k * 37 % 101) / 101.0).collect();
    let with = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| batch.run(&LoadFactors(&factors)).unwrap())
    };
    assert_eq!(with(1), with(3));
}

#[test]
fn tables_that_do_not_fit() {
    let feeder = network(1);
    let batch = Batch::new(&feeder, &FlowParams::default()).unwrap();
    let m = feeder.loads.len();
    let cases = LoadPowers { loads: m + 1, p_mw: &vec![0.0; m + 1], q_mvar: &vec![0.0; m + 1] };
    assert_eq!(batch.run(&cases).unwrap_err(), FlowError::Cases { expected: m, found: m + 1 });
    let error = batch.run(&LoadFactors(&[1.0, f64::NAN])).unwrap_err();
    assert!(matches!(error, FlowError::CaseValue { case: 1, .. }), "{error}");
}

/// Lanes that take more sweeps do not move those at rest.
#[test]
fn neighbours_do_not_change_a_bit() {
    let feeder = feeder(&FeederShape { buses: 700, ..FeederShape::default() }).unwrap();
    let batch = Batch::new(&feeder, &FlowParams::default()).unwrap();
    let alone = batch.voltages(&LoadFactors(&[0.5])).unwrap();
    let together = batch.voltages(&LoadFactors(&[0.5, 1.2, 3.0, 0.1])).unwrap();
    let heavy = batch.run(&LoadFactors(&[3.0])).unwrap();
    assert_eq!(alone.0, together.0[..700]);
    assert_eq!(alone.1.cases[0], together.1.cases[0]);
    assert_eq!(heavy.cases[0], together.1.cases[2]);
    assert!(together.1.cases[2].sweeps > together.1.cases[0].sweeps);
}
