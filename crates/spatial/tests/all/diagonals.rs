//! Lemmas 3, 5, 6 and 7: why light-first order in Z-order takes linear energy though Z-order jumps.
//!
//! A *diagonal* is the step from index t to t + 1. Its Manhattan length is a power of two, that of
//! the side of the smallest aligned block that it leaves. Several as long may lie between two
//! indices; *the* longest is the one that leaves the largest block, and there is one such. The text
//! bounds how often one can be the longest between a vertex and its child. It needs there that
//! indices differ by less than 4 k² where a diagonal of length k is the longest (2 k is printed).

use palmette_core::generate::{Shape, generate};
use palmette_core::tree::SiblingOrder;
use palmette_core::{NONE, Tree, TreeParams};
use palmette_spatial::Cell;
use palmette_spatial::curve::CurveKind;
use palmette_spatial::local::virtual_tree;
use std::collections::HashMap;

/// The cells of the first n indices in Z-order.
fn cells(n: usize) -> Vec<Cell> {
    let mut cells = vec![Cell::default(); n];
    CurveKind::Z.fitting(n as u64).unwrap().cells(0, &mut cells);
    cells
}

/// The Manhattan length of the diagonal behind index t.
pub(crate) fn length(t: u32) -> u64 {
    1 << t.trailing_ones().div_ceil(2)
}

/// The longest diagonal between two indices: the first index that ends in the most ones.
pub(crate) fn longest(i: u32, j: u32) -> u32 {
    // The highest bit in which they differ is set in the one behind it and not before.
    let bit = (i ^ j).ilog2();
    (j >> bit << bit) - 1
}

/// What a message takes at most on an aligned curve: E_b.
pub(crate) fn aligned(i: u32, j: u32) -> u64 {
    let gap = u64::from(j - i) + 1;
    let side = (0..).map(|k| 1u64 << k).find(|side| side * side >= gap).unwrap();
    3 * side - 2
}

#[test]
fn diagonals_are_powers_of_two_and_one_is_the_longest() {
    let cells = cells(1 << 12);
    for t in 0..(1 << 12) - 1 {
        let [a, b] = [cells[t as usize], cells[t as usize + 1]];
        assert_eq!(a.distance(b), length(t), "{t}");
    }
    for i in 0..200 {
        for j in i + 1..300 {
            let most = (i..j).map(u32::trailing_ones).max().unwrap();
            let all: Vec<u32> = (i..j).filter(|t| t.trailing_ones() == most).collect();
            assert_eq!(all, [longest(i, j)], "{i} to {j}");
        }
    }
}

/// Every pair of indices on a grid of 64 by 64.
#[test]
fn lemma_3_holds_for_every_message() {
    let cells = cells(1 << 12);
    let mut tightest = f64::MAX;
    for i in 0..1 << 12 {
        for j in i + 1..1 << 12 {
            let energy = cells[i as usize].distance(cells[j as usize]);
            let bound = aligned(i, j) + length(longest(i, j));
            assert!(energy <= bound, "{i} to {j}: {energy} above {bound}");
            tightest = tightest.min(bound as f64 / energy as f64);
        }
    }
    // The bound is met up to a constant: neither part is so large that it says nothing.
    assert!(tightest < 1.5, "{tightest}");
    // On its own, neither part is a bound.
    let pairs = || (0..1 << 8).flat_map(|i| (i + 1..1 << 8).map(move |j| (i, j)));
    let energy = |(i, j): (u32, u32)| cells[i as usize].distance(cells[j as usize]);
    assert!(pairs().any(|(i, j)| energy((i, j)) > aligned(i, j)));
    assert!(pairs().any(|(i, j)| energy((i, j)) > length(longest(i, j))));
}

/// A tree in light-first order: the parent and the size of the subtree of every position.
struct Laid {
    parents: Vec<u32>,
    sizes: Vec<u32>,
    children: u32,
}

