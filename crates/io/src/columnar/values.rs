//! Numbers by vertex, and vertices, from columns. The rules are those of `read_values.rs` and
//! `queries.rs`.

use super::{Column, ColumnKind, ColumnTable};
use crate::IoError;
use crate::index::Lookup;
use crate::labels::Labels;
use crate::quote::shown;
use crate::read_values::without_values;
use crate::values::{ColumnKey, Number, Values};
use palmette_core::NONE;

impl ColumnTable<'_> {
    /// Refuses a column whose type does not go with that of numbers.
    pub(super) fn check_numbers(&self, column: usize, number: Number) -> Result<(), IoError> {
        let field = &self.fields()[column];
        let whole = number.whole || number.expected().starts_with("an integer");
        match field.kind {
            ColumnKind::Number(kind) if kind.is_integer() || !whole => Ok(()),
            // The row says what is missing, unless something stands for it.
            ColumnKind::Nulls => Ok(()),
            _ => {
                let expected = format!("{} in column {}", number.expected(), shown(&field.name));
                Err(self.error(expected, field.kind.name()))
            }
        }
    }

    /// The bits of what stands for a number that is not there.
    pub(super) fn missing(
        &self,
        text: Option<&str>,
        number: Number,
    ) -> Result<Option<u64>, IoError> {
        let Some(text) = text else { return Ok(None) };
        let wrong = || {
            let expected = format!("{} for vertices without a value", number.expected());
            self.error(expected, shown(text))
        };
        number.parse(text).map(Some).ok_or_else(wrong)
    }
}

impl Column<'_, '_> {
    /// The numbers of all rows.
    pub(super) fn values(
        &self,
        number: Number,
        missing: &(dyn Fn(usize) -> Option<u64> + Sync),
    ) -> Result<Values, IoError> {
        let bits = self.by_piece(&|piece| {
            let missing = |row: usize| missing(piece.of_table(row));
            piece.chunk.values(piece.rows.clone(), number, &missing).map_err(|row| {
                let expected = format!("{} in column {}", number.expected(), shown(self.name));
                self.table.at_row(piece.of_table(row), expected, piece.chunk.shown(row))
            })
        })?;
        Ok(Values::from_bits(number.kind, bits))
    }

    /// The vertices that rows name.
    fn vertices(&self, labels: &Labels) -> Result<Vec<u32>, IoError> {
        let unknown = |row: usize, found: String| {
            let expected = format!("the name of a vertex in column {}", shown(self.name));
            self.table.at_row(row, expected, found)
        };
        if !self.is_text() && !self.is_integer() {
            let expected = format!("the names of vertices in column {}", shown(self.name));
            return Err(self.table.error(expected, self.kind.name()));
        }
        self.by_piece(&|piece| {
            let integers = if self.is_text() { Vec::new() } else { self.integers(piece)? };
            let vertex = |row: usize| {
                let at = piece.of_table(row);
                let lookup = match (piece.chunk.is_null(row), self.is_text()) {
                    (true, _) => return Err(unknown(at, "null".to_string())),
                    (false, true) => labels.find(self.text(piece, row)?.unwrap_or_default()),
                    (false, false) => labels.find_integer(integers[row - piece.rows.start]),
                };
                let name = || shown(&piece.chunk.shown(row));
                match lookup {
                    Lookup::Vertex(vertex) => Ok(vertex),
                    Lookup::Unknown => Err(unknown(at, format!("{}, which no vertex has", name()))),
                    Lookup::Ambiguous(u, v) => {
                        let (u, v) = (shown(&labels.get(u)), shown(&labels.get(v)));
                        let several = "which several vertices have; the first two are called";
                        Err(unknown(at, format!("{}, {several} {u} and {v}", name())))
                    }
                }
            };
            piece.rows.clone().map(vertex).collect()
        })
    }
}

/// One value per vertex: a column in the order of vertices where it is the only one, else with their
/// names in the first.
pub(crate) fn values_of(
    table: &ColumnTable<'_>,
    number: Number,
    column: Option<&ColumnKey>,
    missing: Option<&str>,
    labels: &Labels,
) -> Result<Values, IoError> {
    let n = labels.len();
    if table.fields().is_empty() {
        return Err(table.error("a column of values", "no columns"));
    }
    let value = column.map_or(Ok(table.fields().len() - 1), |key| table.find(key))?;
    table.check_numbers(value, number)?;
    let missing = table.missing(missing, number)?;
    let named = table.fields().len() > 1;
    let values = table.column(value)?.values(number, &|_| missing.filter(|_| named))?;
    if !named {
        return match values.len() == n {
            true => Ok(values),
            false => {
                Err(table.error(format!("{n} values, one per vertex"), values.len().to_string()))
            }
        };
    }
    let vertices = table.column(0)?.vertices(labels)?;
    if vertices.len() == n && vertices.iter().enumerate().all(|(row, &v)| row as u32 == v) {
        return Ok(values);
    }
    let mut row_of = vec![NONE; n];
    for (row, &v) in vertices.iter().enumerate() {
        let before = std::mem::replace(&mut row_of[v as usize], row as u32);
        if before != NONE {
            let expected = format!("one value per vertex (row {before} already gives one)");
            let found = format!("another for {}", shown(&labels.get(v)));
            return Err(table.at_row(row, expected, found));
        }
    }
    let without = (0..n).filter(|&v| row_of[v] == NONE);
    if missing.is_none() && without.clone().next().is_some() {
        return Err(without_values(&table.name, labels, without));
    }
    Ok(values.gathered(&row_of, missing.unwrap_or(0)))
}

/// Pairs of vertices: the names in the first two columns.
pub(crate) fn pairs(table: &ColumnTable<'_>, labels: &Labels) -> Result<Vec<(u32, u32)>, IoError> {
    if table.fields().len() < 2 {
        return Err(table.without("two columns of names"));
    }
    let (u, v) = (table.column(0)?.vertices(labels)?, table.column(1)?.vertices(labels)?);
    Ok(u.into_iter().zip(v).collect())
}
