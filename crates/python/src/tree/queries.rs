//! Ancestors, distances and paths.

use super::{Tree, TreeData};
use crate::prelude::*;
use palmette::tree::lca::Distances;
use palmette::{Measure, PathParams, Values, aggregate_paths};
use std::borrow::Cow;

/// Columns of answers, and which pairs have one, where some have none.
type AlongPaths<'py> = (Vec<Bound<'py, PyAny>>, Option<Vec<bool>>);

#[pymethods]
impl Tree {
    /// The lowest common ancestor of each pair; −1 across trees.
    fn lca<'py>(
        &self,
        py: Python<'py>,
        u: &Array<'py, i64>,
        v: &Array<'py, i64>,
        threads: Option<usize>,
    ) -> PyResult<Array<'py, i64>> {
        let found =
            self.by_pairs(py, u, v, threads, |data, pairs| Ok(signed(&data.index().batch(pairs))))?;
        Ok(PyArray1::from_vec(py, found))
    }

    /// The number of edges between each pair; −1 across trees.
    fn edge_distance<'py>(
        &self,
        py: Python<'py>,
        u: &Array<'py, i64>,
        v: &Array<'py, i64>,
        threads: Option<usize>,
    ) -> PyResult<Array<'py, i64>> {
        let found = self.by_pairs(py, u, v, threads, |data, pairs| {
            Ok(signed(&data.index().edge_distances(pairs)))
        })?;
        Ok(PyArray1::from_vec(py, found))
    }

    /// The sum of lengths between each pair; NaN across trees. Without lengths, those of the
    /// file.
    fn length_distance<'py>(
        &self,
        py: Python<'py>,
        u: &Array<'py, i64>,
        v: &Array<'py, i64>,
        lengths: Option<&Array<'py, f64>>,
        threads: Option<usize>,
    ) -> PyResult<Array<'py, f64>> {
        let lengths = lengths.map(Lent::new).transpose()?;
        let found = self.by_pairs(py, u, v, threads, move |data, pairs| {
            let depths = depths(data, lengths.as_deref())?;
            let distances = Distances::new(data.index(), &depths);
            Ok(distances.ok_or_else(|| value("expected one length per vertex"))?.batch(pairs))
        })?;
        Ok(PyArray1::from_vec(py, found))
    }

    /// The product of values along the path between each pair: columns, and which pairs have one.
    #[expect(clippy::too_many_arguments, reason = "Python has them by name")]
    fn path<'py>(
        &self,
        py: Python<'py>,
        u: &Array<'py, i64>,
        v: &Array<'py, i64>,
        operator: &str,
        columns: Vec<Bound<'py, PyAny>>,
        on_edges: bool,
        wrapping: bool,
        modulus: Option<u64>,
        seed: u64,
        threads: Option<usize>,
    ) -> PyResult<AlongPaths<'py>> {
        let operator = crate::operator::operator(operator, wrapping, modulus, seed)?;
        let columns = Column::all(&columns)?;
        let answer = self.by_pairs(py, u, v, threads, move |data, pairs| {
            let values: Vec<_> = columns.iter().map(Column::as_slice).collect();
            let params = PathParams { on_edges };
            aggregate_paths(&data.tree, pairs, operator, &values, &params).map_err(value)
        })?;
        let found = answer.columns.into_iter().map(|column| cells(py, column.cells)).collect();
        Ok((found, answer.present))
    }
}

impl Tree {
    /// Runs work on pairs of vertices.
    fn by_pairs<T: Send + 'static>(
        &self,
        py: Python<'_>,
        u: &Array<'_, i64>,
        v: &Array<'_, i64>,
        threads: Option<usize>,
        work: impl FnOnce(&TreeData, &[(u32, u32)]) -> Result<T, Failure> + Send + 'static,
    ) -> PyResult<T> {
        let (u, v) = (Lent::new(u)?, Lent::new(v)?);
        let data = self.data.clone();
        // The first query makes the index.
        let index = if data.index.get().is_some() { 0 } else { data.tree.len() };
        run(py, threads, u.len().max(index), move |_| work(&data, &pairs(&u, &v, data.tree.len())?))
    }
}

/// Distances to the root by these lengths, or by those of the file.
fn depths<'a>(data: &'a TreeData, lengths: Option<&[f64]>) -> Result<Cow<'a, [f64]>, Failure> {
    let compute =
        |lengths: &[f64]| match Measure::WeightedDepth.by_vertex(&data.tree, Some(lengths)) {
            Ok(Values::F64(depths)) => Ok(depths),
            Ok(_) => Err(value("lengths must be floats")),
            Err(error) => Err(value(error)),
        };
    if let Some(lengths) = lengths {
        return Ok(Cow::Owned(compute(lengths)?));
    }
    let lengths = data.lengths()?;
    if let Some(depths) = data.depths.get() {
        return Ok(Cow::Borrowed(depths));
    }
    let found = compute(lengths)?;
    Ok(Cow::Borrowed(data.depths.get_or_init(|| found)))
}
