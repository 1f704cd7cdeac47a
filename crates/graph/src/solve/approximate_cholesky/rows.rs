//! The graph that is left while vertices go: for each vertex a row of neighbours.
//!
//! **Form.** Rows lie in one pool, in blocks of a cache line; a row has a power of two of
//! blocks. Edges to vertices that are gone stay in rows until a row is full or its vertex
//! goes: they are recognised by a mark of the gone. Parallel edges are told apart until
//! then too. A full row is first cleaned, and moved to a larger place only when that
//! gains little; places of rows that moved or went are used again.
//!
//! **Vertices** `0..n` can go; from `n` on they are *fixed*: they appear as neighbours
//! but have no rows of their own.
//!
//! **Cost.** An edge is 8 bytes at each end. Cleaning is paid for by the edges that came
//! since the last time, so appending takes constant time on average.

use super::sample::Neighbour;
use palmette_core::NONE;
use palmette_core::memory::{huge_vec, prefetch};

/// Edges in a block: a cache line of them.
const BLOCK: usize = 8;
/// The mark of a vertex that is gone.
const GONE: u32 = NONE;
/// The mark of a vertex that the current walk has not met.
const UNMET: u32 = NONE - 1;

/// An end of an edge. Weights are scaled so that they fit into 32 bits.
#[derive(Debug, Clone, Copy, Default)]
struct Entry {
    id: u32,
    weight: f32,
}

#[derive(Debug, Clone, Copy)]
struct Row {
    /// The first block.
    start: u32,
    /// How many entries it has.
    len: u32,
    /// How many it has room for.
    room: u32,
    /// How many of them lead to vertices that are there; parallel edges count.
    degree: u32,
}

/// The rows of all vertices that can go.
pub(super) struct Rows {
    rows: Vec<Row>,
    pool: Vec<Entry>,
    /// What the pool leaves out at its start, so that blocks are cache lines.
    skip: usize,
    /// By the logarithm of the number of blocks, places to use again.
    free: Vec<Vec<u32>>,
    /// By vertex: gone, unmet, or where the current walk has put it.
    marks: Vec<u32>,
    merge: u32,
}

impl Rows {
    /// Empty rows with room for `degrees`, and `fixed` more vertices that never go. At
    /// most `merge` copies of an edge are told apart.
    pub(super) fn new(degrees: impl Iterator<Item = usize>, fixed: usize, merge: u32) -> Self {
        let mut rows = Vec::new();
        let mut blocks = 0;
        for degree in degrees {
            let own = degree.div_ceil(BLOCK).max(1).next_power_of_two();
            rows.push(Row { start: blocks as u32, len: 0, room: (own * BLOCK) as u32, degree: 0 });
            blocks += own;
        }
        let pool = huge_vec((blocks + 1) * BLOCK, Entry::default());
        let skip = pool.as_ptr().align_offset(64).min(BLOCK);
        let marks = vec![UNMET; rows.len() + fixed];
        Rows { rows, pool, skip, free: vec![Vec::new(); 32], marks, merge: merge.max(1) }
    }

    /// How many vertices can go.
    pub(super) fn len(&self) -> usize {
        self.rows.len()
    }

    /// The degree of a vertex, `None` when it is gone.
    #[inline]
    pub(super) fn degree(&self, v: u32) -> Option<u32> {
        (self.marks[v as usize] != GONE).then(|| self.rows[v as usize].degree)
    }

    /// Adds an edge to the row of `v`.
    #[inline]
    pub(super) fn append(&mut self, v: u32, id: u32, weight: f32) {
        if self.rows[v as usize].len == self.rows[v as usize].room {
            self.make_room(v);
        }
        let row = &mut self.rows[v as usize];
        self.pool[self.skip + row.start as usize * BLOCK + row.len as usize] = Entry { id, weight };
        row.len += 1;
        row.degree += 1;
    }

    /// Takes a vertex out: its neighbours, parallel edges added up, are written to
    /// `neighbours`, and lose their edges to it.
    pub(super) fn take(&mut self, v: u32, neighbours: &mut Vec<Neighbour>) {
        let Row { start, len, room, .. } = self.rows[v as usize];
        self.marks[v as usize] = GONE;
        neighbours.clear();
        let first = self.skip + start as usize * BLOCK;
        for &Entry { id, weight } in &self.pool[first..first + len as usize] {
            let mark = &mut self.marks[id as usize];
            if *mark == UNMET {
                *mark = neighbours.len() as u32;
                neighbours.push(Neighbour { id, copies: 1, weight: f64::from(weight) });
            } else if *mark != GONE {
                let neighbour = &mut neighbours[*mark as usize];
                neighbour.copies += 1;
                neighbour.weight += f64::from(weight);
            }
        }
        for neighbour in neighbours {
            self.marks[neighbour.id as usize] = UNMET;
            if let Some(row) = self.rows.get_mut(neighbour.id as usize) {
                row.degree = row.degree.saturating_sub(neighbour.copies);
                let end = self.skip + row.start as usize * BLOCK + row.len as usize;
                prefetch(&self.pool, end);
            }
            neighbour.copies = neighbour.copies.min(self.merge);
        }
        self.free[(room as usize / BLOCK).ilog2() as usize].push(start);
    }

