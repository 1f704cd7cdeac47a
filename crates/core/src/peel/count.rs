//! Counts the children of every vertex.
//!
//! **Problem.** Given parents, find the number of children of each vertex, the roots, and whether
//! parents come before or after their children. **Method.** One byte per vertex, so that ten
//! million counters fit in a cache; a vertex with more than 255 children gets extra entries in a
//! list. Threads count stretches of the vertices. **Cost.** One pass over the parents, and a byte per
//! vertex and thread.

use crate::memory::{huge_zeroed, prefetch};
use crate::{NONE, TreeError};
use rayon::prelude::*;

/// Whether every parent comes before its children. Such parents are those of a forest.
pub fn parents_come_first(parents: &[u32]) -> bool {
    const ROW: usize = 1 << 12;
    let row = |(k, row): (usize, &[u32])| {
        let first = (k * ROW) as u32;
        let before = |(&p, v): (&u32, u32)| p < v || p == NONE;
        row.iter().zip(first..).fold(true, |all, x| all & before(x))
    };
    parents.len() <= crate::MAX_VERTICES && parents.chunks(ROW).enumerate().all(row)
}

/// The number of children of every vertex, in a byte each so that ten million of
/// them fit a cache; the few that need more are listed apart.
#[derive(Debug)]
pub struct ChildCounts {
    /// The number of children modulo 256.
    pub low: Vec<u8>,
    /// One entry for every 256 children of a vertex.
    pub carries: Vec<u32>,
    /// The vertices with no parent, ascending.
    pub roots: Vec<u32>,
    /// Whether every parent comes before its children.
    pub ascending: bool,
    /// Whether every parent comes after its children.
    pub descending: bool,
}

/// Below this many vertices a second thread is not worth its start.
const SHARED_FROM: usize = 1 << 18;

/// Threads that count, at most: each has a byte per vertex.
const MOST_TASKS: usize = 4;

/// A vertex in so many has children where few have.
const ONE_IN: usize = 32;

impl ChildCounts {
    /// Counts, checks that parents are in range, and notices the order.
    ///
    /// # Errors
    /// A parent out of range, or too many vertices.
    pub fn new(parents: &[u32]) -> Result<ChildCounts, TreeError> {
        let n = parents.len();
        if n > crate::MAX_VERTICES {
            return Err(TreeError::TooMany { vertices: n as u64 });
        }
        let tasks = match n {
            ..SHARED_FROM => 1,
            _ => rayon::current_num_threads().min(MOST_TASKS),
        };
        ChildCounts::by_tasks(parents, tasks)
    }

    /// Whether there are few vertices with children, as in a star.
    pub fn few_have_children(&self) -> bool {
        let rows = self.low.chunks(1 << 12);
        let some: usize =
            rows.map(|row| row.iter().map(|&c| usize::from(c != 0)).sum::<usize>()).sum();
        some + self.carries.len() <= self.low.len() / ONE_IN
    }

    /// Counts in so many tasks, of which each has a stretch of the vertices.
    fn by_tasks(parents: &[u32], tasks: usize) -> Result<ChildCounts, TreeError> {
        let n = parents.len();
        let share = n.div_ceil(tasks).max(1);
        let mut parts: Vec<Result<Part, TreeError>> = Vec::new();
        parents
            .par_chunks(share)
            .enumerate()
            .map(|(k, part)| Part::new(n, k * share, part))
            .collect_into_vec(&mut parts);
        // The first error is that of the first vertex.
        let mut parts = parts.into_iter();
        let mut all = parts.next().unwrap_or_else(|| Part::new(0, 0, &[]))?;
        for part in parts {
            all.add(part?);
        }
        let Part { low, carries, roots, before, after } = all;
        let (ascending, descending) = (before + roots.len() == n, after + roots.len() == n);
        Ok(ChildCounts { low, carries, roots, ascending, descending })
    }
}

/// What one task counts.
struct Part {
    low: Vec<u8>,
    carries: Vec<u32>,
    roots: Vec<u32>,
    /// How many have a parent with a smaller number, and with a larger one.
    before: usize,
    after: usize,
}

