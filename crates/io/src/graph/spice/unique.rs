//! Names of elements, of which a netlist may use each only once.
//!
//! **Problem.** The first element whose name an earlier one has; `R1` and `r1` are the same name.
//! **Method.** A hash of each name is kept. Each marks a bit; the few hashes whose bit another
//! one marked too are sorted. Where two are equal, names are compared.
//! **Cost.** 12 to 16 bytes and the name per element, two sweeps over the hashes.
//! **Determinism.** Hashing is seedless.

use crate::index::hash_folded;
use crate::labels::Labels;
use crate::texts::Texts;
use std::collections::HashMap;

/// Bits per element, so that few hashes share one by chance.
const BITS: usize = 16;

/// The names so far.
#[derive(Default)]
pub(super) struct ElementNames {
    hashes: Vec<u64>,
    texts: Texts,
}

impl ElementNames {
    #[inline]
    pub(super) fn push(&mut self, name: &str) {
        self.hashes.push(hash_folded(name));
        self.texts.push(name);
    }

    pub(super) fn get(&self, element: usize) -> &str {
        self.texts.get(element)
    }

    pub(super) fn into_texts(self) -> Texts {
        self.texts
    }

    /// The first element whose name an earlier one has: that one, and itself.
    pub(super) fn twice(&self) -> Option<(usize, usize)> {
        let equal = equal(&self.hashes);
        if equal.is_empty() {
            return None;
        }
        let mut seen: HashMap<String, usize> = HashMap::new();
        let suspect = |k: &usize| equal.binary_search(&self.hashes[*k]).is_ok();
        (0..self.hashes.len()).filter(suspect).find_map(|k| {
            let first = seen.insert(self.get(k).to_ascii_lowercase(), k)?;
            Some((first, k))
        })
    }
}

/// Names by hash, to find one in large or small letters.
#[derive(Debug, Clone)]
pub(super) struct Folded(Vec<(u64, u32)>);

impl Folded {
    pub(super) fn of(labels: &Labels) -> Folded {
        let names = (0..labels.len() as u32).map(|k| (hash_folded(&labels.get(k)), k));
        let mut all: Vec<(u64, u32)> = names.collect();
        all.sort_unstable();
        Folded(all)
    }

    /// The first whose name is the same but for case.
    pub(super) fn find(&self, labels: &Labels, name: &str) -> Option<u32> {
        let hash = hash_folded(name);
        let from = self.0.partition_point(|entry| entry.0 < hash);
        let same = self.0[from..].iter().take_while(|entry| entry.0 == hash);
        same.map(|entry| entry.1).find(|&k| labels.get(k).eq_ignore_ascii_case(name))
    }
}

/// The first two names that differ in case only, by number.
pub(super) fn same_but_case<'a>(
    names: impl Iterator<Item = &'a str> + Clone,
) -> Option<(u32, u32)> {
    let hashes: Vec<u64> = names.clone().map(hash_folded).collect();
    let equal = equal(&hashes);
    let mut seen: HashMap<String, u32> = HashMap::new();
    let shared =
        (0..).zip(names).zip(&hashes).filter(|(_, hash)| equal.binary_search(hash).is_ok());
    for ((node, name), _) in shared {
        if let Some(first) = seen.insert(name.to_ascii_lowercase(), node) {
            return Some((first, node));
        }
    }
    None
}

/// The hashes that are there more than once, in ascending order.
fn equal(hashes: &[u64]) -> Vec<u64> {
    let words = (hashes.len() / (64 / BITS) + 1).next_power_of_two();
    // The place of a hash's bit.
    let bit = |hash: u64| ((hash >> 6) as usize & (words - 1), 1u64 << (hash & 63));
    let (mut once, mut again) = (vec![0u64; words], vec![0u64; words]);
    for &hash in hashes {
        let (word, bit) = bit(hash);
        again[word] |= once[word] & bit;
        once[word] |= bit;
    }
    let is_shared = |hash: &u64| {
        let (word, bit) = bit(*hash);
        again[word] & bit != 0
    };
    let mut shared: Vec<u64> = hashes.iter().copied().filter(is_shared).collect();
    shared.sort_unstable();
    shared.windows(2).filter(|pair| pair[0] == pair[1]).map(|pair| pair[0]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_differ_in_case_only() {
        let find = |names: &[&'static str]| same_but_case(names.iter().copied());
        assert_eq!(find(&["a", "B", "ab", "Ab_", "c"]), None);
        assert_eq!(find(&["n1", "vdd", "x", "VDD", "N1"]), Some((1, 3)));
    }

    #[test]
    fn names_are_found_in_any_case() {
        let labels = Labels::texts(["n1", "Vdd", "x1.N"]);
        let folded = Folded::of(&labels);
        let find = |name: &str| folded.find(&labels, name);
        assert_eq!(["VDD", "X1.n", "n1", "n2"].map(find), [Some(1), Some(2), Some(0), None]);
    }

    fn twice(names: &[&str]) -> Option<(usize, usize)> {
        let mut all = ElementNames::default();
        names.iter().for_each(|name| all.push(name));
        all.twice()
    }

    #[test]
    fn names_are_told_apart_without_case() {
        let names = ["r1", "V1", "Rload_x", "rLOAD_X"];
        assert_eq!(twice(&names), Some((2, 3)));
        assert_eq!(twice(&names[..3]), None);
    }

    #[test]
    fn equal_hashes_are_found_among_many() {
        let mut hashes: Vec<u64> = (0..100_000).map(|v| hash_folded(&format!("R{v}"))).collect();
        assert!(equal(&hashes).is_empty());
        let (a, b) = (hashes[7], hashes[99_999]);
        hashes.extend([b, a]);
        assert_eq!(equal(&hashes), [a.min(b), a.max(b)]);
        assert!(equal(&[]).is_empty());
        assert_eq!(equal(&[0, 64, 0]), [0]);
    }
}
