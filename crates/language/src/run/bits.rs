//! Pairs of numbers as their bits, so that NaN survives and nothing is rounded.

use serde::{Deserialize, Deserializer, Serializer};

pub(super) fn serialize<S: Serializer>(pairs: &[(f64, f64)], to: S) -> Result<S::Ok, S::Error> {
    to.collect_seq(pairs.iter().map(|(a, b)| (a.to_bits(), b.to_bits())))
}

pub(super) fn deserialize<'a, D: Deserializer<'a>>(from: D) -> Result<Vec<(f64, f64)>, D::Error> {
    let pairs = Vec::<(u64, u64)>::deserialize(from)?;
    Ok(pairs.into_iter().map(|(a, b)| (f64::from_bits(a), f64::from_bits(b))).collect())
}
