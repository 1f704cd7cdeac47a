//! Any bytes as a netlist: no panic, and what parses fits together: every node has a
//! finite potential, every vertex a node and a path to ground.

use palmette_core::circuit::{ElementKind, Span};
use palmette_io::{
    GraphFormat, GraphReadParams, Lookup, Potential, read_graph_bytes, read_netlist_bytes,
};

pub(crate) fn check(data: &[u8]) {
    if let Ok(file) = read_netlist_bytes("fuzz", data) {
        let circuit = &file.circuit;
        assert_eq!(
            (circuit.nodes, circuit.elements.len()),
            (file.nodes.len(), file.elements.len())
        );
        for element in &circuit.elements {
            assert!(element.ends.iter().all(|node| (*node as usize) < circuit.nodes));
            assert!(element.value.is_finite());
            let is_source = matches!(element.kind, ElementKind::Voltage | ElementKind::Current);
            assert!(is_source || element.value >= 0.0);
            if let Some(wave) = circuit.wave(element) {
                let span = Span { step: 1e-3, stop: 1.0 };
                wave.at(0.5, span);
                assert!(is_source);
            }
        }
    }
    let params = GraphReadParams { format: Some(GraphFormat::Spice), ..Default::default() };
    let Ok(file) = read_graph_bytes("fuzz", data, &params) else { return };
    let netlist = file.netlist.expect("a netlist");
    let n = file.graph.len();
    assert_eq!((netlist.currents.len(), netlist.places.len()), (n, netlist.nodes.len()));
    assert!(netlist.currents.iter().all(|b| b.is_finite()));
    let potentials = netlist.potentials(&vec![0.0; n]);
    assert!(potentials.iter().all(|x| x.is_finite()));
    let mut next = 0;
    for (node, place) in netlist.places.iter().enumerate() {
        let name = netlist.nodes.get(node as u32);
        assert_eq!(netlist.nodes.find(&name), Lookup::Vertex(node as u32));
        if let Potential::Free { vertex, offset } = *place {
            assert!(vertex < next || (vertex == next && offset == 0.0), "by first appearance");
            next = next.max(vertex + 1);
        }
    }
    assert_eq!(next as usize, n);
    let components = file.graph.components();
    let mut grounded = vec![false; components.count()];
    for (v, g) in file.ground.iter().flatten().enumerate() {
        assert!(*g >= 0.0 && g.is_finite());
        grounded[components.of[v] as usize] |= *g > 0.0;
    }
    assert!(grounded.iter().all(|&g| g));
}
