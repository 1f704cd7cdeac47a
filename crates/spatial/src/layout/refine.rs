//! Improving a layout by moving vertices.
//!
//! **Problem.** A tree (by parents), a grid, and a cell for every vertex, no two on one.
//! Another such layout in the same grid whose energy, the sum over edges of the Manhattan
//! distance, is lower. An edge costs at least 1.
//!
//! **Method.** Simulated annealing: swaps of two occupants, and of two pairs (see
//! `moves.rs`), on an occupancy whose cells hold all that a move must know (`occupancy.rs`). The
//! temperature falls in proportion to the budget that is left; it begins at what the budget
//! can undo again, so that a small one does nothing but descend. At the end, and when time
//! runs out, only gains are accepted. A layout that got worse is thrown away.
//!
//! **Cost.** Constant work per move, about 30 ns, whatever the degrees. 21 bytes per cell that
//! the layout spans, 4 per vertex while the occupancy is set up, and if some vertices have more
//! than four neighbours 4 per vertex and 4 for each of those neighbours. Measured from light-first
//! order on a Hilbert curve (more in docs/benchmarks.md):
//!
//! | tree | vertices | before | after | seconds |
//! |---|---|---|---|---|
//! | random binary | 2^10 | 1.478 | 1.066 | 0.4 |
//! | random binary | 2^14 | 1.539 | 1.101 | 6 |
//! | random binary | 2^17 | 1.548 | 1.157 | 6 |
//! | random binary | 2^20 | 1.551 | 1.243 | 7 |
//! | perfect binary | 2^14 | 2.094 | 1.272 | 6 |
//! | random recursive | 2^14 | 2.121 | 1.341 | 5 |
//!
//! **Determinism.** The budget is counted in moves, not in time: seed and budget fix the
//! result on every platform, unless [`Refined::stopped_by_time`].
//!
//! **Reference.** Kirkpatrick, Gelatt and Vecchi, *Optimization by simulated annealing*, 1983.
//!
//! **When not to use.** From a bad start: moves are short, and the large structure of the
//! given layout stays. Where layout must take linear time. A layout that spans more than
//! 2^14 cells per side, or far more cells than it has vertices, is returned as it is.

mod moves;
mod occupancy;
mod places;
#[cfg(test)]
mod tests;

use std::time::{Duration, Instant};

use palmette_core::{DEFAULT_SEED, NONE};

use crate::{Cell, Grid, Window};
use moves::{Bits, Chances, TILE, Tally, Tile};
use occupancy::Occupancy;

/// What a move takes at most on a machine of today: a time limit is also a budget.
const NANOSECONDS: u128 = 40;

/// Free cells this far around the layout may be used.
const MARGIN: u32 = 8;

/// How much to refine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RefineParams {
    /// Seed for every random choice.
    pub seed: u64,
    /// The budget, in moves a cell of the grid.
    pub moves_per_cell: u32,
    /// The budget in moves altogether: the smaller of the two counts. The default takes six
    /// to eight seconds.
    pub moves: u64,
    /// When to stop at the latest; looked at every few milliseconds. It is also a budget, of
    /// a move every 40 ns, so that it need not strike: only where a move takes longer does
    /// the result depend on the clock.
    pub time_limit: Option<Duration>,
}

impl Default for RefineParams {
    fn default() -> Self {
        RefineParams {
            seed: DEFAULT_SEED,
            moves_per_cell: 12_000,
            moves: 200_000_000,
            time_limit: Some(Duration::from_secs(10)),
        }
    }
}

/// What refining has done.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Refined {
    /// The energy of the layout that was given.
    pub energy_before: u64,
    /// The energy of the layout now: never more.
    pub energy: u64,
    /// How many moves have been weighed.
    pub moves_tried: u64,
    /// How many of them have been made.
    pub moves_made: u64,
    /// Whether the clock decided when to stop or to cool. Another run may then give another
    /// layout.
    pub stopped_by_time: bool,
}

