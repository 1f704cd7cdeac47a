//! Matrices and vectors of parts add up to those of the mesh.

use crate::discretisation::support::{KINDS, distorted};
use palmette_core::Mesh;
use palmette_core::random::{Purpose, Random};
use palmette_mesh::element::{
    Assembler, Conditions, Fix, Form, Load, Plane, Submesh, Value, l2_error,
};
use palmette_mesh::partition::{PartitionParams, element_partition};
use palmette_mesh::shapes::generate;
use std::collections::BTreeMap;

/// Submeshes of a partition, their elements and nodes in random order; the smallest part that
/// has a node owns it.
fn pieces<'a>(mesh: &'a Mesh, part: &[u32], parts: u32, seed: u64) -> Vec<Submesh<'a>> {
    let mut random = Random::new(seed, Purpose::Shuffle);
    let mut owner = vec![u32::MAX; mesh.points().len()];
    for (element, &p) in part.iter().enumerate() {
        for &node in mesh.elements().nodes(element) {
            owner[node as usize] = owner[node as usize].min(p);
        }
    }
    let mut piece = |p: u32| {
        let mut elements: Vec<u32> =
            (0..part.len() as u32).filter(|&e| part[e as usize] == p).collect();
        let corners = elements.iter().flat_map(|&e| mesh.elements().nodes(e as usize));
        let mut nodes: Vec<u32> = corners.copied().collect();
        nodes.sort_unstable();
        nodes.dedup();
        random.shuffle(&mut nodes);
        random.shuffle(&mut elements);
        let owned: Vec<bool> = nodes.iter().map(|&node| owner[node as usize] == p).collect();
        Submesh::new(mesh, &elements, &nodes, &owned)
    };
    (0..parts).map(&mut piece).collect()
}

type Entries = BTreeMap<(usize, usize), f64>;

/// Adds the entries of a submesh's matrix, in the mesh's numbers.
fn add_matrix(sum: &mut Entries, assembler: &Assembler<'_>, form: &Form) {
    let d = assembler.components();
    let a = assembler.matrix(form).unwrap();
    let global = |i: usize| assembler.submesh().nodes()[i / d] as usize * d + i % d;
    for row in 0..a.rows() {
        for (&column, value) in a.row(row).0.iter().zip(a.row(row).1) {
            *sum.entry((global(row), global(column as usize))).or_default() += value;
        }
    }
}

fn add_vector(sum: &mut [f64], assembler: &Assembler<'_>, vector: &[f64]) {
    let d = assembler.components();
    for (i, value) in vector.iter().enumerate() {
        sum[assembler.submesh().nodes()[i / d] as usize * d + i % d] += value;
    }
}

