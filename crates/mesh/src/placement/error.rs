//! Errors of placements.

use thiserror::Error;

/// Why there is no placement.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum PlacementError {
    /// The machine is too small.
    #[error("{parts} parts do not fit on {machine}, which has {processors} processors")]
    TooFewProcessors { machine: String, processors: usize, parts: usize },
    /// A number that is not of a processor.
    #[error("part {part} is on processor {processor}, but there are only {count} processors")]
    NoSuchProcessor { part: u32, processor: u32, count: usize },
    /// A processor that can have no part.
    #[error("part {part} is on processor {processor}, which is dead")]
    Dead { part: u32, processor: u32 },
    /// Two parts on one processor.
    #[error("parts {} and {} are both on processor {processor}; each needs its \
        own", parts[0], parts[1])]
    Shared { processor: u32, parts: [u32; 2] },
    /// The method needs something that the caller does not have.
    #[error("placement `{method}` needs {what}")]
    Needs { method: &'static str, what: &'static str },
    /// Something has another number of parts than the quotient.
    #[error("{what}: {actual} entries for {expected} parts")]
    Length { what: &'static str, expected: usize, actual: usize },
    /// A list of hosts that cannot be read. Hosts count from 1.
    #[error("host {number} is `{text}`; expected name or name:slots")]
    Host { number: usize, text: String },
    /// Fewer slots than processors that are used.
    #[error("the hosts have only {slots} slots, but a part is on processor {processor}")]
    TooFewSlots { slots: usize, processor: u32 },
}
