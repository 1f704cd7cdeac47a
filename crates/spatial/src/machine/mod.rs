//! The simulator: a grid of processors, a few words each, and what messages cost.
//!
//! # The model
//! Every cell of a grid has a processor with a fixed number of words of memory. A
//! message costs the Manhattan distance between sender and receiver: the sum over all
//! messages is the **energy**. The **depth** is the longest chain of messages in which
//! each depends on the one before; the **distance** is the largest energy of such a
//! chain. Both are carried by clocks: a message takes its sender's clock plus one, its
//! receiver the larger of the two. There are no rounds.
//!
//! # Writing a program
//! A [`Program`] has a state, a message and two handlers. The host fills the memory of
//! all processors, runs programs one after the other, and reads the memory again:
//!
//! ```
//! use palmette_spatial::curve::CurveKind;
//! use palmette_spatial::machine::{Machine, MachineParams, Memory, Processor, Program};
//!
//! /// A token walks along the curve and counts the processors it meets.
//! struct Walk;
//! impl Program for Walk {
//!     type Constants = ();
//!     type State = u32;
//!     type Message = u32;
//!     const STATE_WORDS: usize = 1;
//!     const MESSAGE_WORDS: usize = 1;
//!     fn start(state: &mut u32, processor: &mut Processor<'_, Self>) {
//!         if processor.me() == 0 {
//!             Self::receive(state, 0, processor);
//!         }
//!     }
//!     fn receive(state: &mut u32, met: u32, processor: &mut Processor<'_, Self>) {
//!         *state = met;
//!         if processor.me() + 1 < processor.count() {
//!             processor.send(processor.me() + 1, met + 1);
//!         }
//!     }
//! }
//!
//! let curve = CurveKind::Hilbert.fitting(64)?;
//! let mut machine = Machine::on_curve(&curve, 64, MachineParams::default())?;
//! let memory = machine.run::<Walk>("walk", (), Memory::new(64, |_| 0))?;
//! assert_eq!(memory.states()[63], 63);
//! let costs = machine.costs();
//! assert_eq!((costs.energy, costs.depth, costs.distance), (63, 63, 63));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Types of states and messages other than numbers, tuples and arrays are declared by
//! [`plain!`](crate::plain), which keeps references out.
//!
//! Programs that run one after another overlap in time: a processor enters the next
//! one as soon as it has handled its last message of the one before. Where that needs
//! everyone to be done, run a [barrier](crate::collective) between them.
//!
//! # Delays
//! A message takes one step, unless [`MachineParams::delivery`] says otherwise: see [`Delivery`].
//! An answer must be the same under all delays, and [`every_delivery`] tests that.
//!
//! [`every_delivery`]: crate::testing::every_delivery
//!
//! # Limits
//! Sides up to 65,536, up to 2^32 - 2 processors, 2^32 - 1 steps. Costs of the
//! simulation itself are in `run.rs` and docs/benchmarks.md.

mod books;
#[cfg(test)]
mod books_tests;
mod crew;
mod delivery;
mod desk;
mod dynamic;
mod error;
mod events;
mod given;
mod keeping;
mod ledger;
mod links;
mod mail;
mod memory;
pub mod network;
mod outcome;
mod plain;
mod program;
mod queue;
mod run;
mod stating;
mod tasks;
#[cfg(test)]
mod tests;
mod trace;
mod twin;
mod waiting;

pub use delivery::Delivery;
pub use dynamic::{DynamicProcessor, DynamicProgram, Stopped};
pub use error::MachineError;
pub use given::{Gift, Given};
pub use keeping::Keeping;
pub use ledger::{Costs, CyclesEstimate, Ledger, Phase};
pub(crate) use links::LinkCounters;
pub use links::LinkLoads;
pub use memory::Memory;
#[doc(hidden)]
pub use plain::sealed;
pub use plain::{Fold, Plain};
pub(crate) use program::mix;
pub use program::{Draws, Processor, Program, WORD_BYTES, words_of};
pub(crate) use stating::{most_words, program_words};
pub use trace::{Sent, Trace, TraceFormat};

use crate::curve::Curve;
use crate::{Cell, Grid, Window};
use given::Taken;
use ledger::Tally;
use links::Place;
use network::{NetworkError, NetworkParams, ReplayWhen};
use palmette_core::{DEFAULT_SEED, MAX_VERTICES};
use program::Meter;
use std::collections::HashSet;
use std::sync::Arc;
use waiting::Waiting;

