//! Every preconditioner on every system: the table behind `auto`.

use super::input::Case;
use super::ours::{iterations_within, solve};
use crate::table::Table;
use crate::timing::pool;
use palmette_graph::solve::{CgError, Preconditioner, SolveError};

/// The head of the table.
pub const HEAD: [&str; 8] = [
    "graph",
    "preconditioner",
    "setup, s",
    "solve, s",
    "total, s",
    "to auto",
    "iterations",
    "residual",
];

/// As many iterations are done as with the diagonal would fit into so many seconds.
const LIMIT: f64 = 20.0;

/// Two threads; one row for each preconditioner.
pub fn measure(case: &Case, table: &mut Table) {
    pool(2).install(|| {
        let most = iterations_within(case, LIMIT).max(1000);
        let mut auto = None;
        for preconditioner in Preconditioner::ALL {
            let mut cells = vec![case.name.clone()];
            match solve(case, preconditioner, most) {
                Ok(s) => {
                    let base = *auto.get_or_insert(s.total());
                    cells.push(match preconditioner {
                        Preconditioner::Auto => format!("auto: {}", s.preconditioner),
                        named => named.to_string(),
                    });
                    cells.extend([s.setup, s.solve, s.total()].map(|t| format!("{t:.4}")));
                    cells.push(format!("{:.2}", s.total() / base));
                    cells.extend([s.iterations.to_string(), format!("{:.1e}", s.residual)]);
                }
                Err(error) => {
                    cells.push(preconditioner.to_string());
                    cells.extend(given_up(&error));
                }
            }
            table.row(cells);
        }
    });
}

/// The other cells of a row without an answer.
fn given_up(error: &SolveError) -> [String; 6] {
    let (why, iterations, residual) = match error {
        SolveError::Iteration(CgError::NotConverged { iterations, residual, .. }) => {
            ("gave up".to_string(), iterations.to_string(), format!("{residual:.1e}"))
        }
        SolveError::Memory { .. } | SolveError::Entries { .. } => {
            ("too much fill".to_string(), String::new(), String::new())
        }
        other => (other.to_string(), String::new(), String::new()),
    };
    [String::new(), String::new(), why, String::new(), iterations, residual]
}
