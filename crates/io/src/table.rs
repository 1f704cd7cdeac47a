//! Parent tables: one row per vertex with its label, its parent's label and numbers.
//!
//! **Problem.** `id,parent[,columns]` in CSV, TSV, semicolons, bars or blanks, rows
//! in any order, to the parent's row by row.
//! **Method.** Where labels are integers the table is read in parallel by `fast.rs`, else by
//! `text_rows.rs`; parents are looked up in parallel. Consecutive ids need no lookup table, dense
//! ones a direct one, others a hash table.
//! **Roots.** A parent that is empty, `-1`, or in any case `NA`, `null` or `none`
//! means a root, unless a row has that very label.
//! **Cost.** Linear expected work. Peak memory for integers 24 bytes per row besides
//! the file; for texts 28 bytes per row and a copy of the ids.
//! **Determinism.** Vertices are rows; the error reported is the first in the file
//! of those found first: form, then duplicate ids, then parents.

use crate::IoError;
use crate::annotation::Annotation;
use crate::edges;
use crate::fast::{Cell, Numbers, ROOT, means_no_parent};
use crate::header::TableColumns;
use crate::index::Lookup;
use crate::labels::Labels;
use crate::quote::shown;
use crate::rows::{Field, Rows};
use crate::source::Source;
use crate::text_rows::TextRows;
use crate::texts::Texts;
use crate::tree_file::{ReadParams, SupportLabels, TreeFile};
use crate::values::{Column, ValueType, Values};
use palmette_core::{MAX_VERTICES, NONE};
use rayon::prelude::*;

/// Marks a parent that is no vertex; as a vertex it would be out of range.
const FAILED: u32 = NONE - 1;

/// Reads a parent table, or an edge list when the header calls the vertex a child.
pub(crate) fn read(source: &Source<'_>, params: &ReadParams) -> Result<TreeFile, IoError> {
    let found = read_as_stated(source, params);
    // A column `support` of other things is none, unless it is said to be.
    if found.is_err() && params.support == SupportLabels::Auto {
        let plain = ReadParams { support: SupportLabels::No, ..params.clone() };
        let again = read_as_stated(source, &plain);
        return if again.is_ok() { again } else { found };
    }
    found
}

fn read_as_stated(source: &Source<'_>, params: &ReadParams) -> Result<TreeFile, IoError> {
    let mut rows = Rows::of(*source);
    let layout = TableColumns::read(source, &mut rows, params, false)?;
    if layout.names_child {
        return edges::read_rows(source, params, &layout, rows);
    }
    let mut file = match read_integers(source, params, &layout, &rows) {
        Some(file) => file,
        None => read_texts(source, params, &layout, rows.clone())?,
    };
    file.labels.forget_index();
    let label = layout.label.filter(|_| params.labels);
    let columns = label.into_iter().chain(layout.annotations.iter().map(|(column, _)| *column));
    let mut texts = columns_of_text(source, rows, &columns.collect::<Vec<_>>())?.into_iter();
    if !params.labels {
        file.labels = Labels::numbers(file.len());
    } else if let Some(captions) = label.and_then(|_| texts.next()) {
        file.labels = file.labels.with_captions(captions);
    }
    let annotation = |((_, key), texts)| Annotation::of_texts(key, texts);
    file.unread = layout.unread;
    file.annotations = layout.annotations.into_iter().zip(texts).map(annotation).collect();
    Ok(file)
}

/// Columns of texts: the labels that vertices have beside their ids, and annotations.
fn columns_of_text(
    source: &Source<'_>,
    mut rows: Rows<'_>,
    columns: &[usize],
) -> Result<Vec<Texts>, IoError> {
    let (mut all, mut fields) = (vec![Texts::default(); columns.len()], Vec::new());
    while !columns.is_empty() && rows.next(&mut fields)?.is_some() {
        for (texts, &column) in all.iter_mut().zip(columns) {
            texts.push(&fields[column].text(source));
        }
    }
    Ok(all)
}

/// All labels integers, all as it should be; otherwise nothing.
fn read_integers(
    source: &Source<'_>,
    params: &ReadParams,
    layout: &TableColumns,
    rows: &Rows<'_>,
) -> Option<TreeFile> {
    let cells = layout.cells()?;
    let numbers = rows.numbers(&cells)?;
    if numbers.rows == 0 || numbers.rows > MAX_VERTICES {
        return None;
    }
    let column = |field: usize| Cell::column(&cells, field);
    let labels = Labels::integers(numbers.keys(column(layout.vertex)));
    if !labels.are_unique() {
        return None;
    }
    let mut parents = numbers.column(column(layout.parent), |bits| match bits as i64 {
        ROOT => NONE,
        id => match labels.find_integer(id) {
            Lookup::Vertex(parent) => parent,
            _ if id == -1 => NONE,
            _ => FAILED,
        },
    });
    let bad = parents.par_iter_mut().enumerate().with_min_len(1 << 14).any(|(v, parent)| {
        if *parent == v as u32 && params.self_root {
            *parent = NONE;
        }
        *parent == v as u32 || *parent == FAILED
    });
    if bad {
        return None;
    }
    let values = layout
        .values
        .iter()
        .map(|(field, _, number)| column_of(&numbers, column(*field), number.kind));
    let (lengths, support, columns) = split_known(layout, values.collect());
    let Numbers { lines, .. } = numbers;
    let file = TreeFile::new(source.name, parents, labels);
    Some(TreeFile { lengths, support, columns, lines, ..file })
}