/// How a machine is built.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MachineParams {
    /// The words of memory of a processor: for its state, for what it [keeps](Machine::keep)
    /// beside it, for the messages that arrive in one step, and for those that wait until it
    /// starts.
    ///
    /// None: as many as the program states that the machine is made for, and [`Machine::WORDS`]
    /// where it is made for none.
    pub words: Option<usize>,
    /// The most steps that one program may run.
    pub step_limit: u32,
    /// Decides the random bits of all processors, and random delays.
    pub seed: u64,
    /// How long messages take. Costs are those of the graph of messages, whatever it is.
    pub delivery: Delivery,
    /// What programs are given for free; the rest they learn by messages.
    pub given: Given,
    /// Count the loads of links: 8 bytes for every thread, every size of messages and every cell of
    /// the rectangle that the processors lie in.
    pub links: bool,
    /// Keep every message: 24 bytes each.
    pub trace: bool,
    /// When messages are kept and replayed for [`Machine::replay`].
    pub replay: ReplayWhen,
    /// The routers of a replay, and of the estimate of cycles.
    pub network: NetworkParams,
}

impl Default for MachineParams {
    fn default() -> MachineParams {
        MachineParams {
            words: None,
            step_limit: u32::MAX,
            seed: DEFAULT_SEED,
            delivery: Delivery::Step,
            given: Given::NOTHING,
            links: true,
            trace: false,
            replay: ReplayWhen::Never,
            network: NetworkParams::default(),
        }
    }
}

/// A grid of processors, and the books of what has been run on it. See the
/// [module](self).
#[derive(Debug)]
pub struct Machine {
    grid: Grid,
    /// Where the processors lie.
    window: Window,
    params: MachineParams,
    places: Arc<[Place]>,
    meters: Vec<Meter>,
    /// When the last handler of every processor ran; empty where messages move in steps.
    times: Vec<u64>,
    /// One set of counters for every thread and size of messages that has needed one.
    links: Vec<LinkCounters>,
    ledger: Ledger,
    total: Costs,
    most_received: u32,
    most_work: u32,
    /// What processors keep beside the program that runs.
    kept: usize,
    /// The most that a program needed, without what waited for the next.
    program_words: usize,
    words: usize,
    taken: Taken,
    /// What waits for processors that have not started, by region.
    waiting: Vec<Waiting>,
    runs: u64,
    trace: Trace,
    /// The same machine in steps, which says how long chains are; see `twin.rs`.
    twin: Option<Box<Machine>>,
}

impl Machine {
    /// The words of a processor unless they are stated.
    pub const WORDS: usize = 128;

    /// A machine whose processor `p` lies at `cells[p]`.
    ///
    /// # Errors
    /// A cell outside the grid or taken twice, more processors than cells, a side
    /// above 65,536, delays or routers that cannot be, processors too far apart for routers.
    pub fn new(grid: Grid, cells: &[Cell], params: MachineParams) -> Result<Machine, MachineError> {
        let processors = cells.len() as u64;
        if grid.width > 1 << 16 || grid.height > 1 << 16 {
            return Err(MachineError::GridTooLarge { grid });
        }
        if processors > grid.len() || cells.len() > MAX_VERTICES {
            return Err(MachineError::GridTooSmall { grid, processors });
        }
        for (processor, &cell) in cells.iter().enumerate() {
            if !grid.contains(cell) {
                return Err(MachineError::Outside { processor: processor as u32, cell, grid });
            }
        }
        params.delivery.check()?;
        params.network.check()?;
        let steps = params.delivery == Delivery::Step;
        let window = Window::around(cells);
        if let Some(processor) = shared_cell(window, cells) {
            let cell = cells[processor];
            return Err(MachineError::Occupied { processor: processor as u32, cell });
        }
        let routed = params.delivery == Delivery::Network || params.replay == ReplayWhen::Always;
        if routed && !window.is_dense(cells.len()) {
            let (processors, cells) = (cells.len(), window.size.len());
            return Err(NetworkError::TooSparse { processors, cells }.into());
        }
        Ok(Machine {
            grid,
            window,
            params,
            places: cells.iter().map(|&cell| Place::from(window.inside(cell))).collect(),
            meters: vec![Meter::default(); cells.len()],
            times: if steps { Vec::new() } else { vec![0; cells.len()] },
            links: Vec::new(),
            ledger: Ledger::default(),
            total: Costs::default(),
            most_received: 0,
            most_work: 0,
            kept: 0,
            program_words: 0,
            words: 0,
            taken: Taken::default(),
            waiting: Vec::new(),
            runs: 0,
            trace: Trace { processors: cells.len(), ..Trace::default() },
            twin: Machine::twin_of(grid, cells, params)?,
        })
    }

