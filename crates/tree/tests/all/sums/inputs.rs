//! Trees and values.

use palmette_core::generate::{Shape, generate, shuffle};
use palmette_core::random::{Purpose, Random};
use palmette_core::{NONE, Tree, TreeParams};

/// As in `src/blocks.rs`, so that trees can be made to hit the boundaries.
pub(crate) const BLOCK: usize = (1 << 13) + 160;

pub(crate) fn forest(parents: &[u32]) -> Tree {
    Tree::with_params(parents, TreeParams { forest: true, ..Default::default() }).unwrap()
}

/// A path whose vertices each carry a path of `tooth` vertices, behind the rest of the spine.
fn comb(n: usize, tooth: u32) -> Vec<u32> {
    let spine = (n as u32).div_ceil(tooth + 1);
    let parent = |v: u32| match v.checked_sub(spine) {
        _ if v == 0 => NONE,
        None => v - 1,
        Some(t) if t % tooth == 0 => t / tooth,
        Some(_) => v - 1,
    };
    (0..n as u32).map(parent).collect()
}

/// Trees of every kind, and forests.
pub(crate) fn trees(n: usize, seed: u64) -> Vec<(String, Tree)> {
    let shapes = [
        Shape::Random,
        Shape::Path,
        Shape::Caterpillar,
        Shape::Star,
        Shape::Binary,
        Shape::Preferential,
        Shape::Broom,
        Shape::DoubleBroom,
    ];
    let mut all: Vec<(String, Vec<u32>)> = Vec::new();
    for shape in shapes {
        let parents = generate(shape, n, seed).unwrap();
        all.push((format!("{shape} shuffled"), shuffle(&parents, seed)));
        all.push((shape.to_string(), parents));
    }
    for tooth in [1, 2, 100] {
        all.push((format!("comb {tooth}"), comb(n, tooth)));
    }
    let mut cut = generate(Shape::Binary, n, seed + 1).unwrap();
    let mut random = Random::new(seed, Purpose::Samples);
    for _ in 0..3 {
        cut[random.below(n as u32) as usize] = NONE;
    }
    all.push(("forest".into(), cut));
    all.into_iter().map(|(name, parents)| (name, forest(&parents))).collect()
}

/// Whole numbers of so many bits times powers of two up to `spread`, many of which are
/// followed by nearly their negative.
pub(crate) fn cancelling(n: usize, bits: u32, spread: u32, seed: u64) -> Vec<i128> {
    let mut random = Random::new(seed, Purpose::Vectors);
    let mut values: Vec<i128> = Vec::with_capacity(n);
    while values.len() < n {
        let size = i128::from(random.below_wide(1 << bits));
        let value = size << random.below(spread + 1);
        match (random.below(4), values.last()) {
            (0, _) => values.push(value),
            (1, _) => values.push(-value),
            (_, Some(&last)) if last.trailing_zeros() >= 1 => values.push(-last),
            _ => values.push(size),
        }
    }
    values
}

/// Floats of all sizes that do not overflow together, about half of them cancelled by another.
pub(crate) fn wild(n: usize, seed: u64) -> Vec<f64> {
    let mut random = Random::new(seed, Purpose::Vectors);
    let mut values: Vec<f64> = Vec::with_capacity(n);
    while values.len() < n {
        let at = random.below(values.len() as u32 + 1) as usize;
        if let Some(&other) = values.get(at).filter(|_| at.is_multiple_of(2)) {
            values.push(-other);
            continue;
        }
        let exponent = random.below_wide(2000) << 52;
        let sign = random.below_wide(2) << 63;
        values.push(f64::from_bits(sign | exponent | random.below_wide(1 << 52)));
    }
    values
}
