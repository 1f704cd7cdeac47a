//! Why there are no routes.

use thiserror::Error;

/// Why messages cannot be routed.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum RoutingError {
    /// A machine that routes by itself.
    #[error("{machine} routes in hardware; routing needs a mesh or a torus")]
    FatTree {
        /// The machine.
        machine: String,
    },
    /// An end of a message that is not a processor.
    #[error("message {message} ends at processor {processor}, but {machine} has only {processors}")]
    NoSuchProcessor {
        /// Which message, from 0.
        message: usize,
        /// Its end.
        processor: u32,
        /// The machine.
        machine: String,
        /// How many it has.
        processors: usize,
    },
    /// No path may touch a processor.
    #[error("the number of channels per processor must be at least 1")]
    NoChannels,
}
