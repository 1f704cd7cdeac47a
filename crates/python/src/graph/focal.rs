//! Landscapes: rasters as graphs, and what flows between focal points.

use super::{Graph, SolveOptions};
use crate::prelude::*;
use palmette::core::graph::raster::{Landscape, Raster, RasterParams};
use palmette::graph::focal::{
    FocalMode, FocalParams, driven_currents, focal_currents, focal_resistances,
};
use palmette::graph::solve::SolveParams;
use palmette::io::read_bytes;
use palmette::{GraphFile, explain_driven, read_focal_regions};

/// How a raster is read.
#[derive(Debug, Clone, FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct RasterOptions {
    neighbours: usize,
    cells: String,
    mean: Option<String>,
}

impl RasterOptions {
    pub(crate) fn params(&self) -> PyResult<RasterParams> {
        Ok(RasterParams {
            neighbours: parsed(&self.neighbours.to_string())?,
            cells: parsed(&self.cells)?,
            mean: self.mean.as_deref().map(parsed).transpose()?,
        })
    }
}

/// By pair its regions, its resistance, by vertex currents and potentials.
type Currents<'py> =
    (Array<'py, i64>, Option<Array<'py, f64>>, Array<'py, f64>, Option<Array<'py, f64>>);

/// Names of regions, their vertices, and cells that were skipped.
type Points = (Vec<String>, Vec<Vec<u32>>, usize);

/// Rows, columns, the lower left corner, the side of a cell.
type Shape = (usize, usize, [f64; 2], f64);

#[pymethods]
impl Graph {
    /// From the cells of a raster, row by row.
    #[staticmethod]
    #[pyo3(name = "from_raster")]
    fn of_raster(
        py: Python<'_>,
        columns: usize,
        values: &Array<'_, f64>,
        options: RasterOptions,
        threads: Option<usize>,
    ) -> PyResult<Graph> {
        let params = options.params()?;
        let values = Lent::new(values)?;
        let file = run(py, threads, values.len(), move |_| {
            let rows = values.len() / columns.max(1);
            let wrong =
                |x: &&f64| !(x.is_nan() || (**x > 0.0 && x.is_normal() && (1.0 / **x).is_normal()));
            if let Some(found) = values.iter().find(wrong) {
                return Err(value(format!(
                    "raster: expected cells above 0, or NaN, found {found}"
                )));
            }
            let values = values.to_vec();
            let raster = Raster { rows, columns, corner: [0.0; 2], side: 1.0, values };
            let (graph, landscape) = raster.graph(&params).map_err(value)?;
            if graph.is_empty() {
                return Err(value("raster: no cell has data"));
            }
            let landscape = Some(landscape);
            Ok(GraphFile { landscape, ..GraphFile::of("raster", graph) })
        })?;
        Ok(Graph { file: Arc::new(file) })
    }

    /// The shape of the raster, if the graph is of one.
    fn landscape(&self) -> Option<Shape> {
        let &Landscape { rows, columns, corner, side, .. } = self.file.landscape.as_ref()?;
        Some((rows, columns, corner, side))
    }

    /// By vertex, its cell.
    fn cells<'py>(&self, py: Python<'py>) -> Option<Array<'py, i64>> {
        let cells = &self.file.landscape.as_ref()?.cells;
        Some(PyArray1::from_vec(py, cells.iter().map(|&cell| cell.into()).collect()))
    }

    /// Focal points from a file.
    fn read_points(&self, py: Python<'_>, path: PathBuf, skip: bool) -> PyResult<Points> {
        let file = self.file.clone();
        run(py, None, usize::MAX, move |_| {
            let name = path.display().to_string();
            let found = read_focal_regions(&file, &name, &read_bytes(&path)?, skip)?;
            let names = 0..found.vertices.len() as u32;
            let names = names.map(|k| found.names.get(k).into_owned()).collect();
            Ok((names, found.vertices, found.skipped))
        })
    }

    /// By pair of regions, its resistance.
    fn focal_resistance<'py>(
        &self,
        py: Python<'py>,
        regions: Vec<Vec<u32>>,
        options: SolveOptions,
    ) -> PyResult<(Array<'py, i64>, Array<'py, f64>)> {
        let params = self.focal(&options)?;
        let file = self.file.clone();
        let (pairs, found) = run(py, options.threads, usize::MAX, move |cancel| {
            let solve = SolveParams { cancel: Some(cancel.clone()), ..params.solve };
            let params = FocalParams { solve, ..FocalParams::default() };
            Ok(focal_resistances(&file.graph, &regions, &params)?)
        })?;
        Ok((ends(py, &pairs), PyArray1::from_vec(py, found)))
    }

    /// Currents between regions.
    fn focal_currents<'py>(
        &self,
        py: Python<'py>,
        regions: Vec<Vec<u32>>,
        mode: &str,
        pairs: Option<Vec<(u32, u32)>>,
        only: Option<Vec<u32>>,
        options: SolveOptions,
    ) -> PyResult<Currents<'py>> {
        let mode: FocalMode = parsed(mode)?;
        if pairs.is_some() && mode != FocalMode::Pairwise {
            return Err(PyValueError::new_err("pairs applies to mode pairwise only"));
        }
        let params = FocalParams { mode, pairs, only, ..self.focal(&options)? };
        let file = self.file.clone();
        let found = run(py, options.threads, usize::MAX, move |cancel| {
            let solve = SolveParams { cancel: Some(cancel.clone()), ..params.solve };
            Ok(focal_currents(&file.graph, &regions, &FocalParams { solve, ..params })?)
        })?;
        let array = |values: Vec<f64>| PyArray1::from_vec(py, values);
        let (resistances, potentials) = (found.resistances.map(array), found.potentials.map(array));
        Ok((ends(py, &found.pairs), resistances, array(found.currents), potentials))
    }

    /// Potentials and currents when currents enter and vertices are grounded.
    fn driven_currents<'py>(
        &self,
        py: Python<'py>,
        entering: &Array<'py, f64>,
        ground: &Array<'py, f64>,
        options: SolveOptions,
    ) -> PyResult<(Array<'py, f64>, Array<'py, f64>)> {
        let params = self.focal(&options)?.solve;
        let (entering, ground) = (Lent::new(entering)?, Lent::new(ground)?);
        let file = self.file.clone();
        let found = run(py, options.threads, usize::MAX, move |cancel| {
            let n = file.graph.len();
            if entering.len() != n || ground.len() != n {
                return Err(value(format!("sources and grounds: expected {n} entries each")));
            }
            let params = SolveParams { cancel: Some(cancel.clone()), ..params };
            let found = driven_currents(&file.graph, &entering, &ground, &params);
            found.map_err(|error| value(explain_driven(&file, error)))
        })?;
        Ok((PyArray1::from_vec(py, found.potentials), PyArray1::from_vec(py, found.currents)))
    }
}

impl Graph {
    fn focal(&self, options: &SolveOptions) -> PyResult<FocalParams> {
        if self.file.ground.is_some() || self.file.netlist.is_some() {
            let text = "this graph has conductances to ground; focal points are for graphs without";
            return Err(PyValueError::new_err(text));
        }
        Ok(FocalParams { solve: options.params()?, ..FocalParams::default() })
    }
}

fn ends<'py>(py: Python<'py>, pairs: &[(u32, u32)]) -> Array<'py, i64> {
    PyArray1::from_vec(py, pairs.iter().flat_map(|&(a, b)| [i64::from(a), b.into()]).collect())
}
