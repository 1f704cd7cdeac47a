//! A program of the language on the ranks, for the process that started the job.

use palmette::ranks::{LoadedJob, Teller, load_job};
use palmette_language::run::prepare;
use palmette_mesh::spmv::{World, parts_of_rank};
use palmette_mpi::{Job, MpiTransport};
use std::error::Error;
use std::io::Read;
use std::path::{Path, PathBuf};

/// Runs the job of a folder.
pub(crate) fn run(job: &Job, transport: MpiTransport, folder: &str) -> Result<(), Box<dyn Error>> {
    let folder = Path::new(folder);
    let LoadedJob { program, mesh, pieces, threads } = load_job(folder)?;
    let (rank, ranks, parts) = (job.rank(), job.ranks(), pieces.len());
    if rank == 0 {
        end_with_the_starter(folder.to_path_buf());
    }
    if ranks > parts {
        return Err(format!("{ranks} ranks for {parts} parts").into());
    }
    let own = pieces[parts_of_rank(rank, ranks, parts)].to_vec();
    drop(pieces);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build()?;
    let mut teller = Teller::new(folder, rank);
    let components = usize::from(program.problem.components);
    let outcome = pool.install(|| {
        let world = World::new(own, parts, components, transport)?;
        let prepared = prepare(&program, &mesh.mesh, world)?;
        drop(mesh);
        prepared.run(&mut teller)
    })?;
    Ok(teller.end(outcome)?)
}

/// The process that started the job writes a line to our stdin and holds it open; when it is
/// gone, so is the job, and nobody else removes its folder. Without the line the launcher does
/// not pass stdin on, and its end means nothing.
fn end_with_the_starter(folder: PathBuf) {
    std::thread::spawn(move || {
        let mut said = Vec::new();
        let ended = std::io::stdin().read_to_end(&mut said);
        if ended.is_ok() && !said.is_empty() {
            // What cannot be removed stays.
            let _ = std::fs::remove_dir_all(folder);
            eprintln!("the process that started the job is gone");
            Job::abort();
        }
    });
}
