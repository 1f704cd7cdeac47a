//! Graphs from files: matrices, lists of neighbours, netlists, rasters.
//!
//! A weight is a conductance. What a file says twice is added up, what is not an edge (the
//! diagonal, zeros) is left out, and [`GraphCounts`] tells how much of that there was.

mod entries;
mod format;
mod landscape;
mod matrix;
mod matrix_market;
pub(crate) mod metis;
mod spice;
#[cfg(test)]
mod tests;
mod write;

pub use format::GraphFormat;
pub(crate) use format::is_banner;
pub use landscape::{FocalFile, read_focal_bytes, read_layer_bytes};
pub use matrix::{MatrixError, graph_of_matrix};
pub use matrix_market::{MatrixFile, read_matrix_bytes};
pub use palmette_core::circuit::Potential;
pub use spice::{
    Netlist, NetlistElements, NetlistFile, Probe, TransientCard, read_netlist, read_netlist_bytes,
    read_netlist_within, spice_value,
};
pub use write::{write_edge_pairs, write_matrix_market, write_metis};

use crate::IoError;
use crate::index::Lookup;
use crate::labels::Labels;
use crate::limit::InputLimit;
use crate::source::{Source, name_of, plain, read_bytes_within};
use palmette_core::Graph;
use palmette_core::graph::raster::{Landscape, RasterParams};
use spice::Includes;
use std::path::Path;

/// What to read from a file of a graph.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct GraphReadParams {
    /// The format; by default it is found from the file's name, then its content.
    pub format: Option<GraphFormat>,
    /// How a raster becomes a graph.
    pub raster: RasterParams,
    /// Whether a matrix is to be solved with, whose entries off the diagonal may have either sign
    /// ([`GraphForm::Signed`]).
    pub signed: bool,
}

/// What the numbers of a file mean.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum GraphForm {
    /// Weights of edges.
    Adjacency,
    /// A matrix `L + D`: weights are the negatives of what lies off the diagonal.
    Laplacian,
    /// A symmetric, diagonally dominant matrix with positive entries off its diagonal. The graph is its
    /// double cover: a second vertex for each row, in the order of the rows after the first ones. If
    /// `A x = b`, its Laplacian with ground takes `(x, −x)` to `(b, −b)` ([`GraphFile::fold`]).
    Signed,
    /// Resistors and sources.
    Netlist,
}

/// What was in a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct GraphCounts {
    /// Entries of a matrix, neighbours in lists, elements of a netlist.
    pub entries: usize,
    /// Entries on the diagonal, vertices listed as their own neighbours, resistors
    /// whose ends are the same node or joined by voltage sources.
    pub diagonal: usize,
    /// Entries that were added to an earlier one; resistors with the same two nodes as an
    /// earlier one.
    pub duplicates: usize,
    /// Resistors that were added to an earlier one because voltage sources tie their nodes
    /// to its nodes.
    pub tied: usize,
    /// Entries that are zero; resistors of zero ohms, which join their ends.
    pub zeros: usize,
    /// Weights of each vertex in a METIS file.
    pub constraints: usize,
}

/// Differences between the diagonal of a Laplacian and the sums of its rows that were taken
/// for rounding, so that they do not count as conductances to ground.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rounding {
    /// The rows with a difference.
    pub rows: usize,
    /// The largest difference, as a part of its diagonal entry.
    pub largest: f64,
    /// Whether some are more than sums of doubles round: the numbers have fewer digits.
    pub few_digits: bool,
}

/// A graph as a file states it.
#[derive(Debug, Clone, PartialEq)]
pub struct GraphFile {
    /// The file's name, for messages.
    pub name: String,
    /// Its format.
    pub format: GraphFormat,
    /// The graph. Vertices are rows of the matrix or lists of neighbours, from 0; in a
    /// netlist they are the nodes without a fixed potential, in the order of their
    /// first appearance, those joined by voltage sources as one; in a raster the cells with data,
    /// row by row from the top.
    pub graph: Graph,
    /// The conductance of each vertex to ground; in a netlist to all nodes with a fixed
    /// potential. `None` where there is none anywhere.
    pub ground: Option<Vec<f64>>,
    /// By vertex, its first weight, where a METIS file has weights of vertices.
    pub vertex_weights: Option<Vec<u64>>,
    /// The same for its second weight and all after that.
    pub further_weights: Vec<Vec<u64>>,
    /// What the numbers of the file mean.
    pub form: GraphForm,
    /// What was in the file.
    pub found: GraphCounts,
    /// What was treated as rounding on the diagonal of a Laplacian.
    pub rounding: Option<Rounding>,
    /// Nodes and currents, if the file is a netlist.
    pub netlist: Option<Netlist>,
    /// Where the vertices lie, if the file is a raster.
    pub landscape: Option<Landscape>,
}

impl GraphFile {
    /// A graph that comes from no file.
    pub fn of(name: &str, graph: Graph) -> GraphFile {
        let found = GraphCounts { entries: graph.edge_count(), ..GraphCounts::default() };
        GraphFile::new(name, GraphFormat::MatrixMarket, graph, GraphForm::Adjacency, found)
    }

    /// A graph and what was in its file; there is nothing else.
    fn new(
        name: &str,
        format: GraphFormat,
        graph: Graph,
        form: GraphForm,
        found: GraphCounts,
    ) -> GraphFile {
        GraphFile {
            name: name.to_string(),
            format,
            graph,
            ground: None,
            vertex_weights: None,
            further_weights: Vec::new(),
            form,
            found,
            rounding: None,
            netlist: None,
            landscape: None,
        }
    }

