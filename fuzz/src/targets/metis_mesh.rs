//! Any bytes as a METIS mesh on given points: no panic, and what parses is written and read
//! back the same.

use palmette_io::{MeshFormat, MeshReadParams, read_mesh_bytes, write_metis_mesh};

pub(crate) fn check(data: &[u8]) {
    // Points on a curve no four of which lie in a plane, or on a parabola in one.
    let solid = data.first().is_some_and(|byte| byte % 2 == 1);
    let point = |i: u32| {
        let t = f64::from(i);
        [t, t * t, if solid { t * t * t } else { 0.0 }]
    };
    let params = MeshReadParams {
        format: Some(MeshFormat::Metis),
        points: Some((0..12).map(point).collect()),
        ..MeshReadParams::default()
    };
    let Ok(file) = read_mesh_bytes("fuzz", data, &params) else { return };
    let mut text = Vec::new();
    write_metis_mesh(&mut text, &file.mesh).expect("memory can be written");
    let again = read_mesh_bytes("again", &text, &params).expect("what is written can be read");
    assert_eq!(again.mesh, file.mesh);
}
