//! A graph: its matrix, and where its skeleton runs.

use super::*;
use palmette_graph::sparsify::Sparsifier;
use palmette_io::GraphFile;
use palmette_report::{GraphDrawing, SpyEdges, SpyPanel, SpyPlot};

fn edges_of(file: &GraphFile) -> Vec<(u32, u32)> {
    file.graph.edges().map(|(a, b, _)| (a, b)).collect()
}

/// Where the matrix of a graph has entries, and that of its skeleton beside it.
pub fn matrix(file: &GraphFile, skeleton: Option<&Sparsifier>) -> Picture {
    let edges = edges_of(file);
    let name = if skeleton.is_some() { "before" } else { "all edges" };
    let mut panels = vec![SpyPanel { title: name, edges: SpyEdges::All(&edges) }];
    if let Some(Sparsifier { tree, recovered, .. }) = skeleton {
        let edges = SpyEdges::Skeleton { tree, recovered };
        panels.push(SpyPanel { title: "after", edges });
    }
    let plot = SpyPlot {
        title: &format!("The matrix of {}", title(&file.name)),
        subtitle: "",
        vertices: file.graph.len(),
        panels: &panels,
    };
    still("matrix", "Entries of the matrix", plot.to_svg())
}

/// A skeleton over its graph, whose vertices have points.
pub fn skeleton(file: &GraphFile, points: &[Point], skeleton: &Sparsifier) -> Picture {
    let drawing = GraphDrawing {
        title: &format!("The skeleton of {}", title(&file.name)),
        subtitle: "",
        points,
        edges: &edges_of(file),
        tree: &skeleton.tree,
        recovered: &skeleton.recovered,
    };
    still("skeleton", "The skeleton", drawing.to_svg())
}
