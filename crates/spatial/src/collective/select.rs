//! Selection: the k-th smallest of many.
//!
//! **Problem.** Every processor of a range has a key. All are to know the k-th smallest, counted from 0,
//! and who has it. Of equal keys the one at the lower address counts as smaller.
//!
//! **Method.** Keys that may still be the one are *candidates*; at first all are. In a round
//! - every candidate tosses a coin, so that about 4 √n are drawn; they count themselves by a scan, move to the
//!   first addresses of the range and are sorted there;
//! - two of them that lie around the k-th in expectation, a little below and a little above, are told to all;
//! - candidates below, between and above are counted; those are left among which the k-th is.
//!
//! When at most 4 √n candidates are left, all are drawn, and the k-th is among them.
//!
//! **Messages.** All are those of scans, permutations, sorts and sums. How many are drawn is known to all
//! before they move.
//!
//! **Cost.** A round is O(n) energy: sums and scans, 4 √n moves over O(√n), and a sort of as many. With
//! high probability the k-th lies between the two, and a round leaves O(n^(-1/4)) of the candidates: a
//! constant number of rounds for all n. Depth is that of sorting 4 √n keys and of the sums, O(log² n).
//! docs/theorems.md has what was measured.
//!
//! **Determinism.** Coins decide the cost, never the answer. Las Vegas.
//!
//! **Reference.** Floyd and Rivest, *Expected time bounds for selection*, 1975, for the two around the
//! k-th.
//!
//! **When not to use.** For many ranks at once: sort.

use super::{CollectiveError, Network, Range, ScanKind};
use super::{all_reduce, permute, permute_words, reduce_words, scan, scan_words, sort, sort_words};
use crate::machine::{
    Machine, Memory, Plain, Processor, Program, most_words, program_words, words_of,
};
use crate::plain;
use palmette_core::Monoid;
use palmette_core::operator::Sum;
use std::marker::PhantomData;

/// A key and its address: no two are equal.
type Keyed<K> = (K, u32);
/// The two that candidates are compared with: those below the first and above the second leave.
type Pivots<K> = [Option<Keyed<K>>; 2];

plain! {
    /// What a processor knows: its key, and whether it is a candidate, and drawn.
    #[derive(Debug, Clone, Copy)]
    struct Candidate<K> {
        key: Keyed<K>,
        candidate: bool,
        drawn: bool,
    }
}

/// Every candidate is drawn with the probability `(constant + 1) / 2^64`.
struct Draw<K>(PhantomData<K>);

impl<K: Plain> Program for Draw<K> {
    type Constants = u64;
    type State = Candidate<K>;
    type Message = ();

    fn start(state: &mut Candidate<K>, processor: &mut Processor<'_, Self>) {
        state.drawn = state.candidate && processor.random() <= *processor.constants();
    }

    fn receive(_: &mut Candidate<K>, (): (), _: &mut Processor<'_, Self>) {}
}

plain! {
    /// Whatever there is of two things; nobody has the same as another.
    #[derive(Debug, Clone, Copy)]
    struct Either<K>(PhantomData<K>);
}

impl<K: Plain> Monoid for Either<K> {
    type Elem = Pivots<K>;

    fn identity(&self) -> Pivots<K> {
        [None; 2]
    }

    fn combine(&self, left: Pivots<K>, right: Pivots<K>) -> Pivots<K> {
        [left[0].or(right[0]), left[1].or(right[1])]
    }
}

plain! {
    /// Counts below, between and above.
    #[derive(Debug, Clone, Copy)]
    struct Counts;
}

impl Monoid for Counts {
    type Elem = [u32; 3];

    fn identity(&self) -> [u32; 3] {
        [0; 3]
    }

    fn combine(&self, left: [u32; 3], right: [u32; 3]) -> [u32; 3] {
        std::array::from_fn(|i| left[i] + right[i])
    }
}

/// What was selected.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Selected<K> {
    /// The key.
    pub key: K,
    /// Who has it.
    pub address: u32,
    /// How many rounds it took.
    pub rounds: u32,
}

/// How many are drawn in a round: 4 √n.
fn wanted(range: Range) -> u32 {
    (4 * range.len().isqrt()).max(16)
}

/// The words of a processor for a [`select`] on so many processors.
pub const fn select_words<K: Ord + Plain>(processors: usize) -> usize {
    const SUM: usize = reduce_words::<Sum<u32>>();
    words_of::<Candidate<K>>()
        + words_of::<Pivots<K>>()
        + most_words([
            program_words::<Draw<K>>(0),
            scan_words::<Sum<u32>>() + SUM,
            permute_words::<Keyed<K>>() + sort_words::<Keyed<K>, ()>(processors),
            reduce_words::<Either<K>>() + reduce_words::<Counts>(),
        ])
}

