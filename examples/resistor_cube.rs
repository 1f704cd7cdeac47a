//! The classic puzzle: twelve resistors of 1 ohm along the edges of a cube. What does a meter
//! read between two corners?
use palmette::Graph;
use palmette::graph::Laplacian;
use palmette::graph::solve::{SolveParams, resistances};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // Corners are numbers of three bits; an edge flips one of them.
    let mut edges = Vec::new();
    for corner in 0..8u32 {
        let flipped = [1, 2, 4].map(|bit| (corner, corner ^ bit, 1.0));
        edges.extend(flipped.into_iter().filter(|(a, b, _)| a < b));
    }
    let cube = Graph::from_edges(8, &edges)?;
    let laplacian = Laplacian::new(&cube, None);
    let params = SolveParams { tolerance: 1e-12, ..SolveParams::default() };
    let pairs: Vec<(u32, u32)> = (0..8).flat_map(|a| (0..a).map(move |b| (a, b))).collect();
    let found = resistances(&laplacian, &pairs, &params)?;

    // By symmetry. Across the body, the current splits in 3, then 6, then 3: 1/3 + 1/6 + 1/3.
    // Over a face, four corners are level with each other: 3/4. Along an edge, Foster's
    // theorem: the twelve edges add up to 8 - 1.
    let expected = [0.0, 7.0 / 12.0, 3.0 / 4.0, 5.0 / 6.0];
    for (&(a, b), resistance) in pairs.iter().zip(&found) {
        let exact = expected[(a ^ b).count_ones() as usize];
        assert!((resistance - exact).abs() < 1e-10, "{a} to {b}: {resistance}");
    }
    let along_edges = pairs.iter().zip(&found).filter(|((a, b), _)| (a ^ b).count_ones() == 1);
    let sum: f64 = along_edges.map(|(_, resistance)| resistance).sum();
    assert!((sum - 7.0).abs() < 1e-9, "{sum}");
    println!("edge 7/12, face 3/4, body 5/6 ohm; all edges together {sum:.6}");
    Ok(())
}
