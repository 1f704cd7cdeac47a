//! Trees laid out on grids.

use super::Tree;
use crate::error::{value, value_error};
use crate::work::run;
use numpy::PyArray1;
use palmette::pictures;
use palmette::spatial::Grid;
use palmette::spatial::layout::{self, LayoutParams, LayoutTraffic, RefineParams};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::sync::Arc;
use std::time::Duration;

/// A tree laid out; `palmette.Layout` wraps it.
#[pyclass(frozen, module = "palmette._palmette")]
pub(crate) struct Layout {
    pub(crate) layout: Arc<layout::Layout>,
    traffic: LayoutTraffic,
    name: String,
}

/// The grid that a pair of sides is.
pub(crate) fn grid(sides: Option<(u32, u32)>) -> PyResult<Option<Grid>> {
    match sides {
        Some((0, _) | (_, 0)) => {
            Err(PyValueError::new_err("grid: expected two sides from 1, found 0"))
        }
        sides => Ok(sides.map(|(width, height)| Grid { width, height })),
    }
}

#[pymethods]
impl Tree {
    /// Lays the tree out.
    #[expect(clippy::too_many_arguments, reason = "Python has them by name")]
    fn layout(
        &self,
        py: Python<'_>,
        curve: &str,
        order: &str,
        grid: Option<(u32, u32)>,
        seed: u64,
        time_limit: f64,
        threads: Option<usize>,
    ) -> PyResult<Layout> {
        let limit = Duration::try_from_secs_f64(time_limit).map_err(|_| {
            value_error(format!("time_limit: expected seconds, found {time_limit}"))
        })?;
        let params = LayoutParams {
            order: order.parse().map_err(value_error)?,
            curve: curve.parse().map_err(value_error)?,
            grid: self::grid(grid)?,
            refine: RefineParams { seed, time_limit: Some(limit), ..RefineParams::default() },
        };
        let data = self.data.clone();
        let name = data.name.clone();
        let (layout, traffic) = run(py, threads, data.tree.len(), move |_| {
            let layout = layout::Layout::new(data.tree.clone(), params).map_err(value)?;
            let traffic = layout.traffic();
            Ok((layout, traffic))
        })?;
        Ok(Layout { layout: Arc::new(layout), traffic, name })
    }
}

#[pymethods]
impl Layout {
    /// By vertex: its column and its row.
    fn places<'py>(
        &self,
        py: Python<'py>,
    ) -> (Bound<'py, PyArray1<i64>>, Bound<'py, PyArray1<i64>>) {
        let (tree, all) = (self.layout.tree(), self.layout.cells());
        let cells = || tree.positions().iter().map(|&p| all[p as usize]);
        let x = cells().map(|cell| cell.x.into()).collect();
        let y = cells().map(|cell| cell.y.into()).collect();
        (PyArray1::from_vec(py, x), PyArray1::from_vec(py, y))
    }

    /// By vertex: its position along the curve, or rather in the tree that was laid out.
    fn positions<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<i64>> {
        PyArray1::from_vec(py, crate::array::signed(self.layout.tree().positions()))
    }

    #[getter]
    fn grid(&self) -> (u32, u32) {
        (self.layout.grid().width, self.layout.grid().height)
    }

    #[getter]
    fn curve(&self) -> &'static str {
        self.layout.curve().kind().name()
    }

    #[getter]
    fn order(&self) -> &'static str {
        self.layout.order().name()
    }

    #[getter]
    fn vertices(&self) -> usize {
        self.traffic.vertices
    }

    #[getter]
    fn energy(&self) -> u64 {
        self.traffic.energy
    }

    #[getter]
    fn energy_per_vertex(&self) -> f64 {
        self.traffic.energy_per_vertex()
    }

    #[getter]
    fn longest_edge(&self) -> u64 {
        self.traffic.longest
    }

    #[getter]
    fn max_link_load(&self) -> Option<u64> {
        self.traffic.max_link_load
    }

    /// A picture.
    fn svg(&self, py: Python<'_>) -> PyResult<String> {
        let (layout, traffic, name) =
            (self.layout.clone(), self.traffic.clone(), self.name.clone());
        let size = layout.tree().len();
        run(py, None, size, move |_| Ok(pictures::layout(&name, &layout, &traffic).svg))
    }
}
