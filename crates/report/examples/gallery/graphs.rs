//! Graphs and what is left of them, their matrices, and how solvers converge.

use std::path::Path;

use palmette_core::Graph;
use palmette_core::graph::generate::{Generated, Weights, generate};
use palmette_report::scale::Spread;
use palmette_report::{
    ConvergenceCurve, ConvergencePlot, GraphDrawing, SpyEdges, SpyPanel, SpyPlot,
};

use crate::Outcome;

type Edges = Vec<(u32, u32)>;

pub(crate) fn draw(directory: &Path) -> Outcome {
    for shape in
        ["grid:6x9", "grid:40x40", "grid:300x200", "grid:8x8x8", "geometric:3000:8", "path:30"]
    {
        let Generated { graph, points, .. } =
            generate(shape.parse()?, Weights::LogUniform(0.01, 100.0), 7)?;
        let name = shape.replace(':', "-");
        let edges: Edges = graph.edges().map(|(a, b, _)| (a, b)).collect();
        let (tree, others) = heaviest_forest(&graph);
        // Made up: a sparsifier would choose with more care.
        let recovered: Edges = others.into_iter().step_by(15).collect();
        let before = SpyPanel { title: "The graph", edges: SpyEdges::All(&edges) };
        let skeleton = SpyEdges::Skeleton { tree: &tree, recovered: &recovered };
        let after = SpyPanel { title: "What is left of it", edges: skeleton };
        let panels = [before, after];
        let plot = SpyPlot {
            title: &format!("The matrix of {shape}"),
            subtitle: "a heaviest spanning forest and every fifteenth other edge",
            vertices: graph.len(),
            panels: if shape == "path:30" { &panels[..1] } else { &panels },
        };
        std::fs::write(directory.join(format!("spy-{name}.svg")), plot.to_svg())?;
        let Some(points) = points else { continue };
        let drawing = GraphDrawing {
            title: &format!("The skeleton of {shape}"),
            subtitle: plot.subtitle,
            points: &points,
            edges: &edges,
            tree: &tree,
            recovered: &recovered,
            names: palmette_report::SKELETON,
        };
        std::fs::write(directory.join(format!("graph-{name}.svg")), drawing.to_svg())?;
    }
    convergence(directory)
}

/// The edges of the heaviest spanning forest, and the others.
fn heaviest_forest(graph: &Graph) -> (Edges, Edges) {
    let mut edges: Vec<(u32, u32, f64)> = graph.edges().collect();
    edges.sort_by(|a, b| b.2.total_cmp(&a.2));
    let mut above: Vec<u32> = (0..graph.len() as u32).collect();
    let (mut tree, mut others) = (Vec::new(), Vec::new());
    for (a, b, _) in edges {
        let roots = [a, b].map(|v| root(&mut above, v));
        if roots[0] == roots[1] {
            others.push((a, b));
        } else {
            above[roots[0] as usize] = roots[1];
            tree.push((a, b));
        }
    }
    (tree, others)
}

/// The root of a vertex among those joined so far; paths are halved on the way.
fn root(above: &mut [u32], mut vertex: u32) -> u32 {
    while above[vertex as usize] != vertex {
        let next = above[vertex as usize];
        above[vertex as usize] = above[next as usize];
        vertex = next;
    }
    vertex
}

fn convergence(directory: &Path) -> Outcome {
    let named = |name: &str, residuals: Vec<f64>| ConvergenceCurve {
        name: name.into(),
        residuals,
        ..ConvergenceCurve::default()
    };
    // Falls by a factor an iteration, with waves as conjugate gradients have them.
    let curve = |name: &str, iterations: usize, waves: f64| {
        let fall = (1e-6f64.ln() - 2.0 * waves) / iterations.max(1) as f64;
        let residual = |i: usize| {
            let wave = (i as f64 * 0.9).sin() + (i as f64 * 0.013).cos();
            if i == 0 { 1.0 } else { (fall * i as f64 + waves * wave).exp() }
        };
        named(name, (0..=iterations).map(residual).collect())
    };
    let mut plot = ConvergencePlot {
        title: "Invented solvers".into(),
        note: "made-up numbers that show the drawing, not a program".into(),
        tolerance: Some(1e-6),
        iterations: Spread::Linear,
        curves: vec![
            curve("tree alone", 310, 0.5),
            curve("tree and recovered edges", 84, 0.2),
            curve("incomplete factor", 150, 0.1),
            curve("multigrid", 22, 0.05),
            named("direct", vec![1.0, 3e-14]),
        ],
        ..ConvergencePlot::default()
    };
    std::fs::write(directory.join("convergence.svg"), plot.to_svg())?;
    plot.curves.insert(0, curve("none", 18_000, 0.9));
    plot.curves.push(named("exact after three", vec![1.0, 0.3, 0.01, 0.0]));
    let growing = (0..60).map(|i| 1.05f64.powi(i)).chain([f64::INFINITY]);
    plot.curves.push(named("diverges", growing.collect()));
    std::fs::write(directory.join("convergence-long.svg"), plot.to_svg())?;
    plot.iterations = Spread::Log;
    std::fs::write(directory.join("convergence-log.svg"), plot.to_svg())?;
    let loops = [("line 12", 60, 1e-3), ("line 30", 200, 1e-5)].map(|(name, count, bound)| {
        ConvergenceCurve { bound: Some(bound), ..curve(name, count, 0.2) }
    });
    let mut plot = ConvergencePlot {
        title: "Invented loops".into(),
        quantity: "sqrt(rho)".into(),
        curves: loops.into(),
        ..ConvergencePlot::default()
    };
    std::fs::write(directory.join("convergence-bounds.svg"), plot.to_svg())?;
    for residual in plot.curves.iter_mut().flat_map(|curve| &mut curve.residuals) {
        *residual = residual.ln();
    }
    plot.curves.iter_mut().for_each(|curve| curve.bound = curve.bound.map(f64::ln));
    std::fs::write(directory.join("convergence-linear.svg"), plot.to_svg())?;
    Ok(())
}
