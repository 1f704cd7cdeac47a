//! Meshes from arrays, shapes and files.

use super::{Mesh, MeshData};
use crate::graph::Graph;
use crate::prelude::*;
use palmette::core::mesh::{Cells, ElementKind, Point};
use palmette::mesh::element::node_graph;
use palmette::mesh::shapes::{MeshShape, generate};
use palmette::{GraphFile, MeshInput, MeshInputParams, read_mesh_input};
use pyo3::exceptions::PyUserWarning;
use std::ffi::CString;

fn kind(name: &str) -> PyResult<ElementKind> {
    match name {
        "triangle" => Ok(ElementKind::Triangle),
        "quad" => Ok(ElementKind::Quadrilateral),
        "tetra" => Ok(ElementKind::Tetrahedron),
        "hexahedron" => Ok(ElementKind::Hexahedron),
        "wedge" => Ok(ElementKind::Prism),
        "pyramid" => Ok(ElementKind::Pyramid),
        other => Err(value_error(format!(
            "expected cells of type triangle, quad, tetra, hexahedron, wedge or pyramid, found \
             `{other}`"
        ))),
    }
}

#[pymethods]
impl Mesh {
    /// From three coordinates per node and blocks of cells of one type, their nodes one after
    /// another.
    #[staticmethod]
    fn from_cells(
        py: Python<'_>,
        name: String,
        points: &Array<'_, f64>,
        blocks: Vec<(String, Array<'_, i64>)>,
        threads: Option<usize>,
    ) -> PyResult<Mesh> {
        let points = Lent::new(points)?;
        let blocks = blocks
            .iter()
            .map(|(name, nodes)| Ok((kind(name)?, Lent::new(nodes)?)))
            .collect::<PyResult<Vec<_>>>()?;
        let size = points.len();
        let data = run(py, threads, size, move |_| {
            let points: Vec<Point> = points.chunks_exact(3).map(|p| [p[0], p[1], p[2]]).collect();
            let count = points.len();
            let mut cells = Cells::default();
            for (kind, nodes) in &blocks {
                let narrow = |&node: &i64| match u32::try_from(node) {
                    Ok(node) if (node as usize) < count => Ok(node),
                    _ => Err(value(format!(
                        "a {kind} names node {node}, but there are only {count} nodes"
                    ))),
                };
                let nodes: Vec<u32> = nodes.iter().map(narrow).collect::<Result<_, _>>()?;
                if !nodes.len().is_multiple_of(kind.nodes()) {
                    let (each, found) = (kind.nodes(), nodes.len());
                    return Err(value(format!("expected {each} nodes per {kind}, found {found}")));
                }
                cells.append(&Cells::of_kind(*kind, nodes, 0));
            }
            let mesh = palmette::core::Mesh::new(points, cells).map_err(value)?;
            Ok(MeshData::of(name, mesh))
        })?;
        Ok(Mesh { data: Arc::new(data) })
    }

    /// From a graph, and three coordinates per vertex or none.
    #[staticmethod]
    fn from_graph(graph: &Graph, points: &Array<'_, f64>) -> PyResult<Mesh> {
        let lent = Lent::new(points)?;
        let points: Vec<Point> = lent.chunks_exact(3).map(|p| [p[0], p[1], p[2]]).collect();
        let GraphFile { name, graph, vertex_weights, further_weights, .. } = &*graph.file;
        if !points.is_empty() && points.len() != graph.len() {
            let (vertices, found) = (graph.len(), points.len());
            return Err(value_error(format!("points: expected {vertices} rows, found {found}")));
        }
        let narrow = |&weight: &u64| {
            let wrong =
                || value_error(format!("{name}: expected weights below 2^32, found {weight}"));
            u32::try_from(weight).map_err(|_| wrong())
        };
        let narrowed = |all: &Vec<u64>| all.iter().map(narrow).collect();
        let weights = vertex_weights.as_ref().map(narrowed).transpose()?;
        let further = further_weights.iter().map(narrowed).collect::<PyResult<_>>()?;
        let (name, graph) = (name.clone(), graph.clone());
        Ok(Mesh { data: Arc::new(MeshData { name, graph, points, weights, further, mesh: None }) })
    }

    /// A built-in shape.
    #[staticmethod]
    fn generate(py: Python<'_>, shape: &str, seed: u64, threads: Option<usize>) -> PyResult<Mesh> {
        let shape: MeshShape = parsed(shape)?;
        let size = usize::try_from(shape.nodes()).unwrap_or(usize::MAX);
        let data = run(py, threads, size, move |_| {
            let mesh = generate(shape, seed).map_err(value)?;
            Ok(MeshData::of(shape.to_string(), mesh))
        })?;
        Ok(Mesh { data: Arc::new(data) })
    }

    /// From a file of a mesh, or of a graph, with points from another file or without.
    #[staticmethod]
    fn read(
        py: Python<'_>,
        path: PathBuf,
        format: Option<&str>,
        xyz: Option<PathBuf>,
        merge: bool,
        threads: Option<usize>,
    ) -> PyResult<Mesh> {
        let graph = format == Some("graph");
        let format = format.filter(|_| !graph).map(parsed).transpose()?;
        let params = MeshInputParams { format, graph, xyz, merge, ..Default::default() };
        let input = run(py, threads, usize::MAX, move |_| Ok(read_mesh_input(&path, &params)?))?;
        let MeshInput { name, graph, points, weights, further, mesh } = input;
        if mesh.as_ref().is_some_and(|file| file.found.weights > 0) {
            let text = "the weights of the elements are ignored; pass weights= to partition";
            let text = CString::new(format!("{name}: {text}"))?;
            PyErr::warn(py, &py.get_type::<PyUserWarning>(), &text, 2)?;
        }
        let mesh = mesh.map(|file| file.mesh);
        Ok(Mesh { data: Arc::new(MeshData { name, graph, points, weights, further, mesh }) })
    }
}

impl MeshData {
    fn of(name: String, mesh: palmette::core::Mesh) -> MeshData {
        let points = mesh.points().to_vec();
        let graph = node_graph(&mesh);
        let (weights, further, mesh) = (None, Vec::new(), Some(mesh));
        MeshData { name, graph, points, weights, further, mesh }
    }
}
