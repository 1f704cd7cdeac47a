//! Fold with a finish: children combined by a monoid, then a map at the vertex; and its twin from
//! the root down.
//!
//! **Problem.** Input: a tree, and for each of many *blocks* of columns an operator. Output: at every
//! vertex `v` with children `c₁ … c_k` the value
//!
//! ```text
//! value(v) = finish_v(lift(value(c₁)) ⊕ … ⊕ lift(value(c_k))),    value(leaf) = what the operator says
//! ```
//!
//! where only `⊕` is associative. A leaffix is the case in which `finish` puts a vertex's own element
//! first. Fitch's rule (intersection, else union) is none: it is not associative, so no
//! [`Monoid`](palmette_core::Monoid) holds it, but counting in how many children a state is possible is
//! a sum, and the states that most children have are a map of that sum. The twin, [`Unfold`], has
//! `value(v) = step_v(value(parent), own(v))`.
//!
//! **Method.** A value is a *row* of words, the numbers of one block of columns at one vertex: 128
//! characters of an alignment, or eight numbers. A sweep takes one block through the whole tree, so
//! that its rows lie in one piece; threads share the blocks, not the tree.
//!
//! | engine | answers | memory per thread |
//! |---|---|---|
//! | [`sequential`] | all values of a block; the definition, to compare with | a value and a sum per vertex |
//! | [`live`] | values of the roots, and what was noted on the way | rows that wait for their parent, at most one per vertex, about one per level |
//! | [`up`] | all values | a row per vertex |
//! | [`down`] | all values, from the roots | a row per vertex |
//! | [`up_and_down`] | those of both, one after the other in place | a row per vertex |
//!
//! **Cost.** Linear work, one pass over the structure per block. No recursion: a path is a normal input. Where
//! an operator reads a matrix with a row per vertex, blocks of 40 columns or more keep its reads in one
//! piece, and with [`Fold::pair`] a vertex is one loop over its row: 1,000 columns of floats on 20,000 vertices
//! take 1.0 to 1.3 ns per value in blocks of 40 to 250 columns, 3.1 in blocks of eight.
//!
//! **Determinism.** A block is swept by one thread, from the last position to the first (or back), and
//! children are combined in their order: the same bits on any number of threads.
//!
//! **When not to use.** One column and an associative operator: [`leaffix`](crate::leaffix) shares one
//! column among threads. Sums of the columns of one matrix: [`sum_columns`](crate::sum_columns()).

mod both;
mod live;
mod sequential;
#[cfg(test)]
mod tests;

pub use both::{down, up, up_and_down};
pub use live::{Live, live};
pub use sequential::sequential;

/// The operator of a fold with a finish, as a value. Positions are those of the tree.
///
/// Laws: `gather` adds a child's value to a sum, and what a sum has depends on the children in their
/// order only, not on how they are grouped; `clear` makes the sum of no children.
///
/// ```
/// use palmette_core::{NONE, Tree};
/// use palmette_tree::fold::{Fold, up};
/// /// How many more leaves the largest child has than the others together, at least 0.
/// struct Excess;
/// impl Fold for Excess {
///     type Word = u32;
///     type Note = ();
///     fn value_words(&self) -> usize { 2 } // leaves, excess
///     fn sum_words(&self) -> usize { 2 } // sum and maximum of leaves
///     fn note(&self, _block: usize) {}
///     fn leaf(&self, _: usize, _: u32, value: &mut [u32]) { value.copy_from_slice(&[1, 0]) }
///     fn clear(&self, sum: &mut [u32]) { sum.fill(0) }
///     fn gather(&self, _: usize, _: u32, value: &[u32], sum: &mut [u32]) {
///         sum[0] += value[0];
///         sum[1] = sum[1].max(value[0]);
///     }
///     fn finish(&self, _: usize, _: u32, sum: &[u32], value: &mut [u32], _: &mut ()) {
///         value.copy_from_slice(&[sum[0], (2 * sum[1]).saturating_sub(sum[0])]);
///     }
/// }
/// let tree = Tree::from_parents(&[NONE, 0, 0, 2, 2, 2]).unwrap();
/// let blocks = up(&tree, &Excess, 0..1);
/// assert_eq!(blocks[0].0, [4, 2, 1, 0, 3, 0, 1, 0, 1, 0, 1, 0]);
/// ```
pub trait Fold: Sync {
    /// What rows are made of.
    type Word: Copy + Default + Send + Sync;
    /// What a block adds up beside its values, such as a score; `()` where nothing is.
    type Note: Send + Sync;

    /// Words of a value.
    fn value_words(&self) -> usize;
    /// Words of a sum over children.
    fn sum_words(&self) -> usize;
    /// What is noted of a block before its sweep.
    fn note(&self, block: usize) -> Self::Note;
    /// Writes the value of a leaf.
    fn leaf(&self, block: usize, vertex: u32, value: &mut [Self::Word]);
    /// Makes the sum of no children; what it held is of no interest.
    fn clear(&self, sum: &mut [Self::Word]);
    /// `sum ⊕ lift(value)`, of the next child.
    fn gather(&self, block: usize, child: u32, value: &[Self::Word], sum: &mut [Self::Word]);
    /// Writes the value of a vertex with children.
    fn finish(
        &self,
        block: usize,
        vertex: u32,
        sum: &[Self::Word],
        value: &mut [Self::Word],
        note: &mut Self::Note,
    );

    /// The value of a vertex with two children, where that is quicker than by way of a sum. Must write
    /// what the two gathered and finished give, and return true; or return false.
    fn pair(
        &self,
        _block: usize,
        _vertex: u32,
        _children: [&[Self::Word]; 2],
        _value: &mut [Self::Word],
        _note: &mut Self::Note,
    ) -> bool {
        false
    }
}

/// The operator of a pass from the roots down: from the value of the parent and what the vertex has.
pub trait Unfold: Sync {
    /// What rows are made of.
    type Word: Copy + Default + Send + Sync;
    /// What a block adds up beside its values; `()` where nothing is.
    type Note: Send + Sync;

    /// Words of a value.
    fn value_words(&self) -> usize;
    /// What is noted of a block before its sweep.
    fn note(&self, block: usize) -> Self::Note;
    /// Turns what a root has into its value.
    fn root(&self, block: usize, vertex: u32, own: &mut [Self::Word], note: &mut Self::Note);
    /// Turns what a vertex has into its value, given that of its parent.
    fn step(
        &self,
        block: usize,
        vertex: u32,
        parent: &[Self::Word],
        own: &mut [Self::Word],
        note: &mut Self::Note,
    );
}
