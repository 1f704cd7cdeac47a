//! The plan of a parallel tree contraction: which vertices are raked and which are
//! spliced out, round by round.
//!
//! **Problem.** Input: a tree. Output: O(log n) rounds; in each, a constant
//! fraction of what is left is removed by steps that are independent of each other.
//! A plan serves any number of leaffix and rootfix passes with any operators.
//!
//! **Method.** Contraction runs on the binary form: the left child of a vertex is
//! its first child, the right one its next sibling. That makes a star a chain, so
//! that no vertex has many neighbours and order among children is kept. A round
//! rakes every leaf into its parent; then a vertex with a single child, which is
//! itself a vertex with a single child, splices that child out when its own coin
//! shows tails and the child's heads. Coins are hashes of seed, round and vertex.
//!
//! **Cost.** O(n) expected work, O(log n) expected rounds. 40 bytes per vertex.
//!
//! **Determinism.** A function of tree and seed; answers do not depend on either.
//!
//! **Reference.** Miller and Reif, 1985.
//!
//! **When not to use.** For speed on a CPU: see `threads`.

use palmette_core::memory::SharedSlice;
use palmette_core::{NONE, Tree};
use rayon::prelude::*;

/// A vertex that takes in leaves.
#[derive(Debug, Clone, Copy)]
pub struct Rake {
    /// The vertex.
    pub parent: u32,
    /// The leaf that was its left child, or NONE.
    pub left: u32,
    /// The leaf that was its right child, or NONE.
    pub right: u32,
}

/// A vertex that is spliced out between its parent and its only child.
#[derive(Debug, Clone, Copy)]
pub struct Splice {
    /// Its parent.
    pub above: u32,
    /// The vertex.
    pub out: u32,
    /// Its only child.
    pub below: u32,
}

/// One round: first all rakes, then all splices.
#[derive(Debug, Default)]
pub struct Round {
    /// No vertex is the parent of two, and no leaf a parent.
    pub rakes: Vec<Rake>,
    /// No vertex is above in two, and none that goes is above another.
    pub splices: Vec<Splice>,
}

/// The plan. It belongs to the tree it was made for.
#[derive(Debug)]
pub struct Contraction {
    pub(crate) rounds: Vec<Round>,
}

const GRAIN: usize = 1 << 12;

fn coin(seed: u64, round: usize, v: u32) -> bool {
    let mut z = seed ^ (round as u64) << 32 ^ u64::from(v);
    z = (z ^ (z >> 30)).wrapping_add(0x9E37_79B9_7F4A_7C15).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    (z ^ (z >> 31)) & 1 == 1
}

/// The children of a vertex in the binary form, at some moment of the contraction.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Children {
    left: u32,
    right: u32,
}

impl Children {
    fn is_leaf(self) -> bool {
        self.left == NONE && self.right == NONE
    }

    /// The only child, if there is exactly one.
    fn only(self) -> Option<u32> {
        match (self.left, self.right) {
            (NONE, NONE) => None,
            (NONE, child) | (child, NONE) => Some(child),
            _ => None,
        }
    }
}

/// The next sibling in the tree, by position; roots are siblings of each other.
pub(crate) fn next_sibling(tree: &Tree, i: usize) -> u32 {
    let after = tree.end(i as u32);
    let parent = tree.parents()[i];
    let end = if parent == NONE { tree.len() as u32 } else { tree.end(parent) };
    if after < end { after } else { NONE }
}

impl Contraction {
    /// Plans the contraction of a tree.
    pub fn new(tree: &Tree, seed: u64) -> Contraction {
        let n = tree.len();
        let mut children: Vec<Children> = (0..n)
            .into_par_iter()
            .with_min_len(GRAIN)
            .map(|i| Children {
                left: if tree.is_leaf(i as u32) { NONE } else { i as u32 + 1 },
                right: next_sibling(tree, i),
            })
            .collect();
        let mut removed = vec![false; n];
        let mut active: Vec<u32> = (0..n as u32).collect();
        let mut rounds = Vec::new();
        while active.len() > 1 {
            let round = plan_round(&mut children, &active, seed, rounds.len());
            for rake in &round.rakes {
                [rake.left, rake.right].iter().filter(|&&v| v != NONE).for_each(|&v| {
                    removed[v as usize] = true;
                });
            }
            round.splices.iter().for_each(|splice| removed[splice.out as usize] = true);
            active = active
                .into_par_iter()
                .with_min_len(GRAIN)
                .filter(|&v| !removed[v as usize])
                .collect();
            rounds.push(round);
        }
        Contraction { rounds }
    }

    /// The rounds, for engines elsewhere: positions in the binary form.
    pub fn plan(&self) -> &[Round] {
        &self.rounds
    }

    /// The number of rounds.
    pub fn rounds(&self) -> usize {
        self.rounds.len()
    }
}

fn plan_round(children: &mut [Children], active: &[u32], seed: u64, number: usize) -> Round {
    let now: &[Children] = children;
    let leaf = |v: u32| v != NONE && now[v as usize].is_leaf();
    let rakes: Vec<Rake> = active
        .par_iter()
        .with_min_len(GRAIN)
        .filter_map(|&parent| {
            let Children { left, right } = now[parent as usize];
            let keep = |v: u32| if leaf(v) { v } else { NONE };
            let rake = Rake { parent, left: keep(left), right: keep(right) };
            (rake.left != NONE || rake.right != NONE).then_some(rake)
        })
        .collect();
    let shared = SharedSlice::new(children);
    rakes.par_iter().with_min_len(GRAIN).for_each(|rake| {
        // SAFETY: a vertex is the parent of one rake.
        unsafe {
            let mut own = shared.get(rake.parent as usize);
            own.left = if rake.left != NONE { NONE } else { own.left };
            own.right = if rake.right != NONE { NONE } else { own.right };
            shared.set(rake.parent as usize, own);
        }
    });
    let now: &[Children] = children;
    let splices: Vec<Splice> = active
        .par_iter()
        .with_min_len(GRAIN)
        .filter_map(|&above| {
            let out = now[above as usize].only()?;
            let below = now[out as usize].only()?;
            let chosen = !coin(seed, number, above) && coin(seed, number, out);
            chosen.then_some(Splice { above, out, below })
        })
        .collect();
    let shared = SharedSlice::new(children);
    splices.par_iter().with_min_len(GRAIN).for_each(|splice| {
        // SAFETY: a vertex is `above` in one splice. `out` is read elsewhere never:
        // its coin shows heads, so it is not `above`.
        unsafe { shared.set(splice.above as usize, Children { left: splice.below, right: NONE }) };
    });
    Round { rakes, splices }
}