impl Laid {
    fn new(parents: Vec<u32>) -> Laid {
        let mut sizes = vec![1u32; parents.len()];
        let mut children = vec![0u32; parents.len()];
        for v in (1..parents.len()).rev() {
            sizes[parents[v] as usize] += sizes[v];
            children[parents[v] as usize] += 1;
        }
        Laid { parents, sizes, children: children.into_iter().max().unwrap() }
    }

    /// The trees of a shape: as it is, and, where degrees are not bounded, the virtual tree, which
    /// is in light-first order too (Lemma 8).
    fn of(shape: Shape, n: usize, seed: u64) -> [Laid; 2] {
        let params = TreeParams { siblings: SiblingOrder::LightFirst, ..TreeParams::default() };
        let tree = Tree::with_params(&generate(shape, n, seed).unwrap(), params).unwrap();
        let linked = virtual_tree(&tree).iter().map(|links| links.parent).collect();
        [Laid::new(tree.parents().to_vec()), Laid::new(linked)]
    }

    /// By diagonal, the messages from parents to children for which it is the longest, senders
    /// from the root down.
    fn crossings(&self) -> HashMap<u32, Vec<(u32, u32)>> {
        let mut found: HashMap<u32, Vec<(u32, u32)>> = HashMap::new();
        for (v, &parent) in (0u32..).zip(&self.parents).filter(|(_, p)| **p != NONE) {
            found.entry(longest(parent, v)).or_default().push((parent, v));
        }
        found.values_mut().for_each(|messages| messages.sort_unstable());
        found
    }
}

fn trees(mut test: impl FnMut(&Laid, &str)) {
    for shape in Shape::FREE {
        for n in (2..=64).chain([100, 255, 256, 1000, 1 << 12, 1 << 14]) {
            let seed = n as u64;
            for (laid, name) in Laid::of(shape, n, seed).iter().zip(["", ", virtual"]) {
                test(laid, &format!("{shape}{name}, {n} vertices"));
            }
        }
    }
}

#[test]
fn lemma_5_the_next_subtree_is_at_most_half() {
    trees(|laid, what| {
        for (diagonal, messages) in laid.crossings() {
            let mut senders: Vec<u32> = messages.iter().map(|&(from, _)| from).collect();
            senders.dedup();
            for pair in senders.windows(2) {
                let [above, below] = [pair[0], pair[1]];
                let size = |v: u32| laid.sizes[v as usize];
                // In one subtree only: of any two, one is below the other.
                assert!(below < above + size(above), "{what}: diagonal {diagonal}");
                assert!(2 * size(below) <= size(above), "{what}: diagonal {diagonal}");
            }
        }
    });
}

#[test]
fn lemma_6_bounds_how_often_a_diagonal_is_the_longest() {
    trees(|laid, what| {
        for (diagonal, messages) in laid.crossings() {
            let k = length(diagonal);
            let bound = u64::from(laid.children) * u64::from((4 * k * k).ilog2());
            let times = messages.len() as u64;
            // Measured: half of what the lemma allows.
            assert!(2 * times <= bound, "{what}: diagonal {diagonal}, {times} times");
            for (from, to) in messages {
                assert!(u64::from(to - from) < 4 * k * k, "{what}: {from} to {to} over {k}");
            }
        }
    });
}

/// Along virtual edges; measured 2.69 n at 2^8 to 3.13 n at 2^16, growing less and less.
#[test]
fn lemma_7_diagonals_take_linear_energy() {
    let mut worst = 0.0f64;
    for k in [8, 10, 12, 14, 16] {
        for shape in Shape::FREE {
            let laid = &Laid::of(shape, 1 << k, 1)[1];
            let links = (0u32..).zip(&laid.parents).filter(|(_, p)| **p != NONE);
            let energy: u64 = links.map(|(v, &parent)| length(longest(parent, v))).sum();
            worst = worst.max(energy as f64 / f64::from(1 << k));
        }
    }
    assert!(worst <= 3.2, "{worst:.2}");
}
