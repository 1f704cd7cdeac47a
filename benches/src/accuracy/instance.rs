//! Trees in which one sum is hard: half of the vertices make it, the others stand by.
//!
//! Where a rootfix is measured, the values of the sum lie on a path from the root, and random
//! trees hang on it. Where a leaffix is measured, they fill the subtree of one vertex. Labels
//! are shuffled, so that bystanders come before and between them; their values are of the
//! same kind.

use super::values::ill_conditioned;
use palmette_core::random::{Purpose, Random};
use palmette_core::{NONE, Tree};
use palmette_tree::Direction;

/// A tree with values by position, and the position whose sum is measured.
pub struct Instance {
    /// The tree.
    pub tree: Tree,
    /// The values.
    pub values: Vec<f32>,
    /// Where.
    pub at: usize,
}

impl Instance {
    /// A sum of `terms` values in a tree of twice as many vertices.
    pub fn new(direction: Direction, terms: usize, condition: f64, seed: u64) -> Instance {
        let mut random = Random::new(seed, Purpose::Shape);
        let n = 2 * terms as u32;
        let mut below = |bound: u32| random.below(bound);
        // The first half makes the sum in a rootfix, the second in a leaffix.
        let parents: Vec<u32> = (0..n)
            .map(|v| match (v.checked_sub(n / 2), direction) {
                (None, _) if v == 0 => NONE,
                (None, Direction::Rootfix) => v - 1,
                (Some(0), Direction::Leaffix) => below(v),
                (Some(k), Direction::Leaffix) => n / 2 + below(k),
                _ => below(v),
            })
            .collect();
        let (sum, others) = (
            ill_conditioned(terms, condition, 2 * seed),
            ill_conditioned(terms, condition, 2 * seed + 1),
        );
        let (values, at) = match direction {
            Direction::Rootfix => ([sum, others].concat(), terms - 1),
            Direction::Leaffix => ([others, sum].concat(), terms),
        };
        let mut label: Vec<u32> = (0..n).collect();
        random.shuffle(&mut label);
        let (mut renamed, mut by_vertex) = (vec![NONE; label.len()], vec![0.0; label.len()]);
        for ((&v, &p), value) in label.iter().zip(&parents).zip(values) {
            renamed[v as usize] = label.get(p as usize).copied().unwrap_or(NONE);
            by_vertex[v as usize] = value;
        }
        let tree = Tree::from_parents(&renamed).expect("this is a tree");
        let values = tree.to_positions(&by_vertex).expect("one value per vertex");
        let at = tree.positions()[label[at] as usize] as usize;
        Instance { tree, values, at }
    }
}
