//! Why there are no routes.

use thiserror::Error;

/// Why messages cannot be routed. Messages count from 0.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum RoutingError {
    /// A machine that routes by itself.
    #[error("{machine} routes in hardware; routing needs a network, such as a mesh or a torus")]
    FatTree { machine: String },
    /// A method for grids on another network.
    #[error("routing `{method}` needs a mesh or torus without dead nodes, but this is {machine}")]
    NoGrid { method: &'static str, machine: String },
    /// An end of a message that is not a processor.
    #[error("message {message} ends at processor {processor}, but {machine} has only {processors}")]
    NoSuchProcessor { message: usize, processor: u32, machine: String, processors: usize },
    /// No path may touch a processor.
    #[error("the number of channels per processor must be at least 1")]
    NoChannels,
}
