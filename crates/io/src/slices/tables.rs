//! Reads slices of parent tables with plain numbers, so that each rank reads only its share.
//!
//! **Method.** A slice is a range of bytes; its rows are the lines that begin there. Line numbers
//! for messages are known once the ranks before have counted theirs.

use super::{RowNumbers, Share, SliceFile, TableSlice};
use crate::error::shown;
use crate::fast::{self, Cell, ROOT, means_no_parent};
use crate::header::TableColumns;
use crate::number::canonical;
use crate::rows::{Rows, Separator};
use crate::source::Source;
use crate::table::{check_width, column_of};
use crate::values::Number;
use crate::{IoError, ReadParams};
use memchr::{memchr, memchr_iter};
use palmette_core::MAX_VERTICES;

/// A parent table with integers for ids, read in slices of its bytes.
pub struct TableSlices {
    file: SliceFile,
    separator: Separator,
    layout: TableColumns,
    /// Where rows begin: the byte and the line.
    begin: u64,
    line: u64,
    /// Bytes per row, from the rows of the head.
    row: f64,
}

/// The bytes of a slice, before anybody knows how many lines come before them.
pub struct RowSlice {
    pub(super) bytes: Vec<u8>,
}

impl RowSlice {
    /// How many lines it has.
    pub fn lines(&self) -> u64 {
        memchr_iter(b'\n', &self.bytes).count() as u64
    }
}

impl TableSlices {
    pub(super) fn new(
        file: SliceFile,
        head: &[u8],
        params: &ReadParams,
    ) -> Result<TableSlices, IoError> {
        let source = Source::new(&file.name, head)?;
        let mut rows = Rows::of(source);
        let layout = TableColumns::read(&source, &mut rows, params, false)?;
        if layout.names_child {
            return Err(source.on_line(
                1,
                "a table of vertices and parents",
                "a table of children, whose roots have no rows (`palmette tree convert` can make \
                an npy)",
            ));
        }
        let mark = head.len() - source.bytes().len();
        let (begin, line, separator) = ((rows.at + mark) as u64, rows.line, rows.separator);
        let row = bytes_a_row(&source.bytes()[rows.at..]);
        Ok(TableSlices { file, separator, layout, begin, line, row })
    }

    /// About how many rows a share has, before it is read.
    pub fn rows_about(&self, share: Share) -> u64 {
        let bytes = share.of(self.file.bytes - self.begin);
        ((bytes.end - bytes.start) as f64 / self.row).ceil() as u64
    }

    /// The bytes of a share.
    pub fn bytes(&self, share: Share) -> u64 {
        let bytes = share.of(self.file.bytes - self.begin);
        bytes.end - bytes.start
    }

    /// Reads the rows that begin in a share.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn read(&self, share: Share) -> Result<RowSlice, IoError> {
        Ok(RowSlice { bytes: lines_of(&self.file, self.begin, share)? })
    }

    /// Takes the columns asked for as numbers of another type from now on.
    pub fn set_type(&mut self, kind: Number) {
        self.layout.values.iter_mut().for_each(|(_, _, number)| *number = kind);
    }

    /// Understands the rows of a slice, after those lines of other slices.
    ///
    /// # Errors
    /// When a field is not what it should be; the first of the slice, with its line.
    pub fn parse(&self, slice: &RowSlice, lines_before: u64) -> Result<TableSlice, IoError> {
        let line = self.line + lines_before;
        let bytes = &slice.bytes[..];
        let cells = self.layout.cells().filter(|_| bytes.len() < MAX_VERTICES * 2);
        let numbers =
            cells.as_ref().and_then(|cells| fast::numbers(bytes, line, self.separator, cells));
        let (Some(cells), Some(numbers)) = (cells, numbers) else {
            return Err(self.explain(bytes, line));
        };
        let column = |field: usize| Cell::column(&cells, field);
        let parent = |bits: u64| (bits as i64 != ROOT).then_some(bits as i64);
        Ok(TableSlice {
            ids: numbers.keys(column(self.layout.vertex)),
            parents: numbers.column(column(self.layout.parent), parent),
            columns: self
                .layout
                .values
                .iter()
                .map(|(field, _, number)| column_of(&numbers, column(*field), number.kind))
                .collect(),
            rows: RowNumbers::Lines(numbers.lines),
        })
    }

    /// What is wrong with a slice that is not of plain numbers.
    fn explain(&self, bytes: &[u8], line: u64) -> IoError {
        let found = || -> Result<(), IoError> {
            let source = source_on(&self.file.name, bytes, line)?;
            let mut rows = Rows::new(source, self.separator);
            rows.line = line;
            let mut fields = Vec::new();
            while let Some(line) = rows.next(&mut fields)? {
                check_width(&source, &self.layout, line, fields.len())?;
                let id = fields[self.layout.vertex].text(&source);
                if canonical(id.as_bytes()).is_none() {
                    let expected = "an integer as the id of a vertex, to read in slices";
                    return Err(source.on_line(line, expected, shown(&id)));
                }
                let parent = fields[self.layout.parent].text(&source);
                if canonical(parent.as_bytes()).is_none() && !means_no_parent(&parent) {
                    let expected = "the integer of a parent, or nothing for a root";
                    return Err(source.on_line(line, expected, shown(&parent)));
                }
                for (field, name, number) in &self.layout.values {
                    let text = fields[*field].text(&source);
                    if number.parse(&text).is_none() {
                        let expected = format!("{} in column {}", number.expected(), shown(name));
                        return Err(source.on_line(line, expected, shown(&text)));
                    }
                }
            }
            let expected = "plain rows of integers, to read in slices";
            Err(source.on_line(line, expected, "quotes, or a column that serves twice"))
        };
        match found() {
            Err(error) => error,
            Ok(()) => self.file.wrong("plain rows of integers", "something else"),
        }
    }
}

/// Bytes a row of some lines has on average.
pub(super) fn bytes_a_row(lines: &[u8]) -> f64 {
    (lines.len() as f64 / memchr_iter(b'\n', lines).count().max(1) as f64).max(1.0)
}

/// The text of a slice whose first line has a number.
pub(super) fn source_on<'a>(
    name: &'a str,
    bytes: &'a [u8],
    line: u64,
) -> Result<Source<'a>, IoError> {
    Source::new(name, bytes).map_err(|error| match error {
        IoError::Line { file, line: after, expected, found } => {
            IoError::Line { file, line: line + after - 1, expected, found }
        }
        other => other,
    })
}

/// The lines that begin in a share of a file's bytes from `begin` on.
pub(super) fn lines_of(file: &SliceFile, begin: u64, share: Share) -> Result<Vec<u8>, IoError> {
    const MORE: u64 = 1 << 16;
    let range = share.of(file.bytes - begin);
    let (start, end) = (begin + range.start, begin + range.end);
    if start == end {
        return Ok(Vec::new());
    }
    // A line begins after the end of another: one byte earlier.
    let from = if start > begin { start - 1 } else { begin };
    let mut bytes = file.read(from..end)?;
    let first = match memchr(b'\n', &bytes) {
        _ if start == begin => 0,
        Some(first) => first + 1,
        None => return Ok(Vec::new()),
    };
    if first >= bytes.len() {
        return Ok(Vec::new());
    }
    let mut at = end;
    while bytes.last() != Some(&b'\n') && at < file.bytes {
        let mut more = file.read(at..(at + MORE).min(file.bytes))?;
        at += more.len() as u64;
        if let Some(last) = memchr(b'\n', &more) {
            more.truncate(last + 1);
        }
        bytes.extend_from_slice(&more);
    }
    bytes.drain(..first);
    Ok(bytes)
}
