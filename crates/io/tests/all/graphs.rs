//! Graphs, vectors and points: what is written reads back the same, and real files are
//! what is known of them.

use palmette_core::Graph;
use palmette_io::{
    GraphFile, GraphForm, GraphFormat, GraphReadParams, Lookup, Output, VectorFormat, read_bytes,
    read_graph, read_graph_bytes, read_points_bytes, read_vectors_bytes, write_edge_pairs,
    write_matrix_market, write_metis, write_vectors,
};
use proptest::prelude::*;
use std::path::PathBuf;

/// A file of the shared data, if it is there.
fn shared(path: &str) -> Option<PathBuf> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data").join(path);
    if path.exists() {
        return Some(path);
    }
    eprintln!("skipped: {} is missing", path.display());
    None
}

fn read(name: &str, text: &[u8]) -> GraphFile {
    read_graph_bytes(name, text, &GraphReadParams::default()).unwrap()
}

/// Ends and weights over the whole range of conductances.
fn edges() -> impl Strategy<Value = Vec<(u32, u32, f64)>> {
    let weight = prop_oneof![
        any::<f64>().prop_map(f64::abs).prop_filter("a weight", |w| w.is_normal() && *w < 1e300),
        (1u32..100).prop_map(f64::from),
    ];
    prop::collection::vec((0u32..25, 0u32..25, weight), 0..120)
}

proptest! {
    #[test]
    fn matrix_market(edges in edges()) {
        let graph = Graph::from_edges(25, &edges).unwrap();
        let mut text = Vec::new();
        write_matrix_market(&mut text, &graph).unwrap();
        let file = read("g.mtx", &text);
        prop_assert_eq!(&file.graph, &graph);
        prop_assert_eq!(file.found.entries, graph.edge_count());
    }

    /// Entries of both triangles in any order, as they are and as a Laplacian.
    #[test]
    fn general_matrices(edges in edges(), order in any::<u64>()) {
        let graph = Graph::from_edges(25, &edges).unwrap();
        let mut both: Vec<(u32, u32, f64)> =
            graph.edges().flat_map(|(a, b, w)| [(a, b, w), (b, a, w)]).collect();
        both.sort_by_key(|&(a, b, _)| (u64::from(a) * 31 + u64::from(b) * 17 + 5).wrapping_mul(order | 1));
        let mut text = format!("25 25 {}\n", both.len());
        both.iter().for_each(|(a, b, w)| text += &format!("{} {} {w:e}\n", a + 1, b + 1));
        let file = read("g.mtx", text.as_bytes());
        prop_assert_eq!(&file.graph, &graph);
        prop_assert_eq!(file.found.duplicates, 0);

        let mut text = format!("%%MatrixMarket matrix coordinate real general\n25 25 {}\n", both.len() + 25);
        both.iter().for_each(|(a, b, w)| text += &format!("{} {} -{w}\n", a + 1, b + 1));
        for v in 0..25 {
            let sum: f64 = graph.weights(v).iter().sum();
            text += &format!("{0} {0} {1:e}\n", v + 1, if v == 7 { 2.0 * sum + 1.0 } else { sum });
        }
        let file = read("l.mtx", text.as_bytes());
        prop_assert_eq!(&file.graph, &graph);
        prop_assert_eq!(file.form, GraphForm::Laplacian);
        let ground = file.ground.unwrap();
        prop_assert!(ground.iter().enumerate().all(|(v, &g)| (g > 0.0) == (v == 7)));
    }

    #[test]
    fn metis(edges in prop::collection::vec((0u32..25, 0u32..25, 1u32..1000), 0..120), unit in any::<bool>()) {
        let mut edges: Vec<_> = edges.into_iter().map(|(a, b, w)| (a, b, if unit { 1.0 } else { f64::from(w) })).collect();
        edges.sort_by_key(|e| (e.0.min(e.1), e.0.max(e.1)));
        edges.dedup_by_key(|e| (e.0.min(e.1), e.0.max(e.1)));
        let graph = Graph::from_edges(25, &edges).unwrap();
        let mut text = Vec::new();
        write_metis(&mut text, &graph).unwrap();
        let file = read("g.graph", &text);
        prop_assert_eq!(&file.graph, &graph);
        prop_assert_eq!(file.found.entries, 2 * graph.edge_count());
    }

    #[test]
    fn vectors(
        columns in (0usize..40, 1usize..4).prop_flat_map(|(n, k)| {
            let number = any::<f64>().prop_filter("finite", |x| x.is_finite());
            prop::collection::vec(prop::collection::vec(number, n), k)
        })
    ) {
        let n = columns[0].len();
        for (name, format) in [("x.mtx", VectorFormat::MatrixMarket), ("x.npy", VectorFormat::Npy), ("x.csv", VectorFormat::Csv)] {
            prop_assert_eq!(VectorFormat::from_name(name), Some(format));
            let mut bytes = Vec::new();
            let written = write_vectors(&mut bytes, format, &columns);
            if format == VectorFormat::Csv && columns.len() > 1 {
                prop_assert!(written.is_err());
            } else if n > 0 {
                written.unwrap();
                prop_assert_eq!(&read_vectors_bytes(name, &bytes, n).unwrap(), &columns);
            }
        }
    }
}

