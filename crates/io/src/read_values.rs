//! Files with one value per vertex.
//!
//! **Problem.** Numbers by vertex from `.npy` (in vertex order), from columns (`columnar/`), from rows
//! `label,…,value` in any order (each vertex exactly once; the last column unless
//! another is asked for), or from one number per line in vertex order.
//! **Method and cost.** As in `queries.rs`.

use crate::IoError;
use crate::columnar::{self, ColumnTable};
use crate::fast::Cell;
use crate::index::Lookup;
use crate::labels::Labels;
use crate::limit::InputLimit;
use crate::npy::Npy;
use crate::queries::vertex;
use crate::quote::shown;
use crate::rows::{Field, Rows};
use crate::source::Source;
use crate::values::{ColumnKey, Number, ValueType, Values};
use palmette_core::NONE;

/// Reads one value per vertex, from the last column or another; see the module for the formats.
///
/// # Errors
/// A vertex without a value or with two, an unknown label, text where a number
/// belongs, NaN unless it is taken; with the line.
pub fn read_values_bytes(
    name: &str,
    data: &[u8],
    kind: impl Into<Number>,
    column: Option<&ColumnKey>,
    labels: &Labels,
) -> Result<Values, IoError> {
    let number = kind.into();
    let limit = InputLimit::default();
    read_values_with(name, data, &ValueParams { number, column, missing: None, limit }, labels)
}

/// Which values to read from a file.
#[derive(Debug, Clone, Copy)]
pub struct ValueParams<'a> {
    /// Their type.
    pub number: Number,
    /// The column; the last by default.
    pub column: Option<&'a ColumnKey>,
    /// The value of vertices that have none, or an empty one, in a file that names vertices;
    /// by default that is an error.
    pub missing: Option<&'a str>,
    /// What a file of packed columns may decode to.
    pub limit: InputLimit,
}

/// As [`read_values_bytes`], with all that can be asked for.
///
/// # Errors
/// As [`read_values_bytes`].
pub fn read_values_with(
    name: &str,
    data: &[u8],
    params: &ValueParams<'_>,
    labels: &Labels,
) -> Result<Values, IoError> {
    let &ValueParams { number, column, missing, limit } = params;
    if let Some(format) = columnar::format_of(data) {
        let table = ColumnTable::open(name, data, format, limit)?;
        return columnar::values_of(&table, number, column, missing, labels);
    }
    if Npy::is_npy(data) {
        let npy = Npy::new(name, data)?;
        let values = npy.values(number)?;
        if values.len() != labels.len() {
            let found = values.len().to_string();
            return Err(npy.error(0, format!("{} values, one per vertex", labels.len()), found));
        }
        return Ok(values);
    }
    let source = Source::new(name, data)?;
    let mut rows = Rows::of(source);
    let mut fields = Vec::new();
    let mut ahead = rows.clone();
    let Some(line) = ahead.next(&mut fields)? else {
        let found = "an empty file";
        return Err(source.on_line(1, format!("{} values, one per vertex", labels.len()), found));
    };
    let value = value_column(&source, line, &fields, column)?;
    let default = |text: &str| {
        let wrong = || {
            let expected = format!("{} for vertices without a value", number.expected());
            source.on_line(line, expected, shown(text))
        };
        number.parse(text).ok_or_else(wrong)
    };
    let missing = missing.map(default).transpose()?;
    let table = Table { source, width: fields.len(), value, number, missing, labels };
    if table.is_header(&fields, column, &ahead)? {
        rows = ahead;
    }
    match table.read_fast(&rows) {
        Some(values) => Ok(values),
        None => table.read(rows),
    }
}

fn value_column(
    source: &Source<'_>,
    line: u64,
    fields: &[Field],
    column: Option<&ColumnKey>,
) -> Result<usize, IoError> {
    let (found, expected) = match column {
        None => return Ok(fields.len() - 1),
        Some(ColumnKey::Index(index)) => {
            (Some(*index).filter(|&i| i < fields.len()), format!("more than {index} columns"))
        }
        Some(ColumnKey::Name(name)) => (
            fields.iter().position(|f| f.text(source) == *name),
            format!("a header with a column {}", shown(name)),
        ),
    };
    found.ok_or_else(|| source.on_line(line, expected, format!("{} columns", fields.len())))
}

struct Table<'a> {
    source: Source<'a>,
    width: usize,
    /// The index of the value; the label is field 0 where there are several.
    value: usize,
    number: Number,
    /// The bits of the value of vertices without one.
    missing: Option<u64>,
    labels: &'a Labels,
}

