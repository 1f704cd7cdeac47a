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
//! **Types.** What depends on those of a program is a [`Crew`]; the rest is compiled once, not with
//! every program.
//!
//! **Cost.** Linear in processors and messages; 24 bytes per processor for meters, 4 for
//! its place, 8 per cell, thread and size of messages for link loads; 12 bytes and its own size per message on its
//! way.
//!
//! **Determinism.** Regions, and the choice between list and boxes, depend on numbers
//! of processors and messages only.

use super::books;
use super::crew::{Crew, Server, Typed};
use super::desk::{Desk, Sheet};
use super::links::LinkCounters;
use super::program::{Meter, Program};
use super::queue::{Queue, starts};
use super::tasks::{Task, run_all};
use super::waiting::Waiting;
use super::{Machine, MachineError};
use crate::Window;
use std::sync::{Mutex, PoisonError};

/// Up to here a step runs on one thread.
const SMALL: usize = 2048;
const MOST_REGIONS_LOG: u32 = 6;
const SHORTEST_REGION_LOG: u32 = 12;

struct Run<'m> {
    machine: &'m mut Machine,
    name: &'m str,
    /// The binary logarithm of the length of a region.
    shift: u32,
    crew: &'m mut dyn Crew,
    queues: Vec<Queue>,
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
    fn take(&self, words: u32) -> Option<LinkCounters> {
        let mut unused = self.links.lock().unwrap_or_else(PoisonError::into_inner);
        let counters = LinkCounters::take(&mut unused, words);
        drop(unused);
        counters.or_else(|| self.counting.then(|| LinkCounters::new(self.window, words)))
    }

    fn give(&self, counters: Option<LinkCounters>) {
        self.links.lock().unwrap_or_else(PoisonError::into_inner).extend(counters);
    }
}

/// One step of one region.
struct Service<'a> {
    step: u32,
    counters: Counters<'a>,
    server: Box<dyn Server + 'a>,
    queue: &'a mut Queue,
    meters: &'a mut [Meter],
    /// Processors that started.
    started: usize,
}

impl Task for Service<'_> {
    fn run(&mut self) {
        let sheet = self.server.sheet();
        sheet.links = self.counters.take(sheet.sizes.sent);
        self.started = self.server.serve(self.step, self.queue, self.meters);
        self.counters.give(self.server.sheet().links.take());
    }
}

/// Runs a program, for which a desk was opened, in steps.
pub(super) fn run<P: Program>(
    machine: &mut Machine,
    name: &str,
    desk: Desk<P>,
    states: &mut [P::State],
) -> Result<(), MachineError> {
    let shift = region_shift(states.len());
    drive(machine, name, shift, &mut Typed::new(desk, shift, states))
}

/// The binary logarithm of the length of regions of so many processors.
fn region_shift(processors: usize) -> u32 {
    let bits = usize::BITS - processors.saturating_sub(1).leading_zeros();
    bits.saturating_sub(MOST_REGIONS_LOG).max(SHORTEST_REGION_LOG)
}

fn drive(
    machine: &mut Machine,
    name: &str,
    shift: u32,
    crew: &mut dyn Crew,
) -> Result<(), MachineError> {
    let orders = starts(&mut machine.meters, shift);
    machine.waiting.resize_with(orders.len(), Waiting::default);
    let waiting = std::mem::take(&mut machine.waiting);
    let queues = (0u32..).zip(orders.into_iter().zip(waiting));
    let queues = queues.map(|(r, (order, waiting))| Queue::new(r << shift, order, waiting));
    let (queues, unstarted) = (queues.collect(), machine.places.len());
    Run { machine, name, shift, crew, queues, flying: 0, unstarted }.finish()
}

impl Run<'_> {
    /// Runs until no message is on its way and every processor has started.
    fn finish(mut self) -> Result<(), MachineError> {
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
                self.small(step);
                check(self.machine, self.name, self.crew.front())?;
            } else {
                self.large(step);
                for mut server in self.crew.servers() {
                    check(self.machine, self.name, server.sheet())?;
                }
            }
            step += 1;
        }
        let mut sums = books::Sums::default();
        sums.add(self.crew.front());
        self.crew.servers().iter_mut().for_each(|server| sums.add(server.sheet()));
        books::close(self.machine, self.name, self.crew.front(), sums, first);
        self.machine.waiting = self.queues.into_iter().map(Queue::into_waiting).collect();
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
        self.each_queue().filter_map(|(queue, meters)| queue.next_start(meters)).min()
    }

    /// Processors that start at `step`, and messages that wait for them.
    fn waiting_at(&self, step: u32) -> usize {
        if self.unstarted == 0 {
            return 0;
        }
        self.each_queue().map(|(queue, meters)| queue.waiting_at(step, meters)).sum()
    }

    fn each_queue(&self) -> impl Iterator<Item = (&Queue, &[Meter])> {
        self.queues.iter().zip(self.machine.meters.chunks(1 << self.shift))
    }

    /// A step with little to do: everything on one desk, in one order.
    fn small(&mut self, step: u32) {
        let Run { machine, crew, queues, .. } = self;
        let front = crew.front();
        front.links = machine.take_counters(front.sizes.sent);
        front.begin_step(step);
        if self.unstarted > 0 {
            let chunks = machine.meters.chunks_mut(1 << self.shift);
            for (region, (queue, meters)) in queues.iter_mut().zip(chunks).enumerate() {
                self.unstarted -= crew.start(region, queue, meters);
            }
        }
        crew.deliver(queues, &mut machine.meters);
        let front = crew.front();
        machine.links.extend(front.links.take());
        self.flying = front.posted as usize;
    }

    /// A step with much to do: all regions at once.
    fn large(&mut self, step: u32) {
        self.crew.hand_out();
        let counting = self.machine.counts_links();
        let links = Mutex::new(std::mem::take(&mut self.machine.links));
        let counters = Counters { window: self.machine.window, counting, links: &links };
        let meters = self.machine.meters.chunks_mut(1 << self.shift);
        let mut services: Vec<Service<'_>> = self
            .crew
            .servers()
            .into_iter()
            .zip(self.queues.iter_mut().zip(meters))
            .map(|(server, (queue, meters))| Service {
                step,
                counters,
                server,
                queue,
                meters,
                started: 0,
            })
            .collect();
        run_all(&mut services.iter_mut().map(|s| s as &mut dyn Task).collect::<Vec<_>>());
        self.unstarted -= services.iter().map(|service| service.started).sum::<usize>();
        let posted = services.iter_mut().map(|service| service.server.sheet().posted as usize);
        self.flying = posted.sum();
        drop(services);
        self.machine.links = links.into_inner().unwrap_or_else(PoisonError::into_inner);
        self.crew.exchange();
        if self.flying <= SMALL {
            self.crew.gather();
        }
    }

    fn over_limit(&mut self, step: u32) -> MachineError {
        let (processor, phase) = self.crew.flying().unwrap_or((0, 0));
        let phase = self.crew.front().phase_name(self.name, phase);
        MachineError::StepLimit { processor, step, phase, limit: self.machine.params.step_limit }
    }
}

/// Looks for failures, and takes the messages of this step into the trace.
fn check(machine: &mut Machine, name: &str, sheet: &mut Sheet) -> Result<(), MachineError> {
    if let Some(sent) = &mut sheet.trace {
        machine.trace.sent.append(sent);
    }
    books::check(machine, name, sheet, sheet.step)
}
