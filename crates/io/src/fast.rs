//! Tables of plain numbers, in parallel.
//!
//! **Problem.** Columns of integers and floats from rows of separated fields.
//! **Method.** The text is cut at line ends into pieces of a mebibyte; each piece
//! is parsed on its own, and the columns are joined. This reader knows no quotes
//! and no text: at anything unusual it gives up, and the caller reads the file
//! again with `rows.rs`, which accepts more and says what is wrong. So there is one
//! definition of what is legal, and the common case is fast.
//! **Cost.** Linear work; 8 bytes per number.
//! **Determinism.** The pieces do not depend on the number of threads.

use crate::lines::Lines;
use crate::number::canonical_prefix;
use crate::rows::Separator;
use crate::values::Number;
use memchr::memchr;
use rayon::prelude::*;
use std::ops::Range;

/// What a field holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Cell {
    /// Nothing that is asked for.
    Skip,
    /// A canonical integer.
    Key,
    /// A canonical integer, or a word for "no parent", which becomes [`ROOT`].
    Parent,
    /// A number.
    Value(Number),
}

impl Cell {
    /// Which of the columns that are not skipped a field is.
    pub(crate) fn column(cells: &[Cell], field: usize) -> usize {
        cells[..field].iter().filter(|&&cell| cell != Cell::Skip).count()
    }
}

/// The bits that stand for a root's parent; no canonical integer has them.
pub(crate) const ROOT: i64 = i64::MIN;

/// Whether a text means "no parent" where it is not itself a label. `-1` means so
/// too, but is an integer first.
pub(crate) fn means_no_parent(text: &str) -> bool {
    matches!(text, "" | "-1")
        || ["na", "null", "none"].iter().any(|word| text.eq_ignore_ascii_case(word))
}

/// The columns of a table.
pub(crate) struct Numbers {
    pieces: Vec<Piece>,
    pub(crate) rows: usize,
    pub(crate) lines: Lines,
}

struct Piece {
    columns: Vec<Vec<u64>>,
    rows: usize,
    lines: Lines,
    /// How many lines the piece has.
    height: u64,
}

const PIECE: usize = 1 << 20;

/// The text cut at line ends into pieces of about a mebibyte.
pub(crate) fn line_pieces(data: &[u8]) -> Vec<Range<usize>> {
    let mut cuts = vec![0];
    let mut at = 0;
    while data.len() - at > PIECE {
        at += PIECE
            + memchr(b'\n', &data[at + PIECE..]).map_or(data.len() - at - PIECE, |end| end + 1);
        cuts.push(at);
    }
    cuts.push(data.len());
    cuts.windows(2).map(|w| w[0]..w[1]).collect()
}

/// Parses rows that start on line `first_line`; nothing if any row is unusual.
pub(crate) fn numbers(
    data: &[u8],
    first_line: u64,
    separator: Separator,
    cells: &[Cell],
) -> Option<Numbers> {
    if cells.is_empty() {
        return None;
    }
    let pieces: Vec<Piece> = line_pieces(data)
        .into_par_iter()
        .map(|range| piece(&data[range], separator, cells))
        .collect::<Option<_>>()?;
    let mut lines = Lines::by_row();
    let (mut rows, mut line) = (0usize, first_line);
    for piece in &pieces {
        for &(row, at) in piece.lines.breaks() {
            lines.push(u32::try_from(rows + row as usize).ok()?, line + at);
        }
        rows += piece.rows;
        line += piece.height;
    }
    Some(Numbers { pieces, rows, lines })
}

