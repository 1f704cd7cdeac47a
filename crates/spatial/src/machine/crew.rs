//! The part of a run that depends on a program's types: its desks, states and messages.
//!
//! Everything else is compiled once, not with every program; see `run.rs`.

use super::desk::{Desk, Out, Sheet};
use super::mail::{Bundle, Envelope};
use super::program::{Meter, Program};
use super::queue::Queue;

/// What serves all processors, one after another or by region.
pub(super) trait Crew {
    /// The sheet of the desk that serves all in steps with little to do.
    fn front(&mut self) -> &mut Sheet;

    /// What serves each region in steps with much to do.
    fn servers(&mut self) -> Vec<Box<dyn Server + '_>>;

    /// Starts the processors of a region whose time has come, on the desk that serves all.
    /// Returns how many.
    fn start(&mut self, region: usize, queue: &mut Queue, meters: &mut [Meter]) -> usize;

    /// Hands over all that was sent in the step before, on the desk that serves all.
    fn deliver(&mut self, queues: &mut [Queue], meters: &mut [Meter]);

    /// Brings what that desk has sent to the regions.
    fn hand_out(&mut self);

    /// What regions have sent becomes what regions receive.
    fn exchange(&mut self);

    /// Brings what regions would receive to the desk that serves all.
    fn gather(&mut self);

    /// Where a message on its way goes, and its phase.
    fn flying(&mut self) -> Option<(u32, u16)>;
}

/// What serves the processors of a region.
pub(super) trait Server: Send {
    fn sheet(&mut self) -> &mut Sheet;

    /// One step of the region on its own desk. Returns how many processors started.
    fn serve(&mut self, step: u32, queue: &mut Queue, meters: &mut [Meter]) -> usize;
}

type Letters<P> = Vec<Envelope<<P as Program>::Message>>;

pub(super) struct Typed<'s, P: Program> {
    /// The binary logarithm of the length of a region.
    shift: u32,
    states: &'s mut [P::State],
    /// Serves all processors in steps with little to do.
    front: Desk<P>,
    /// Messages on their way in such steps.
    list: Letters<P>,
    regions: Vec<Region<P>>,
}

struct Region<P: Program> {
    /// It posts in one box per receiving region.
    desk: Desk<P>,
    /// Messages on their way here, by sending region.
    inbox: Vec<Bundle<P::Message>>,
    /// Messages for processors that have not started.
    piles: Vec<Letters<P>>,
}

struct Serving<'a, P: Program> {
    region: &'a mut Region<P>,
    states: &'a mut [P::State],
}

impl<'s, P: Program> Typed<'s, P> {
    pub(super) fn new(front: Desk<P>, shift: u32, states: &'s mut [P::State]) -> Typed<'s, P> {
        let count = states.len().div_ceil(1 << shift);
        let boxes = || (0..count).map(|_| Bundle::new()).collect::<Vec<_>>();
        let region = |_| {
            let mut desk = front.another();
            desk.out = Out::Boxes(boxes(), shift);
            Region { desk, inbox: boxes(), piles: Vec::new() }
        };
        let regions = (0..count).map(region).collect();
        Typed { shift, states, list: Vec::new(), regions, front }
    }
}

impl<P: Program> Desk<P> {
    /// Starts the processors of a region whose time has come, and hands them the messages that
    /// waited. Returns how many.
    fn start_all(
        &mut self,
        queue: &mut Queue,
        states: &mut [P::State],
        piles: &mut [Letters<P>],
        meters: &mut [Meter],
    ) -> usize {
        let first = queue.first;
        let (started, pile) = queue.start(self.sheet.step, meters);
        for i in 0..started.len() {
            let p = started.get(i);
            self.start(first + p as u32, &mut states[p], &mut meters[p]);
        }
        for envelope in pile.map(|pile| std::mem::take(&mut piles[pile])).into_iter().flatten() {
            let p = (envelope.to - first) as usize;
            self.deliver(&envelope, &mut states[p], &mut meters[p]);
        }
        started.len()
    }

