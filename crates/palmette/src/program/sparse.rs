//! Products with sparse matrices, and systems solved with them, on the simulated spatial computer.

use super::program_machine;
use palmette_core::mesh::Point;
use palmette_core::random::{Purpose, Random};
use palmette_core::{CgParams, Graph};
use palmette_io::MatrixFile;
use palmette_spatial::collective::Network;
use palmette_spatial::curve::CurveKind;
use palmette_spatial::machine::{Costs, Machine, MachineParams, Memory};
use palmette_spatial::sparse::{
    Blocks, Placed, Placement, Solution, Sorted, SparseError, SparseMatrix, cg_words,
    conjugate_gradients, follow, sorted_words,
};

/// How a matrix lies on the spatial computer.
#[derive(Debug, Clone, Copy)]
pub struct SpatialSparseParams {
    /// How its entries are placed.
    pub placement: Placement,
    /// The curve that processors lie along.
    pub curve: CurveKind,
    /// The machine.
    pub machine: MachineParams,
}

impl Default for SpatialSparseParams {
    fn default() -> SpatialSparseParams {
        let curve = CurveKind::Hilbert;
        SpatialSparseParams { placement: Placement::default(), curve, machine: program_machine() }
    }
}

/// A product as the spatial computer found it, and what it cost.
#[derive(Debug)]
pub struct SpatialProduct {
    /// The product, by row.
    pub y: Vec<f64>,
    /// What it ran on.
    pub run: SparseRun,
}

/// A system that the spatial computer solved, and what it cost.
#[derive(Debug)]
pub struct SpatialSolution {
    /// The solution, by row.
    pub x: Vec<f64>,
    /// Iterations.
    pub iterations: usize,
    /// The relative residual.
    pub residual: f64,
    /// The residual at the start and after each iteration.
    pub history: Vec<f64>,
    /// What it ran on.
    pub run: SparseRun,
}

/// A run with a sparse matrix.
#[derive(Debug)]
pub struct SparseRun {
    /// The machine.
    pub machine: Machine,
    /// How the matrix was placed.
    pub placement: Placement,
    /// The rows of the matrix.
    pub rows: usize,
    /// The entries of the matrix.
    pub entries: usize,
    /// What it took to sort the matrix; nothing where it lies in blocks from the start.
    pub setup: Costs,
    /// Whether the host agrees.
    pub correct: bool,
}

impl SparseRun {
    /// The energy after the setup.
    pub fn energy_after_setup(&self) -> u64 {
        self.machine.costs().energy - self.setup.energy
    }
}

/// The matrix of a file.
///
/// # Errors
/// Entries whose sum is not finite; more of them than processors can be.
pub fn sparse_matrix(file: &MatrixFile) -> Result<SparseMatrix, SparseError> {
    SparseMatrix::new(file.rows, &file.entries)
}

/// The Laplacian of a graph: weights of edges, negative, and their sums on the diagonal.
///
/// # Errors
/// Sums that are not finite, a graph too large.
pub fn laplacian_matrix(graph: &Graph) -> Result<SparseMatrix, SparseError> {
    let edge = |(a, b, w): (u32, u32, f64)| [(a, a, w), (b, b, w), (a, b, -w), (b, a, -w)];
    SparseMatrix::new(graph.len(), &graph.edges().flat_map(edge).collect::<Vec<_>>())
}

/// Numbers between -1 and 1.
pub fn random_vector(rows: usize, seed: u64) -> Vec<f64> {
    let mut random = Random::new(seed, Purpose::Vectors);
    (0..rows).map(|_| 2.0 * random.unit() - 1.0).collect()
}

/// `A x` by messages. Points of rows, if there are any, say where they lie.
///
/// ```
/// use palmette::spatial::sparse::SparseMatrix;
/// use palmette::spatial_product;
/// let matrix = SparseMatrix::new(2, &[(0, 1, 2.0), (1, 0, -1.0)])?;
/// let run = spatial_product(&matrix, &[], &[3.0, 4.0], &Default::default())?;
/// assert_eq!(run.y, [8.0, -3.0]);
/// assert!(run.run.correct);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// A vector of another length, a matrix too large to simulate.
pub fn spatial_product(
    matrix: &SparseMatrix,
    points: &[Point],
    x: &[f64],
    params: &SpatialSparseParams,
) -> Result<SpatialProduct, SparseError> {
    let expected = matrix.product(x)?;
    let (y, mut run) = match params.placement {
        Placement::Layout => {
            let blocks = in_blocks(matrix, points, params)?;
            let mut machine = machine(&blocks, blocks.words(), params)?;
            let y = blocks.product(&mut machine, "product", blocks.place(x)?)?;
            (blocks.vector(&y), run(machine, matrix, params, Costs::default()))
        }
        Placement::Sort => {
            let (sorted, placed, mut machine, setup) = sorted(matrix, x, params, |_| 0)?;
            let y = sorted.product(&mut machine, "product", placed)?;
            let home = sorted.bring_home(&mut machine, "product", y)?;
            (home.states()[..x.len()].to_vec(), run(machine, matrix, params, setup))
        }
    };
    let near = |((found, expected), bound): ((&f64, f64), f64)| (found - expected).abs() <= bound;
    run.correct = y.iter().zip(expected).zip(matrix.rounding(x)).all(near);
    Ok(SpatialProduct { y, run })
}