#[test]
fn metis_refuses_fractions_and_pairs_count_from_one() {
    let graph = Graph::from_edges(2, &[(0, 1, 1.5)]).unwrap();
    let error = write_metis(&mut Vec::new(), &graph).unwrap_err().to_string();
    assert_eq!(error, "METIS graphs need integer weights, found 1.5 between 1 and 2");
    let mut text = Vec::new();
    write_edge_pairs(&mut text, &[(0, 9), (7, 3)]).unwrap();
    assert_eq!(text, b"1 10\n8 4\n");
}

#[test]
fn vectors_of_every_kind() {
    let read = |text: &[u8], n| read_vectors_bytes("v", text, n);
    let banner = "%%MatrixMarket matrix array real general\n";
    let array = |rest: &str| format!("{banner}{rest}").into_bytes();
    assert_eq!(read(b"1\n-2.5\n3e2\n", 3).unwrap(), [[1.0, -2.5, 300.0]]);
    assert_eq!(read(b"vertex,value\n1,5\n0,4\n", 2).unwrap(), [[4.0, 5.0]]);
    assert_eq!(read(&array("% c\n2 2\n1 2\n\n3\n4"), 2).unwrap(), [[1.0, 2.0], [3.0, 4.0]]);
    assert_eq!(read(&array("0 1\n"), 0).unwrap(), [[0.0; 0]]);
    let message = |text: &[u8], n| read(text, n).unwrap_err().to_string();
    for (rest, found) in [
        (
            "3 1\n1\n2\n3\n",
            "v, line 2: expected the sizes `2 columns` of an array with 2 rows, found `3 1`",
        ),
        ("2 0\n", "v, line 2: expected the sizes `2 columns` of an array with 2 rows, found `2 0`"),
        (
            "2 18446744073709551615\n",
            "v, line 2: expected the sizes `2 columns` of an array with 2 rows, found `2 18446744073709551615`",
        ),
        ("2 1\n1\n", "v, line 3: expected 2 numbers, found the end after 1"),
        ("2 1\n1\n2\n3\n", "v, line 5: expected 2 numbers, found more"),
        ("2 1\n1\ninf\n", "v, line 4: expected a finite number, found `inf`"),
        ("2 1\n1\n1e400\n", "v, line 4: expected a finite number, found `1e400`"),
        ("", "v, line 1: expected the sizes `2 columns`, found the end of the file"),
    ] {
        assert_eq!(message(&array(rest), 2), found);
    }
    let complex = message(b"%%MatrixMarket matrix array complex general\n1 1\n1 0\n", 1);
    assert!(complex.contains("matrix array real general"), "{complex}");
    assert!(message(b"1\n2\n", 3).contains("line 3: expected 3 values, one per vertex"));
    assert!(
        message(b"1\n2\n3\n", 2).contains("line 3: expected 2 values, one per vertex, found more")
    );
    assert_eq!(message(b"1\n-inf\n", 2), "v, line 2: expected a finite number, found `-inf`");
    let mut bytes = Vec::new();
    write_vectors(&mut bytes, VectorFormat::Npy, &[vec![1.0, f64::NAN]]).unwrap();
    assert_eq!(message(&bytes, 2), "v, byte 136: expected a finite number, found NaN");
    assert_eq!(
        message(&bytes, 3),
        "v, byte 128: expected an array of shape (3,) or (3, columns), found shape [2]"
    );
    let ragged = [vec![1.0], vec![]];
    assert!(write_vectors(&mut bytes, VectorFormat::Npy, &ragged).is_err());
    assert!(write_vectors(&mut bytes, VectorFormat::Npy, &[]).is_err());
}