    /// Keeps a message for a processor that has not started.
    #[inline(never)]
    fn keep(
        &mut self,
        envelope: &Envelope<P::Message>,
        queue: &mut Queue,
        piles: &mut Vec<Letters<P>>,
        meters: &[Meter],
    ) {
        let phase = P::phase(&envelope.message);
        let pile = queue.keep(envelope.to, phase, &mut self.sheet, meters);
        if pile == piles.len() {
            piles.push(Vec::new());
        }
        piles[pile].push(*envelope);
    }
}

impl<P: Program> Server for Serving<'_, P> {
    fn sheet(&mut self) -> &mut Sheet {
        &mut self.region.desk.sheet
    }

    fn serve(&mut self, step: u32, queue: &mut Queue, meters: &mut [Meter]) -> usize {
        let Region { desk, inbox, piles } = &mut *self.region;
        desk.sheet.begin_step(step);
        let started = desk.start_all(queue, self.states, piles, meters);
        for piece in inbox.iter_mut().flat_map(Bundle::take) {
            for envelope in &piece {
                let p = (envelope.to - queue.first) as usize;
                if meters[p].clock > step {
                    desk.keep(envelope, queue, piles, meters);
                } else {
                    desk.deliver(envelope, &mut self.states[p], &mut meters[p]);
                }
            }
        }
        started
    }
}

impl<P: Program> Crew for Typed<'_, P> {
    fn front(&mut self) -> &mut Sheet {
        &mut self.front.sheet
    }

    fn servers(&mut self) -> Vec<Box<dyn Server + '_>> {
        let regions = self.regions.iter_mut().zip(self.states.chunks_mut(1 << self.shift));
        let server = |(region, states)| Box::new(Serving { region, states }) as Box<dyn Server>;
        regions.map(server).collect()
    }

    fn start(&mut self, region: usize, queue: &mut Queue, meters: &mut [Meter]) -> usize {
        let first = queue.first as usize;
        let states = &mut self.states[first..first + meters.len()];
        self.front.start_all(queue, states, &mut self.regions[region].piles, meters)
    }

    fn deliver(&mut self, queues: &mut [Queue], meters: &mut [Meter]) {
        let Typed { front, regions, list, shift, states } = self;
        let step = front.sheet.step;
        let arrived = std::mem::take(list);
        for envelope in &arrived {
            let to = envelope.to as usize;
            if meters[to].clock > step {
                let region = to >> *shift;
                let first = region << *shift;
                let end = (first + (1 << *shift)).min(meters.len());
                let piles = &mut regions[region].piles;
                front.keep(envelope, &mut queues[region], piles, &meters[first..end]);
            } else {
                front.deliver(envelope, &mut states[to], &mut meters[to]);
            }
        }
        if let Out::List(sent) = &mut front.out {
            *list = std::mem::take(sent);
            // The list that was read becomes the one that is written next.
            *sent = arrived;
            sent.clear();
        }
    }

    fn hand_out(&mut self) {
        for envelope in std::mem::take(&mut self.list) {
            self.regions[(envelope.to >> self.shift) as usize].inbox[0].push(envelope);
        }
    }

    fn exchange(&mut self) {
        // An inbox is empty after a step, and serves for sending next.
        for Region { desk, inbox, .. } in &mut self.regions {
            if let Out::Boxes(sent, _) = &mut desk.out {
                std::mem::swap(sent, inbox);
            }
        }
        for i in 1..self.regions.len() {
            let (above, below) = self.regions.split_at_mut(i);
            for (j, other) in above.iter_mut().enumerate() {
                std::mem::swap(&mut other.inbox[i], &mut below[0].inbox[j]);
            }
        }
    }

    fn gather(&mut self) {
        for bundle in self.regions.iter_mut().flat_map(|region| &mut region.inbox) {
            bundle.take().for_each(|piece| self.list.extend(piece));
        }
    }

    fn flying(&mut self) -> Option<(u32, u16)> {
        let boxes = self.regions.iter_mut().flat_map(|region| &mut region.inbox);
        let boxed = || boxes.flat_map(Bundle::take).flatten().next();
        let envelope = self.list.first().copied().or_else(boxed)?;
        Some((envelope.to, P::phase(&envelope.message)))
    }
}
