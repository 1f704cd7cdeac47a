//! Any bytes as a METIS graph: no panic, and what parses is written and read back the
//! same, if its weights are integers.

use palmette_io::{GraphFormat, GraphReadParams, read_graph_bytes, write_metis};

pub(crate) fn check(data: &[u8]) {
    let params = GraphReadParams { format: Some(GraphFormat::Metis), ..Default::default() };
    let Ok(file) = read_graph_bytes("fuzz", data, &params) else { return };
    let mut text = Vec::new();
    match write_metis(&mut text, &file.graph) {
        Ok(()) => {
            let again =
                read_graph_bytes("again", &text, &params).expect("what is written can be read");
            assert_eq!(again.graph, file.graph);
        }
        Err(_) => {
            let largest = (1u64 << 53) as f64;
            assert!(file.graph.all_weights().iter().any(|w| w.fract() != 0.0 || *w >= largest));
        }
    }
}
