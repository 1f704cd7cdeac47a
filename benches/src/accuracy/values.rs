//! Sums that are hard to compute.
//!
//! **Problem.** A number of f32 values whose sum has a given condition number, the sum of
//! magnitudes over the magnitude of the sum.
//!
//! **Method.** Ogita, Rump and Oishi's generator of dot products: half of the factors have
//! random exponents, the others are chosen so that the product so far is nearly cancelled,
//! with exponents that fall to 0. A product of two f32 is the sum of two f32, its rounding and
//! what that lost. When the sum came out too small, signs of some values are turned: small
//! condition numbers cannot be had otherwise.
//!
//! **Reference.** Ogita, Rump and Oishi, *Accurate sum and dot product*, 2005, Algorithm 6.1.

use palmette_core::random::{Purpose, Random};

/// Binary digits behind the point of exact sums.
const DIGITS: i32 = 64;

/// A float as a whole multiple of 2^-64.
///
/// # Panics
/// When it is none, or too large.
pub fn whole(x: f64) -> i128 {
    let scaled = x * 2f64.powi(DIGITS);
    assert!(scaled.fract() == 0.0 && scaled.abs() < 2f64.powi(110), "{x} fits no fixed point");
    scaled as i128
}

/// A whole multiple of 2^-64 as the nearest double.
pub fn double(whole: i128) -> f64 {
    whole as f64 / 2f64.powi(DIGITS)
}

/// The condition number of a sum.
pub fn condition(values: &[f32]) -> f64 {
    let (sum, size) = sums(values);
    size as f64 / sum.abs() as f64
}

/// The sum, and that of the magnitudes.
fn sums(values: &[f32]) -> (i128, i128) {
    let terms = values.iter().map(|&x| whole(x.into()));
    terms.fold((0, 0), |(sum, size), t| (sum + t, size + t.abs()))
}

/// An even number of values with about this condition number.
pub fn ill_conditioned(n: usize, wanted: f64, seed: u64) -> Vec<f32> {
    let mut random = Random::new(seed, Purpose::Vectors);
    let pairs = n / 2;
    let half = pairs.div_ceil(2);
    let bits = wanted.log2();
    let mut values: Vec<f32> = Vec::with_capacity(n);
    let mut dot = 0i128;
    for k in 0..pairs {
        let exponent = match k {
            0 => (bits / 2.0).round() + 1.0,
            k if k + 1 == half => 0.0,
            k if k < half => (fraction(&mut random).abs() * bits / 2.0).round(),
            k => (bits / 2.0 * (pairs - 1 - k) as f64
                / (pairs - half).saturating_sub(1).max(1) as f64)
                .round(),
        };
        let scale = exponent.exp2();
        loop {
            let x = (fraction(&mut random) * scale) as f32;
            let y = fraction(&mut random) * scale;
            let y = if k < half { y } else { (y - double(dot)) / f64::from(x) } as f32;
            // Tiny factors have digits beyond the fixed point.
            if x.abs() > 2f32.powi(-12) && y.abs() > 2f32.powi(-12) {
                let product = f64::from(x) * f64::from(y);
                let rounded = product as f32;
                values.extend([rounded, (product - f64::from(rounded)) as f32]);
                dot += whole(product);
                break;
            }
        }
    }
    turn_signs(&mut values, wanted);
    random.shuffle(&mut values);
    values
}

/// A multiple of 2^-23 between -1 and 1.
fn fraction(random: &mut Random) -> f64 {
    f64::from(random.below((1 << 24) + 1)) / f64::from(1 << 23) - 1.0
}

/// Enlarges a sum that is too small, as far as whole values can.
fn turn_signs(values: &mut [f32], wanted: f64) {
    let (sum, size) = sums(values);
    let side = if sum < 0 { -1 } else { 1 };
    let mut missing = (size as f64 / wanted) as i128 - sum.abs();
    for value in values {
        let gain = -2 * side * whole((*value).into());
        if gain > 0 && gain <= missing {
            *value = -*value;
            missing -= gain;
        }
    }
}
