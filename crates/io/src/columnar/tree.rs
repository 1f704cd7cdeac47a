//! From columns to a tree.
//!
//! **Problem.** The rules of parent tables (`table.rs`) for columns: which is the vertex and which
//! its parent, what an id may be, what means a root.
//! **Method.** Columns are found by the words that headers have; without them the first two are the
//! vertex and its parent. A parent that is null is a root, and so is what means one in a text.

use super::{Column, ColumnTable};
use crate::annotation::Annotation;
use crate::fast::means_no_parent;
use crate::first_row::HeaderWords;
use crate::header::{ANNOTATION_MARK, LABEL_NAME, LENGTH_NAMES, SUPPORT_NAME};
use crate::index::Lookup;
use crate::labels::Labels;
use crate::lines::Lines;
use crate::quote::shown;
use crate::texts::Texts;
use crate::tree_file::{ReadParams, SupportLabels, TreeFile};
use crate::values::{self, Number, ValueType};
use crate::{ColumnKey, IoError};
use palmette_core::{MAX_VERTICES, NONE};

/// Marks a parent that is no vertex.
const FAILED: u32 = NONE - 1;

/// Which columns of a table are which; where nothing is said, names decide as in files.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TableNames {
    /// The vertex.
    pub id: Option<String>,
    /// Its parent.
    pub parent: Option<String>,
}

/// Where the parts of a tree are in a table.
pub(crate) struct TreeColumns {
    vertex: usize,
    parent: usize,
    label: Option<usize>,
    length: Option<usize>,
    support: Option<usize>,
    annotations: Vec<usize>,
    values: Vec<(usize, Number)>,
}

impl TreeColumns {
    pub(crate) fn of(
        table: &ColumnTable<'_>,
        names: &TableNames,
        params: &ReadParams,
    ) -> Result<TreeColumns, IoError> {
        let lower: Vec<String> = table.fields().iter().map(|f| f.name.to_lowercase()).collect();
        if lower.len() < 2 {
            return Err(table.without("columns for a vertex and its parent"));
        }
        let said = |name: &Option<String>| {
            name.as_ref().map(|name| table.find(&ColumnKey::Name(name.clone()))).transpose()
        };
        let words = HeaderWords::of(&lower);
        let vertex = said(&names.id)?.or(words.vertex).or(words.child);
        let parent = said(&names.parent)?.or(words.parent);
        let (vertex, parent) = match (vertex, parent) {
            (Some(vertex), Some(parent)) => (vertex, parent),
            (Some(vertex), None) => (vertex, usize::from(vertex == 0)),
            (None, Some(parent)) => (usize::from(parent == 0), parent),
            (None, None) => (0, 1),
        };
        if vertex == parent {
            let name = shown(&table.fields()[vertex].name);
            return Err(table.without(&format!("a column of parents beside {name}")));
        }
        let find = |names: &[&str]| names.iter().find_map(|n| lower.iter().position(|f| f == n));
        let label = find(&[LABEL_NAME]).filter(|&at| at != vertex && at != parent);
        let length = if params.lengths { find(&LENGTH_NAMES) } else { None };
        let known = [vertex, parent];
        let support = find(&[SUPPORT_NAME]).filter(|at| !known.contains(at));
        let support = support.filter(|&at| match params.support {
            SupportLabels::No => false,
            SupportLabels::Yes => true,
            SupportLabels::Auto => table.check_numbers(at, support_number()).is_ok(),
        });
        let is_key = |at: &usize| {
            let key = table.fields()[*at].name.strip_prefix(ANNOTATION_MARK);
            key.is_some_and(|key| !key.is_empty()) && !known.contains(at)
        };
        let annotations = (0..lower.len()).filter(is_key).filter(|_| params.annotations).collect();
        let column = |(key, number): &(ColumnKey, Number)| Ok((table.find(key)?, *number));
        let values = params.columns.iter().map(column).collect::<Result<_, IoError>>()?;
        Ok(TreeColumns { vertex, parent, label, length, support, annotations, values })
    }

    /// The names of columns that hold none of these.
    fn unread(&self, table: &ColumnTable<'_>) -> Vec<String> {
        let optional = [self.label, self.length, self.support].into_iter().flatten();
        let read: Vec<usize> =
            self.needed().chain(optional).chain(self.annotations.iter().copied()).collect();
        let unread = table.fields().iter().enumerate().filter(|(at, _)| !read.contains(at));
        unread.map(|(_, field)| field.name.to_string()).collect()
    }

    /// The columns of vertices, of parents, and of the numbers asked for.
    pub(crate) fn needed(&self) -> impl Iterator<Item = usize> + '_ {
        [self.vertex, self.parent].into_iter().chain(self.values.iter().map(|&(at, _)| at))
    }

    /// Takes the numbers asked for as those of another type from now on.
    pub(crate) fn set_type(&mut self, kind: Number) {
        self.values.iter_mut().for_each(|(_, number)| *number = kind);
    }
}

