//! Ancestors, distances and paths.

use super::{Tree, TreeData};
use crate::array::numbers;
use crate::prelude::*;
use crate::work::{SHORT, guard};
use palmette::core::memory::kept;
use palmette::tree::lca::{Distances, NoSuchVertex};
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
    ) -> PyResult<Bound<'py, PyAny>> {
        let found = self.asked(py, u, v, threads, |data, u, v| {
            let mut found = kept::take(u.len());
            let asked = data.index().batch_signed(u, v, &mut found);
            asked.map(|()| Values::I64(found))
        })?;
        numbers(py, found)
    }

    /// The lowest common ancestor of one pair, −1 across trees; none where there is no index yet, or
    /// no such vertex.
    fn lca_pair(&self, u: i64, v: i64) -> Option<i64> {
        let index = self.data.index.get()?;
        let vertex = |x: i64| u32::try_from(x).ok().filter(|&x| (x as usize) < index.len());
        Some(index.query(vertex(u)?, vertex(v)?).map_or(-1, i64::from))
    }

    /// The number of edges between each pair; −1 across trees.
    fn edge_distance<'py>(
        &self,
        py: Python<'py>,
        u: &Array<'py, i64>,
        v: &Array<'py, i64>,
        threads: Option<usize>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let found = self.asked(py, u, v, threads, |data, u, v| {
            let mut found = kept::take(u.len());
            let asked = data.index().edge_distances_signed(u, v, &mut found);
            asked.map(|()| Values::I64(found))
        })?;
        numbers(py, found)
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
    ) -> PyResult<Bound<'py, PyAny>> {
        let lengths = lengths.map(Lent::new).transpose()?;
        let (u, v) = (Lent::new(u)?, Lent::new(v)?);
        let data = self.data.clone();
        let size = u.len().max(data.unindexed());
        let found = run(py, threads, size, move |_| {
            let depths = depths(&data, lengths.as_deref())?;
            let distances = Distances::new(data.index(), &depths);
            let distances = distances.ok_or_else(|| value("expected one length per vertex"))?;
            let mut found = kept::take(u.len());
            let asked = distances.batch_signed(&u, &v, &mut found);
            asked.map_err(|_| unknown(&u, &v, data.tree.len()))?;
            Ok(Values::F64(found))
        })?;
        numbers(py, found)
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
        let found: PyResult<Vec<_>> =
            answer.columns.into_iter().map(|column| cells(py, column.cells)).collect();
        Ok((found?, answer.present))
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
        let size = u.len().max(data.unindexed());
        run(py, threads, size, move |_| work(&data, &pairs(&u, &v, data.tree.len())?))
    }

    /// Asks the index about pairs of numbers, which it checks.
    fn asked(
        &self,
        py: Python<'_>,
        u: &Array<'_, i64>,
        v: &Array<'_, i64>,
        threads: Option<usize>,
        ask: impl FnOnce(&TreeData, &[i64], &[i64]) -> Result<Values, NoSuchVertex> + Send + 'static,
    ) -> PyResult<Values> {
        let (u, v) = (Lent::new(u)?, Lent::new(v)?);
        let data = self.data.clone();
        let size = u.len().max(data.unindexed());
        let work = move || ask(&data, &u, &v).map_err(|_| unknown(&u, &v, data.tree.len()));
        // One task: this thread does it before another wakes up.
        if size < SHORT {
            return Ok(py.detach(|| guard(work))?);
        }
        run(py, threads, size, move |_| work())
    }
}

impl TreeData {
    /// Vertices that the first query puts into the index.
    fn unindexed(&self) -> usize {
        if self.index.get().is_some() { 0 } else { self.tree.len() }
    }
}

/// Names the number that is not a vertex.
fn unknown(u: &[i64], v: &[i64], count: usize) -> Failure {
    match pairs(u, v, count) {
        Err(failure) => failure,
        Ok(_) => value("a number is not a vertex"),
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
