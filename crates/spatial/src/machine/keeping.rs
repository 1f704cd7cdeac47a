//! What processors keep while another program runs.

use super::{Machine, Memory, Plain, words_of};
use std::ops::{Deref, DerefMut};

/// A machine whose processors keep some words beside the programs that run; they count against
/// its limit until this is dropped. See [`Machine::keep`].
#[derive(Debug)]
pub struct Keeping<'m> {
    machine: &'m mut Machine,
    words: usize,
}

impl Machine {
    /// The same machine, while its processors keep what is in `memory` and do something else.
    ///
    /// A program holds what is in its state. What a processor needs again after it, and is
    /// not in that state, lies beside it:
    ///
    /// ```
    /// use palmette_core::operator::Sum;
    /// use palmette_spatial::collective::{Range, reduce};
    /// use palmette_spatial::curve::CurveKind;
    /// use palmette_spatial::machine::{Machine, MachineParams, Memory};
    ///
    /// let curve = CurveKind::Hilbert.fitting(16)?;
    /// let machine = || Machine::on_curve(&curve, 16, MachineParams::default());
    /// let (all, sum) = (Range::new(0, 16), Sum::<u64>::new());
    /// let values = Memory::new(16, u64::from);
    /// let (mut alone, mut keeping) = (machine()?, machine()?);
    /// reduce(&mut alone, "reduce", sum, all, values.clone())?;
    /// // Whoever needs the values again keeps its two words.
    /// reduce(&mut keeping.keep(&values), "reduce", sum, all, values.clone())?;
    /// assert_eq!(keeping.words_used(), alone.words_used() + 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn keep<T: Plain>(&mut self, _memory: &Memory<T>) -> Keeping<'_> {
        self.keep_words(words_of::<T>())
    }

    /// As [`Machine::keep`], for so many words.
    pub fn keep_words(&mut self, words: usize) -> Keeping<'_> {
        self.kept += words;
        Keeping { machine: self, words }
    }
}

impl Deref for Keeping<'_> {
    type Target = Machine;

    fn deref(&self) -> &Machine {
        self.machine
    }
}

impl DerefMut for Keeping<'_> {
    fn deref_mut(&mut self) -> &mut Machine {
        self.machine
    }
}

impl Drop for Keeping<'_> {
    fn drop(&mut self) {
        self.machine.kept -= self.words;
    }
}
