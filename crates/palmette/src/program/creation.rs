//! Layout creation on the simulated spatial computer.

use super::{SpatialError, program_machine};
use palmette_core::{NONE, Tree};
use palmette_spatial::Grid;
use palmette_spatial::curve::CurveKind;
use palmette_spatial::layout::{Layout, LayoutParams, LayoutTraffic};
use palmette_spatial::local::families;
use palmette_spatial::machine::{Machine, MachineParams};
use palmette_spatial::program::creation::{Created, create, creation_words};
use palmette_spatial::program::tour::links_of;

/// How a layout is created on the spatial computer.
#[derive(Debug, Clone, Copy)]
pub struct CreationParams {
    /// The curve.
    pub curve: CurveKind,
    /// Grid size (default: the smallest that the curve fills and the tree fits).
    pub grid: Option<Grid>,
    /// The machine.
    pub machine: MachineParams,
}

impl Default for CreationParams {
    fn default() -> CreationParams {
        let LayoutParams { curve, grid, .. } = LayoutParams::default();
        CreationParams { curve, grid, machine: program_machine() }
    }
}

/// A layout as the spatial computer made it, and what that cost.
#[derive(Debug)]
pub struct SpatialCreation {
    /// Where every vertex moved: its position along the curve, by vertex.
    pub positions: Vec<u32>,
    /// The host's layout of the same tree in light-first order.
    pub layout: Layout,
    /// What a message along every edge costs there.
    pub traffic: LayoutTraffic,
    /// The machine.
    pub machine: Machine,
    /// The rounds of the three rankings: first tour, children, second tour.
    pub rounds: [u32; 3],
    /// How many vertices' opening brackets gave way in each round of the first tour.
    pub contracted: Vec<u64>,
    /// Whether vertices lie where the host's layout has them, and know its families.
    pub correct: bool,
}

/// Brings a tree into light-first order by messages; at first vertex `v` lies on the
/// `v`-th processor along the curve.
///
/// ```
/// use palmette::{NONE, Tree, create_layout};
/// let tree = Tree::from_parents(&[2, 0, NONE, 2])?;
/// let run = create_layout(&tree, &Default::default())?;
/// assert_eq!(run.positions, [2, 3, 0, 1]);
/// assert!(run.correct);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// A forest, a grid that is too small or that the curve cannot fill, or one too large to simulate.
pub fn create_layout(
    tree: &Tree,
    params: &CreationParams,
) -> Result<SpatialCreation, SpatialError> {
    let &CreationParams { curve, grid, machine } = params;
    let links = links_of(tree)?;
    let layout = LayoutParams { curve, grid, ..LayoutParams::default() };
    let layout = Layout::new(tree.clone(), layout)?;
    // Before and after, processors are the cells along the curve.
    let mut machine = layout.machine(machine.stating(creation_words(tree.len())))?;
    let created = create(&mut machine, &links)?;
    let vertices = created.vertices.states();
    let mut positions = vec![NONE; tree.len()];
    for (position, &vertex) in (0..).zip(vertices) {
        positions[vertex as usize] = position;
    }
    let correct =
        vertices == layout.tree().vertices() && created.families == families(layout.tree());
    let Created { rounds, contracted, .. } = created;
    let traffic = layout.traffic();
    Ok(SpatialCreation { positions, layout, traffic, machine, rounds, contracted, correct })
}
