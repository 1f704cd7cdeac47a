//! Sums of many columns in one pass over the structure.
//!
//! **Problem.** Input: a tree and a matrix with a row of numbers for every vertex. Output: the sums
//! of a rootfix or leaffix for every column.
//!
//! **Method.** One sweep over the tree adds whole rows, so that the structure is read once and a row
//! is added by vectors. Rows of 2, 3, 4, 8 and 16 numbers are elements of an operator, for the sweeps
//! that there are for one column. Other matrices, and those that threads share, are swept in stretches
//! of at most 64 columns, whose rows on the way to the root fit the cache. A leaffix begins with a copy
//! of the values and adds rows in place.
//!
//! **Cost.** One pass over the structure per stretch; for a leaffix, a copy first. 16 bytes per number
//! of 8 bytes, and for vertices that are numbered in another way than in preorder a random row per
//! vertex. With 16 columns one or two times what copying the matrix takes.
//!
//! **Determinism.** One association, whatever the threads: a leaffix adds the last child first.
//!
//! **When not to use.** For one column: [`by_vertex`](crate::by_vertex()) uses threads there.

use crate::by_vertex::sweep;
use crate::engine::check_length;
use crate::watched::Watched;
use crate::{Direction, Scope, TreefixError};
use palmette_core::memory::{SharedSlice, prefetch};
use palmette_core::operator::Number;
use palmette_core::tree::VertexOrder;
use palmette_core::{Monoid, Tree, parallel};
use std::marker::PhantomData;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// Columns that are swept together where own values are left out, which takes a row besides.
const STRETCH: usize = 64;

/// Columns that are swept together otherwise: fewer rows would be pieces of as many pages.
const WIDE: usize = 512;

/// How many rows ahead of its use a row is asked for.
const AHEAD: usize = 12;

/// Numbers that are copied, or cleared, at a time.
const PIECE: usize = 1 << 16;

type Pass<T> = fn(&Tree, VertexOrder<'_>, Direction, &[T], usize, Scope, &mut [T]) -> bool;

/// The sums of all columns of a matrix by vertex, row after row, into another one. `order` is the
/// tree's, or [`VertexOrder::Preorder`] if rows are by position. Says whether sums of integers wrapped
/// on the way or sums of floats are not finite; yes may be a false alarm.
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
) -> Result<bool, TreefixError> {
    for length in [values.len(), out.len()] {
        check_length(tree, length / columns.max(1))?;
        if columns == 0 || !length.is_multiple_of(columns) {
            return Err(TreefixError::Length { expected: tree.len() * columns, actual: length });
        }
    }
    let pass: Pass<T> = match columns {
        2 => whole::<T, 2>,
        3 => whole::<T, 3>,
        4 => whole::<T, 4>,
        8 => whole::<T, 8>,
        16 if share(columns) >= 16 => whole::<T, 16>,
        _ => in_stretches,
    };
    Ok(pass(tree, order, direction, values, columns, scope, out))
}

/// All columns in stretches, which threads share.
fn in_stretches<T: Number>(
    tree: &Tree,
    order: VertexOrder<'_>,
    direction: Direction,
    values: &[T],
    columns: usize,
    scope: Scope,
    out: &mut [T],
) -> bool {
    if direction == Direction::Leaffix && scope == Scope::Exclusive {
        parallel::chunks_mut(out, PIECE, |_, out| out.fill(T::ZERO));
    }
    let most = match (direction, scope) {
        (Direction::Leaffix, Scope::Exclusive) => STRETCH,
        _ => WIDE,
    };
    let stretch = share(columns).min(most);
    let (at, parents) = match order {
        VertexOrder::Preorder => (None, tree.parents()),
        VertexOrder::ParentsFirst(parents) => (None, parents),
        VertexOrder::Other => (Some(tree.vertices()), tree.parents()),
    };
    let far = order != VertexOrder::Preorder;
    let out = SharedSlice::new(out);
    let doubt = AtomicBool::new(false);
    let rows = Sweep { at, parents, far, values, columns, scope, out };
    parallel::stretches(columns, stretch, &|range| {
        let mut noted = Noted::default();
        let sweep_rows = match (direction, range.len()) {
            (Direction::Leaffix, ..16) => Sweep::up::<4>,
            (Direction::Leaffix, _) => Sweep::up::<16>,
            (Direction::Rootfix, ..16) => Sweep::down::<4>,
            (Direction::Rootfix, _) => Sweep::down::<16>,
        };
        sweep_rows(&rows, range, &mut noted);
        doubt.fetch_or(noted.any(), Relaxed);
    });
    doubt.into_inner()
}

