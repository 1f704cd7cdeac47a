//! The memory of all processors, as the host hands it in and out.

use super::Plain;

/// What every processor keeps, by address.
///
/// The host fills it before a run and reads it afterwards. Between two programs a
/// processor can only rearrange what it has: [`Memory::map`] takes a plain function.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Memory<S>(Vec<S>);

impl<S: Plain> Memory<S> {
    /// Of no processors.
    pub(crate) const EMPTY: Memory<S> = Memory(Vec::new());

    /// Memory for `processors` processors; `state` gives each its input.
    pub fn new(processors: usize, state: impl FnMut(u32) -> S) -> Memory<S> {
        Memory((0..processors as u32).map(state).collect())
    }

    /// Every processor turns what it has into something else, by itself. A function
    /// pointer carries no data, so nothing of the host can slip in.
    pub fn map<T: Plain>(self, change: fn(u32, S) -> T) -> Memory<T> {
        Memory((0u32..).zip(self.0).map(|(p, state)| change(p, state)).collect())
    }

    /// What two memories hold, side by side.
    ///
    /// # Panics
    /// When they have different numbers of processors.
    pub fn beside<T: Plain>(self, other: Memory<T>) -> Memory<(S, T)> {
        assert_eq!(self.0.len(), other.0.len(), "memories of different machines");
        Memory(self.0.into_iter().zip(other.0).collect())
    }

    /// The states by address.
    pub fn states(&self) -> &[S] {
        &self.0
    }

    pub(super) fn states_mut(&mut self) -> &mut [S] {
        &mut self.0
    }
}

impl<S: Plain> From<Vec<S>> for Memory<S> {
    fn from(states: Vec<S>) -> Memory<S> {
        Memory(states)
    }
}
