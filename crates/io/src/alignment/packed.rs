//! From symbols to sets of states, in words.

use super::{Alignment, AlignmentParams, Gaps, Raw, SequenceType, Symbols};
use crate::IoError;
use crate::quote::short;
use crate::source::Source;
use memchr::memchr3;
use palmette_core::parallel;
use palmette_core::sites::{pack, words_for};
use std::ops::Range;
use std::sync::Mutex;

/// Symbols that are looked at to find their type.
const LOOKED_AT: usize = 1 << 20;

/// Sequences that are worth a task.
const GRAIN: usize = 16;

pub(super) fn read(
    source: &Source<'_>,
    raw: Raw,
    params: &AlignmentParams,
) -> Result<Alignment, IoError> {
    let names = raw.names(source)?;
    let symbols = symbols(source, &raw, params)?;
    let packer = Packer { source, raw: &raw, symbols: &symbols };
    let sites = match raw.pieces.is_empty() {
        true => 0,
        false => packer.length(0)?,
    };
    let words = words_for(symbols.states().len(), sites);
    let mut rows = vec![0; names.len() * words];
    let wrong = Mutex::new(None);
    if words > 0 {
        parallel::chunks_mut(&mut rows, words * GRAIN, |start, rows| {
            let mut buffer = Vec::with_capacity(sites);
            for (k, row) in rows.chunks_exact_mut(words).enumerate() {
                let sequence = start / words + k;
                if let Err(error) = packer.pack(sequence, sites, &mut buffer, row) {
                    note(&wrong, sequence, error);
                    return;
                }
            }
        });
    } else {
        for sequence in 0..names.len() {
            let length = packer.length(sequence)?;
            if length != 0 {
                return Err(packer.unequal(sequence, sites, length));
            }
        }
    }
    match wrong.into_inner() {
        Ok(Some((_, error))) => return Err(error),
        Ok(None) => {}
        Err(_) => return Err(source.on_line(1, "sequences", "a failure of a thread")),
    }
    let headers = if names == raw.headers { Vec::new() } else { raw.headers };
    Ok(Alignment { name: source.name.to_string(), names, symbols, sites, rows, headers })
}

/// Keeps the error of the first sequence.
fn note(wrong: &Mutex<Option<(usize, IoError)>>, sequence: usize, error: IoError) {
    if let Ok(mut wrong) = wrong.lock()
        && wrong.as_ref().is_none_or(|(first, _)| sequence < *first)
    {
        *wrong = Some((sequence, error));
    }
}

struct Packer<'a> {
    source: &'a Source<'a>,
    raw: &'a Raw,
    symbols: &'a Symbols,
}

impl Packer<'_> {
    /// Symbols of a sequence, blanks left out; nothing where some are sets in braces.
    fn plain(&self, sequence: usize, buffer: &mut Vec<u8>) -> bool {
        buffer.clear();
        let data = self.source.bytes();
        for piece in &self.raw.pieces[sequence] {
            let piece = &data[piece.clone()];
            if memchr::memchr2(b'{', b'(', piece).is_some() {
                return false;
            }
            match memchr3(b' ', b'\t', b'\r', piece) {
                None => buffer.extend_from_slice(piece),
                Some(_) => buffer.extend(piece.iter().filter(|b| !b.is_ascii_whitespace())),
            }
        }
        true
    }

    /// The sets of a sequence, symbol by symbol, with errors.
    fn sets(&self, sequence: usize) -> Result<Vec<u32>, IoError> {
        let data = self.source.bytes();
        let mut sets = Vec::new();
        for piece in &self.raw.pieces[sequence] {
            let mut open: Option<(usize, u32)> = None;
            for at in piece.clone() {
                let set = self.symbols.set(data[at]);
                match (data[at], &mut open) {
                    (byte, _) if byte.is_ascii_whitespace() => {}
                    (b'{' | b'(', None) => open = Some((at, 0)),
                    (b'}' | b')', &mut Some((_, set))) if set != 0 => {
                        sets.push(set);
                        open = None;
                    }
                    (_, Some((_, several))) if set != 0 => *several |= set,
                    (_, None) if set != 0 => sets.push(set),
                    _ => return Err(self.unknown(at)),
                }
            }
            if let Some((at, _)) = open {
                return Err(self.unknown(at));
            }
        }
        Ok(sets)
    }

    fn length(&self, sequence: usize) -> Result<usize, IoError> {
        let mut buffer = Vec::new();
        match self.plain(sequence, &mut buffer) {
            true => Ok(buffer.len()),
            false => Ok(self.sets(sequence)?.len()),
        }
    }

    fn pack(
        &self,
        sequence: usize,
        sites: usize,
        buffer: &mut Vec<u8>,
        row: &mut [u64],
    ) -> Result<(), IoError> {
        let states = self.symbols.states().len();
        let plain = self.plain(sequence, buffer);
        if plain && buffer.len() == sites && self.pack_plain(buffer, states, row) {
            return Ok(());
        }
        let sets = self.sets(sequence)?;
        if sets.len() != sites {
            return Err(self.unequal(sequence, sites, sets.len()));
        }
        pack(sets.into_iter(), states, row);
        Ok(())
    }

    /// Whether all are symbols.
    fn pack_plain(&self, symbols: &[u8], states: usize, row: &mut [u64]) -> bool {
        let sets = self.symbols.sets();
        if states > 4 {
            let mut all = true;
            let set = |&symbol: &u8| {
                let set = sets[usize::from(symbol)];
                all &= set != 0;
                set
            };
            pack(symbols.iter().map(set), states, row);
            return all;
        }
        let (whole, rest) = symbols.as_chunks::<16>();
        let mut all = true;
        for (word, symbols) in row.iter_mut().zip(whole) {
            *word = 0;
            for (k, &symbol) in symbols.iter().enumerate() {
                let set = sets[usize::from(symbol)];
                all &= set != 0;
                *word |= u64::from(set) << (4 * k);
            }
        }
        let set = |&symbol: &u8| sets[usize::from(symbol)];
        all &= rest.iter().all(|symbol| set(symbol) != 0);
        pack(rest.iter().map(set), states, &mut row[whole.len()..]);
        all
    }

    fn unknown(&self, at: usize) -> IoError {
        let text = &self.source.text[at..];
        let symbol = text.chars().next().unwrap_or(' ');
        let start = self.source.text[..at].rfind('\n').map_or(0, |end| end + 1);
        IoError::Symbol {
            file: self.source.name.to_string(),
            line: self.source.line(at),
            column: (at - start) as u64 + 1,
            symbol,
            expected: self.symbols.expected(),
        }
    }

    fn unequal(&self, sequence: usize, expected: usize, found: usize) -> IoError {
        let line = self.source.line(self.raw.at[sequence]);
        let first = short(&self.raw.headers[0]);
        let own = short(&self.raw.headers[sequence]);
        let expected = format!("{expected} symbols, as in `{first}`");
        self.source.on_line(line, expected, format!("{found} in `{own}`"))
    }
}

