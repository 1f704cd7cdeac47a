//! How fast power flows are: `cargo run --release --example flow_speed -- BUSES [CASES]`.
#![allow(clippy::unwrap_used, missing_docs)]

use palmette_power::flow::*;
use palmette_power::generate::{FeederShape, feeder, three_phase_feeder};

/// Seconds of the processor that this program has spent: machines are shared.
fn spent() -> f64 {
    let of = |task: std::fs::DirEntry| {
        let text = std::fs::read_to_string(task.path().join("schedstat")).unwrap();
        text.split_whitespace().next().unwrap().parse::<f64>().unwrap() / 1e9
    };
    std::fs::read_dir("/proc/self/task").unwrap().map(|task| of(task.unwrap())).sum()
}

fn main() {
    let mut args = std::env::args().skip(1).map(|arg| arg.parse::<usize>().unwrap());
    let (n, cases) = (args.next().unwrap_or(10_000), args.next().unwrap_or(0));
    let shape = FeederShape { buses: n, ..FeederShape::default() };
    let start = spent();
    let one = feeder(&shape).unwrap();
    println!("generate {:.3} s", spent() - start);
    let params = FlowParams { tolerance: 1e-8, ..FlowParams::default() };
    for _ in 0..3 {
        let start = spent();
        let solution = solve(&one, &params).unwrap();
        println!("build and solve {:.6} s, {} sweeps", spent() - start, solution.sweeps());
    }
    let turns = (20_000_000 / n).max(5);
    for tolerance in [1e-8, 1.0] {
        let prepared = Prepared::new(&one, &FlowParams { tolerance, ..params.clone() }).unwrap();
        let start = spent();
        for _ in 0..turns {
            let voltages = prepared.voltages(&one.loads.s_mva).unwrap();
            assert!(voltages.len() == n);
        }
        let each = (spent() - start) / turns as f64;
        println!("voltages to {tolerance}: {each:.6} s, {:.1} ns per bus", each * 1e9 / n as f64);
    }
    if cases > 0 {
        let batch = Batch::new(&one, &params).unwrap();
        let factors: Vec<f64> = (0..cases).map(|k| 0.4 + 0.6 * (k % 97) as f64 / 97.0).collect();
        let start = spent();
        let report = batch.run(&LoadFactors(&factors)).unwrap();
        let seconds = spent() - start;
        println!(
            "{cases} cases {seconds:.3} s, {:.1} ns per bus and case, worst {:?}",
            seconds * 1e9 / (n * cases) as f64,
            report.worst()
        );
    }
    if n <= 100_000 {
        let three = three_phase_feeder(&shape).unwrap();
        for _ in 0..2 {
            let start = spent();
            let solution = solve_three_phase(&three, &params).unwrap();
            println!("three-phase {:.6} s, {} sweeps", spent() - start, solution.sweeps());
        }
    }
}
