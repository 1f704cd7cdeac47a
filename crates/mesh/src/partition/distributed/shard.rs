//! What a rank has of a net: the rows of its slice, and which neighbours are elsewhere.
//!
//! **Form.** Own vertices count from 0 in the order of their numbers; after them come *ghosts*,
//! the neighbours that other ranks have, in the order of theirs. 8 bytes per entry, 16 per vertex
//! and 24 more for its point, 4 per ghost.

use palmette_core::mesh::Point;
use palmette_core::ranks::{Metered, Ranks, RanksError, Slices};

/// Rows of a slice as they are handed on: neighbours by their numbers in the whole net.
#[derive(Debug, Clone, Default)]
pub(super) struct Rows {
    /// By vertex: where its neighbours begin; one more for the end.
    pub(super) offsets: Vec<usize>,
    /// Neighbour and weight.
    pub(super) entries: Vec<(u32, u32)>,
    /// By vertex: its weight.
    pub(super) weights: Vec<i64>,
    /// By vertex: its point; empty when unknown.
    pub(super) points: Vec<Point>,
}

#[derive(Debug, Clone)]
pub(super) struct Shard {
    /// Who has which vertices.
    pub(super) slices: Slices,
    /// The number of the first own vertex.
    pub(super) first: u32,
    pub(super) offsets: Vec<usize>,
    /// Neighbour, as an own vertex or a ghost, and weight.
    pub(super) entries: Vec<(u32, u32)>,
    pub(super) weights: Vec<i64>,
    pub(super) points: Vec<Point>,
    /// The numbers of ghosts, in their order.
    ghosts: Vec<u32>,
    /// By rank: how many ghosts it has.
    wanted: Vec<usize>,
    /// Own vertices that other ranks have as ghosts, by rank, and how many for each.
    given: Vec<u32>,
    given_counts: Vec<usize>,
}

impl Shard {
    /// Takes the rows of this rank's slice; all ranks find out who needs what of whom.
    pub(super) fn new<R: Ranks>(ranks: &mut Metered<R>, rows: Rows) -> Result<Shard, RanksError> {
        let Rows { offsets, mut entries, weights, points } = rows;
        let slices = Slices::of_lengths(ranks.gather(&[weights.len() as u64])?.words);
        let own = slices.of(ranks.rank());
        let (first, end) = (own.start as u32, own.end as u32);
        let is_own = |w: u32| (first..end).contains(&w);
        let mut ghosts: Vec<u32> = entries.iter().map(|e| e.0).filter(|&w| !is_own(w)).collect();
        ghosts.sort_unstable();
        ghosts.dedup();
        ghosts.shrink_to_fit();
        for entry in &mut entries {
            entry.0 = match is_own(entry.0) {
                true => entry.0 - first,
                false => end - first + ghosts.partition_point(|&g| g < entry.0) as u32,
            };
        }
        let mut wanted = vec![0; ranks.ranks()];
        let mut owner = 0;
        for &ghost in &ghosts {
            while u64::from(ghost) >= slices.of(owner).end {
                owner += 1;
            }
            wanted[owner] += 1;
        }
        let (words, counts) = packed(ghosts.iter().copied(), &wanted);
        let asked = ranks.exchange(&words, &counts)?;
        let (mut given, mut given_counts) = (Vec::new(), Vec::new());
        for words in asked.by_rank() {
            let before = given.len();
            let numbers = words.iter().flat_map(|&word| [word as u32, (word >> 32) as u32]);
            given.extend(numbers.filter(|&v| v != u32::MAX).map(|v| v - first));
            given_counts.push(given.len() - before);
        }
        Ok(Shard {
            slices,
            first,
            offsets,
            entries,
            weights,
            points,
            ghosts,
            wanted,
            given,
            given_counts,
        })
    }

    /// How many vertices this rank has.
    pub(super) fn len(&self) -> usize {
        self.weights.len()
    }

    /// How many vertices all ranks have.
    pub(super) fn total(&self) -> u64 {
        self.slices.total()
    }

