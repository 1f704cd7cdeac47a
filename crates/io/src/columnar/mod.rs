//! Tables whose columns lie one after another: Arrow's files and streams, Parquet, and the memory of
//! other libraries.
//!
//! **Problem.** A parent table (an id, its parent, numbers) or values by vertex from named, typed
//! columns, and back.
//! **Method.** `arrow/` and `parquet/` find the columns of a file and decode those that are asked
//! for, page by page, in parallel; both are read and written here rather than by their own
//! libraries, which are ten times the code for types that no tree has. `column.rs` is the layout
//! they share; `tree.rs`, `values.rs` and `write.rs` go from there to trees and back.
//! **What is read.** Integers of 8 to 64 bits, floats of 32 and 64, texts, dictionaries of these. Other
//! types are an error that names the column, unless nobody asks for it. A row is called by its
//! number, from 0, as the libraries for such files do.
//! **Cost.** Linear work. Besides the file 8 bytes per number asked for, and texts once.
//! **Determinism.** As for text: vertices are rows, and the first error in a file is reported.

mod arrow;
mod column;
mod parquet;
mod rows;
mod tree;
mod unpack;
mod values;
mod write;

pub use column::{ChunkData, ColumnChunk, ColumnKind, NumberKind, Validity};
pub use tree::{TableNames, read_tree_table};
pub(crate) use write::put_parent_columns;
pub use write::{write_columns, write_parent_columns};

#[cfg(test)]
pub(crate) use write::parquet_in_groups;

pub(crate) use parquet::{ParquetParts, ParquetStore};
pub(crate) use rows::{bytes_to_read, rows_of};
pub(crate) use tree::{TreeColumns, integer_tree};
pub(crate) use values::{pairs, values_of};

use crate::limit::InputLimit;
use crate::quote::{listed, shown};
use crate::values::ColumnKey;
use crate::{Format, IoError};
use column::Damaged;
use rayon::prelude::*;
use std::ops::Range;

/// A column of a table: its name and what it holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TableField {
    /// Its name.
    pub name: String,
    /// What it holds.
    pub kind: ColumnKind,
}

/// A table of columns, in a file or in memory.
pub struct ColumnTable<'a> {
    name: String,
    rows: usize,
    /// The number of the first row, where these are some of a file's.
    first: u64,
    fields: Vec<TableField>,
    kept: Kept<'a>,
}

enum Kept<'a> {
    Here(Vec<Vec<ColumnChunk<'a>>>),
    Arrow(arrow::ArrowFile<'a>),
    Parquet(parquet::ParquetFile<'a>),
}

/// Some rows of a chunk, and the number of the first in the table.
struct Piece<'c, 'a> {
    chunk: &'c ColumnChunk<'a>,
    rows: Range<usize>,
    first: usize,
}

/// The format that the first bytes of a table of columns say.
pub(crate) fn format_of(data: &[u8]) -> Option<Format> {
    if parquet::is_parquet(data) {
        Some(Format::Parquet)
    } else {
        arrow::is_arrow(data).then_some(Format::Arrow)
    }
}

impl<'a> ColumnTable<'a> {
    /// A table in memory; `name` is for messages. All columns have as many rows.
    pub fn new(
        name: impl Into<String>,
        rows: usize,
        columns: Vec<(TableField, Vec<ColumnChunk<'a>>)>,
    ) -> ColumnTable<'a> {
        let (fields, chunks) = columns.into_iter().unzip();
        ColumnTable { name: name.into(), rows, first: 0, fields, kept: Kept::Here(chunks) }
    }

    /// The table in a file, of which nothing is decoded yet. `limit` is for what it decodes to.
    pub(crate) fn open(
        name: &str,
        data: &'a [u8],
        format: Format,
        limit: InputLimit,
    ) -> Result<ColumnTable<'a>, IoError> {
        let limit = limit.of_unpacked(data.len() as u64);
        let (rows, fields, kept) = if format == Format::Parquet {
            let file = parquet::ParquetFile::open(name, data, limit)?;
            (file.rows(), file.fields(), Kept::Parquet(file))
        } else {
            let file = arrow::ArrowFile::open(name, data, limit)?;
            (file.rows(), file.fields(), Kept::Arrow(file))
        };
        ColumnTable::of_kept(name, rows, fields, kept, (data.len() as u64, limit))
    }

    /// The table in a Parquet file whose columns are read when they are asked for.
    pub(crate) fn of_store(
        store: &'a ParquetStore,
        limit: InputLimit,
    ) -> Result<ColumnTable<'a>, IoError> {
        let limit = limit.of_unpacked(store.length());
        let file = store.table(limit);
        let (rows, fields) = (file.rows(), file.fields());
        let kept = Kept::Parquet(file);
        ColumnTable::of_kept(store.name(), rows, fields, kept, (store.length(), limit))
    }

    fn of_kept(
        name: &str,
        rows: usize,
        fields: Vec<TableField>,
        kept: Kept<'a>,
        (length, limit): (u64, u64),
    ) -> Result<ColumnTable<'a>, IoError> {
        // Nulls take no bytes, and are counted all the same.
        if rows as u64 > limit {
            let (file, packed) = (name.to_string(), Some(length));
            return Err(IoError::TooLarge { file, limit, packed });
        }
        Ok(ColumnTable { name: name.to_string(), rows, first: 0, fields, kept })
    }

    /// Some groups of the rows of a Parquet file, from bytes that lie at `base` in it.
    pub(crate) fn of_groups(
        name: &str,
        parts: &ParquetParts,
        groups: Range<usize>,
        data: &'a [u8],
        base: u64,
    ) -> ColumnTable<'a> {
        let first = parts.groups().take(groups.start).sum();
        let file = parts.file(groups, data, base);
        let (name, rows, fields) = (name.to_string(), file.rows(), file.fields());
        ColumnTable { name, rows, first, fields, kept: Kept::Parquet(file) }
    }

    /// The number of rows.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// The columns.
    pub fn fields(&self) -> &[TableField] {
        &self.fields
    }

    /// The entries of a column that is read.
    fn column(&self, column: usize) -> Result<Column<'_, 'a>, IoError> {
        let TableField { name, kind } = &self.fields[column];
        if let ColumnKind::Other(kind) = kind {
            let expected = format!("numbers or text in column {}", shown(name));
            return Err(self.error(expected, kind.as_str()));
        }
        let chunks = match &self.kept {
            Kept::Here(columns) => columns[column].clone(),
            Kept::Arrow(file) => file.column(column)?,
            Kept::Parquet(file) => file.column(column)?,
        };
        let rows: usize = chunks.iter().map(|chunk| chunk.rows).sum();
        if rows != self.rows {
            let expected = format!("{} rows in column {}", self.rows, shown(name));
            return Err(self.error(expected, rows.to_string()));
        }
        Ok(Column { table: self, name, kind, chunks })
    }

    /// The column of a key.
    fn find(&self, key: &ColumnKey) -> Result<usize, IoError> {
        let found = match key {
            ColumnKey::Index(index) => Some(*index).filter(|&index| index < self.fields.len()),
            ColumnKey::Name(name) => self.fields.iter().position(|field| field.name == *name),
        };
        found.ok_or_else(|| {
            self.without(&match key {
                ColumnKey::Index(index) => format!("more than {index} columns"),
                ColumnKey::Name(name) => format!("a column {}", shown(name)),
            })
        })
    }

    /// The error about a column that is not there.
    fn without(&self, expected: &str) -> IoError {
        let names: Vec<&str> = self.fields.iter().map(|field| field.name.as_str()).collect();
        let found = match names.len() {
            1 => "only the column".to_string(),
            count => format!("the {count} columns"),
        };
        self.error(expected, format!("{found} {}", listed(&names)))
    }

    fn error(&self, expected: impl Into<String>, found: impl Into<String>) -> IoError {
        IoError::Table { file: self.name.clone(), expected: expected.into(), found: found.into() }
    }

    fn at_row(&self, row: usize, expected: impl Into<String>, found: impl Into<String>) -> IoError {
        let (file, expected, found) = (self.name.clone(), expected.into(), found.into());
        IoError::Row { file, row: self.first + row as u64, expected, found }
    }
}

