//! One program, message by message, where messages take any time.
//!
//! **Method.** A handler runs when its message arrives, and takes no time itself: so at most
//! one runs at a time on a processor. Those who have handled all that has arrived at a time
//! [rest](Program::rest). What [carries](super::delivery) messages says which
//! arrives next. Clocks go along with messages as in steps, whatever the delays: a message takes
//! its sender's clock plus one, its receiver the larger of the two. So depth and distance are
//! those of chains of messages, and differ between delays only where a program does other
//! things when messages come in another order.
//!
//! **Programs one after another.** A processor starts the next program at the time of its last
//! handler of the one before, and what reaches it earlier waits. Nobody could know by itself
//! which message of a program was its last; the machine knows, because it runs every program
//! until no message is on its way. So a message of one program is never handled in another,
//! however late it comes, and a program sees the others only by when its processors start. On a
//! chip a message would carry the number of its program, and whoever may still get one of the
//! program before would have to be able to handle both; what that takes is not counted.
//!
//! **Memory.** A processor holds the messages that have waited for its start and those that
//! arrive at one time. Until it starts, what waits lies beside the program before.
//!
//! **Cost.** O(log m) per message with m on their way, on one thread. 24 bytes per processor
//! for meters, 13 for times; 48 bytes and its own size per message on its way.
//!
//! **Determinism.** Decided by the seeds of the machine and of the delays.

use super::books;
use super::delivery::{Arrival, Carrier, Parcel};
use super::desk::{Desk, Out};
use super::mail::Envelope;
use super::program::Program;
use super::waiting::Waiting;
use super::{Machine, MachineError};
use std::collections::HashMap;

/// A message on its way, with the clock that it gives.
struct Letter<M> {
    clock: u32,
    /// Its place in the trace, if there is one.
    number: u32,
    envelope: Envelope<M>,
}

struct Events<'m, P: Program> {
    machine: &'m mut Machine,
    name: &'m str,
    desk: Desk<P>,
    carrier: Box<dyn Carrier>,
    letters: Vec<Letter<P::Message>>,
    /// Letters whose messages have been handled.
    free: Vec<u32>,
    started: Vec<bool>,
    /// Letters that wait for processors to start, in the order of arrival.
    waiting: HashMap<u32, Vec<u32>>,
    /// How many messages every processor has received at the time of its last handler.
    crowds: Vec<u32>,
    /// No chain may be longer.
    last_clock: u32,
    /// Where the messages of this program begin in the trace.
    first: usize,
    /// Messages of the trace in the order in which they were handled.
    handled: Vec<u32>,
}

/// Runs a program, for which a desk was opened, whose messages the carrier delivers.
pub(super) fn run<P: Program>(
    machine: &mut Machine,
    name: &str,
    mut desk: Desk<P>,
    carrier: Box<dyn Carrier>,
    states: &mut [P::State],
) -> Result<(), MachineError> {
    let first = machine.trace.sent.len();
    desk.links = machine.take_counters();
    let n = machine.processors();
    machine.meters.iter_mut().for_each(|meter| meter.received_now = 0);
    let earliest = machine.meters.iter().map(|meter| meter.clock).min().unwrap_or(0);
    let last_clock = earliest.saturating_add(machine.params.step_limit);
    let mut order: Vec<u32> = (0..n as u32).collect();
    order.sort_by_key(|&p| machine.times[p as usize]);
    let mut events = Events {
        name,
        desk,
        carrier,
        letters: Vec::new(),
        free: Vec::new(),
        started: vec![false; n],
        waiting: HashMap::new(),
        crowds: vec![0; n],
        last_clock,
        first,
        handled: Vec::new(),
        machine,
    };
    let mut starts = order.into_iter().peekable();
    loop {
        let start = starts.peek().map(|&p| events.machine.times[p as usize]);
        let time = match (events.carrier.next(start.unwrap_or(u64::MAX)), start) {
            (Some(arrival), _) => {
                events.arrive(arrival, states)?;
                arrival.time
            }
            (None, Some(time)) => time,
            (None, None) => break,
        };
        // All that happens at this time: starts, arrivals, and who has handled them rests.
        while let Some(me) = starts.next_if(|&p| events.machine.times[p as usize] == time) {
            events.start(me, time, states)?;
        }
        while let Some(arrival) = events.carrier.next(time + 1) {
            events.arrive(arrival, states)?;
        }
        events.rest(time, states)?;
    }
    let Events { machine, mut desk, handled, .. } = events;
    if machine.keeps_trace() {
        machine.trace.handled.get_or_insert_default().extend(handled);
    }
    machine.links.extend(desk.links.take());
    machine.trace.sent.extend(desk.trace.take().into_iter().flatten());
    books::close(machine, name, &desk, std::iter::empty(), first);
    Ok(())
}

