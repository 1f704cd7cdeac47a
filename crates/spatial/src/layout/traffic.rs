//! The costs of messages that all go at once.

use crate::machine::{LinkCounters, LinkLoads};
use crate::{Cell, Grid};
use palmette_core::NONE;

/// One round of messages, none depending on another: what a layout is judged by.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Traffic {
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

/// Link loads are counted while the messages' bounding box has at most this many
/// cells a vertex, and [`FREE_CELLS`] more.
const CELLS_A_VERTEX: u64 = 64;
const FREE_CELLS: u64 = 1 << 22;

impl Traffic {
    /// Every position but a root receives a message from its parent.
    pub fn from_parents(grid: Grid, cells: &[Cell], parents: &[u32]) -> Traffic {
        Traffic::of(grid, cells, edges(parents))
    }

    /// Messages from the first position of each pair to the second.
    pub fn of(grid: Grid, cells: &[Cell], pairs: impl Iterator<Item = (u32, u32)>) -> Traffic {
        let mut counters = Counters::new(grid, cells);
        let (mut messages, mut energy, mut longest) = (0, 0, 0);
        for (from, to) in pairs {
            let (from, to) = (cells[from as usize], cells[to as usize]);
            let way = from.distance(to);
            messages += 1;
            energy += way;
            longest = longest.max(way);
            counters.count(from, to);
        }
        let max_link_load = counters.max();
        Traffic { vertices: cells.len(), messages, energy, longest, max_link_load }
    }

    /// Energy over the number of vertices; 0 without any.
    pub fn energy_per_vertex(&self) -> f64 {
        self.energy as f64 / self.vertices.max(1) as f64
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

fn is_countable(size: Grid, cells: &[Cell]) -> bool {
    size.len() <= CELLS_A_VERTEX * cells.len() as u64 + FREE_CELLS
}

/// The loads of all links of the grid when every position but a root receives a message
/// from its parent; none on a grid too large to count them.
pub(super) fn link_loads(grid: Grid, cells: &[Cell], parents: &[u32]) -> Option<LinkLoads> {
    is_countable(grid, cells).then(|| {
        let mut links = LinkCounters::new(grid);
        edges(parents).for_each(|(from, to)| {
            links.count_cells(cells[from as usize], cells[to as usize]);
        });
        LinkLoads::of(grid, &[links])
    })
}

/// Link counters on the bounding box of the cells.
struct Counters {
    corner: Cell,
    size: Grid,
    links: Option<LinkCounters>,
}

impl Counters {
    fn new(grid: Grid, cells: &[Cell]) -> Counters {
        let mut low = Cell { x: grid.width, y: grid.height };
        let mut high = Cell::default();
        for cell in cells {
            low = Cell { x: low.x.min(cell.x), y: low.y.min(cell.y) };
            high = Cell { x: high.x.max(cell.x), y: high.y.max(cell.y) };
        }
        let side = |low: u32, high: u32| (high + 1).saturating_sub(low).max(1);
        let size = Grid { width: side(low.x, high.x), height: side(low.y, high.y) };
        let links = is_countable(size, cells).then(|| LinkCounters::new(size));
        Counters { corner: low, size, links }
    }

    fn count(&mut self, from: Cell, to: Cell) {
        if let Some(links) = &mut self.links {
            let inside = |c: Cell| Cell { x: c.x - self.corner.x, y: c.y - self.corner.y };
            links.count_cells(inside(from), inside(to));
        }
    }

    fn max(self) -> Option<u64> {
        let links = self.links?;
        Some(LinkLoads::of(self.size, &[links]).max())
    }
}