#[test]
fn compressed_files() {
    let folder = tempfile::tempdir().unwrap();
    let graph = Graph::from_edges(3, &[(0, 1, 0.1), (2, 1, 7.0)]).unwrap();
    for name in ["g.mtx", "g.mtx.gz", "g.mtx.zst"] {
        let path = folder.path().join(name);
        let mut out = Output::create(&path).unwrap();
        out.write_with(|out| write_matrix_market(out, &graph)).unwrap();
        out.finish().unwrap();
        let file = read_graph(&path, &GraphReadParams::default()).unwrap();
        assert_eq!((file.graph, file.format), (graph.clone(), GraphFormat::MatrixMarket));
    }
    let path = folder.path().join("x.mtx.gz");
    let mut out = Output::create(&path).unwrap();
    out.write_with(|out| write_vectors(out, VectorFormat::MatrixMarket, &[vec![0.1, 2.0]]))
        .unwrap();
    out.finish().unwrap();
    let packed = std::fs::read(&path).unwrap();
    assert_eq!(read_vectors_bytes("x", &packed, 2).unwrap(), [[0.1, 2.0]]);
}

/// Files longer than the pieces that are read in parallel; errors far into them.
#[test]
fn long_files() {
    let n = 200_000u32;
    let edges: Vec<_> = (1..n).map(|v| (v - 1, v, f64::from(v % 97 + 1))).collect();
    let graph = Graph::from_edges(n as usize, &edges).unwrap();
    let (mut matrix, mut lists) = (Vec::new(), Vec::new());
    write_matrix_market(&mut matrix, &graph).unwrap();
    write_metis(&mut lists, &graph).unwrap();
    assert!(matrix.len() > 2 << 20 && lists.len() > 2 << 20);
    assert!(read("g.mtx", &matrix).graph == graph && read("g.graph", &lists).graph == graph);

    let matrix = String::from_utf8(matrix).unwrap();
    let wrong = matrix.replace("\n150001 150000 ", "\n150001 x ");
    let error = read_graph_bytes("g.mtx", wrong.as_bytes(), &GraphReadParams::default());
    let error = error.unwrap_err().to_string();
    assert_eq!(error, "g.mtx, line 150002: expected a column from 1 to 200000, found `x`");
    let mut lists: Vec<&str> = std::str::from_utf8(&lists).unwrap().lines().collect();
    let weighed: Vec<String> = (lists.iter().enumerate())
        .map(|(v, list)| if v == 0 { format!("{n} {} 011", n - 1) } else { format!("{v} {list}") })
        .collect();
    let weights = read("g.graph", weighed.join("\n").as_bytes()).vertex_weights.unwrap();
    assert!(weights.iter().copied().eq(1..=u64::from(n)));
    lists.insert(100, "% a comment");
    lists[150_001] = "149999 1 150001 500";
    let error =
        read_graph_bytes("g.graph", lists.join("\n").as_bytes(), &GraphReadParams::default());
    let error = error.unwrap_err().to_string();
    assert!(error.starts_with("g.graph, line 150001: expected each edge at both"), "{error}");
}

#[test]
fn the_contest_case() {
    let Some(path) = shared("graphs/g-3989-158400.mtx") else { return };
    let file = read_graph(&path, &GraphReadParams::default()).unwrap();
    assert_eq!((file.graph.len(), file.graph.edge_count()), (3989, 79_200));
    assert_eq!((file.found.entries, file.found.duplicates), (158_400, 0));
    assert_eq!(file.graph.weight(94, 0), Some(0.309452));
    assert_eq!(file.graph.components().count(), 1);
}

