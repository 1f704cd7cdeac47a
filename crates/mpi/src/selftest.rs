//! One program on the ranks of the job and on threads of each rank: bit for bit the same?

use crate::input::{matrix, mesh_in_parts, value};
use palmette_core::Mesh;
use palmette_mesh::spmv::{
    CgParams, Full, Motion, Partial, Traffic, Transport, Vector, WaveParams, World, WorldError,
    central_differences, conjugate_gradients, parts_of_rank,
};
use palmette_mpi::{Job, MpiTransport};
use serde_json::json;
use std::error::Error;

/// What the program found.
#[derive(PartialEq)]
struct Found {
    iterations: usize,
    residual: f64,
    traffic: Traffic,
    /// Solutions at all nodes, and numbers on the way.
    bits: Vec<u64>,
}

/// Runs the test; `rest` says how it should fail.
pub(crate) fn run(
    job: &Job,
    mut transport: MpiTransport,
    (shape, parts, components): (&str, &str, &str),
    rest: &[&str],
) -> Result<(), Box<dyn Error>> {
    let (parts, components) = (parts.parse()?, components.parse()?);
    let (mesh, pieces) = mesh_in_parts(shape, parts)?;
    let last = job.rank() + 1 == job.ranks();
    if matches!(rest, ["--fail", "length"]) {
        return mismatch(job, &mut transport);
    }
    let own = parts_of_rank(job.rank(), job.ranks(), pieces.len());
    let mut world = World::new(pieces[own].to_vec(), pieces.len(), components, transport)?;
    let found = program(&mut world, &mesh)?;
    match rest {
        [] => (),
        ["--fail", "error"] if last => return Err("asked to fail".into()),
        ["--fail", "panic"] if last => panic!("asked to panic"),
        ["--fail", "error" | "panic"] => endless(&mut world)?,
        ["--endless"] => {
            println!("rank {} is process {}", job.rank(), std::process::id());
            endless(&mut world)?;
        }
        _ => return Err(format!("unknown options {rest:?}").into()),
    }
    let wanted = program(&mut World::alone(pieces, components)?, &mesh)?;
    if found != wanted {
        return Err("MPI and threads do not give the same bits".into());
    }
    if job.rank() == 0 {
        let hash = found.bits.iter().fold(0u64, |h, b| (h ^ b).wrapping_mul(0x0100_0000_01b3));
        let record = json!({
            "ranks": job.ranks(),
            "iterations": found.iterations,
            "residual": found.residual,
            "messages": found.traffic.messages,
            "words": found.traffic.words,
            "hash": format!("{hash:016x}"),
        });
        println!("{record}");
    }
    Ok(())
}

/// Sums until the end of the job.
fn endless(world: &mut World<MpiTransport>) -> Result<(), WorldError> {
    let ones = world.full(1.0);
    while world.dot(&ones, &ones)? > 0.0 {}
    Ok(())
}

/// The last rank sends more words than rank 0 expects.
fn mismatch(job: &Job, transport: &mut MpiTransport) -> Result<(), Box<dyn Error>> {
    let (ranks, last) = (job.ranks(), job.ranks() - 1);
    let of = |rank: usize, words: usize| {
        (0..ranks).map(|r| if r == rank { words } else { 0 }).collect::<Vec<usize>>()
    };
    let none = vec![0; ranks];
    match job.rank() {
        0 => transport.connect(&none, &of(last, 3))?,
        rank if rank == last => transport.connect(&of(0, 4), &none)?,
        _ => transport.connect(&none, &none)?,
    }
    transport.begin()?;
    transport.finish()?;
    let mut all = vec![0.0; ranks];
    Ok(transport.gather(&[1.0], &vec![1; ranks], &mut all)?)
}

/// Everything that communicates: the same text on MPI and on threads.
fn program<T: Transport>(world: &mut World<T>, mesh: &Mesh) -> Result<Found, WorldError> {
    let n = mesh.points().len();
    let stiffness = |element: u32| 1.0 + f64::from(element % 11) / 7.0;
    let a = matrix(world, mesh, stiffness)?;
    let c = matrix(world, mesh, |_| 0.01)?;
    let diagonal = a.pieces().iter().flat_map(|piece| piece.diagonal()).collect();
    let diagonal: Vector<Partial> = world.vector(diagonal)?;
    let diagonal = world.assemble(diagonal)?;
    let exact = world.from_nodes(value);
    let (mut b, mut x) = (world.partial(), world.full(0.0));
    world.product(&a, &exact, &mut b);
    let energy = world.dot(&b, &exact)?;
    let params = CgParams { tolerance: 1e-10, ..Default::default() };
    let solved = conjugate_gradients(world, &a, Some(&diagonal), &b, &mut x, &params)?;
    let motion = Motion { stiffness: &a, damping: Some(&c), mass: &diagonal, load: None };
    let (mut u, v): (Vector<Full>, _) = (exact.clone(), world.full(0.0));
    let params = WaveParams { step: 0.1, steps: 50 };
    central_differences(world, &motion, &mut u, &v, &params, |_, _, _| ())?;
    let mut numbers = vec![energy, world.norm(&x)?];
    numbers.extend(solved.history);
    numbers.extend(world.to_nodes(&x, n)?);
    numbers.extend(world.to_nodes(&u, n)?);
    Ok(Found {
        iterations: solved.iterations,
        residual: solved.residual,
        traffic: world.traffic(),
        bits: numbers.iter().map(|x| x.to_bits()).collect(),
    })
}
