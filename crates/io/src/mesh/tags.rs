//! From the numbers that a file gives its nodes to their places in it.
//!
//! **Method.** Numbers that ascend one by one need nothing. Where the largest is not much
//! larger than their count, a table is used, otherwise sorted pairs and binary search; so
//! memory is linear in the number of nodes whatever their numbers are.

use palmette_core::NONE;
use rayon::prelude::*;

/// Finds nodes by their numbers in the file.
#[derive(Debug)]
pub(super) enum Tags {
    /// `first`, `first + 1`, …, so many.
    Consecutive(u64, usize),
    Table(Vec<u32>),
    Pairs(Vec<(u64, u32)>),
}

impl Tags {
    /// For the numbers of all nodes; an error is two nodes with the same.
    pub(super) fn new(tags: &[u64]) -> Result<Tags, (usize, usize)> {
        let first = tags.first().copied().unwrap_or(1);
        if tags.iter().enumerate().all(|(i, &tag)| first.checked_add(i as u64) == Some(tag)) {
            return Ok(Tags::Consecutive(first, tags.len()));
        }
        let largest = tags.iter().copied().max().unwrap_or(0);
        if largest >= 4 * tags.len() as u64 + 1000 {
            return Tags::pairs(tags);
        }
        let mut table = vec![NONE; largest as usize + 1];
        for (i, &tag) in tags.iter().enumerate() {
            let place = &mut table[tag as usize];
            if *place != NONE {
                return Err((*place as usize, i));
            }
            *place = i as u32;
        }
        Ok(Tags::Table(table))
    }

    fn pairs(tags: &[u64]) -> Result<Tags, (usize, usize)> {
        let mut pairs: Vec<(u64, u32)> =
            tags.par_iter().enumerate().map(|(i, &tag)| (tag, i as u32)).collect();
        pairs.par_sort_unstable();
        // The pair that comes to its end first, as in a table.
        let same = pairs.windows(2).filter(|w| w[0].0 == w[1].0);
        match same.min_by_key(|w| w[1].1) {
            Some(w) => Err((w[0].1 as usize, w[1].1 as usize)),
            None => Ok(Tags::Pairs(pairs)),
        }
    }

    /// The node with a number.
    #[inline]
    pub(super) fn find(&self, tag: u64) -> Option<u32> {
        match self {
            Tags::Consecutive(first, count) => {
                let i = tag.checked_sub(*first)?;
                (i < *count as u64).then_some(i as u32)
            }
            Tags::Table(table) => {
                table.get(usize::try_from(tag).ok()?).copied().filter(|&i| i != NONE)
            }
            Tags::Pairs(pairs) => {
                let i = pairs.binary_search_by_key(&tag, |pair| pair.0).ok()?;
                Some(pairs[i].1)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_way_finds_and_refuses() {
        let far = u64::MAX;
        for tags in [vec![1, 2, 3], vec![0, 1], vec![far], vec![9, 2, 4], vec![far, 0, 7, 1]] {
            let found = Tags::new(&tags).expect("distinct tags");
            for (i, &tag) in tags.iter().enumerate() {
                assert_eq!(found.find(tag), Some(i as u32));
            }
            assert_eq!((found.find(5), found.find(far - 1)), (None, None));
        }
        assert_eq!(Tags::new(&[3, 4, 5, 4, 3]).err(), Some((1, 3)));
        assert_eq!(Tags::new(&[far, 4, 5, 4, far]).err(), Some((1, 3)));
        assert_eq!(Tags::new(&[]).ok().and_then(|tags| tags.find(1)), None);
    }
}
