//! Meshes: parts, and parts on machines.

mod demands;
mod make;
mod mapping;

pub(crate) use mapping::Mapping;

use crate::prelude::*;
use crate::record::figures;
use demands::DemandOptions;
use palmette::core::mesh::Point;
use palmette::graph::order::{OrderMethod, OrderParams, order};
use palmette::io::coincident_nodes;
use palmette::mesh::Quotient;
use palmette::mesh::element::dual_graph;
use palmette::mesh::partition::{Demands, PartitionParams, element_partition_as, partition_as};
use palmette::pictures::{DrawnMesh, Parts, Topology};
use palmette::{DemandFigures, Graph, MeshFigures, PartitionFigures};
use pyo3::types::PyDict;
use std::borrow::Cow;

/// A graph with points, and the mesh it comes from.
pub(crate) struct MeshData {
    name: String,
    graph: Graph,
    points: Vec<Point>,
    weights: Option<Vec<u32>>,
    /// Second weights, and all after them.
    further: Vec<Vec<u32>>,
    mesh: Option<palmette::core::Mesh>,
}

/// A mesh; `palmette.Mesh` wraps it.
#[pyclass(frozen, module = "palmette._palmette")]
pub(crate) struct Mesh {
    data: Arc<MeshData>,
}

/// How a mesh is cut.
#[derive(Debug, Clone, FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct CutOptions {
    parts: u32,
    preset: String,
    bisection: String,
    refine: bool,
    imbalance: f64,
    cycles: Option<usize>,
    tries: Option<usize>,
    sample: Option<usize>,
    contiguous: bool,
    seed: u64,
}

impl CutOptions {
    fn params(&self) -> PyResult<PartitionParams> {
        let params = PartitionParams {
            parts: self.parts,
            preset: self.preset.parse().map_err(value_error)?,
            bisection: self.bisection.parse().map_err(value_error)?,
            imbalance: self.imbalance,
            refine: self.refine,
            cycles: self.cycles,
            contiguous: self.contiguous,
            tries: self.tries,
            sample: self.sample,
            seed: self.seed,
        };
        params.check().map_err(value_error)?;
        Ok(params)
    }
}

/// Weights as the façade has them.
fn weights(given: Option<&Array<'_, i64>>) -> PyResult<Option<Vec<u32>>> {
    let Some(given) = given else { return Ok(None) };
    let narrow = |(at, &weight): (usize, &i64)| {
        let wrong =
            || value_error(format!("weights: expected 0 to 2^32 - 1, found {weight} at {at}"));
        u32::try_from(weight).map_err(|_| wrong())
    };
    let lent = Lent::new(given)?;
    let narrowed: PyResult<Vec<u32>> = lent.iter().enumerate().map(narrow).collect();
    narrowed.map(Some)
}

fn parts_array<'py>(py: Python<'py>, part: &[u32]) -> Array<'py, i64> {
    PyArray1::from_vec(py, part.iter().map(|&p| p.into()).collect())
}

getters! { Mesh:
    name: &str = |of| &of.data.name;
    edge_count: usize = |of| of.data.graph.edge_count();
    element_count: usize = |of| of.data.mesh.as_ref().map_or(0, |mesh| mesh.elements().len());
    dimension: u8 = |of| of.data.mesh.as_ref().map_or(0, |mesh| mesh.dimension());
}

#[pymethods]
impl Mesh {
    fn __len__(&self) -> usize {
        self.data.graph.len()
    }

    /// How many nodes lie at the place of an earlier one.
    fn coincident(&self, py: Python<'_>) -> PyResult<usize> {
        let data = self.data.clone();
        run(py, None, data.points.len(), move |_| Ok(coincident_nodes(&data.points)))
    }

    /// The number of connected components.
    fn components(&self, py: Python<'_>) -> PyResult<usize> {
        let data = self.data.clone();
        run(py, None, data.graph.len(), move |_| match &data.mesh {
            Some(mesh) => Ok(MeshFigures::of(mesh, &data.graph).components),
            None => Ok(data.graph.components().count()),
        })
    }

