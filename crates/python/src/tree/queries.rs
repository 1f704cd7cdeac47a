//! Ancestors, distances and paths.

use super::{Tree, TreeData};
use crate::prelude::*;
use palmette::tree::lca::Distances;
use palmette::{Measure, PathParams, Values, aggregate_paths};
use std::borrow::Cow;

type Pairs = Vec<(u32, u32)>;

fn pairs(data: &TreeData, u: &[i64], v: &[i64]) -> Result<Pairs, Failure> {
    let n = data.tree.len();
    Ok(vertices("u", u, n)?.into_iter().zip(vertices("v", v, n)?).collect())
}

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
        let (u, v) = (Lent::new(u)?, Lent::new(v)?);
        let data = self.data.clone();
        let found = run(py, threads, self.work(u.len()), move |_| {
            Ok(signed(&data.index().batch(&pairs(&data, &u, &v)?)))
        })?;
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
        let (u, v) = (Lent::new(u)?, Lent::new(v)?);
        let data = self.data.clone();
        let found = run(py, threads, self.work(u.len()), move |_| {
            let edges = data.index().edge_distances(&pairs(&data, &u, &v)?);
            Ok(edges.iter().map(|&d| if d == NONE { -1 } else { d.into() }).collect())
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
        let (u, v) = (Lent::new(u)?, Lent::new(v)?);
        let lengths = lengths.map(Lent::new).transpose()?;
        let data = self.data.clone();
        let found = run(py, threads, self.work(u.len()), move |_| {
            let pairs = pairs(&data, &u, &v)?;
            let depths = depths(&data, lengths.as_deref())?;
            let distances = Distances::new(data.index(), &depths);
            Ok(distances.ok_or_else(|| value("expected one length per vertex"))?.batch(&pairs))
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
        let (u, v) = (Lent::new(u)?, Lent::new(v)?);
        let columns = Column::all(&columns)?;
        let data = self.data.clone();
        let answer = run(py, threads, self.work(u.len()), move |_| {
            let pairs = pairs(&data, &u, &v)?;
            let values: Vec<_> = columns.iter().map(Column::as_slice).collect();
            let params = PathParams { on_edges };
            aggregate_paths(&data.tree, &pairs, operator, &values, &params).map_err(value)
        })?;
        let found = answer.columns.into_iter().map(|column| cells(py, column.cells)).collect();
        Ok((found, answer.present))
    }
}

impl Tree {
    /// How much there is to do: the first query makes the index.
    fn work(&self, pairs: usize) -> usize {
        match self.data.index.get() {
            Some(_) => pairs,
            None => pairs.max(self.data.tree.len()),
        }
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