/// Solves `A x = b` by messages, with conjugate gradients. Points of rows, if there are any, say where they
/// lie.
///
/// # Errors
/// A matrix that is not symmetric or not positive definite, a vector of another length, too few
/// iterations, a matrix too large to simulate.
pub fn spatial_solve(
    matrix: &SparseMatrix,
    points: &[Point],
    b: &[f64],
    cg: &CgParams,
    params: &SpatialSparseParams,
) -> Result<SpatialSolution, SparseError> {
    matrix.check_symmetric()?;
    let (x, found, mut run) = match params.placement {
        Placement::Layout => {
            let blocks = in_blocks(matrix, points, params)?;
            let mut machine = machine(&blocks, cg_words(&blocks), params)?;
            let b = blocks.place(b)?;
            let found = conjugate_gradients(&mut machine, "iteration", &blocks, b, cg)?;
            (blocks.vector(&found.x), found, run(machine, matrix, params, Costs::default()))
        }
        Placement::Sort => {
            let (sorted, b, mut machine, setup) = sorted(matrix, b, params, cg_words)?;
            let found = conjugate_gradients(&mut machine, "iteration", &sorted, b, cg)?;
            let home = sorted.bring_home(&mut machine, "iteration", found.x.clone())?;
            (home.states()[..matrix.rows()].to_vec(), found, run(machine, matrix, params, setup))
        }
    };
    run.correct = is_solved(matrix, &x, b, cg.tolerance)?;
    let Solution { iterations, residual, history, .. } = found;
    Ok(SpatialSolution { x, iterations, residual, history, run })
}

/// Whether the host finds the residual small, but for the rounding of its own product and the machine's.
fn is_solved(
    matrix: &SparseMatrix,
    x: &[f64],
    b: &[f64],
    tolerance: f64,
) -> Result<bool, SparseError> {
    let norm = |v: &mut dyn Iterator<Item = f64>| v.map(|v| v * v).sum::<f64>().sqrt();
    let left = norm(&mut matrix.product(x)?.into_iter().zip(b).map(|(ax, b)| b - ax));
    let rounding = norm(&mut matrix.rounding(x).into_iter());
    let relative = 1.0 + b.len() as f64 * f64::EPSILON;
    Ok(left <= relative * tolerance * norm(&mut b.iter().copied()) + 2.0 * rounding)
}

fn in_blocks(
    matrix: &SparseMatrix,
    points: &[Point],
    params: &SpatialSparseParams,
) -> Result<Blocks, SparseError> {
    let natural: Vec<u32> = (0..matrix.rows() as u32).collect();
    // Any order has as many slots.
    let processors = Blocks::new(matrix, &natural)?.processors();
    let curve = params.curve.fitting(processors as u64)?;
    Blocks::new(matrix, &follow(&curve, matrix, points))
}

fn machine(
    matrix: &impl Placed,
    words: usize,
    params: &SpatialSparseParams,
) -> Result<Machine, SparseError> {
    let processors = matrix.processors();
    let curve = params.curve.fitting(processors as u64)?;
    Ok(Machine::on_curve(&curve, processors, params.machine.stating(words))?)
}

/// A matrix sorted on a machine with its vector, and what that cost; `more` says the words of what comes
/// after.
fn sorted(
    matrix: &SparseMatrix,
    x: &[f64],
    params: &SpatialSparseParams,
    more: fn(&Sorted) -> usize,
) -> Result<(Sorted, Memory<f64>, Machine, Costs), SparseError> {
    let processors = Sorted::processors_of(matrix)?;
    let curve = params.curve.fitting(processors as u64)?;
    let network = match params.curve {
        CurveKind::Z => Network::Bitonic,
        _ => Network::OddEven,
    };
    let words = sorted_words(processors).max(more(&Sorted::EMPTY));
    let mut machine = Machine::on_curve(&curve, processors, params.machine.stating(words))?;
    let (sorted, placed) = Sorted::new(&mut machine, "setup", network, matrix, x)?;
    let setup = machine.costs();
    Ok((sorted, placed, machine, setup))
}

fn run(
    machine: Machine,
    matrix: &SparseMatrix,
    params: &SpatialSparseParams,
    setup: Costs,
) -> SparseRun {
    let (rows, entries) = (matrix.rows(), matrix.entries());
    SparseRun { machine, placement: params.placement, rows, entries, setup, correct: false }
}