    /// Three coordinates per node, one after another.
    fn points<'py>(&self, py: Python<'py>) -> Array<'py, f64> {
        PyArray1::from_vec(py, self.data.points.iter().flatten().copied().collect())
    }

    /// Elements: where the nodes of each begin, and the nodes.
    fn elements<'py>(&self, py: Python<'py>) -> (Array<'py, i64>, Array<'py, i64>) {
        let (offsets, nodes) = match &self.data.mesh {
            Some(mesh) => (mesh.elements().offsets(), mesh.elements().all_nodes()),
            None => (&[0][..], &[][..]),
        };
        let offsets = offsets.iter().map(|&x| x as i64).collect();
        let nodes = nodes.iter().map(|&x| x.into()).collect();
        (PyArray1::from_vec(py, offsets), PyArray1::from_vec(py, nodes))
    }

    /// Parts of the nodes, or of the elements, with their figures as JSON.
    fn partition<'py>(
        &self,
        py: Python<'py>,
        options: CutOptions,
        elements: bool,
        demands: &Bound<'py, PyDict>,
        threads: Option<usize>,
    ) -> PyResult<(Array<'py, i64>, String)> {
        let params = options.params()?;
        let (weights, demands, count) = demands.extract::<DemandOptions<'_>>()?.read()?;
        let data = self.data.clone();
        let (part, figures) = run(py, threads, usize::MAX, move |_| {
            let parts = params.parts as usize;
            if !elements {
                let (weights, demands) = data.weighed(weights.as_deref(), demands);
                let graph = data.counted(count)?;
                let part = partition_as(&graph, &data.points, weights, &params, &demands);
                let part = part.map_err(|error| data.failed(error))?.part;
                let sizes = &demands.sizes;
                let found = PartitionFigures::of_sizes(&graph, &part, parts, weights, sizes);
                let quotient = Quotient::of(&graph, &part, parts);
                let kept = DemandFigures::of(&part, &quotient, weights, &params, &demands);
                return Ok((part, figures(&[&found, &kept])));
            }
            let Some(mesh) = &data.mesh else {
                return Err(data.failed("expected a mesh with elements, found a graph"));
            };
            let weights = weights.as_deref();
            let cut = element_partition_as(mesh, weights, &params, &demands);
            let cut = cut.map_err(|error| data.failed(error))?;
            let dual = dual_graph(mesh);
            let sizes = &demands.sizes;
            let found = PartitionFigures::of_sizes(&dual, &cut.part, parts, weights, sizes);
            let kept = DemandFigures::of(&cut.part, &cut.quotient, weights, &params, &demands);
            let figures = figures(&[&found, &cut, &kept]);
            Ok((cut.part, figures))
        })?;
        Ok((parts_array(py, &part), figures))
    }

    /// An order of elimination, with its figures as JSON.
    fn order<'py>(
        &self,
        py: Python<'py>,
        method: &str,
        seed: u64,
        threads: Option<usize>,
    ) -> PyResult<(Array<'py, i64>, String)> {
        let method = method.parse::<OrderMethod>().map_err(value_error)?;
        let data = self.data.clone();
        let (vertices, figures) = run(py, threads, usize::MAX, move |cancel| {
            let params = OrderParams { method, seed, cancel: Some(cancel.clone()) };
            let found = order(&data.graph, &params).map_err(|error| data.failed(error))?;
            let figures = figures(&[&found]);
            Ok((found.vertices, figures))
        })?;
        Ok((parts_array(py, &vertices), figures))
    }

    /// A picture of the mesh, or of `count` parts of its nodes or elements.
    fn svg(
        &self,
        py: Python<'_>,
        parts: Option<&Array<'_, i64>>,
        elements: bool,
        count: usize,
    ) -> PyResult<String> {
        let parts = self::weights(parts)?;
        let data = self.data.clone();
        run(py, None, data.graph.len(), move |_| {
            let expected = match &data.mesh {
                Some(mesh) if elements => mesh.elements().len(),
                _ => data.graph.len(),
            };
            if let Some(found) = parts.as_ref().map(Vec::len).filter(|&n| n != expected) {
                return Err(value(format!("expected {expected} parts, found {found}")));
            }
            if data.points.is_empty() && !data.graph.is_empty() {
                return Err(data.failed("no coordinates to draw this graph by"));
            }
            let mesh = data.drawn();
            let picture = match &parts {
                Some(part) if elements => mesh.parts_picture(Parts::OfElements(part), count),
                Some(part) => mesh.parts_picture(Parts::OfNodes(part), count),
                None => mesh.picture(),
            };
            Ok(picture.svg)
        })
    }
}

impl MeshData {
    /// The weights that count: those given, else those of the file; and demands with further ones.
    fn weighed<'a>(
        &'a self,
        given: Option<&'a [u32]>,
        demands: Demands,
    ) -> (Option<&'a [u32]>, Demands) {
        match given {
            Some(_) => (given, demands),
            None => (self.weights.as_deref(), Demands { further: self.further.clone(), ..demands }),
        }
    }

    /// The graph; its edges without their weights if they are counted.
    fn counted(&self, count: bool) -> Result<Cow<'_, Graph>, Failure> {
        if !count {
            return Ok(Cow::Borrowed(&self.graph));
        }
        let edges: Vec<_> = self.graph.edges().map(|(a, b, _)| (a, b, 1.0)).collect();
        let graph = Graph::from_edges(self.graph.len(), &edges);
        Ok(Cow::Owned(graph.map_err(|error| self.failed(error))?))
    }

    /// What pictures show.
    fn drawn(&self) -> DrawnMesh<'_> {
        let between = match &self.mesh {
            Some(mesh) => Topology::Mesh(mesh),
            None => Topology::Graph(&self.graph),
        };
        DrawnMesh { name: &self.name, points: &self.points, between }
    }

    fn failed(&self, error: impl std::fmt::Display) -> Failure {
        value(format!("{}: {error}", self.name))
    }
}
