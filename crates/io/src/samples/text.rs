//! Counts in CSV and TSV.
//!
//! **Method.** The header is a row like any other; the rest is cut at line ends into pieces, which are
//! read in parallel. Most cells of large tables are zeros: stretches of `0` and `0.0` are skipped by
//! eight bytes. What is unusual in a line (quotes, blanks, a wrong number of cells) goes to `rows.rs`. A cut
//! inside a quoted name, or any error, makes all rows be read again one after the other, and the
//! first error is that of the file.

use super::Entries;
use crate::IoError;
use crate::fast::line_pieces;
use crate::labels::Labels;
use crate::number::{float, float_prefix};
use crate::quote::shown;
use crate::rows::{Field, Rows, Separator};
use crate::source::Source;
use crate::texts::Texts;
use rayon::prelude::*;

/// Last columns that classic tables of QIIME have beside samples.
const LINEAGES: [&str; 4] = ["taxonomy", "consensus lineage", "consensuslineage", "otu metadata"];
/// What stands over the names of rows that are tips.
const TIP_HEADS: [&str; 8] = [
    "#otu id",
    "#otuid",
    "otu id",
    "#feature id",
    "feature id",
    "feature-id",
    "featureid",
    "#otu_id",
];

pub(super) fn read(source: &Source<'_>) -> Result<Entries, IoError> {
    let mut rows = Rows::of(*source);
    let mut fields = Vec::new();
    let Some(line) = rows.next(&mut fields)? else {
        return Err(source.on_line(1, "a header with names", "an empty file"));
    };
    let mut header = fields.clone();
    // R writes no word over the names of rows.
    let (mut ahead, mut below) = (rows.clone(), Vec::new());
    let has_corner = ahead.next(&mut below)?.is_none() || below.len() != header.len() + 1;
    let corner = has_corner.then(|| header.remove(0).text(source).to_lowercase());
    let is_lineage = |field: &Field| LINEAGES.contains(&field.text(source).to_lowercase().as_str());
    let left_out = header.pop_if(|field| is_lineage(field)).map(|f| f.text(source).into_owned());
    if header.is_empty() {
        let found = "a header of one column";
        return Err(source.on_line(line, "a header with names of samples or tips", found));
    }
    let mut columns = Texts::default();
    header.iter().for_each(|field| columns.push(&field.text(source)));
    let table = Cells { source, header: &header, after: usize::from(left_out.is_some()) };
    let (names, entries) = match table.read_pieces(&rows) {
        Some(found) => found,
        None => table.read_all(rows)?,
    };
    if names.is_empty() {
        return Err(source.on_line(line, "rows of counts below the header", "none"));
    }
    let mut row_names = Texts::default();
    names.iter().for_each(|name| row_names.push(&name.text(source)));
    Ok(Entries {
        rows: Labels::from_texts(row_names),
        columns: Labels::from_texts(columns),
        entries,
        left_out,
        rows_are_tips: corner.is_some_and(|corner| TIP_HEADS.contains(&corner.as_str())),
    })
}

struct Cells<'a> {
    source: &'a Source<'a>,
    /// The names of the columns of counts.
    header: &'a [Field],
    /// Columns behind them.
    after: usize,
}

type Found = (Vec<Field>, Vec<(u32, u32, f64)>);

