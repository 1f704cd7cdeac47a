//! Processors of a region that have not started, and how many messages wait for them.

use super::desk::Sheet;
use super::program::Meter;
use super::waiting::Waiting;
use palmette_core::Lists;
use rayon::prelude::*;
use std::collections::BTreeMap;

/// The processors of a region that have not started.
pub(super) struct Queue {
    /// The address of the region's first processor.
    pub(super) first: u32,
    /// Its processors in the order in which they start, counted from `first`.
    order: Starts,
    started: usize,
    /// Messages for processors that have not started lie in piles: one for every step at which
    /// some will, with the number of its messages.
    early: BTreeMap<u32, (usize, usize)>,
    piles: usize,
    waiting: Waiting,
}

/// In which order processors start.
pub(super) enum Starts {
    /// All at once.
    Together,
    /// By their clocks, then by address.
    Listed(Vec<u32>),
}

impl Queue {
    pub(super) fn new(first: u32, order: Starts, waiting: Waiting) -> Queue {
        Queue { first, order, started: 0, early: BTreeMap::new(), piles: 0, waiting }
    }

    /// What waited for processors, after a run.
    pub(super) fn into_waiting(self) -> Waiting {
        self.waiting
    }

    /// When the next processor starts. A processor that has not started still has the
    /// clock at which it will.
    pub(super) fn next_start(&self, meters: &[Meter]) -> Option<u32> {
        match &self.order {
            Starts::Together => (self.started == 0).then(|| meters[0].clock),
            Starts::Listed(order) => order.get(self.started).map(|&p| meters[p as usize].clock),
        }
    }

    fn starting_at(&self, step: u32, meters: &[Meter]) -> usize {
        if self.next_start(meters) != Some(step) {
            return 0;
        }
        match &self.order {
            Starts::Together => meters.len(),
            Starts::Listed(order) => {
                order[self.started..].partition_point(|&p| meters[p as usize].clock <= step)
            }
        }
    }

    /// Processors that start at `step`, and messages that wait for them.
    pub(super) fn waiting_at(&self, step: u32, meters: &[Meter]) -> usize {
        let pile = self.early.get(&step).map_or(0, |&(_, messages)| messages);
        self.starting_at(step, meters) + pile
    }

    /// A message of a phase waits for a processor that has not started. Returns its pile.
    pub(super) fn keep(
        &mut self,
        to: u32,
        phase: u16,
        sheet: &mut Sheet,
        meters: &[Meter],
    ) -> usize {
        let p = (to - self.first) as usize;
        let step = meters[p].clock;
        let times = (sheet.step.into(), step.into());
        let waiting = self.waiting.add(p, meters.len(), times, sheet.sizes.message as u32);
        sheet.wait(to, waiting, || phase);
        let (pile, messages) = self.early.entry(step).or_insert((self.piles, 0));
        *messages += 1;
        self.piles = self.piles.max(*pile + 1);
        *pile
    }

    /// The processors whose time has come, which start now, and the pile of messages for them.
    pub(super) fn start(&mut self, step: u32, meters: &[Meter]) -> (Started<'_>, Option<usize>) {
        let count = self.starting_at(step, meters);
        let (before, after) = (self.started, self.started + count);
        self.started = after;
        let started = match &self.order {
            Starts::Together => Started::All(count),
            Starts::Listed(order) => Started::Listed(&order[before..after]),
        };
        (started, self.early.remove(&step).map(|(pile, _)| pile))
    }
}

/// Processors that start, counted from the first of their region.
pub(super) enum Started<'a> {
    All(usize),
    Listed(&'a [u32]),
}

impl Started<'_> {
    pub(super) fn len(&self) -> usize {
        match self {
            Started::All(count) => *count,
            Started::Listed(list) => list.len(),
        }
    }

    #[inline]
    pub(super) fn get(&self, i: usize) -> usize {
        match self {
            Started::All(_) => i,
            Started::Listed(list) => list[i] as usize,
        }
    }
}

/// Prepares the meters for a run. Returns the starts of regions of `1 << shift` processors.
pub(super) fn starts(meters: &mut [Meter], shift: u32) -> Vec<Starts> {
    let order = |meters: &mut [Meter]| {
        meters.iter_mut().for_each(|meter| meter.received_now = 0);
        if meters.windows(2).all(|w| w[0].clock == w[1].clock) {
            Starts::Together
        } else {
            Starts::Listed(by_clock(meters))
        }
    };
    meters.par_chunks_mut(1 << shift).map(order).collect()
}

/// Processors by their clocks, then by address: by counting where clocks are close.
fn by_clock(meters: &[Meter]) -> Vec<u32> {
    let clocks = || meters.iter().map(|meter| meter.clock);
    let (least, most) = (clocks().min().unwrap_or(0), clocks().max().unwrap_or(0));
    if (most - least) as usize >= meters.len() {
        let mut order: Vec<u32> = (0..meters.len() as u32).collect();
        order.sort_by_key(|&p| meters[p as usize].clock);
        return order;
    }
    let keys = clocks().map(|clock| clock - least);
    Lists::by_key((most - least) as usize + 1, keys.zip(0..)).into_items()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn starts_are_sorted_by_clock_and_address() {
        for spread in [3, 50, 1_000_000] {
            let clock = |p: u32| p.wrapping_mul(2_654_435_761) % spread;
            let meters: Vec<Meter> =
                (0..200).map(|p| Meter { clock: clock(p), ..Meter::default() }).collect();
            let mut expected: Vec<u32> = (0..200).collect();
            expected.sort_by_key(|&p| clock(p));
            assert_eq!(by_clock(&meters), expected);
        }
    }
}
