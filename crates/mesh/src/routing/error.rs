//! Why there are no routes.

use thiserror::Error;

/// Why messages cannot be routed.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum RoutingError {
    /// A machine that routes by itself.
    #[error("the hardware of {machine} routes by itself; expected a mesh or a torus")]
    FatTree {
        /// The machine.
        machine: String,
    },
    /// An end of a message that is no processor.
    #[error(
        "message {message} has its end at {processor}, but {machine} has only {processors} processors"
    )]
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
    #[error("0 channels a processor; expected at least 1")]
    NoChannels,
}