fn piece(data: &[u8], separator: Separator, cells: &[Cell]) -> Option<Piece> {
    let wanted = Cell::column(cells, cells.len());
    let mut columns: Vec<Vec<u64>> = vec![Vec::with_capacity(data.len() / 12); wanted];
    let mut piece = Piece { columns: Vec::new(), rows: 0, lines: Lines::by_row(), height: 0 };
    let byte = |at: usize| data.get(at).copied().unwrap_or(b'\n');
    let mut at = 0;
    while at < data.len() {
        at = skip_blanks(data, at, separator);
        let first = byte(at);
        if first == b'\n'
            || first == b'\r'
            || separator.starts_comment(data.get(at..).unwrap_or_default())
        {
            if first == b'\r' && byte(at + 1) != b'\n' {
                return None;
            }
            at += memchr(b'\n', &data[at..]).map_or(data.len(), |end| end + 1);
            piece.height += 1;
            continue;
        }
        piece.lines.push(piece.rows as u32, piece.height);
        let mut column = 0;
        for (k, &cell) in cells.iter().enumerate() {
            let (bits, length) = self::cell(data.get(at..)?, separator, cell)?;
            if cell != Cell::Skip {
                columns[column].push(bits);
                column += 1;
            }
            at += length;
            let end = at;
            at = skip_blanks(data, at, separator);
            if k + 1 < cells.len() {
                match separator {
                    Separator::Byte(separator) if byte(at) == separator && at < data.len() => {
                        at = skip_blanks(data, at + 1, Separator::Byte(separator));
                    }
                    Separator::Blanks if at > end && byte(at) != b'\n' => {}
                    _ => return None,
                }
            }
        }
        if byte(at) == b'\r' {
            at += 1;
        }
        if byte(at) != b'\n' {
            return None;
        }
        at += 1;
        piece.height += 1;
        piece.rows += 1;
    }
    piece.columns = columns;
    Some(piece)
}

#[inline]
fn skip_blanks(data: &[u8], mut at: usize, separator: Separator) -> usize {
    while at < data.len() && separator.is_blank(data[at]) {
        at += 1;
    }
    at
}

/// The bits and the length of a field at the start of `rest`.
#[inline]
fn cell(rest: &[u8], separator: Separator, cell: Cell) -> Option<(u64, usize)> {
    match cell {
        Cell::Key => canonical_prefix(rest).map(|(id, length)| (id as u64, length)),
        Cell::Parent => match canonical_prefix(rest) {
            Some((id, length)) => Some((id as u64, length)),
            None => {
                let length = field_length(rest, separator)?;
                let text = std::str::from_utf8(&rest[..length]).ok()?;
                means_no_parent(text.trim_end()).then_some((ROOT as u64, length))
            }
        },
        Cell::Value(number) => number.parse_prefix(rest),
        Cell::Skip => field_length(rest, separator).map(|length| (0, length)),
    }
}

fn field_length(rest: &[u8], separator: Separator) -> Option<usize> {
    if rest.first() == Some(&b'"') {
        return None;
    }
    let ends = |&b: &u8| match separator {
        Separator::Byte(separator) => b == separator || b == b'\n' || b == b'\r',
        Separator::Blanks => matches!(b, b' ' | b'\t' | b'\n' | b'\r'),
    };
    Some(rest.iter().position(ends).unwrap_or(rest.len()))
}

impl Numbers {
    /// Column `k` of those asked for, each number mapped, in parallel.
    pub(crate) fn column<T: Default + Clone + Send>(
        &self,
        k: usize,
        map: impl Fn(u64) -> T + Sync,
    ) -> Vec<T> {
        let mut joined = vec![T::default(); self.rows];
        let mut rest = joined.as_mut_slice();
        let mut jobs = Vec::with_capacity(self.pieces.len());
        for piece in &self.pieces {
            let (part, after) = rest.split_at_mut(piece.rows);
            jobs.push((part, &piece.columns[k]));
            rest = after;
        }
        jobs.into_par_iter().for_each(|(part, column)| {
            for (to, &bits) in part.iter_mut().zip(column) {
                *to = map(bits);
            }
        });
        joined
    }

    pub(crate) fn keys(&self, k: usize) -> Vec<i64> {
        self.column(k, |bits| bits as i64)
    }
}
