//! Lowest common ancestors on the simulated spatial computer.

use super::{SpatialError, program_machine};
use palmette_core::Tree;
use palmette_spatial::Grid;
use palmette_spatial::curve::CurveKind;
use palmette_spatial::layout::{Layout, LayoutParams};
use palmette_spatial::machine::{Machine, MachineParams};
use palmette_spatial::program::kin;
use palmette_spatial::program::lca::{
    Answers, Batch, LcaParams, QUERY_WORDS, lowest_common_ancestors,
};
use palmette_tree::lca::Lca;

/// How ancestors are found on the spatial computer.
#[derive(Debug, Clone, Copy)]
pub struct SpatialLcaParams {
    /// The curve that the tree is laid along, in light-first order.
    pub curve: CurveKind,
    /// Grid size (default: the smallest that the curve fills and the tree fits).
    pub grid: Option<Grid>,
    /// The machine.
    pub machine: MachineParams,
    /// The program.
    pub lca: LcaParams,
}

impl Default for SpatialLcaParams {
    fn default() -> SpatialLcaParams {
        let LayoutParams { curve, grid, .. } = LayoutParams::default();
        SpatialLcaParams { curve, grid, machine: program_machine(), lca: LcaParams::default() }
    }
}

/// Lowest common ancestors as the spatial computer found them, and what they cost.
#[derive(Debug)]
pub struct SpatialLca {
    /// The lowest common ancestor of every pair, by vertex.
    pub lca: Vec<u32>,
    /// The machine; its ledger begins with the virtual tree. Where copies of vertices are
    /// [given](palmette_spatial::machine::Gift::Queries), it has more processors than the tree
    /// has vertices.
    pub machine: Machine,
    /// The rounds of the leaffix and of the rootfix.
    pub rounds: [u32; 2],
    /// How many vertices, given copies among them, the leaffix contracted in each round.
    pub contracted: Vec<u64>,
    /// The number of layers of the path decomposition.
    pub layers: u32,
    /// The vertices of the tree, without copies.
    pub vertices: usize,
    /// Whether the host's index gives the same.
    pub correct: bool,
}

/// The lowest common ancestors of pairs of vertices, by messages.
///
/// ```
/// use palmette::{NONE, Tree, spatial_lca};
/// let tree = Tree::from_parents(&[2, 0, NONE, 2, 0])?;
/// let run = spatial_lca(&tree, &[(1, 4), (4, 3), (1, 0)], &Default::default())?;
/// assert_eq!(run.lca, [0, 2, 0]);
/// assert!(run.correct);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// A forest, a grid that is too small or that the curve cannot fill, or one too large to simulate.
///
/// # Panics
/// When a pair names a vertex that does not exist.
pub fn spatial_lca(
    tree: &Tree,
    pairs: &[(u32, u32)],
    params: &SpatialLcaParams,
) -> Result<SpatialLca, SpatialError> {
    let place = tree.positions();
    let at: Vec<(u32, u32)> =
        pairs.iter().map(|&(u, v)| (place[u as usize], place[v as usize])).collect();
    let batch = Batch::new(tree, &at, params.machine.given)?;
    let &SpatialLcaParams { curve, grid, machine, lca } = params;
    let layout = LayoutParams { curve, grid, ..LayoutParams::default() };
    let layout = Layout::new(batch.tree().clone(), layout)?;
    let words = lca.words(batch.tree().len());
    let mut machine = layout.machine(machine.stating(words))?;
    let kin = kin(&mut machine.keep_words(QUERY_WORDS), batch.tree())?;
    let answers = lowest_common_ancestors(&mut machine, &kin, &batch, lca)?;
    let lca: Vec<u32> = answers.lca.iter().map(|&p| tree.vertices()[p as usize]).collect();
    let correct = lca == Lca::by_vertex(tree).batch(pairs);
    let Answers { rounds, layers, contracted, .. } = answers;
    let vertices = tree.len();
    Ok(SpatialLca { lca, machine, rounds, contracted, layers, vertices, correct })
}