/// What the symbols stand for: as requested, or by what they look like.
fn symbols(source: &Source<'_>, raw: &Raw, params: &AlignmentParams) -> Result<Symbols, IoError> {
    let kind = match (params.kind, &params.alphabet) {
        (Some(kind), _) => kind,
        (None, Some(_)) => SequenceType::Standard,
        (None, None) => kind_of(source, raw),
    };
    let digits = || {
        let found = histogram(source, raw, usize::MAX);
        let most = (b'0'..=b'9').rfind(|&digit| found[usize::from(digit)] > 0).unwrap_or(b'1');
        (b'0'..=most).map(char::from).collect()
    };
    let alphabet = match (&params.alphabet, kind) {
        (Some(alphabet), _) => alphabet.clone(),
        (None, SequenceType::Standard) => digits(),
        _ => String::new(),
    };
    Symbols::new(kind, &alphabet, params.gaps).ok_or_else(|| {
        let most = if params.gaps == Gaps::State { 31 } else { 32 };
        IoError::Table {
            file: source.name.to_string(),
            expected: format!(
                "an alphabet of 1 to {most} different printable characters, none of ?-{{}}()>;"
            ),
            found: format!("`{}`", short(&alphabet)),
        }
    })
}

/// What the first symbols look like.
pub(super) fn kind_of(source: &Source<'_>, raw: &Raw) -> SequenceType {
    looks_like(&histogram(source, raw, LOOKED_AT))
}

/// How often bytes occur in sequences, in about so many of their first ones.
fn histogram(source: &Source<'_>, raw: &Raw, most: usize) -> [usize; 256] {
    let mut counts = [0; 256];
    let mut seen = 0;
    let pieces: Vec<&Range<usize>> = raw.pieces.iter().flatten().collect();
    for piece in pieces {
        let piece = &source.bytes()[piece.clone()];
        piece.iter().for_each(|&b| counts[usize::from(b.to_ascii_uppercase())] += 1);
        seen += piece.len();
        if seen > most {
            break;
        }
    }
    counts
}

/// DNA if all letters are its codes, half of them at least A, C, G, T, U or N; states of one's own
/// if there are digits and no letters; else amino acids.
fn looks_like(counts: &[usize; 256]) -> SequenceType {
    let count = |some: &[u8]| some.iter().map(|&b| counts[usize::from(b)]).sum::<usize>();
    let letters: usize = (b'A'..=b'Z').map(|b| counts[usize::from(b)]).sum();
    if letters == 0 && count(b"0123456789") > 0 {
        return SequenceType::Standard;
    }
    match count(b"ACGTURYSWKMBDHVNX") == letters && 2 * count(b"ACGTUN") >= letters {
        true => SequenceType::Dna,
        false => SequenceType::Protein,
    }
}
