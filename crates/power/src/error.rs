//! What can be wrong with a network.

use crate::flow::FlowError;
use palmette_core::circuit::CircuitError;
use palmette_core::named::UnknownName;
use palmette_graph::solve::SolveError;
use thiserror::Error;

/// Why a network has no answer.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum PowerError {
    /// A text that names no shape.
    #[error(transparent)]
    Unknown(#[from] UnknownName),
    /// A shape without a node.
    #[error("a network needs at least one node")]
    Empty,
    /// A shape with more nodes than there are numbers.
    #[error("{count} nodes are too many; at most {most} are possible")]
    TooLarge {
        /// The nodes asked for.
        count: u128,
        /// The most.
        most: usize,
    },
    /// A resistance that is no positive number.
    #[error("{ohms} is no resistance; a positive number is")]
    Resistance {
        /// The number.
        ohms: f64,
    },
    /// An element whose resistance cannot be changed.
    #[error("element {element} is no resistor of more than 0 ohms")]
    NotAResistor {
        /// The element.
        element: u32,
    },
    /// An element that cannot be removed as a pad.
    #[error("element {element} is no voltage source that holds nodes")]
    NotAPad {
        /// The element.
        element: u32,
    },
    /// A pad whose nodes other sources hold, too.
    #[error("the nodes of element {element} are held by other sources, too")]
    StillHeld {
        /// The element.
        element: u32,
    },
    /// A change at a pad that another change removes.
    #[error("node {node} belongs to a pad that is removed")]
    AtRemovedPad {
        /// The node.
        node: u32,
    },
    /// A node without a way to ground.
    #[error("node {node} has no path to ground")]
    Floats {
        /// The node.
        node: u32,
    },
    /// Voltage sources and inductors form a loop: nothing says how current is shared.
    #[error("element {element} closes a loop of voltage sources and inductors")]
    Loop {
        /// The element.
        element: u32,
    },
    /// A setting of a transient that is no positive number, or too many steps.
    #[error("{what} of {value} is out of range")]
    Setting {
        /// Which.
        what: &'static str,
        /// Its value.
        value: f64,
    },
    /// A preconditioner that is none for transients.
    #[error("`{name}` is no preconditioner for transients")]
    Unsupported {
        /// Its name.
        name: &'static str,
    },
    /// A voltage to start with that sources contradict.
    #[error("node {node} cannot start at {value} V: sources hold it")]
    Initial {
        /// The node.
        node: u32,
        /// The voltage.
        value: f64,
    },
    /// The circuit has no operating point.
    #[error(transparent)]
    Circuit(#[from] CircuitError),
    /// A feeder has no power flow.
    #[error(transparent)]
    Flow(#[from] FlowError),
    /// The system of potentials could not be solved.
    #[error(transparent)]
    Solve(#[from] SolveError),
}
