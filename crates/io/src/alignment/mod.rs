//! Alignments: sequences of equal length, a set of possible states per site.
//!
//! **Problem.** FASTA or PHYLIP to names and sets of states.
//! **Accepted.** FASTA with sequences over any number of lines; PHYLIP with sequential or interleaved
//! sequences, and with names that end at a blank or (strict) in column 10. Lower case is upper case,
//! blanks inside sequences are skipped. Symbols are those of a [`SequenceType`]: DNA and RNA with IUPAC's
//! ambiguity codes, amino acids with `B`, `Z`, `J` and `X`, or states of one's own; `{…}` and `(…)` have
//! several states at one site. `?` is any state; so is `-`, unless gaps are a state of their own.
//! **Cost.** One pass; 4 bits per site (8 or 16 bits with up to 8 or 16 states, 32 beyond), sequences
//! shared among threads.

mod costs;
mod fasta;
mod packed;
mod phylip;
mod slices;
mod symbols;
#[cfg(test)]
mod tests;
mod write;

pub use costs::CostFile;
pub use slices::{FastaBytes, FastaSlices};
pub use symbols::{Gaps, SequenceType, Symbols};
pub use write::{write_fasta, write_texts};

use crate::quote::short;
use crate::source::{Source, plain};
use crate::{InputLimit, IoError, name_of, read_bytes_within};
use palmette_core::sites::words_for;
use palmette_core::{named, sites};
use std::collections::HashMap;
use std::ops::Range;
use std::path::Path;

named! {
    /// A format of alignments.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    pub enum AlignmentFormat("alignment format") {
        /// `>name` before each sequence.
        Fasta = "fasta",
        /// The numbers of sequences and sites, then sequences; whether they are interleaved is found out.
        Phylip = "phylip",
        /// PHYLIP, one sequence after the other.
        PhylipSequential = "phylip-sequential",
        /// PHYLIP, all sequences at once in pieces.
        PhylipInterleaved = "phylip-interleaved",
    }
}

/// How an alignment is read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AlignmentParams {
    /// The format; by default it is found from the content.
    pub format: Option<AlignmentFormat>,
    /// What the symbols are; by default it is found from them.
    pub kind: Option<SequenceType>,
    /// The states of [`SequenceType::Standard`], in order; by default `0` to the largest digit.
    pub alphabet: Option<String>,
    /// What gaps are.
    pub gaps: Gaps,
}

/// Sequences of equal length, as sets of states; see [`palmette_core::sites`] for their words.
#[derive(Debug, Clone)]
pub struct Alignment {
    /// The file's name, for messages.
    pub name: String,
    /// What sequences are called: the first word of a header, or the whole of it where two begin with
    /// the same word.
    pub names: Vec<String>,
    /// What symbols stand for.
    pub symbols: Symbols,
    /// Sites per sequence.
    pub sites: usize,
    /// The words of all sequences, row after row.
    pub rows: Vec<u64>,
    /// The headers, where some have more than one word.
    headers: Vec<String>,
}

impl Alignment {
    /// The header of a sequence: its name and what follows it.
    pub fn header(&self, sequence: usize) -> &str {
        self.headers.get(sequence).unwrap_or(&self.names[sequence])
    }

    /// The set of states of a sequence at a site.
    ///
    /// # Panics
    /// When there is no such sequence or site.
    pub fn set(&self, sequence: usize, site: usize) -> u32 {
        assert!(site < self.sites, "site {site} of {}", self.sites);
        let states = self.symbols.states().len();
        let words = words_for(states, self.sites);
        sites::get(&self.rows[sequence * words..][..words], sites::lane_bits(states), site)
    }

    /// One of `parts` parts of the sites, and where it begins. Parts are whole blocks of words, so that some may
    /// be empty.
    ///
    /// # Panics
    /// When there is no such part.
    #[must_use]
    pub fn part(&self, part: usize, parts: usize) -> (usize, Alignment) {
        assert!(part < parts, "part {part} of {parts}");
        let states = self.symbols.states().len();
        let words = words_for(states, self.sites);
        let blocks = words / sites::WORDS;
        let start = |part: usize| part * blocks / parts * sites::WORDS;
        let (from, to) = (start(part), start(part + 1));
        let per_word = 64 / sites::lane_bits(states) as usize;
        let first = (from * per_word).min(self.sites);
        let last = (to * per_word).min(self.sites);
        let rows = self.rows.chunks_exact(words.max(1)).flat_map(|row| &row[from..to]).copied();
        let part = Alignment {
            name: self.name.clone(),
            names: self.names.clone(),
            symbols: self.symbols.clone(),
            sites: last - first,
            rows: rows.collect(),
            headers: self.headers.clone(),
        };
        (first, part)
    }

