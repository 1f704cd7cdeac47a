//! Edge lists: a line per edge, parent then child.
//!
//! **Problem.** `parent child` rows (blanks, commas, tabs; other columns ignored;
//! a header may order them otherwise) to parents. Roots need no row; a row whose
//! parent is empty or a word for it (see `table.rs`) states one.
//! **Method.** Labels are numbered by first appearance, in a direct table where
//! they are dense integers, else in a hash map. When the labels are exactly `0..n`
//! they are the numbers.
//! **Cost.** Linear expected work, sequential after the parallel parse; 4 bytes per vertex more
//! than a table for its line. **When not to use.** A parent table is faster and keeps the order of
//! vertices.

use crate::IoError;
use crate::fast::{Cell, ROOT, means_no_parent};
use crate::header::TableColumns;
use crate::index::is_dense;
use crate::labels::Labels;
use crate::lines::Lines;
use crate::quote::shown;
use crate::rows::Rows;
use crate::source::Source;
use crate::tree_file::{ReadParams, TreeFile};
use palmette_core::{MAX_VERTICES, NONE};
use std::collections::HashMap;

pub(crate) fn read(source: &Source<'_>, params: &ReadParams) -> Result<TreeFile, IoError> {
    let mut rows = Rows::of(*source);
    let layout = TableColumns::read(source, &mut rows, params, true)?;
    read_rows(source, params, &layout, rows)
}

/// Reads the rows of an edge list after its header.
pub(crate) fn read_rows(
    source: &Source<'_>,
    params: &ReadParams,
    layout: &TableColumns,
    rows: Rows<'_>,
) -> Result<TreeFile, IoError> {
    if let Some((_, name, _)) = layout.values.first() {
        let expected = "one row per vertex, to take columns from";
        let found = format!("an edge list, which has no column {}", shown(name));
        return Err(source.on_line(1, expected, found));
    }
    let mut builder = Builder { edges: Vec::new(), lines: Lines::by_row() };
    let labels = match integers(layout, &rows, &mut builder) {
        Some(ids) => Labels::integers(ids),
        None => texts(source, layout, rows, &mut builder)?,
    };
    let mut file = builder.finish(source, params, labels)?;
    file.unread.clone_from(&layout.unread);
    if !params.labels {
        file.labels = Labels::numbers(file.len());
    }
    Ok(file)
}

struct Builder {
    /// Parent ([`NONE`] where a row states a root) and child, by row.
    edges: Vec<(u32, u32)>,
    lines: Lines,
}

fn integers(layout: &TableColumns, rows: &Rows<'_>, builder: &mut Builder) -> Option<Vec<i64>> {
    let cells = layout.cells()?;
    let numbers = rows.numbers(&cells)?;
    if numbers.rows == 0 || numbers.rows > MAX_VERTICES / 2 {
        return None;
    }
    let keys = |field: usize| numbers.keys(Cell::column(&cells, field));
    let (parents, children) = (keys(layout.parent), keys(layout.vertex));
    // A `-1` is a label only if it is a child somewhere; the text reader decides.
    if parents.contains(&-1) {
        return None;
    }
    let ends = children.iter().chain(parents.iter().filter(|&&id| id != ROOT));
    let (least, greatest) = ends.fold((i64::MAX, i64::MIN), |(a, b), &id| (a.min(id), b.max(id)));
    let dense = is_dense(least, greatest, 2 * numbers.rows);
    let mut table = vec![NONE; if dense { greatest.abs_diff(least) as usize + 1 } else { 0 }];
    let mut map: HashMap<i64, u32> = HashMap::new();
    let mut ids: Vec<i64> = Vec::new();
    let mut number = |id: i64| {
        let slot = if dense {
            &mut table[id.abs_diff(least) as usize]
        } else {
            map.entry(id).or_insert(NONE)
        };
        if *slot == NONE {
            *slot = ids.len() as u32;
            ids.push(id);
        }
        *slot
    };
    let edge = |(&parent, &child): (&i64, &i64)| {
        let parent = if parent == ROOT { NONE } else { number(parent) };
        (parent, number(child))
    };
    builder.edges = parents.iter().zip(&children).map(edge).collect();
    builder.lines = numbers.lines;
    Some(ids)
}

