//! Loops for the vector instructions that the processor has.
//!
//! **Problem.** Programs are compiled for the oldest processors, whose vectors have 128 bits. Loops over
//! many numbers take half or a quarter of the time with longer ones.
//!
//! **Method.** A loop that is inlined into a function with more instructions is compiled for these. There
//! are three such functions, and which one is called is decided by what the processor has. The loops stay
//! plain code.
//!
//! **Determinism.** The same operations in the same order: additions are never fused with
//! multiplications, so that all of them give the same bits.
//!
//! **Unsafe code.** What it buys, on a processor with 512 bits: Fitch's rule and Sankoff's in half of the
//! time. The safe twin is [`Wide::run`], with which the test compares.
//!
//! **When not to use.** For loops that wait for memory.

/// A loop with what it needs.
pub trait Wide {
    /// What it makes.
    type Output;

    /// Runs the loop. It must be marked `#[inline(always)]`, as what it calls must: what is not inlined
    /// is compiled for any processor.
    fn run(self) -> Self::Output;
}

/// Runs a loop with the longest vectors of this processor.
///
/// ```
/// use palmette_core::vector::{Wide, widest};
/// struct Sum<'a>(&'a [u32]);
/// impl Wide for Sum<'_> {
///     type Output = u32;
///     #[inline(always)]
///     fn run(self) -> u32 {
///         self.0.iter().sum()
///     }
/// }
/// assert_eq!(widest(Sum(&[1, 2, 3])), 6);
/// ```
#[inline]
pub fn widest<W: Wide>(work: W) -> W::Output {
    #[cfg(target_arch = "x86_64")]
    {
        let has_512 = is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("avx512dq")
            && is_x86_feature_detected!("avx512vl");
        if has_512 {
            // SAFETY: the processor has these instructions.
            return unsafe { with_512_bits(work) };
        }
        if is_x86_feature_detected!("avx2") {
            // SAFETY: the processor has these instructions.
            return unsafe { with_256_bits(work) };
        }
    }
    work.run()
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
fn with_512_bits<W: Wide>(work: W) -> W::Output {
    work.run()
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn with_256_bits<W: Wide>(work: W) -> W::Output {
    work.run()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// √x · y + x / y, which fused operations would round in another way.
    #[derive(Clone, Copy)]
    struct Mixed<'a>(&'a [f64], &'a [f64]);

    impl Wide for Mixed<'_> {
        type Output = Vec<u64>;

        #[inline(always)]
        fn run(self) -> Vec<u64> {
            let pairs = self.0.iter().zip(self.1);
            pairs.map(|(&x, &y)| (x.sqrt() * y + x / y).to_bits()).collect()
        }
    }

    #[test]
    fn all_give_the_same_bits() {
        let mut random = crate::random::Random::new(1, crate::random::Purpose::Samples);
        let mut draw = || random.below_wide(1 << 40) as f64 + 0.1;
        let (x, y): (Vec<f64>, Vec<f64>) = (0..1000).map(|_| (draw(), draw())).unzip();
        let mixed = Mixed(&x, &y);
        assert_eq!(widest(mixed), mixed.run());
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx2") {
            // SAFETY: the processor has these instructions.
            assert_eq!(unsafe { with_256_bits(mixed) }, mixed.run());
        }
    }
}
