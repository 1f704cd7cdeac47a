//! Meshes in parts, worlds on them, and a checker that knows no matrices.

use palmette_core::Mesh;
use palmette_core::random::{Purpose, Random};
use palmette_mesh::partition::element_partition;
use palmette_mesh::shapes::generate;
use palmette_mesh::spmv::{
    Alone, ChannelTransport, Matrix, Piece, Transport, World, channels, parts_of_rank, pieces,
    springs,
};
use palmette_mesh::{Method, PartitionParams};

pub(crate) const GROUND: f64 = 0.125;

pub(crate) fn mesh(shape: &str) -> Mesh {
    generate(shape.parse().unwrap(), 5).unwrap()
}

/// A part for each element, by a geometric cut.
pub(crate) fn cut(mesh: &Mesh, parts: u32) -> Vec<u32> {
    let params = PartitionParams { parts, bisection: Method::Coordinate, ..Default::default() };
    element_partition(mesh, None, &params).unwrap().part
}

/// A part for each element, at random: nodes have many copies.
pub(crate) fn scatter(mesh: &Mesh, parts: u32) -> Vec<u32> {
    let mut random = Random::new(7, Purpose::Samples);
    (0..mesh.elements().len()).map(|_| random.below(parts)).collect()
}

/// Some positive number for each element.
pub(crate) fn stiffness(element: u32) -> f64 {
    1.0 + f64::from(element * 37 % 11) / 7.0
}

/// Some number for each node and component.
pub(crate) fn value(node: u32, component: usize) -> f64 {
    f64::from((node * 7919 + component as u32 * 31) % 1009) / 503.0 - 1.0
}

/// The matrix of springs on the pieces of a world.
pub(crate) fn spring_matrix<T: Transport>(
    world: &World<T>,
    mesh: &Mesh,
    of: impl Fn(u32) -> f64 + Copy,
) -> Matrix {
    let d = world.components();
    let one = |p: &Piece| springs(mesh, &p.nodes, &p.elements, d, of, GROUND);
    world.matrix(world.pieces().iter().map(one).collect()).unwrap()
}

/// `A x` by a loop over elements, all numbers of the mesh; and the same of absolute values.
pub(crate) fn by_loop(mesh: &Mesh, d: usize, of: impl Fn(u32) -> f64) -> (Vec<f64>, Vec<f64>) {
    let n = mesh.points().len();
    let (mut y, mut size) = (vec![0.0; n * d], vec![0.0; n * d]);
    for e in 0..mesh.elements().len() {
        let k = of(e as u32);
        let nodes = mesh.elements().nodes(e);
        for &i in nodes {
            for c in 0..d {
                let place = i as usize * d + c;
                for &j in nodes {
                    y[place] += k * (value(i, c) - value(j, c));
                    size[place] += k * (value(i, c).abs() + value(j, c).abs());
                }
                y[place] += k * GROUND * value(i, c);
                size[place] += k * GROUND * value(i, c).abs();
            }
        }
    }
    (y, size)
}

pub(crate) fn alone(mesh: &Mesh, part: &[u32], parts: usize, d: usize) -> World<Alone> {
    World::alone(pieces(mesh, part, parts).unwrap(), d).unwrap()
}

/// Runs a program on so many ranks, each with its share of the pieces; the answers by rank.
pub(crate) fn on_ranks<R: Send>(
    ranks: usize,
    mesh: &Mesh,
    (part, parts): (&[u32], usize),
    d: usize,
    program: impl Fn(World<ChannelTransport>) -> R + Sync,
) -> Vec<R> {
    let all = pieces(mesh, part, parts).unwrap();
    let (all, program) = (&all, &program);
    std::thread::scope(|scope| {
        let run = |transport: ChannelTransport| {
            scope.spawn(move || {
                let own = all[parts_of_rank(transport.rank(), ranks, parts)].to_vec();
                program(World::new(own, parts, d, transport).unwrap())
            })
        };
        let started: Vec<_> = channels(ranks).into_iter().map(run).collect();
        started.into_iter().map(|thread| thread.join().unwrap()).collect()
    })
}

/// Runs something on a pool of so many threads.
pub(crate) fn on_threads<R: Send>(threads: usize, work: impl FnOnce() -> R + Send) -> R {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap().install(work)
}

pub(crate) fn bits(values: &[f64]) -> Vec<u64> {
    values.iter().map(|x| x.to_bits()).collect()
}