impl<P: Program> Events<'_, P> {
    fn start(&mut self, me: u32, time: u64, states: &mut [P::State]) -> Result<(), MachineError> {
        let p = me as usize;
        self.started[p] = true;
        let meter = &mut self.machine.meters[p];
        self.desk.step = meter.clock;
        self.desk.start(me, &mut states[p], meter);
        self.send(me, time)?;
        for id in self.waiting.remove(&me).into_iter().flatten() {
            self.handle(Arrival { id, time }, states)?;
        }
        Ok(())
    }

    fn arrive(&mut self, arrival: Arrival, states: &mut [P::State]) -> Result<(), MachineError> {
        let to = self.letters[arrival.id as usize].envelope.to;
        if self.started[to as usize] {
            return self.handle(arrival, states);
        }
        self.waiting.entry(to).or_default().push(arrival.id);
        let machine = &mut *self.machine;
        let (n, times) = (machine.processors(), (arrival.time, machine.times[to as usize]));
        machine.waiting.resize_with(1, Waiting::default);
        let words = machine.waiting[0].add(to as usize, n, times, self.desk.sizes.message as u32);
        let Letter { clock, envelope, .. } = &self.letters[arrival.id as usize];
        self.desk.wait(envelope, words);
        books::check(machine, self.name, &self.desk, *clock)
    }

    /// Runs the handler of a message.
    fn handle(
        &mut self,
        Arrival { id, time }: Arrival,
        states: &mut [P::State],
    ) -> Result<(), MachineError> {
        let Letter { clock, number, envelope } = &self.letters[id as usize];
        let p = envelope.to as usize;
        if *clock >= self.last_clock {
            return Err(MachineError::StepLimit {
                processor: envelope.to,
                step: *clock,
                phase: self.desk.phase_name(self.name, P::phase(&envelope.message)),
                limit: self.machine.params.step_limit,
            });
        }
        let (crowd, last) = (&mut self.crowds[p], &mut self.machine.times[p]);
        *crowd = if *last == time { *crowd + 1 } else { 1 };
        *last = time;
        if self.desk.trace.is_some() {
            self.handled.push(*number);
        }
        self.desk.hold(envelope, *crowd);
        self.desk.hand_over(envelope, *clock, &mut states[p], &mut self.machine.meters[p]);
        self.free.push(id);
        if P::RESTS && *crowd == 1 {
            self.desk.restless.push(p as u32);
        }
        self.send(p as u32, time)
    }

    /// Lets all rest who have received something at this time.
    fn rest(&mut self, time: u64, states: &mut [P::State]) -> Result<(), MachineError> {
        for me in std::mem::take(&mut self.desk.restless) {
            let (p, meter) = (me as usize, &mut self.machine.meters[me as usize]);
            self.desk.step = meter.clock;
            self.desk.rest_one(me, &mut states[p], meter);
            self.send(me, time)?;
        }
        Ok(())
    }

    /// Posts what the last handler has sent.
    fn send(&mut self, from: u32, time: u64) -> Result<(), MachineError> {
        books::check(self.machine, self.name, &self.desk, self.desk.step)?;
        let Out::List(sent) = &mut self.desk.out else { return Ok(()) };
        let traced = self.desk.trace.as_ref().map_or(0, Vec::len);
        let mut number = (self.first + traced.saturating_sub(sent.len())) as u32;
        let words = self.desk.sizes.sent;
        for envelope in sent.drain(..) {
            let to = envelope.to;
            let places = &self.desk.places;
            let hops = places[from as usize].distance(places[to as usize]);
            let letter = Letter { clock: self.desk.step + 1, number, envelope };
            number = number.wrapping_add(1);
            let id = match self.free.pop() {
                Some(id) => {
                    self.letters[id as usize] = letter;
                    id
                }
                None => {
                    self.letters.push(letter);
                    self.letters.len() as u32 - 1
                }
            };
            self.carrier.post(Parcel { id, from, to, hops, words, sent: time });
        }
        Ok(())
    }
}
