//! Trees on the grid: an order of the vertices, laid along a curve.
//!
//! **Problem.** Give every vertex of a tree a cell of its own so that messages between
//! parents and children are short.
//! **Method.** Vertices are numbered in an order of the tree, and vertex number `i`
//! takes the `i`-th cell of a space-filling curve on the smallest grid that holds
//! them. Light-first order (every vertex, then the subtrees of its children, the
//! smallest first) on a curve that keeps near indices near (all here but row-major
//! and serpentine) spends constant energy per vertex on a round of messages; the
//! refined order starts there and moves vertices about.
//! **Cost.** Linear: siblings are sorted by counting. 24 bytes per vertex are kept.
//! **Reference.** Baumann et al., *Low-Depth Spatial Tree Algorithms*, section III,
//! Theorems 1 and 2.
//! **When not to use.** Bounds are for bounded degree. Where vertices have many
//! children, messages go along the virtual tree of [`local`](crate::local).

mod refine;
#[cfg(test)]
mod tests;
mod traffic;

pub use refine::{RefineParams, Refined, refine};
pub use traffic::LayoutTraffic;

use crate::curve::{Curve, CurveError, CurveKind};
use crate::machine::{LinkLoads, Machine, MachineError, MachineParams};
use crate::{Cell, Grid};
use palmette_core::Tree;
use palmette_core::named;
use palmette_core::tree::SiblingOrder;
use rayon::prelude::*;
use thiserror::Error;

named! {
    /// How vertices are numbered before they are laid along the curve.
    #[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
    #[non_exhaustive]
    pub enum Order("order") {
        /// Depth first, the smallest subtree first.
        #[default]
        LightFirst = "light-first",
        /// Depth first, the largest subtree first.
        HeavyFirst = "heavy-first",
        /// Level by level.
        Bfs = "bfs",
        /// Depth first, children as given.
        Dfs = "dfs",
        /// Light-first, then improved by local moves.
        Refined = "refined",
    }
}

impl Order {
    /// The order of siblings that it rests on.
    pub fn siblings(self) -> SiblingOrder {
        match self {
            Order::LightFirst | Order::Refined => SiblingOrder::LightFirst,
            Order::HeavyFirst => SiblingOrder::HeavyFirst,
            Order::Bfs | Order::Dfs => SiblingOrder::AsGiven,
        }
    }
}

/// Why a tree cannot be laid out.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum LayoutError {
    /// More vertices than cells.
    #[error("the grid {grid} is too small for {vertices} vertices: it has {} cells", grid.len())]
    GridTooSmall { grid: Grid, vertices: usize },
    /// A grid that the curve cannot fill.
    #[error(transparent)]
    Curve(#[from] CurveError),
}

/// How a tree is laid out.
#[derive(Debug, Clone, Copy)]
pub struct LayoutParams {
    /// The order of the vertices.
    pub order: Order,
    /// The curve they are laid along.
    pub curve: CurveKind,
    /// Grid size (default: the smallest that the curve fills and the tree fits).
    pub grid: Option<Grid>,
    /// How far [`Order::Refined`] goes.
    pub refine: RefineParams,
}

impl Default for LayoutParams {
    fn default() -> LayoutParams {
        LayoutParams {
            order: Order::LightFirst,
            curve: CurveKind::Hilbert,
            grid: None,
            refine: RefineParams::default(),
        }
    }
}

/// A tree, and a cell for every position.
///
/// ```
/// use palmette_core::Tree;
/// use palmette_core::generate::{Shape, generate};
/// use palmette_spatial::layout::{Layout, LayoutParams, Order};
/// let tree = Tree::from_parents(&generate(Shape::Perfect, 1023, 1)?)?;
/// let light = Layout::new(tree.clone(), LayoutParams::default())?;
/// let bfs = Layout::new(tree, LayoutParams { order: Order::Bfs, ..LayoutParams::default() })?;
/// assert!(light.traffic().energy_per_vertex() < 2.1);
/// assert!(bfs.traffic().energy_per_vertex() > 20.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct Layout {
    tree: Tree,
    order: Order,
    curve: Curve,
    cells: Vec<Cell>,
    refined: Option<Refined>,
}

/// Cells are computed in pieces of this length.
const PIECE: usize = 1 << 14;

impl Layout {
    /// Lays a tree out. Its siblings are sorted as the order needs, unless they are.
    ///
    /// # Errors
    /// A grid that is too small, or that the curve cannot fill.
    pub fn new(tree: Tree, params: LayoutParams) -> Result<Layout, LayoutError> {
        let vertices = tree.len();
        let curve = match params.grid {
            Some(grid) => params.curve.on(grid)?,
            None => params.curve.fitting(vertices as u64)?,
        };
        if vertices as u64 > curve.len() {
            return Err(LayoutError::GridTooSmall { grid: curve.grid(), vertices });
        }
        let siblings = params.order.siblings();
        let tree = if tree.has_siblings(siblings) { tree } else { tree.with_siblings(siblings) };
        let mut cells = vec![Cell::default(); vertices];
        let pieces = cells.par_chunks_mut(PIECE).enumerate();
        pieces.for_each(|(k, piece)| curve.cells((k * PIECE) as u64, piece));
        let mut layout = Layout { tree, order: params.order, curve, cells, refined: None };
        match params.order {
            Order::Bfs => {
                let along = layout.cells.clone();
                for (cell, &position) in along.iter().zip(&layout.tree.levels().into_items()) {
                    layout.cells[position as usize] = *cell;
                }
            }
            Order::Refined => {
                let parents = layout.tree.parents();
                let grid = curve.grid();
                layout.refined = Some(refine(parents, grid, &mut layout.cells, &params.refine));
            }
            Order::LightFirst | Order::HeavyFirst | Order::Dfs => {}
        }
        Ok(layout)
    }

    /// The tree; its positions are in the order of siblings that the layout rests on.
    pub fn tree(&self) -> &Tree {
        &self.tree
    }

    /// The order.
    pub fn order(&self) -> Order {
        self.order
    }

    /// The curve.
    pub fn curve(&self) -> &Curve {
        &self.curve
    }

    /// The grid.
    pub fn grid(&self) -> Grid {
        self.curve.grid()
    }

    /// The cell of every position.
    pub fn cells(&self) -> &[Cell] {
        &self.cells
    }

    /// What refining did, if it was asked for.
    pub fn refined(&self) -> Option<&Refined> {
        self.refined.as_ref()
    }

    /// The costs of one message from every vertex straight to each of its children.
    pub fn traffic(&self) -> LayoutTraffic {
        LayoutTraffic::from_parents(self.grid(), &self.cells, self.tree.parents())
    }

    /// The loads of the grid's links in that round; none on a grid with many more cells
    /// than the tree has vertices.
    pub fn link_loads(&self) -> Option<LinkLoads> {
        traffic::link_loads(self.grid(), &self.cells, self.tree.parents())
    }

    /// A machine with one processor per vertex; addresses are positions.
    ///
    /// # Errors
    /// A side above what the simulator holds.
    pub fn machine(&self, params: MachineParams) -> Result<Machine, MachineError> {
        Machine::new(self.grid(), &self.cells, params)
    }
}
