//! The meshes of the study.

use palmette_core::Mesh;
use palmette_core::graph::Graph;
use palmette_core::mesh::Point;
use palmette_io::{MeshReadParams, read_all_points_bytes, read_bytes, read_mesh};
use palmette_mesh::element::node_graph;
use palmette_mesh::shapes::generate;
use std::path::Path;

/// A mesh to measure on.
pub struct Input {
    /// Its name in the tables.
    pub name: String,
    /// Its elements.
    pub mesh: Mesh,
    /// Which nodes share an element.
    pub graph: Graph,
}

impl Input {
    fn new(name: &str, mesh: Mesh) -> Input {
        let graph = node_graph(&mesh);
        Input { name: name.to_string(), mesh, graph }
    }

    /// Where its nodes lie.
    pub fn points(&self) -> &[Point] {
        self.mesh.points()
    }
}

/// A generated mesh; its name is its shape.
///
/// # Panics
/// When the text names no shape: that is the study's mistake.
pub fn made(shape: &str) -> Input {
    let shaped = shape.parse().expect("the study names shapes");
    Input::new(shape, generate(shaped, 1).expect("the shapes exist at these sizes"))
}

/// A mesh from a file beside the repository; nothing but a message when there is none.
///
/// # Errors
/// When the file is there, but no mesh.
pub fn read(name: &str) -> Result<Option<Input>, String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/data/meshes");
    let path = folder.join(format!("{name}.mesh"));
    if !path.exists() {
        eprintln!("{} is missing", path.display());
        return Ok(None);
    }
    let file = format!("{name}.xyz");
    let points = read_bytes(&folder.join(&file))
        .and_then(|bytes| read_all_points_bytes(&file, &bytes))
        .map_err(|e| e.to_string())?;
    let params = MeshReadParams { points: Some(points), ..Default::default() };
    let mesh = read_mesh(&path, &params).map_err(|e| e.to_string())?.mesh;
    Ok(Some(Input::new(name, mesh)))
}

/// The meshes that have published figures, or generated ones where their files are missing.
///
/// # Errors
/// When a file is there, but no mesh.
pub fn meshes(quick: bool) -> Result<Vec<Input>, String> {
    if quick {
        return Ok(vec![made("crack-plate:600"), made("tetrahedra:6x6x6")]);
    }
    let mut found = Vec::new();
    for name in ["crackplate", "airfoil1", "4elt", "penny_small"] {
        found.extend(read(name)?);
    }
    if found.is_empty() {
        found = vec![made("crack-plate"), made("penny-crack")];
    }
    Ok(found)
}