    /// How many entries a right-hand side has: one per vertex, and of a double cover half as many.
    pub fn rows(&self) -> usize {
        if self.form == GraphForm::Signed { self.graph.len() / 2 } else { self.graph.len() }
    }

    /// The right-hand side of the graph for one of the file: of a double cover `(b, −b)`.
    pub fn unfold(&self, mut b: Vec<f64>) -> Vec<f64> {
        if self.form == GraphForm::Signed {
            b.extend_from_within(..);
            let rows = b.len() / 2;
            b[rows..].iter_mut().for_each(|b| *b = -*b);
        }
        b
    }

    /// The solution of the file's matrix from one of the graph: of a double cover `(x − y) / 2`.
    pub fn fold(&self, mut x: Vec<f64>) -> Vec<f64> {
        if self.form == GraphForm::Signed {
            let rows = x.len() / 2;
            let (first, second) = x.split_at_mut(rows);
            first.iter_mut().zip(second).for_each(|(x, y)| *x = (*x - *y) / 2.0);
            x.truncate(rows);
        }
        x
    }

    /// What the file calls its vertices: numbers from 1, in a netlist the names of the nodes
    /// whose potentials they have.
    pub fn vertex_labels(&self) -> Labels {
        match &self.netlist {
            Some(netlist) => {
                let nodes = netlist.vertex_nodes();
                Labels::texts(nodes.into_iter().map(|node| netlist.nodes.get(node).into_owned()))
            }
            None => Labels::counted_from(1, self.rows()),
        }
    }

    /// What queries may name: vertices by their numbers from 1, in a netlist all nodes, those
    /// with a fixed potential among them.
    pub fn query_labels(&self) -> Labels {
        match &self.netlist {
            Some(netlist) => netlist.nodes.clone(),
            None => self.vertex_labels(),
        }
    }

    /// The vertex or node that a label names, by [`GraphFile::query_labels`].
    ///
    /// # Errors
    /// When there is none, or several.
    pub fn query(&self, labels: &Labels, label: &str) -> Result<u32, IoError> {
        let reason = match labels.find(label) {
            Lookup::Vertex(v) => return Ok(v),
            Lookup::Unknown if self.netlist.is_some() => "no node has this name".to_string(),
            Lookup::Unknown => format!("vertices are 1 to {}", self.graph.len()),
            Lookup::Ambiguous(..) => "several nodes have this name".to_string(),
        };
        Err(IoError::Label { file: self.name.clone(), label: label.to_string(), reason })
    }
}

/// Reads a graph. `-` is stdin; gzip and zstd are decompressed.
///
/// # Errors
/// When the file cannot be read or is not what its format demands; the message names
/// the line and what was expected.
pub fn read_graph(path: impl AsRef<Path>, params: &GraphReadParams) -> Result<GraphFile, IoError> {
    read_graph_within(path.as_ref(), params, InputLimit::default())
}

/// As [`read_graph`], with a limit on the size of each file.
///
/// # Errors
/// As [`read_graph`].
pub fn read_graph_within(
    path: &Path,
    params: &GraphReadParams,
    limit: InputLimit,
) -> Result<GraphFile, IoError> {
    let bytes = read_bytes_within(path, limit)?;
    read_from(&name_of(path), &bytes, params, Some(&Includes::beside(path, limit)))
}

/// As [`read_graph`], from bytes that are already here; `name` is for messages and for
/// finding the format. A netlist that includes files has to be read from its own.
///
/// ```
/// use palmette_io::{GraphReadParams, read_graph_bytes};
/// let text = b"%%MatrixMarket matrix coordinate real symmetric\n2 2 1\n2 1 0.5\n";
/// let file = read_graph_bytes("wire.mtx", text, &GraphReadParams::default())?;
/// assert_eq!(file.graph.weight(0, 1), Some(0.5));
/// # Ok::<(), palmette_io::IoError>(())
/// ```
///
/// # Errors
/// As [`read_graph`].
pub fn read_graph_bytes(
    name: &str,
    bytes: &[u8],
    params: &GraphReadParams,
) -> Result<GraphFile, IoError> {
    read_from(name, bytes, params, None)
}

fn read_from(
    name: &str,
    bytes: &[u8],
    params: &GraphReadParams,
    includes: Option<&Includes>,
) -> Result<GraphFile, IoError> {
    let data = plain(name, bytes)?;
    let said = params.format.or_else(|| GraphFormat::from_name(name));
    let format = said.map_or_else(|| GraphFormat::from_content(name, &data), Ok)?;
    let source = Source::new(name, &data)?;
    let file = match format {
        GraphFormat::MatrixMarket => matrix_market::read(&source, params.signed)?,
        GraphFormat::Metis => metis::read(&source)?,
        GraphFormat::AsciiGrid => landscape::read(&source, params)?,
        // Sources may fix the potentials of all nodes.
        GraphFormat::Spice => return spice::graph_file(&source, includes),
    };
    match file.graph.is_empty() {
        true => Err(IoError::NoVertices { file: file.name }),
        false => Ok(file),
    }
}

/// The first byte from `at` on that is not a blank.
#[inline]
fn blanks(data: &[u8], mut at: usize) -> usize {
    while matches!(data.get(at), Some(b' ' | b'\t')) {
        at += 1;
    }
    at
}
