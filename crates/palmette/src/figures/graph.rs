//! Figures of a graph: sizes, degrees, weights, components.

use super::*;
use palmette_io::{GraphFile, GraphForm};

/// The size and shape of a graph.
///
/// ```
/// use palmette::{Graph, GraphFigures};
/// let graph = Graph::from_edges(4, &[(0, 1, 2.0), (1, 2, 0.5)])?;
/// let figures = GraphFigures::of(&graph, None);
/// assert_eq!((figures.components, figures.min_degree, figures.max_degree), (2, 0, 2));
/// assert_eq!(figures.weights, Some((0.5, 2.0)));
/// # Ok::<(), palmette::core::GraphError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct GraphFigures {
    /// The number of vertices.
    pub vertices: usize,
    /// The number of edges.
    pub edges: usize,
    /// The number of connected components.
    pub components: usize,
    /// The number of vertices of the largest component.
    pub largest_component: usize,
    /// The smallest number of neighbours.
    pub min_degree: usize,
    /// The largest number of neighbours.
    pub max_degree: usize,
    /// The mean number of neighbours.
    pub mean_degree: f64,
    /// The smallest and the largest weight; nothing without edges.
    pub weights: Option<(f64, f64)>,
    /// How many vertices have a conductance to ground.
    pub grounded: usize,
    /// Bytes that the graph takes in memory, for each edge.
    pub bytes_per_edge: f64,
}

impl GraphFigures {
    /// The figures of a graph whose vertices may have conductances to ground; a few sweeps over it.
    pub fn of(graph: &Graph, ground: Option<&[f64]>) -> GraphFigures {
        let (vertices, edges) = (graph.len(), graph.edge_count());
        let components = graph.components();
        let degrees = || (0..vertices as u32).map(|v| graph.degree(v));
        let range = |(low, high): (f64, f64), &w: &f64| (low.min(w), high.max(w));
        let weights = graph.all_weights().iter().fold((f64::INFINITY, 0.0), range);
        let bytes = size_of_val(graph.offsets())
            + size_of_val(graph.all_neighbours())
            + size_of_val(graph.all_weights());
        GraphFigures {
            vertices,
            edges,
            components: components.count(),
            largest_component: components.sizes.iter().max().map_or(0, |&size| size as usize),
            min_degree: degrees().min().unwrap_or(0),
            max_degree: degrees().max().unwrap_or(0),
            mean_degree: 2.0 * edges as f64 / vertices.max(1) as f64,
            weights: (edges > 0).then_some(weights),
            grounded: ground.map_or(0, |ground| ground.iter().filter(|g| **g > 0.0).count()),
            bytes_per_edge: bytes as f64 / edges.max(1) as f64,
        }
    }

    /// The size of a graph that was made.
    pub fn size(&self, record: &mut Record) {
        figures!(record, self => vertices, edges, components, max_degree);
    }

    /// The size and weights of a graph that was made of another.
    pub fn brief(&self, record: &mut Record) {
        self.size(record);
        self.weights(record);
    }

    fn weights(&self, record: &mut Record) {
        if let Some((low, high)) = self.weights {
            record.figure("min_weight", low).figure("max_weight", high);
        }
    }
}

impl Figures for GraphFigures {
    fn figures(&self, record: &mut Record) {
        figures!(record, self => components, largest_component, min_degree, max_degree,
            mean_degree);
        self.weights(record);
    }
}

/// The size of a graph.
impl Figures for GraphFile {
    fn figures(&self, record: &mut Record) {
        record.figure("vertices", self.graph.len()).figure("edges", self.graph.edge_count());
    }
}

/// Adds what the reader of a graph left out or added up.
pub fn reader(record: &mut Record, file: &GraphFile) {
    record.figure("diagonal", file.found.diagonal).figure("duplicates", file.found.duplicates);
    if file.form == GraphForm::Netlist {
        record.figure("tied", file.found.tied);
    }
    record.figure("zeros", file.found.zeros);
    if let Some(rounding) = file.rounding {
        record.figure("rounding", rounding.largest);
    }
}

/// Everything about a graph from a file.
#[derive(Debug)]
pub struct GraphInfo<'a> {
    /// Its shape.
    pub figures: GraphFigures,
    /// Its file.
    pub file: &'a GraphFile,
}

impl<'a> GraphInfo<'a> {
    /// Looks at a graph; a few sweeps over it.
    pub fn of(file: &'a GraphFile) -> GraphInfo<'a> {
        GraphInfo { figures: GraphFigures::of(&file.graph, file.ground.as_deref()), file }
    }
}

impl Figures for GraphInfo<'_> {
    fn figures(&self, record: &mut Record) {
        let GraphInfo { figures, file } = self;
        figures.figures(record);
        let form = match file.form {
            GraphForm::Laplacian => "laplacian",
            GraphForm::Signed => "signed",
            GraphForm::Netlist => "netlist",
            _ if file.landscape.is_some() => "landscape",
            _ => "weights",
        };
        record
            .figure("form", form)
            .figure("format", file.format.to_string())
            .figure("entries", file.found.entries)
            .figure("grounded", figures.grounded);
        if let Some(landscape) = &file.landscape {
            figures!(record, landscape => rows, columns);
        }
        if let Some(netlist) = &file.netlist {
            record.figure("nodes", netlist.nodes.len());
            figures!(record, netlist.elements => resistors, capacitors, inductors,
                voltage_sources, current_sources, shorts);
        }
        reader(record, file);
        if figures.edges > 0 {
            record.figure("bytes_per_edge", figures.bytes_per_edge);
        }
    }
}

/// Compute effective resistances between pairs of vertices.
#[derive(Debug)]
pub struct ResistanceFigures<'a>(pub &'a [f64]);

impl ResistanceFigures<'_> {
    /// Pairs without a path between them.
    pub fn without_path(&self) -> usize {
        self.0.iter().filter(|resistance| resistance.is_infinite()).count()
    }
}

impl Figures for ResistanceFigures<'_> {
    fn figures(&self, record: &mut Record) {
        record.figure("queries", self.0.len()).figure("without_path", self.without_path());
        match self.0 {
            [found] if found.is_finite() => record.figure("resistance", *found),
            // JSON has no infinity.
            [found] => record.figure("resistance", found.to_string()),
            _ => record,
        };
    }
}

/// What flowed between focal points, or from sources to ground.
#[derive(Debug)]
pub struct CurrentFigures<'a> {
    /// How many currents flowed, one after another.
    pub experiments: usize,
    /// By vertex, the current.
    pub currents: &'a [f64],
    /// Their resistances.
    pub resistances: &'a [f64],
}

impl Figures for CurrentFigures<'_> {
    fn figures(&self, record: &mut Record) {
        let most = self.currents.iter().copied().fold(0.0, f64::max);
        let apart = self.resistances.iter().filter(|r| r.is_infinite()).count();
        record
            .figure("experiments", self.experiments)
            .figure("max_current", most)
            .figure("without_path", apart);
        if let [found] = self.resistances
            && found.is_finite()
        {
            record.figure("resistance", *found);
        }
    }
}
