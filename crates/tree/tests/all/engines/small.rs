//! All sizes from 0 to 200 against the definition.

use crate::engines::checker::Terms;
use crate::engines::run::{Prepared, every_operator, forest, representative_operators};
use crate::engines::trees;
use rayon::prelude::*;

/// Checks all sizes in a range and returns the number of passes.
fn sizes(range: std::ops::RangeInclusive<usize>, seeds: u64, all_operators: bool) -> u64 {
    let inputs: Vec<(usize, u64)> = range.flat_map(|n| (0..seeds).map(move |s| (n, s))).collect();
    inputs
        .into_par_iter()
        .flat_map(|(n, seed)| trees::shapes(n, seed).into_par_iter().map(move |s| (s, seed)))
        .flat_map_iter(|(shape, seed)| {
            trees::arrangements(&shape, seed).into_iter().map(move |tree| (tree, seed))
        })
        .map(|((name, parents), seed)| {
            let name = format!("{name}, {} vertices, seed {seed}", parents.len());
            let (tree, terms) = (forest(&parents), Terms::new(&parents));
            if all_operators {
                every_operator(&name, &tree, None, &terms, seed)
            } else {
                representative_operators(&name, &tree, None, &terms, seed)
            }
        })
        .sum()
}

#[test]
fn every_operator_on_sizes_to_40() {
    println!("{} passes", sizes(0..=40, 2, true));
}

#[test]
fn representative_operators_on_sizes_to_200() {
    println!("{} passes", sizes(41..=200, 1, false));
}

/// Answers do not depend on the seed of the contraction plan.
#[test]
fn contraction_with_any_seed() {
    for (name, parents) in trees::shapes(150, 1) {
        for seed in 0..20 {
            let prepared = Prepared::new(&parents, seed);
            let terms = Terms::new(&parents);
            let name = format!("{name}, plan {seed}");
            representative_operators(&name, &prepared.tree, Some(&prepared), &terms, seed);
        }
    }
}
