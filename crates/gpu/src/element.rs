//! What can be an element on a device.

use bytemuck::Pod;

/// A value that lies on a device in 1, 2 or 4 words of 32 bits.
///
/// Words are in the order of memory: a 64-bit integer is its low word, then its high one.
pub trait Element: Pod + Send + Sync {
    /// Its type in kernels: `u32`, `i32` or `f32`, or a vector of two or four of one of them.
    const WGSL: &'static str;

    /// Words an element takes.
    const WORDS: usize = {
        let words = size_of::<Self>() / 4;
        assert!(size_of::<Self>().is_multiple_of(4) && (words == 1 || words == 2 || words == 4));
        words
    };

    /// Whether it is finite.
    fn is_finite(&self) -> bool {
        true
    }

    /// Whether it is NaN.
    fn is_nan(&self) -> bool {
        false
    }
}

macro_rules! element {
    ($($t:ty, $wgsl:literal $(, $finite:expr, $nan:expr)?;)*) => {$(
        impl Element for $t {
            const WGSL: &'static str = $wgsl;
            $(
                fn is_finite(&self) -> bool {
                    $finite(self)
                }

                fn is_nan(&self) -> bool {
                    $nan(self)
                }
            )?
        }
    )*};
}

fn all_finite(numbers: &[f32]) -> bool {
    numbers.iter().copied().all(f32::is_finite)
}

fn any_nan(numbers: &[f32]) -> bool {
    numbers.iter().copied().any(f32::is_nan)
}

element! {
    u32, "u32";
    i32, "i32";
    f32, "f32", |x: &f32| (*x).is_finite(), |x: &f32| (*x).is_nan();
    u64, "vec2<u32>";
    i64, "vec2<u32>";
    f64, "vec2<u32>", |x: &f64| (*x).is_finite(), |x: &f64| (*x).is_nan();
    [u32; 2], "vec2<u32>";
    [i32; 2], "vec2<i32>";
    [f32; 2], "vec2<f32>", all_finite, any_nan;
    [u32; 4], "vec4<u32>";
    [i32; 4], "vec4<i32>";
    [f32; 4], "vec4<f32>", all_finite, any_nan;
    [u64; 2], "vec4<u32>";
}
