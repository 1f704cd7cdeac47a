//! Errors of a simulated run: too little memory on a processor, bad addresses, too many steps.

use crate::{Cell, Grid};
use thiserror::Error;

/// Why a machine cannot be made, or a program cannot go on.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum MachineError {
    /// A program was given memory for another number of processors.
    #[error("the memory is for {actual} processors instead of {expected}")]
    Processors {
        /// The machine's.
        expected: usize,
        /// The memory's.
        actual: usize,
    },
    /// More processors than the grid has cells, or than addresses.
    #[error("the grid {grid} is too small for {processors} processors: it has {} cells", grid.len())]
    GridTooSmall {
        /// The grid.
        grid: Grid,
        /// The number of processors asked for.
        processors: u64,
    },
    /// A side that the simulator cannot hold.
    #[error("the grid {grid} is too large; at most 65536 cells per side can be simulated")]
    GridTooLarge {
        /// The grid.
        grid: Grid,
    },
    /// A processor outside the grid.
    #[error("processor {processor} is at column {}, row {}: outside the grid \
        {grid}", cell.x, cell.y)]
    Outside {
        /// The processor.
        processor: u32,
        /// Where it should lie.
        cell: Cell,
        /// The grid.
        grid: Grid,
    },
    /// Two processors in one cell.
    #[error("processor {processor} is at the same place as another: column {}, row \
        {}", cell.x, cell.y)]
    Occupied {
        /// The second processor.
        processor: u32,
        /// The cell.
        cell: Cell,
    },
    /// The program's state, or the messages that arrive in one step, need more words
    /// than a processor has.
    #[error(
        "processor {processor}, step {step}, {phase}: needs {needed} words for its state and \
         {messages} message(s), has {words}"
    )]
    Memory {
        /// The processor.
        processor: u32,
        /// The step.
        step: u32,
        /// The phase.
        phase: String,
        /// Messages that arrived in this step.
        messages: u32,
        /// Words needed.
        needed: usize,
        /// Words there are.
        words: usize,
    },
    /// A message to no processor.
    #[error(
        "processor {processor}, step {step}, {phase}: sends to {to}, but there are only \
        {processors} processors"
    )]
    OffGrid {
        /// The sender.
        processor: u32,
        /// The step.
        step: u32,
        /// The phase.
        phase: String,
        /// Where the message should go.
        to: u32,
        /// How many processors there are.
        processors: usize,
    },
    /// The step limit.
    #[error(
        "processor {processor}, step {step}, {phase}: still receives messages at the limit of \
        {limit} steps"
    )]
    StepLimit {
        /// A processor that is still busy.
        processor: u32,
        /// The step.
        step: u32,
        /// The phase.
        phase: String,
        /// The limit.
        limit: u32,
    },
}
