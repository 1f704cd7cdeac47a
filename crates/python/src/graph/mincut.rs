//! Minimum cuts.

use super::Graph;
use crate::prelude::*;
use palmette::explain_cut;
use palmette::graph::mincut::{
    MinCutError, MinCutParams, all_minimum_cuts, gomory_hu, minimum_cut, separate,
};

/// Value, vertices of the smaller side, ends and weights of edges, error, trees.
type Cut<'py> = (f64, Array<'py, i64>, Array<'py, i64>, Array<'py, f64>, f64, usize);

/// Vertices as Python's numbers; none is -1.
fn numbers<'py>(py: Python<'py>, vertices: &[u32]) -> Array<'py, i64> {
    let number = |&v: &u32| if v == palmette::NONE { -1 } else { i64::from(v) };
    PyArray1::from_vec(py, vertices.iter().map(number).collect())
}

fn value_of(file: &palmette::GraphFile, error: &MinCutError) -> Failure {
    value(explain_cut(file, error))
}

#[pymethods]
impl Graph {
    /// A minimum cut.
    fn minimum_cut<'py>(
        &self,
        py: Python<'py>,
        seed: u64,
        threads: Option<usize>,
    ) -> PyResult<Cut<'py>> {
        let file = self.file.clone();
        let cut = run(py, threads, usize::MAX, move |cancel| {
            let params = MinCutParams { seed, cancel: Some(cancel.clone()), ..Default::default() };
            minimum_cut(&file.graph, &params).map_err(|error| value_of(&file, &error))
        })?;
        let ends = cut.edges.iter().flat_map(|&(a, b, _)| [a, b]).collect::<Vec<u32>>();
        let weights = cut.edges.iter().map(|edge| edge.2).collect();
        let side = numbers(py, &cut.side);
        let weights = PyArray1::from_vec(py, weights);
        Ok((cut.value, side, numbers(py, &ends), weights, cut.error, cut.trees))
    }

    /// The smaller sides of all minimum cuts.
    fn minimum_cuts<'py>(
        &self,
        py: Python<'py>,
        limit: Option<usize>,
        threads: Option<usize>,
    ) -> PyResult<Vec<Array<'py, i64>>> {
        let file = self.file.clone();
        let found = run(py, threads, usize::MAX, move |cancel| {
            let defaults = MinCutParams::default();
            let most = limit.unwrap_or(defaults.most);
            let params = MinCutParams { most, cancel: Some(cancel.clone()), ..defaults };
            all_minimum_cuts(&file.graph, &params).map_err(|error| value_of(&file, &error))
        })?;
        Ok(found.sides.iter().map(|side| numbers(py, side)).collect())
    }

    /// By pair, the least weight that separates it.
    fn separate<'py>(
        &self,
        py: Python<'py>,
        u: &Array<'py, i64>,
        v: &Array<'py, i64>,
        threads: Option<usize>,
    ) -> PyResult<Array<'py, f64>> {
        let (u, v) = (Lent::new(u)?, Lent::new(v)?);
        let file = self.file.clone();
        let found = run(py, threads, usize::MAX, move |cancel| {
            let params = MinCutParams { cancel: Some(cancel.clone()), ..Default::default() };
            let pairs = pairs(&u, &v, file.graph.len())?;
            separate(&file.graph, &pairs, &params).map_err(|error| value_of(&file, &error))
        })?;
        Ok(PyArray1::from_vec(py, found))
    }

    /// The tree of least cuts between all pairs: parents and values.
    fn gomory_hu<'py>(&self, py: Python<'py>) -> PyResult<(Array<'py, i64>, Array<'py, f64>)> {
        let file = self.file.clone();
        let tree = run(py, Some(1), usize::MAX, move |cancel| {
            let params = MinCutParams { cancel: Some(cancel.clone()), ..Default::default() };
            gomory_hu(&file.graph, &params).map_err(|error| value_of(&file, &error))
        })?;
        Ok((numbers(py, &tree.parents), PyArray1::from_vec(py, tree.values)))
    }
}
