//! Ordered products of array ranges.
//!
//! **Problem.** Input: an array, a monoid and a range. Output: the product of the
//! range's elements in order.
//!
//! **Method.** The array is cut into blocks of sixteen; an iterative segment tree
//! stands on the products of the blocks. A range is a few elements, whole blocks,
//! a few elements. The tree keeps what it gathers on the left and on the right
//! apart, so that order is kept for every number of blocks. The other direction
//! is the same routine under the [`Flip`]ped operator.
//!
//! **Cost.** O(n) to build, 1/8 element per array element kept; a query takes at
//! most 30 + 2 log₂(n/16) combines. Blocks make it three times smaller than a
//! tree down to the elements, and read consecutive memory instead of four levels.
//!
//! **Determinism.** The bracketing depends on the range and the length alone.
//!
//! **Reference.** The bottom-up segment tree is folklore; Al.Cash, *Efficient
//! and easy segment trees*, Codeforces blog 18051 (2015), discusses operators
//! that do not commute.
//!
//! **When not to use.** When ranges begin at fixed places prefix products do.

use palmette_core::Monoid;
use std::ops::Range;

const BLOCK: usize = 16;

/// An operator with its sides swapped: what walks the other way multiplies by it.
pub(super) struct Flip<'a, M>(pub(super) &'a M);

impl<M: Monoid> Monoid for Flip<'_, M> {
    type Elem = M::Elem;
    #[inline]
    fn identity(&self) -> M::Elem {
        self.0.identity()
    }
    #[inline]
    fn combine(&self, left: M::Elem, right: M::Elem) -> M::Elem {
        self.0.combine(right, left)
    }
}

/// A segment tree on the blocks of an array: node `i` has the children `2i` and
/// `2i + 1`, the products of the blocks are the last half. When the number of
/// blocks is no power of two some upper nodes mix both ends; no query reads them.
#[derive(Debug, Clone)]
pub(super) struct Ranges<E> {
    nodes: Vec<E>,
}

impl<E: Copy> Ranges<E> {
    pub(super) fn new<M: Monoid<Elem = E>>(op: &M, values: &[E]) -> Ranges<E> {
        let blocks = values.len() / BLOCK;
        let mut nodes = vec![op.identity(); 2 * blocks];
        for (node, block) in nodes[blocks..].iter_mut().zip(values.chunks_exact(BLOCK)) {
            *node = product(op, block);
        }
        for i in (1..blocks).rev() {
            nodes[i] = op.combine(nodes[2 * i], nodes[2 * i + 1]);
        }
        Ranges { nodes }
    }

    /// The product of `values[range]`, for the values and the operator of `new`.
    pub(super) fn product<M: Monoid<Elem = E>>(
        &self,
        op: &M,
        values: &[E],
        range: Range<usize>,
    ) -> E {
        let (first, last) = (range.start.div_ceil(BLOCK), range.end / BLOCK);
        if first >= last {
            return product(op, &values[range]);
        }
        let mut left = product(op, &values[range.start..first * BLOCK]);
        let mut right = product(op, &values[last * BLOCK..range.end]);
        let blocks = self.nodes.len() / 2;
        let (mut l, mut r) = (blocks + first, blocks + last);
        while l < r {
            if l % 2 == 1 {
                left = op.combine(left, self.nodes[l]);
                l += 1;
            }
            if r % 2 == 1 {
                r -= 1;
                right = op.combine(self.nodes[r], right);
            }
            (l, r) = (l / 2, r / 2);
        }
        op.combine(left, right)
    }
}

fn product<M: Monoid>(op: &M, values: &[M::Elem]) -> M::Elem {
    values.iter().fold(op.identity(), |product, &x| op.combine(product, x))
}
