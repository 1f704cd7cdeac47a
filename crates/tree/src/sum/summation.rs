//! The ways to sum.

use palmette_core::named;

named! {
    /// How floats are added.
    #[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
    pub enum Summation("summation") {
        /// In their own type, in the engine's brackets.
        #[default]
        Plain = "plain",
        /// In a wider number, rounded once: see [`Compensated`](super::Compensated).
        Compensated = "compensated",
        /// Without any error, rounded once: the nearest float.
        Exact = "exact",
    }
}
