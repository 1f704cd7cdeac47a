//! Trees of several blocks: the threads engines cut the preorder into blocks of fixed
//! length, and a task takes four of them.

use crate::engines::checker::Sweep;
use crate::engines::run::{Prepared, every_engine, representative_operators};
use crate::engines::{exact, trees};
use proptest::prelude::*;
use rayon::prelude::*;

/// As in `src/blocks.rs`, so that the trees can be made to hit the boundaries.
pub(crate) const BLOCK: usize = (1 << 13) + 160;

/// On and beside the boundaries of blocks and tasks, and on either side of the size from
/// which `auto` uses threads.
const SIZES: [usize; 6] =
    [12 * BLOCK - 1, 12 * BLOCK, 15 * BLOCK + 1, 16 * BLOCK + 1, 17 * BLOCK + 4321, 200_000];

#[test]
fn blocks_have_the_assumed_length() {
    let source = include_str!("../../../src/blocks.rs");
    assert!(source.contains("const BLOCK: usize = (1 << 13) + 160;"), "change it here, too");
}

#[test]
fn every_shape_over_several_blocks() {
    let passes: u64 = (0..trees::shapes(1, 0).len())
        .into_par_iter()
        .map(|k| {
            let n = SIZES[k % SIZES.len()];
            let shape = &trees::shapes(n, 5)[k];
            let check = |(name, parents): &trees::Named| {
                let name = format!("{name}, {n} vertices");
                let (prepared, sweep) = (Prepared::new(parents, 3), Sweep::new(parents));
                representative_operators(&name, &prepared.tree, Some(&prepared), &sweep, 9)
            };
            // As it is or shuffled, and one of the two forests.
            let mut arrangements = trees::arrangements(shape, 6);
            arrangements.remove(2 + k % 2);
            arrangements.remove(k / 2 % 2);
            arrangements.iter().map(check).sum::<u64>()
        })
        .sum();
    println!("{passes} passes");
}

/// The shapes on which subtrees begin in one block and end inside another, at sizes
/// around the boundaries.
#[test]
fn subtrees_that_end_inside_later_blocks() {
    let blocks = [1, 2, 4, 5, 8];
    let sizes = blocks.map(|k| [k * BLOCK - 1, k * BLOCK, k * BLOCK + 1]).concat();
    let passes: u64 = sizes
        .into_par_iter()
        .flat_map_iter(|n| {
            let combs = [1, 2, 100, 5000].map(|t| (format!("comb {t}"), trees::comb(n, t)));
            let walks = (0..6).map(move |s| (format!("walk {s}"), trees::walk(n, BLOCK, s)));
            combs.into_iter().chain(walks)
        })
        .map(|(name, parents)| {
            let (prepared, sweep) = (Prepared::new(&parents, 3), Sweep::new(&parents));
            let name = format!("{name}, {} vertices", parents.len());
            let (tree, prepared) = (&prepared.tree, Some(&prepared));
            every_engine(&exact::rolling_hash(), &name, tree, prepared, &sweep, 1)
                + every_engine(&exact::sum_i64(), &name, tree, prepared, &sweep, 2)
        })
        .sum();
    println!("{passes} passes");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, max_shrink_iters: 20, ..Default::default() })]

    /// Preorders made by a random walk, with subtrees that end at and around the
    /// boundaries of blocks; some are cut into forests.
    #[test]
    fn random_walks(n in 2 * BLOCK..11 * BLOCK, seed in any::<u64>(), forest in any::<bool>()) {
        let parents = trees::walk(n, BLOCK, seed);
        let parents = if forest { trees::cut(&parents, 20_000, seed) } else { parents };
        let (prepared, sweep) = (Prepared::new(&parents, seed), Sweep::new(&parents));
        let family = exact::rolling_hash();
        every_engine(&family, "walk", &prepared.tree, Some(&prepared), &sweep, seed);
    }
}
