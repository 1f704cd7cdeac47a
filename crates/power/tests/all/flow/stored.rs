//! Stored solutions of other tools.

use super::tables::{balanced, folder, number, rows, three_phase};
use palmette_core::feeder::Complex;
use palmette_power::flow::{
    FlowParams, max_loading, max_loading_three_phase, solve, solve_three_phase,
};

const CASES: [&str; 13] = [
    "case33bw",
    "case33bw_mesh",
    "case33bw_pv",
    "case33bw_zip",
    "cigre_lv",
    "cigre_mv",
    "cigre_mv_pv_wind",
    "kerber_extrem_dorf",
    "kerber_vorstadt_kabel_1",
    "mp_case118zh",
    "mp_case136ma",
    "mp_case69",
    "oberrhein",
];

#[test]
fn balanced_voltages_and_flows_are_those_of_other_tools() {
    for case in CASES.into_iter().chain(["synthetic_1000"]) {
        let Some(folder) = folder(case) else { return };
        let feeder = balanced(&folder);
        let solution = solve(&feeder, &FlowParams::default()).unwrap();
        assert!(solution.balance() < 1e-9, "{case}: {}", solution.balance());
        let at = super::tables::numbers(&feeder.buses.names);
        let reference = rows(&folder.join("ref.csv"));
        assert_eq!(reference.len(), feeder.buses.names.len());
        let mut worst = 0.0f64;
        for row in &reference {
            let expected = Complex::new(number(row, "v_re"), number(row, "v_im"));
            worst = worst.max((solution.voltage(at[&row["bus"]]) - expected).norm());
        }
        eprintln!(
            "{case}: {worst:.1e} after {} sweeps, {:?}",
            solution.sweeps(),
            solution.certificate()
        );
        assert!(worst < 1e-8, "{case}: voltages differ by {worst}");
        let flows = rows(&folder.join("flow.csv"));
        for (k, row) in flows.iter().enumerate() {
            assert_eq!(row["id"], feeder.branches.names.get(k));
            let flow = solution.branch(k as u32);
            let near = |ours: f64, column: &str, unit: f64| {
                let theirs = number(row, column);
                // They are stored with 9 digits.
                let most = 1e-7 * unit + 1e-8 * theirs.abs();
                assert!(
                    (ours - theirs).abs() < most,
                    "{case} {}: {column} {ours} {theirs}",
                    row["id"]
                );
            };
            near(flow.from_mva.re, "p_from_mw", 1.0);
            near(flow.from_mva.im, "q_from_mvar", 1.0);
            near(flow.to_mva.re, "p_to_mw", 1.0);
            near(flow.to_mva.im, "q_to_mvar", 1.0);
            near(flow.from_a, "i_from_a", 10.0);
            near(flow.to_a, "i_to_a", 10.0);
            near(flow.loss_mva().re, "loss_mw", 1.0);
        }
    }
}

#[test]
fn loads_of_case33bw_can_grow_by_3_6() {
    let Some(folder) = folder("case33bw") else { return };
    let feeder = balanced(&folder);
    let found = max_loading(&feeder, &FlowParams::default()).unwrap();
    eprintln!("{found:?}");
    assert!((found.factor - 3.622).abs() < 1e-3, "{found:?}");
    let certificate = solve(&feeder, &FlowParams::default()).unwrap().certificate().unwrap();
    assert!(
        (certificate.xi - 0.087).abs() < 5e-4 && (certificate.factor.unwrap() - 2.89).abs() < 5e-3
    );
    for factor in [2.89, 3.5, 3.62] {
        let params = FlowParams { load_factor: factor, ..FlowParams::default() };
        solve(&feeder, &params).unwrap();
    }
    for factor in [3.66, 4.0, 5.0, 50.0] {
        let params = FlowParams { load_factor: factor, ..FlowParams::default() };
        let error = solve(&feeder, &params).err().expect("no power flow").to_string();
        eprintln!("{error}");
        assert!(error.contains("bus `17`"), "{error}");
        assert!(error.contains("carries at most 3.62"), "{error}");
    }
}

#[test]
fn three_phase_voltages_are_those_of_other_tools() {
    for case in
        ["ieee13", "ieee13_published_taps", "ieee123", "european_lv_566", "european_lv_1440"]
    {
        let (Some(folder), Some(base)) = (folder(case), folder("european_lv_566")) else { return };
        let feeder = three_phase(&folder, &base);
        let solution = solve_three_phase(&feeder, &FlowParams::default()).unwrap();
        assert!(solution.balance() < 1e-9, "{case}: {}", solution.balance());
        let at = super::tables::numbers(&feeder.buses.names);
        let mut worst = 0.0f64;
        let mut seen = 0;
        for row in rows(&folder.join("ref.csv")) {
            let expected = Complex::new(number(&row, "v_re_pu"), number(&row, "v_im_pu"));
            let phase = "abc".find(&row["phase"]).unwrap();
            worst = worst.max((solution.voltage_pu(at[&row["bus"]])[phase] - expected).norm());
            seen += 1;
        }
        assert!(seen >= feeder.buses.names.len());
        eprintln!(
            "{case}: {worst:.1e} after {} sweeps, {:?}",
            solution.sweeps(),
            solution.certificate()
        );
        // Tools differ among themselves by up to 5e-8 here: see the README of the data.
        assert!(worst < 1e-6, "{case}: voltages differ by {worst}");
        // What goes into branches is what they lose, and together what totals say.
        let lines = (0..feeder.lines.from.len() as u32).map(|k| solution.line(k).loss_va());
        let others =
            (0..feeder.transformers.from.len() as u32).map(|k| solution.transformer(k).loss_va());
        let losses: Complex = lines.chain(others).sum();
        let totals = solution.totals();
        assert!((losses - totals.losses_va).norm() < 1e-6 * totals.sources_va.norm(), "{case}");
    }
}

#[test]
fn three_phase_loads_grow_to_a_limit() {
    let Some(folder) = folder("ieee13") else { return };
    let feeder = three_phase(&folder, &folder);
    let found = max_loading_three_phase(&feeder, &FlowParams::default()).unwrap();
    assert!(found.factor > 1.5 && found.factor < 20.0, "{found:?}");
    let params = |load_factor| FlowParams { load_factor, ..FlowParams::default() };
    solve_three_phase(&feeder, &params(found.factor * 0.999)).unwrap();
    let error = solve_three_phase(&feeder, &params(found.factor * 1.01)).err().unwrap().to_string();
    assert!(error.contains("carries at most"), "{error}");
}
