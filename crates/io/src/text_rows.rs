//! Rows of a table whose ids are texts, in parallel.
//!
//! **Problem.** From rows of fields: the id and the parent of each as texts, its numbers, and its
//! line.
//! **Method.** The text is cut at line ends into pieces, which `rows.rs` reads each on its own. A
//! cut inside a quoted field leaves its piece without a closing quote. Then, and at any other
//! error, all rows are read again one after the other, and the first error is that of the file.
//! Texts are not copied: a row has their places.
//! **Cost.** Linear work; 16 bytes per row for texts, 8 once ids are taken, and 8 per number.
//! **Determinism.** The pieces do not depend on the number of threads.

use crate::IoError;
use crate::fast::line_pieces;
use crate::header::TableColumns;
use crate::lines::Lines;
use crate::rows::{Field, Rows};
use crate::source::Source;
use crate::table::{RowValues, check_width};
use crate::texts::Texts;
use crate::values::Values;
use memchr::memchr_iter;
use palmette_core::MAX_VERTICES;
use rayon::prelude::*;
use std::borrow::Cow;

/// All rows of a table.
pub(crate) struct TextRows<'a> {
    source: Source<'a>,
    pub(crate) pieces: Vec<TextPiece>,
    pub(crate) rows: usize,
    pub(crate) lines: Lines,
}

/// Rows that follow each other.
pub(crate) struct TextPiece {
    /// Where the piece begins in the text.
    start: usize,
    ids: Vec<Span>,
    parents: Vec<Span>,
    /// The bytes of all ids.
    id_bytes: usize,
    values: RowValues,
    /// Lines from the first of the piece, which is 0, and how many it has.
    lines: Lines,
    height: u64,
}

/// A field in its piece, 8 bytes.
#[derive(Clone, Copy)]
struct Span {
    start: u32,
    /// The lowest bit says whether there are doubled quotes in it.
    length: u32,
}

impl Span {
    /// Nothing where the field is too far from the start of the piece, or too long.
    #[inline]
    fn new(start: usize, field: Field) -> Option<Span> {
        let begin = u32::try_from(field.start - start).ok()?;
        let length =
            u32::try_from(field.end - field.start).ok().filter(|&length| length >> 31 == 0);
        Some(Span { start: begin, length: length? << 1 | u32::from(field.doubled) })
    }

    /// The field in a text where the piece starts at `start`.
    #[inline]
    fn field(self, start: usize) -> Field {
        let start = start + self.start as usize;
        let end = start + (self.length >> 1) as usize;
        Field { start, end, doubled: self.length & 1 == 1 }
    }
}

impl<'a> TextRows<'a> {
    /// Reads all rows that are left.
    pub(crate) fn read(
        source: &Source<'a>,
        layout: &TableColumns,
        rows: Rows<'a>,
    ) -> Result<TextRows<'a>, IoError> {
        let first_line = rows.line;
        let pieces = match in_parallel(source, layout, &rows) {
            Some(pieces) => pieces,
            None => in_order(source, layout, rows)?,
        };
        let mut all = TextRows { source: *source, pieces, rows: 0, lines: Lines::by_row() };
        let mut line = first_line;
        for piece in &all.pieces {
            for &(row, at) in piece.lines.breaks() {
                all.lines.push((all.rows + row as usize) as u32, line + at);
            }
            all.rows += piece.ids.len();
            line += piece.height;
        }
        Ok(all)
    }

    /// The line of a row.
    pub(crate) fn line(&self, row: u32) -> u64 {
        self.lines.line_of_row(row).unwrap_or(0)
    }

    /// The ids of all rows, once: where they are in the text is forgotten.
    pub(crate) fn take_ids(&mut self) -> Texts {
        let parts: Vec<_> = self.pieces.iter().map(|p| (p.ids.len(), p.id_bytes)).collect();
        let id = |k: usize, row: usize| {
            let piece = &self.pieces[k];
            piece.ids[row].field(piece.start).bytes(&self.source)
        };
        let texts = Texts::joined(&parts, id);
        self.pieces.iter_mut().for_each(|piece| piece.ids = Vec::new());
        texts
    }

    /// The parent that a row of a piece names.
    #[inline]
    pub(crate) fn parent(&self, piece: &TextPiece, row: usize) -> Cow<'a, [u8]> {
        piece.parents[row].field(piece.start).bytes(&self.source)
    }

    /// The parent that a row names.
    pub(crate) fn parent_of(&self, mut row: usize) -> Cow<'a, str> {
        for piece in &self.pieces {
            if row < piece.parents.len() {
                return piece.parents[row].field(piece.start).text(&self.source);
            }
            row -= piece.parents.len();
        }
        Cow::Borrowed("")
    }

    /// The numbers of all rows.
    pub(crate) fn values(&self, layout: &TableColumns) -> Vec<Values> {
        let column = |k: usize| self.pieces.iter().flat_map(move |p| p.values.column(k)).copied();
        let columns = layout.values.iter().enumerate();
        columns.map(|(k, (_, _, number))| Values::from_bits(number.kind, column(k))).collect()
    }
}

