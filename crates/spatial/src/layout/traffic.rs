//! Costs of one round of independent messages.
//!
//! **Problem.** Given pairs of cells, find energy (the total distance), the longest distance and
//! the largest load of a link. **Cost.** Linear in messages and in the cells of the bounding
//! rectangle. Loads are not counted if that is too large.

use crate::machine::{LinkCounters, LinkLoads};
use crate::{Cell, Grid, Window};
use palmette_core::NONE;

/// One round of messages, none depending on another: what a layout is judged by.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LayoutTraffic {
    /// The number of processors.
    pub vertices: usize,
    /// The number of messages.
    pub messages: u64,
    /// The sum of their ways.
    pub energy: u64,
    /// The longest way; it is the distance as well.
    pub longest: u64,
    /// The largest load of a link; none when the messages spread over a rectangle too
    /// large to count it on.
    pub max_link_load: Option<u64>,
}

impl LayoutTraffic {
    /// Every position but a root receives a message from its parent.
    pub fn from_parents(grid: Grid, cells: &[Cell], parents: &[u32]) -> LayoutTraffic {
        LayoutTraffic::of(grid, cells, edges(parents))
    }

    /// Messages from the first position of each pair to the second.
    pub fn of(
        grid: Grid,
        cells: &[Cell],
        pairs: impl Iterator<Item = (u32, u32)>,
    ) -> LayoutTraffic {
        measure(grid, cells, pairs).0
    }

    /// Energy over the number of vertices; 0 without any.
    pub fn energy_per_vertex(&self) -> f64 {
        self.energy as f64 / self.vertices.max(1) as f64
    }

    /// The energy of messages of one word each.
    pub fn energy_words(&self) -> u64 {
        self.energy
    }

    /// The depth: 1 when there is any message.
    pub fn depth(&self) -> u32 {
        u32::from(self.messages > 0)
    }
}

/// Parents and children.
fn edges(parents: &[u32]) -> impl Iterator<Item = (u32, u32)> {
    parents.iter().zip(0..).filter(|(p, _)| **p != NONE).map(|(&p, i)| (p, i))
}

/// The traffic, and the loads of all links; none when the cells are too far apart to count them.
fn measure(
    grid: Grid,
    cells: &[Cell],
    pairs: impl Iterator<Item = (u32, u32)>,
) -> (LayoutTraffic, Option<LinkLoads>) {
    let window = Window::around(cells);
    let mut links = window.is_dense(cells.len()).then(|| LinkCounters::new(window, 1));
    let (mut messages, mut energy, mut longest) = (0, 0, 0);
    for (from, to) in pairs {
        let (from, to) = (cells[from as usize], cells[to as usize]);
        let way = from.distance(to);
        messages += 1;
        energy += way;
        longest = longest.max(way);
        if let Some(links) = &mut links {
            links.count_cells(from, to);
        }
    }
    let loads = links.map(|links| LinkLoads::of(grid, window, &[links]));
    let max_link_load = loads.as_ref().map(LinkLoads::max);
    let vertices = cells.len();
    (LayoutTraffic { vertices, messages, energy, longest, max_link_load }, loads)
}

/// The loads of all links when every position but a root receives a message from its parent.
pub(super) fn link_loads(grid: Grid, cells: &[Cell], parents: &[u32]) -> Option<LinkLoads> {
    measure(grid, cells, edges(parents)).1
}
