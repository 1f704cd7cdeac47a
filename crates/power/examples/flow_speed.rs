//! How fast power flows are: `cargo run --release --example flow_speed -- BUSES [CASES]`.
#![allow(clippy::unwrap_used, missing_docs)]

use palmette_power::flow::*;
use palmette_power::generate::{FeederShape, feeder, three_phase_feeder};
use std::time::Instant;

fn main() {
    let mut args = std::env::args().skip(1).map(|arg| arg.parse::<usize>().unwrap());
    let (n, cases) = (args.next().unwrap_or(10_000), args.next().unwrap_or(0));
    let shape = FeederShape { buses: n, ..FeederShape::default() };
    let start = Instant::now();
    let one = feeder(&shape).unwrap();
    println!("generate {:.3} s", start.elapsed().as_secs_f64());
    let params = FlowParams { tolerance: 1e-8, ..FlowParams::default() };
    for _ in 0..3 {
        let start = Instant::now();
        let solution = solve(&one, &params).unwrap();
        println!(
            "build and solve {:.6} s, {} sweeps",
            start.elapsed().as_secs_f64(),
            solution.sweeps()
        );
    }
    if cases > 0 {
        let batch = Batch::new(&one, &params).unwrap();
        let factors: Vec<f64> = (0..cases).map(|k| 0.4 + 0.6 * (k % 97) as f64 / 97.0).collect();
        let start = Instant::now();
        let report = batch.run(&LoadFactors(&factors)).unwrap();
        let seconds = start.elapsed().as_secs_f64();
        println!(
            "{cases} cases {seconds:.3} s, {:.1} ns per bus and case, worst {:?}",
            seconds * 1e9 / (n * cases) as f64,
            report.worst()
        );
    }
    if n <= 100_000 {
        let three = three_phase_feeder(&shape).unwrap();
        for _ in 0..2 {
            let start = Instant::now();
            let solution = solve_three_phase(&three, &params).unwrap();
            println!(
                "three-phase {:.6} s, {} sweeps",
                start.elapsed().as_secs_f64(),
                solution.sweeps()
            );
        }
    }
}
