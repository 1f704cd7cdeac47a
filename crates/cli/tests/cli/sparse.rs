//! `palmette spatial spmv` and `cg`.

use crate::{Place, refused};
use serde_json::Value;

/// Not symmetric, with an empty row and two entries in one place.
const GENERAL: &[u8] =
    b"%%MatrixMarket matrix coordinate real general\n3 3 4\n1 2 2\n1 2 0.5\n3 1 -1\n3 3 4\n";

fn place() -> Place {
    let place = Place::new(&[
        ("a.mtx", GENERAL),
        ("x.csv", b"row,x\n1,1\n2,10\n3,100\n"),
        ("short.csv", b"row,x\n1,1\n2,10\n"),
        ("nan.mtx", b"3 3 1\n1 2 nan\n"),
        ("wide.mtx", b"2 3 1\n1 2 1\n"),
        (
            "spd.mtx",
            b"%%MatrixMarket matrix coordinate real symmetric\n2 2 3\n1 1 4\n2 1 1\n2 2 3\n",
        ),
        ("minus.mtx", b"1 1 1\n1 1 -2\n"),
        ("b.csv", b"row,b\n1,1\n2,2\n"),
    ]);
    place.stdout("graph generate grid:8x8 -o g.mtx --output-xyz g.xyz");
    place
}

fn record(place: &Place, line: &str) -> Value {
    serde_json::from_str(&place.stdout(line)).unwrap()
}

#[test]
fn products_are_those_by_hand() {
    let place = place();
    for options in ["", "--method sort", "--delivery random", "--method sort --curve z"] {
        let line = format!("spatial spmv a.mtx --vector x.csv {options} -o -");
        assert_eq!(place.stdout(&line), "row,product\n1,25\n2,0\n3,399\n", "{line}");
    }
    let sort = record(&place, "spatial spmv g.mtx --method sort --json");
    let layout = record(&place, "spatial spmv g.mtx --xyz g.xyz --json --svg links.svg");
    for record in [&sort, &layout] {
        let result = &record["result"];
        assert_eq!(result["correct"], true);
        assert_eq!((&result["rows"], &result["entries"]), (&64.into(), &224.into()));
        let energy = |key: &str| result[key].as_u64().unwrap();
        assert_eq!(energy("energy"), energy("setup_energy") + energy("energy_after_setup"));
        let phases = result["phases"].as_array().unwrap();
        let sum: u64 = phases.iter().map(|phase| phase["energy"].as_u64().unwrap()).sum();
        assert_eq!(sum, energy("energy"));
    }
    assert_eq!(layout["result"]["setup_energy"], 0);
    assert!(place.path().join("links.svg").exists());
}

#[test]
fn systems_are_solved() {
    let place = place();
    for method in ["layout", "sort"] {
        let line =
            format!("spatial cg spd.mtx --rhs b.csv --method {method} --tolerance 1e-12 -o -");
        let text = place.stdout(&line);
        let numbers: Vec<f64> = text
            .lines()
            .skip(1)
            .map(|row| row.split_once(',').unwrap().1.parse().unwrap())
            .collect();
        for (found, expected) in numbers.iter().zip([1.0 / 11.0, 7.0 / 11.0]) {
            assert!((found - expected).abs() < 1e-11, "{text}");
        }
        let line = format!("spatial cg g.mtx --laplacian --method {method} --json --replay never");
        let result = &record(&place, &line)["result"];
        assert_eq!(result["correct"], true, "{result}");
        assert!(result["residual"].as_f64().unwrap() <= 1e-6);
        let (energy, each) = (&result["energy_after_setup"], &result["energy_per_iteration"]);
        let iterations = result["iterations"].as_f64().unwrap();
        assert_eq!(energy.as_f64().unwrap() / iterations, each.as_f64().unwrap());
    }
}

#[test]
fn what_is_refused() {
    let place = place();
    for (line, parts) in [
        ("spatial spmv nan.mtx", &["nan.mtx, line 2", "a number, finite"][..]),
        ("spatial spmv wide.mtx", &["wide.mtx, line 1", "a square matrix", "2 × 3"]),
        ("spatial spmv a.mtx --vector short.csv", &["short.csv"]),
        ("spatial spmv a.mtx --vector b.csv -o b.csv", &["b.csv"]),
        ("spatial spmv g.mtx --method sort --xyz g.xyz", &["--xyz needs --method layout"]),
        ("spatial spmv a.mtx --laplacian", &["a.mtx", "--laplacian"]),
        (
            "spatial cg a.mtx",
            &["a.mtx: the matrix is not symmetric: 2.5 at (1, 2), nothing at (2, 1)"],
        ),
        ("spatial cg minus.mtx", &["minus.mtx", "breakdown"]),
        ("spatial cg spd.mtx --tolerance 2", &["tolerance"]),
        ("spatial cg spd.mtx --max-iterations 1", &["did not converge", "after 1 iterations"]),
    ] {
        refused(&place, line, parts);
    }
}
