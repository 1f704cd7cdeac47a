//! Ordered products along paths, for any monoid.
//!
//! **Problem.** Input: a value on every vertex (or on every edge), a monoid, two
//! positions `u` and `v`. Output: the product of the values in the order of
//! walking from `u` up to the LCA and down to `v`, both ends included. With
//! values on edges the LCA's own value (the edge above it) is left out.
//!
//! **Method.** The way up consists of beginnings of heavy paths read upwards and
//! the way down of beginnings read downwards: both are prefix products from the
//! heads, one array for either direction as the operator need not commute. Where
//! the two meet, one range of one path is left; the segment trees of `range.rs`
//! give it, again in the direction of the walk. No inverse is used.
//!
//! **Cost.** O(n) to build; a query O(log n): at most one combine per heavy path and
//! 2 log₂ n + 22 for the last range, none if it begins at a head. 3.25 elements per vertex are
//! kept, beside the heavy paths. A batch runs on rayon's threads.
//!
//! **Determinism.** The bracketing is fixed by the tree and the pair; floating
//! point gives the same bits for any number of threads. It differs from a
//! left-to-right product by rounding: for sums of m nonnegative numbers by a
//! factor of at most (1 + ε)^(m − 1).
//!
//! **Reference.** D. Sleator, R. Tarjan, JCSS 26 (1983), section 5, with static
//! trees; N. Alon, B. Schieber, *Optimal preprocessing for answering on-line
//! product queries* (1987), for what is possible.
//!
//! **When not to use.** With a group, two rootfix values and an LCA suffice; for
//! one query, walk.

use super::PathError;
use super::ancestor::batch;
use super::heavy::HeavyPaths;
use super::range::{Flip, Ranges};
use palmette_core::Monoid;

/// Products along paths; see the opening of `path.rs` for the method.
///
/// ```
/// use palmette_core::{Monoid, NONE, Tree};
/// use palmette_tree::paths::{HeavyPaths, PathAggregate};
/// /// Appends decimal digits: (number, 10^digits). It does not commute.
/// struct Digits;
/// impl Monoid for Digits {
///     type Elem = (u64, u64);
///     fn identity(&self) -> (u64, u64) { (0, 1) }
///     fn combine(&self, a: (u64, u64), b: (u64, u64)) -> (u64, u64) {
///         (a.0 * b.1 + b.0, a.1 * b.1)
///     }
/// }
/// //   0
/// //  / \
/// // 1   3
/// // |
/// // 2
/// let tree = Tree::from_parents(&[NONE, 0, 1, 0]).unwrap();
/// let heavy = HeavyPaths::new(&tree);
/// let digits = [(7, 10), (1, 10), (2, 10), (3, 10)];
/// let vertices = PathAggregate::new(&heavy, &digits, Digits).unwrap();
/// assert_eq!(vertices.product(2, 3), Some((2173, 10_000)));
/// assert_eq!(vertices.product(3, 2), Some((3712, 10_000)));
/// let edges = PathAggregate::on_edges(&heavy, &digits, Digits).unwrap();
/// assert_eq!(edges.product(2, 3), Some((213, 1000)));
/// ```
#[derive(Debug, Clone)]
pub struct PathAggregate<'a, M: Monoid> {
    heavy: &'a HeavyPaths,
    op: M,
    /// 1 when the value of the LCA is left out, 0 otherwise.
    skip: u32,
    /// All arrays from here on are by rank.
    values: Vec<M::Elem>,
    down: Direction<M::Elem>,
    up: Direction<M::Elem>,
}

impl<'a, M: Monoid> PathAggregate<'a, M> {
    /// Prepares products of values on vertices, given by position.
    ///
    /// # Errors
    /// If there is not exactly one value per vertex.
    pub fn new(heavy: &'a HeavyPaths, values: &[M::Elem], op: M) -> Result<Self, PathError> {
        PathError::check_count("values", heavy.len(), values.len())?;
        let values: Vec<_> = heavy.order().iter().map(|&i| values[i as usize]).collect();
        let down = Direction::new(&op, heavy, &values);
        let up = Direction::new(&Flip(&op), heavy, &values);
        Ok(PathAggregate { heavy, op, skip: 0, values, down, up })
    }

    /// Prepares products of values on edges: the value of a position is that of
    /// the edge to its parent. Values of roots are never used.
    ///
    /// # Errors
    /// If there is not exactly one value per vertex.
    pub fn on_edges(heavy: &'a HeavyPaths, values: &[M::Elem], op: M) -> Result<Self, PathError> {
        Ok(PathAggregate { skip: 1, ..PathAggregate::new(heavy, values, op)? })
    }

    /// The product in the order of walking from `u` to `v`; `None` when they are
    /// in different components.
    pub fn product(&self, u: u32, v: u32) -> Option<M::Elem> {
        let (op, heavy) = (&self.op, self.heavy);
        let (mut a, mut b) = (heavy.place(u), heavy.place(v));
        let (mut left, mut right) = (op.identity(), op.identity());
        // `left` is the walk from u to just below a, `right` the one from just below b to v.
        while a.path != b.path {
            if a.path > b.path {
                left = op.combine(left, self.up.prefix[a.rank as usize]);
                a = heavy.above(a)?;
            } else {
                right = op.combine(self.down.prefix[b.rank as usize], right);
                b = heavy.above(b)?;
            }
        }
        let head = heavy.heavy_path(a.path).start;
        let (top, bottom) = (a.rank.min(b.rank) + self.skip, a.rank.max(b.rank));
        let last = if a.rank > b.rank {
            self.up.product(&Flip(op), &self.values, head, top, bottom)
        } else {
            self.down.product(op, &self.values, head, top, bottom)
        };
        Some(op.combine(op.combine(left, last), right))
    }

    /// [`PathAggregate::product`] of many pairs, in parallel.
    pub fn batch(&self, pairs: &[(u32, u32)]) -> Vec<Option<M::Elem>> {
        batch(pairs, |u, v| self.product(u, v))
    }
}

/// What one direction of walking needs: products from each head to each vertex
/// of its path, and of any range.
#[derive(Debug, Clone)]
struct Direction<E> {
    prefix: Vec<E>,
    ranges: Ranges<E>,
}

impl<E: Copy> Direction<E> {
    fn new<M: Monoid<Elem = E>>(op: &M, heavy: &HeavyPaths, values: &[E]) -> Direction<E> {
        let mut prefix = values.to_vec();
        for path in heavy.paths() {
            let start = heavy.rank(path[0]) as usize;
            for r in start + 1..start + path.len() {
                prefix[r] = op.combine(prefix[r - 1], prefix[r]);
            }
        }
        Direction { prefix, ranges: Ranges::new(op, values) }
    }

    /// The product of ranks `top ..= bottom`; they are on the path of `head`, or
    /// `top` is just past `bottom` and nothing is multiplied.
    fn product<M: Monoid<Elem = E>>(
        &self,
        op: &M,
        values: &[E],
        head: u32,
        top: u32,
        bottom: u32,
    ) -> E {
        if top == head {
            self.prefix[bottom as usize]
        } else {
            self.ranges.product(op, values, top as usize..bottom as usize + 1)
        }
    }
}