/// Reads a tree from a table of columns.
///
/// # Errors
/// Columns that are not there or of another type, ids that are null or shared, parents that no row
/// has, numbers that are missing; with the row, from 0.
pub fn read_tree_table(
    table: &ColumnTable<'_>,
    names: &TableNames,
    params: &ReadParams,
) -> Result<TreeFile, IoError> {
    let places = TreeColumns::of(table, names, params)?;
    // Before anything is decoded: callers try several types.
    for &(at, number) in &places.values {
        table.check_numbers(at, number)?;
    }
    let n = table.rows();
    if n == 0 || n > MAX_VERTICES {
        return Err(table.error(format!("1 to {MAX_VERTICES} rows"), n.to_string()));
    }
    let ids = table.column(places.vertex)?;
    let mut labels = labels_of(&ids)?;
    if !labels.are_unique()
        && let Some((&first, &second)) = labels.index().ambiguous.iter().min_by_key(|both| both.1)
    {
        let expected = format!("a name of its own (row {first} already has it)");
        let found = format!("{} again", shown(&labels.label(second)));
        return Err(table.at_row(second as usize, expected, found));
    }
    let parents = parents_of(&table.column(places.parent)?, &ids, &labels, params.self_root)?;
    labels.forget_index();
    if !params.labels {
        labels = Labels::numbers(n);
    } else if let Some(at) = places.label {
        labels = labels.with_captions(captions_of(&table.column(at)?)?);
    }
    let lengths = match places.length {
        None => None,
        Some(at) => {
            let given = params.missing_length.map(f64::to_bits);
            let missing = |row: usize| given.or((parents[row] == NONE).then_some(0));
            let read = table.column(at)?.values(ValueType::F64.into(), &missing)?;
            match read {
                values::Values::F64(lengths) => Some(lengths),
                _ => None,
            }
        }
    };
    let support = match places.support {
        None => None,
        Some(at) => {
            let nan = |_| Some(f64::NAN.to_bits());
            match table.column(at)?.values(support_number(), &nan)? {
                values::Values::F64(support) => Some(support),
                _ => None,
            }
        }
    };
    let annotation = |&at: &usize| {
        let column = table.column(at)?;
        let name = column.name.trim_start_matches(ANNOTATION_MARK).to_string();
        Ok(Annotation::of_texts(name, captions_of(&column)?))
    };
    let annotations = places.annotations.iter().map(annotation).collect::<Result<_, IoError>>()?;
    let column = |&(at, number): &(usize, Number)| {
        let missing = table.missing(params.missing_value.as_deref(), number)?;
        let column = table.column(at)?;
        let values = column.values(number, &|_| missing)?;
        Ok(values::Column { name: column.name.to_string(), values })
    };
    let columns = places.values.iter().map(column).collect::<Result<_, IoError>>()?;
    let file = TreeFile::new(table.name.clone(), parents, labels);
    let (unread, lines) = (places.unread(table), Lines::of_table());
    Ok(TreeFile { lengths, support, annotations, columns, unread, lines, ..file })
}

/// Support is a number, or nothing.
fn support_number() -> Number {
    Number { nan: true, ..ValueType::F64.into() }
}

/// A table with integers for ids, where parents are not looked for.
pub(crate) struct IntegerTree {
    pub(crate) ids: Vec<i64>,
    /// None where it is null.
    pub(crate) parents: Vec<Option<i64>>,
    pub(crate) columns: Vec<values::Values>,
}

/// Reads the columns of a table, or of a part of one, that has integers for ids.
///
/// # Errors
/// As [`read_tree_table`], and ids that are no integers; not ids that are shared, nor parents that
/// no row has.
pub(crate) fn integer_tree(
    table: &ColumnTable<'_>,
    places: &TreeColumns,
) -> Result<IntegerTree, IoError> {
    for &(at, number) in &places.values {
        table.check_numbers(at, number)?;
    }
    let (ids, parents) = (table.column(places.vertex)?, table.column(places.parent)?);
    let no_integers = |column: &Column<'_, '_>| {
        let expected = format!("integers in column {}, to read in slices", shown(column.name));
        Err(table.error(expected, column.kind.name()))
    };
    if !ids.is_integer() {
        return no_integers(&ids);
    }
    if !parents.is_integer() && !nulls_only(&parents) {
        return no_integers(&parents);
    }
    check_named(&ids)?;
    let integers = |column: &Column<'_, '_>| {
        column.by_piece(&|piece| {
            if !column.is_integer() {
                return Ok(vec![None; piece.rows.len()]);
            }
            let some = |(row, id)| (!piece.chunk.is_null(row)).then_some(id);
            Ok(piece.rows.clone().zip(column.integers(piece)?).map(some).collect())
        })
    };
    let column = |&(at, number): &(usize, Number)| table.column(at)?.values(number, &|_| None);
    Ok(IntegerTree {
        ids: ids.by_piece(&|piece| ids.integers(piece))?,
        parents: integers(&parents)?,
        columns: places.values.iter().map(column).collect::<Result<_, IoError>>()?,
    })
}

