//! How long a product takes, for `bench-mesh-run`.

use crate::input::{matrix, mesh_in_parts, value};
use palmette_mesh::spmv::{Product, World, parts_of_rank};
use palmette_mpi::{Job, MpiTransport};
use serde_json::json;
use std::error::Error;
use std::time::Instant;

/// Products between two looks at the clock.
const PRODUCTS: usize = 10;

/// A part per rank, one thread each; prints the milliseconds of the best round of the slowest rank.
pub(crate) fn run(
    job: &Job,
    transport: MpiTransport,
    shape: &str,
    rest: &[&str],
) -> Result<(), Box<dyn Error>> {
    let rounds: usize = match rest {
        [] => 20,
        ["--rounds", rounds] => rounds.parse()?,
        _ => return Err(format!("unknown options {rest:?}").into()),
    };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build()?;
    let (mesh, pieces) = mesh_in_parts(shape, job.ranks() as u32)?;
    let own = parts_of_rank(job.rank(), job.ranks(), pieces.len());
    let mut world = World::new(pieces[own].to_vec(), pieces.len(), 1, transport)?;
    let a = matrix(&world, &mesh, |_| 1.0)?;
    let (x, mut y) = (world.from_nodes(value), world.full(0.0));
    let best = pool.install(|| -> Result<f64, palmette_mesh::spmv::WorldError> {
        let mut best = f64::INFINITY;
        for _ in 0..rounds {
            // All ranks begin together and end together.
            world.norm(&x)?;
            let start = Instant::now();
            for _ in 0..PRODUCTS {
                let product = Product { scale: 1.0, matrix: &a, vector: &x };
                world.multiply_assembled(&[product], &[], &mut y)?;
            }
            world.norm(&x)?;
            best = best.min(start.elapsed().as_secs_f64());
        }
        Ok(best)
    })?;
    let norm = world.norm(&y)?;
    let traffic = world.assembly_traffic();
    if job.rank() == 0 {
        let record = json!({
            "milliseconds": 1e3 * best / PRODUCTS as f64,
            "norm": norm,
            "messages": traffic.messages,
            "words": traffic.words,
        });
        println!("{record}");
    }
    Ok(())
}