    /// A machine whose processors are the first ones along a curve.
    ///
    /// # Errors
    /// As [`Machine::new`].
    pub fn on_curve(
        curve: &Curve,
        processors: usize,
        params: MachineParams,
    ) -> Result<Machine, MachineError> {
        let grid = curve.grid();
        if processors as u64 > curve.len() {
            return Err(MachineError::GridTooSmall { grid, processors: processors as u64 });
        }
        let mut cells = vec![Cell::default(); processors];
        curve.cells(0, &mut cells);
        Machine::new(grid, &cells, params)
    }

    /// Runs a program until no message is on its way. Costs are added to the machine's;
    /// `name` is what the ledger calls it.
    ///
    /// # Errors
    /// Memory for another number of processors, and whatever the program does wrong: a
    /// message off the grid, more words than a processor has, too many steps. After an
    /// error the machine's books are not to be used.
    pub fn run<P: Program>(
        &mut self,
        name: &str,
        constants: P::Constants,
        mut memory: Memory<P::State>,
    ) -> Result<Memory<P::State>, MachineError> {
        let (expected, actual) = (self.processors(), memory.states().len());
        if expected != actual {
            return Err(MachineError::Processors { expected, actual });
        }
        let states = memory.states_mut();
        let carrier = self.params.delivery.carrier(self);
        let desk = books::open::<P>(self, name, constants)?;
        match carrier {
            None => run::run(self, name, desk, states)?,
            Some(carrier) => {
                self.run_twin::<P>(name, constants, states);
                events::run(self, name, desk, carrier, states)?;
                self.compare_twin();
            }
        }
        Ok(memory)
    }

    /// The words of memory of a processor.
    pub fn words(&self) -> usize {
        self.params.words.unwrap_or(Machine::WORDS)
    }

    /// The number of processors.
    pub fn processors(&self) -> usize {
        self.places.len()
    }

    /// The grid.
    pub fn grid(&self) -> Grid {
        self.grid
    }

    /// How it was built.
    pub fn params(&self) -> MachineParams {
        self.params
    }

    /// What programs may be given for free.
    pub fn given(&self) -> Given {
        self.params.given
    }

    /// Whether a program is given something for free. It asks before it pays; what it was given
    /// is [noted](Machine::taken).
    pub fn takes(&self, gift: Gift) -> bool {
        let given = self.params.given.has(gift);
        if given {
            self.taken.note(gift);
        }
        given
    }

    /// What programs so far were given for free.
    pub fn taken(&self) -> Given {
        self.taken.given()
    }

    /// Where the processors lie, by address.
    pub fn cells(&self) -> Vec<Cell> {
        let Cell { x, y } = self.window.corner;
        let cell = |place: &Place| {
            let inside = Cell::from(*place);
            Cell { x: x + inside.x, y: y + inside.y }
        };
        self.places.iter().map(cell).collect()
    }

    /// The messages sent so far, if they were kept.
    pub fn trace(&self) -> Option<&Trace> {
        self.keeps_trace().then_some(&self.trace)
    }

    /// What decides the random bits of the next program.
    pub(crate) fn next_seed(&self) -> u64 {
        mix(self.params.seed ^ mix(self.runs + 1))
    }

    /// Link counters for messages of so many words that no thread uses now, if links are counted.
    fn take_counters(&mut self, words: u32) -> Option<LinkCounters> {
        let counters = LinkCounters::take(&mut self.links, words);
        counters.or_else(|| self.counts_links().then(|| LinkCounters::new(self.window, words)))
    }

    fn book(&mut self, name: &str, tally: &Tally, words: u64) {
        self.ledger.add(name, tally, words);
        self.total.add(tally, words, self.total.depth.max(tally.last));
    }
}

/// The first processor that lies where an earlier one does.
fn shared_cell(window: Window, cells: &[Cell]) -> Option<usize> {
    if !window.is_dense(cells.len()) {
        let mut taken = HashSet::new();
        return cells.iter().position(|&cell| !taken.insert(cell));
    }
    let mut taken = vec![0u64; window.size.len().div_ceil(64) as usize];
    cells.iter().position(|&cell| {
        let Cell { x, y } = window.inside(cell);
        let at = u64::from(y) * u64::from(window.size.width) + u64::from(x);
        let (word, bit) = (&mut taken[(at / 64) as usize], 1u64 << (at % 64));
        std::mem::replace(word, *word | bit) & bit != 0
    })
}
