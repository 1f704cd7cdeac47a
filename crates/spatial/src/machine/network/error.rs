//! Errors of the router grid: parameters that no network has, messages that cannot be replayed.

use thiserror::Error;

/// Why messages cannot be sent through routers.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum NetworkError {
    /// A latency or a capacity out of range.
    #[error("{what}: expected a whole number from {least} to {most}, found {value}")]
    Parameter { what: &'static str, value: i64, least: u32, most: u32 },
    /// A message from or to no processor.
    #[error("message {message} names processor {processor}, but there are only {processors}")]
    NoProcessor { message: usize, processor: u32, processors: usize },
    /// A message that waits for one that is never sent.
    #[error(
        "message {message} was never sent: its sender, processor {processor}, waits for messages \
         that depend on it"
    )]
    NeverSent { message: usize, processor: u32 },
    /// Processors too far apart to keep anything for each cell between them.
    #[error("{processors} processors in a rectangle of {cells} cells are too far apart to replay")]
    TooSparse { processors: usize, cells: u64 },
}
