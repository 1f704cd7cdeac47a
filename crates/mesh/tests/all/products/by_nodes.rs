use crate::products::inputs::*;
use palmette_core::Mesh;
use palmette_mesh::element::node_graph;
use palmette_mesh::spmv::{
    Alone, RowPiece, RowWorld, Traffic, Transport, channels, row_pieces, springs,
};
use palmette_mesh::{Method, PartitionParams, Quotient, partition};

fn nodes_cut(mesh: &Mesh, parts: u32) -> Vec<u32> {
    let params = PartitionParams { parts, bisection: Method::Coordinate, ..Default::default() };
    partition(&node_graph(mesh), mesh.points(), None, &params).unwrap().part
}

/// `A x` at owned nodes, by node of the mesh; elsewhere NaN.
fn product<T: Transport>(
    mesh: &Mesh,
    all: Vec<RowPiece>,
    d: usize,
    transport: T,
) -> (Vec<f64>, Traffic) {
    let mut world = RowWorld::new(all, d, transport).unwrap();
    let matrix = |p: &RowPiece| springs(mesh, &p.nodes, &p.elements, d, stiffness, GROUND);
    let a = world.matrix(world.pieces().iter().map(matrix).collect()).unwrap();
    let unknowns = *world.starts().last().unwrap();
    // Ghosts are not up to date.
    let (mut x, mut y) = (vec![f64::NAN; unknowns], vec![0.0; unknowns]);
    for (piece, &start) in world.pieces().iter().zip(world.starts()) {
        for (i, &v) in piece.nodes[..piece.owned].iter().enumerate() {
            (0..d).for_each(|c| x[start + i * d + c] = value(v, c));
        }
    }
    world.product(&a, &mut x, &mut y).unwrap();
    let mut found = vec![f64::NAN; mesh.points().len() * d];
    for (piece, &start) in world.pieces().iter().zip(world.starts()) {
        for (i, &v) in piece.nodes[..piece.owned].iter().enumerate() {
            (0..d).for_each(|c| found[v as usize * d + c] = y[start + i * d + c]);
        }
    }
    assert_eq!(world.traffic(), world.product_traffic());
    (found, world.traffic())
}

#[test]
fn ghosts_come_before_the_product() {
    for (shape, parts, d) in
        [("crack-plate:600", 5, 2), ("tetrahedra:4x4x5", 7, 1), ("grid:3x3", 1, 1)]
    {
        let mesh = mesh(shape);
        let part = nodes_cut(&mesh, parts);
        let all = row_pieces(&mesh, &part, parts as usize).unwrap();
        let (found, traffic) = product(&mesh, all.clone(), d, Alone);
        let (wanted, size) = by_loop(&mesh, d, stiffness);
        for ((found, wanted), size) in found.iter().zip(&wanted).zip(&size) {
            assert!((found - wanted).abs() <= 1e3 * f64::EPSILON * size, "{shape}");
        }
        let quotient = Quotient::of(&node_graph(&mesh), &part, parts as usize);
        assert_eq!(traffic.messages, quotient.messages().count() as u64);
        assert_eq!(traffic.words, quotient.total() * d as u64);
        for ranks in (2..=4).filter(|&ranks| ranks <= parts as usize) {
            let (mesh, all) = (&mesh, &all);
            let by_rank: Vec<_> = std::thread::scope(|scope| {
                let run = |t| scope.spawn(move || product(mesh, all.clone(), d, t));
                let started: Vec<_> = channels(ranks).into_iter().map(run).collect();
                started.into_iter().map(|t| t.join().unwrap()).collect()
            });
            for (rank, (_, other)) in by_rank.iter().enumerate() {
                assert_eq!(*other, traffic, "rank {rank} counts all parts");
            }
            let known =
                by_rank.iter().map(|(found, _)| found.iter().filter(|x| !x.is_nan()).count());
            assert_eq!(known.sum::<usize>(), found.len(), "each node on one rank");
            for (part, _) in &by_rank {
                let same =
                    part.iter().zip(&found).all(|(p, f)| p.is_nan() || p.to_bits() == f.to_bits());
                assert!(same, "{shape} on {ranks} ranks");
            }
        }
    }
}
