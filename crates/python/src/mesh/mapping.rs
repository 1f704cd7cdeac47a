//! Meshes on machines.

use super::{CutOptions, Mesh, MeshData, parts_array, weights};
use crate::prelude::*;
use crate::record::figures;
use palmette::mesh::partition::JointParams;
use palmette::mesh::placement::SearchParams;
use palmette::mesh::routing::RouteParams;
use palmette::mesh::{Machine, Placement};
use palmette::{MappingParams, MappingTraffic, PartitionFigures, map_mesh, placing, routes_json};
use pyo3::types::PyDict;
use std::time::Duration;

/// How parts are placed and their messages routed.
#[derive(Debug, Clone, FromPyObject)]
#[pyo3(from_item_all)]
struct MapOptions {
    machine: String,
    placement: String,
    routing: String,
    channels: u32,
    time_limit: Option<f64>,
    parts: Option<u32>,
}

impl MapOptions {
    fn params(&self, cut: &mut CutOptions) -> PyResult<(Machine, MappingParams)> {
        let machine: Machine = self.machine.parse().map_err(value_error)?;
        cut.parts = self.parts.unwrap_or(machine.processors() as u32);
        Placement::identity(cut.parts as usize, &machine).map_err(value_error)?;
        let placement = placing(&self.placement).map_err(value_error)?;
        let search = match placement {
            None => JointParams::default().search,
            Some(_) => SearchParams::default(),
        };
        let wrong =
            |found: f64| value_error(format!("time_limit: expected seconds, found {found}"));
        let limit = |s: f64| Duration::try_from_secs_f64(s).map_err(|_| wrong(s));
        let time_limit = self.time_limit.map(limit).transpose()?;
        let params = MappingParams {
            partition: cut.params()?,
            placement,
            search: Some(SearchParams { seed: cut.seed, time_limit, ..search }),
            routing: self.routing.parse().map_err(value_error)?,
            route: RouteParams { seed: cut.seed, ..RouteParams::default() },
            channels: self.channels,
        };
        params.check().map_err(value_error)?;
        Ok((machine, params))
    }
}

/// A mesh on a machine; `palmette.Mapping` wraps it.
#[pyclass(frozen, module = "palmette._palmette")]
pub(crate) struct Mapping {
    data: Arc<MeshData>,
    mapping: Arc<palmette::Mapping>,
    figures: PartitionFigures,
}

#[pymethods]
impl Mesh {
    /// Cuts, places and routes.
    fn map(
        &self,
        py: Python<'_>,
        options: &Bound<'_, PyDict>,
        mut cut: CutOptions,
        weights: Option<&Array<'_, i64>>,
        threads: Option<usize>,
    ) -> PyResult<Mapping> {
        let (machine, params) = options.extract::<MapOptions>()?.params(&mut cut)?;
        let weights = self::weights(weights)?;
        let data = self.data.clone();
        let (mapping, figures) = run(py, threads, usize::MAX, move |_| {
            let weights = weights.as_deref().or(data.weights.as_deref());
            let mapping = map_mesh(&data.graph, &data.points, weights, &machine, &params);
            let mapping = mapping.map_err(|error| data.failed(error))?;
            let (part, parts) = (&mapping.partition.part, mapping.placement.parts());
            let figures = PartitionFigures::of(&data.graph, part, parts, weights);
            Ok((mapping, figures))
        })?;
        Ok(Mapping { data: self.data.clone(), mapping: Arc::new(mapping), figures })
    }
}

#[pymethods]
impl Mapping {
    /// By vertex, its part.
    fn parts<'py>(&self, py: Python<'py>) -> Array<'py, i64> {
        parts_array(py, &self.mapping.partition.part)
    }

    /// By part, its processor.
    fn processors<'py>(&self, py: Python<'py>) -> Array<'py, i64> {
        parts_array(py, self.mapping.placement.processors())
    }

    #[getter]
    fn machine(&self) -> String {
        self.mapping.machine.to_string()
    }

    /// The figures of records, as JSON.
    fn figures(&self) -> String {
        figures(&[&self.figures, &*self.mapping])
    }

    /// What parts send: from, to, values, one after another.
    fn messages<'py>(&self, py: Python<'py>) -> Array<'py, i64> {
        let messages = self.mapping.quotient.messages();
        let flat = messages.flat_map(|(from, to, values)| [from.into(), to.into(), values as i64]);
        PyArray1::from_vec(py, flat.collect())
    }

    /// Links: from, to and load, one after another; none on a fat tree.
    fn loads<'py>(&self, py: Python<'py>) -> Option<Array<'py, i64>> {
        let MappingTraffic::Routes(phases) = &self.mapping.traffic else { return None };
        let (lattice, loads) = (phases.routes.lattice(), phases.routes.loads());
        let link = |link: u32| {
            let (from, to) = lattice.ends(link);
            [i64::from(from), to.into(), loads[link as usize] as i64]
        };
        Some(PyArray1::from_vec(py, lattice.links().flat_map(link).collect()))
    }

    /// By processor, its three coordinates, one after another; none on a fat tree.
    fn coordinates<'py>(&self, py: Python<'py>) -> Option<Array<'py, i64>> {
        let lattice = self.mapping.machine.lattice()?;
        let of = |processor| lattice.coordinates(processor).map(i64::from);
        let flat = (0..lattice.processors() as u32).flat_map(of).collect();
        Some(PyArray1::from_vec(py, flat))
    }

    /// By message, its phase; none on a fat tree.
    fn phases<'py>(&self, py: Python<'py>) -> Option<Array<'py, i64>> {
        let MappingTraffic::Routes(phases) = &self.mapping.traffic else { return None };
        Some(parts_array(py, &phases.phase))
    }

    /// Routes as JSON, as `palmette mesh map -o` writes them.
    fn routes(&self) -> String {
        routes_json(&self.mapping).to_string()
    }

    /// Parts on the machine with the loads of links; none where that cannot be drawn.
    fn svg(&self, py: Python<'_>) -> PyResult<Option<String>> {
        let (data, mapping) = (self.data.clone(), self.mapping.clone());
        let size = mapping.machine.processors();
        run(py, None, size, move |_| {
            Ok(pictures::placement(&data.name, &mapping).ok().map(|picture| picture.svg))
        })
    }
}