/// Columns for each thread, which has at least a cache line of each row.
fn share(columns: usize) -> usize {
    columns.div_ceil(rayon::current_num_threads()).next_multiple_of(8)
}

struct Sweep<'a, T> {
    /// The vertex by position, if rows are by vertex and the sweep goes by position.
    at: Option<&'a [u32]>,
    /// Parents come before their children.
    parents: &'a [u32],
    /// A parent's row may be far from its child's.
    far: bool,
    values: &'a [T],
    columns: usize,
    scope: Scope,
    out: SharedSlice<'a, T>,
}

/// Rows of `W` numbers, added as one.
struct Rows<T, const W: usize>(PhantomData<T>);

impl<T: Number, const W: usize> Monoid for Rows<T, W> {
    type Elem = [T; W];
    #[inline(always)]
    fn identity(&self) -> [T; W] {
        [T::ZERO; W]
    }
    #[inline(always)]
    fn combine(&self, left: [T; W], right: [T; W]) -> [T; W] {
        both::<T, W, false>(left, right, &mut Noted::default())
    }
}

impl<T: Number, const W: usize> Watched for Rows<T, W> {
    type Note = Noted<T>;
    const LASTS: bool = T::LASTS;
    #[inline(always)]
    fn noting(&self, left: [T; W], right: [T; W], note: &mut Noted<T>) -> [T; W] {
        both::<T, W, true>(left, right, note)
    }
    #[inline(always)]
    fn note(&self, row: [T; W], note: &mut Noted<T>) {
        note.row(&row);
    }
    fn noted(notes: &[Noted<T>]) -> bool {
        notes.iter().any(Noted::any)
    }
}

/// All columns, as rows of `W` numbers.
fn whole<T: Number, const W: usize>(
    tree: &Tree,
    order: VertexOrder<'_>,
    direction: Direction,
    values: &[T],
    _columns: usize,
    scope: Scope,
    out: &mut [T],
) -> bool {
    let (values, out) = (values.as_chunks().0, out.as_chunks_mut().0);
    sweep(tree, order, direction, values, &Rows::<T, W>(PhantomData), scope, true, out)
}

/// What is noted of columns, each in one of these.
#[derive(Clone, Copy)]
struct Noted<T>([T; 4]);

impl<T: Number> Default for Noted<T> {
    fn default() -> Self {
        Noted([T::ZERO; 4])
    }
}

impl<T: Number> Noted<T> {
    /// Notes what is wrong with a row that nothing is added to.
    fn row(&mut self, row: &[T]) {
        row.iter().for_each(|&x| T::doubt(x, T::ZERO, x, &mut self.0[0]));
    }

    fn any(&self) -> bool {
        self.0.into_iter().any(T::is_doubt)
    }
}

/// The sums of two pieces of rows. By value, so that the compiler knows that they are apart.
#[inline(always)]
fn both<T: Number, const W: usize, const NOTE: bool>(
    left: [T; W],
    right: [T; W],
    noted: &mut Noted<T>,
) -> [T; W] {
    let mut sums = [T::ZERO; W];
    for k in 0..W {
        sums[k] = left[k].add(right[k]);
        if NOTE {
            T::doubt(left[k], right[k], sums[k], &mut noted.0[k % 4]);
        }
    }
    sums
}

/// Adds a row to another one, `W` numbers at a time.
#[inline(always)]
fn add<T: Number, const W: usize, const NOTE: bool>(to: &mut [T], row: &[T], noted: &mut Noted<T>) {
    let ((to, last), (row, rest)) = (to.as_chunks_mut::<W>(), row.as_chunks::<W>());
    to.iter_mut().zip(row).for_each(|(to, &row)| *to = both::<T, W, NOTE>(*to, row, noted));
    for (to, &x) in last.iter_mut().zip(rest) {
        [*to] = both::<T, 1, NOTE>([*to], [x], noted);
    }
}