/// The matrix, then right-hand side, lumped mass and load, added up over submeshes.
fn sums(mesh: &Mesh, pieces: &[Submesh<'_>], conditions: &Conditions) -> (Entries, [Vec<f64>; 3]) {
    let d = conditions.components();
    let young = Value::function(|p| 1.0 + p[0]);
    let form = match d {
        1 => Form::stiffness(young) + 0.5 * Form::mass(1.0),
        _ => Form::elasticity(young, 0.3, Plane::Strain),
    };
    let load = Load::sources(vec![1.0; d])
        + Load::traction("right", vec![Value::function(|p| p[1]); d])
        + Load::traction("top", vec![2.0; d]);
    let mut entries = Entries::new();
    let mut vectors: [Vec<f64>; 3] = std::array::from_fn(|_| vec![0.0; d * mesh.points().len()]);
    for piece in pieces {
        let assembler = Assembler::new(piece, conditions).unwrap();
        add_matrix(&mut entries, &assembler, &form);
        let forces = assembler.load(&load).unwrap();
        add_vector(&mut vectors[0], &assembler, &forces);
        add_vector(&mut vectors[1], &assembler, &assembler.rhs(&form, forces).unwrap());
        add_vector(&mut vectors[2], &assembler, &assembler.lumped(3.0).unwrap());
    }
    (entries, vectors)
}

fn check(mesh: &Mesh, fixes: &[Fix], components: usize, seed: u64) {
    let conditions = Conditions::new(mesh, components, fixes).unwrap();
    let (whole, vectors) = sums(mesh, &[Submesh::whole(mesh)], &conditions);
    let scale = whole.values().fold(0.0_f64, |most, value| most.max(value.abs()));
    for parts in [1, 2, 3, 7] {
        let params = PartitionParams { parts, ..PartitionParams::default() };
        let part = element_partition(mesh, None, &params).unwrap().part;
        let (added, found) = sums(mesh, &pieces(mesh, &part, parts, seed), &conditions);
        assert_eq!(added.len(), whole.len());
        for ((at, value), (other, expected)) in added.iter().zip(&whole) {
            assert_eq!(at, other);
            assert!((value - expected).abs() < 1e-14 * scale, "{at:?}: {value} {expected}");
        }
        for (found, expected) in found.iter().zip(&vectors) {
            let close = |(a, b): (&f64, &f64)| (a - b).abs() < 1e-13 * scale.max(1.0);
            assert!(found.iter().zip(expected).all(close));
        }
        for (node, component, value) in conditions.iter() {
            let unknown = node as usize * components + component;
            assert_eq!((added[&(unknown, unknown)], found[1][unknown]), (1.0, value));
        }
    }
}

#[test]
fn parts_add_up() {
    for kind in KINDS {
        let mesh = distorted(kind, 4, 21);
        let d = usize::from(mesh.dimension());
        let fixes = [Fix::new("left", Value::function(|p| 1.0 + p[1])), Fix::new("bottom", 0.5)];
        check(&mesh, &fixes, 1, 1);
        check(&mesh, &[fixes[0].clone(), fixes[1].clone().component(1)], d, 2);
    }
}

/// A mesh whose crack is a group inside, and whose tip is one of points.
#[test]
fn parts_of_the_cracked_plate_add_up() {
    let plate = generate("crack-plate:400:doubled".parse().unwrap(), 1).unwrap();
    let fixes = [Fix::new("lower crack", 0.0), Fix::new("bottom", 1.0), Fix::new("tip", 0.25)];
    check(&plate, &fixes, 1, 3);
    check(&plate, &fixes, 2, 4);
}

#[test]
fn squared_errors_of_parts_add_up() {
    let mesh = distorted("mixed", 5, 2);
    let exact = |p: [f64; 3], _: usize| (3.0 * p[0]).sin() * p[1];
    let values: Vec<f64> = mesh.points().iter().map(|p| p[0] - p[1]).collect();
    let whole = l2_error(&Submesh::whole(&mesh), 1, &values, exact).unwrap();
    let part: Vec<u32> = (0..mesh.elements().len() as u32).map(|e| e % 3).collect();
    let squares = pieces(&mesh, &part, 3, 5).into_iter().map(|piece| {
        let own: Vec<f64> = piece.nodes().iter().map(|&node| values[node as usize]).collect();
        l2_error(&piece, 1, &own, exact).unwrap().powi(2)
    });
    assert!((squares.sum::<f64>().sqrt() - whole).abs() < 1e-14);
}

#[test]
fn functions_are_interpolated_in_every_copy() {
    let mesh = distorted("triangles", 3, 2);
    let conditions = Conditions::none(2).unwrap();
    let part: Vec<u32> = (0..mesh.elements().len() as u32).map(|e| e % 2).collect();
    for piece in pieces(&mesh, &part, 2, 5) {
        let assembler = Assembler::new(&piece, &conditions).unwrap();
        let found = assembler.interpolate(&[Value::function(|p| p[0] * p[1]), 4.0.into()]).unwrap();
        for (&node, pair) in piece.nodes().iter().zip(found.chunks_exact(2)) {
            let p = mesh.points()[node as usize];
            assert_eq!(pair, [p[0] * p[1], 4.0]);
        }
        assert!(assembler.interpolate(&[1.0.into()]).is_err());
    }
}
