//! Reads what is cut into parts: a graph, from a mesh file or a graph file, and where its vertices lie.

use palmette_core::Graph;
use palmette_core::mesh::Point;
use palmette_io::{
    GraphFormat, GraphReadParams, InputLimit, IoError, MeshFile, MeshFormat, MeshReadParams,
    name_of, read_all_points_bytes, read_bytes_within, read_graph_within, read_mesh_bytes,
    read_points_bytes,
};
use palmette_mesh::element::node_graph;
use std::path::{Path, PathBuf};

/// How a file is read.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct MeshInputParams {
    /// The format of a mesh; by default it is found from the file's content.
    pub format: Option<MeshFormat>,
    /// The file is a graph, whatever its name; names that end in `graph` or `mtx` say so too.
    pub graph: bool,
    /// A file with the points of a METIS mesh, which has none of its own and needs them, or of a
    /// graph, which may do without.
    pub xyz: Option<PathBuf>,
    /// Whether nodes of a mesh that lie at the same place are merged.
    pub merge: bool,
    /// How much is read of each file.
    pub limit: InputLimit,
}

impl MeshInputParams {
    /// Whether a file of this name is read as a graph.
    pub fn reads_graph(&self, path: &Path) -> bool {
        let by_name = || GraphFormat::from_name(&path.to_string_lossy()).is_some();
        self.graph || (self.format.is_none() && by_name())
    }
}

/// What can be cut: the nodes of a mesh that share an element, or a graph from a file.
#[derive(Debug, Clone, PartialEq)]
pub struct MeshInput {
    /// The file's name, for messages.
    pub name: String,
    /// The graph; its vertices are the nodes of the mesh.
    pub graph: Graph,
    /// By vertex, its point; empty for a graph without.
    pub points: Vec<Point>,
    /// By vertex, its weight, where the file has some.
    pub weights: Option<Vec<u32>>,
    /// The same for second weights and all after them.
    pub further: Vec<Vec<u32>>,
    /// The mesh, unless the file is that of a graph.
    pub mesh: Option<MeshFile>,
}

impl MeshInput {
    /// Where vertices lie.
    ///
    /// # Errors
    /// Nobody knows: a graph without points.
    pub fn located(&self) -> Result<&[Point], IoError> {
        match self.points.is_empty() && !self.graph.is_empty() {
            true => Err(IoError::NoCoordinates { file: self.name.clone(), what: "this graph" }),
            false => Ok(&self.points),
        }
    }
}

/// Reads a mesh or a graph.
///
/// # Errors
/// As [`read_mesh_bytes`], [`read_graph_within`] and [`read_points_bytes`]; a graph whose vertices
/// are to be merged; weights of vertices that do not fit 32 bits.
pub fn read_mesh_input(
    path: impl AsRef<Path>,
    params: &MeshInputParams,
) -> Result<MeshInput, IoError> {
    let path = path.as_ref();
    if params.reads_graph(path) {
        return graph_input(path, params);
    }
    let file = read_mesh_file(path, params)?;
    Ok(MeshInput {
        name: file.name.clone(),
        graph: node_graph(&file.mesh),
        points: file.mesh.points().to_vec(),
        weights: None,
        further: Vec::new(),
        mesh: Some(file),
    })
}

/// Reads a mesh, with its points from their own file where there is one. What the parameters
/// say of graphs is not looked at.
///
/// # Errors
/// As [`read_mesh_bytes`] and [`read_all_points_bytes`].
pub fn read_mesh_file(
    path: impl AsRef<Path>,
    params: &MeshInputParams,
) -> Result<MeshFile, IoError> {
    let path = path.as_ref();
    let bytes = |path: &Path| read_bytes_within(path, params.limit);
    let all_points = |xyz: &PathBuf| read_all_points_bytes(&name_of(xyz), &bytes(xyz)?);
    let points = params.xyz.as_ref().map(all_points).transpose()?;
    let read = MeshReadParams { format: params.format, merge: params.merge, points };
    read_mesh_bytes(&name_of(path), &bytes(path)?, &read)
}

fn graph_input(path: &Path, params: &MeshInputParams) -> Result<MeshInput, IoError> {
    let bytes = |path: &Path| read_bytes_within(path, params.limit);
    let file = read_graph_within(path, &GraphReadParams::default(), params.limit)?;
    let wrong = |expected: &str, found: String| IoError::Line {
        file: file.name.clone(),
        line: 1,
        expected: expected.to_string(),
        found,
    };
    if params.merge {
        let found = "a graph, whose vertices are never merged".to_string();
        return Err(wrong("a mesh, to merge nodes", found));
    }
    let some = |xyz: &PathBuf| read_points_bytes(&name_of(xyz), &bytes(xyz)?, file.graph.len());
    let points = params.xyz.as_ref().map(some).transpose()?.unwrap_or_default();
    let narrow = |(vertex, &weight): (usize, &u64)| {
        let found = || format!("{weight} at vertex {}", vertex + 1);
        u32::try_from(weight).map_err(|_| wrong("weights of vertices below 2^32", found()))
    };
    let narrowed = |all: &Vec<u64>| all.iter().enumerate().map(narrow).collect();
    let weights = file.vertex_weights.as_ref().map(narrowed).transpose()?;
    let further = file.further_weights.iter().map(narrowed).collect::<Result<_, _>>()?;
    let (name, graph) = (file.name.clone(), file.graph);
    Ok(MeshInput { name, graph, points, weights, further, mesh: None })
}
