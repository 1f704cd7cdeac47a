//! Partitions of real meshes against the figures that other programs reach (METIS 5.1 kway
//! with 3% imbalance, mpmetis on the dual graph, the separator alone as published).

use palmette_core::Graph;
use palmette_core::mesh::Point;
use palmette_io::{
    MeshReadParams, read_all_points_bytes, read_bytes, read_graph, read_mesh, read_points_bytes,
};
use palmette_mesh::partition::{element_partition, vertex_separator};
use palmette_mesh::{Method, PartitionParams, partition};
use std::path::PathBuf;

/// A file of the shared meshes; `None`, said aloud, when they are not there.
fn shared(name: &str) -> Option<PathBuf> {
    let path = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/data/meshes"));
    let path = path.join(name);
    if !path.exists() {
        eprintln!("skipped: {} is missing", path.display());
        return None;
    }
    Some(path)
}

fn load(name: &str) -> Option<(Graph, Vec<Point>)> {
    let graph = read_graph(shared(&format!("{name}.graph"))?, &Default::default()).unwrap().graph;
    let xyz = read_bytes(&shared(&format!("{name}.xyz"))?).unwrap();
    let points = read_points_bytes("xyz", &xyz, graph.len()).unwrap();
    Some((graph, points))
}

fn cut(graph: &Graph, part: &[u32]) -> usize {
    graph.edges().filter(|e| part[e.0 as usize] != part[e.1 as usize]).count()
}

fn sizes(part: &[u32], parts: u32) -> Vec<usize> {
    let mut sizes = vec![0; parts as usize];
    part.iter().for_each(|&p| sizes[p as usize] += 1);
    sizes
}

fn median(mut numbers: Vec<usize>) -> usize {
    numbers.sort_unstable();
    numbers[numbers.len() / 2]
}

#[test]
fn the_separator_alone_matches_published_cuts() {
    let published =
        [("crackplate", 2183), ("airfoil1", 1693), ("4elt", 3155), ("penny_small", 34204)];
    for (name, expected) in published {
        let Some((graph, points)) = load(name) else { return };
        let cuts = (0..5).map(|seed| {
            let params =
                PartitionParams { parts: 64, refine: false, seed, ..PartitionParams::default() };
            cut(&graph, &partition(&graph, &points, None, &params).unwrap().part)
        });
        let found = median(cuts.collect()) as f64;
        assert!(found <= 1.03 * f64::from(expected), "{name}: {found}, published {expected}");
    }
}

#[test]
fn refined_cuts_are_not_larger_than_those_of_metis() {
    for (name, metis) in [("crackplate", 1957), ("airfoil1", 1499), ("4elt", 2816)] {
        let Some((graph, points)) = load(name) else { return };
        let params = PartitionParams { parts: 64, ..PartitionParams::default() };
        let found = partition(&graph, &points, None, &params).unwrap().part;
        assert!(cut(&graph, &found) <= metis, "{name}: {}, METIS {metis}", cut(&graph, &found));
        let largest = *sizes(&found, 64).iter().max().unwrap();
        assert!(largest as f64 <= 1.03 * graph.len() as f64 / 64.0, "{name}: {largest}");
    }
}

#[test]
fn element_partitions_copy_no_more_vertices_than_those_of_mpmetis() {
    for (name, mpmetis) in [("crackplate", 1113), ("4elt", 1567)] {
        let Some((path, xyz)) = shared(&format!("{name}.mesh")).zip(shared(&format!("{name}.xyz")))
        else {
            return;
        };
        let points = read_all_points_bytes("xyz", &read_bytes(&xyz).unwrap()).unwrap();
        let read = MeshReadParams { points: Some(points), ..Default::default() };
        let mesh = read_mesh(path, &read).unwrap().mesh;
        let params = PartitionParams { parts: 64, ..PartitionParams::default() };
        let found = element_partition(&mesh, None, &params).unwrap();
        assert!(found.copies <= mpmetis, "{name}: {}, mpmetis {mpmetis}", found.copies);
        assert!(sizes(&found.part, 64).iter().all(|&size| size > 0));
    }
}

#[test]
fn separators_of_real_meshes_separate() {
    let Some((graph, points)) = load("airfoil1") else { return };
    let part = partition(&graph, &points, None, &PartitionParams::default()).unwrap().part;
    let separator = vertex_separator(&graph, &part);
    let covers = |v: u32| separator.binary_search(&v).is_ok();
    assert!(
        graph
            .edges()
            .all(|(a, b, _)| { part[a as usize] == part[b as usize] || covers(a) || covers(b) })
    );
    assert!(separator.len() < cut(&graph, &part));
}

#[test]
fn every_method_does_any_number_of_parts() {
    let Some((graph, points)) = load("airfoil1") else { return };
    for method in Method::ALL {
        for parts in [1, 2, 3, 7, 61, 1000] {
            for refine in [false, true] {
                let params = PartitionParams {
                    parts,
                    bisection: method,
                    refine,
                    cycles: refine.then_some(0),
                    ..PartitionParams::default()
                };
                let part = partition(&graph, &points, None, &params).unwrap().part;
                let sizes = sizes(&part, parts);
                let mean = graph.len() as f64 / f64::from(parts);
                let most = (1.03 * mean).floor().max(mean.ceil());
                assert!(sizes.iter().all(|&s| s > 0), "{method} {parts} {refine}");
                assert!(
                    sizes.iter().all(|&s| s as f64 <= most),
                    "{method} {parts} {refine}: {:?} of {most}",
                    sizes.iter().max()
                );
            }
        }
    }
}

#[test]
fn contiguous_parts_cut_little_more() {
    let Some((graph, points)) = load("crackplate") else { return };
    for (parts, method) in [(7, Method::Geometric), (7, Method::Coordinate), (64, Method::Inertial)]
    {
        let params =
            PartitionParams { parts, bisection: method, seed: 1, ..PartitionParams::default() };
        let free = partition(&graph, &points, None, &params).unwrap().part;
        let params = PartitionParams { contiguous: true, ..params };
        let whole = partition(&graph, &points, None, &params).unwrap().part;
        let (free, found) = (cut(&graph, &free), cut(&graph, &whole));
        assert!(10 * found <= 11 * free, "{method} in {parts}: {found}, else {free}");
        let most = (1.03 * graph.len() as f64 / f64::from(parts)).floor() as usize;
        assert!(sizes(&whole, parts).iter().all(|&size| size <= most));
    }
}
