//! Elements as words of 64 bits: what goes between ranks, and what engines that are compiled
//! once for many types work on.

/// An element as `N` words, and back.
pub trait Words<const N: usize>: Copy + Send + Sync {
    /// Its words.
    fn to_words(self) -> [u64; N];
    /// The element with these words.
    fn from_words(words: [u64; N]) -> Self;
}

macro_rules! one_word {
    ($($t:ty: $to:expr, $from:expr;)*) => {$(
        impl Words<1> for $t {
            #[inline(always)]
            fn to_words(self) -> [u64; 1] {
                let to: fn($t) -> u64 = $to;
                [to(self)]
            }
            #[inline(always)]
            fn from_words([word]: [u64; 1]) -> $t {
                let from: fn(u64) -> $t = $from;
                from(word)
            }
        }
    )*};
}
one_word! {
    i64: |x| x as u64, |w| w as i64;
    u64: |x| x, |w| w;
    f64: f64::to_bits, f64::from_bits;
    f32: |x| x.to_bits().into(), |w| f32::from_bits(w as u32);
    u32: |x| x.into(), |w| w as u32;
}

impl<S: Words<1>, T: Words<1>> Words<2> for (S, T) {
    #[inline(always)]
    fn to_words(self) -> [u64; 2] {
        [self.0.to_words()[0], self.1.to_words()[0]]
    }
    #[inline(always)]
    fn from_words([first, second]: [u64; 2]) -> Self {
        (S::from_words([first]), T::from_words([second]))
    }
}

impl<T: Words<1>, const N: usize> Words<N> for [T; N] {
    #[inline(always)]
    fn to_words(self) -> [u64; N] {
        self.map(|x| x.to_words()[0])
    }
    #[inline(always)]
    fn from_words(words: [u64; N]) -> Self {
        words.map(|w| T::from_words([w]))
    }
}