impl Part {
    /// The children among the vertices from `first` on, which have these parents, of `n` vertices.
    fn new(n: usize, first: usize, parents: &[u32]) -> Result<Part, TreeError> {
        const AHEAD: usize = 32;
        let mut low: Vec<u8> = huge_zeroed(n);
        let (mut carries, mut roots) = (Vec::new(), Vec::new());
        // Comparisons are counted, not branched on: on shuffled labels they are
        // coin tosses.
        let (mut before, mut after) = (0usize, 0usize);
        for (k, &p) in parents.iter().enumerate() {
            let v = first + k;
            if let Some(&far) = parents.get(k + AHEAD) {
                prefetch(&low, far as usize);
            }
            match low.get_mut(p as usize) {
                Some(count) => {
                    *count = count.wrapping_add(1);
                    if *count == 0 {
                        carries.push(p);
                    }
                    before += usize::from((p as usize) < v);
                    after += usize::from((p as usize) > v);
                }
                None if p == NONE => roots.push(v as u32),
                None => {
                    let vertex = v as u32;
                    return Err(TreeError::ParentOutOfRange { vertex, parent: p, vertices: n });
                }
            }
        }
        Ok(Part { low, carries, roots, before, after })
    }

    /// Adds what the task after this one counted.
    fn add(&mut self, other: Part) {
        const ROW: usize = 1 << 16;
        let rows = self.low.par_chunks_mut(ROW).zip(other.low.par_chunks(ROW)).enumerate();
        let carries: Vec<Vec<u32>> = rows
            .map(|(row, (to, from))| {
                let mut carries = Vec::new();
                // As a rule there are none, which vectors see.
                let carry = |(to, from): (&u8, &u8)| to.checked_add(*from).is_none();
                if to.iter().zip(from).fold(false, |any, pair| any | carry(pair)) {
                    let all = to.iter().zip(from).enumerate();
                    let wraps = all.filter(|&(_, pair)| carry(pair));
                    carries.extend(wraps.map(|(k, _)| (row * ROW + k) as u32));
                }
                to.iter_mut().zip(from).for_each(|(to, from)| *to = to.wrapping_add(*from));
                carries
            })
            .collect();
        self.carries.extend(other.carries);
        self.carries.extend(carries.into_iter().flatten());
        self.roots.extend(other.roots);
        self.before += other.before;
        self.after += other.after;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tasks_count_as_one_does() {
        // Vertex 5 has 700 children, 6 has 300: more than a byte, in one task or in all together.
        let parents: Vec<u32> = (0..3000u32)
            .map(|v| match v % 10 {
                0 if v % 70 != 0 => 6,
                1..=3 if v < 2400 => 5,
                _ if v % 500 == 0 => NONE,
                _ => v * 7919 % 3000,
            })
            .collect();
        let total = |counts: &ChildCounts| {
            let mut total: Vec<usize> = counts.low.iter().map(|&c| c.into()).collect();
            counts.carries.iter().for_each(|&v| total[v as usize] += 256);
            total
        };
        let one = ChildCounts::by_tasks(&parents, 1).expect("parents in range");
        let mut plain = vec![0; 3000];
        parents.iter().filter(|&&p| p != NONE).for_each(|&p| plain[p as usize] += 1);
        assert_eq!(total(&one), plain);
        for tasks in [2, 3, 4, 7] {
            let some = ChildCounts::by_tasks(&parents, tasks).expect("parents in range");
            assert_eq!(total(&some), plain, "{tasks}");
            assert_eq!(some.roots, one.roots);
            assert_eq!((some.ascending, some.descending), (false, false));
        }
        let mut wrong = parents.clone();
        (wrong[2900], wrong[100]) = (4000, 3000);
        for tasks in [1, 2, 4] {
            let error = ChildCounts::by_tasks(&wrong, tasks).expect_err("out of range");
            let expected =
                TreeError::ParentOutOfRange { vertex: 100, parent: 3000, vertices: 3000 };
            assert_eq!(error, expected);
        }
        let path: Vec<u32> = (0..10u32).map(|v| v.wrapping_sub(1)).collect();
        assert!(ChildCounts::by_tasks(&path, 3).expect("a path").ascending);
        assert!(ChildCounts::by_tasks(&[], 2).expect("nothing").low.is_empty());
    }
}
