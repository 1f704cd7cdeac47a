//! One program, from its first message to its last.
//!
//! **Method.** Time is the clock that processors carry: whatever runs at step `t` has
//! a longest chain of `t` messages before it, and what it sends arrives at `t + 1`. A
//! processor that an earlier program left at clock `c` starts at step `c`; messages
//! that reach it before wait for it. Nothing is synchronised, and the last step is the
//! depth.
//!
//! Processors are dealt out to regions of equal length. A step with little to do runs
//! on one thread over one list; otherwise regions run in parallel, each with boxes
//! for the others (see `mail.rs`).
//!
//! **Cost.** Linear in processors and messages; 24 bytes per processor for meters, 4 for
//! its place, 8 per cell and thread for link loads; 12 bytes and its own size per message on its
//! way.
//!
//! **Determinism.** Regions, and the choice between list and boxes, depend on numbers
//! of processors and messages only.

use super::books;
use super::desk::{Desk, Out, Sheet};
use super::links::LinkCounters;
use super::mail::{Boxes, Bundle, Envelope, boxes, transpose};
use super::program::{Meter, Program};
use super::region::{Queue, Region, starts};
use super::tasks::{Task, run_all};
use super::waiting::Waiting;
use super::{Machine, MachineError};
use crate::Window;
use std::sync::{Mutex, PoisonError};

/// Up to here a step runs on one thread.
const SMALL: usize = 2048;
const MOST_REGIONS_LOG: u32 = 6;
const SHORTEST_REGION_LOG: u32 = 12;

pub(super) struct Run<'m, P: Program> {
    machine: &'m mut Machine,
    name: &'m str,
    /// The binary logarithm of the length of a region.
    shift: u32,
    regions: Vec<Region<P>>,
    /// Serves all processors in steps with little to do.
    front: Desk<P>,
    list: Vec<Envelope<P::Message>>,
    /// Messages on their way, by receiving region; the other set is for sending.
    inboxes: Boxes<P::Message>,
    outboxes: Boxes<P::Message>,
    /// Messages on their way.
    flying: usize,
    /// Processors that have not started.
    unstarted: usize,
}

/// Sets of link counters that no thread uses now.
#[derive(Clone, Copy)]
struct Counters<'a> {
    window: Window,
    counting: bool,
    links: &'a Mutex<Vec<LinkCounters>>,
}

impl Counters<'_> {
    fn take(&self) -> Option<LinkCounters> {
        let counters = self.links.lock().unwrap_or_else(PoisonError::into_inner).pop();
        counters.or_else(|| self.counting.then(|| LinkCounters::new(self.window)))
    }

    fn give(&self, counters: Option<LinkCounters>) {
        self.links.lock().unwrap_or_else(PoisonError::into_inner).extend(counters);
    }
}

/// One step of one region.
struct Service<'a, P: Program> {
    step: u32,
    shift: u32,
    counters: Counters<'a>,
    region: &'a mut Region<P>,
    states: &'a mut [P::State],
    meters: &'a mut [Meter],
    inbox: &'a mut Vec<Bundle<P::Message>>,
    outbox: &'a mut Vec<Bundle<P::Message>>,
    /// Processors that started.
    started: usize,
}

impl<P: Program> Task for Service<'_, P> {
    fn run(&mut self) {
        self.region.desk.sheet.links = self.counters.take();
        self.region.desk.out = Out::Boxes(std::mem::take(self.outbox), self.shift);
        self.started = self.region.step(self.step, self.states, self.meters, self.inbox);
        if let Out::Boxes(sent, _) = &mut self.region.desk.out {
            *self.outbox = std::mem::take(sent);
        }
        self.counters.give(self.region.desk.sheet.links.take());
    }
}