impl Table<'_> {
    /// The first row is a header if it has a word for a value and no vertex's name, or one that
    /// a row below has: a vertex may be called `vertex`.
    fn is_header(
        &self,
        first: &[Field],
        column: Option<&ColumnKey>,
        below: &Rows<'_>,
    ) -> Result<bool, IoError> {
        if matches!(column, Some(ColumnKey::Name(_))) {
            return Ok(true);
        }
        let value = first[self.value].text(&self.source);
        let word = Number::from(ValueType::F64).parse(&value).is_none()
            && value.starts_with(|c: char| c.is_alphabetic() || c == '_');
        let number_like = value.eq_ignore_ascii_case("nan") || value.eq_ignore_ascii_case("na");
        if !word || number_like {
            return Ok(false);
        }
        let name = first[0].text(&self.source);
        if !self.labelled() || !matches!(self.labels.find(&name), Lookup::Vertex(_)) {
            return Ok(true);
        }
        let (mut rows, mut fields) = (below.clone(), Vec::new());
        while rows.next(&mut fields)?.is_some() {
            if fields.first().is_some_and(|field| field.text(&self.source) == name) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn labelled(&self) -> bool {
        self.width > 1
    }

    fn read_fast(&self, rows: &Rows<'_>) -> Option<Values> {
        if self.labelled() && (!self.labels.are_integers() || self.value == 0) {
            return None;
        }
        let mut cells = vec![Cell::Skip; self.width];
        cells[0] = Cell::Key;
        cells[self.value] = Cell::Value(self.number);
        let numbers = rows.numbers(&cells)?;
        if numbers.rows != self.labels.len() {
            return None;
        }
        if !self.labelled() {
            return Some(crate::table::column_of(&numbers, 0, self.number.kind));
        }
        let find = |bits: u64| self.labels.find_integer(bits as i64).vertex().unwrap_or(NONE);
        let vertices = numbers.column(0, find);
        if vertices.iter().enumerate().all(|(i, &v)| i as u32 == v) {
            return Some(crate::table::column_of(&numbers, 1, self.number.kind));
        }
        let mut row_of = vec![NONE; vertices.len()];
        for (row, &v) in vertices.iter().enumerate() {
            let slot = row_of.get_mut(v as usize)?;
            if std::mem::replace(slot, row as u32) != NONE {
                return None;
            }
        }
        let bits = numbers.column(1, |bits| bits);
        Some(Values::from_bits(self.number.kind, row_of.iter().map(|&row| bits[row as usize])))
    }

    fn read(&self, mut rows: Rows<'_>) -> Result<Values, IoError> {
        let n = self.labels.len();
        let (mut bits, mut line_of) = (vec![0u64; n], vec![0u64; n]);
        let mut fields = Vec::new();
        let mut count = 0;
        while let Some(line) = rows.next(&mut fields)? {
            let source = &self.source;
            if fields.len() != self.width {
                let expected = format!("{} field(s) as in the first row", self.width);
                return Err(source.on_line(line, expected, fields.len().to_string()));
            }
            let text = fields[self.value].text(source);
            let default = self.missing.filter(|_| text.is_empty() && self.labelled());
            let Some(value) = self.number.parse(&text).or(default) else {
                let found = if text.is_empty() { "nothing".to_string() } else { shown(&text) };
                return Err(source.on_line(line, self.number.expected(), found));
            };
            let v = if self.labelled() {
                let label = fields[0].text(source);
                let v = vertex(source, line, &label, self.labels)? as usize;
                if line_of[v] != 0 {
                    let expected =
                        format!("one value per vertex (line {} already gives one)", line_of[v]);
                    let found = format!("another for {}", shown(&label));
                    return Err(source.on_line(line, expected, found));
                }
                v
            } else if count < n {
                count
            } else {
                return Err(source.on_line(line, format!("{n} values, one per vertex"), "more"));
            };
            bits[v] = value;
            line_of[v] = line;
            count += 1;
        }
        if count < n && !self.labelled() {
            let expected = format!("{n} values, one per vertex");
            return Err(self.source.on_line(rows.line, expected, count.to_string()));
        }
        if count < n {
            let without = (0..n).filter(|&v| line_of[v] == 0);
            let Some(value) = self.missing else {
                return Err(without_values(self.source.name, self.labels, without));
            };
            without.for_each(|v| bits[v] = value);
        }
        Ok(Values::from_bits(self.number.kind, bits))
    }
}

/// The error about vertices that have no value.
#[cold]
pub(crate) fn without_values(
    file: &str,
    labels: &Labels,
    vertices: impl Iterator<Item = usize> + Clone,
) -> IoError {
    const NAMED: usize = 3;
    let without: Vec<u32> = vertices.map(|v| v as u32).collect();
    let missing = without.len();
    let names = without.iter().take(NAMED).map(|&v| shown(&labels.get(v)));
    let more = if missing > NAMED { " …" } else { "" };
    IoError::MissingValues {
        file: file.to_string(),
        vertices: labels.len(),
        missing,
        names: names.collect::<Vec<_>>().join(", ") + more,
        without,
    }
}
