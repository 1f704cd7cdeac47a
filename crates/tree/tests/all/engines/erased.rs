//! Operators behind a pointer, on elements of which only the size is known.
//!
//! Every engine is compiled anew for every operator; like this, only once for every
//! size of element, which makes the tests compile several times faster. Operators that
//! are compiled in are run by `large.rs` and by the examples in the documentation.

use palmette_core::operator::Operator;
use palmette_core::{Commutative, Monoid};

/// An element as bits.
pub(crate) trait Packed: Copy + Send + Sync {
    type Bits: Copy + Send + Sync;
    fn pack(self) -> Self::Bits;
    fn unpack(bits: Self::Bits) -> Self;
}

macro_rules! packed {
    ($($element:ty as $bits:ty: $pack:expr, $unpack:expr;)*) => {$(
        impl Packed for $element {
            type Bits = $bits;
            fn pack(self) -> $bits {
                $pack(self)
            }
            fn unpack(bits: $bits) -> Self {
                $unpack(bits)
            }
        }
    )*};
}

packed! {
    f32 as u32: f32::to_bits, f32::from_bits;
    u64 as u64: |x| x, |bits| bits;
    i64 as u64: |x| x as u64, |bits| bits as i64;
    f64 as u64: f64::to_bits, f64::from_bits;
    (i64, u32) as [u64; 2]:
        |(x, v): (i64, u32)| [x as u64, v.into()], |[x, v]: [u64; 2]| (x as i64, v as u32);
    (u64, u64) as [u64; 2]: |(x, y)| [x, y], |[x, y]: [u64; 2]| (x, y);
    [u64; 2] as [u64; 2]: |x| x, |bits| bits;
    [f64; 2] as [u64; 2]: |x: [f64; 2]| x.map(f64::to_bits), |b: [u64; 2]| b.map(f64::from_bits);
    [u64; 4] as [u64; 4]: |x| x, |bits| bits;
    [f64; 4] as [u64; 4]: |x: [f64; 4]| x.map(f64::to_bits), |b: [u64; 4]| b.map(f64::from_bits);
}

pub(crate) fn pack<E: Packed>(elements: &[E]) -> Vec<E::Bits> {
    elements.iter().map(|&x| x.pack()).collect()
}

trait Erasable<B>: Sync {
    fn identity(&self) -> B;
    fn combine(&self, left: B, right: B) -> B;
    fn undo(&self, x: B) -> Option<B>;
}

impl<O: Operator<Elem = E>, E: Packed> Erasable<E::Bits> for O {
    fn identity(&self) -> E::Bits {
        Monoid::identity(self).pack()
    }
    fn combine(&self, left: E::Bits, right: E::Bits) -> E::Bits {
        Monoid::combine(self, E::unpack(left), E::unpack(right)).pack()
    }
    fn undo(&self, x: E::Bits) -> Option<E::Bits> {
        Operator::undo(self, E::unpack(x)).map(E::pack)
    }
}

/// An operator that might be any. [`Commutative`] is a promise of who makes it.
pub(crate) struct Erased<'a, B>(&'a dyn Erasable<B>);

impl<'a, B: Copy + Send + Sync> Erased<'a, B> {
    pub(crate) fn new<O: Operator<Elem: Packed<Bits = B>>>(op: &'a O) -> Self {
        Erased(op)
    }

    /// Whether the operator has inverses.
    pub(crate) fn is_group(&self) -> bool {
        self.0.undo(self.0.identity()).is_some()
    }
}

impl<B: Copy + Send + Sync> Monoid for Erased<'_, B> {
    type Elem = B;
    fn identity(&self) -> B {
        self.0.identity()
    }
    fn combine(&self, left: B, right: B) -> B {
        self.0.combine(left, right)
    }
}

impl<B: Copy + Send + Sync> Operator for Erased<'_, B> {
    fn undo(&self, x: B) -> Option<B> {
        self.0.undo(x)
    }
}

impl<B: Copy + Send + Sync> Commutative for Erased<'_, B> {}

/// `leaffix::from_parents` with an operator that commutes.
pub(crate) fn from_parents<O: Operator<Elem: Packed> + Commutative>(
    parents: &[u32],
    values: &[O::Elem],
    op: &O,
) -> Result<Vec<O::Elem>, palmette_core::TreeError> {
    let sums = palmette_tree::leaffix::from_parents(parents, &pack(values), &Erased::new(op))?;
    Ok(sums.into_iter().map(Packed::unpack).collect())
}
