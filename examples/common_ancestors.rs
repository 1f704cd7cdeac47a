//! Lowest common ancestors of a million pairs, from an index that is built once.
use palmette::{Lca, NONE, Tree};

/// A perfect binary tree of 20 levels, numbered like a heap: the parent of v is (v - 1) / 2.
const VERTICES: u32 = (1 << 20) - 1;

/// The answer from the numbers alone. Counted from 1, a vertex's number in binary spells the way
/// from the root, so the ancestor is the longest common prefix.
fn common_prefix(u: u32, v: u32) -> u32 {
    let (mut a, mut b) = (u + 1, v + 1);
    // Climb to the same level, then past the highest bit that differs.
    a >>= b.leading_zeros().saturating_sub(a.leading_zeros());
    b >>= a.leading_zeros().saturating_sub(b.leading_zeros());
    (a >> (u32::BITS - (a ^ b).leading_zeros())) - 1
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let parents: Vec<u32> =
        (0..VERTICES).map(|v| v.checked_sub(1).map_or(NONE, |v| v / 2)).collect();
    let tree = Tree::from_parents(&parents)?;

    // Two multiplicative sequences: pairs that are spread over the whole tree.
    let spread = |i: u32, factor: u32| i.wrapping_mul(factor) % VERTICES;
    let pairs: Vec<(u32, u32)> =
        (0..1_000_000).map(|i| (spread(i, 2_654_435_761), spread(i, 2_246_822_519))).collect();
    let ancestors = Lca::by_vertex(&tree).batch(&pairs);

    for (&(u, v), &ancestor) in pairs.iter().zip(&ancestors) {
        assert_eq!(ancestor, common_prefix(u, v), "{u} and {v}");
    }
    // By hand: 3 and 4 are sisters below 1, 5 hangs below 2, and 9 lies below 4.
    let index = Lca::by_vertex(&tree);
    assert_eq!(index.batch(&[(3, 4), (3, 5), (9, 4)]), [1, 0, 4]);
    println!("{} pairs; the first is {:?}, below {}", pairs.len(), pairs[1], ancestors[1]);
    Ok(())
}
