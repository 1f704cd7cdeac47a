//! What symbols stand for.

use palmette_core::named;
use palmette_core::sites::{MOST_STATES, all_states};

named! {
    /// What the symbols of a sequence are.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    pub enum SequenceType("sequence type") {
        /// DNA or RNA: `A`, `C`, `G`, `T` (or `U`), and IUPAC's codes for several of them.
        Dna = "dna",
        /// Amino acids; `B`, `Z`, `J` and `X` are several, `*`, `U` and `O` any.
        Protein = "protein",
        /// States of one's own.
        Standard = "standard",
    }
}

named! {
    /// What a gap `-` is.
    #[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
    pub enum Gaps("treatment of gaps") {
        /// Any state, as `?` is.
        #[default]
        Missing = "missing",
        /// A state of its own, the last one.
        State = "state",
    }
}

const NUCLEOTIDES: &[u8] = b"ACGT";
const AMINO_ACIDS: &[u8] = b"ACDEFGHIKLMNPQRSTVWY";

/// Codes for several nucleotides.
const SEVERAL: [(u8, &[u8]); 12] = [
    (b'U', b"T"),
    (b'R', b"AG"),
    (b'Y', b"CT"),
    (b'S', b"CG"),
    (b'W', b"AT"),
    (b'K', b"GT"),
    (b'M', b"AC"),
    (b'B', b"CGT"),
    (b'D', b"AGT"),
    (b'H', b"ACT"),
    (b'V', b"ACG"),
    (b'N', b"ACGT"),
];

/// Codes for several amino acids.
const SEVERAL_ACIDS: [(u8, &[u8]); 6] = [
    (b'B', b"DN"),
    (b'Z', b"EQ"),
    (b'J', b"IL"),
    (b'X', AMINO_ACIDS),
    (b'*', AMINO_ACIDS),
    (b'O', AMINO_ACIDS),
];

/// The states of sequences, and the set of them that each symbol stands for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Symbols {
    kind: SequenceType,
    states: Vec<u8>,
    /// By byte; 0 for what is no symbol.
    sets: Box<[u32; 256]>,
}

impl Symbols {
    /// The symbols of a type; `alphabet` has the states of [`SequenceType::Standard`]. Nothing if it has
    /// none, more than 32 (with the gap), one twice, or one that is no printable character of ASCII or
    /// has another meaning.
    pub fn new(kind: SequenceType, alphabet: &str, gaps: Gaps) -> Option<Symbols> {
        let mut states = match kind {
            SequenceType::Dna => NUCLEOTIDES.to_vec(),
            SequenceType::Protein => AMINO_ACIDS.to_vec(),
            SequenceType::Standard => alphabet.to_ascii_uppercase().into_bytes(),
        };
        if gaps == Gaps::State {
            states.push(b'-');
        }
        let proper = |i: usize| {
            let symbol = states[i];
            let gap = symbol == b'-' && gaps == Gaps::State && i + 1 == states.len();
            gap || symbol.is_ascii_graphic()
                && !b"?-{}()>;".contains(&symbol)
                && !states[..i].contains(&symbol)
        };
        let many = states.is_empty() || states.len() > MOST_STATES;
        if many || !(0..states.len()).all(proper) {
            return None;
        }
        let mut sets = Box::new([0; 256]);
        let bit = |symbol: u8| states.iter().position(|&s| s == symbol).map_or(0, |k| 1 << k);
        let any = all_states(states.len());
        sets[usize::from(b'-')] = any;
        states.iter().for_each(|&symbol| sets[usize::from(symbol)] = bit(symbol));
        let several: &[(u8, &[u8])] = match kind {
            SequenceType::Dna => &SEVERAL,
            SequenceType::Protein => &SEVERAL_ACIDS,
            SequenceType::Standard => &[],
        };
        for (code, some) in several {
            sets[usize::from(*code)] = some.iter().fold(0, |set, &symbol| set | bit(symbol));
        }
        match kind {
            SequenceType::Dna => sets[usize::from(b'X')] = sets[usize::from(b'N')],
            SequenceType::Protein => sets[usize::from(b'U')] = sets[usize::from(b'X')],
            SequenceType::Standard => (),
        }
        sets[usize::from(b'?')] = any;
        for lower in b'a'..=b'z' {
            sets[usize::from(lower)] = sets[usize::from(lower.to_ascii_uppercase())];
        }
        Some(Symbols { kind, states, sets })
    }

    /// What the symbols are.
    pub fn kind(&self) -> SequenceType {
        self.kind
    }

    /// The states in order, each a character.
    pub fn states(&self) -> &[u8] {
        &self.states
    }

    /// The states as a text.
    pub fn alphabet(&self) -> String {
        self.states.iter().copied().map(char::from).collect()
    }

    /// The set that a symbol stands for; 0 for what is none.
    #[inline(always)]
    pub fn set(&self, symbol: u8) -> u32 {
        self.sets[usize::from(symbol)]
    }

    pub(super) fn sets(&self) -> &[u32; 256] {
        &self.sets
    }

    /// Appends a set: the symbol that stands for it, or its states in braces. It reads back.
    pub fn push(&self, set: u32, text: &mut Vec<u8>) {
        let all = all_states(self.states.len());
        if set.count_ones() == 1 {
            return text.push(self.states[set.trailing_zeros() as usize]);
        }
        let known = match self.kind {
            SequenceType::Dna => b"RYSWKMBDHVN?".iter(),
            SequenceType::Protein => b"BZJX?".iter(),
            SequenceType::Standard => b"?".iter(),
        };
        match { known }.find(|&&symbol| self.set(symbol) == set) {
            Some(&symbol) => text.push(symbol),
            None if set & all == 0 => text.extend(b"{}"),
            None => {
                let has = |k: &usize| set >> k & 1 == 1;
                text.push(b'{');
                text.extend((0..self.states.len()).filter(has).map(|k| self.states[k]));
                text.push(b'}');
            }
        }
    }

    /// How messages call what is accepted.
    pub(super) fn expected(&self) -> String {
        match self.kind {
            SequenceType::Dna => "a symbol of DNA or RNA (IUPAC), `-` or `?`".to_string(),
            SequenceType::Protein => "an amino acid, `-` or `?`".to_string(),
            SequenceType::Standard => format!("one of `{}`, `-` or `?`", self.alphabet()),
        }
    }
}
