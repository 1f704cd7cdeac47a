//! Focal points of graphs and landscapes from files; what flows between them, by their names.

use palmette_graph::focal::DrivenError;
use palmette_io::{
    FocalFile, GraphFile, IoError, Labels, Lookup, read_focal_bytes, read_layer_bytes,
    read_sets_bytes,
};

/// Focal regions of a graph from a file.
#[derive(Debug, Clone)]
pub struct FocalRegions {
    /// Their names: numbers in a landscape, otherwise those of their first vertices.
    pub names: Labels,
    /// By region, its vertices; none where all its cells were skipped.
    pub vertices: Vec<Vec<u32>>,
    /// Cells without data that were skipped.
    pub skipped: usize,
}

impl FocalRegions {
    /// The region of a name.
    ///
    /// # Errors
    /// When there is none; `file` is what named it.
    pub fn find(&self, file: &str, name: &str) -> Result<u32, IoError> {
        let reason = match self.names.find(name) {
            Lookup::Vertex(region) => return Ok(region),
            Lookup::Ambiguous(..) => "several focal points have this name",
            Lookup::Unknown => "no focal point has this number",
        };
        let (file, label, reason) = (file.to_string(), name.to_string(), reason.to_string());
        Err(IoError::Label { file, label, reason })
    }
}

/// Reads focal points: of a landscape a raster or lines `number x y`, of other graphs the vertices of
/// a region on each line. With `skip`, cells without data are left out.
///
/// ```
/// use palmette::graph::focal::{FocalParams, focal_resistances};
/// use palmette::{GraphReadParams, io::read_graph_bytes, read_focal_regions};
/// let head = "ncols 3\nnrows 1\nxllcorner 0\nyllcorner 0\ncellsize 1\n";
/// let land = format!("{head}1 2 4\n");
/// let file = read_graph_bytes("land.asc", land.as_bytes(), &GraphReadParams::default())?;
/// let regions = read_focal_regions(&file, "points", b"7 0.5 0.5\n9 2.5 0.5\n", false)?;
/// let (_, found) = focal_resistances(&file.graph, &regions.vertices, &FocalParams::default())?;
/// assert_eq!(found, [4.5]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// As [`read_focal_bytes`] and [`read_sets_bytes`].
pub fn read_focal_regions(
    file: &GraphFile,
    name: &str,
    bytes: &[u8],
    skip: bool,
) -> Result<FocalRegions, IoError> {
    if let Some(landscape) = &file.landscape {
        let FocalFile { numbers, vertices, skipped } =
            read_focal_bytes(name, bytes, landscape, skip)?;
        let names = Labels::integers(numbers.into_iter().map(i64::from).collect());
        return Ok(FocalRegions { names, vertices, skipped });
    }
    let labels = file.vertex_labels();
    let vertices = read_sets_bytes(name, bytes, &labels)?;
    if vertices.is_empty() {
        return Err(IoError::Line {
            file: name.to_string(),
            line: 1,
            expected: "a vertex, or the vertices of a region, on each line".to_string(),
            found: "none".to_string(),
        });
    }
    let first = |set: &Vec<u32>| set.first().map(|&v| labels.get(v).into_owned());
    let names = Labels::texts(vertices.iter().map(|set| first(set).unwrap_or_default()));
    Ok(FocalRegions { names, vertices, skipped: 0 })
}

/// By vertex of a landscape, the current that a raster lets enter; 0 where it has no data.
///
/// # Errors
/// As [`read_layer_bytes`].
///
/// # Panics
/// When the graph is no landscape.
pub fn read_sources(file: &GraphFile, name: &str, bytes: &[u8]) -> Result<Vec<f64>, IoError> {
    let landscape = file.landscape.as_ref().expect("a landscape");
    let layer = read_layer_bytes(name, bytes, landscape)?;
    Ok(layer.into_iter().map(|value| value.unwrap_or(0.0)).collect())
}

/// By vertex of a landscape, its conductance to ground: what a raster has or, if it has
/// `resistances`, one over it; infinite where the resistance is 0. None where it has no data.
///
/// # Errors
/// As [`read_layer_bytes`]; negative numbers.
///
/// # Panics
/// When the graph is no landscape.
pub fn read_grounds(
    file: &GraphFile,
    name: &str,
    bytes: &[u8],
    resistances: bool,
) -> Result<Vec<f64>, IoError> {
    let landscape = file.landscape.as_ref().expect("a landscape");
    let layer = read_layer_bytes(name, bytes, landscape)?;
    if let Some(vertex) = layer.iter().position(|value| value.is_some_and(|g| g < 0.0)) {
        let (row, column) = landscape.place(vertex as u32);
        return Err(IoError::Label {
            file: name.to_string(),
            label: layer[vertex].unwrap_or(0.0).to_string(),
            reason: format!(
                "row {}, column {}: resistances and conductances to ground are 0 or above",
                row + 1,
                column + 1
            ),
        });
    }
    let conductance = |value: Option<f64>| match value {
        None => 0.0,
        Some(0.0) if resistances => f64::INFINITY,
        Some(value) => {
            if resistances {
                1.0 / value
            } else {
                value
            }
        }
    };
    Ok(layer.into_iter().map(conductance).collect())
}

/// An error about given currents, with the file's name and the place of the vertex.
pub fn explain_driven(file: &GraphFile, error: DrivenError) -> String {
    let DrivenError::NoGround { vertex, size, sum } = error else {
        return match error {
            DrivenError::Solve(error) => crate::explain(file, error),
            other => format!("{}: {other}", file.name),
        };
    };
    let place = match &file.landscape {
        Some(landscape) => {
            let (row, column) = landscape.place(vertex);
            format!("the cell in row {}, column {}", row + 1, column + 1)
        }
        None => format!("vertex {}", vertex + 1),
    };
    format!(
        "{}: a current of {sum} enters at {place}, but nothing that it can reach is grounded \
        ({size} cells)",
        file.name
    )
}
