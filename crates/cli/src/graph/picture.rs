//! Pictures of graphs: their matrices, what is left of them, how solvers converge.

use crate::picture::{show, title};
use crate::session::Session;
use palmette::GraphFile;
use palmette::graph::sparsify::Sparsifier;
use palmette_report::scale::Spread;
use palmette_report::{
    ConvergenceCurve, ConvergencePlot, GraphDrawing, SpyEdges, SpyPanel, SpyPlot,
};

/// Numbers of iterations so many times apart need a logarithmic axis.
const FAR_APART: usize = 30;

fn edges_of(file: &GraphFile) -> Vec<(u32, u32)> {
    file.graph.edges().map(|(a, b, _)| (a, b)).collect()
}

/// Draws the matrix of a graph, and of its skeleton beside it.
pub(super) fn spy(
    session: &mut Session,
    file: &GraphFile,
    skeleton: Option<&Sparsifier>,
) -> anyhow::Result<()> {
    show(session, ("matrix", "Entries of the matrix"), None, || {
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
        plot.to_svg()
    })
}

/// Draws a skeleton over its graph.
pub(super) fn drawing(
    session: &mut Session,
    file: &GraphFile,
    points: &[[f64; 3]],
    skeleton: &Sparsifier,
) -> anyhow::Result<()> {
    show(session, ("skeleton", "The skeleton"), None, || {
        let drawing = GraphDrawing {
            title: &format!("The skeleton of {}", title(&file.name)),
            subtitle: "",
            points,
            edges: &edges_of(file),
            tree: &skeleton.tree,
            recovered: &skeleton.recovered,
        };
        drawing.to_svg()
    })
}

/// Draws how residuals fall.
pub(super) fn convergence(
    session: &mut Session,
    file: &GraphFile,
    tolerance: f64,
    curves: Vec<ConvergenceCurve>,
) -> anyhow::Result<()> {
    let counts = || curves.iter().map(|curve| curve.residuals.len().max(2) - 1);
    let (fewest, most) = (counts().min().unwrap_or(1), counts().max().unwrap_or(1));
    let iterations = if most > FAR_APART * fewest { Spread::Log } else { Spread::Linear };
    let plot = ConvergencePlot {
        title: format!("Solving {}", title(&file.name)),
        tolerance: Some(tolerance),
        iterations,
        curves,
        ..ConvergencePlot::default()
    };
    show(session, ("convergence", "How residuals fall"), None, || plot.to_svg())
}
