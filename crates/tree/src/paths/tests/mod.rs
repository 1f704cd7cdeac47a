//! Every routine against checkers that walk up parents one by one; here are the
//! shapes and the checkers.
#![allow(clippy::unwrap_used)]

mod ancestor;
mod large;
mod middle;
mod product;

use super::*;
use palmette_core::tree::SiblingOrder;
use palmette_core::{Monoid, NONE, Tree, TreeParams};
use proptest::prelude::*;

/// A small generator, so that the shapes below depend on nothing else.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let x = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (x ^ (x >> 31)) % bound
    }
}

fn forest(parents: &[u32], siblings: SiblingOrder) -> Tree {
    Tree::with_params(parents, TreeParams { forest: true, siblings }).unwrap()
}

/// Trees of n vertices: uniform, near-path, path, star, caterpillar, broom, and a forest.
fn shapes(n: u32, seed: u64) -> Vec<Tree> {
    let mut random = Random(seed);
    let mut shape = |parent: &mut dyn FnMut(u64, &mut Random) -> u64| -> Vec<u32> {
        (0..u64::from(n))
            .map(|i| if i == 0 { NONE } else { parent(i, &mut random) as u32 })
            .collect()
    };
    let mut all = vec![
        shape(&mut |i, random| random.below(i)),
        shape(&mut |i, random| i - 1 - random.below(i.min(3))),
        shape(&mut |i, _| i - 1),
        shape(&mut |_, _| 0),
        shape(&mut |i, _| if i % 2 == 1 { i.saturating_sub(2) } else { i - 2 }),
        shape(&mut |i, _| if i <= u64::from(n) / 2 { i - 1 } else { u64::from(n) / 2 }),
        shape(&mut |i, _| (i - 1) / 2),
    ];
    let cut = shape(&mut |i, random| {
        if random.below(6) == 0 { u64::from(NONE) } else { random.below(i) }
    });
    all.push(cut);
    let orders = [SiblingOrder::AsGiven, SiblingOrder::LightFirst, SiblingOrder::HeavyFirst];
    all.iter().map(|parents| forest(parents, orders[seed as usize % 3])).collect()
}

fn for_every_shape(check: impl Fn(&Tree, &mut Random)) {
    check(&forest(&[], SiblingOrder::AsGiven), &mut Random(0));
    for n in 1..100 {
        for seed in 0..4 {
            for tree in shapes(n, seed * 1000 + u64::from(n)) {
                check(&tree, &mut Random(seed));
            }
        }
    }
}

/// A position and all its ancestors, bottom to top.
fn ancestors(tree: &Tree, position: u32) -> Vec<u32> {
    std::iter::successors(Some(position), |&i| tree.parent(i)).collect()
}

fn naive_lca(tree: &Tree, u: u32, v: u32) -> Option<u32> {
    let above = ancestors(tree, v);
    ancestors(tree, u).into_iter().find(|a| above.contains(a))
}

/// The positions from u to v in the order of walking, and where the LCA is among them.
fn naive_walk(tree: &Tree, u: u32, v: u32) -> Option<(Vec<u32>, usize)> {
    let lca = naive_lca(tree, u, v)?;
    let mut walk: Vec<u32> = ancestors(tree, u).into_iter().take_while(|&a| a != lca).collect();
    let at = walk.len();
    walk.push(lca);
    let down: Vec<u32> = ancestors(tree, v).into_iter().take_while(|&a| a != lca).collect();
    walk.extend(down.into_iter().rev());
    Some((walk, at))
}

/// Every pair of a small tree, some pairs of a larger one.
fn pairs_of(tree: &Tree, random: &mut Random) -> Vec<(u32, u32)> {
    let n = tree.len() as u32;
    if n <= 24 {
        return (0..n).flat_map(|u| (0..n).map(move |v| (u, v))).collect();
    }
    let mut any = || random.below(u64::from(n)) as u32;
    (0..200).map(|_| (any(), any())).collect()
}

prop_compose! {
    fn any_forest()(choices in prop::collection::vec(any::<u32>(), 0..400), span in 1u32..400,
                    order in 0usize..3) -> Tree {
        let parent = |(i, &c): (usize, &u32)| {
            let i = i as u32;
            if i == 0 || c % 31 == 0 { NONE } else { i - 1 - (c / 31) % i.min(span) }
        };
        let parents: Vec<u32> = choices.iter().enumerate().map(parent).collect();
        let orders = [SiblingOrder::AsGiven, SiblingOrder::LightFirst, SiblingOrder::HeavyFirst];
        forest(&parents, orders[order])
    }
}
