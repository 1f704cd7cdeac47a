//! The time of a product, everyone in turn.

use super::input::Input;
use super::peers::{Answer, petsc, scipy};
use super::{ours, peers};
use crate::goals::Goals;
use crate::table::Table;
use std::path::Path;

type Failure = Box<dyn std::error::Error>;

/// The head of the table.
pub const HEAD: [&str; 5] = ["mesh", "unknowns, entries", "who", "ms", "× ours, 1 thread"];

/// How often everyone takes a turn, and how many rounds a turn has.
#[derive(Debug, Clone, Copy)]
pub struct Effort {
    /// Turns.
    pub turns: usize,
    /// Rounds.
    pub rounds: usize,
}

const OURS: &str = "palmette, 1 thread";
const OURS_TWO: &str = "palmette, 2 threads";
const OURS_MPI: &str = "palmette, MPI, 2 ranks";
const SCIPY: &str = "scipy";
const PETSC: &str = "PETSc, 1 rank";
const PETSC_TWO: &str = "PETSc, 2 ranks";

/// Everyone on one mesh.
///
/// # Errors
/// When someone fails, or products differ.
pub fn measure(
    input: &Input,
    python: Option<&str>,
    effort: Effort,
    table: &mut Table,
    goals: &mut Goals,
) -> Result<(), Failure> {
    let folder = std::env::temp_dir().join(format!("palmette-bench-run-{}", std::process::id()));
    input.write(&folder)?;
    let best = turns(input, python, effort, &folder);
    std::fs::remove_dir_all(&folder)?;
    let best = best?;
    let of = |who: &str| best.iter().find(|b| b.0 == who).map(|b| b.1.milliseconds);
    let Some(own) = of(OURS) else { return Err("we take part".into()) };
    let size = format!("{}, {}", input.matrix.rows(), input.matrix.entries());
    for (who, answer) in &best {
        let ms = answer.milliseconds;
        let cells = [format!("{ms:.3}"), format!("{:.2}", ms / own)];
        let names = [input.name.clone(), size.clone(), (*who).to_string()];
        table.row(names.into_iter().chain(cells).collect());
    }
    let name = &input.name;
    if let Some(scipy) = of(SCIPY) {
        goals.at_most(&format!("{name}: ours/scipy, 1 thread"), 1.1, own / scipy, "");
    }
    if let Some(two) = of(OURS_TWO) {
        goals.at_least(&format!("{name}: 1 thread/2 threads"), 1.7, own / two, "");
    }
    if let (Some(petsc), Some(mpi)) = (of(PETSC_TWO), of(OURS_MPI)) {
        goals.at_least(&format!("{name}: PETSc/ours, 2 ranks"), 1.0, petsc / mpi, "");
    }
    Ok(())
}

/// The best answer of everyone who is there.
fn turns(
    input: &Input,
    python: Option<&str>,
    effort: Effort,
    folder: &Path,
) -> Result<Vec<(&'static str, Answer)>, Failure> {
    let rounds = effort.rounds;
    let mut best: Vec<(&'static str, Answer)> = Vec::new();
    for _ in 0..effort.turns {
        let found: [(&'static str, Option<peers::Answer>); 6] = [
            (OURS, Some(ours::on_threads(input, 1, rounds)?)),
            (OURS_TWO, Some(ours::on_threads(input, 2, rounds)?)),
            (SCIPY, python.map(|python| scipy(python, folder, rounds)).transpose()?),
            (PETSC, petsc(folder, 1, rounds)?),
            (PETSC_TWO, petsc(folder, 2, rounds)?),
            (OURS_MPI, ours::on_ranks(input, 2, rounds)?),
        ];
        for (who, answer) in found {
            match (best.iter_mut().find(|b| b.0 == who), answer) {
                (Some((_, best)), Some(answer)) if answer.milliseconds < best.milliseconds => {
                    *best = answer;
                }
                (None, Some(answer)) => best.push((who, answer)),
                _ => (),
            }
        }
    }
    let norm = best.first().map_or(0.0, |b| b.1.norm);
    match best.iter().find(|b| (b.1.norm - norm).abs() > 1e-9 * norm) {
        Some((who, answer)) => {
            Err(format!("{}: {who} has norm {}, we have {norm}", input.name, answer.norm).into())
        }
        None => Ok(best),
    }
}
