//! The trees of the study.

use palmette_core::generate::{Shape, generate, shuffle};

/// A tree to measure on.
pub struct Input {
    /// Its name in the tables.
    pub name: String,
    /// Its parents.
    pub parents: Vec<u32>,
}

/// The shapes of the study at one size: random, path, caterpillar and star, each
/// as generated and with shuffled labels.
pub fn inputs(n: usize) -> impl Iterator<Item = Input> {
    let shapes = [Shape::Random, Shape::Path, Shape::Caterpillar, Shape::Star];
    shapes.into_iter().flat_map(move |shape| {
        [false, true].into_iter().map(move |mixed| {
            let parents = generate(shape, n, 1).expect("the shapes exist at any size");
            let parents = if mixed { shuffle(&parents, 2) } else { parents };
            let name =
                format!("{shape}{} 10^{}", if mixed { ", shuffled" } else { "" }, n.ilog10());
            Input { name, parents }
        })
    })
}

/// Values whose sums stay small and exact in every number type.
pub fn values(n: usize) -> Vec<i64> {
    (0..n as i64).map(|i| i * 7919 % 101 - 50).collect()
}