    #[inline]
    pub(super) fn row(&self, v: u32) -> &[(u32, u32)] {
        &self.entries[self.offsets[v as usize]..self.offsets[v as usize + 1]]
    }

    /// The number in the whole net of an own vertex or a ghost.
    #[inline]
    pub(super) fn number(&self, v: u32) -> u32 {
        match (v as usize).checked_sub(self.len()) {
            None => self.first + v,
            Some(ghost) => self.ghosts[ghost],
        }
    }

    /// Numbers below 2^32 of own vertices, and after them those of ghosts, which their ranks send.
    pub(super) fn with_ghosts<R: Ranks>(
        &self,
        ranks: &mut Metered<R>,
        own: &[u32],
    ) -> Result<Vec<u32>, RanksError> {
        let mut all = Vec::with_capacity(own.len() + self.ghosts.len());
        all.extend_from_slice(own);
        let given = self.given.iter().map(|&v| own[v as usize]);
        let (words, counts) = packed(given, &self.given_counts);
        let mail = ranks.exchange(&words, &counts)?;
        for (words, &count) in mail.by_rank().zip(&self.wanted) {
            let numbers = words.iter().flat_map(|&word| [word as u32, (word >> 32) as u32]);
            all.extend(numbers.take(count));
        }
        Ok(all)
    }

    /// As [`Shard::with_ghosts`], a bit each.
    pub(super) fn bits_with_ghosts<R: Ranks>(
        &self,
        ranks: &mut Metered<R>,
        own: &[bool],
    ) -> Result<Vec<bool>, RanksError> {
        let (mut words, mut counts, mut rest) = (Vec::new(), Vec::new(), &self.given[..]);
        for &count in &self.given_counts {
            let (to, after) = rest.split_at(count);
            rest = after;
            let word = |chunk: &[u32]| {
                let bits = chunk.iter().enumerate();
                bits.fold(0, |word, (i, &v)| word | u64::from(own[v as usize]) << i)
            };
            words.extend(to.chunks(64).map(word));
            counts.push(count.div_ceil(64));
        }
        let mail = ranks.exchange(&words, &counts)?;
        let mut all = Vec::with_capacity(own.len() + self.ghosts.len());
        all.extend_from_slice(own);
        for (words, &count) in mail.by_rank().zip(&self.wanted) {
            all.extend((0..count).map(|i| words[i / 64] >> (i % 64) & 1 == 1));
        }
        Ok(all)
    }

    /// The weights of own vertices and ghosts.
    pub(super) fn all_weights<R: Ranks>(
        &self,
        ranks: &mut Metered<R>,
    ) -> Result<Vec<i64>, RanksError> {
        let words: Vec<u64> = self.given.iter().map(|&v| self.weights[v as usize] as u64).collect();
        let mail = ranks.exchange(&words, &self.given_counts)?;
        let ghosts = mail.words.into_iter().map(|word| word as i64);
        Ok(self.weights.iter().copied().chain(ghosts).collect())
    }

    /// The weight of all vertices of all ranks.
    pub(super) fn weight<R: Ranks>(&self, ranks: &mut Metered<R>) -> Result<i64, RanksError> {
        Ok(ranks.sum(self.weights.iter().sum::<i64>() as u64)? as i64)
    }
}

/// Two numbers per word, those of each rank by themselves; and how many words for each.
fn packed(mut numbers: impl Iterator<Item = u32>, per_rank: &[usize]) -> (Vec<u64>, Vec<usize>) {
    let counts: Vec<usize> = per_rank.iter().map(|count| count.div_ceil(2)).collect();
    let mut words = Vec::with_capacity(counts.iter().sum());
    for &count in per_rank {
        let mut left = count;
        while left > 0 {
            let low = numbers.next().unwrap_or(u32::MAX);
            let high = if left > 1 { numbers.next().unwrap_or(u32::MAX) } else { u32::MAX };
            words.push(u64::from(low) | u64::from(high) << 32);
            left = left.saturating_sub(2);
        }
    }
    (words, counts)
}
