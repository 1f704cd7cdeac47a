//! The interface of a message program: its state, its messages, its two handlers, and what they may
//! do.

use super::Plain;
use super::desk::Desk;
use super::links::Place;
use palmette_core::random::{SPLIT_MIX_STEP, mixed};

/// The bytes of a word: what a link of the WSE-2 carries in a cycle.
pub const WORD_BYTES: usize = 4;

/// The words that a value of a type takes.
pub const fn words_of<T>() -> usize {
    size_of::<T>().div_ceil(WORD_BYTES)
}

/// The words that a message of a program takes on a link: one if it says no more than that it came.
pub(super) const fn message_words<P: Program>() -> u32 {
    let words = words_of::<P::Message>();
    if words == 0 { 1 } else { words as u32 }
}

/// A message program: what each processor keeps, what it sends, and what it does.
///
/// Handlers are functions without `self`. They see the state of their own processor,
/// the message, a few constants that all processors know, and a [`Processor`] to send
/// with. All three types are [`Plain`]: they own no heap memory and have no references, so that
/// a handler cannot reach another processor's state or the host's. Types do not close every way
/// around: a `static` can be reached from anywhere. A program that uses one is no message
/// program, and its costs mean nothing.
///
/// ```compile_fail
/// use palmette_spatial::machine::{Processor, Program};
/// struct Cheat;
/// impl Program for Cheat {
///     type Constants = ();
///     type State = Vec<u32>; // not Copy: memory without bound
///     type Message = u32;
///     const STATE_WORDS: usize = 6;
///     const MESSAGE_WORDS: usize = 1;
///     fn receive(_: &mut Vec<u32>, _: u32, _: &mut Processor<'_, Self>) {}
/// }
/// ```
///
/// A state or a message larger than it says does not compile once the program is run:
///
/// ```compile_fail
/// use palmette_spatial::machine::{Machine, MachineParams, Memory, Processor, Program};
/// use palmette_spatial::curve::CurveKind;
/// struct Greedy;
/// impl Program for Greedy {
///     type Constants = ();
///     type State = [u32; 3];
///     type Message = u32;
///     const STATE_WORDS: usize = 2;
///     const MESSAGE_WORDS: usize = 1;
///     fn receive(_: &mut [u32; 3], _: u32, _: &mut Processor<'_, Self>) {}
/// }
/// let curve = CurveKind::Hilbert.fitting(4).unwrap();
/// let mut machine = Machine::on_curve(&curve, 4, MachineParams::default()).unwrap();
/// machine.run::<Greedy>("greedy", (), Memory::new(4, |_| [0; 3])).unwrap();
/// ```
pub trait Program: Sized + 'static {
    /// What every processor knows from the beginning: an operator, a range, a curve.
    type Constants: Plain;
    /// What a processor keeps.
    type State: Plain;
    /// What a message carries.
    type Message: Plain;

    /// The words that the state and the constants may take together.
    const STATE_WORDS: usize = words_of::<Self::State>() + words_of::<Self::Constants>();
    /// The words that a message may take.
    const MESSAGE_WORDS: usize = words_of::<Self::Message>();

    /// What a processor does first. By default nothing: it waits for a message.
    #[inline]
    fn start(_state: &mut Self::State, _processor: &mut Processor<'_, Self>) {}

    /// What a processor does when a message arrives.
    fn receive(
        state: &mut Self::State,
        message: Self::Message,
        processor: &mut Processor<'_, Self>,
    );

    /// The phase that a message is charged to.
    #[inline]
    fn phase(_message: &Self::Message) -> u16 {
        0
    }

    /// What the ledger calls a phase, given the name under which the program runs.
    fn phase_name(run: &str, _phase: u16) -> String {
        run.to_string()
    }
}

/// What a processor keeps about its own costs: 24 bytes.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Meter {
    /// The largest energy of a chain that ends here.
    pub(super) distance: u64,
    /// The longest chain that ends here.
    pub(super) clock: u32,
    /// Messages received at this clock, in the current run.
    pub(super) received_now: u32,
    /// Words sent and received in all runs.
    pub(super) sent: u32,
    pub(super) received: u32,
}

/// A processor as its own program sees it: its address, its constants, a way to send
/// and a source of random bits.
pub struct Processor<'a, P: Program> {
    pub(super) me: u32,
    pub(super) draws: u32,
    pub(super) place: Place,
    pub(super) meter: &'a mut Meter,
    pub(super) desk: &'a mut Desk<P>,
}

impl<P: Program> Processor<'_, P> {
    /// The address of this processor: from 0, along the curve or in the layout's order.
    #[inline(always)]
    pub fn me(&self) -> u32 {
        self.me
    }

    /// The number of processors.
    #[inline(always)]
    pub fn count(&self) -> u32 {
        self.desk.sheet.places.len() as u32
    }

    /// What all processors know.
    #[inline(always)]
    pub fn constants(&self) -> &P::Constants {
        &self.desk.constants
    }

    /// Sends a message. It costs the Manhattan distance, and arrives in the next step or when
    /// the machine's [`Delivery`](super::Delivery) says.
    /// An address that no processor has stops the run with an error.
    #[inline(always)]
    pub fn send(&mut self, to: u32, message: P::Message) {
        self.desk.send(self.me, self.place, self.meter, to, message);
    }

    /// Says that this call does so much work beside what is counted by itself: 1 for the call,
    /// and 1 for every message that it sends. What a handler does a fixed number of times is in
    /// that 1; a loop whose length depends on the input, or on the number of processors, is not.
    /// The largest sum of a call is [`Machine::most_work`](super::Machine::most_work).
    #[inline(always)]
    pub fn work(&mut self, steps: u32) {
        self.desk.sheet.add_work(steps);
    }

    /// 64 random bits, decided by the machine's seed, the run, the processor and its
    /// step, and never by threads.
    #[inline]
    pub fn random(&mut self) -> u64 {
        self.draws += 1;
        self.draws_of_call().of(self.draws)
    }

    /// What decides the random bits of this call.
    #[inline]
    pub(super) fn draws_of_call(&self) -> Draws {
        let place = u64::from(self.me) << 32 | u64::from(self.desk.sheet.step);
        let received = u64::from(self.meter.received_now) << 32;
        Draws { call: mix(self.desk.sheet.seed ^ mix(place)), received }
    }
}

/// The random bits of one call of a handler.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Draws {
    call: u64,
    received: u64,
}

impl Draws {
    /// Those of its draw of this number, from 1.
    pub fn of(&self, draw: u32) -> u64 {
        mix(self.call ^ (self.received | u64::from(draw)))
    }
}

/// The number that SplitMix64 gives after state `x`.
pub(crate) fn mix(x: u64) -> u64 {
    mixed(x.wrapping_add(SPLIT_MIX_STEP))
}
