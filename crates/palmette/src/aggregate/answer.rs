//! Answers of aggregates: typed columns.

use super::AggregateError;
use palmette_io::{Cells, Values};
use palmette_tree::Engine;
use palmette_tree::sum::Findings;

/// What an aggregate gives: one row a vertex or a pair, one or more columns.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer {
    /// The columns; the last is the answer proper.
    pub columns: Vec<AnswerColumn>,
    /// Which rows have an answer, where some have none.
    pub present: Option<Vec<bool>>,
    /// Which engine ran, where there is a choice.
    pub engine: Option<Engine>,
    /// What is not finite, where floats were summed over a tree.
    pub findings: Option<Findings>,
}

/// A column of answers.
#[derive(Debug, Clone, PartialEq)]
pub struct AnswerColumn {
    /// Its name.
    pub name: &'static str,
    /// Its content.
    pub cells: AnswerCells,
}

/// What a column of answers holds.
#[derive(Debug, Clone, PartialEq)]
pub enum AnswerCells {
    /// Numbers.
    Numbers(Values),
    /// Vertices; [`NONE`](palmette_core::NONE) for none.
    Vertices(Vec<u32>),
}

impl Answer {
    /// The name of a column of bounds on errors.
    pub const BOUND: &'static str = "bound";

    /// An answer of one column of numbers.
    pub fn of_numbers(name: &'static str, values: Values) -> Answer {
        Answer::of_columns(vec![AnswerColumn::numbers(name, values)])
    }

    /// An answer of these columns, in every row.
    pub fn of_columns(columns: Vec<AnswerColumn>) -> Answer {
        Answer { columns, present: None, engine: None, findings: None }
    }

    /// The answers for one column of values after another, where an operator of one column is given
    /// several.
    pub(super) fn of_each<V: Copy>(
        values: &[V],
        mut ask: impl FnMut(&[V]) -> Result<Answer, AggregateError>,
    ) -> Result<Answer, AggregateError> {
        let mut all = Answer::of_columns(Vec::new());
        for column in values.chunks(1) {
            let one = ask(column)?;
            all.columns.extend(one.columns);
            all.engine = one.engine;
            all.findings = match (all.findings, one.findings) {
                (Some(a), Some(b)) => Some(a.and(b)),
                (a, b) => a.or(b),
            };
        }
        Ok(all)
    }

    /// What the columns are called where each of several columns of values, which users call so,
    /// has its own: the operator and the values.
    pub fn names(&self, values: &[String]) -> Vec<String> {
        let each = (self.columns.len() / values.len().max(1)).max(1);
        let name = |(k, column): (usize, &AnswerColumn)| match values.get(k / each) {
            Some(text) if values.len() > 1 && self.columns.len() > each => {
                format!("{}_{}", column.name, text.trim_start_matches("column:"))
            }
            _ => column.name.to_string(),
        };
        self.columns.iter().enumerate().map(name).collect()
    }

    /// The numbers of an answer that has one column of them.
    pub fn numbers(&self) -> Option<&Values> {
        match &self.columns[..] {
            [AnswerColumn { cells: AnswerCells::Numbers(values), .. }] => Some(values),
            _ => None,
        }
    }

    /// The answer proper: the last column.
    pub fn into_cells(mut self) -> Option<AnswerCells> {
        self.columns.pop().map(|column| column.cells)
    }

    /// The columns as [`palmette_io::write_table`] takes them.
    pub fn cells(&self) -> Vec<(&'static str, Cells<'_>)> {
        self.columns.iter().map(|c| (c.name, c.cells.as_cells())).collect()
    }
}

impl AnswerCells {
    fn as_cells(&self) -> Cells<'_> {
        match self {
            AnswerCells::Numbers(values) => Cells::from(values),
            AnswerCells::Vertices(vertices) => Cells::Vertices(vertices),
        }
    }
}

impl AnswerColumn {
    pub(super) fn numbers(name: &'static str, values: impl Into<Values>) -> AnswerColumn {
        AnswerColumn { name, cells: AnswerCells::Numbers(values.into()) }
    }

    pub(crate) fn vertices(name: &'static str, vertices: Vec<u32>) -> AnswerColumn {
        AnswerColumn { name, cells: AnswerCells::Vertices(vertices) }
    }
}
