//! Which column of a table is which.
//!
//! **Problem.** Find the header, if there is one, and in it the vertex, its parent,
//! its label, the branch length, the support, the annotations and the columns asked for.
//! **Method.** `first_row.rs` says whether there is a header. Without names the first two
//! columns are the vertex and its parent.

use crate::IoError;
use crate::fast::Cell;
use crate::first_row::{self, HeaderWords};
use crate::quote::{listed, shown};
use crate::rows::Rows;
use crate::source::Source;
use crate::tree_file::{ReadParams, SupportLabels};
use crate::values::{ColumnKey, Number, ValueType};

pub(crate) const LENGTH_NAMES: [&str; 3] = ["length", "branch_length", "branch length"];
/// The support of the branch to the parent; nothing where it has none.
pub(crate) const SUPPORT_NAME: &str = "support";
/// Begins the names of columns that are annotations.
pub(crate) const ANNOTATION_MARK: char = '&';
/// Beside an id, this column has the labels.
pub(crate) const LABEL_NAME: &str = "label";

/// The layout of a table of vertices and parents.
pub(crate) struct TableColumns {
    pub(crate) vertex: usize,
    pub(crate) parent: usize,
    /// The labels, where the vertex is called by an id.
    pub(crate) label: Option<usize>,
    /// The length column, that of support, and then the columns asked for: index, name, type.
    pub(crate) values: Vec<(usize, String, Number)>,
    pub(crate) has_length: bool,
    pub(crate) has_support: bool,
    /// Columns of annotations, and their keys.
    pub(crate) annotations: Vec<(usize, String)>,
    /// The names of all others, or their numbers where there is no header.
    pub(crate) unread: Vec<String>,
    /// How many fields a row has.
    pub(crate) width: usize,
    /// The header calls the vertex a child: roots need no row.
    pub(crate) names_child: bool,
    pub(crate) has_header: bool,
    /// What an empty field stands for in the columns asked for, and as a length.
    missing: Option<String>,
    missing_length: Option<String>,
}

