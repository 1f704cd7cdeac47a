//! Sums of floats that lose nothing. Adding 0.1 ten times misses 1; a large deposit swallows a
//! small one. Exact summation gives the float nearest to the true sum, at every vertex.
use palmette::tree::Direction;
use palmette::tree::sum::{SumParams, tree_sums};
use palmette::{NONE, Summation, Tree};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // Branch 1 gets ten dimes; branch 2 gets 10^16, one unit, and gives 10^16 back.
    let mut parents = vec![NONE, 0, 0];
    parents.extend([1; 10]);
    parents.extend([2; 3]);
    let mut values = vec![0.0; 3];
    values.extend([0.1; 10]);
    values.extend([1e16, 1.0, -1e16]);
    let tree = Tree::from_parents(&parents)?;
    let values = tree.to_positions(&values)?;
    let sums = |summation| {
        let params = SumParams { summation, bounds: true, ..SumParams::default() };
        tree_sums(&tree, Direction::Leaffix, &values, params)
    };

    // The double 0.1 is 0.1 + 5.55e-18. Ten of them are 1 + 5.55e-17, and the nearest double to
    // that is 1. The other branch is 1 by cancellation, and both together are 2.
    let exact = sums(Summation::Exact)?;
    assert_eq!(tree.to_vertices(&exact.sums)?[..3], [2.0, 1.0, 1.0]);

    // Plain sums round after each addition: the dimes reach 1 - 2^-53, and 10^16 + 1 is 10^16
    // since doubles are 2 apart there.
    let plain = sums(Summation::Plain)?;
    let by_vertex = tree.to_vertices(&plain.sums)?;
    assert_eq!(by_vertex[1], 1.0 - f64::EPSILON / 2.0);
    assert_eq!(by_vertex[2], 0.0);

    // The bound that comes with a plain sum says how much to trust it.
    let bounds = tree.to_vertices(&plain.bounds.ok_or("bounds were asked for")?)?;
    assert!(bounds[1] < 1e-14 && bounds[2] >= 1.0, "{bounds:?}");
    println!("exact 2, plain {}, at most {} off", by_vertex[0], bounds[0]);
    Ok(())
}
