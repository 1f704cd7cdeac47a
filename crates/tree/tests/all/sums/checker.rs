//! Exact sums by other means than the engines'.

use palmette_core::Tree;
use palmette_tree::{Direction, Scope};

/// At every position the sum, in whole numbers, by adding along the definition's recursion.
pub(crate) fn whole(tree: &Tree, values: &[i128], direction: Direction, scope: Scope) -> Vec<i128> {
    let n = tree.len();
    let mut sums = values.to_vec();
    match direction {
        Direction::Rootfix => {
            for i in 0..n as u32 {
                if let Some(p) = tree.parent(i) {
                    sums[i as usize] += sums[p as usize];
                }
            }
        }
        Direction::Leaffix => {
            for i in (0..n as u32).rev() {
                if let Some(p) = tree.parent(i) {
                    sums[p as usize] += sums[i as usize];
                }
            }
        }
    }
    if scope == Scope::Exclusive {
        sums.iter_mut().zip(values).for_each(|(sum, own)| *sum -= own);
    }
    sums
}

/// The positions whose values make the sum at `i`.
pub(crate) fn covered(tree: &Tree, direction: Direction, scope: Scope, i: u32) -> Vec<usize> {
    let mut at: Vec<usize> = match direction {
        Direction::Leaffix => (i as usize..tree.end(i) as usize).collect(),
        Direction::Rootfix => {
            std::iter::successors(Some(i), |&p| tree.parent(p)).map(|p| p as usize).collect()
        }
    };
    at.retain(|&p| scope == Scope::Inclusive || p != i as usize);
    at
}

/// The nearest float to a sum of finite numbers that does not overflow: Shewchuk's expansion of
/// numbers that do not overlap, rounded with an eye on the next one.
pub(crate) fn nearest(values: impl IntoIterator<Item = f64>) -> f64 {
    let mut parts: Vec<f64> = Vec::new();
    for mut x in values {
        let mut kept = 0;
        for j in 0..parts.len() {
            let mut y = parts[j];
            if x.abs() < y.abs() {
                std::mem::swap(&mut x, &mut y);
            }
            let sum = x + y;
            let lost = y - (sum - x);
            if lost != 0.0 {
                parts[kept] = lost;
                kept += 1;
            }
            x = sum;
        }
        parts.truncate(kept);
        parts.push(x);
    }
    let mut sum = parts.pop().unwrap_or(0.0);
    let mut lost = 0.0;
    while let Some(y) = parts.pop() {
        let x = sum;
        sum = x + y;
        lost = y - (sum - x);
        if lost != 0.0 {
            break;
        }
    }
    // A tie that was broken without those below it.
    if let Some(&next) = parts.last()
        && lost.signum() == next.signum()
        && lost != 0.0
    {
        let (x, y) = (sum + 2.0 * lost, 2.0 * lost);
        if y == x - sum {
            sum = x;
        }
    }
    sum
}

#[test]
fn the_checker_rounds_as_it_should() {
    assert_eq!(nearest([1e16, 1.0, 1e-16]), 1e16 + 2.0);
    assert_eq!(nearest([1e16, 1.0]), 1e16);
    assert_eq!(nearest([1.0, 1e100, 1.0, -1e100]), 2.0);
    assert_eq!(nearest([]), 0.0);
}
