//! The cases of `cases/fold.json`, on every engine of folds with a finish.

use super::corpus::{parents, read};
use palmette_core::{Tree, TreeParams};
use palmette_tree::fold::{Fold, Unfold, down, live, sequential, up, up_and_down};
use serde::Deserialize;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    name: String,
    parents: Vec<Option<u32>>,
    sets: Vec<Vec<u32>>,
    values: Vec<Vec<u32>>,
    changes: Vec<u32>,
    chosen: Vec<Vec<u32>>,
}

/// Of sets of four states those that most children have, as Hartigan's rule says; children without one are noted.
struct Majority {
    /// By block and position.
    sets: Vec<Vec<u32>>,
    quick: bool,
}

const STATES: usize = 4;

impl Majority {
    fn best(counts: &[u32]) -> (u32, u32) {
        let most = counts[..STATES].iter().copied().max().unwrap_or(0);
        let sets = (0..STATES).filter(|&state| counts[state] == most).map(|state| 1 << state);
        (sets.sum(), counts[STATES] - most)
    }
}

impl Fold for Majority {
    type Word = u32;
    type Note = u32;
    fn value_words(&self) -> usize {
        1
    }
    fn sum_words(&self) -> usize {
        STATES + 1
    }
    fn note(&self, _: usize) -> u32 {
        0
    }
    fn leaf(&self, block: usize, vertex: u32, value: &mut [u32]) {
        value[0] = self.sets[block][vertex as usize];
    }
    fn clear(&self, sum: &mut [u32]) {
        sum.fill(0);
    }
    fn gather(&self, _: usize, _: u32, value: &[u32], sum: &mut [u32]) {
        (0..STATES).for_each(|state| sum[state] += value[0] >> state & 1);
        sum[STATES] += 1;
    }
    fn finish(&self, _: usize, _: u32, sum: &[u32], value: &mut [u32], note: &mut u32) {
        let (set, changes) = Majority::best(sum);
        value[0] = set;
        *note += changes;
    }
    fn pair(
        &self,
        _: usize,
        _: u32,
        [a, b]: [&[u32]; 2],
        value: &mut [u32],
        note: &mut u32,
    ) -> bool {
        if self.quick {
            let both = a[0] & b[0];
            value[0] = if both == 0 { a[0] | b[0] } else { both };
            *note += u32::from(both == 0);
        }
        self.quick
    }
}

/// The parent's state where a vertex may have it, or else its first.
struct Choose;

impl Unfold for Choose {
    type Word = u32;
    type Note = ();
    fn value_words(&self) -> usize {
        1
    }
    fn note(&self, _: usize) {}
    fn root(&self, _: usize, _: u32, own: &mut [u32], (): &mut ()) {
        own[0] &= own[0].wrapping_neg();
    }
    fn step(&self, _: usize, _: u32, parent: &[u32], own: &mut [u32], (): &mut ()) {
        own[0] = if parent[0] & own[0] != 0 { parent[0] } else { own[0] & own[0].wrapping_neg() };
    }
}

#[test]
fn folds_with_a_finish() {
    let cases: Vec<Case> = read("fold.json");
    assert!(cases.len() > 8);
    for case in &cases {
        let params = TreeParams { forest: true, ..TreeParams::default() };
        let tree = Tree::with_params(&parents(&case.parents), params).expect(&case.name);
        let sets: Vec<Vec<u32>> = case.sets.iter().map(|x| tree.to_positions(x).unwrap()).collect();
        let blocks = 0..sets.len();
        for quick in [false, true] {
            let fold = Majority { sets: sets.clone(), quick };
            let name = format!("{}, quick: {quick}", case.name);
            let by_vertex = |rows: &[u32]| tree.to_vertices(rows).unwrap();
            for block in blocks.clone() {
                let (rows, changes) = sequential(&tree, &fold, block);
                let wanted = (case.values[block].clone(), case.changes[block]);
                assert_eq!((by_vertex(&rows), changes), wanted, "sequential: {name}");
            }
            for (block, (rows, changes)) in up(&tree, &fold, blocks.clone()).into_iter().enumerate()
            {
                let wanted = (case.values[block].clone(), case.changes[block]);
                assert_eq!((by_vertex(&rows), changes), wanted, "up: {name}");
                let chosen = down(&tree, &Choose, block..block + 1, |_| rows.clone());
                assert_eq!(by_vertex(&chosen[0].0), case.chosen[block], "down: {name}");
            }
            for (block, found) in live(&tree, &fold, blocks.clone()).into_iter().enumerate() {
                let rows = tree.to_positions(&case.values[block]).unwrap();
                let roots: Vec<u32> = tree.root_positions().map(|p| rows[p as usize]).collect();
                assert_eq!((found.roots, found.note), (roots, case.changes[block]), "live: {name}");
            }
            let both = up_and_down(&tree, &fold, &Choose, blocks.clone(), |_, rows, note, ()| {
                (rows, note)
            });
            for (block, (rows, changes)) in both.into_iter().enumerate() {
                let wanted = (case.chosen[block].clone(), case.changes[block]);
                assert_eq!((by_vertex(&rows), changes), wanted, "up_and_down: {name}");
            }
        }
    }
}