impl TableColumns {
    /// Reads the header and leaves `rows` before the first row of data.
    pub(crate) fn read(
        source: &Source<'_>,
        rows: &mut Rows<'_>,
        params: &ReadParams,
        edges: bool,
    ) -> Result<TableColumns, IoError> {
        let mut fields = Vec::new();
        let mut ahead = rows.clone();
        let Some(line) = ahead.next(&mut fields)? else {
            return Err(source.on_line(1, "at least one row", "an empty file"));
        };
        let first: Vec<String> = fields.iter().map(|f| f.text(source).to_lowercase()).collect();
        let exact: Vec<String> = fields.iter().map(|f| f.text(source).into_owned()).collect();
        if first.len() < 2 {
            let found = format!("one field, {}", shown(&exact[0]));
            return Err(source.on_line(line, "a vertex and its parent", found));
        }
        let find =
            |names: &[&str]| names.iter().find_map(|name| first.iter().position(|f| f == name));
        let words = HeaderWords::of(&first);
        let asked = |key: &ColumnKey| matches!(key, ColumnKey::Name(name) if exact.contains(name));
        let named = params.columns.iter().any(|(key, _)| asked(key));
        let has_header = match params.header {
            Some(header) => header,
            None if named => true,
            None => first_row::is_header(source, line, &exact, words, &ahead, edges)?,
        };
        let mut layout = TableColumns {
            vertex: usize::from(edges),
            parent: usize::from(!edges),
            label: None,
            values: Vec::new(),
            has_length: false,
            has_support: false,
            annotations: Vec::new(),
            unread: Vec::new(),
            width: first.len(),
            names_child: false,
            has_header,
            missing: params.missing_value.clone(),
            missing_length: params.missing_length.map(|length| length.to_string()),
        };
        if has_header {
            layout.place(words);
            let label = first.iter().position(|f| f == LABEL_NAME);
            layout.label = label.filter(|&at| at != layout.vertex && at != layout.parent);
            *rows = ahead;
        }
        let length = if has_header && params.lengths { find(&LENGTH_NAMES) } else { None };
        if let Some(index) = length {
            layout.has_length = true;
            layout.values.push((index, exact[index].clone(), ValueType::F64.into()));
        }
        let supports = has_header && params.support != SupportLabels::No;
        let known = [layout.vertex, layout.parent];
        let support = if supports { find(&[SUPPORT_NAME]) } else { None };
        if let Some(index) = support.filter(|at| !known.contains(at)) {
            layout.has_support = true;
            let number = Number { nan: true, ..ValueType::F64.into() };
            layout.values.push((index, exact[index].clone(), number));
        }
        if has_header && params.annotations {
            let key = |(at, name): (usize, &String)| {
                name.strip_prefix(ANNOTATION_MARK).map(|key| (at, key.to_string()))
            };
            let keys = exact.iter().enumerate().filter_map(key);
            layout.annotations =
                keys.filter(|(at, key)| !key.is_empty() && !known.contains(at)).collect();
        }
        for &(ref key, number) in &params.columns {
            let index = match key {
                ColumnKey::Index(index) => Some(*index).filter(|&i| i < first.len()),
                ColumnKey::Name(name) if has_header => exact.iter().position(|f| f == name),
                ColumnKey::Name(_) => None,
            };
            let Some(index) = index else {
                let key = match key {
                    ColumnKey::Name(name) => format!("a header with a column {}", shown(name)),
                    ColumnKey::Index(index) => format!("more than {index} columns"),
                };
                let found = format!("the {} columns {}", exact.len(), listed(&exact));
                return Err(source.on_line(line, key, found));
            };
            let name = if has_header { exact[index].clone() } else { index.to_string() };
            layout.values.push((index, name, number));
        }
        let read = |at: &usize| {
            [layout.vertex, layout.parent].contains(at)
                || layout.label == Some(*at)
                || layout.values.iter().any(|(column, ..)| column == at)
                || layout.annotations.iter().any(|(column, _)| column == at)
        };
        let name = |at: usize| if has_header { exact[at].clone() } else { at.to_string() };
        layout.unread = (0..first.len()).filter(|at| !read(at)).map(name).collect();
        Ok(layout)
    }

    /// Takes the columns that the header names, and the first others for the rest.
    fn place(&mut self, HeaderWords { vertex, child, parent }: HeaderWords) {
        // In `parent,name` style headers a plain vertex name wins over a child name.
        self.names_child = vertex.is_none() && child.is_some();
        match (vertex.or(child), parent) {
            (Some(vertex), Some(parent)) => (self.vertex, self.parent) = (vertex, parent),
            (Some(vertex), None) => (self.vertex, self.parent) = (vertex, usize::from(vertex == 0)),
            (None, Some(parent)) => (self.vertex, self.parent) = (usize::from(parent == 0), parent),
            (None, None) => {}
        }
    }

    /// What an empty field stands for in a column of `values`, if anything does.
    pub(crate) fn stands_for_nothing(&self, column: usize, root: bool) -> Option<&str> {
        match column {
            0 if self.has_length => self.missing_length.as_deref().or(root.then_some("0")),
            k if self.has_support && k == usize::from(self.has_length) => Some("nan"),
            _ => self.missing.as_deref(),
        }
    }

    /// What each field holds, for the reader of plain numbers; nothing when a
    /// column serves twice. Columns come out in the order of the fields.
    pub(crate) fn cells(&self) -> Option<Vec<Cell>> {
        let mut cells = vec![Cell::Skip; self.width];
        let special = [(self.vertex, Cell::Key), (self.parent, Cell::Parent)];
        let values = self.values.iter().map(|(index, _, number)| (*index, Cell::Value(*number)));
        for (index, cell) in special.into_iter().chain(values) {
            if std::mem::replace(cells.get_mut(index)?, cell) != Cell::Skip {
                return None;
            }
        }
        Some(cells)
    }
}
