//! How fast the readers and writers are, on inputs made in memory.
//!
//! `palmette-bench io [--n 10000000] [--graph-side 1000] [--python PATH] [--write
//! docs/benchmarks.md]`; with Python, CompactTree reads the same Newick file, and pyarrow the
//! same Parquet. `--n 0` leaves out trees.

use super::Failure;
use palmette_bench::table::{Table, write_between};
use palmette_bench::timing::{pool, race, run};
use palmette_core::generate::{Shape, generate, shuffle};
use palmette_core::graph::generate as graphs;
use palmette_core::operator::Sum;
use palmette_core::{Graph, Tree, TreeParams};
use palmette_io::{
    Cells, Field, FieldValues, Fields, Format, GraphReadParams, Labels, MeshReadParams, ReadParams,
    ValueSlice, ValueType, VectorFormat, VtkForm, read_graph_bytes, read_mesh_bytes,
    read_pairs_bytes, read_tree_bytes, read_values_bytes, read_vectors_bytes, write_columns,
    write_edges, write_gmsh, write_matrix_market, write_metis, write_metis_mesh, write_newick,
    write_npy_parents, write_parent_columns, write_parent_table, write_table, write_vectors,
    write_vtk, write_vtu,
};
use palmette_mesh::shapes::delaunay;
use palmette_tree::TreefixParams;
use palmette_tree::leaffix::leaffix;
use std::env::Args;
use std::fmt::Write as _;
use std::process::Command;

struct Study {
    table: Table,
}

impl Study {
    /// The best of three runs on one thread and on two.
    fn row(&mut self, what: &str, bytes: usize, work: impl Fn() + Sync) {
        let (one, two) = (pool(1), pool(2));
        let best = race(3, &mut [run(|| one.install(&work)), run(|| two.install(&work))]);
        let rate = |s: f64| format!("{:.0}", bytes as f64 / 1e6 / s);
        let mut cells = vec![what.to_string(), format!("{:.0}", bytes as f64 / 1e6)];
        cells.extend(best.iter().flat_map(|&s| [format!("{s:.2}"), rate(s)]));
        self.table.row(cells);
    }
}

pub(crate) fn start(mut arguments: Args) -> Result<(), Failure> {
    let (mut n, mut side, mut write, mut python) = (10_000_000, 1000, None, None);
    while let Some(argument) = arguments.next() {
        let value = arguments.next().ok_or_else(|| format!("{argument} needs a value"))?;
        match argument.as_str() {
            "--n" => n = value.parse()?,
            "--graph-side" => side = value.parse()?,
            "--write" => write = Some(value),
            "--python" => python = Some(value),
            _ => return Err(format!("unknown argument {argument}").into()),
        }
    }
    let head = ["what", "MB", "1 thread, s", "MB/s", "2 threads, s", "MB/s"];
    let mut study = Study { table: Table::new(&head) };
    if n > 0 {
        let parents = generate(Shape::Random, n, 1)?;
        tables(&mut study, &parents)?;
        columns(&mut study, &parents, python.as_deref())?;
        newick(&mut study, &parents, python.as_deref())?;
    }
    grids(&mut study, side)?;
    meshes(&mut study, side)?;
    println!("{}", study.table.markdown());
    match write {
        Some(path) => Ok(write_between(path.as_ref(), "io", &study.table.markdown())?),
        None => Ok(()),
    }
}

fn tables(study: &mut Study, parents: &[u32]) -> Result<(), Failure> {
    let n = parents.len();
    let params = ReadParams::default();
    let numbers = Labels::numbers(n);
    let mixed = shuffle(parents, 3);
    let sparse =
        (0..n as u64).map(|v| (v.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 8) as i64).collect();
    let inputs = [
        ("parent table, integer ids", &numbers, parents),
        ("parent table, parents anywhere", &numbers, &mixed[..]),
        ("parent table, scattered 56-bit ids", &Labels::integers(sparse), parents),
        ("parent table, text ids", &Labels::texts((0..n).map(|v| format!("v{v}"))), parents),
    ];
    for (what, labels, parents) in inputs {
        let mut text = Vec::new();
        write_parent_table(&mut text, b',', parents, labels, None, &[])?;
        study.row(&format!("read {what}"), text.len(), || {
            let file =
                read_tree_bytes("t.csv", &text, &params).expect("what was written can be read");
            assert!(file.parents == parents);
        });
    }
    let mut array = Vec::new();
    write_npy_parents(&mut array, parents)?;
    study.row("read npy parents", array.len(), || {
        let file = read_tree_bytes("t.npy", &array, &params).expect("what was written can be read");
        assert!(file.parents == parents);
    });
    let mut edges = Vec::new();
    write_edges(&mut edges, parents, &numbers)?;
    study.row("read edge list", edges.len(), || {
        read_tree_bytes("t.edges", &edges, &params).expect("what was written can be read");
    });
    let mut pairs = String::new();
    for (v, &p) in parents.iter().enumerate().skip(1) {
        writeln!(pairs, "{v},{p}")?;
    }
    study.row("read pairs", pairs.len(), || {
        let read = read_pairs_bytes("p.csv", pairs.as_bytes(), &numbers).expect("pairs are labels");
        assert_eq!(read.len(), n - 1);
    });
    let values: Vec<f64> = (0..n).map(|v| (v as f64).sqrt()).collect();
    let columns =
        [("vertex", Cells::EachVertex), ("value", Cells::Numbers(ValueSlice::F64(&values)))];
    let mut text = Vec::new();
    write_table(&mut text, b',', &numbers, &columns)?;
    study.row("write results, 17 digits", text.len(), || {
        let mut to = Vec::with_capacity(text.len());
        write_table(&mut to, b',', &numbers, &columns).expect("memory takes it");
    });
    study.row("read values, 17 digits", text.len(), || {
        read_values_bytes("v.csv", &text, ValueType::F64, None, &numbers)
            .expect("values are numbers");
    });
    Ok(())
}

