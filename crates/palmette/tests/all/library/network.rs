//! Networks from files, in the words of the files.

use palmette::graph::solve::{SolveError, SolveParams};
use palmette::io::read_graph_bytes;
use palmette::{GraphFile, GraphReadParams, explain, node_resistances};

fn read(name: &str, text: &str) -> GraphFile {
    read_graph_bytes(name, text.as_bytes(), &GraphReadParams::default()).unwrap()
}

#[test]
fn resistances_between_nodes() {
    // A bridge between two pads, which sources join with ground.
    let text = "v1 p 0 2\nv2 q 0 1\nr1 p a 1\nr2 a b 1\nr3 b q 1\nr4 a q 1\nv3 b c 0\n";
    let file = read("bridge.spice", text);
    let labels = file.query_labels();
    let pair =
        |a: &str, b: &str| (file.query(&labels, a).unwrap(), file.query(&labels, b).unwrap());
    let pairs = [pair("p", "q"), pair("b", "c"), pair("a", "p"), pair("c", "0"), pair("a", "b")];
    let found = node_resistances(&file, &pairs, &SolveParams::default()).unwrap();
    // From a: two ohms to ground in parallel, and two more by b.
    let expected = [0.0, 0.0, 0.4, 0.6, 0.6];
    for (found, expected) in found.iter().zip(expected) {
        assert!((found - expected).abs() < 1e-9, "{found} instead of {expected}");
    }
}

#[test]
fn a_netlist_whose_nodes_are_all_fixed() {
    let file = read("pads.spice", "v1 p 0 2\nv2 q p 1\nr1 p q 1\n");
    assert!(file.graph.is_empty());
    let found = node_resistances(&file, &[(0, 2), (1, 1)], &SolveParams::default());
    assert_eq!(found.unwrap(), [0.0, 0.0]);
}

#[test]
fn errors_name_vertices_as_files_do() {
    let matrix = read("g.mtx", "%%MatrixMarket matrix coordinate real symmetric\n2 2 1\n2 1 1\n");
    let error = || SolveError::Overflow { vertex: 1 };
    let text = "g.mtx: the potential of vertex 2 overflows";
    assert_eq!(explain(&matrix, error()), text);
    let netlist = read("n.spice", "r1 a 0 1\nr2 a b 1\n");
    let text = "n.spice, node `b`: the potential of vertex 2 overflows";
    assert_eq!(explain(&netlist, error()), text);
}
