//! The systems of the study: Laplacians of connected graphs, and currents.

use crate::graph::input::{Input, WIDE, folder, made, read};
use palmette_core::Graph;
use palmette_core::graph::generate::Weights;
use palmette_core::random::{Purpose, Random};

/// A system to solve.
pub struct Case {
    /// Its name in the tables.
    pub name: String,
    /// The graph, connected.
    pub graph: Graph,
    /// Currents that add up to zero.
    pub currents: Vec<f64>,
    /// The seconds that it may take, where a goal was set.
    pub most: Option<f64>,
}

/// Where a graph comes from, what its edges weigh if it is made, and its goal.
type Source = (String, Weights, Option<f64>);

/// Files with fewer vertices are left out: they are solved in milliseconds.
const LEAST: usize = 10_000;

/// Grids with uneven weights, a road network, graphs without and with a geometry; what
/// files there are.
const LARGE: [(&str, Weights, Option<f64>); 8] = [
    ("grid:100x100", WIDE, None),
    ("grid:316x316", WIDE, None),
    ("grid:1000x1000", WIDE, Some(5.6)),
    ("grid:46x46x46", WIDE, None),
    ("grid:100x100x100", WIDE, Some(7.2)),
    ("road:126000", Weights::Unit, Some(0.3)),
    ("geometric:100000:10", WIDE, None),
    ("random:100000:10", WIDE, None),
];

const SMALL: [(&str, Weights, Option<f64>); 5] = [
    ("grid:50x50", WIDE, None),
    ("grid:14x14x14", WIDE, None),
    ("road:3000", Weights::Unit, None),
    ("geometric:3000:10", WIDE, None),
    ("random:3000:10", WIDE, None),
];

/// The systems, made one after another.
pub fn cases(quick: bool) -> impl Iterator<Item = Result<Case, String>> {
    let generated = if quick { &SMALL[..] } else { &LARGE[..] };
    let files = if quick { Vec::new() } else { files() };
    let generated = generated.iter().map(|&(shape, w, most)| (shape.to_string(), w, most));
    let all = generated.chain(files.into_iter().map(|file| (file, Weights::Unit, None)));
    all.filter_map(|source| case(source).transpose())
}

/// The graphs in files, below the folder of graphs from elsewhere.
fn files() -> Vec<String> {
    let mut found = Vec::new();
    for kind in ["graphs", "meshes"] {
        let Ok(entries) = std::fs::read_dir(folder().join(kind)) else { continue };
        let names = entries.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned());
        let graphs = names.filter(|name| name.ends_with(".graph") || name.ends_with(".mtx"));
        found.extend(graphs.map(|name| format!("{kind}/{name}")));
    }
    if found.is_empty() {
        eprintln!("{} has no graphs", folder().display());
    }
    found.sort();
    found
}

fn case((source, weights, most): Source) -> Result<Option<Case>, String> {
    let input = if source.contains('.') {
        read(&source)?.filter(|input| input.graph.len() >= LEAST)
    } else {
        Some(made(&source, weights))
    };
    let Some(Input { name, graph }) = input else { return Ok(None) };
    let graph = largest_component(&graph);
    let mut random = Random::new(1, Purpose::Vectors);
    let mut currents: Vec<f64> = (0..graph.len()).map(|_| random.unit() - 0.5).collect();
    let mean = currents.iter().sum::<f64>() / graph.len() as f64;
    currents.iter_mut().for_each(|b| *b -= mean);
    Ok(Some(Case { name, graph, currents, most }))
}

/// The largest component: peers have no notion of several.
fn largest_component(graph: &Graph) -> Graph {
    let components = graph.components();
    let largest = (0..components.count()).max_by_key(|&c| components.sizes[c]).unwrap_or(0);
    let mut number = vec![u32::MAX; graph.len()];
    let inside = (0..graph.len()).filter(|&v| components.of[v] as usize == largest);
    let count = inside.zip(0..).map(|(v, k)| number[v] = k).count();
    let edges: Vec<(u32, u32, f64)> = graph
        .edges()
        .map(|(a, b, w)| (number[a as usize], number[b as usize], w))
        .filter(|&(a, _, _)| a != u32::MAX)
        .collect();
    Graph::from_edges(count, &edges).expect("part of a graph is a graph")
}

impl Case {
    /// `‖b − L x‖ / ‖b‖`, added up edge by edge.
    pub fn residual(&self, x: &[f64]) -> f64 {
        let mut rest = self.currents.clone();
        for (a, b, w) in self.graph.edges() {
            let flow = w * (x[a as usize] - x[b as usize]);
            rest[a as usize] -= flow;
            rest[b as usize] += flow;
        }
        let norm = |v: &[f64]| v.iter().map(|x| x * x).sum::<f64>().sqrt();
        norm(&rest) / norm(&self.currents)
    }
}