    /// Sequences that are here already.
    ///
    /// # Errors
    /// As [`read_alignment`]; sequences are counted as lines from 1.
    pub fn from_sequences<S: AsRef<[u8]>>(
        name: &str,
        names: Vec<String>,
        sequences: &[S],
        params: &AlignmentParams,
    ) -> Result<Alignment, IoError> {
        // One text, as if it had been read.
        let mut text = Vec::new();
        let mut raw = Raw::default();
        for (header, sequence) in names.into_iter().zip(sequences) {
            let start = text.len();
            text.extend(sequence.as_ref());
            let lines = std::iter::once(start..text.len()).collect();
            raw.push(header, start, lines);
            text.push(b'\n');
        }
        packed::read(&Source::new(name, &text)?, raw, params)
    }
}

/// Sequences as a text has them.
#[derive(Default)]
struct Raw {
    headers: Vec<String>,
    /// Where each begins, header included.
    at: Vec<usize>,
    /// The pieces of each.
    pieces: Vec<Vec<Range<usize>>>,
}

impl Raw {
    fn push(&mut self, header: String, at: usize, pieces: Vec<Range<usize>>) {
        self.headers.push(header);
        self.at.push(at);
        self.pieces.push(pieces);
    }

    /// What sequences are called, each by a name of its own.
    fn names(&self, source: &Source<'_>) -> Result<Vec<String>, IoError> {
        let word = |header: &String| header.split_whitespace().next().unwrap_or("").to_string();
        let words: Vec<String> = self.headers.iter().map(word).collect();
        let names = match repeated(&words) {
            None => words,
            Some(_) => self.headers.clone(),
        };
        for (name, &at) in names.iter().zip(&self.at) {
            if name.is_empty() {
                return Err(source.on_line(source.line(at), "a name", "none"));
            }
        }
        match repeated(&names) {
            None => Ok(names),
            Some((first, second)) => {
                let found = format!(
                    "`{}` again, which is on line {}",
                    short(&names[second]),
                    source.line(self.at[first])
                );
                let line = source.line(self.at[second]);
                Err(source.on_line(line, "a name of its own for each sequence", found))
            }
        }
    }
}

/// The first text that was there before, and where.
fn repeated(texts: &[String]) -> Option<(usize, usize)> {
    let mut seen = HashMap::with_capacity(texts.len());
    texts.iter().enumerate().find_map(|(i, text)| Some((seen.insert(text, i)?, i)))
}

/// Reads an alignment. `-` is stdin; gzip and zstd are decompressed.
///
/// # Errors
/// When the file cannot be read or is no alignment: sequences of unequal length, a symbol that its type
/// does not have, a name twice; with the line.
pub fn read_alignment(
    path: &Path,
    limit: InputLimit,
    params: &AlignmentParams,
) -> Result<Alignment, IoError> {
    read_alignment_bytes(&name_of(path), &read_bytes_within(path, limit)?, params)
}

/// As [`read_alignment`], from bytes that are already here; `name` is for messages.
///
/// ```
/// use palmette_io::{AlignmentParams, read_alignment_bytes};
/// let read = read_alignment_bytes("a.fa", b">x\nAC\nG\n>y\nRC-\n", &AlignmentParams::default())?;
/// assert_eq!((read.names.join(" "), read.sites), ("x y".to_string(), 3));
/// assert_eq!([read.set(0, 0), read.set(1, 0), read.set(1, 2)], [0b0001, 0b0101, 0b1111]);
/// # Ok::<(), palmette_io::IoError>(())
/// ```
///
/// # Errors
/// As [`read_alignment`].
pub fn read_alignment_bytes(
    name: &str,
    bytes: &[u8],
    params: &AlignmentParams,
) -> Result<Alignment, IoError> {
    let data = plain(name, bytes)?;
    let source = Source::new(name, &data)?;
    let first = source.text.trim_start().as_bytes().first();
    let format = params.format.or(match first {
        Some(b'>' | b';') => Some(AlignmentFormat::Fasta),
        Some(b'0'..=b'9') => Some(AlignmentFormat::Phylip),
        _ => None,
    });
    let raw = match format {
        Some(AlignmentFormat::Fasta) => fasta::read(&source)?,
        Some(format) => phylip::read(&source, format)?,
        None => {
            let found = if first.is_none() { "an empty file" } else { "neither" };
            let expected = "`>` (FASTA) or the numbers of sequences and sites (PHYLIP)";
            return Err(source.on_line(1, expected, found));
        }
    };
    packed::read(&source, raw, params)
}
