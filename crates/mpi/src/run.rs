//! A program of the language on the ranks, for the process that started the job.

use palmette::ranks::{LoadedJob, Teller, load_job};
use palmette_mesh::generate::run::prepare;
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

/// The process that started the job holds our stdin open; when it is gone, so is the job, and
/// nobody else removes its folder.
fn end_with_the_starter(folder: PathBuf) {
    std::thread::spawn(move || {
        let mut rest = Vec::new();
        let read = std::io::stdin().read_to_end(&mut rest);
        let removed = std::fs::remove_dir_all(folder);
        eprintln!("the process that started the job is gone: {read:?}, {removed:?}");
        Job::abort();
    });
}