impl Cells<'_> {
    /// In parallel; nothing where a piece has an error.
    fn read_pieces(&self, rows: &Rows<'_>) -> Option<Found> {
        let body = rows.at;
        let pieces: Vec<Found> = line_pieces(&self.source.bytes()[body..])
            .into_par_iter()
            .map(|range| {
                let until = self.source.until(body + range.end);
                self.read(rows.starting_at(until, body + range.start)).ok()
            })
            .collect::<Option<_>>()?;
        let mut names = Vec::with_capacity(pieces.iter().map(|piece| piece.0.len()).sum());
        let mut entries = Vec::with_capacity(pieces.iter().map(|piece| piece.1.len()).sum());
        for (piece_names, piece_entries) in pieces {
            let first = u32::try_from(names.len()).ok()?;
            names.extend(piece_names);
            entries.extend(piece_entries.into_iter().map(|(row, j, x)| (first + row, j, x)));
        }
        u32::try_from(names.len()).ok()?;
        Some((names, entries))
    }

    fn read_all(&self, rows: Rows<'_>) -> Result<Found, IoError> {
        self.read(rows)
    }

    fn read(&self, mut rows: Rows<'_>) -> Result<Found, IoError> {
        let (mut names, mut entries) = (Vec::new(), Vec::new());
        let mut fields = Vec::new();
        loop {
            let row = names.len() as u32;
            let before = entries.len();
            if let Separator::Byte(separator) = rows.separator {
                if let Some((name, end)) = self.plain_row(&rows, separator, row, &mut entries) {
                    names.push(name);
                    rows.at = end;
                    rows.line += 1;
                    continue;
                }
                entries.truncate(before);
            }
            let Some(line) = rows.next(&mut fields)? else { return Ok((names, entries)) };
            let Some(name) = fields.first().copied() else { continue };
            // QIIME 2 says types in a row of its own.
            if name.text(self.source) == "#q2:types" {
                continue;
            }
            self.any_row(line, row, &fields, &mut entries)?;
            names.push(name);
        }
    }

    /// The name of a row without anything unusual, and where the next row begins.
    #[inline]
    fn plain_row(
        &self,
        rows: &Rows<'_>,
        separator: u8,
        row: u32,
        entries: &mut Vec<(u32, u32, f64)>,
    ) -> Option<(Field, usize)> {
        let data = rows.bytes();
        let start = rows.at;
        let length = memchr::memchr2(separator, b'\n', data.get(start..)?)?;
        let name = Field { start, end: start + length, doubled: false };
        let (&first, &last) = (data.get(start)?, data.get((start + length).checked_sub(1)?)?);
        let odd = |byte: u8| matches!(byte, b'"' | b'#' | b'%' | b' ' | b'\t' | b'\r');
        if length == 0 || odd(first) || odd(last) || data[name.end] != separator {
            return None;
        }
        let mut at = name.end + 1;
        let four_zeros = u64::from_le_bytes([
            b'0', separator, b'0', separator, b'0', separator, b'0', separator,
        ]);
        let two_zeros =
            u64::from_le_bytes([b'0', b'.', b'0', separator, b'0', b'.', b'0', separator]);
        let width = self.header.len();
        let mut column = 0;
        while column < width {
            if let Some(bytes) = data.get(at..).and_then(|rest| rest.first_chunk()) {
                let word = u64::from_le_bytes(*bytes);
                // The last column has a line's end behind it, so that none is skipped too many.
                if word == four_zeros && column + 4 < width {
                    (column, at) = (column + 4, at + 8);
                    continue;
                }
                if word == two_zeros && column + 2 < width {
                    (column, at) = (column + 2, at + 8);
                    continue;
                }
            }
            let (count, length) = float_prefix(data.get(at..)?)?;
            at += length;
            if count > 0.0 && count < f64::INFINITY {
                entries.push((row, column as u32, count));
            } else if count != 0.0 {
                return None;
            }
            column += 1;
            match data.get(at) {
                Some(&byte) if byte == separator && column < width + self.after => at += 1,
                _ if column == width && self.after == 0 => {}
                _ => return None,
            }
        }
        if self.after > 0 {
            let rest = data.get(at..)?;
            let length = memchr::memchr(b'\n', rest)?;
            let more = |byte: &u8| *byte == separator || *byte == b'"';
            return (!rest[..length].iter().any(more)).then_some((name, at + length + 1));
        }
        if data.get(at) == Some(&b'\r') {
            at += 1;
        }
        (data.get(at) == Some(&b'\n')).then_some((name, at + 1))
    }

    fn any_row(
        &self,
        line: u64,
        row: u32,
        fields: &[Field],
        entries: &mut Vec<(u32, u32, f64)>,
    ) -> Result<(), IoError> {
        let width = 1 + self.header.len() + self.after;
        if fields.len() != width {
            let expected = format!("{width} fields as the header has");
            return Err(self.source.on_line(line, expected, fields.len().to_string()));
        }
        for (column, field) in fields[1..=self.header.len()].iter().enumerate() {
            let text = field.text(self.source);
            match float(text.as_bytes()).filter(|count| count.is_finite() && *count >= 0.0) {
                Some(0.0) => {}
                Some(count) => entries.push((row, column as u32, count)),
                None => {
                    let head = shown(&self.header[column].text(self.source));
                    let column = column + 2;
                    let expected = format!("a count of 0 or more in column {column} ({head})");
                    let found = if text.is_empty() { "nothing".into() } else { shown(&text) };
                    return Err(self.source.on_line(line, expected, found));
                }
            }
        }
        Ok(())
    }
}
