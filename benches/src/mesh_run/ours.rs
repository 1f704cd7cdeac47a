//! Our products, on threads of this process and on ranks of an MPI job.

use super::PRODUCTS;
use super::input::{Input, value};
use super::peers::{Answer, answer, mpirun};
use crate::timing::pool;
use palmette_mesh::spmv::{Product, World};
use std::time::Instant;

type Failure = Box<dyn std::error::Error>;

/// On threads, the mesh as one piece.
///
/// # Errors
/// Never, if the input is a piece.
pub fn on_threads(input: &Input, threads: usize, rounds: usize) -> Result<Answer, Failure> {
    let run = || -> Result<Answer, palmette_mesh::spmv::WorldError> {
        let mut world = World::alone(vec![input.piece.clone()], 1)?;
        let a = world.matrix(vec![input.matrix.clone()])?;
        let (x, mut y) = (world.from_nodes(|v, _| value(v)), world.full(0.0));
        let mut best = f64::INFINITY;
        for _ in 0..rounds {
            let start = Instant::now();
            for _ in 0..PRODUCTS {
                let product = Product { scale: 1.0, matrix: &a, vector: &x };
                world.multiply_assembled(&[product], &[], &mut y)?;
            }
            best = best.min(start.elapsed().as_secs_f64());
        }
        Ok(Answer { milliseconds: 1e3 * best / PRODUCTS as f64, norm: world.norm(&y)? })
    };
    Ok(pool(threads).install(run)?)
}

/// On ranks, a part each: `palmette-mpi` lies beside this program. Nothing when it is not
/// there, or MPI is not.
///
/// # Errors
/// When the job fails.
pub fn on_ranks(input: &Input, ranks: usize, rounds: usize) -> Result<Option<Answer>, Failure> {
    let program = std::env::current_exe()?.with_file_name("palmette-mpi");
    let Some(mut command) = mpirun(ranks).filter(|_| program.exists()) else { return Ok(None) };
    command.arg(program).args(["product", &input.name, "--rounds", &rounds.to_string()]);
    answer(&mut command).map(Some)
}
