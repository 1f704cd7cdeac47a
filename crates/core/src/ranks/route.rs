//! Sends records to the ranks they belong to, and questions with answers back.

use super::{Mail, Metered, Ranks, RanksError};

/// Which rank has which numbers: rank `r` those from `first[r]` to `first[r + 1]`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Slices {
    first: Vec<u64>,
}

impl Slices {
    /// Slices of these lengths.
    ///
    /// # Panics
    /// When there are none, or their sum does not fit.
    pub fn of_lengths(lengths: impl IntoIterator<Item = u64>) -> Slices {
        let mut first = vec![0u64];
        for length in lengths {
            let end = first[first.len() - 1].checked_add(length).expect("at most 2^64 numbers");
            first.push(end);
        }
        assert!(first.len() > 1, "at least one slice");
        Slices { first }
    }

    /// Slices whose lengths differ by one at most.
    pub fn even(total: u64, ranks: usize) -> Slices {
        let bound = |rank: u64| (u128::from(total) * u128::from(rank) / ranks as u128) as u64;
        Slices { first: (0..=ranks as u64).map(bound).collect() }
    }

    /// The slices that ranks have, from the length of each one's own.
    ///
    /// # Errors
    /// When communication between ranks fails.
    pub fn agreed<R: Ranks>(ranks: &mut Metered<R>, own: usize) -> Result<Slices, RanksError> {
        Ok(Slices::of_lengths(ranks.gather(&[own as u64])?.words))
    }

    /// The rank that has a number.
    pub fn owner(&self, number: u64) -> usize {
        self.first[1..].partition_point(|&first| first <= number)
    }

    /// The numbers of a rank.
    pub fn of(&self, rank: usize) -> std::ops::Range<u64> {
        self.first[rank]..self.first[rank + 1]
    }

    /// Where the slice of a rank begins; of the number of ranks, where the last one ends.
    pub fn bound(&self, rank: usize) -> u64 {
        self.first[rank]
    }

    /// How many there are in all.
    pub fn total(&self) -> u64 {
        self.first[self.first.len() - 1]
    }

    /// How many ranks there are.
    pub fn ranks(&self) -> usize {
        self.first.len() - 1
    }

    /// The first rank whose slice begins at a number or after it; where there is none, the
    /// number of ranks.
    pub fn first_from(&self, number: u64) -> usize {
        self.first.partition_point(|&first| first < number)
    }
}

/// A place for a record: the rank and its words.
pub type Post<'a> = dyn FnMut(usize, &[u64]) + 'a;

/// Sends records of any lengths. `each` names every record and its rank; it is run twice.
///
/// # Errors
/// When communication between ranks fails.
pub fn send<R: Ranks>(
    ranks: &mut Metered<R>,
    each: impl Fn(&mut Post<'_>),
) -> Result<Mail, RanksError> {
    let mut counts = vec![0; ranks.ranks()];
    each(&mut |rank, record| counts[rank] += record.len());
    let mut place = Vec::with_capacity(counts.len());
    let mut total = 0;
    for &count in &counts {
        place.push(total);
        total += count;
    }
    let mut words = vec![0; total];
    each(&mut |rank, record| {
        words[place[rank]..][..record.len()].copy_from_slice(record);
        place[rank] += record.len();
    });
    ranks.exchange(&words, &counts)
}

/// Asks ranks and returns their answers in the order of the questions. Every rank answers
/// what it is asked.
///
/// # Errors
/// When communication between ranks fails.
///
/// # Panics
/// When a rank answers fewer questions than it was asked.
pub fn ask<R: Ranks, const Q: usize, const A: usize>(
    ranks: &mut Metered<R>,
    questions: &[(usize, [u64; Q])],
    mut answer: impl FnMut([u64; Q]) -> [u64; A],
) -> Result<Vec<[u64; A]>, RanksError> {
    let asked = send(ranks, |post| {
        questions.iter().for_each(|(rank, question)| post(*rank, question));
    })?;
    let words: Vec<u64> = asked.records::<Q>().iter().flat_map(|&q| answer(q)).collect();
    let counts: Vec<usize> = asked.counts.iter().map(|count| count / Q * A).collect();
    drop(asked);
    let answers = ranks.exchange(&words, &counts)?;
    let mut by_rank: Vec<_> = answers.by_rank().map(|own| own.as_chunks::<A>().0.iter()).collect();
    let next = |&(rank, _): &(usize, [u64; Q])| *by_rank[rank].next().expect("every answer");
    Ok(questions.iter().map(next).collect())
}

#[cfg(test)]
mod tests {
    use super::super::on_threads;
    use super::*;

    #[test]
    fn slices_know_their_owners() {
        let skewed = Slices::of_lengths([0, 3, 0, 1]);
        assert_eq!([0, 1, 2, 3].map(|v| skewed.owner(v)), [1, 1, 1, 3]);
        assert_eq!((skewed.first_from(0), skewed.first_from(1), skewed.first_from(4)), (0, 2, 4));
        let even = Slices::even(10, 4);
        assert_eq!((even.of(0), even.of(3), even.total()), (0..2, 7..10, 10));
    }

    #[test]
    fn questions_reach_their_ranks() {
        let answers = on_threads(3, |rank| {
            let mut ranks = Metered::new(rank);
            let own = ranks.rank() as u64;
            let questions: Vec<_> = [2, 0, 2, 1].map(|to| (to, [10 * own + to as u64])).to_vec();
            ask(&mut ranks, &questions, |[q]| [q, own]).unwrap()
        });
        for (rank, answers) in answers.iter().enumerate() {
            let q = 10 * rank as u64;
            assert_eq!(answers[..], [[q + 2, 2], [q, 0], [q + 2, 2], [q + 1, 1]]);
        }
    }

    #[test]
    fn a_rank_that_leaves_is_noticed() {
        let outcomes = on_threads(3, |mut rank| if rank.rank() == 1 { Ok(0) } else { rank.sum(1) });
        assert_eq!(outcomes[0], Err(RanksError::Elsewhere { rank: 1 }));
    }

    #[test]
    fn the_first_failure_is_told() {
        let outcomes = on_threads(4, |rank| {
            let mut ranks = Metered::new(rank);
            let library = |message: &str| RanksError::Library { message: message.into() };
            let own = if ranks.rank() < 2 { Ok(()) } else { Err(library("no")) };
            ranks.agree(own)
        });
        assert!(matches!(outcomes[2], Err(RanksError::Library { .. })));
        assert_eq!(outcomes[3], Err(RanksError::Elsewhere { rank: 2 }));
        assert_eq!(outcomes[0], outcomes[3]);
    }
}
