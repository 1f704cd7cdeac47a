//! Operators behind pointers to functions, on elements of one, two or four words.
//!
//! There are some thirty pairs of an operator and a type, and ten engines for each. Compiled one by
//! one they cost minutes; as words they are three element types. A combination then is a call
//! through a pointer, about a nanosecond, which beside reading and writing files is nothing; the
//! sums, which are used most, do without it (see `problem.rs`).
//!
//! Simulated processors know their operator by heart: a function and the one number that an
//! operator may have. What they keep has no references, so the function gives the others.

use super::*;
pub(super) use palmette_core::operator::Words;
use palmette_core::operator::{
    Affine, AffineModulo, And, ArgMax, ArgMin, Matrix, MatrixModulo, Min, Operator, Or,
    ProductModulo, RollingHash, Xor,
};

/// An operator that has at most one number, so that it can be carried in a word.
pub(super) trait OneNumber: Operator + Copy + 'static {
    fn number(&self) -> u64;
    fn of(number: u64) -> Self;
}

macro_rules! no_number {
    ($($name:ident)*) => {$(
        impl<T: 'static> OneNumber for $name<T>
        where
            $name<T>: Operator + Copy,
        {
            fn number(&self) -> u64 {
                0
            }
            fn of(_: u64) -> Self {
                $name::new()
            }
        }
    )*};
}
no_number! { Sum Min Max Xor And Or ArgMin ArgMax }

const NOT_ZERO: &str = "the modulus of an operator is not zero";

macro_rules! one_number {
    ($($name:ty: $number:expr, $of:expr;)*) => {$(
        impl OneNumber for $name {
            fn number(&self) -> u64 {
                let number: fn(&$name) -> u64 = $number;
                number(self)
            }
            #[inline(always)]
            fn of(number: u64) -> Self {
                let of: fn(u64) -> $name = $of;
                of(number)
            }
        }
    )*};
}
one_number! {
    Affine: |_| 0, |_| Affine;
    Matrix: |_| 0, |_| Matrix;
    // The base is in its elements.
    RollingHash: |_| 0, |_| const { RollingHash::new(0) };
    ProductModulo: |op| op.modulus(), |m| ProductModulo::new(m).expect(NOT_ZERO);
    AffineModulo: |op| op.modulus(), |m| AffineModulo::new(m).expect(NOT_ZERO);
    MatrixModulo: |op| op.modulus(), |m| MatrixModulo::new(m).expect(NOT_ZERO);
}

/// Any operator, on words.
#[derive(Clone, Copy)]
pub(super) struct WordOperator<const N: usize> {
    code: &'static Code<N>,
    number: u64,
}

palmette_spatial::plain! {
    /// Any operator, on words, for processors: they may keep functions, but no references.
    #[derive(Clone, Copy)]
    pub(super) struct ProcessorOperator<const N: usize> {
        code: fn() -> &'static Code<N>,
        number: u64,
    }
}

struct Code<const N: usize> {
    /// What gives this code.
    again: fn() -> &'static Code<N>,
    identity: fn(u64) -> [u64; N],
    combine: fn(u64, [u64; N], [u64; N]) -> [u64; N],
    undo: fn(u64, [u64; N]) -> Option<[u64; N]>,
}

fn code<M: OneNumber<Elem: Words<N>>, const N: usize>() -> &'static Code<N> {
    const {
        &Code {
            again: code::<M, N>,
            identity: |number| M::of(number).identity().to_words(),
            combine: |number, left, right| {
                let (left, right) = (Words::from_words(left), Words::from_words(right));
                M::of(number).combine(left, right).to_words()
            },
            undo: |number, x| M::of(number).undo(Words::from_words(x)).map(Words::to_words),
        }
    }
}

impl<const N: usize> WordOperator<N> {
    pub(super) fn new<M: OneNumber<Elem: Words<N>>>(op: &M) -> WordOperator<N> {
        WordOperator { code: code::<M, N>(), number: op.number() }
    }

    /// The same operator without references.
    pub(super) fn for_processors(self) -> ProcessorOperator<N> {
        ProcessorOperator { code: self.code.again, number: self.number }
    }
}

impl<const N: usize> Monoid for WordOperator<N> {
    type Elem = [u64; N];
    #[inline]
    fn identity(&self) -> [u64; N] {
        (self.code.identity)(self.number)
    }
    #[inline]
    fn combine(&self, left: [u64; N], right: [u64; N]) -> [u64; N] {
        (self.code.combine)(self.number, left, right)
    }
}

impl<const N: usize> Operator for WordOperator<N> {
    fn undo(&self, x: [u64; N]) -> Option<[u64; N]> {
        (self.code.undo)(self.number, x)
    }
}

impl<const N: usize> Monoid for ProcessorOperator<N> {
    type Elem = [u64; N];
    #[inline]
    fn identity(&self) -> [u64; N] {
        ((self.code)().identity)(self.number)
    }
    #[inline]
    fn combine(&self, left: [u64; N], right: [u64; N]) -> [u64; N] {
        ((self.code)().combine)(self.number, left, right)
    }
}