fn nulls_only(column: &Column<'_, '_>) -> bool {
    column.pieces().iter().all(|piece| piece.rows.clone().all(|row| piece.chunk.is_null(row)))
}

fn no_name(ids: &Column<'_, '_>, row: usize, found: &str) -> IoError {
    let expected = format!("the name of a vertex in column {}", shown(ids.name));
    ids.table.at_row(row, expected, found)
}

/// Refuses a vertex without a name.
fn check_named(ids: &Column<'_, '_>) -> Result<(), IoError> {
    for piece in ids.pieces() {
        if let Some(row) = piece.chunk.first_null(piece.rows.clone()) {
            return Err(no_name(ids, piece.of_table(row), "null"));
        }
    }
    Ok(())
}

/// The names of vertices.
fn labels_of(ids: &Column<'_, '_>) -> Result<Labels, IoError> {
    let table = ids.table;
    check_named(ids)?;
    if ids.is_integer() {
        return Ok(Labels::integers(ids.by_piece(&|piece| ids.integers(piece))?));
    }
    if !ids.is_text() {
        let expected = format!("integers or text in column {}", shown(ids.name));
        return Err(table.error(expected, ids.kind.name()));
    }
    let mut texts = Texts::default();
    for piece in ids.pieces() {
        for row in piece.rows.clone() {
            match ids.text(&piece, row)? {
                None | Some("") => return Err(no_name(ids, piece.of_table(row), "an empty text")),
                Some(text) => texts.push(text),
            }
        }
    }
    Ok(Labels::from_texts(texts))
}

/// The parent of each row.
fn parents_of(
    column: &Column<'_, '_>,
    ids: &Column<'_, '_>,
    labels: &Labels,
    self_root: bool,
) -> Result<Vec<u32>, IoError> {
    let table = column.table;
    let same = (column.is_integer() && ids.is_integer()) || (column.is_text() && ids.is_text());
    if !same && !nulls_only(column) {
        let (vertex, parent) = (shown(ids.name), shown(column.name));
        let what = if ids.is_text() { "text" } else { "integers" };
        let expected = format!("{what} in column {parent}, as in column {vertex}");
        return Err(table.error(expected, column.kind.name()));
    }
    let resolve = |vertex: usize, found: Lookup, root: bool| match found {
        Lookup::Vertex(parent) if parent as usize != vertex => parent,
        Lookup::Vertex(_) if self_root => NONE,
        Lookup::Vertex(_) => FAILED,
        _ if root => NONE,
        _ => FAILED,
    };
    let parents = column.by_piece(&|piece| {
        let nulls = piece.chunk.first_null(piece.rows.clone()).is_some();
        let null = |row: usize| nulls && piece.chunk.is_null(row);
        if column.is_text() {
            let parent = |row: usize| match column.text(piece, row)? {
                None => Ok(NONE),
                Some(text) => {
                    let root = means_no_parent(text);
                    Ok(resolve(piece.of_table(row), labels.find(text), root))
                }
            };
            return piece.rows.clone().map(parent).collect();
        }
        let parent = |(row, id): (usize, i64)| match null(row) {
            true => NONE,
            false => resolve(piece.of_table(row), labels.find_integer(id), id == -1),
        };
        Ok(piece.rows.clone().zip(column.integers(piece)?).map(parent).collect())
    })?;
    let Some(row) = parents.iter().position(|&parent| parent == FAILED) else {
        return Ok(parents);
    };
    let pieces = column.pieces();
    let piece = &pieces[pieces.partition_point(|piece| piece.first <= row) - 1];
    let text = piece.chunk.shown(row - piece.first + piece.rows.start);
    if labels.find(&text) == Lookup::Vertex(row as u32) {
        let vertex = format!("{} (row {row})", shown(&text));
        let file = table.name.clone();
        return Err(IoError::OwnParent { file, line: None, offset: None, vertex });
    }
    let expected =
        format!("the name of a parent, or null for a root, in column {}", shown(column.name));
    let found = format!("{}, which no row has in column {}", shown(&text), shown(ids.name));
    Err(table.at_row(row, expected, found))
}

/// The labels that vertices have beside their ids.
fn captions_of(column: &Column<'_, '_>) -> Result<Texts, IoError> {
    let mut texts = Texts::default();
    for piece in column.pieces() {
        for row in piece.rows.clone() {
            match column.is_text() {
                true => texts.push(column.text(&piece, row)?.unwrap_or_default()),
                false if piece.chunk.is_null(row) => texts.push(""),
                false => texts.push(&piece.chunk.shown(row)),
            }
        }
    }
    Ok(texts)
}