fn texts(
    source: &Source<'_>,
    layout: &TableColumns,
    mut rows: Rows<'_>,
    builder: &mut Builder,
) -> Result<Labels, IoError> {
    let mut numbers: HashMap<String, u32> = HashMap::new();
    let mut fields = Vec::new();
    // Whether a word like `NA` is a label is known only when all children are.
    let mut doubtful = Vec::new();
    while let Some(line) = rows.next(&mut fields)? {
        crate::table::check_width(source, layout, line, fields.len())?;
        let mut number = |text: &str| {
            let next = numbers.len() as u32;
            match numbers.get(text) {
                Some(&v) => v,
                None => *numbers.entry(text.to_string()).or_insert(next),
            }
        };
        let (parent, child) =
            (fields[layout.parent].text(source), fields[layout.vertex].text(source));
        if child.is_empty() {
            return Err(source.on_line(line, "the name of a child", "an empty field"));
        }
        let row = builder.edges.len();
        let from = if means_no_parent(&parent) {
            doubtful.push((row, parent.into_owned()));
            NONE
        } else {
            number(&parent)
        };
        builder.edges.push((from, number(&child)));
        builder.lines.push(row as u32, line);
        if numbers.len() > MAX_VERTICES - 1 {
            let found = "another";
            return Err(source.on_line(line, format!("at most {MAX_VERTICES} vertices"), found));
        }
    }
    if builder.edges.is_empty() {
        return Err(source.on_line(rows.line, "at least one edge", "the end of the file"));
    }
    for (row, text) in doubtful {
        if let Some(&v) = numbers.get(&text) {
            builder.edges[row].0 = v;
        }
    }
    let mut labels = vec![String::new(); numbers.len()];
    for (text, v) in numbers {
        labels[v as usize] = text;
    }
    Ok(Labels::texts(labels))
}

impl Builder {
    fn finish(
        mut self,
        source: &Source<'_>,
        params: &ReadParams,
        labels: Labels,
    ) -> Result<TreeFile, IoError> {
        let labels = self.by_value(labels);
        let n = labels.len();
        let (mut parents, mut rows) = (vec![NONE; n], vec![NONE; n]);
        for (row, &(parent, child)) in self.edges.iter().enumerate() {
            let line = || self.lines.line_of_row(row as u32).unwrap_or(0);
            let label = || shown(&labels.get(child));
            if parent == child && !params.self_root {
                return Err(source.own_parent(line(), label()));
            }
            let before = rows[child as usize];
            if before != NONE {
                let first = self.lines.line_of_row(before).unwrap_or(0);
                let expected = format!("one parent per child (line {first} already gives one)");
                let found = format!("a second parent for {}", label());
                return Err(source.on_line(line(), expected, found));
            }
            rows[child as usize] = row as u32;
            parents[child as usize] = if parent == child { NONE } else { parent };
        }
        let lines = self.lines.with_rows(rows);
        Ok(TreeFile { lines, ..TreeFile::new(source.name, parents, labels) })
    }

    /// Makes labels that are exactly `0..n` the numbers of their vertices.
    fn by_value(&mut self, labels: Labels) -> Labels {
        let n = labels.len();
        let mut seen = vec![false; n];
        let exact = labels.are_integers()
            && (0..n).all(|v| {
                let id = usize::try_from(labels.integer(v)).unwrap_or(n);
                seen.get_mut(id).is_some_and(|seen| !std::mem::replace(seen, true))
            });
        if !exact {
            return labels;
        }
        for (parent, child) in &mut self.edges {
            *child = labels.integer(*child as usize) as u32;
            if *parent != NONE {
                *parent = labels.integer(*parent as usize) as u32;
            }
        }
        Labels::numbers(n)
    }
}
