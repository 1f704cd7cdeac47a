//! Sums of many columns in one pass over the structure.
//!
//! **Problem.** Input: a tree and a matrix with a row of numbers for every vertex. Output: the sums
//! of a rootfix or leaffix for every column.
//!
//! **Method.** One sweep over the tree adds whole rows, so that the structure is read once and a row
//! is added by vectors. Wide matrices are swept in stretches of 64 columns, whose rows on
//! the way to the root fit the cache; threads share the stretches.
//!
//! **Cost.** One pass over the structure per stretch; 16 bytes per number of 8 bytes, and for
//! vertices that are numbered in another way than in preorder a random row per vertex.
//!
//! **Determinism.** The association of the sequential engine, whatever the threads.
//!
//! **When not to use.** For one column: [`by_vertex`](crate::by_vertex()) uses threads there.

use crate::engine::check_length;
use crate::{Direction, Scope, TreefixError};
use palmette_core::memory::{SharedSlice, prefetch};
use palmette_core::operator::Number;
use palmette_core::tree::VertexOrder;
use palmette_core::{Tree, parallel};
use std::ops::Range;

/// Columns that are swept together.
const STRETCH: usize = 64;

/// Rows of fewer columns are short.
const SHORT: usize = 8;

/// How many rows ahead of its use a row is asked for.
const AHEAD: usize = 12;

/// The sums of all columns of a matrix by vertex, row after row, into another one. `order` is the
/// tree's, or [`VertexOrder::Preorder`] if rows are by position.
///
/// ```
/// use palmette_core::{NONE, Tree};
/// use palmette_tree::{Direction, Scope, sum_columns};
/// let tree = Tree::from_parents(&[2, 0, NONE, 2]).unwrap();
/// let mut sums = [0; 8];
/// let values = [1, 5, 10, 6, 100, 7, 1000, 8];
/// let (order, direction, scope) = (tree.vertex_order(), Direction::Leaffix, Scope::Inclusive);
/// sum_columns(&tree, order, direction, &values, 2, scope, &mut sums).unwrap();
/// assert_eq!(sums, [11, 11, 10, 6, 1111, 26, 1000, 8]);
/// ```
///
/// # Errors
/// When a matrix has not one row of so many columns per vertex.
pub fn sum_columns<T: Number>(
    tree: &Tree,
    order: VertexOrder<'_>,
    direction: Direction,
    values: &[T],
    columns: usize,
    scope: Scope,
    out: &mut [T],
) -> Result<(), TreefixError> {
    for length in [values.len(), out.len()] {
        check_length(tree, length / columns.max(1))?;
        if columns == 0 || !length.is_multiple_of(columns) {
            return Err(TreefixError::Length { expected: tree.len() * columns, actual: length });
        }
    }
    // A thread has at least a cache line of each row.
    let share = columns.div_ceil(rayon::current_num_threads()).next_multiple_of(8);
    let stretch = share.min(STRETCH);
    let sweep = Sweep { values, columns, scope, out: SharedSlice::new(out) };
    let (at, parents, sizes) = match order {
        VertexOrder::Preorder => (None, tree.parents(), Some(tree.sizes())),
        VertexOrder::ParentsFirst(parents) => (None, parents, None),
        VertexOrder::Other => (Some(tree.vertices()), tree.parents(), Some(tree.sizes())),
    };
    // A row that is cleared costs less than a wrong guess of which child is the last, if it is short.
    let sizes = sizes.filter(|_| columns >= SHORT);
    parallel::stretches(columns, stretch, &|range| match direction {
        Direction::Leaffix => sweep.up(at, parents, sizes, range),
        Direction::Rootfix => sweep.down(at, parents, range),
    });
    Ok(())
}

struct Sweep<'a, T> {
    values: &'a [T],
    columns: usize,
    scope: Scope,
    out: SharedSlice<'a, T>,
}

