//! Where a tree lies decides what its messages cost. A parent sends to each child; energy is the
//! total distance. Light-first order keeps it linear, breadth-first order does not.
use palmette::Tree;
use palmette::core::generate::{Shape, generate};
use palmette::spatial::curve::CurveKind;
use palmette::spatial::layout::{Layout, LayoutParams, Order};

/// The energy of a perfect tree or a path with `n` vertices on a Hilbert curve.
fn energy(shape: Shape, n: usize, order: Order) -> Result<u64, Box<dyn std::error::Error>> {
    let tree = Tree::from_parents(&generate(shape, n, 1)?)?;
    let params = LayoutParams { order, ..LayoutParams::default() };
    Ok(Layout::new(tree, params)?.traffic().energy)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // A path lies along the curve: each of its edges has length 1.
    assert_eq!(energy(Shape::Path, 4096, Order::LightFirst)?, 4095);

    let mut breadth_first = Vec::new();
    for n in [1023, 4095, 16_383] {
        let light = energy(Shape::Perfect, n, Order::LightFirst)?;
        let bfs = energy(Shape::Perfect, n, Order::Bfs)?;
        println!("{n:>6} vertices: light-first {light:>6}, breadth-first {bfs:>7}");
        // Energy O(n): about two steps per edge, whatever the size.
        assert!((light as f64) < 2.1 * n as f64, "{light}");

        // Breadth-first, vertex v of a perfect tree is the v-th cell, and its parent (v - 1) / 2.
        let curve = CurveKind::Hilbert.fitting(n as u64)?;
        let edge = |v: u64| curve.cell(v).distance(curve.cell((v - 1) / 2));
        assert_eq!(bfs, (1..n as u64).map(edge).sum::<u64>());
        breadth_first.push(bfs as f64 / n as f64);
    }
    // Half of all edges cross half the curve, which is as long as the side of the square: with
    // four times the vertices an edge gets twice as long.
    for pair in breadth_first.windows(2) {
        assert!((1.8..2.2).contains(&(pair[1] / pair[0])), "{breadth_first:?}");
    }
    Ok(())
}
