//! The ways to sum.

use std::fmt;
use std::str::FromStr;

/// How floats are added.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum Summation {
    /// In their own type, in the engine's brackets.
    #[default]
    Plain,
    /// In a wider number, rounded once: see [`Compensated`](super::Compensated).
    Compensated,
    /// Without any error, rounded once: the nearest float.
    Exact,
}

impl Summation {
    /// All of them.
    pub const ALL: [Summation; 3] = [Summation::Plain, Summation::Compensated, Summation::Exact];

    /// The name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Summation::Plain => "plain",
            Summation::Compensated => "compensated",
            Summation::Exact => "exact",
        }
    }
}

impl fmt::Display for Summation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Summation {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        Summation::ALL.into_iter().find(|s| s.name() == text).ok_or_else(|| {
            let known = Summation::ALL.map(Summation::name).join(", ");
            format!("unknown summation '{text}'; expected one of {known}")
        })
    }
}