impl TextPiece {
    /// The number of rows.
    pub(crate) fn len(&self) -> usize {
        self.parents.len()
    }
}

/// All pieces; nothing where one cannot be read on its own, or there are too many rows.
fn in_parallel(
    source: &Source<'_>,
    layout: &TableColumns,
    rows: &Rows<'_>,
) -> Option<Vec<TextPiece>> {
    let read = |range: std::ops::Range<usize>| {
        let end = rows.at + range.end;
        let part = source.until(end);
        let mut own = rows.starting_at(part, rows.at + range.start);
        read_piece(&part, layout, &mut own, end, MAX_VERTICES).ok()
    };
    let pieces: Vec<TextPiece> =
        line_pieces(&source.bytes()[rows.at..]).into_par_iter().map(read).collect::<Option<_>>()?;
    let count: usize = pieces.iter().map(TextPiece::len).sum();
    (1..=MAX_VERTICES).contains(&count).then_some(pieces)
}

/// The pieces one after the other, with the error of the file.
fn in_order(
    source: &Source<'_>,
    layout: &TableColumns,
    mut rows: Rows<'_>,
) -> Result<Vec<TextPiece>, IoError> {
    const PIECE: usize = 1 << 20;
    let (mut pieces, mut count) = (Vec::new(), 0);
    while rows.at < source.text.len() {
        let until = rows.at.saturating_add(PIECE);
        let piece = read_piece(source, layout, &mut rows, until, MAX_VERTICES - count)?;
        count += piece.len();
        pieces.push(piece);
    }
    if count == 0 {
        let found = "the end of the file";
        return Err(source.on_line(rows.line, "at least one row after the header", found));
    }
    Ok(pieces)
}

/// Reads rows until one ends at `until` or after it.
fn read_piece(
    source: &Source<'_>,
    layout: &TableColumns,
    rows: &mut Rows<'_>,
    until: usize,
    most: usize,
) -> Result<TextPiece, IoError> {
    let (start, first_line) = (rows.at, rows.line);
    let text = &source.bytes()[start..until.min(source.text.len())];
    let lines = memchr_iter(b'\n', text).count() + 1;
    let mut piece = TextPiece {
        start,
        ids: Vec::with_capacity(lines),
        parents: Vec::with_capacity(lines),
        id_bytes: 0,
        values: RowValues::new(layout),
        lines: Lines::by_row(),
        height: 0,
    };
    let mut fields = Vec::with_capacity(layout.width);
    while rows.at < until
        && let Some(line) = rows.next(&mut fields)?
    {
        check_width(source, layout, line, fields.len())?;
        let (id, parent) = (fields[layout.vertex], fields[layout.parent]);
        if id.start == id.end {
            return Err(source.on_line(line, "the name of a vertex", "an empty field"));
        }
        if piece.len() == most {
            let found = "another row";
            return Err(source.on_line(line, format!("at most {MAX_VERTICES} vertices"), found));
        }
        let (Some(id_span), Some(parent)) = (Span::new(start, id), Span::new(start, parent)) else {
            return Err(source.on_line(line, "a row of less than 2 GB", "a longer one"));
        };
        piece.id_bytes += if id.doubled { id.text(source).len() } else { id.end - id.start };
        piece.lines.push(piece.ids.len() as u32, line - first_line);
        piece.ids.push(id_span);
        piece.parents.push(parent);
        piece.values.push(source, layout, line, &fields)?;
    }
    piece.height = rows.line - first_line;
    Ok(piece)
}