#[test]
fn meshes_and_their_points() {
    for (name, n, m) in [("4elt", 15_606, 45_878), ("airfoil1", 4253, 12_289)] {
        let Some(path) = shared(&format!("meshes/{name}.graph")) else { return };
        let file = read_graph(&path, &GraphReadParams::default()).unwrap();
        assert_eq!((file.graph.len(), file.graph.edge_count()), (n, m));
        let xyz = read_bytes(&path.with_extension("xyz")).unwrap();
        let points = read_points_bytes("xyz", &xyz, n).unwrap();
        assert!(points.iter().all(|p| p[2] == 0.0) && points[0] != points[1]);
        assert!(read_points_bytes("xyz", &xyz, n + 1).is_err());
    }
    let Some(path) = shared("graphs/delaunay_n15.graph") else { return };
    let file = read_graph(path, &GraphReadParams::default()).unwrap();
    assert_eq!((file.graph.len(), file.graph.edge_count()), (32_768, 98_274));
}

/// Conjugate gradients with the diagonal as preconditioner: an answer that shares
/// nothing with the solvers of this workspace.
fn solve(graph: &Graph, ground: &[f64], b: &[f64]) -> Vec<f64> {
    let n = graph.len();
    let row = |v: usize| graph.neighbours(v as u32).iter().zip(graph.weights(v as u32));
    let diagonal: Vec<f64> =
        (0..n).map(|v| ground[v] + row(v).map(|(_, w)| w).sum::<f64>()).collect();
    let product = |x: &[f64]| -> Vec<f64> {
        let entry =
            |v: usize| diagonal[v] * x[v] - row(v).map(|(&u, w)| w * x[u as usize]).sum::<f64>();
        (0..n).map(entry).collect()
    };
    let dot = |x: &[f64], y: &[f64]| x.iter().zip(y).map(|(a, b)| a * b).sum::<f64>();
    let scaled = |r: &[f64]| -> Vec<f64> { r.iter().zip(&diagonal).map(|(r, d)| r / d).collect() };
    let (mut x, mut r) = (vec![0.0; n], b.to_vec());
    let mut z = scaled(&r);
    let mut p = z.clone();
    let mut rz = dot(&r, &z);
    for _ in 0..20_000 {
        if dot(&r, &r) <= 1e-20 * dot(b, b) {
            return x;
        }
        let q = product(&p);
        let step = rz / dot(&p, &q);
        for v in 0..n {
            x[v] += step * p[v];
            r[v] -= step * q[v];
        }
        z = scaled(&r);
        let next = dot(&r, &z);
        for v in 0..n {
            p[v] = z[v] + next / rz * p[v];
        }
        rz = next;
    }
    panic!("no convergence: {} of {}", dot(&r, &r).sqrt(), dot(b, b).sqrt());
}

#[test]
fn the_potentials_of_ibmpg1() {
    let Some(path) = shared("powergrid/ibmpg1.spice") else { return };
    let Some(solution) = shared("powergrid/ibmpg1.solution") else { return };
    let file = read_graph(path, &GraphReadParams::default()).unwrap();
    assert_eq!((file.format, file.form), (GraphFormat::Spice, GraphForm::Netlist));
    let netlist = file.netlist.as_ref().unwrap();
    let x = solve(&file.graph, file.ground.as_ref().unwrap(), &netlist.currents);
    let potentials = netlist.potentials(&x);
    let mut compared = 0;
    for line in std::fs::read_to_string(solution).unwrap().lines() {
        let mut words = line.split_whitespace();
        let (Some(name), Some(value)) = (words.next(), words.next()) else { continue };
        // The solution calls ground `G`.
        let name = if name == "G" { "0" } else { name };
        let Lookup::Vertex(node) = netlist.nodes.find(name) else { panic!("no node {name}") };
        let (expected, found) = (value.parse::<f64>().unwrap(), potentials[node as usize]);
        // The solution has six digits.
        assert!((expected - found).abs() <= 1e-5, "{name}: {expected} but {found}");
        compared += 1;
    }
    assert!(compared > 30_000, "{compared}");
}
