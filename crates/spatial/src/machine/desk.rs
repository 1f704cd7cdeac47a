//! Serves processors: calls their handlers, counts what they send, and posts it.

use super::dynamic::Host;
use super::ledger::Tally;
use super::links::{LinkCounters, Place};
use super::mail::{Bundle, Envelope};
use super::program::{Meter, Processor, Program, message_words};
use super::trace::Sent;
use std::sync::Arc;

/// Where messages are posted.
pub(super) enum Out<M> {
    /// One list.
    List(Vec<Envelope<M>>),
    /// One box per receiving region; a region has `1 << shift` processors.
    Boxes(Vec<Bundle<M>>, u32),
}

/// What stops a run.
#[derive(Debug, Clone, Copy)]
pub(super) enum Failure {
    OffGrid { processor: u32, phase: u16, to: u32 },
    Memory { processor: u32, phase: u16, messages: u32 },
    Waiting { processor: u32, phase: u16, waiting: u32 },
    Stopped { processor: u32, phase: u16 },
}

/// The words of a program.
#[derive(Debug, Clone, Copy)]
pub(super) struct Sizes {
    /// What a state and the constants may take.
    pub(super) state: usize,
    /// What a message may take.
    pub(super) message: usize,
    /// What a message takes on its way.
    pub(super) sent: u32,
}

impl Sizes {
    pub(super) fn of<P: Program>() -> Sizes {
        let (state, message) = (P::STATE_WORDS, P::MESSAGE_WORDS);
        Sizes { state, message, sent: message_words::<P>() }
    }
}

/// What a desk counts and what it has to know for that: nothing that depends on the types of a
/// program, so that whatever reads it is compiled once.
pub(super) struct Sheet {
    pub(super) places: Arc<[Place]>,
    pub(super) sizes: Sizes,
    /// Whose program it is, if it is not compiled.
    pub(super) host: Option<Box<Host>>,
    /// What a compiled program calls its phases.
    pub(super) phases: fn(&str, u16) -> String,
    pub(super) seed: u64,
    /// The most messages that fit beside the state.
    pub(super) room: u32,
    /// The most words of messages that may wait for a processor to start.
    pub(super) waiting_room: u32,
    /// The step that is running, or the clock of the processor that is: what is sent now has
    /// one more.
    pub(super) step: u32,
    /// Messages sent in this step.
    pub(super) posted: i64,
    /// The most messages that one processor received in one step, or held at one time.
    pub(super) most_received: u32,
    /// The most words of messages that waited for one processor.
    pub(super) most_waiting: u32,
    /// Whether messages take their own time: then whoever hands them over counts how many a
    /// processor holds.
    pub(super) timed: bool,
    /// The most work of a handler beside the 1 for its call: 1 for every message, and what it says.
    pub(super) most_work: i64,
    /// How much the handler that runs can do before it has done more.
    pub(super) work_left: i64,
    pub(super) tallies: Vec<Tally>,
    pub(super) links: Option<LinkCounters>,
    pub(super) trace: Option<Vec<Sent>>,
    pub(super) failure: Option<Failure>,
}

impl Sheet {
    /// Another sheet for the same program, with nothing counted.
    fn another(&self) -> Sheet {
        Sheet {
            places: self.places.clone(),
            host: None,
            tallies: Vec::new(),
            links: None,
            trace: self.trace.as_ref().map(|_| Vec::new()),
            ..*self
        }
    }

    /// A step begins.
    pub(super) fn begin_step(&mut self, step: u32) {
        self.step = step;
        self.posted = 0;
    }

    /// What the ledger calls a phase of this program, which runs under a name.
    pub(super) fn phase_name(&self, run: &str, phase: u16) -> String {
        match &self.host {
            Some(host) => host.phase_name(run, phase),
            None => (self.phases)(run, phase),
        }
    }

    /// A handler begins. Returns where its processor is.
    #[inline(always)]
    fn begin(&mut self, me: u32) -> Place {
        self.work_left = self.most_work;
        self.places[me as usize]
    }

    /// The handler that runs does so much more.
    #[inline(always)]
    pub(super) fn add_work(&mut self, steps: u32) {
        self.work_left -= i64::from(steps);
        if self.work_left < 0 {
            self.most_work -= self.work_left;
            self.work_left = 0;
        }
    }

    /// A processor holds so many messages, the last of which is of this phase.
    #[inline(always)]
    pub(super) fn hold(&mut self, processor: u32, messages: u32, phase: impl FnOnce() -> u16) {
        if messages > self.most_received {
            self.most_received = messages;
            if messages > self.room {
                let phase = phase();
                self.failure.get_or_insert(Failure::Memory { processor, phase, messages });
            }
        }
    }