/// The k-th smallest key of a range, counted from 0, which all of its processors then know.
///
/// ```
/// use palmette_spatial::collective::{Range, select};
/// use palmette_spatial::curve::CurveKind;
/// use palmette_spatial::machine::{Machine, MachineParams, Memory};
/// let curve = CurveKind::Hilbert.fitting(1000)?;
/// let mut machine = Machine::on_curve(&curve, 1000, MachineParams::default())?;
/// let keys = Memory::new(1000, |p| p * 7 % 1000);
/// let median = select(&mut machine, "median", Range::new(0, 1000), 500, keys)?;
/// assert_eq!(median.key, 500);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// A range beyond the machine, a `k` that the range does not have, and what stops the machine.
pub fn select<K: Ord + Plain>(
    machine: &mut Machine,
    name: &str,
    range: Range,
    k: u32,
    keys: Memory<K>,
) -> Result<Selected<K>, CollectiveError> {
    if k >= range.len() {
        return Err(CollectiveError::Rank { rank: k, range });
    }
    let states = keys.map(|p, key| Candidate { key: (key, p), candidate: true, drawn: false });
    let within = super::Ranges::from(range).assign(machine.processors())?;
    let states = within.beside(states);
    let states =
        states.map(|_, (range, state)| Candidate { candidate: !range.is_empty(), ..state });
    let mut search = Search { machine, name, range, rank: k, left: range.len(), states };
    let mut rounds = 0;
    loop {
        rounds += 1;
        if let Some((key, address)) = search.round()? {
            return Ok(Selected { key, address, rounds });
        }
    }
}

/// A search under way. All processors know `rank` and `left`.
struct Search<'m, K> {
    machine: &'m mut Machine,
    name: &'m str,
    range: Range,
    /// The rank among the candidates.
    rank: u32,
    /// How many candidates there are.
    left: u32,
    states: Memory<Candidate<K>>,
}

impl<K: Ord + Plain> Search<'_, K> {
    /// The one, if it has been found.
    fn round(&mut self) -> Result<Option<Keyed<K>>, CollectiveError> {
        let wanted = wanted(self.range);
        let last = self.left <= wanted;
        let chance = match last {
            true => u64::MAX,
            false => ((u128::from(wanted) << 64) / u128::from(self.left)) as u64,
        };
        let name = format!("{}: draw", self.name);
        self.states = self.machine.run::<Draw<K>>(&name, chance, self.states.clone())?;
        let (drawn, sorted) = self.sort_drawn()?;
        if drawn == 0 {
            return Ok(None);
        }
        // Where the k-th is expected among the drawn, and three halves of a deviation beside it.
        let expected = u64::from(self.rank) * u64::from(drawn) / u64::from(self.left);
        let aside = if last { 0 } else { u64::from((9 * drawn / 4).isqrt()) + 1 };
        let lower = expected.checked_sub(aside).map(|rank| rank as u32);
        let upper = Some((expected + aside) as u32).filter(|&rank| rank < drawn);
        let pivots = self.tell(lower, upper, sorted)?;
        if last {
            return Ok(pivots.states()[self.range.first as usize][0]);
        }
        self.keep_side(pivots)?;
        Ok(None)
    }

    /// Brings the drawn to the first addresses of the range, in order; says how many they are.
    #[expect(clippy::type_complexity, reason = "keys, and what is not carried along")]
    fn sort_drawn(&mut self) -> Result<(u32, Memory<Option<(Keyed<K>, ())>>), CollectiveError> {
        let (name, range) = (self.name, self.range);
        let machine = &mut *self.machine.keep(&self.states);
        let ones = self.states.clone().map(|_, state| u32::from(state.drawn));
        let (sum, count) = (Sum::new(), format!("{name}: count"));
        let totals = all_reduce(machine, &count, sum, range, ones.clone())?;
        let ranks = scan(machine, &count, sum, ScanKind::Exclusive, range, ones)?;
        let drawn = totals.states()[range.first as usize];
        let places = Memory::new(machine.processors(), |_| range.first).beside(ranks);
        let targets = self.states.clone().beside(places);
        let targets = targets.map(|_, (state, (first, rank))| state.drawn.then_some(first + rank));
        let keys = self.states.clone().map(|_, state| state.key);
        let came = permute(machine, &format!("{name}: gather"), targets, keys.clone())?;
        // Beyond the drawn nothing came; what is there takes no part.
        let taking_part = came.clone().map(|_, key| key.is_some());
        let items = came.beside(keys).map(|_, (came, own)| (came.unwrap_or(own), ()));
        let first = Range::new(range.first, range.first + drawn);
        let sorted = sort(machine, &format!("{name}: sort"), Network::default(), first, items)?;
        let sorted = sorted.beside(taking_part).map(|_, (item, takes)| takes.then_some(item));
        Ok((drawn, sorted))
    }

    /// Tells all those of two ranks among the drawn.
    fn tell(
        &mut self,
        lower: Option<u32>,
        upper: Option<u32>,
        sorted: Memory<Option<(Keyed<K>, ())>>,
    ) -> Result<Memory<Pivots<K>>, CollectiveError> {
        let (name, range) = (format!("{}: tell pivots", self.name), self.range);
        let machine = &mut *self.machine.keep(&self.states);
        // All know the ranks: they follow from how many are drawn and left.
        let address = |rank: Option<u32>| rank.map(|rank| range.first + rank);
        let ranks = Memory::new(machine.processors(), |_| [address(lower), address(upper)]);
        let own = sorted.beside(ranks).map(|p, (item, ranks)| {
            ranks.map(|rank| item.filter(|_| rank == Some(p)).map(|(key, ())| key))
        });
        all_reduce(machine, &name, Either(PhantomData), range, own)
    }

    /// Keeps the candidates among which the one is.
    fn keep_side(&mut self, pivots: Memory<Pivots<K>>) -> Result<(), CollectiveError> {
        let (name, range) = (format!("{}: compare", self.name), self.range);
        let sides =
            self.states.clone().beside(pivots).map(|_, (state, pivots)| {
                (state, state.candidate.then(|| side(state.key, pivots)))
            });
        let ones = sides.clone().map(|_, (_, side)| {
            let mut counts = [0; 3];
            if let Some(side) = side {
                counts[usize::from(side)] = 1;
            }
            counts
        });
        let machine = &mut *self.machine.keep(&self.states);
        let counts = all_reduce(machine, &name, Counts, range, ones)?;
        let counts = counts.states()[range.first as usize];
        let [below, between, _] = counts;
        let kept = match self.rank {
            rank if rank < below => 0u8,
            rank if rank < below + between => 1,
            _ => 2,
        };
        let before: u32 = counts[..usize::from(kept)].iter().sum();
        self.rank -= before;
        self.left = counts[usize::from(kept)];
        let kept = Memory::new(self.states.states().len(), |_| kept);
        self.states = sides
            .beside(kept)
            .map(|_, ((state, side), kept)| Candidate { candidate: side == Some(kept), ..state });
        Ok(())
    }
}

