//! Meshes on machines.

use super::demands::DemandOptions;
use super::{CutOptions, Mesh, MeshData, parts_array};
use crate::prelude::*;
use crate::record::figures;
use palmette::mesh::Placement;
use palmette::mesh::partition::JointParams;
use palmette::mesh::placement::{Host, RankFormat, SearchParams, neighbours_header, ranks};
use palmette::mesh::routing::RouteParams;
use palmette::{
    DemandFigures, MachineInput, MachineParams, MappingParams, MappingTraffic, PartitionFigures,
    map_mesh_as, placing, read_machine, routes_json,
};
use pyo3::types::PyDict;
use std::time::Duration;

/// How parts are placed and their messages routed.
#[derive(Debug, Clone, FromPyObject)]
#[pyo3(from_item_all)]
struct MapOptions {
    machine: String,
    distances: Option<Vec<u32>>,
    without: Vec<u32>,
    hosts: Option<Vec<(String, u32)>>,
    placement: String,
    objective: String,
    routing: String,
    channels: Option<u32>,
    time_limit: Option<f64>,
    parts: Option<u32>,
}

impl MapOptions {
    fn params(&self, cut: &mut CutOptions) -> PyResult<(MachineInput, MappingParams)> {
        let host = |(name, slots): &(String, u32)| Host { name: name.clone(), slots: *slots };
        let given = MachineParams {
            distances: self.distances.clone(),
            without: self.without.clone(),
            hosts: self.hosts.as_ref().map(|hosts| hosts.iter().map(host).collect()),
            ..MachineParams::default()
        };
        let input = read_machine(&self.machine, &given).map_err(value_error)?;
        let machine = input.machine.clone();
        cut.parts = self.parts.unwrap_or(machine.places() as u32);
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
            objective: self.objective.parse().map_err(value_error)?,
        };
        params.check().map_err(value_error)?;
        Ok((input, params))
    }
}

/// A mesh on a machine; `palmette.Mapping` wraps it.
#[pyclass(frozen, module = "palmette._palmette")]
pub(crate) struct Mapping {
    data: Arc<MeshData>,
    mapping: Arc<palmette::Mapping>,
    figures: PartitionFigures,
    kept: DemandFigures,
    hosts: Vec<Host>,
}

#[pymethods]
impl Mesh {
    /// Cuts, places and routes.
    fn map(
        &self,
        py: Python<'_>,
        options: &Bound<'_, PyDict>,
        mut cut: CutOptions,
        demands: &Bound<'_, PyDict>,
        threads: Option<usize>,
    ) -> PyResult<Mapping> {
        let (on, params) = options.extract::<MapOptions>()?.params(&mut cut)?;
        let MachineInput { machine, hosts, .. } = on;
        let slots = machine.processors() as u32;
        let hosts = hosts.unwrap_or_else(|| vec![Host { name: "localhost".to_string(), slots }]);
        let (weights, demands, count) = demands.extract::<DemandOptions<'_>>()?.read()?;
        let data = self.data.clone();
        let (mapping, figures, kept) = run(py, threads, usize::MAX, move |_| {
            let (weights, demands) = data.weighed(weights.as_deref(), demands);
            let graph = data.counted(count)?;
            let mapping = map_mesh_as(&graph, &data.points, weights, &machine, &params, &demands);
            let mapping = mapping.map_err(|error| data.failed(error))?;
            let (part, parts) = (&mapping.partition.part, mapping.placement.parts());
            let sizes = &demands.sizes;
            let figures = PartitionFigures::of_sizes(&graph, part, parts, weights, sizes);
            let quotient = &mapping.quotient;
            let kept = DemandFigures::of(part, quotient, weights, &params.partition, &demands);
            Ok((mapping, figures, kept))
        })?;
        Ok(Mapping { data: self.data.clone(), mapping: Arc::new(mapping), figures, kept, hosts })
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
        figures(&[&self.figures, &self.kept, &*self.mapping])
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
        let (wires, loads) = (phases.routes.wires(), phases.routes.loads());
        let link = |link: u32| {
            let (from, to) = wires.ends(link);
            [i64::from(from), to.into(), loads[link as usize] as i64]
        };
        Some(PyArray1::from_vec(py, wires.links().flat_map(link).collect()))
    }

    /// By processor, its three coordinates, one after another; none on a fat tree.
    fn coordinates<'py>(&self, py: Python<'py>) -> Option<Array<'py, i64>> {
        let machine = &self.mapping.machine;
        let lattice = match machine.network() {
            Some(network) => network.lattice()?,
            None => machine.lattice()?,
        };
        let of = |processor| lattice.coordinates(machine.point(processor)).map(i64::from);
        let flat = (0..machine.processors() as u32).flat_map(of).collect();
        Some(PyArray1::from_vec(py, flat))
    }

    /// By message, its phase; none on a fat tree.
    fn phases<'py>(&self, py: Python<'py>) -> Option<Array<'py, i64>> {
        let MappingTraffic::Routes(phases) = &self.mapping.traffic else { return None };
        Some(parts_array(py, &phases.phase))
    }

    /// By point of the network, its name; none where they have numbers only.
    fn names(&self) -> Option<Vec<String>> {
        let names = self.mapping.machine.network()?.names();
        (!names.is_empty()).then(|| names.to_vec())
    }

    /// What tells a launcher where ranks go.
    fn ranks(&self, format: &str) -> PyResult<String> {
        let format: RankFormat = format.parse().map_err(value_error)?;
        ranks(format, &self.mapping.placement, &self.hosts).map_err(value_error)
    }

    /// A C header with parts and partners.
    fn header(&self) -> String {
        let palmette::Mapping { quotient, placement, machine, .. } = &*self.mapping;
        neighbours_header(quotient, placement, machine)
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