    /// So many words of messages wait for a processor, the last of which is of this phase.
    #[inline(always)]
    pub(super) fn wait(&mut self, processor: u32, waiting: u32, phase: impl FnOnce() -> u16) {
        if waiting > self.most_waiting {
            self.most_waiting = waiting;
            if waiting > self.waiting_room {
                let phase = phase();
                self.failure.get_or_insert(Failure::Waiting { processor, phase, waiting });
            }
        }
    }

    /// Counts a message. Returns the energy of the longest chain that it ends; none when there
    /// is no such address.
    #[inline(always)]
    fn count(
        &mut self,
        (from, place): (u32, Place),
        meter: &mut Meter,
        to: u32,
        phase: u16,
    ) -> Option<u64> {
        let Some(&target) = self.places.get(to as usize) else {
            self.failure.get_or_insert(Failure::OffGrid { processor: from, phase, to });
            return None;
        };
        let hop = place.distance(target);
        let distance = meter.distance + u64::from(hop);
        if phase as usize >= self.tallies.len() {
            self.tallies.resize(phase as usize + 1, Tally::EMPTY);
        }
        self.tallies[phase as usize].count(self.step + 1, hop, distance);
        let words = self.sizes.sent;
        meter.sent = meter.sent.saturating_add(words);
        self.posted += 1;
        self.add_work(1);
        if let Some(links) = &mut self.links {
            links.count(place, target);
        }
        if self.trace.is_some() {
            self.note(from, to, phase, meter.received);
        }
        Some(distance)
    }

    /// Takes a message into the trace. Few runs have one.
    #[cold]
    #[inline(never)]
    fn note(&mut self, from: u32, to: u32, phase: u16, heard: u32) {
        let (step, phase, words) = (self.step, phase.into(), self.sizes.sent);
        self.trace.get_or_insert_default().push(Sent { step, from, to, phase, words, heard });
    }
}

pub(super) struct Desk<P: Program> {
    pub(super) constants: P::Constants,
    pub(super) out: Out<P::Message>,
    pub(super) sheet: Sheet,
}

impl<P: Program> Desk<P> {
    /// A desk for a program, with an empty sheet.
    pub(super) fn new(constants: P::Constants, sheet: Sheet) -> Desk<P> {
        Desk { constants, out: Out::List(Vec::new()), sheet }
    }

    /// Another desk for the same program, with an empty sheet.
    pub(super) fn another(&self) -> Desk<P> {
        Desk::new(self.constants, self.sheet.another())
    }

    /// Lets a processor do what it does first.
    #[inline(never)]
    pub(super) fn start(&mut self, me: u32, state: &mut P::State, meter: &mut Meter) {
        let place = self.sheet.begin(me);
        P::start(state, &mut Processor { me, draws: 0, place, meter, desk: self });
    }

    /// Hands a message over.
    ///
    /// Not inlined, as sending is not: there are a few callers, dozens of senders in a large
    /// program, and many programs to compile.
    #[inline(never)]
    pub(super) fn deliver(
        &mut self,
        envelope: &Envelope<P::Message>,
        state: &mut P::State,
        meter: &mut Meter,
    ) {
        let Desk { sheet, .. } = self;
        let now = if meter.clock == sheet.step { meter.received_now + 1 } else { 1 };
        meter.received_now = now;
        meter.clock = sheet.step;
        let me = envelope.to;
        if now > sheet.most_received && !sheet.timed {
            sheet.hold(me, now, || P::phase(&envelope.message));
        }
        meter.distance = meter.distance.max(envelope.distance());
        meter.received = meter.received.saturating_add(sheet.sizes.sent);
        let place = sheet.begin(me);
        let processor = &mut Processor { me, draws: 0, place, meter, desk: self };
        P::receive(state, envelope.message, processor);
    }

    #[inline(never)]
    pub(super) fn send(
        &mut self,
        from: u32,
        place: Place,
        meter: &mut Meter,
        to: u32,
        message: P::Message,
    ) {
        let phase = P::phase(&message);
        let Some(distance) = self.sheet.count((from, place), meter, to, phase) else { return };
        let envelope = Envelope::new(to, distance, message);
        match &mut self.out {
            Out::List(list) => list.push(envelope),
            Out::Boxes(row, shift) => row[(to >> *shift) as usize].push(envelope),
        }
    }
}
