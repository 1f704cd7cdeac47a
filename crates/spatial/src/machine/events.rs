//! One program, message by message, where messages take any time.
//!
//! **Method.** A handler runs when its message arrives, and takes no time itself: so at most
//! one runs at a time on a processor. What [carries](super::delivery) messages says which
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
//! **Types.** Only [`Typed`] depends on those of a program. All else is compiled once, not with
//! every program.
//!
//! **Cost.** O(log m) per message with m on their way, on one thread. 24 bytes per processor
//! for meters, 13 for times; 48 bytes and its own size per message on its way.
//!
//! **Determinism.** Decided by the seeds of the machine and of the delays.

use super::books;
use super::delivery::{Arrival, Carrier, Parcel};
use super::desk::{Desk, Out, Sheet};
use super::mail::Envelope;
use super::program::{Meter, Program};
use super::waiting::Waiting;
use super::{Machine, MachineError};
use std::collections::HashMap;

/// A message on its way, as far as it does not depend on the program's types.
#[derive(Debug, Clone, Copy)]
struct Letter {
    to: u32,
    /// The clock that it gives.
    clock: u32,
    /// Its place in the trace, if there is one.
    number: u32,
}

/// All that depends on the types of a program: its handlers, states and messages.
trait Handlers {
    fn sheet(&mut self) -> &mut Sheet;

    fn start(&mut self, me: u32, meter: &mut Meter);

    /// Runs the handler of a message, when its receiver holds so many.
    fn receive(&mut self, letter: u32, held: u32, meter: &mut Meter);

    fn phase(&self, letter: u32) -> u16;

    /// Puts what the last handler has sent where letters were handled, and then behind all
    /// others. Says where each is, and where it goes.
    fn post(&mut self, free: &mut Vec<u32>, sent: &mut Vec<(u32, u32)>);
}

struct Typed<'s, P: Program> {
    desk: Desk<P>,
    letters: Vec<Envelope<P::Message>>,
    states: &'s mut [P::State],
}

impl<P: Program> Handlers for Typed<'_, P> {
    fn sheet(&mut self) -> &mut Sheet {
        &mut self.desk.sheet
    }

    fn start(&mut self, me: u32, meter: &mut Meter) {
        self.desk.start(me, &mut self.states[me as usize], meter);
    }

    fn receive(&mut self, letter: u32, held: u32, meter: &mut Meter) {
        let (desk, envelope) = (&mut self.desk, &self.letters[letter as usize]);
        desk.sheet.hold(envelope.to, held, || P::phase(&envelope.message));
        desk.deliver(envelope, &mut self.states[envelope.to as usize], meter);
    }

    fn phase(&self, letter: u32) -> u16 {
        P::phase(&self.letters[letter as usize].message)
    }

    fn post(&mut self, free: &mut Vec<u32>, sent: &mut Vec<(u32, u32)>) {
        let Out::List(list) = &mut self.desk.out else { return };
        for envelope in list.drain(..) {
            let letter = free.pop().unwrap_or(self.letters.len() as u32);
            sent.push((letter, envelope.to));
            match self.letters.get_mut(letter as usize) {
                Some(handled) => *handled = envelope,
                None => self.letters.push(envelope),
            }
        }
    }
}

struct Events<'m> {
    machine: &'m mut Machine,
    name: &'m str,
    handlers: &'m mut dyn Handlers,
    carrier: Box<dyn Carrier>,
    letters: Vec<Letter>,
    /// Letters whose messages have been handled.
    free: Vec<u32>,
    /// What the last handler has sent.
    sent: Vec<(u32, u32)>,
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
    desk: Desk<P>,
    carrier: Box<dyn Carrier>,
    states: &mut [P::State],
) -> Result<(), MachineError> {
    let mut typed = Typed { desk, letters: Vec::new(), states };
    drive(machine, name, &mut typed, carrier)
}

