//! A graph: its matrix, and where its skeleton runs.

use super::*;
use crate::FocalRegions;
use palmette_core::Graph;
use palmette_graph::mincut::MinCut;
use palmette_graph::sparsify::Sparsifier;
use palmette_io::GraphFile;
use palmette_report::{GraphDrawing, RasterMap, SpyEdges, SpyPanel, SpyPlot};

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

/// Where the matrix of a graph has entries, as it is and in an order of elimination.
pub fn order(name: &str, graph: &Graph, vertices: &[u32]) -> Picture {
    let mut places = vec![0; vertices.len()];
    (0..).zip(vertices).for_each(|(place, &v)| places[v as usize] = place);
    let given: Vec<(u32, u32)> = graph.edges().map(|(a, b, _)| (a, b)).collect();
    let ordered: Vec<(u32, u32)> = given
        .iter()
        .map(|&(a, b)| {
            let (a, b) = (places[a as usize], places[b as usize]);
            (a.min(b), a.max(b))
        })
        .collect();
    let plot = SpyPlot {
        title: &format!("The matrix of {}", title(name)),
        subtitle: "",
        vertices: graph.len(),
        panels: &[
            SpyPanel { title: "as it is", edges: SpyEdges::All(&given) },
            SpyPanel { title: "in this order", edges: SpyEdges::All(&ordered) },
        ],
    };
    still("order", "Entries of the matrix", plot.to_svg())
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
        names: palmette_report::SKELETON,
    };
    still("skeleton", "The skeleton", drawing.to_svg())
}

/// A minimum cut over its graph, whose vertices have points: the edges of either side, and
/// those of the cut.
pub fn minimum_cut(file: &GraphFile, points: &[Point], cut: &MinCut) -> Picture {
    let mut inside = vec![false; file.graph.len()];
    cut.side.iter().for_each(|&v| inside[v as usize] = true);
    let edges = edges_of(file);
    let within = edges.iter().filter(|(a, b)| inside[*a as usize] && inside[*b as usize]);
    let drawing = GraphDrawing {
        title: &format!("A minimum cut of {}", title(&file.name)),
        subtitle: &format!(
            "value {}, {} of {} vertices on the smaller side",
            cut.value,
            cut.side.len(),
            file.graph.len()
        ),
        points,
        edges: &edges,
        tree: &within.copied().collect::<Vec<_>>(),
        recovered: &cut.edges.iter().map(|&(a, b, _)| (a, b)).collect::<Vec<_>>(),
        names: ["larger side", "smaller side", "cut"],
    };
    still("minimum-cut", "The minimum cut", drawing.to_svg())
}

/// Currents through the cells of a landscape, and the places between which they flow; nothing
/// where the graph is none.
pub fn current_map(
    file: &GraphFile,
    currents: &[f64],
    regions: Option<&FocalRegions>,
) -> Option<Picture> {
    let landscape = file.landscape.as_ref()?;
    let place = |(region, vertices): (usize, &Vec<u32>)| {
        let name = regions.map(|r| r.names.get(region as u32).into_owned()).unwrap_or_default();
        vertices.iter().map(|&v| (landscape.place(v), name.clone())).collect::<Vec<_>>()
    };
    let places = regions.iter().flat_map(|r| r.vertices.iter().enumerate()).flat_map(place);
    let map = RasterMap {
        title: &format!("Currents through {}", title(&file.name)),
        subtitle: "",
        quantity: "current",
        columns: landscape.columns,
        values: &landscape.raster(currents).values,
        places: &places.collect::<Vec<_>>(),
    };
    Some(still("current-map", "Currents", map.to_svg()))
}
