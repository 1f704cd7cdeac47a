//! Errors of placements.

use thiserror::Error;

/// Why there is no placement.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum PlacementError {
    /// The machine is too small.
    #[error("{parts} parts do not fit on {machine}, which has {processors} processors")]
    TooFewProcessors {
        /// The machine.
        machine: String,
        /// Its processors.
        processors: usize,
        /// The parts.
        parts: usize,
    },
    /// A number that is not of a processor.
    #[error("part {part} is on processor {processor}, but there are only {count} processors")]
    NoSuchProcessor {
        /// The part.
        part: u32,
        /// Its processor.
        processor: u32,
        /// The number of processors.
        count: usize,
    },
    /// Two parts on one processor.
    #[error("parts {} and {} are both on processor {processor}; each needs its \
        own", parts[0], parts[1])]
    Shared {
        /// The processor.
        processor: u32,
        /// The parts.
        parts: [u32; 2],
    },
    /// The method needs something that the caller does not have.
    #[error("placement `{method}` needs {what}")]
    Needs {
        /// The method.
        method: &'static str,
        /// What it needs.
        what: &'static str,
    },
    /// Something has another number of parts than the quotient.
    #[error("{what}: {actual} entries for {expected} parts")]
    Length {
        /// What it is.
        what: &'static str,
        /// The parts of the quotient.
        expected: usize,
        /// Its own.
        actual: usize,
    },
    /// A list of hosts that cannot be read.
    #[error("host {number} is `{text}`; expected name or name:slots")]
    Host {
        /// Which, from 1.
        number: usize,
        /// What was given.
        text: String,
    },
    /// Fewer slots than processors that are used.
    #[error("the hosts have only {slots} slots, but a part is on processor {processor}")]
    TooFewSlots {
        /// All slots.
        slots: usize,
        /// The first processor that has none.
        processor: u32,
    },
}