pub(crate) fn column_of(numbers: &Numbers, column: usize, kind: ValueType) -> Values {
    match kind {
        ValueType::I64 => Values::I64(numbers.column(column, |bits| bits as i64)),
        ValueType::U64 => Values::U64(numbers.column(column, |bits| bits)),
        ValueType::F64 => Values::F64(numbers.column(column, f64::from_bits)),
        ValueType::F32 => Values::F32(numbers.column(column, |bits| f32::from_bits(bits as u32))),
    }
}

/// Any labels; the reader that reports errors.
fn read_texts(
    source: &Source<'_>,
    params: &ReadParams,
    layout: &TableColumns,
    rows: Rows<'_>,
) -> Result<TreeFile, IoError> {
    let mut rows = TextRows::read(source, layout, rows)?;
    let labels = Labels::from_texts(rows.take_ids());
    let again = |(&first, &second): (&u32, &u32)| (second, first);
    if !labels.are_unique()
        && let Some((second, first)) = labels.index().ambiguous.iter().map(again).min()
    {
        let expected = format!("a name of its own (line {} already has it)", rows.line(first));
        let found = format!("{} again", shown(&labels.label(second)));
        return Err(source.on_line(rows.line(second), expected, found));
    }
    let parents = parents_of(&rows, &labels, params.self_root);
    if let Some(v) = parents.iter().position(|&parent| parent == FAILED) {
        let text = rows.parent_of(v);
        let line = rows.line(v as u32);
        if labels.find(&text) == Lookup::Vertex(v as u32) {
            return Err(source.own_parent(line, shown(&text)));
        }
        let hint = if v == 0 && !layout.has_header { " (is this row a header?)" } else { "" };
        let found = format!("{}, which no row has as its name{hint}", shown(&text));
        return Err(source.on_line(line, "the name of a parent, or nothing for a root", found));
    }
    let (lengths, support, columns) = split_known(layout, rows.values(layout));
    let file = TreeFile::new(source.name, parents, labels);
    Ok(TreeFile { lengths, support, columns, lines: rows.lines, ..file })
}

/// The parent of every row, [`FAILED`] where it names none.
fn parents_of(rows: &TextRows<'_>, labels: &Labels, self_root: bool) -> Vec<u32> {
    let mut parents = vec![NONE; rows.rows];
    let (mut rest, mut first) = (parents.as_mut_slice(), 0);
    let mut jobs = Vec::with_capacity(rows.pieces.len());
    for piece in &rows.pieces {
        let (part, after) = rest.split_at_mut(piece.len());
        jobs.push((piece, first, part));
        first += piece.len() as u32;
        rest = after;
    }
    jobs.into_par_iter().for_each(|(piece, first, part)| {
        let text = |row: usize| rows.parent(piece, row);
        let is_root = |row: usize| std::str::from_utf8(&text(row)).is_ok_and(means_no_parent);
        labels.find_each(text, part);
        for (row, parent) in part.iter_mut().enumerate() {
            if *parent == NONE && !is_root(row) || *parent == first + row as u32 && !self_root {
                *parent = FAILED;
            } else if *parent == first + row as u32 {
                *parent = NONE;
            }
        }
    });
    parents
}

/// Checks that a row has as many fields as the first.
pub(crate) fn check_width(
    source: &Source<'_>,
    layout: &TableColumns,
    line: u64,
    width: usize,
) -> Result<(), IoError> {
    if width == layout.width {
        return Ok(());
    }
    let expected = format!("{} fields as in the first row", layout.width);
    let found = format!("{width} field{}", if width == 1 { "" } else { "s" });
    Err(source.on_line(line, expected, found))
}

/// The numbers of a table under way.
pub(crate) struct RowValues(Vec<Vec<u64>>);

impl RowValues {
    pub(crate) fn new(layout: &TableColumns) -> RowValues {
        RowValues(vec![Vec::new(); layout.values.len()])
    }

    pub(crate) fn push(
        &mut self,
        source: &Source<'_>,
        layout: &TableColumns,
        line: u64,
        fields: &[Field],
    ) -> Result<(), IoError> {
        for (k, ((field, name, number), bits)) in layout.values.iter().zip(&mut self.0).enumerate()
        {
            let mut text = fields[*field].text(source);
            if text.is_empty() {
                let root = means_no_parent(&fields[layout.parent].text(source));
                text = layout.stands_for_nothing(k, root).unwrap_or_default().into();
            }
            let Some(value) = number.parse(&text) else {
                let expected = format!("{} in column {}", number.expected(), shown(name));
                let found = if text.is_empty() { "nothing".to_string() } else { shown(&text) };
                return Err(source.on_line(line, expected, found));
            };
            bits.push(value);
        }
        Ok(())
    }

    /// The bits of a column.
    pub(crate) fn column(&self, k: usize) -> &[u64] {
        &self.0[k]
    }
}

/// The length column and that of support, which come first if there are any, and the others.
pub(crate) fn split_known(
    layout: &TableColumns,
    values: Vec<Values>,
) -> (Option<Vec<f64>>, Option<Vec<f64>>, Vec<Column>) {
    let mut columns = layout
        .values
        .iter()
        .zip(values)
        .map(|((_, name, _), values)| Column { name: name.clone(), values });
    let mut floats = |has: bool| match has.then(|| columns.next()).flatten() {
        Some(Column { values: Values::F64(floats), .. }) => Some(floats),
        _ => None,
    };
    let (lengths, support) = (floats(layout.has_length), floats(layout.has_support));
    (lengths, support, columns.collect())
}
