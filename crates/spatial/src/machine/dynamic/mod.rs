//! Programs whose states and messages only their host knows, such as those written in Python.
//!
//! **Problem.** A [`Program`] is compiled: its states and messages are types. A program that is
//! written while the machine is there has sizes instead, and handlers behind a pointer. What it
//! costs must be what the same program costs when it is compiled.
//!
//! **Method.** One compiled program stands for all of them: its messages are numbers of letters,
//! its handlers call those of the host. So whatever counts messages and words counts these too;
//! it asks the desk for sizes, not the types. Letters lie in one array of bytes.
//!
//! **Cost.** One thread, whatever the delivery: in steps too every message is an event. 24 bytes
//! and its own size per message on its way.
//!
//! **Determinism.** That of the host's handlers. In steps, messages that arrive in one step are
//! handled in the order in which they were sent; a compiled program on a large machine may see
//! another order there. Costs are the same wherever a program's do not depend on that order.

#[cfg(test)]
mod tests;

use super::delivery::Delivery;
use super::desk::{Failure, Sizes};
use super::program::WORD_BYTES;
use super::{Draws, Machine, MachineError, Processor, Program, books, events};

crate::plain! {
    /// A letter with its phase: what the machine sees of a message.
    #[derive(Debug, Clone, Copy)]
    pub(super) struct Slip {
        letter: u32,
        phase: u16,
    }
}

/// A handler ended with an error, which the host knows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stopped;

/// A program whose sizes are known when it runs.
///
/// It keeps the states of all processors itself. Whether a handler looks only at the state of its
/// own processor is up to it: no type sees to that, as [`Program`]'s do.
pub trait DynamicProgram: Send {
    /// The words of a processor's state, with what all processors know.
    fn state_words(&self) -> usize;

    /// The bytes of a message.
    fn message_bytes(&self) -> usize;

    /// What a processor does first.
    ///
    /// # Errors
    /// Whatever ends the run with [`MachineError::Stopped`].
    fn start(&mut self, processor: &mut DynamicProcessor<'_, '_>) -> Result<(), Stopped>;

    /// What a processor does when a message arrives.
    ///
    /// # Errors
    /// Whatever ends the run with [`MachineError::Stopped`].
    fn receive(
        &mut self,
        message: &[u8],
        processor: &mut DynamicProcessor<'_, '_>,
    ) -> Result<(), Stopped>;

    /// What the ledger calls a phase, given the name under which the program runs.
    fn phase_name(&self, run: &str, _phase: u16) -> String {
        run.to_string()
    }

    /// The same program with states of its own, as they are before it starts. Where messages take
    /// any time, it is run in steps to find how long chains are. Without one, depth and distance are
    /// those of chains as messages were handled.
    fn twin(&self) -> Option<Box<dyn DynamicProgram>> {
        None
    }
}

/// A processor as a [`DynamicProgram`] sees it.
pub struct DynamicProcessor<'a, 'd> {
    processor: &'a mut Processor<'d, Hosted>,
    letters: &'a mut Letters,
}

impl DynamicProcessor<'_, '_> {
    /// The address of this processor.
    pub fn me(&self) -> u32 {
        self.processor.me()
    }

    /// The number of processors.
    pub fn count(&self) -> u32 {
        self.processor.count()
    }

    /// How many messages the longest chain before this has.
    pub fn clock(&self) -> u32 {
        self.processor.meter.clock
    }

    /// 64 random bits: those that a compiled program would get here.
    pub fn random(&mut self) -> u64 {
        self.processor.random()
    }

    /// What decides those bits, for a host that draws by itself.
    pub fn draws(&self) -> Draws {
        self.processor.draws_of_call()
    }

    /// Sends a message that is charged to a phase. An address that no processor has stops the
    /// run with an error.
    ///
    /// # Panics
    /// When it has another size than the program's messages.
    pub fn send(&mut self, to: u32, message: &[u8], phase: u16) {
        let letter = self.letters.put(message);
        self.processor.send(to, Slip { letter, phase });
    }

    /// Notes so many more steps of work in this call.
    pub fn work(&mut self, steps: u32) {
        self.processor.work(steps);
    }
}

/// Messages on their way, as bytes.
#[derive(Debug)]
struct Letters {
    /// The bytes of one.
    size: usize,
    bytes: Vec<u8>,
    /// Those that have been read.
    free: Vec<u32>,
    count: u32,
}

impl Letters {
    fn put(&mut self, message: &[u8]) -> u32 {
        assert_eq!(message.len(), self.size, "bytes of a message");
        let letter = self.free.pop().unwrap_or_else(|| {
            self.count += 1;
            self.bytes.resize(self.count as usize * self.size, 0);
            self.count - 1
        });
        let first = letter as usize * self.size;
        self.bytes[first..first + self.size].copy_from_slice(message);
        letter
    }

    fn take(&mut self, letter: u32, message: &mut Vec<u8>) {
        let first = letter as usize * self.size;
        message.clear();
        message.extend_from_slice(&self.bytes[first..first + self.size]);
        self.free.push(letter);
    }
}

/// A program of the host's with the letters that are on their way.
pub(super) struct Host {
    program: Box<dyn DynamicProgram>,
    letters: Letters,
    /// The message that is being handled.
    message: Vec<u8>,
}