impl<T: Number> Sweep<'_, T> {
    fn ask(&self, row: usize, columns: &Range<usize>) {
        let start = row * self.columns;
        for at in (start + columns.start..start + columns.end).step_by(64 / size_of::<T>()) {
            prefetch(self.values, at);
            self.out.prefetch(at);
        }
    }

    fn place(&self, row: usize, columns: &Range<usize>) -> Range<usize> {
        row * self.columns + columns.start..row * self.columns + columns.end
    }

    /// Rows by position (`at` has their vertices) or by vertex, from the last to the first.
    ///
    /// With `sizes`, rows are by position: a row of `out` is written first by the last child of its
    /// vertex, which is where the intervals of both end. Otherwise all rows are cleared first.
    fn up(
        &self,
        at: Option<&[u32]>,
        parents: &[u32],
        sizes: Option<&[u32]>,
        columns: Range<usize>,
    ) {
        let vertex = |i: usize| at.map_or(i, |at| at[i] as usize);
        let inclusive = self.scope == Scope::Inclusive;
        if sizes.is_none() {
            for v in 0..parents.len() {
                // SAFETY: only this task uses these columns.
                unsafe { self.out.slice_mut(self.place(v, &columns)) }.fill(T::ZERO);
            }
        }
        for i in (0..parents.len()).rev() {
            if at.is_some() && i >= AHEAD {
                self.ask(vertex(i - AHEAD), &columns);
            }
            let place = self.place(vertex(i), &columns);
            let own = &self.values[place.clone()];
            // SAFETY: only this task uses these columns, and a vertex is not its own parent.
            let sums = unsafe { self.out.slice_mut(place) };
            if sizes.is_some_and(|sizes| sizes[i] == 1) {
                sums.fill(T::ZERO);
            }
            let p = parents[i] as usize;
            if p >= parents.len() {
                if inclusive {
                    sums.iter_mut().zip(own).for_each(|(sum, &own)| *sum = own.add(*sum));
                }
                continue;
            }
            let is_last = |sizes: &[u32]| i + sizes[i] as usize == p + sizes[p] as usize;
            // SAFETY: as above.
            let above = unsafe { self.out.slice_mut(self.place(vertex(p), &columns)) };
            let rows = sums.iter_mut().zip(own).zip(above);
            match (sizes.is_some_and(is_last), inclusive) {
                (true, true) => rows.for_each(|((sum, &own), above)| {
                    *sum = own.add(*sum);
                    *above = sum.add(T::ZERO);
                }),
                (true, false) => {
                    rows.for_each(|((sum, &own), above)| *above = own.add(*sum).add(T::ZERO));
                }
                (false, true) => rows.for_each(|((sum, &own), above)| {
                    *sum = own.add(*sum);
                    *above = sum.add(*above);
                }),
                (false, false) => {
                    rows.for_each(|((sum, &own), above)| *above = own.add(*sum).add(*above));
                }
            }
        }
    }

    /// Rows from the first to the last.
    fn down(&self, at: Option<&[u32]>, parents: &[u32], columns: Range<usize>) {
        let vertex = |i: usize| at.map_or(i, |at| at[i] as usize);
        for (i, &above) in parents.iter().enumerate() {
            if at.is_some() && i + AHEAD < parents.len() {
                self.ask(vertex(i + AHEAD), &columns);
            }
            let place = self.place(vertex(i), &columns);
            let own = &self.values[place.clone()];
            // SAFETY: only this task uses these columns, and a vertex is not its own parent.
            let sums = unsafe { self.out.slice_mut(place) };
            let above = above as usize;
            if above < parents.len() {
                let above = self.place(vertex(above), &columns);
                // SAFETY: as above.
                let upper = unsafe { &*self.out.slice_mut(above.clone()) };
                let factor = match self.scope {
                    Scope::Inclusive => own,
                    Scope::Exclusive => &self.values[above],
                };
                for ((sum, &upper), &own) in sums.iter_mut().zip(upper).zip(factor) {
                    *sum = upper.add(own);
                }
            } else {
                match self.scope {
                    Scope::Inclusive => sums.copy_from_slice(own),
                    Scope::Exclusive => sums.fill(T::ZERO),
                }
            }
        }
    }
}
