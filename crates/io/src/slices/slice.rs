//! What a slice of a table says, and where a row of it is.

use crate::lines::Lines;
use crate::{IoError, Values};

/// What a slice of a table says.
pub struct TableSlice {
    /// The id by row.
    pub ids: Vec<i64>,
    /// The id of the parent by row; none where a field says so.
    pub parents: Vec<Option<i64>>,
    /// The columns asked for.
    pub columns: Vec<Values>,
    pub(super) rows: RowNumbers,
}

/// How rows of a slice are called.
pub(super) enum RowNumbers {
    /// By lines of the file.
    Lines(Lines),
    /// By numbers, of which the slice begins with this one.
    From(u64),
}

impl TableSlice {
    /// Where a row of the slice is: "line 5", or "row 4" of a file that has no lines.
    pub fn place_of(&self, row: usize) -> String {
        match &self.rows {
            RowNumbers::Lines(lines) => format!("line {}", line_of(lines, row)),
            RowNumbers::From(first) => format!("row {}", first + row as u64),
        }
    }

    /// What the first row of the file is called, where rows are counted.
    pub fn first_row(&self) -> u64 {
        match self.rows {
            RowNumbers::Lines(_) => 1,
            RowNumbers::From(_) => 0,
        }
    }

    /// The error about a row whose vertex is its own parent.
    pub fn own_parent(&self, file: &str, row: usize) -> IoError {
        let (file, id) = (file.to_string(), self.ids[row]);
        let (line, vertex) = match &self.rows {
            RowNumbers::Lines(lines) => (Some(line_of(lines, row)), format!("`{id}`")),
            RowNumbers::From(first) => (None, format!("`{id}` (row {})", first + row as u64)),
        };
        IoError::OwnParent { file, line, offset: None, vertex }
    }

    /// The error about a row whose parent `id` no row has.
    pub fn unknown_parent(&self, file: &str, row: usize, id: i64) -> IoError {
        let (file, found) = (file.to_string(), format!("`{id}`, which no row has"));
        match &self.rows {
            RowNumbers::Lines(lines) => {
                let expected = "the id of a parent, or nothing for a root".to_string();
                IoError::Line { file, line: line_of(lines, row), expected, found }
            }
            RowNumbers::From(first) => {
                let expected = "the id of a parent, or null for a root".to_string();
                IoError::Row { file, row: first + row as u64, expected, found }
            }
        }
    }
}

fn line_of(lines: &Lines, row: usize) -> u64 {
    u32::try_from(row).ok().and_then(|row| lines.line_of_row(row)).unwrap_or(0)
}
