//! Columns, vector groups, phases and checks.

use super::*;
use crate::Texts;

fn texts(names: &[&str]) -> Texts {
    let mut texts = Texts::default();
    names.iter().for_each(|name| texts.push(name));
    texts
}

/// A source, a line and a load.
fn small() -> Balanced {
    let mut feeder = Balanced::new(1.0);
    feeder.buses = Buses { names: texts(&["s", "e"]), vn_kv: Column::same(10.0, 2) };
    feeder.sources = Sources { bus: vec![0], v: vec![Complex::new(1.0, 0.0)] };
    feeder.branches = Branches {
        names: texts(&["l"]),
        kind: Column::same(BranchKind::Line, 1),
        from: vec![0],
        to: vec![1],
        z: vec![Complex::new(0.01, 0.02)],
        y: Column::same(Complex::default(), 1),
        ratio: Column::same(Complex::new(1.0, 0.0), 1),
        ends: Column::same(Ends::CLOSED, 1),
        length_km: Column::same(0.0, 1),
        rated_a: Column::same([f64::INFINITY; 2], 1),
    };
    feeder.loads = Loads {
        names: texts(&["c"]),
        bus: vec![1],
        s_mva: vec![Complex::new(0.5, 0.1)],
        zip: Column::same(Zip::POWER, 1),
    };
    feeder
}

#[test]
fn columns_are_what_was_pushed() {
    let values = [1, 1, 1, 2, 1, 3];
    let column: Column<i32> = values.into_iter().collect();
    assert!(column.iter().eq(values));
    assert_eq!((column.uniform(), column.len()), (None, 6));
    let mut same: Column<i32> = [7; 4].into_iter().collect();
    assert_eq!(same.uniform(), Some(7));
    same.set(2, 8);
    assert!(same.iter().eq([7, 7, 8, 7]));
}

#[test]
fn errors_name_the_element() {
    assert_eq!(small().check(), Ok(()));
    let mut feeder = small();
    feeder.branches.z[0] = Complex::default();
    let error = feeder.check().unwrap_err();
    assert_eq!(error.to_string(), "line `l` has no impedance; only switches may have none");
    let mut feeder = small();
    feeder.branches.z[0].re = -1.0;
    let error = feeder.check().unwrap_err().to_string();
    assert_eq!(error, "line `l`: resistance is -1; it must not be negative");
    let mut feeder = small();
    feeder.loads.bus[0] = 2;
    let error = feeder.check().unwrap_err().to_string();
    assert_eq!(error, "load `c` is at bus number 2, but there are only 2 buses");
    let mut feeder = small();
    feeder.sources = Sources::default();
    assert_eq!(feeder.check(), Err(FeederError::NoSource));
}

/// The matrix of each group turns balanced voltages by its hours, and keeps their magnitude.
#[test]
fn vector_groups_lag_by_their_hours() {
    for windings in Windings::ALL {
        for clock in 0..12 {
            let Some(group) = VectorGroup::new(windings, clock) else { continue };
            assert_eq!(group.to_string().parse(), Ok(group));
            let turn = |hours: f64| Complex::from_polar(1.0, -hours * std::f64::consts::PI / 6.0);
            let v = [turn(0.0), turn(4.0), turn(8.0)].map(|v| v * 20e3 / 3f64.sqrt());
            let ratio = group.ratio(20.0, 0.4);
            for (phase, row) in group.matrix().iter().enumerate() {
                let to: Complex = row.iter().zip(v).map(|(a, v)| v * a * ratio).sum();
                let expected = turn(f64::from(clock) + 4.0 * phase as f64) * 400.0 / 3f64.sqrt();
                assert!((to - expected).norm() < 1e-10, "{group} {phase}: {to} {expected}");
            }
        }
    }
}

#[test]
fn pairs_of_phases() {
    let pairs = |connection: Connection, phases: &str| -> Vec<_> {
        connection.pairs(phases.parse().unwrap()).collect()
    };
    assert_eq!(pairs(Connection::Wye, "ac"), [(0, None), (2, None)]);
    assert_eq!(pairs(Connection::Delta, "ac"), [(0, Some(2))]);
    assert_eq!(pairs(Connection::Delta, "abc"), [(0, Some(1)), (1, Some(2)), (2, Some(0))]);
    assert!("aa".parse::<Phases>().is_err() && "".parse::<Phases>().is_err());
}
