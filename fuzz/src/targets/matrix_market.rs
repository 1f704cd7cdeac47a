//! Any bytes as a matrix: no panic, and the graph of what parses is written and read
//! back the same.

use palmette_io::{GraphForm, GraphFormat, GraphReadParams, read_graph_bytes, write_matrix_market};

pub(crate) fn check(data: &[u8]) {
    // A header may claim millions of rows, which are allocated: true, but slow.
    if data.split(|b| !b.is_ascii_digit()).any(|digits| (6..=8).contains(&digits.len())) {
        return;
    }
    let params = GraphReadParams { format: Some(GraphFormat::MatrixMarket), ..Default::default() };
    let Ok(file) = read_graph_bytes("fuzz", data, &params) else { return };
    if let Some(ground) = &file.ground {
        assert_eq!(file.form, GraphForm::Laplacian);
        assert!(ground.len() == file.graph.len() && ground.iter().any(|&g| g > 0.0));
        assert!(ground.iter().all(|g| *g >= 0.0 && g.is_finite()));
    }
    let mut text = Vec::new();
    write_matrix_market(&mut text, &file.graph).expect("a vector takes all");
    let again = read_graph_bytes("again", &text, &params).expect("what is written can be read");
    assert_eq!(again.graph, file.graph);
}