/// 0 below the first, 2 above the second, 1 between.
fn side<K: Ord>(key: Keyed<K>, [lower, upper]: Pivots<K>) -> u8 {
    match (lower, upper) {
        (Some(lower), _) if key < lower => 0,
        (_, Some(upper)) if upper < key => 2,
        _ => 1,
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{PATTERNS, Random, machine, machine_with, stagger};
    use super::*;
    use crate::machine::MachineParams;
    use crate::testing::every_delivery;

    fn check(params: MachineParams, n: u32, different: u64, random: &mut Random) {
        let first = random.below(3) as u32;
        let range = Range::new(first, first + n);
        let processors = (range.end + random.below(3) as u32) as usize;
        let words = select_words::<u64>(processors);
        let mut machine = machine_with(processors, params.stating(words));
        stagger(&mut machine, random);
        let keys: Vec<u64> = (0..processors).map(|_| random.below(different)).collect();
        let k = random.below(n.into()) as u32;
        let found = select(&mut machine, "select", range, k, keys.clone().into()).unwrap();
        let mut all: Vec<(u64, u32)> =
            (range.first..range.end).map(|p| (keys[p as usize], p)).collect();
        all.sort_unstable();
        assert_eq!((found.key, found.address), all[k as usize]);
    }

    #[test]
    fn the_kth_smallest_is_found_under_all_delays() {
        every_delivery(PATTERNS / 4, |params| {
            let mut random = Random(params.seed);
            let n = 1 + random.below(60) as u32;
            check(params, n, 1 + random.below(40), &mut random);
        });
        let mut random = Random(7);
        for n in [1, 2, 15, 16, 17, 300, 1024, 5000, 20_000] {
            for different in [1, 5, u64::MAX] {
                check(MachineParams::default(), n, different, &mut random);
            }
        }
    }

    #[test]
    fn ranks_that_a_range_does_not_have() {
        let keys = Memory::new(9, |p| p);
        let error = select(&mut machine(9), "select", Range::new(2, 5), 3, keys).unwrap_err();
        assert_eq!(error, CollectiveError::Rank { rank: 3, range: Range::new(2, 5) });
    }
}
