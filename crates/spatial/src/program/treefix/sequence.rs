//! A product with gaps.
//!
//! **Problem.** The product of a vertex's value and those below it, in order, while two
//! factors are not known yet: `v0 _ v1 _ v2`.
//!
//! **Method.** A gap is *unknown* as long as more than one vertex below it is unfinished.
//! It turns into a *hole* when one is left: a supervertex, whose product is still to come,
//! with known factors on both sides; and it closes. Known factors are multiplied into the
//! values beside the gap, whatever the order in which they arrive: associativity is all
//! that is needed. With one hole left, the sequence is the context (L, R) of that hole.

use crate::plain;
use palmette_core::Monoid;

plain! {
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    enum Gap {
        Closed,
        Hole,
        Unknown,
    }
}

plain! {
    /// Three values with two gaps between them.
    #[derive(Debug, Clone, Copy)]
    pub(super) struct Sequence<T> {
        values: [T; 3],
        holes: [u32; 2],
        gaps: [Gap; 2],
    }
}

/// What is on both sides of the only hole.
pub(super) struct Context<T> {
    pub(super) left: T,
    pub(super) hole: u32,
    pub(super) right: T,
}

impl<T: Copy> Sequence<T> {
    /// A value, then a gap for each of two groups of vertices with these heads and lengths.
    /// Identities are filled in by [`Sequence::begin`].
    pub(super) fn new(value: T, heads: [u32; 2], lengths: [u32; 2]) -> Sequence<T> {
        let gap = |length| match length {
            0 => Gap::Closed,
            1 => Gap::Hole,
            _ => Gap::Unknown,
        };
        Sequence { values: [value; 3], holes: heads, gaps: lengths.map(gap) }
    }

    /// Keeps the first value, if there is one, and clears the others.
    pub(super) fn begin<M: Monoid<Elem = T>>(&mut self, operator: &M, keep: bool) {
        let identity = operator.identity();
        let first = if keep { self.values[0] } else { identity };
        self.values = [first, identity, identity];
    }

    /// Whether more than one vertex below a gap is unfinished, as far as is known.
    pub(super) fn is_unknown(&self, gap: usize) -> bool {
        self.gaps[gap] == Gap::Unknown
    }

    /// Whether everything below a gap is known.
    pub(super) fn is_closed(&self, gap: usize) -> bool {
        self.gaps[gap] == Gap::Closed
    }

    /// A gap is a hole now, with known factors on both sides of it.
    pub(super) fn open<M: Monoid<Elem = T>>(
        &mut self,
        operator: &M,
        gap: usize,
        Context { left, hole, right }: Context<T>,
    ) {
        self.gaps[gap] = Gap::Hole;
        self.holes[gap] = hole;
        self.values[gap] = operator.combine(self.values[gap], left);
        self.values[gap + 1] = operator.combine(right, self.values[gap + 1]);
    }

    /// A gap is filled.
    pub(super) fn close<M: Monoid<Elem = T>>(&mut self, operator: &M, gap: usize, value: T) {
        self.gaps[gap] = Gap::Closed;
        let [first, second, third] = self.values;
        let before = if gap == 0 { first } else { second };
        let after = if gap == 0 { second } else { third };
        self.values[1] = operator.combine(operator.combine(before, value), after);
        self.values[2 * gap] = operator.identity();
    }

    /// Puts a value in front.
    pub(super) fn prepend<M: Monoid<Elem = T>>(&mut self, operator: &M, value: T) {
        self.values[0] = operator.combine(value, self.values[0]);
    }

    /// The number of gaps that are not closed.
    pub(super) fn gaps(&self) -> usize {
        self.gaps.iter().filter(|&&gap| gap != Gap::Closed).count()
    }

    /// Which gap is left.
    pub(super) fn last_gap(&self) -> usize {
        usize::from(self.gaps[0] == Gap::Closed)
    }

    /// Whether one gap is left and it is a hole.
    pub(super) fn has_one_hole(&self) -> bool {
        self.gaps() == 1 && self.gaps[self.last_gap()] == Gap::Hole
    }

    /// The vertex in the last gap.
    pub(super) fn hole(&self) -> u32 {
        self.holes[self.last_gap()]
    }

    /// What surrounds the last gap.
    pub(super) fn context<M: Monoid<Elem = T>>(&self, operator: &M) -> Context<T> {
        let [first, second, third] = self.values;
        let hole = self.hole();
        match self.last_gap() {
            0 => Context { left: first, hole, right: operator.combine(second, third) },
            _ => Context { left: operator.combine(first, second), hole, right: third },
        }
    }

    /// The product, once all gaps are closed.
    pub(super) fn product<M: Monoid<Elem = T>>(&self, operator: &M) -> T {
        let [first, second, third] = self.values;
        operator.combine(operator.combine(first, second), third)
    }

    /// The product, once all gaps are closed; it is the first value from then on.
    pub(super) fn collapse<M: Monoid<Elem = T>>(&mut self, operator: &M) -> T {
        self.values = [self.product(operator), operator.identity(), operator.identity()];
        self.values[0]
    }

    /// The first value.
    pub(super) fn first(&self) -> T {
        self.values[0]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use palmette_core::operator::MatrixModulo;

    const OPERATOR: MatrixModulo = MatrixModulo::new(1_000_003).unwrap();

    /// Factors arrive in any order; the product is that of the order of places.
    #[test]
    fn order_of_arrival_does_not_matter() {
        let value = |k: u64| [k, k + 1, 2 * k + 1, 3];
        let expected = (0..7).map(value).reduce(|a, b| OPERATOR.combine(a, b)).unwrap();
        // v0 (v1 [v2] v3) ([v5 at once] as v4 v5 v6)
        for first in [0, 1] {
            let mut sequence = Sequence::new(value(0), [8, 9], [2, 3]);
            sequence.begin(&OPERATOR, true);
            assert!(!sequence.has_one_hole());
            for gap in [first, 1 - first] {
                let context = if gap == 0 {
                    Context { left: value(1), hole: 5, right: value(3) }
                } else {
                    Context { left: value(4), hole: 6, right: value(6) }
                };
                sequence.open(&OPERATOR, gap, context);
            }
            assert_eq!(sequence.gaps(), 2);
            sequence.close(&OPERATOR, 1 - first, value(if first == 1 { 2 } else { 5 }));
            assert!(sequence.has_one_hole());
            assert_eq!(sequence.hole(), if first == 1 { 6 } else { 5 });
            let Context { left, right, .. } = sequence.context(&OPERATOR);
            let last = value(if first == 1 { 5 } else { 2 });
            let around = OPERATOR.combine(OPERATOR.combine(left, last), right);
            sequence.close(&OPERATOR, first, last);
            assert_eq!((around, sequence.product(&OPERATOR)), (expected, expected));
        }
    }
}
