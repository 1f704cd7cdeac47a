//! A range of processors that one thread serves in a step, with the messages that wait for them.

use super::desk::Desk;
use super::mail::{Bundle, Envelope};
use super::plain::Plain;
use super::program::{Meter, Program};
use super::waiting::Waiting;
use palmette_core::Lists;
use rayon::prelude::*;
use std::collections::BTreeMap;

pub(super) struct Region<P: Program> {
    pub(super) desk: Desk<P>,
    pub(super) queue: Queue<P::Message>,
}

/// The processors of a region that have not started, and what waits for them.
pub(super) struct Queue<M> {
    /// The address of the region's first processor.
    pub(super) first: u32,
    /// Its processors in the order in which they start, counted from `first`.
    order: Starts,
    started: usize,
    /// Messages for processors that have not started: a pile for every step at which some
    /// will.
    early: BTreeMap<u32, usize>,
    waiting: Waiting,
    piles: Vec<Vec<Envelope<M>>>,
}

/// In which order processors start.
pub(super) enum Starts {
    /// All at once.
    Together,
    /// By their clocks, then by address.
    Listed(Vec<u32>),
}

impl<M: Plain> Queue<M> {
    pub(super) fn new(first: u32, order: Starts, waiting: Waiting) -> Queue<M> {
        let (early, piles) = (BTreeMap::new(), Vec::new());
        Queue { first, order, started: 0, early, waiting, piles }
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
        let pile = self.early.get(&step).map_or(0, |&pile| self.piles[pile].len());
        self.starting_at(step, meters) + pile
    }

    /// Keeps a message for a processor that has not started.
    pub(super) fn keep<P: Program<Message = M>>(
        &mut self,
        envelope: Envelope<M>,
        desk: &mut Desk<P>,
        meters: &[Meter],
    ) {
        let p = (envelope.to - self.first) as usize;
        let step = meters[p].clock;
        let times = (desk.sheet.step.into(), step.into());
        let waiting = self.waiting.add(p, meters.len(), times, P::MESSAGE_WORDS as u32);
        desk.sheet.wait(envelope.to, waiting, || P::phase(&envelope.message));
        let pile = *self.early.entry(step).or_insert(self.piles.len());
        if pile == self.piles.len() {
            self.piles.push(Vec::new());
        }
        self.piles[pile].push(envelope);
    }

    /// Starts the processors whose time has come, on any desk, and hands them the
    /// messages that waited. Returns how many.
    pub(super) fn start<P: Program<Message = M>>(
        &mut self,
        step: u32,
        desk: &mut Desk<P>,
        states: &mut [P::State],
        meters: &mut [Meter],
    ) -> usize {
        let count = self.starting_at(step, meters);
        for i in self.started..self.started + count {
            let p = match &self.order {
                Starts::Together => i,
                Starts::Listed(order) => order[i] as usize,
            };
            desk.start(self.first + p as u32, &mut states[p], &mut meters[p]);
        }
        self.started += count;
        let pile = self.early.remove(&step).map(|pile| std::mem::take(&mut self.piles[pile]));
        for envelope in pile.into_iter().flatten() {
            let p = (envelope.to - self.first) as usize;
            desk.deliver(&envelope, None, &mut states[p], &mut meters[p]);
        }
        count
    }
}

impl<P: Program> Region<P> {
    /// One step of the region on its own desk. Returns how many processors started.
    pub(super) fn step(
        &mut self,
        step: u32,
        states: &mut [P::State],
        meters: &mut [Meter],
        inbox: &mut [Bundle<P::Message>],
    ) -> usize {
        let Region { desk, queue } = self;
        desk.sheet.step = step;
        desk.sheet.posted = 0;
        let started = queue.start(step, desk, states, meters);
        for piece in inbox.iter_mut().flat_map(Bundle::take) {
            for envelope in &piece {
                let p = (envelope.to - queue.first) as usize;
                if meters[p].clock > step {
                    queue.keep(*envelope, desk, meters);
                } else {
                    desk.deliver(envelope, None, &mut states[p], &mut meters[p]);
                }
            }
        }
        desk.rest(queue.first, states, meters);
        started
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