/// The same table in Parquet and Arrow; from file to file by way of subtree sizes.
fn columns(study: &mut Study, parents: &[u32], python: Option<&str>) -> Result<(), Failure> {
    let n = parents.len();
    let (params, numbers, ones) = (ReadParams::default(), Labels::numbers(n), vec![1i64; n]);
    for format in [Format::Arrow, Format::Parquet] {
        let mut bytes = Vec::new();
        write_parent_columns(&mut bytes, format, parents, &numbers, None, &[])?;
        study.row(&format!("read {format}, integer ids"), bytes.len(), || {
            let file = read_tree_bytes("t", &bytes, &params).expect("what was written can be read");
            assert!(file.parents == parents);
        });
        study.row(&format!("{format} to leaffix to {format}"), bytes.len(), || {
            let file = read_tree_bytes("t", &bytes, &params).expect("what was written can be read");
            let tree = file.tree(TreeParams::default()).expect("a tree");
            let sizes = leaffix(&tree, &ones, &Sum::new(), TreefixParams::default());
            let sizes = tree.to_vertices(&sizes.expect("sizes fit")).expect("one per vertex");
            let cells = Cells::Numbers(ValueSlice::I64(&sizes));
            let columns = [("vertex", Cells::EachVertex), ("size", cells)];
            let mut to = Vec::new();
            write_columns(&mut to, format, &file.labels, &columns).expect("memory takes it");
        });
        if let (Format::Parquet, Some(python)) = (format, python) {
            pyarrow(study, &bytes, n, python)?;
        }
    }
    Ok(())
}

/// What pyarrow takes to read a Parquet file, on one thread and on two.
fn pyarrow(study: &mut Study, bytes: &[u8], n: usize, python: &str) -> Result<(), Failure> {
    std::fs::create_dir_all("out")?;
    std::fs::write("out/bench-io.parquet", bytes)?;
    let code = "import sys,time,pyarrow as a,pyarrow.parquet as q\n\
                for k in 1,2:\n a.set_cpu_count(k); best=9e9\n for _ in range(3):\n  \
                t=time.perf_counter(); x=q.read_table(sys.argv[1],use_threads=k>1); \
                best=min(best,time.perf_counter()-t)\n print(best, x.num_rows)";
    let output = Command::new(python).args(["-c", code, "out/bench-io.parquet"]).output()?;
    let text = String::from_utf8(output.stdout)?;
    let megabytes = bytes.len() as f64 / 1e6;
    let what = "pyarrow reads that Parquet, from a file".to_string();
    let mut cells = vec![what, format!("{megabytes:.0}")];
    for line in text.lines() {
        let (seconds, rows) = line.split_once(' ').ok_or("pyarrow gave no time")?;
        assert_eq!(rows.parse::<usize>()?, n, "pyarrow read the same table");
        let seconds: f64 = seconds.parse()?;
        cells.extend([format!("{seconds:.2}"), format!("{:.0}", megabytes / seconds)]);
    }
    if cells.len() != 6 {
        return Err("pyarrow gave no times".into());
    }
    study.table.row(cells);
    Ok(())
}

fn newick(study: &mut Study, parents: &[u32], python: Option<&str>) -> Result<(), Failure> {
    let n = parents.len();
    let tree = Tree::from_parents(parents)?;
    let labels = Labels::texts((0..n).map(|v| format!("taxon{v}")));
    let lengths: Vec<f64> = (0..n).map(|v| (v * 7919 % 1_000_003) as f64 / 1e6).collect();
    let mut text = Vec::new();
    write_newick(&mut text, &tree, &labels, Some(&lengths))?;
    for (labels, lengths) in [(false, false), (false, true), (true, false), (true, true)] {
        let params =
            ReadParams { labels, lengths, format: Some(Format::Newick), ..Default::default() };
        let kept = match (labels, lengths) {
            (false, false) => "nothing kept",
            (false, true) => "lengths kept",
            (true, false) => "labels kept",
            (true, true) => "labels and lengths kept",
        };
        study.row(&format!("read Newick, {kept}"), text.len(), || {
            let file = read_tree_bytes("t", &text, &params).expect("what was written can be read");
            assert!(file.parents == tree.parents());
        });
    }
    if let Some(python) = python {
        std::fs::create_dir_all("out")?;
        std::fs::write("out/bench-io.nwk", &text)?;
        let code = "import sys,time,CompactTree as c\nt=time.perf_counter()\n\
                    x=c.compact_tree(sys.argv[1])\nprint(time.perf_counter()-t, x.get_num_nodes())";
        let output = Command::new(python).args(["-c", code, "out/bench-io.nwk"]).output()?;
        let line = String::from_utf8(output.stdout)?;
        let mut words = line.split_whitespace();
        let seconds: f64 = words.next().ok_or("CompactTree gave no time")?.parse()?;
        let nodes: usize = words.next().ok_or("CompactTree gave no count")?.parse()?;
        assert_eq!(nodes, n, "CompactTree read the same tree");
        let rate = text.len() as f64 / 1e6 / seconds;
        study.table.row(vec![
            "CompactTree reads that Newick, from a file".to_string(),
            format!("{:.0}", text.len() as f64 / 1e6),
            format!("{seconds:.2}"),
            format!("{rate:.0}"),
            String::new(),
            String::new(),
        ]);
    }
    Ok(())
}

/// A square grid with `side` × `side` vertices, in every format for graphs.
fn grids(study: &mut Study, side: usize) -> Result<(), Failure> {
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
fn meshes(study: &mut Study, side: usize) -> Result<(), Failure> {
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