impl<'m, P: Program> Run<'m, P> {
    pub(super) fn new(
        machine: &'m mut Machine,
        name: &'m str,
        constants: P::Constants,
    ) -> Result<Run<'m, P>, MachineError> {
        let front = books::open::<P>(machine, name, constants)?;
        let n = machine.places.len();
        let bits = usize::BITS - n.saturating_sub(1).leading_zeros();
        let shift = bits.saturating_sub(MOST_REGIONS_LOG).max(SHORTEST_REGION_LOG);
        let orders = starts(&mut machine.meters, shift);
        machine.waiting.resize_with(orders.len(), Waiting::default);
        let waiting = std::mem::take(&mut machine.waiting);
        let queues = (0u32..).zip(orders.into_iter().zip(waiting));
        let queues = queues.map(|(r, (order, waiting))| Queue::new(r << shift, order, waiting));
        let regions: Vec<Region<P>> =
            queues.map(|queue| Region { desk: front.another(), queue }).collect();
        let count = regions.len();
        Ok(Run {
            name,
            shift,
            front,
            list: Vec::new(),
            inboxes: boxes(count),
            outboxes: boxes(count),
            flying: 0,
            unstarted: n,
            regions,
            machine,
        })
    }

    /// Runs until no message is on its way and every processor has started.
    pub(super) fn finish(mut self, states: &mut [P::State]) -> Result<(), MachineError> {
        let first = self.machine.trace.sent.len();
        let limit = self.machine.params.step_limit;
        let mut steps = 0u32;
        let mut step = 0u32;
        while let Some(next) = self.next_step(step) {
            step = next;
            let load = self.flying + self.waiting_at(step);
            if steps == limit || step == u32::MAX {
                return Err(self.over_limit(step));
            }
            steps += 1;
            if load <= SMALL {
                self.small(step, states)
            } else {
                self.large(step, states)
            }
            self.check(step)?;
            step += 1;
        }
        let others: Vec<&Sheet> = self.regions.iter().map(|r| &r.desk.sheet).collect();
        books::close(self.machine, self.name, &self.front.sheet, &others, first);
        self.machine.waiting = self.regions.into_iter().map(|r| r.queue.into_waiting()).collect();
        Ok(())
    }

    /// The step at which something happens next, from `step` on.
    fn next_step(&self, step: u32) -> Option<u32> {
        if self.flying > 0 {
            return Some(step);
        }
        if self.unstarted == 0 {
            return None;
        }
        self.each_region().filter_map(|(region, meters)| region.queue.next_start(meters)).min()
    }

    /// Processors that start at `step`, and messages that wait for them.
    fn waiting_at(&self, step: u32) -> usize {
        if self.unstarted == 0 {
            return 0;
        }
        self.each_region().map(|(region, meters)| region.queue.waiting_at(step, meters)).sum()
    }

    fn each_region(&self) -> impl Iterator<Item = (&Region<P>, &[Meter])> {
        self.regions.iter().zip(self.machine.meters.chunks(1 << self.shift))
    }

    /// A step with little to do: everything on one desk, in one order.
    fn small(&mut self, step: u32, states: &mut [P::State]) {
        let Run { front, regions, list, machine, shift, .. } = self;
        front.sheet.links = machine.take_counters();
        let meters = &mut machine.meters;
        front.sheet.step = step;
        front.sheet.posted = 0;
        let arrived = std::mem::take(list);
        if self.unstarted > 0 {
            for region in regions.iter_mut() {
                let first = region.queue.first as usize;
                let end = (first + (1 << *shift)).min(states.len());
                let range = first..end;
                let started =
                    region.queue.start(step, front, &mut states[range.clone()], &mut meters[range]);
                self.unstarted -= started;
            }
        }
        for envelope in &arrived {
            let to = envelope.to as usize;
            if meters[to].clock > step {
                let first = to >> *shift << *shift;
                let end = (first + (1 << *shift)).min(meters.len());
                regions[to >> *shift].queue.keep(*envelope, front, &meters[first..end]);
            } else {
                front.deliver(envelope, None, &mut states[to], &mut meters[to]);
            }
        }
        front.rest(0, states, meters);
        machine.links.extend(front.sheet.links.take());
        self.flying = front.sheet.posted as usize;
        if let Out::List(sent) = &mut front.out {
            *list = std::mem::take(sent);
            // The list that was read becomes the one that is written next.
            *sent = arrived;
            sent.clear();
        }
    }

    /// A step with much to do: all regions at once.
    fn large(&mut self, step: u32, states: &mut [P::State]) {
        let shift = self.shift;
        for envelope in std::mem::take(&mut self.list) {
            self.inboxes[(envelope.to >> shift) as usize][0].push(envelope);
        }
        let counting = self.machine.counts_links();
        let links = Mutex::new(std::mem::take(&mut self.machine.links));
        let counters = Counters { window: self.machine.window, counting, links: &links };
        let length = 1usize << shift;
        let mut services: Vec<Service<'_, P>> = self
            .regions
            .iter_mut()
            .zip(states.chunks_mut(length))
            .zip(self.machine.meters.chunks_mut(length))
            .zip(self.inboxes.iter_mut().zip(&mut self.outboxes))
            .map(|(((region, states), meters), (inbox, outbox))| Service {
                step,
                shift,
                counters,
                region,
                states,
                meters,
                inbox,
                outbox,
                started: 0,
            })
            .collect();
        run_all(&mut services.iter_mut().map(|s| s as &mut dyn Task).collect::<Vec<_>>());
        let started: usize = services.iter().map(|service| service.started).sum();
        self.machine.links = links.into_inner().unwrap_or_else(PoisonError::into_inner);
        self.unstarted -= started;
        self.flying = self.regions.iter().map(|region| region.desk.sheet.posted as usize).sum();
        transpose(&mut self.outboxes);
        std::mem::swap(&mut self.inboxes, &mut self.outboxes);
        if self.flying <= SMALL {
            for bundle in self.inboxes.iter_mut().flatten() {
                bundle.take().for_each(|piece| self.list.extend(piece));
            }
        }
    }

    /// Looks for failures, and takes the messages of this step into the trace.
    fn check(&mut self, step: u32) -> Result<(), MachineError> {
        let others = self.regions.iter_mut().map(|region| &mut region.desk);
        for Desk { sheet, .. } in std::iter::once(&mut self.front).chain(others) {
            if let Some(sent) = &mut sheet.trace {
                self.machine.trace.sent.append(sent);
            }
            books::check(self.machine, self.name, sheet, step)?;
        }
        Ok(())
    }

    fn over_limit(&mut self, step: u32) -> MachineError {
        let flying = |bundle: &mut super::mail::Bundle<P::Message>| bundle.take().flatten().next();
        let boxed = || self.inboxes.iter_mut().flatten().find_map(flying);
        let (processor, phase) = match self.list.first().copied().or_else(boxed) {
            Some(envelope) => (envelope.to, P::phase(&envelope.message)),
            None => (0, 0),
        };
        let phase = P::phase_name(self.name, phase);
        MachineError::StepLimit { processor, step, phase, limit: self.machine.params.step_limit }
    }
}
