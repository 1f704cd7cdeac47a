//! What can be wrong with the numbers of a feeder.

use thiserror::Error;

/// Why a feeder cannot be solved as it is described. Elements are told by kind and name.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum FeederError {
    /// The base power is no power.
    #[error("the base power is {base} MVA; it must be positive")]
    Base { base: f64 },
    /// There are no buses.
    #[error("a feeder without buses")]
    NoBuses,
    /// Nothing holds a voltage.
    #[error("no source: no bus has a given voltage")]
    NoSource,
    /// Columns of one kind of element have different numbers of rows.
    #[error("{kind}: {expected} rows, but {actual} in column `{column}`")]
    Rows { kind: &'static str, column: &'static str, expected: usize, actual: usize },
    /// More elements than `u32` indices.
    #[error("{count} rows of {kind}; at most {} are supported", crate::MAX_VERTICES)]
    TooMany { kind: &'static str, count: usize },
    /// An element is at a bus that is not there.
    #[error("{kind} `{name}` is at bus number {bus}, but there are only {buses} buses")]
    NoSuchBus { kind: &'static str, name: String, bus: u32, buses: usize },
    /// Both ends of a branch are one bus.
    #[error("both ends of {kind} `{name}` are at bus `{bus}`")]
    OneBus { kind: &'static str, name: String, bus: String },
    /// A line or a switch between buses of different nominal voltages.
    #[error(
        "{kind} `{name}` joins bus `{from}` of {from_kv} kV and bus `{to}` of {to_kv} kV; only transformers join different voltages"
    )]
    Voltages {
        kind: &'static str,
        name: String,
        from: String,
        to: String,
        from_kv: f64,
        to_kv: f64,
    },
    /// Two elements of which a bus has at most one.
    #[error("bus `{bus}` has a second {kind}; it can have one")]
    Second { kind: &'static str, bus: String },
    /// A number is infinite or not a number.
    #[error("{kind} `{name}`: {what} is {value}; it must be finite")]
    NotFinite { kind: &'static str, name: String, what: &'static str, value: f64 },
    /// A number must be positive.
    #[error("{kind} `{name}`: {what} is {value}; it must be positive")]
    NotPositive { kind: &'static str, name: String, what: &'static str, value: f64 },
    /// A number must not be negative.
    #[error("{kind} `{name}`: {what} is {value}; it must not be negative")]
    Negative { kind: &'static str, name: String, what: &'static str, value: f64 },
    /// Only switches have no impedance.
    #[error("{kind} `{name}` has no impedance; only switches may have none")]
    NoImpedance { kind: &'static str, name: String },
    /// Lower limits above upper ones.
    #[error("{kind} `{name}`: the lower limit {low} is above the upper limit {high}")]
    Limits { kind: &'static str, name: String, low: f64, high: f64 },
    /// An element has phases that its bus does not have.
    #[error("{kind} `{name}` has phases {phases}, but bus `{bus}` has {available}")]
    Phases { kind: &'static str, name: String, phases: String, bus: String, available: String },
    /// A delta between fewer than two phases, or a transformer with a delta that lacks one.
    #[error("{kind} `{name}` is a delta, but has only phases {phases}")]
    Delta { kind: &'static str, name: String, phases: String },
    /// The impedance of a line joins a phase that the line does not have.
    #[error("{kind} `{name}` has phases {phases}, but an impedance of phase {phase}")]
    ExtraPhase { kind: &'static str, name: String, phases: String, phase: char },
}
