//! Any bytes as a raster, as a landscape and as focal points on one: no panic, and what parses is
//! written and read back the same.

use palmette_core::graph::raster::Landscape;
use palmette_io::{
    GraphFormat, GraphReadParams, read_focal_bytes, read_graph_bytes, read_layer_bytes,
    read_raster_bytes, write_raster,
};

pub(crate) fn check(data: &[u8]) {
    let params = GraphReadParams { format: Some(GraphFormat::AsciiGrid), ..Default::default() };
    if let Ok(file) = read_graph_bytes("fuzz", data, &params) {
        let land = file.landscape.expect("a raster");
        assert_eq!(land.cells.len(), file.graph.len());
    }
    let land = Landscape { rows: 2, columns: 3, corner: [0.0; 2], side: 1.0, cells: vec![0, 1, 4] };
    let _ = read_layer_bytes("fuzz", data, &land);
    if let Ok(focal) = read_focal_bytes("fuzz", data, &land, true) {
        assert!(focal.vertices.iter().flatten().all(|&v| v < 3));
    }
    let Ok(raster) = read_raster_bytes("fuzz", data) else { return };
    let mut text = Vec::new();
    write_raster(&mut text, &raster).expect("a vector takes all");
    let again = read_raster_bytes("again", &text).expect("what is written can be read");
    assert_eq!((again.rows, again.columns), (raster.rows, raster.columns));
    for (a, b) in raster.values.iter().zip(&again.values) {
        assert!(a == b || (a.is_nan() && b.is_nan()), "{a} {b}");
    }
}
