//! Each branch out of service, against stored voltages and against the feeder without it.

use super::random::network;
use super::tables::{balanced, folder, number, numbers, rows};
use palmette_core::feeder::{Balanced, Complex, Ends};
use palmette_power::flow::{FlowError, FlowParams, Outage, outages, solve};
use palmette_power::generate::{FeederShape, feeder};

#[test]
fn stored_outages_of_the_meshed_case() {
    let Some(folder) = folder("case33bw_mesh") else { return };
    let mesh = balanced(&folder);
    let all = outages(&mesh, &FlowParams::default()).unwrap();
    let reference = rows(&folder.join("n1_ref.csv"));
    assert_eq!((all.len(), reference.len()), (37, 37));
    let branches = numbers(&mesh.branches.names);
    for row in &reference {
        let branch = branches[&row["open_branch"]];
        let mut open = mesh.clone();
        open.branches.ends.set(branch as usize, Ends::OPEN);
        let params = FlowParams { allow_unsupplied: true, ..FlowParams::default() };
        let solution = solve(&open, &params).unwrap();
        let mut dark = Vec::new();
        for bus in 0..33 {
            let name = mesh.buses.names.get(bus);
            let expected = Complex::new(
                number(row, &format!("{name}_re")),
                number(row, &format!("{name}_im")),
            );
            let off = (solution.voltage(bus as u32) - expected).norm();
            assert!(off < 1e-8, "without {}: bus {name} off by {off}", row["open_branch"]);
            if expected.norm() == 0.0 {
                dark.push(bus as u32);
            }
        }
        let outage = all.iter().find(|outage| outage.branch == branch).unwrap();
        assert_eq!(outage.lost, dark);
        assert_eq!(outage.lost_buses, dark.len());
    }
}

fn compare(feeder: &Balanced, seed: u64) {
    let base = FlowParams { allow_unsupplied: true, load_factor: 0.8, ..FlowParams::default() };
    for outage in
        outages(feeder, &FlowParams { load_factor: 0.8, ..FlowParams::default() }).unwrap()
    {
        let Outage { branch, .. } = outage;
        let mut open = feeder.clone();
        open.branches.ends.set(branch as usize, Ends::OPEN);
        let solution = match solve(&open, &base) {
            Ok(solution) => solution,
            Err(FlowError::Diverged { .. }) => {
                assert!(!outage.converged, "seed {seed}");
                continue;
            }
            Err(error) => panic!("seed {seed}: {error}"),
        };
        let dark: Vec<u32> = (0..feeder.buses.names.len() as u32)
            .filter(|&bus| !solution.is_supplied(bus))
            .collect();
        assert_eq!(outage.lost, dark, "seed {seed}");
        assert!(outage.converged);
        // A source bus is in no component: it has the lowest voltage only where nothing else does.
        let sources = &feeder.sources.bus;
        let low = solution.lowest();
        if !sources.contains(&low.0) {
            assert!((outage.v_min - low.1).abs() < 1e-8, "seed {seed} branch {branch}");
        }
        let most = solution.most_loaded().map_or(0.0, |found| found.1);
        let off = (outage.loading - most).abs();
        assert!(off < 1e-7, "seed {seed} branch {branch}: {} and {most}", outage.loading);
        let off = (outage.losses_mva - solution.totals().losses_mva).norm();
        assert!(off < 1e-7, "seed {seed} branch {branch}: {off}");
        let high = solution.highest();
        if !sources.contains(&high.0) {
            assert!((outage.v_max - high.1).abs() < 1e-8, "seed {seed} branch {branch}");
        }
        let totals = solution.totals();
        let off = (outage.given_mva - totals.sources_mva - totals.generators_mva).norm();
        assert!(off < 1e-7, "seed {seed} branch {branch}: sources give {off} more or less");
        assert_eq!(outage.sweeps > 0, solution.sweeps() > 0, "seed {seed} branch {branch}");
        // What is lost grows with the factor of loads.
        let loads = feeder.loads.bus.iter().zip(&feeder.loads.s_mva);
        let lost = loads.filter(|load| dark.contains(load.0)).map(|load| load.1 * 0.8);
        let lost: Complex = lost.sum();
        assert!((outage.lost_mva - lost).norm() < 1e-12, "seed {seed} branch {branch}");
        assert!((solution.unsupplied_mva() - lost).norm() < 1e-12, "seed {seed} branch {branch}");
    }
}

#[test]
fn outages_are_as_the_feeder_without_the_branch() {
    (0..40).for_each(|seed| compare(&network(seed), seed));
    // Several components.
    let shape = FeederShape { buses: 120, per_feeder: 30, ..FeederShape::default() };
    compare(&feeder(&shape).unwrap(), 1000);
}
