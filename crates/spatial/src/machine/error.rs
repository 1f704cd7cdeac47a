//! Errors of a simulated run: too little memory on a processor, bad addresses, bad delays, too
//! many steps.

use super::network::NetworkError;
use crate::{Cell, Grid};
use palmette_core::named::UnknownName;
use thiserror::Error;

/// Why a machine cannot be made, or a program cannot go on.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum MachineError {
    /// A program was given memory for another number of processors.
    #[error("the memory is for {actual} processors instead of {expected}")]
    Processors { expected: usize, actual: usize },
    /// More processors than the grid has cells, or than addresses.
    #[error("the grid {grid} is too small for {processors} processors: it has {} cells", grid.len())]
    GridTooSmall { grid: Grid, processors: u64 },
    /// A side that the simulator cannot hold.
    #[error("the grid {grid} is too large; at most 65536 cells per side can be simulated")]
    GridTooLarge { grid: Grid },
    /// A processor outside the grid.
    #[error("processor {processor} is at column {}, row {}: outside the grid \
        {grid}", cell.x, cell.y)]
    Outside { processor: u32, cell: Cell, grid: Grid },
    /// Two processors in one cell.
    #[error("processor {processor} is at the same place as another: column {}, row \
        {}", cell.x, cell.y)]
    Occupied { processor: u32, cell: Cell },
    /// The program's state, what is kept beside it, and the messages that arrive in one step
    /// need more words than a processor has.
    #[error(
        "processor {processor}, step {step}, {phase}: needs {needed} words for its state{} and \
         {messages} message(s), has {words}", beside(*kept)
    )]
    Memory {
        processor: u32,
        step: u32,
        phase: String,
        messages: u32,
        kept: usize,
        needed: usize,
        words: usize,
    },
    /// Messages that wait for a processor need more words than an earlier program leaves.
    #[error(
        "processor {processor}, step {step}, {phase}: needs {needed} words for an earlier program \
         and {waiting} words of messages that wait for it, has {words}"
    )]
    Waiting { processor: u32, step: u32, phase: String, waiting: u32, needed: usize, words: usize },
    /// A message to no processor.
    #[error(
        "processor {processor}, step {step}, {phase}: sends to {to}, but there are only \
        {processors} processors"
    )]
    OffGrid { processor: u32, step: u32, phase: String, to: u32, processors: usize },
    /// A handler of a program that is not compiled ended with an error of its own.
    #[error("processor {processor}, step {step}, {phase}: a handler ended with an error")]
    Stopped { processor: u32, step: u32, phase: String },
    /// A time that no message can take.
    #[error("a delay of {delay} is not possible: a message takes at least 1, also to oneself")]
    Delay { delay: i64 },
    /// Delays by the hop alone.
    #[error(
        "a message to oneself goes no hop and would take no time; add some, as in \
        random:1+{least}-{most}/hop"
    )]
    DelayOfHops { least: u32, most: u32 },
    /// A time beyond all clocks.
    #[error("a delay of {delay} is too long: at most 4294967295")]
    DelayTooLong { delay: u64 },
    /// A range of delays that has none.
    #[error("there is no delay from {least} to {most}: the longest must not be below the shortest")]
    DelayBounds { least: u32, most: u32 },
    /// A delivery model that does not exist.
    #[error(transparent)]
    UnknownDelivery(#[from] UnknownName),
    /// Routers that cannot be, or processors too far apart for them.
    #[error(transparent)]
    Network(#[from] NetworkError),
    /// The step limit.
    #[error(
        "processor {processor}, step {step}, {phase}: still receives messages at the limit of \
        {limit} steps"
    )]
    StepLimit { processor: u32, step: u32, phase: String, limit: u32 },
}

impl MachineError {
    /// The processor and the step at which a program went wrong; none where the machine did.
    pub fn place(&self) -> Option<(u32, u32)> {
        match *self {
            MachineError::Memory { processor, step, .. }
            | MachineError::Waiting { processor, step, .. }
            | MachineError::OffGrid { processor, step, .. }
            | MachineError::Stopped { processor, step, .. }
            | MachineError::StepLimit { processor, step, .. } => Some((processor, step)),
            _ => None,
        }
    }
}

/// What is kept beside a state, in words.
fn beside(kept: usize) -> String {
    if kept == 0 { String::new() } else { format!(", {kept} words that it keeps") }
}
