//! Seconds on large grids; run with `--ignored --nocapture` and optimisation.

use crate::inputs::{currents, made};
use palmette_graph::Laplacian;
use palmette_graph::solve::{Preconditioner, SolveParams, Solver};

#[test]
#[ignore = "minutes; prints a table"]
fn seconds_on_grids() {
    let named: Vec<Preconditioner> = [
        Preconditioner::Jacobi,
        Preconditioner::IncompleteCholesky,
        Preconditioner::Tree,
        Preconditioner::Direct,
    ]
    .to_vec();
    for shape in ["grid:1000x1000", "grid:100x100x100"] {
        let graph = made(shape, "log-uniform:0.01:100");
        let laplacian = Laplacian::new(&graph, None);
        let b = currents(graph.len(), 1);
        let flat = shape == "grid:1000x1000";
        for &preconditioner in named.iter().filter(|p| flat || **p != Preconditioner::Direct) {
            let params = SolveParams { preconditioner, ..Default::default() };
            let solver = Solver::new(&laplacian, &params).unwrap();
            let setup = solver.setup();
            match solver.solve(&b) {
                Ok(found) => println!(
                    "{shape} {preconditioner}: order {:.2} factor {:.2} solve {:.2} s, {} iterations, {:?} entries",
                    setup.order_seconds,
                    setup.factor_seconds,
                    found.seconds,
                    found.iterations,
                    setup.entries
                ),
                Err(error) => println!("{shape} {preconditioner}: {error}"),
            }
        }
    }
}
