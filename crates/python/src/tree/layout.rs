//! Trees laid out on grids.

use super::Tree;
use crate::prelude::*;
use palmette::spatial::Grid;
use palmette::spatial::layout::{self, LayoutParams, LayoutTraffic, RefineParams};
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
            order: parsed(order)?,
            curve: parsed(curve)?,
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

getters! { Layout:
    grid: (u32, u32) = |of| (of.layout.grid().width, of.layout.grid().height);
    curve: &'static str = |of| of.layout.curve().kind().name();
    order: &'static str = |of| of.layout.order().name();
    vertices: usize = |of| of.traffic.vertices;
    energy: u64 = |of| of.traffic.energy;
    energy_per_vertex: f64 = |of| of.traffic.energy_per_vertex();
    longest_edge: u64 = |of| of.traffic.longest;
    max_link_load: Option<u64> = |of| of.traffic.max_link_load;
}

#[pymethods]
impl Layout {
    /// By vertex: its column and its row.
    fn places<'py>(&self, py: Python<'py>) -> (Array<'py, i64>, Array<'py, i64>) {
        let (tree, all) = (self.layout.tree(), self.layout.cells());
        let cells = || tree.positions().iter().map(|&p| all[p as usize]);
        let x = cells().map(|cell| cell.x.into()).collect();
        let y = cells().map(|cell| cell.y.into()).collect();
        (PyArray1::from_vec(py, x), PyArray1::from_vec(py, y))
    }

    /// By vertex: its position along the curve, or rather in the tree that was laid out.
    fn positions<'py>(&self, py: Python<'py>) -> Array<'py, i64> {
        PyArray1::from_vec(py, crate::array::signed(self.layout.tree().positions()))
    }

    /// A picture.
    fn svg(&self, py: Python<'_>) -> PyResult<String> {
        let (layout, traffic, name) =
            (self.layout.clone(), self.traffic.clone(), self.name.clone());
        let size = layout.tree().len();
        run(py, None, size, move |_| Ok(pictures::layout(&name, &layout, &traffic).svg))
    }
}