fn drive(
    machine: &mut Machine,
    name: &str,
    handlers: &mut dyn Handlers,
    carrier: Box<dyn Carrier>,
) -> Result<(), MachineError> {
    let first = machine.trace.sent.len();
    let sheet = handlers.sheet();
    sheet.timed = true;
    sheet.links = machine.take_counters(sheet.sizes.sent);
    let n = machine.processors();
    machine.meters.iter_mut().for_each(|meter| meter.received_now = 0);
    let earliest = machine.meters.iter().map(|meter| meter.clock).min().unwrap_or(0);
    let last_clock = earliest.saturating_add(machine.params.step_limit);
    let mut order: Vec<u32> = (0..n as u32).collect();
    order.sort_by_key(|&p| machine.times[p as usize]);
    let mut events = Events {
        name,
        handlers,
        carrier,
        letters: Vec::new(),
        free: Vec::new(),
        sent: Vec::new(),
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
                events.arrive(arrival)?;
                arrival.time
            }
            (None, Some(time)) => time,
            (None, None) => break,
        };
        // All that happens at this time: starts and arrivals.
        while let Some(me) = starts.next_if(|&p| events.machine.times[p as usize] == time) {
            events.start(me, time)?;
        }
        while let Some(arrival) = events.carrier.next(time + 1) {
            events.arrive(arrival)?;
        }
    }
    let Events { machine, handlers, handled, .. } = events;
    if machine.keeps_trace() {
        machine.trace.handled.get_or_insert_default().extend(handled);
    }
    let sheet = handlers.sheet();
    machine.links.extend(sheet.links.take());
    machine.trace.sent.extend(sheet.trace.take().into_iter().flatten());
    let mut sums = books::Sums::default();
    sums.add(sheet);
    books::close(machine, name, sheet, sums, first);
    Ok(())
}

impl Events<'_> {
    fn start(&mut self, me: u32, time: u64) -> Result<(), MachineError> {
        let p = me as usize;
        self.started[p] = true;
        let meter = &mut self.machine.meters[p];
        self.handlers.sheet().step = meter.clock;
        self.handlers.start(me, meter);
        self.send(me, time)?;
        for id in self.waiting.remove(&me).into_iter().flatten() {
            self.handle(Arrival { id, time })?;
        }
        Ok(())
    }

    fn arrive(&mut self, arrival: Arrival) -> Result<(), MachineError> {
        let Letter { to, clock, .. } = self.letters[arrival.id as usize];
        if self.started[to as usize] {
            return self.handle(arrival);
        }
        self.waiting.entry(to).or_default().push(arrival.id);
        let machine = &mut *self.machine;
        let (n, times) = (machine.processors(), (arrival.time, machine.times[to as usize]));
        machine.waiting.resize_with(1, Waiting::default);
        let phase = self.handlers.phase(arrival.id);
        let sheet = self.handlers.sheet();
        let words = machine.waiting[0].add(to as usize, n, times, sheet.sizes.message as u32);
        sheet.wait(to, words, || phase);
        books::check(machine, self.name, sheet, clock)
    }

    /// Runs the handler of a message.
    fn handle(&mut self, Arrival { id, time }: Arrival) -> Result<(), MachineError> {
        let Letter { to, clock, number } = self.letters[id as usize];
        let p = to as usize;
        if clock >= self.last_clock {
            let phase = self.handlers.phase(id);
            return Err(MachineError::StepLimit {
                processor: to,
                step: clock,
                phase: self.handlers.sheet().phase_name(self.name, phase),
                limit: self.machine.params.step_limit,
            });
        }
        let (crowd, last) = (&mut self.crowds[p], &mut self.machine.times[p]);
        *crowd = if *last == time { *crowd + 1 } else { 1 };
        *last = time;
        let held = *crowd;
        let meter = &mut self.machine.meters[p];
        let sheet = self.handlers.sheet();
        if sheet.trace.is_some() {
            self.handled.push(number);
        }
        sheet.step = meter.clock.max(clock);
        self.handlers.receive(id, held, meter);
        self.free.push(id);
        self.send(to, time)
    }

    /// Posts what the last handler has sent.
    fn send(&mut self, from: u32, time: u64) -> Result<(), MachineError> {
        self.handlers.post(&mut self.free, &mut self.sent);
        let sheet = self.handlers.sheet();
        books::check(self.machine, self.name, sheet, sheet.step)?;
        let traced = sheet.trace.as_ref().map_or(0, Vec::len);
        let mut number = (self.first + traced.saturating_sub(self.sent.len())) as u32;
        let (words, clock) = (sheet.sizes.sent, sheet.step + 1);
        for (id, to) in self.sent.drain(..) {
            let hops = sheet.places[from as usize].distance(sheet.places[to as usize]);
            let letter = Letter { to, clock, number };
            number = number.wrapping_add(1);
            match self.letters.get_mut(id as usize) {
                Some(handled) => *handled = letter,
                None => self.letters.push(letter),
            }
            self.carrier.post(Parcel { id, from, to, hops, words, sent: time });
        }
        Ok(())
    }
}