/// Writes the sum of two rows.
#[inline(always)]
fn write<T: Number, const W: usize>(to: &mut [T], left: &[T], right: &[T], noted: &mut Noted<T>) {
    let (to, last) = to.as_chunks_mut::<W>();
    let ((left, rest), (right, rest2)) = (left.as_chunks::<W>(), right.as_chunks::<W>());
    for ((to, &left), &right) in to.iter_mut().zip(left).zip(right) {
        *to = both::<T, W, true>(left, right, noted);
    }
    for ((to, &left), &right) in last.iter_mut().zip(rest).zip(rest2) {
        [*to] = both::<T, 1, true>([left], [right], noted);
    }
}

impl<T: Number> Sweep<'_, T> {
    #[inline(always)]
    fn vertex(&self, i: usize) -> usize {
        self.at.map_or(i, |at| at[i] as usize)
    }

    /// Asks for what the step at `i` needs and the hardware does not foresee: the row of a vertex, or,
    /// where vertices are swept as they are numbered, of its parent.
    #[inline(always)]
    fn ask(&self, i: usize, columns: &Range<usize>) {
        if !self.far {
            return;
        }
        let Some(&p) = self.parents.get(i) else { return };
        let row = if self.at.is_some() { self.vertex(i) } else { p as usize };
        let start = row.wrapping_mul(self.columns);
        for at in (columns.start..columns.end).step_by(64 / size_of::<T>()) {
            self.out.prefetch(start.wrapping_add(at));
            if self.at.is_some() {
                prefetch(self.values, start.wrapping_add(at));
            }
        }
    }

    #[inline(always)]
    fn place(&self, row: usize, columns: &Range<usize>) -> Range<usize> {
        row * self.columns + columns.start..row * self.columns + columns.end
    }

    /// Rows from the last to the first. `out` holds zeros if own values are left out; else a row is first
    /// written when its last child's is added to the values, or when a leaf's turn comes.
    fn up<const W: usize>(&self, columns: Range<usize>, noted: &mut Noted<T>) {
        let n = self.parents.len();
        let inclusive = self.scope == Scope::Inclusive;
        let mut begun = vec![0u64; if inclusive { n.div_ceil(64) } else { 0 }];
        for i in (0..n).rev() {
            self.ask(i.wrapping_sub(AHEAD), &columns);
            let place = self.place(self.vertex(i), &columns);
            // SAFETY: only this task uses these columns, and a vertex is not its own parent.
            let sums = unsafe { self.out.slice_mut(place.clone()) };
            let own = &self.values[place];
            if inclusive && begun[i / 64] >> (i % 64) & 1 == 0 {
                sums.copy_from_slice(own);
            }
            let p = self.parents[i] as usize;
            if p >= n {
                noted.row(sums);
                continue;
            }
            let place_above = self.place(self.vertex(p), &columns);
            // SAFETY: as above.
            let above = unsafe { self.out.slice_mut(place_above.clone()) };
            if inclusive {
                let (word, bit) = (&mut begun[p / 64], 1 << (p % 64));
                if *word & bit == 0 {
                    *word |= bit;
                    write::<T, W>(above, &self.values[place_above], sums, noted);
                } else if T::LASTS {
                    // What is not finite shows at a root at the latest.
                    add::<T, W, false>(above, sums, noted);
                } else {
                    add::<T, W, true>(above, sums, noted);
                }
            } else {
                let mut total = [T::ZERO; STRETCH];
                let total = &mut total[..own.len()];
                write::<T, W>(total, own, sums, noted);
                add::<T, W, true>(above, total, noted);
            }
        }
    }

    /// Rows from the first to the last.
    fn down<const W: usize>(&self, columns: Range<usize>, noted: &mut Noted<T>) {
        let n = self.parents.len();
        for (i, &above) in self.parents.iter().enumerate() {
            self.ask(i + AHEAD, &columns);
            let place = self.place(self.vertex(i), &columns);
            let own = &self.values[place.clone()];
            // SAFETY: only this task uses these columns, and a vertex is not its own parent.
            let sums = unsafe { self.out.slice_mut(place) };
            let above = above as usize;
            if above < n {
                let above = self.place(self.vertex(above), &columns);
                // SAFETY: as above.
                let upper = unsafe { &*self.out.slice_mut(above.clone()) };
                let own = match self.scope {
                    Scope::Inclusive => own,
                    Scope::Exclusive => &self.values[above],
                };
                write::<T, W>(sums, upper, own, noted);
            } else {
                match self.scope {
                    Scope::Inclusive => sums.copy_from_slice(own),
                    Scope::Exclusive => sums.fill(T::ZERO),
                }
                noted.row(sums);
            }
        }
    }
}