/// Improves a layout in place by simulated annealing: vertices change places until the
/// budget of moves is spent. The energy never rises.
///
/// # Cost
/// About 30 ns per move, 21 bytes per cell that the layout spans. `refine.rs` says more.
///
/// # Panics
/// If there is not exactly one cell per vertex, when a cell is outside the grid, and when
/// two vertices share one.
pub fn refine(parents: &[u32], grid: Grid, cells: &mut [Cell], params: &RefineParams) -> Refined {
    let start = Instant::now();
    assert_eq!(parents.len(), cells.len(), "one cell for every vertex");
    let (before, edges) = energy(parents, cells);
    let unchanged = Refined { energy_before: before, energy: before, ..Refined::default() };
    assert!(cells.iter().all(|&cell| grid.contains(cell)), "a cell outside the grid");
    let window = Window::around(cells).widened(MARGIN, grid);
    let too_wide = window.size.width.max(window.size.height) > places::MAX_SIDE;
    let too_large = parents.len() >= places::MAX_VERTICES || !window.is_dense(cells.len());
    if before == edges || too_wide || too_large {
        return unchanged;
    }
    cells.iter_mut().for_each(|cell| *cell = window.inside(*cell));
    let mut search = Search {
        occupancy: Occupancy::new(parents, window.size, cells),
        grid: window.size,
        bits: Bits::new(params.seed),
        tally: Tally::default(),
        deadline: None,
    };
    let stopped_by_time = search.run(params, start);
    let Search { occupancy, tally, .. } = search;
    let gained = tally.change < 0;
    if gained {
        occupancy.write(cells);
    }
    for cell in cells {
        *cell = Cell { x: cell.x + window.corner.x, y: cell.y + window.corner.y };
    }
    Refined {
        energy: if gained { before.saturating_add_signed(tally.change) } else { before },
        moves_tried: tally.tried,
        moves_made: tally.made,
        stopped_by_time,
        ..unchanged
    }
}

/// The energy of one message along every edge, and the number of edges.
fn energy(parents: &[u32], cells: &[Cell]) -> (u64, u64) {
    let edges = parents.iter().zip(cells).filter(|&(&p, _)| p != NONE);
    edges.fold((0, 0), |(sum, edges), (&p, &cell)| {
        (sum + cell.distance(cells[p as usize]), edges + 1)
    })
}

struct Search {
    occupancy: Occupancy,
    grid: Grid,
    bits: Bits,
    tally: Tally,
    deadline: Option<Instant>,
}

impl Search {
    /// Anneals, then descends. Returns whether the time limit struck.
    fn run(&mut self, params: &RefineParams, start: Instant) -> bool {
        /// Where annealing ends: a cost of 1 is then accepted once in 350 times.
        const COLD: f64 = 0.17;
        let area = self.grid.len();
        let limit = params.time_limit.unwrap_or(Duration::MAX);
        let budget = params
            .moves
            .min(area.saturating_mul(u64::from(params.moves_per_cell)))
            .min(u64::try_from(limit.as_nanos() / NANOSECONDS).unwrap_or(u64::MAX));
        // The rest is for the descent.
        let (annealing, time) = (budget - budget / 16, limit - limit / 16);
        // A hundred temperatures or more, as far as the budget allows.
        let passes = (annealing / area / 32).clamp(1, 64);
        // Fitted: what is heated more than this is not cold again in time.
        let hot = (0.1 * f64::from((budget / area).max(1).ilog2() + 1)).clamp(COLD, 0.9);

        // No deadline is one beyond the end of time.
        self.deadline = start.checked_add(time);
        let (mut share, mut in_time) = (0.0f64, true);
        let mut made = u64::MAX;
        while self.tally.work < annealing && self.tally.made != made {
            made = self.tally.made;
            let progress = self.tally.work as f64 / annealing as f64;
            let clock = start.elapsed().as_secs_f64() / time.as_secs_f64();
            // On a slow machine the clock takes over, lest it strike in the heat.
            let hurry = clock > 0.1 + 2.0 * progress;
            share = share.max(if hurry { clock } else { progress }).min(1.0);
            let chances = Chances::new(COLD + (hot - COLD) * (1.0 - share));
            let finished = self.round(passes, &chances, annealing);
            in_time &= finished && !hurry;
            if !finished {
                break;
            }
        }
        self.deadline = start.checked_add(limit);
        let mut before = i64::MAX;
        while self.tally.work < budget && self.tally.change < before {
            before = self.tally.change;
            if !self.round(passes.min(8), &Chances::GREEDY, budget) {
                return true;
            }
        }
        !in_time
    }

    /// Visits every tile at one temperature, while there is budget. Returns whether there
    /// was time.
    fn round(&mut self, passes: u64, chances: &Chances, budget: u64) -> bool {
        moves::settle_hubs(&mut self.occupancy, &mut self.tally);
        for y in (0..self.grid.height).step_by(TILE as usize) {
            for x in (0..self.grid.width).step_by(TILE as usize) {
                if self.tally.work >= budget {
                    return true;
                }
                if self.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
                    return false;
                }
                let (width, height) = (self.grid.width - x, self.grid.height - y);
                let tile = Tile { x, y, width: width.min(TILE), height: height.min(TILE) };
                let Search { occupancy, bits, tally, .. } = self;
                moves::sweep(occupancy, &tile, passes, chances, bits, tally);
            }
        }
        true
    }
}
