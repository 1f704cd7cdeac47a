//! Operators whose elements are no words as they are: packed, they run on devices.

use crate::Element;
use palmette_core::Monoid;

/// An element of the host that has a form in words.
pub trait Pack: Copy + Send + Sync {
    /// The form.
    type Words: Element;

    /// To words.
    fn pack(self) -> Self::Words;

    /// And back.
    fn unpack(words: Self::Words) -> Self;
}

macro_rules! placed {
    ($($t:ty: $bits:ty;)*) => {$(
        impl Pack for ($t, u32) {
            /// The number's low and high word, the vertex, zero.
            type Words = [u32; 4];

            fn pack(self) -> [u32; 4] {
                let bits = u64::from(<$bits>::from_ne_bytes(self.0.to_ne_bytes()));
                [bits as u32, (bits >> 32) as u32, self.1, 0]
            }

            fn unpack([low, high, vertex, _]: [u32; 4]) -> Self {
                let bits = u64::from(high) << 32 | u64::from(low);
                (<$t>::from_ne_bytes((bits as $bits).to_ne_bytes()), vertex)
            }
        }
    )*};
}

placed! {
    i32: u32;
    u32: u32;
    f32: u32;
    i64: u64;
    u64: u64;
    f64: u64;
}

impl Pack for (u64, u64) {
    type Words = [u64; 2];

    fn pack(self) -> [u64; 2] {
        self.into()
    }

    fn unpack(words: [u64; 2]) -> Self {
        words.into()
    }
}

/// An operator on the words of its elements.
///
/// ```
/// use palmette_core::{Monoid, operator::ArgMin};
/// use palmette_gpu::{Pack, Packed};
/// let op = Packed(ArgMin::<i64>::new());
/// let least = op.combine((-3i64, 7).pack(), (-3i64, 4).pack());
/// assert_eq!(<(i64, u32)>::unpack(least), (-3, 4));
/// ```
#[derive(Debug, Clone, Copy, Default)]
pub struct Packed<M>(
    /// The operator.
    pub M,
);

impl<M: Monoid<Elem: Pack>> Monoid for Packed<M> {
    type Elem = <M::Elem as Pack>::Words;

    fn identity(&self) -> Self::Elem {
        self.0.identity().pack()
    }

    fn combine(&self, left: Self::Elem, right: Self::Elem) -> Self::Elem {
        self.0.combine(M::Elem::unpack(left), M::Elem::unpack(right)).pack()
    }
}