    /// Asks for the memory of a row that will be taken soon.
    #[inline]
    pub(super) fn expect(&self, soon: Option<u32>, sooner: Option<u32>) {
        if let Some(v) = soon {
            prefetch(&self.rows, v as usize);
        }
        if let Some(row) = sooner.and_then(|v| self.rows.get(v as usize)) {
            prefetch(&self.pool, self.skip + row.start as usize * BLOCK);
        }
    }

    #[cold]
    fn make_room(&mut self, v: u32) {
        let row = self.rows[v as usize];
        let first = self.skip + row.start as usize * BLOCK;
        let kept = self.clean(first, row.len as usize);
        self.rows[v as usize].len = kept as u32;
        self.rows[v as usize].degree = kept as u32;
        if kept * 4 <= row.room as usize * 3 {
            return;
        }
        let blocks = row.room as usize / BLOCK;
        let class = blocks.ilog2() as usize;
        let start = self.free[class + 1].pop().unwrap_or_else(|| {
            let end = (self.pool.len() - self.skip) / BLOCK;
            self.pool.resize(self.skip + (end + 2 * blocks) * BLOCK, Entry::default());
            end as u32
        });
        self.pool.copy_within(first..first + kept, self.skip + start as usize * BLOCK);
        self.free[class].push(row.start);
        let row = &mut self.rows[v as usize];
        (row.start, row.room) = (start, 2 * row.room);
    }

    /// Drops edges to what is gone and, unless copies are told apart, adds up parallel
    /// edges; returns how many edges are left.
    fn clean(&mut self, first: usize, len: usize) -> usize {
        let mut kept = 0;
        for i in first..first + len {
            let entry = self.pool[i];
            match self.marks[entry.id as usize] {
                GONE => continue,
                mark if mark != UNMET && self.merge == 1 => {
                    self.pool[first + mark as usize].weight += entry.weight;
                    continue;
                }
                _ => self.marks[entry.id as usize] = kept as u32,
            }
            self.pool[first + kept] = entry;
            kept += 1;
        }
        for i in first..first + kept {
            self.marks[self.pool[i].id as usize] = UNMET;
        }
        kept
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn taken(rows: &mut Rows, v: u32) -> Vec<(u32, u32, f64)> {
        let mut neighbours = Vec::new();
        rows.take(v, &mut neighbours);
        neighbours.iter().map(|n| (n.id, n.copies, n.weight)).collect()
    }

    #[test]
    fn parallel_edges_add_up_and_the_gone_disappear() {
        for merge in [1, 2] {
            let mut rows = Rows::new([2, 1, 1].into_iter(), 1, merge);
            for (v, id) in [(0, 1), (0, 3), (0, 1), (0, 1), (1, 0), (1, 2), (2, 1)] {
                rows.append(v, id, 0.5);
            }
            assert_eq!(rows.degree(0), Some(4));
            assert_eq!(taken(&mut rows, 2), [(1, 1, 0.5)]);
            assert_eq!((rows.degree(2), rows.degree(1)), (None, Some(1)));
            assert_eq!(taken(&mut rows, 0), [(1, 3.min(merge), 1.5), (3, 1, 0.5)]);
            assert_eq!(taken(&mut rows, 1), []);
        }
    }

    #[test]
    fn full_rows_are_cleaned_or_moved() {
        for merge in [1, 3] {
            let mut rows = Rows::new([0; 101].into_iter(), 1000, merge);
            for v in 1..=100 {
                rows.append(0, v, 1.0);
                rows.append(v, 0, 1.0);
            }
            assert_eq!(rows.degree(0), Some(100));
            for v in 1..=95 {
                assert_eq!(taken(&mut rows, v), [(0, 1, 1.0)]);
            }
            let places = rows.pool.len();
            for i in 0..50 {
                rows.append(0, 101 + i, 2.0);
            }
            // Of 128 places most were those of the gone, and what moved left room.
            assert_eq!((rows.pool.len(), rows.degree(0)), (places, Some(55)));
            let expected: Vec<_> = (96..=100).map(|v| (v, 1, 1.0)).collect();
            let list = taken(&mut rows, 0);
            assert_eq!(list[..5], expected);
            assert_eq!(list.len(), 55);
        }
    }
}
