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

pub(super) struct Desk<P: Program> {
    pub(super) places: Arc<[Place]>,
    pub(super) constants: P::Constants,
    pub(super) sizes: Sizes,
    /// Whose program it is, if it is not compiled.
    pub(super) host: Option<Box<Host>>,
    pub(super) seed: u64,
    /// The most messages that fit beside the state.
    pub(super) room: u32,
    /// The most words of messages that may wait for a processor to start.
    pub(super) waiting_room: u32,
    /// The step that is running, or the clock of the processor that is: what is sent now has
    /// one more.
    pub(super) step: u32,
    pub(super) out: Out<P::Message>,
    /// Messages sent in this step.
    pub(super) posted: usize,
    /// The most messages that one processor received in one step, or held at one time.
    pub(super) most_received: u32,
    /// Who has received something and not rested since.
    pub(super) restless: Vec<u32>,
    /// The most words of messages that waited for one processor.
    pub(super) most_waiting: u32,
    /// The work of the handler that runs, and the most of any.
    pub(super) work: u32,
    pub(super) most_work: u32,
    pub(super) tallies: Vec<Tally>,
    pub(super) links: Option<LinkCounters>,
    pub(super) trace: Option<Vec<Sent>>,
    pub(super) failure: Option<Failure>,
}

impl<P: Program> Desk<P> {
    /// Another desk for the same program, with empty books.
    pub(super) fn another(&self) -> Desk<P> {
        Desk {
            places: self.places.clone(),
            host: None,
            out: Out::List(Vec::new()),
            restless: Vec::new(),
            tallies: Vec::new(),
            links: None,
            trace: self.trace.as_ref().map(|_| Vec::new()),
            ..*self
        }
    }

    /// What the ledger calls a phase of this program, which runs under a name.
    pub(super) fn phase_name(&self, run: &str, phase: u16) -> String {
        match &self.host {
            Some(host) => host.phase_name(run, phase),
            None => P::phase_name(run, phase),
        }
    }

    /// Lets a processor do what it does first.
    #[inline(never)]
    pub(super) fn start(&mut self, me: u32, state: &mut P::State, meter: &mut Meter) {
        let place = self.places[me as usize];
        self.work = 1;
        P::start(state, &mut Processor { me, draws: 0, place, meter, desk: self });
    }

    /// The handler that runs does so much more.
    #[inline(always)]
    pub(super) fn add_work(&mut self, steps: u32) {
        self.work = self.work.saturating_add(steps);
        self.most_work = self.most_work.max(self.work);
    }

    /// Hands a message over. Not inlined, as sending is not: there are two callers, dozens of
    /// senders in a large program, and many programs to compile.
    #[inline(never)]
    pub(super) fn deliver(
        &mut self,
        envelope: &Envelope<P::Message>,
        state: &mut P::State,
        meter: &mut Meter,
    ) {
        let now = if meter.clock == self.step { meter.received_now + 1 } else { 1 };
        meter.received_now = now;
        meter.clock = self.step;
        self.hold(envelope, now);
        self.call(envelope, state, meter);
        if P::RESTS && now == 1 {
            self.restless.push(envelope.to);
        }
    }

    /// Lets all who received something rest. `first` is the address of the first state.
    #[inline]
    pub(super) fn rest(&mut self, first: u32, states: &mut [P::State], meters: &mut [Meter]) {
        if !P::RESTS {
            return;
        }
        let mut restless = std::mem::take(&mut self.restless);
        for me in restless.drain(..) {
            let p = (me - first) as usize;
            self.rest_one(me, &mut states[p], &mut meters[p]);
        }
        self.restless = restless;
    }

    #[inline]
    pub(super) fn rest_one(&mut self, me: u32, state: &mut P::State, meter: &mut Meter) {
        let place = self.places[me as usize];
        // Beyond what the last message has drawn.
        self.work = 1;
        P::rest(state, &mut Processor { me, draws: 1 << 16, place, meter, desk: self });
    }

    /// Hands a message over that came at any time, with the clock that it gives.
    #[inline(never)]
    pub(super) fn hand_over(
        &mut self,
        envelope: &Envelope<P::Message>,
        clock: u32,
        state: &mut P::State,
        meter: &mut Meter,
    ) {
        meter.received_now = if clock > meter.clock { 1 } else { meter.received_now + 1 };
        meter.clock = meter.clock.max(clock);
        self.step = meter.clock;
        self.call(envelope, state, meter);
    }

    /// A processor holds so many messages, the last of which is this one.
    #[inline(always)]
    pub(super) fn hold(&mut self, envelope: &Envelope<P::Message>, messages: u32) {
        if messages > self.most_received {
            self.most_received = messages;
            if messages > self.room {
                let (processor, phase) = (envelope.to, P::phase(&envelope.message));
                self.failure.get_or_insert(Failure::Memory { processor, phase, messages });
            }
        }
    }

    /// So many words of messages wait for a processor, the last of which is this one.
    #[inline(always)]
    pub(super) fn wait(&mut self, envelope: &Envelope<P::Message>, waiting: u32) {
        if waiting > self.most_waiting {
            self.most_waiting = waiting;
            if waiting > self.waiting_room {
                let (processor, phase) = (envelope.to, P::phase(&envelope.message));
                self.failure.get_or_insert(Failure::Waiting { processor, phase, waiting });
            }
        }
    }

    /// Runs the handler of a message.
    #[inline(always)]
    fn call(&mut self, envelope: &Envelope<P::Message>, state: &mut P::State, meter: &mut Meter) {
        meter.distance = meter.distance.max(envelope.distance());
        meter.received = meter.received.saturating_add(self.sizes.sent);
        let (me, place) = (envelope.to, self.places[envelope.to as usize]);
        self.work = 1;
        P::receive(
            state,
            envelope.message,
            &mut Processor { me, draws: 0, place, meter, desk: self },
        );
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
        let Some(&target) = self.places.get(to as usize) else {
            self.failure.get_or_insert(Failure::OffGrid { processor: from, phase, to });
            return;
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
        if let Some(trace) = &mut self.trace {
            let (step, phase, heard) = (self.step, u32::from(phase), meter.received);
            trace.push(Sent { step, from, to, phase, words, heard });
        }
        let envelope = Envelope::new(to, distance, message);
        match &mut self.out {
            Out::List(list) => list.push(envelope),
            Out::Boxes(row, shift) => row[(to >> *shift) as usize].push(envelope),
        }
    }
}
