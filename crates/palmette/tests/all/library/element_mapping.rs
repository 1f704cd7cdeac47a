//! Elements on machines: parts, places and phases.

use palmette::{ElementMapping, MappingParams, map_elements};
use palmette_mesh::PartitionParams;
use palmette_mesh::placement::Method;
use palmette_mesh::shapes::generate;

fn mapped(mesh: &str, machine: &str, parts: u32, params: MappingParams) -> ElementMapping {
    let mesh = generate(mesh.parse().unwrap(), 1).unwrap();
    let partition = PartitionParams { parts, ..PartitionParams::default() };
    let params = MappingParams { partition, ..params };
    map_elements(&mesh, &machine.parse().unwrap(), &params).unwrap()
}

/// Parts ascend with processors, and sender and receiver know of each other.
fn check(mapping: &ElementMapping) {
    let processors = mapping.placement.processors();
    assert!(processors.is_sorted_by(|a, b| a < b), "{processors:?}");
    let mut messages = 0;
    for (piece, number) in mapping.pieces.iter().zip(0..) {
        assert_eq!(piece.part, number);
        assert!(piece.elements.iter().all(|&e| mapping.part[e as usize] == number));
        for other in &piece.neighbours {
            let phase = mapping.phase(number, other.part).unwrap();
            assert!((phase as usize) < mapping.phases());
            messages += 1;
        }
        assert_eq!(mapping.phase(number, number), None);
    }
    assert_eq!(mapping.messages(), messages);
}

#[test]
fn parts_are_in_the_order_of_processors() {
    for method in [None, Some(Method::Random), Some(Method::Search), Some(Method::CutTree)] {
        let params = MappingParams { placement: method, ..MappingParams::default() };
        check(&mapped("crack-plate:800", "torus:4x4", 11, params));
        check(&mapped("tetrahedra:5x4x3", "torus:2x2x2", 8, params));
        check(&mapped("triangles:9x9", "fat-tree:2x3", 6, params));
    }
    let one = mapped("triangles:3x3", "mesh:1x1", 1, MappingParams::default());
    check(&one);
    assert_eq!((one.phases(), one.messages(), one.hopsum()), (0, 0, 0));
}

#[test]
fn few_channels_take_several_phases() {
    let params = MappingParams { channels: Some(4), ..MappingParams::default() };
    let mapping = mapped("tetrahedra:6x6x6", "torus:2x4", 8, params);
    check(&mapping);
    assert!(mapping.phases() > 1);
    let tree = mapped("tetrahedra:6x6x6", "fat-tree:2x4", 8, params);
    assert_eq!(tree.phases(), 1);
}

#[test]
fn searched_places_are_nearer_than_random_ones() {
    let by = |placement| {
        let params = MappingParams { placement, ..MappingParams::default() };
        mapped("crack-plate:2000", "torus:4x4", 16, params).hopsum()
    };
    let (joint, random) = (by(None), by(Some(Method::Random)));
    assert!(3 * joint < 2 * random, "{joint} {random}");
}

#[test]
fn too_many_parts_are_refused() {
    let mesh = generate("triangles:1x1".parse().unwrap(), 1).unwrap();
    let parts = |parts| {
        let partition = PartitionParams { parts, ..PartitionParams::default() };
        let params = MappingParams { partition, ..MappingParams::default() };
        map_elements(&mesh, &"torus:2x2".parse().unwrap(), &params).unwrap_err().to_string()
    };
    assert!(parts(5).contains("5 parts do not fit on torus:2x2"), "{}", parts(5));
    assert!(parts(3).contains("3 parts are too many"), "{}", parts(3));
}
