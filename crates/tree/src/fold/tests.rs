//! Every engine against the definition, and against leaffix and rootfix where the operator is a monoid.

use super::{Fold, Unfold, down, live, sequential, up, up_and_down};
use crate::leaffix::leaffix;
use crate::rootfix::rootfix;
use palmette_core::operator::RollingHash;
use palmette_core::{Monoid, NONE, Tree, TreeParams};
use proptest::prelude::*;

/// A hash of the subtree in preorder as a fold: not commutative, so that the order of children shows.
struct Hashed<'a> {
    op: RollingHash,
    /// By block and position.
    own: &'a [Vec<u64>],
    quick: bool,
}

type Element = <RollingHash as Monoid>::Elem;

impl Fold for Hashed<'_> {
    type Word = Element;
    type Note = u64;
    fn value_words(&self) -> usize {
        1
    }
    fn sum_words(&self) -> usize {
        1
    }
    fn note(&self, block: usize) -> u64 {
        block as u64
    }
    fn leaf(&self, block: usize, vertex: u32, value: &mut [Element]) {
        value[0] = self.op.letter(self.own[block][vertex as usize]);
    }
    fn clear(&self, sum: &mut [Element]) {
        sum[0] = self.op.identity();
    }
    fn gather(&self, _: usize, _: u32, value: &[Element], sum: &mut [Element]) {
        sum[0] = self.op.combine(sum[0], value[0]);
    }
    fn finish(
        &self,
        block: usize,
        vertex: u32,
        sum: &[Element],
        value: &mut [Element],
        note: &mut u64,
    ) {
        value[0] = self.op.combine(self.op.letter(self.own[block][vertex as usize]), sum[0]);
        *note += u64::from(vertex);
    }
    fn pair(
        &self,
        block: usize,
        vertex: u32,
        children: [&[Element]; 2],
        value: &mut [Element],
        note: &mut u64,
    ) -> bool {
        if self.quick {
            let sum = self.op.combine(children[0][0], children[1][0]);
            self.finish(block, vertex, &[sum], value, note);
        }
        self.quick
    }
}

impl Unfold for Hashed<'_> {
    type Word = Element;
    type Note = u64;
    fn value_words(&self) -> usize {
        1
    }
    fn note(&self, _: usize) -> u64 {
        0
    }
    fn root(&self, _: usize, _: u32, _: &mut [Element], note: &mut u64) {
        *note += 1;
    }
    fn step(&self, _: usize, _: u32, parent: &[Element], own: &mut [Element], _: &mut u64) {
        own[0] = self.op.combine(parent[0], own[0]);
    }
}

fn forests() -> impl Strategy<Value = Tree> {
    let parents = prop::collection::vec((any::<u32>(), 0..9u8), 1..60);
    parents.prop_map(|picks| {
        let parent = |(v, &(pick, kind)): (usize, &(u32, u8))| match (v, kind) {
            (0, _) | (_, 0) => NONE,
            (_, 1..4) => v as u32 - 1,
            _ => pick % v as u32,
        };
        let parents: Vec<u32> = picks.iter().enumerate().map(parent).collect();
        let params = TreeParams { forest: true, ..TreeParams::default() };
        Tree::with_params(&parents, params).expect("parents come first")
    })
}

proptest! {
    #[test]
    fn engines_agree(tree in forests(), seed in any::<u64>(), quick in any::<bool>()) {
        let op = RollingHash::new(seed);
        let own: Vec<Vec<u64>> =
            (0..3).map(|b| (0..tree.len() as u64).map(|v| seed ^ (v * 7 + b)).collect()).collect();
        let hashed = Hashed { op, own: &own, quick };
        let kept = up(&tree, &hashed, 0..3);
        let rest = live(&tree, &hashed, 1..3);
        let root_rows = |rows: &[Element]| -> Vec<Element> {
            tree.root_positions().map(|r| rows[r as usize]).collect()
        };
        let below = up_and_down(&tree, &hashed, &hashed, 0..3, |_, rows, _, roots| (rows, roots));
        for block in 0..3 {
            let elements: Vec<Element> = own[block].iter().map(|&x| op.letter(x)).collect();
            let sums = leaffix(&tree, &elements, &op, Default::default()).expect("one each");
            let (slow, note) = sequential(&tree, &hashed, block);
            prop_assert_eq!(&slow, &sums);
            prop_assert_eq!((&kept[block].0, kept[block].1), (&sums, note));
            if block > 0 {
                prop_assert_eq!(&rest[block - 1].roots, &root_rows(&sums));
                prop_assert_eq!(rest[block - 1].note, note);
            }
            let products = rootfix(&tree, &sums, &op, Default::default()).expect("one each");
            prop_assert_eq!(&below[block].0, &products);
            prop_assert_eq!(below[block].1, tree.roots() as u64);
            let alone = down(&tree, &hashed, block..block + 1, |_| sums.clone());
            prop_assert_eq!(&alone[0].0, &products);
        }
    }
}

#[test]
fn a_deep_tree_is_no_special_case() {
    let n = 200_000u32;
    // Leaves last, so that the stack of what is live is longest, and leaves first.
    let caterpillar = |leaf_first: bool| -> Tree {
        let spine = |v: u32| (v - 1) / 2 * 2;
        let parents: Vec<u32> = (0..n).map(|v| if v == 0 { NONE } else { spine(v) }).collect();
        let given = Tree::from_parents(&parents).expect("a tree");
        use palmette_core::tree::SiblingOrder::{HeavyFirst, LightFirst};
        given.with_siblings(if leaf_first { LightFirst } else { HeavyFirst })
    };
    for tree in [caterpillar(true), caterpillar(false)] {
        let own = vec![(0..u64::from(n)).collect()];
        let hashed = Hashed { op: RollingHash::new(1), own: &own, quick: true };
        let kept = up(&tree, &hashed, 0..1);
        let rest = live(&tree, &hashed, 0..1);
        assert_eq!(rest[0].roots, kept[0].0[..1]);
    }
}
