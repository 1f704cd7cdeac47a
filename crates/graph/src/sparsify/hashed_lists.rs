//! Many lists by key, most of them short.
//!
//! **Method.** A short list is a chain through one array, a long one is a vector of its own,
//! which is read without waiting for memory at every step. What was found goes to the
//! front of its list: what marked one edge is likely to mark the next.
//!
//! **Cost.** 40 to 60 bytes per list of one; 8 bytes and the item for each entry.

use palmette_core::NONE;
use rustc_hash::FxHashMap;

/// Entries from which on a list is a vector.
const LONG: u32 = 8;

#[derive(Debug, Clone, Copy)]
struct Head {
    /// The first entry of a chain, or the index of a vector.
    first: u32,
    /// Entries of a chain; `LONG` for a vector.
    length: u32,
}

/// Lists by key.
#[derive(Debug)]
pub(super) struct HashedLists<T> {
    heads: FxHashMap<u64, Head>,
    /// What is in the list, and the next entry.
    chains: Vec<(T, u32)>,
    vectors: Vec<Vec<T>>,
}

impl<T> Default for HashedLists<T> {
    fn default() -> Self {
        HashedLists { heads: FxHashMap::default(), chains: Vec::new(), vectors: Vec::new() }
    }
}

impl<T: Copy> HashedLists<T> {
    pub(super) fn insert(&mut self, key: u64, item: T) {
        let head = self.heads.entry(key).or_insert(Head { first: NONE, length: 0 });
        if head.length == LONG {
            self.vectors[head.first as usize].push(item);
            return;
        }
        let next = std::mem::replace(&mut head.first, self.chains.len() as u32);
        self.chains.push((item, next));
        head.length += 1;
        if head.length == LONG {
            let mut vector = Vec::with_capacity(2 * LONG as usize);
            let mut at = head.first;
            while at != NONE {
                let (item, next) = self.chains[at as usize];
                vector.push(item);
                at = next;
            }
            head.first = self.vectors.len() as u32;
            self.vectors.push(vector);
        }
    }

    /// Whether anything is under a key.
    pub(super) fn has(&self, key: u64) -> bool {
        self.heads.contains_key(&key)
    }

    /// Whether something under a key is wanted; all that come before it are asked about.
    #[inline]
    pub(super) fn find(&mut self, key: u64, mut wanted: impl FnMut(T) -> bool) -> bool {
        let Some(head) = self.heads.get_mut(&key) else { return false };
        if head.length == LONG {
            let vector = &mut self.vectors[head.first as usize];
            let found = vector.iter().position(|&item| wanted(item));
            if let Some(i) = found {
                vector.swap(0, i);
            }
            return found.is_some();
        }
        let mut before = NONE;
        let mut at = head.first;
        while at != NONE {
            let (item, next) = self.chains[at as usize];
            if wanted(item) {
                if before != NONE {
                    self.chains[before as usize].1 = next;
                    self.chains[at as usize].1 = head.first;
                    head.first = at;
                }
                return true;
            }
            (before, at) = (at, next);
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_found_goes_to_the_front() {
        for length in [3u32, 20] {
            let mut lists = HashedLists::default();
            (0..length).for_each(|item| lists.insert(u64::from(item % 2), item));
            assert!(lists.has(1) && !lists.has(2));
            let all = |lists: &mut HashedLists<u32>| {
                let mut seen = Vec::new();
                lists.find(0, |item| {
                    seen.push(item);
                    false
                });
                seen
            };
            let mut seen = all(&mut lists);
            assert!(lists.find(0, |item| item == 0));
            assert!(!lists.find(0, |item| item == 1));
            assert_eq!(all(&mut lists)[0], 0);
            seen.sort_unstable();
            assert!(seen.iter().copied().eq((0..length).step_by(2)));
        }
    }
}
