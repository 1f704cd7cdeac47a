//! The whole way of a mesh in one picture, from what the stages on it found.

use super::mesh::{polygons, shape_parts};
use super::*;
use crate::MeshInput;
use palmette_core::Graph;
use palmette_mesh::Placement;
use palmette_mesh::machine::Machine;
use palmette_report::Overview;
use palmette_report::number::{counted, short, thousands};

/// What the stages found.
#[derive(Debug, Clone, Copy)]
pub struct Way<'a> {
    /// A plane mesh and its graph.
    pub input: &'a MeshInput,
    /// By node, its part.
    pub part: &'a [u32],
    /// The machine, of two dimensions.
    pub machine: &'a Machine,
    /// The processor of each part.
    pub placement: &'a Placement,
    /// The skeleton of the graph.
    pub skeleton: &'a Graph,
    /// A spanning tree of it on a grid.
    pub layout: &'a Layout,
}

/// The mesh, its parts and the machine; the skeleton, its tree and the grid.
///
/// # Errors
/// A mesh that is not plane, or a machine that is not a grid or torus of two dimensions.
pub fn overview(way: &Way<'_>) -> Result<Picture, NotDrawn> {
    let mesh = way.input.mesh.as_ref().map(|file| &file.mesh);
    let Some(mesh) = mesh.filter(|mesh| mesh.dimension() == 2) else {
        return Err(NotDrawn::Solid);
    };
    let Some(lattice) = way.machine.lattice() else { return Err(NotDrawn::Solid) };
    let &[rows, columns] = lattice.sides() else { return Err(NotDrawn::Solid) };
    let shapes = polygons(mesh);
    let mut on = vec![NONE; lattice.processors()];
    for (part, &processor) in (0u32..).zip(way.placement.processors()) {
        on[processor as usize] = part;
    }
    let (tree, vertices) = (way.layout.tree(), way.layout.tree().vertices());
    let up = tree.parents().iter().enumerate().filter(|parent| *parent.1 != NONE);
    let ends = |(i, &parent): (usize, &u32)| {
        let (a, b) = (vertices[i], vertices[parent as usize]);
        (a.min(b), a.max(b))
    };
    let mut edges: Vec<(u32, u32)> = up.map(ends).collect();
    edges.sort_unstable();
    let kept = way.skeleton.edges().map(|(a, b, _)| (a.min(b), a.max(b)));
    let recovered: Vec<(u32, u32)> =
        kept.filter(|edge| edges.binary_search(edge).is_err()).collect();
    let grid = way.layout.grid();
    let cells: Vec<(u32, u32)> = way.layout.cells().iter().map(|cell| (cell.x, cell.y)).collect();
    let title = format!("From {} to a machine and to a grid", title(&way.input.name));
    let picture = Overview {
        title: &title,
        subtitle: "left: the mesh, cut and placed; right: its skeleton, on a grid",
        facts: facts(way, mesh, recovered.len()),
        points: mesh.points(),
        parts: &shape_parts(&shapes, way.part),
        shapes: &shapes,
        sides: [rows, columns],
        torus: lattice.is_torus(),
        on: &on,
        tree: &edges,
        recovered: &recovered,
        parents: tree.parents(),
        grid: [grid.width, grid.height],
        cells: &cells,
    };
    Ok(still("overview", "The whole way", picture.to_svg()))
}

/// What there is to say of each panel.
fn facts(way: &Way<'_>, mesh: &Mesh, recovered: usize) -> [String; 6] {
    let many = |count: usize| thousands(count as u64);
    let Way { input, part, machine, skeleton, layout, .. } = *way;
    let (graph, tree) = (&input.graph, layout.tree());
    let cut = graph.edges().filter(|&(a, b, _)| part[a as usize] != part[b as usize]).count();
    let steps = |i: usize, parent: u32| {
        let (a, b) = (layout.cells()[i], layout.cells()[parent as usize]);
        u64::from(a.x.abs_diff(b.x)) + u64::from(a.y.abs_diff(b.y))
    };
    let up = tree.parents().iter().enumerate().filter(|parent| *parent.1 != NONE);
    let (sum, count) = up.fold((0, 0u64), |(sum, n), (i, &p)| (sum + steps(i, p), n + 1));
    let depth = tree.depths().into_iter().max().unwrap_or(0);
    [
        format!("{} nodes, {} elements", many(mesh.points().len()), many(mesh.elements().len())),
        format!(
            "{}, {} edges between them",
            counted(way.placement.processors().len() as u64, "part", "parts"),
            many(cut)
        ),
        format!("{machine}: a part per processor, in the colour of the part"),
        format!(
            "{} of {} edges: a tree and, in orange, {} more",
            many(skeleton.edge_count()),
            many(graph.edge_count()),
            many(recovered)
        ),
        format!("{} leaves, height {}", many(tree.leaves()), thousands(depth.into())),
        format!(
            "edges of {} steps on average, long ones in orange",
            short(sum as f64 / count.max(1) as f64)
        ),
    ]
}
