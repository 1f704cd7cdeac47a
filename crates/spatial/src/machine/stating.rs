//! The words that programs state, and machines that have so many.

use super::{MachineParams, Program};

impl MachineParams {
    /// The same for a program that states its words: they are the machine's, unless others are
    /// asked for.
    #[must_use]
    pub fn stating(self, words: usize) -> MachineParams {
        MachineParams { words: self.words.or(Some(words)), ..self }
    }
}

/// The words of a processor for a program that holds so many messages at a time.
pub(crate) const fn program_words<P: Program>(messages: usize) -> usize {
    P::STATE_WORDS + messages * P::MESSAGE_WORDS
}

/// The most of several numbers of words: of programs that run one after another.
pub(crate) const fn most_words<const N: usize>(words: [usize; N]) -> usize {
    let (mut most, mut i) = (0, 0);
    while i < N {
        if words[i] > most {
            most = words[i];
        }
        i += 1;
    }
    most
}
