//! What errors of sums do not exceed, on trees small enough to count by hand.

use palmette_core::{NONE, Tree};
use palmette_gpu::bound::{by_scan, in_any_brackets};
use palmette_tree::{Direction, Scope};

/// The relative error of an addition.
const UNIT: f64 = f32::EPSILON as f64;

#[test]
fn bounds_grow_with_what_is_added() {
    let tree = Tree::from_parents(&[NONE, 0, 1, 1]).unwrap();
    let x = [1.0f32, -2.0, 4.0, 0.0];
    let tiny = 1e-30;
    let root = in_any_brackets(&tree, Direction::Rootfix, &x, Scope::Inclusive);
    let about = |found: f64, wanted: f64| (found / wanted - 1.0).abs() < 1e-5;
    assert!(root[0] < tiny, "one value is not added to anything");
    assert!(about(root[1], 3.0 * UNIT) && about(root[2], 7.0 * 2.0 * UNIT), "{root:?}");
    let leaf = in_any_brackets(&tree, Direction::Leaffix, &x, Scope::Exclusive);
    assert!(about(leaf[0], 6.0 * 2.0 * UNIT) && leaf[2] == 0.0, "{leaf:?}");
    let scan = by_scan(&tree, Direction::Rootfix, &x, Scope::Inclusive);
    assert!(about(scan[2], 7.0 * 23.0 * UNIT) && about(scan[3], 11.0 * 23.0 * UNIT));
    let scan = by_scan(&tree, Direction::Leaffix, &x, Scope::Inclusive);
    assert!(about(scan[0], 7.0 * 24.0 * UNIT) && about(scan[2], 10.0 * 24.0 * UNIT));
    let large = in_any_brackets(&tree, Direction::Leaffix, &[3e38; 4], Scope::Inclusive);
    assert_eq!(large[0], f64::INFINITY, "overflow cannot be excluded");
    assert!(large[3].is_finite());
}
