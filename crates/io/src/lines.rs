//! On which line each vertex stands.
//!
//! **Problem.** The line of a row, without keeping the text or a number per row.
//! **Method.** Rows mostly follow each other line by line, so only the rows where
//! that breaks (after comments, blank lines, multi-line fields) are kept.
//! **Cost.** 16 bytes per break; a lookup is a binary search.

use palmette_core::NONE;

#[derive(Debug, Clone, Default)]
pub(crate) struct Lines {
    /// `(row, line)`: from this row on, lines go up by `step` per row.
    breaks: Vec<(u32, u64)>,
    step: u64,
    /// Where row and vertex differ: the row by vertex.
    rows: Option<Vec<u32>>,
    of_table: bool,
}

impl Lines {
    /// For rows that follow each other line by line.
    pub(crate) fn by_row() -> Lines {
        Lines { step: 1, ..Lines::default() }
    }

    /// For many vertices on one line.
    pub(crate) fn by_run() -> Lines {
        Lines::default()
    }

    /// For tables of columns, which have no lines: the row is the vertex.
    pub(crate) fn of_table() -> Lines {
        Lines { of_table: true, ..Lines::default() }
    }

    /// Whether rows have no lines.
    pub(crate) fn are_of_table(&self) -> bool {
        self.of_table
    }

    /// States the line of a row, later than all stated before.
    #[inline]
    pub(crate) fn push(&mut self, row: u32, line: u64) {
        if self.line_of_row(row) != Some(line) {
            self.breaks.push((row, line));
        }
    }

    /// All breaks, first row first.
    pub(crate) fn breaks(&self) -> &[(u32, u64)] {
        &self.breaks
    }

    pub(crate) fn with_rows(self, rows: Vec<u32>) -> Lines {
        Lines { rows: Some(rows), ..self }
    }

    pub(crate) fn clear(&mut self) {
        self.breaks.clear();
    }

    pub(crate) fn line_of_row(&self, row: u32) -> Option<u64> {
        // The last break is asked for while reading.
        let last = self.breaks.last()?;
        let &(first, line) = if last.0 <= row {
            last
        } else {
            self.breaks[..self.breaks.partition_point(|b| b.0 <= row)].last()?
        };
        Some(line + self.step * u64::from(row - first))
    }

    pub(crate) fn line_of(&self, vertex: u32) -> Option<u64> {
        match &self.rows {
            // A vertex that no row states has none.
            Some(rows) => rows
                .get(vertex as usize)
                .filter(|&&row| row != NONE)
                .and_then(|&row| self.line_of_row(row)),
            None => self.line_of_row(vertex),
        }
    }
}