/// A column whose entries are here.
struct Column<'t, 'a> {
    table: &'t ColumnTable<'a>,
    name: &'t str,
    kind: &'t ColumnKind,
    chunks: Vec<ColumnChunk<'a>>,
}

impl<'a> Column<'_, 'a> {
    /// What threads take one at a time.
    fn pieces(&self) -> Vec<Piece<'_, 'a>> {
        const ROWS: usize = 1 << 16;
        let mut first = 0;
        let mut pieces = Vec::new();
        for chunk in &self.chunks {
            for start in (0..chunk.rows).step_by(ROWS) {
                let rows = start..chunk.rows.min(start + ROWS);
                pieces.push(Piece { chunk, first: first + start, rows });
            }
            first += chunk.rows;
        }
        pieces
    }

    /// What a function makes of all pieces, or the first error.
    fn by_piece<T: Send + Clone>(
        &self,
        make: &(dyn Fn(&Piece<'_, 'a>) -> Result<Vec<T>, IoError> + Sync),
    ) -> Result<Vec<T>, IoError> {
        let made: Vec<Result<Vec<T>, IoError>> = self.pieces().par_iter().map(make).collect();
        let made: Vec<Vec<T>> = made.into_iter().collect::<Result<_, _>>()?;
        Ok(made.concat())
    }

    fn is_text(&self) -> bool {
        *self.kind == ColumnKind::Text
    }

    fn is_integer(&self) -> bool {
        matches!(self.kind, ColumnKind::Number(kind) if kind.is_integer())
    }

    /// The error about bytes that are no text.
    fn damaged(&self, _: Damaged, row: usize) -> IoError {
        let expected = format!("UTF-8 text in column {}", shown(self.name));
        self.table.at_row(row, expected, "damaged data")
    }

    /// The text of a row, if it has one.
    fn text<'p>(&self, piece: &Piece<'p, 'a>, row: usize) -> Result<Option<&'p str>, IoError> {
        let text = piece.chunk.text(row);
        text.map_err(|damaged| self.damaged(damaged, piece.of_table(row)))
    }

    /// The integers of a piece, any where there is nothing.
    fn integers(&self, piece: &Piece<'_, 'a>) -> Result<Vec<i64>, IoError> {
        piece.chunk.integers(piece.rows.clone()).map_err(|row| {
            let expected = format!("an integer that i64 holds in column {}", shown(self.name));
            self.table.at_row(piece.of_table(row), expected, piece.chunk.shown(row))
        })
    }
}

impl Piece<'_, '_> {
    /// The number in the table of a row of the chunk.
    fn of_table(&self, row: usize) -> usize {
        self.first + (row - self.rows.start)
    }
}
