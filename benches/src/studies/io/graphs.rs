//! Readers and writers of graphs and meshes.

use super::{Failure, Study};
use palmette_core::Graph;
use palmette_core::graph::generate as graphs;
use palmette_io::{
    Field, FieldValues, Fields, GraphReadParams, MeshReadParams, VectorFormat, VtkForm,
    read_graph_bytes, read_mesh_bytes, read_vectors_bytes, write_gmsh, write_matrix_market,
    write_metis, write_metis_mesh, write_vectors, write_vtk, write_vtu,
};
use palmette_mesh::shapes::delaunay;
use std::fmt::Write as _;

/// A square grid with `side` × `side` vertices, in every format for graphs.
pub(super) fn grids(study: &mut Study, side: usize) -> Result<(), Failure> {
    let shape = graphs::GraphShape::Grid { rows: side, columns: side };
    let weights = graphs::Weights::LogUniform(1e-2, 1e2);
    let grid = graphs::generate(shape, weights, 1)?.graph;
    let unit = graphs::generate(shape, graphs::Weights::Unit, 1)?.graph;
    let params = GraphReadParams::default();
    let mut row = |what: &str, name: &str, text: &[u8], grid: &Graph| {
        study.row(&format!("read {what}"), text.len(), || {
            let file = read_graph_bytes(name, text, &params).expect("what was written can be read");
            assert!(file.graph == *grid);
        });
    };
    let mut text = Vec::new();
    write_matrix_market(&mut text, &grid)?;
    row("Matrix Market, symmetric, 17 digits", "g.mtx", &text, &grid);
    row("Matrix Market, full, 17 digits", "g.mtx", full(&grid, |w| w)?.as_bytes(), &grid);
    let six = |w: f64| format!("{w:.6}").parse::<f64>().unwrap_or(1.0).max(1e-6);
    let edges: Vec<_> = grid.edges().map(|(a, b, w)| (a, b, six(w))).collect();
    let rounded = Graph::from_edges(grid.len(), &edges)?;
    row("Matrix Market, full, 6 digits", "g.mtx", full(&grid, six)?.as_bytes(), &rounded);
    text.clear();
    write_metis(&mut text, &unit)?;
    row("METIS, no weights", "g.graph", &text, &unit);
    let edges: Vec<_> = grid.edges().map(|(a, b, w)| (a, b, w.ceil())).collect();
    let whole = Graph::from_edges(grid.len(), &edges)?;
    text.clear();
    write_metis(&mut text, &whole)?;
    row("METIS, integer weights", "g.graph", &text, &whole);
    let netlist = netlist(side)?;
    study.row("read SPICE power grid", netlist.len(), || {
        let file = read_graph_bytes("g.spice", netlist.as_bytes(), &params)
            .expect("what was written can be read");
        assert!(file.graph.len() == side * side && file.graph.edge_count() == unit.edge_count());
    });
    let vector: Vec<f64> = grid.all_weights()[..grid.len()].to_vec();
    text.clear();
    write_vectors(&mut text, VectorFormat::MatrixMarket, std::slice::from_ref(&vector))?;
    study.row("read Matrix Market array, 17 digits", text.len(), || {
        let read = read_vectors_bytes("x.mtx", &text, vector.len()).expect("a vector");
        assert!(read[0] == vector);
    });
    Ok(())
}

/// Random triangles on `side` × `side` points, with a part an element.
pub(super) fn meshes(study: &mut Study, side: usize) -> Result<(), Failure> {
    let mesh = delaunay(side * side, 1)?;
    let mut text = Vec::new();
    write_gmsh(&mut text, &mesh, None)?;
    let read = |name: &str, text: &[u8], params: &MeshReadParams| {
        let file = read_mesh_bytes(name, text, params).expect("what was written can be read");
        assert!(file.mesh == mesh);
    };
    let plain = MeshReadParams::default();
    study.row("read Gmsh 2.2, text, 17 digits", text.len(), || read("m.msh", &text, &plain));
    text.clear();
    write_metis_mesh(&mut text, &mesh)?;
    let points = MeshReadParams { points: Some(mesh.points().to_vec()), ..plain };
    study.row("read METIS mesh", text.len(), || read("m.mesh", &text, &points));
    let parts: Vec<i32> = (0..mesh.elements().len() as i32).map(|e| e % 64).collect();
    let cells = [Field { name: "part", values: FieldValues::I32(&parts) }];
    let fields = Fields { cells: &cells, points: &[] };
    let mut write = |what: &str, write: &(dyn Fn(&mut Vec<u8>) -> std::io::Result<()> + Sync)| {
        let mut first = Vec::new();
        write(&mut first).expect("memory takes it");
        study.row(what, first.len(), || {
            let mut to = Vec::with_capacity(first.len());
            write(&mut to).expect("memory takes it");
        });
    };
    write("write Gmsh 2.2, text", &|out| write_gmsh(out, &mesh, None));
    write("write VTU", &|out| write_vtu(out, &mesh, &fields));
    write("write VTK, binary", &|out| write_vtk(out, &mesh, &fields, VtkForm::Binary));
    Ok(())
}

/// Both triangles by rows, under a header.
fn full(grid: &Graph, map: impl Fn(f64) -> f64) -> Result<String, Failure> {
    let (n, m) = (grid.len(), grid.edge_count());
    let mut text = format!("%%MatrixMarket matrix coordinate real general\n{n} {n} {}\n", 2 * m);
    for v in 0..n as u32 {
        for (&u, &w) in grid.neighbours(v).iter().zip(grid.weights(v)) {
            writeln!(text, "{} {} {}", v + 1, u + 1, map(w))?;
        }
    }
    Ok(text)
}

/// A power grid whose nodes are called by their places: wires, a load at every node, a
/// supply at every hundredth.
fn netlist(side: usize) -> Result<String, Failure> {
    let mut text = "* a power grid\n".to_string();
    let node = |x: usize, y: usize| format!("n1_{}_{}", 25 * x, 25 * y);
    let mut count = 0;
    for y in 0..side {
        for x in 0..side {
            let here = node(x, y);
            for (far, there) in [(x + 1, node(x + 1, y)), (y + 1, node(x, y + 1))] {
                if far < side {
                    count += 1;
                    writeln!(text, "r{count} {here} {there} 2.500000e-01")?;
                }
            }
            writeln!(text, "i{x}_{y} {here} 0 0.0218725")?;
            if (x + y * side).is_multiple_of(100) {
                writeln!(text, "r_{x}_{y} {here} _X_{here} 0.5\nv_{x}_{y} _X_{here} 0 1.8")?;
            }
        }
    }
    text += ".op\n.end\n";
    Ok(text)
}
