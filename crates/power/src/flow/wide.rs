//! Work with the widest vector instructions that the processor has.
//!
//! **Method.** The loops of sweeps are compiled once for every machine and once each for AVX2 and
//! AVX-512: a function with more instructions takes in the loops that it is given. No operation is fused in any of them, so that all give the same bits.
//!
//! **Unsafe code.** What it buys: lanes of eight cases are 1.6 times as fast, single ones 1.2 times (`make bench-power`).
//! The safe twin is the call without it, which a test compares.
#![allow(unsafe_code)]

/// Something to do; its `run` is always taken in by the caller.
pub(super) trait Work {
    /// What comes out.
    type Output;
    /// Does it. Implementations are `#[inline(always)]`: what is called stays as it was compiled.
    fn run(self) -> Self::Output;
}

/// Does some work, compiled for the best instructions that there are.
#[inline]
pub(super) fn wide<W: Work>(work: W) -> W::Output {
    #[cfg(target_arch = "x86_64")]
    {
        if is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512vl") {
            // SAFETY: the processor has these instructions.
            return unsafe { avx512(work) };
        }
        if is_x86_feature_detected!("avx2") {
            // SAFETY: the processor has these instructions.
            return unsafe { avx2(work) };
        }
    }
    work.run()
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512vl")]
fn avx512<W: Work>(work: W) -> W::Output {
    work.run()
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn avx2<W: Work>(work: W) -> W::Output {
    work.run()
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Some<'a>(&'a [f64]);

    impl Work for Some<'_> {
        type Output = Vec<f64>;
        #[inline(always)]
        fn run(self) -> Vec<f64> {
            self.0.iter().map(|x| 1.0 / x * 0.1 + x / 3.0).collect()
        }
    }

    #[test]
    fn the_same_bits() {
        let x: Vec<f64> = (1..1000).map(f64::from).collect();
        assert_eq!(wide(Some(&x)), Some(&x).run());
    }
}
