//! Drawings of phylogenies, and pages to look around in.

use super::Tree;
use crate::array;
use crate::prelude::*;
use palmette::io::VertexColumn;
use palmette::phylogeny::colours::ColourColumn;
use palmette::phylogeny::drawn::DrawnTree;
use palmette::pictures::{MOST_ROWS, PhylogramParams, phylogram, tree_page};

#[pymethods]
impl Tree {
    /// A drawing as SVG, or a page as HTML. `colour` is the name of what colours branches: `support`
    /// and `length` are the tree's own, all else comes with numbers or words by vertex.
    #[expect(clippy::too_many_arguments, reason = "Python has them by name")]
    fn draw(
        &self,
        py: Python<'_>,
        layout: &str,
        colour: Option<String>,
        numbers: Option<&Array<'_, f64>>,
        words: Option<Vec<Option<String>>>,
        highlight: Vec<(i64, String)>,
        collapse: Vec<i64>,
        rows: Option<usize>,
        lengths: bool,
        unit: String,
        support: Option<f64>,
        page: bool,
    ) -> PyResult<String> {
        let data = self.data.clone();
        let n = data.tree.len();
        let (marked, words_of): (Vec<i64>, Vec<String>) = highlight.into_iter().unzip();
        if let Some(rows) = rows.filter(|rows| !(2..=MOST_ROWS).contains(rows)) {
            return Err(value_error(format!("rows: expected 2 to {MOST_ROWS}, found {rows}")));
        }
        let params = PhylogramParams {
            form: parsed(layout)?,
            rows,
            collapse: array::vertices("collapse", &collapse, n)?,
            highlight: array::vertices("highlight", &marked, n)?
                .into_iter()
                .zip(words_of)
                .collect(),
            unit,
            support,
        };
        let numbers = numbers.map(Lent::new).transpose()?;
        run(py, None, n, move |_| {
            if let (true, Some(reason)) = (lengths, &data.without_lengths) {
                return Err(Failure::Value(format!("{reason}, or lengths=False to draw by depth")));
            }
            let own = data.file.as_ref().and_then(|file| file.support.as_deref());
            let of = DrawnTree {
                title: &data.name,
                tree: &data.tree,
                labels: data.labels(),
                lengths: data.lengths.as_deref().filter(|_| lengths),
                support: own,
            };
            let given = match (numbers, words) {
                (Some(numbers), _) => Some(VertexColumn::Numbers(numbers.to_vec())),
                (None, words) => words.map(VertexColumn::Words),
            };
            let column = match (colour.as_deref(), given) {
                (None, _) => None,
                (Some(name), Some(column)) => Some(ColourColumn::new(name, &data.tree, &column)?),
                (Some("length"), None) => {
                    Some(ColourColumn::of_branches("length", &data.tree, data.lengths()?)?)
                }
                (Some(name), None) => {
                    let none = || Failure::Value(format!("{}: the tree has no {name}", data.name));
                    Some(ColourColumn::of_branches(name, &data.tree, own.ok_or_else(none)?)?)
                }
            };
            let (picture, _) = phylogram(&of, column.as_ref(), &params)?;
            match page {
                false => Ok(picture.svg),
                true => Ok(tree_page(&of, column.as_ref(), &params, &picture.svg)?),
            }
        })
    }
}