impl Host {
    fn new(program: Box<dyn DynamicProgram>) -> Host {
        let size = program.message_bytes();
        let letters = Letters { size, bytes: Vec::new(), free: Vec::new(), count: 0 };
        Host { program, letters, message: Vec::new() }
    }

    pub(super) fn sizes(&self) -> Sizes {
        let message = self.letters.size.div_ceil(WORD_BYTES);
        // One that says no more than that it came takes a word on a link.
        Sizes { state: self.program.state_words(), message, sent: message.max(1) as u32 }
    }

    pub(super) fn phase_name(&self, run: &str, phase: u16) -> String {
        self.program.phase_name(run, phase)
    }
}

/// The compiled program that stands for all others.
pub(super) struct Hosted;

impl Program for Hosted {
    type Constants = ();
    type State = ();
    type Message = Slip;

    fn start(_: &mut (), processor: &mut Processor<'_, Hosted>) {
        call(0, processor, |Host { program, letters, .. }, processor| {
            program.start(&mut DynamicProcessor { processor, letters })
        });
    }

    fn receive(_: &mut (), slip: Slip, processor: &mut Processor<'_, Hosted>) {
        call(slip.phase, processor, |Host { program, letters, message }, processor| {
            letters.take(slip.letter, message);
            program.receive(message, &mut DynamicProcessor { processor, letters })
        });
    }

    fn phase(slip: &Slip) -> u16 {
        slip.phase
    }
}

/// Calls a handler of the host's; `phase` is that of the message.
fn call(
    phase: u16,
    processor: &mut Processor<'_, Hosted>,
    handler: impl FnOnce(&mut Host, &mut Processor<'_, Hosted>) -> Result<(), Stopped>,
) {
    // The desk lends it to the handler, which sends through the desk.
    let Some(mut host) = processor.desk.sheet.host.take() else { return };
    let done = handler(&mut host, processor);
    processor.desk.sheet.host = Some(host);
    if done.is_err() {
        let stopped = Failure::Stopped { processor: processor.me(), phase };
        processor.desk.sheet.failure.get_or_insert(stopped);
    }
}

impl Machine {
    /// Runs a program of the host's until no message is on its way, as [`Machine::run`] does.
    /// What it computes lies where the host keeps states.
    ///
    /// ```
    /// use palmette_spatial::curve::CurveKind;
    /// use palmette_spatial::machine::{
    ///     DynamicProcessor, DynamicProgram, Machine, MachineParams, Stopped,
    /// };
    /// use std::sync::mpsc::{Sender, channel};
    ///
    /// /// A token walks along the curve and counts the processors it meets.
    /// struct Walk(Sender<u32>);
    /// impl DynamicProgram for Walk {
    ///     fn state_words(&self) -> usize {
    ///         1
    ///     }
    ///     fn message_bytes(&self) -> usize {
    ///         4
    ///     }
    ///     fn start(&mut self, p: &mut DynamicProcessor<'_, '_>) -> Result<(), Stopped> {
    ///         if p.me() == 0 { self.receive(&[0; 4], p) } else { Ok(()) }
    ///     }
    ///     fn receive(
    ///         &mut self,
    ///         message: &[u8],
    ///         p: &mut DynamicProcessor<'_, '_>,
    ///     ) -> Result<(), Stopped> {
    ///         let met = u32::from_le_bytes(message.try_into().map_err(|_| Stopped)?);
    ///         if p.me() + 1 < p.count() {
    ///             p.send(p.me() + 1, &(met + 1).to_le_bytes(), 0);
    ///             return Ok(());
    ///         }
    ///         self.0.send(met).map_err(|_| Stopped)
    ///     }
    /// }
    ///
    /// let curve = CurveKind::Hilbert.fitting(64)?;
    /// let mut machine = Machine::on_curve(&curve, 64, MachineParams::default())?;
    /// let (send, receive) = channel();
    /// machine.run_dynamic("walk", Box::new(Walk(send)))?;
    /// assert_eq!(receive.recv(), Ok(63));
    /// let costs = machine.costs();
    /// assert_eq!((costs.energy, costs.depth, costs.distance), (63, 63, 63));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`Machine::run`], and [`MachineError::Stopped`] when a handler returns an error.
    pub fn run_dynamic(
        &mut self,
        name: &str,
        program: Box<dyn DynamicProgram>,
    ) -> Result<(), MachineError> {
        let carrier = self.params.delivery.carrier(self);
        if carrier.is_some() {
            self.run_dynamic_twin(name, program.twin())?;
        }
        let desk = books::open_dynamic(self, name, Host::new(program))?;
        let mut states = vec![(); self.processors()];
        let Some(carrier) = carrier else {
            // Whatever runs at a step has that clock.
            self.times = self.meters.iter().map(|meter| meter.clock.into()).collect();
            // Of compiled programs by region, here of all: what waited for those is forgotten.
            if self.waiting.len() > 1 {
                self.waiting.clear();
            }
            let done = events::run(self, name, desk, Delivery::in_steps(), &mut states);
            self.times = Vec::new();
            // As in steps: every processor handled those sent first first.
            self.trace.handled = None;
            return done;
        };
        events::run(self, name, desk, carrier, &mut states)?;
        self.compare_twin();
        Ok(())
    }
}
