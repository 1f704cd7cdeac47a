//! Folds on ranks against values that are computed from parents, vertex by vertex.

use super::FoldSlices;
use crate::distributed::{
    DistributedParams, DistributedTree, Metered, NO_VERTEX, Ranks, on_threads,
};
use crate::fold::Fold;
use palmette_core::NONE;
use palmette_core::generate::{Shape, generate, shuffle};

/// A number from the vertex and a sum over its children, which is mixed before it goes up: no monoid.
struct Mixed<'a> {
    /// By block and place.
    own: &'a [Vec<u64>],
    quick: bool,
}

fn mixed(x: u64) -> u64 {
    let x = (x ^ x >> 31).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    x ^ x >> 29
}

impl Fold for Mixed<'_> {
    type Word = u64;
    type Note = u64;
    fn value_words(&self) -> usize {
        2
    }
    fn sum_words(&self) -> usize {
        3
    }
    fn note(&self, block: usize) -> u64 {
        block as u64
    }
    fn leaf(&self, block: usize, place: u32, value: &mut [u64]) {
        value.copy_from_slice(&[mixed(self.own[block][place as usize]), 1]);
    }
    fn clear(&self, sum: &mut [u64]) {
        sum.fill(0);
    }
    fn gather(&self, _: usize, _: u32, value: &[u64], sum: &mut [u64]) {
        sum[0] = sum[0].wrapping_add(mixed(value[0]));
        sum[1] += value[1];
        sum[2] += 1;
    }
    fn finish(&self, block: usize, place: u32, sum: &[u64], value: &mut [u64], note: &mut u64) {
        let own = self.own[block][place as usize];
        value[0] = mixed(own.wrapping_add(sum[0]).wrapping_add(sum[2]));
        value[1] = sum[1] + 1;
        *note = note.wrapping_add(value[0]);
    }
    fn pair(
        &self,
        block: usize,
        place: u32,
        [left, right]: [&[u64]; 2],
        value: &mut [u64],
        note: &mut u64,
    ) -> bool {
        if self.quick {
            let sum = [mixed(left[0]).wrapping_add(mixed(right[0])), left[1] + right[1], 2];
            self.finish(block, place, &sum, value, note);
        }
        self.quick
    }
}

/// What a vertex has in a block.
fn element(vertex: u64, block: usize) -> u64 {
    mixed(vertex.wrapping_mul(31).wrapping_add(block as u64 + 7))
}

/// The values of roots in the order of their numbers, and the sum of the values of inner vertices.
fn expected(parents: &[u32], block: usize) -> (Vec<u64>, u64) {
    let n = parents.len();
    let mut waiting = vec![0; n];
    for &parent in parents.iter().filter(|&&p| p != NONE) {
        waiting[parent as usize] += 1;
    }
    let children = waiting.clone();
    let (mut sums, mut sizes) = (vec![0u64; n], vec![1u64; n]);
    let (mut values, mut note) = (vec![0; n], block as u64);
    let mut ready: Vec<usize> = (0..n).filter(|&v| waiting[v] == 0).collect();
    while let Some(v) = ready.pop() {
        let own = element(v as u64, block);
        values[v] = match children[v] {
            0 => mixed(own),
            count => mixed(own.wrapping_add(sums[v]).wrapping_add(count)),
        };
        if children[v] > 0 {
            note = values[v].wrapping_add(note);
        }
        if parents[v] != NONE {
            let parent = parents[v] as usize;
            sums[parent] = sums[parent].wrapping_add(mixed(values[v]));
            sizes[parent] += sizes[v];
            waiting[parent] -= 1;
            if waiting[parent] == 0 {
                ready.push(parent);
            }
        }
    }
    let roots = (0..n).filter(|&v| parents[v] == NONE);
    (roots.flat_map(|v| [values[v], sizes[v]]).collect(), note)
}

/// Folds on so many ranks; most sums that a rank tells in a turn, beside the answers.
fn folded(
    parents: &[u32],
    count: usize,
    blocks: usize,
    quick: bool,
) -> (Vec<(Vec<u64>, u64)>, u64) {
    let n = parents.len();
    let bound = |rank: usize| n * rank / count;
    let found = on_threads(count, |rank| {
        let mut ranks = Metered::new(rank);
        let rank = ranks.rank();
        let wide = |&p: &u32| if p == NONE { NO_VERTEX } else { p.into() };
        let own: Vec<u64> = parents[bound(rank)..bound(rank + 1)].iter().map(wide).collect();
        let params = DistributedParams { forest: true, ordered: false, seed: 3 };
        let tree = DistributedTree::build(&mut ranks, &own, params).unwrap();
        let slices = FoldSlices::build(&mut ranks, &tree, &own).unwrap();
        assert_eq!(slices.total(), n as u64);
        // The vertex of each place, by way of the ranks.
        let mut records = vec![Vec::new(); count];
        for (k, &position) in slices.positions().iter().enumerate() {
            let (to, place) = slices.place_of(position);
            records[to].extend([u64::from(place), (bound(rank) + k) as u64]);
        }
        let counts: Vec<usize> = records.iter().map(Vec::len).collect();
        let mail = ranks.exchange(&records.concat(), &counts).unwrap();
        let mut values = vec![vec![0; slices.len()]; blocks];
        for &[place, vertex] in mail.words.as_chunks::<2>().0 {
            for (block, values) in values.iter_mut().enumerate() {
                values[place as usize] = element(vertex, block);
            }
        }
        let op = Mixed { own: &values, quick };
        ranks.phase("fold");
        let found = slices.live(&mut ranks, &op, 0..blocks).unwrap();
        (found, slices.before.len() as u64)
    });
    let most = found.iter().map(|&(_, cuts)| cuts).max().unwrap_or(0);
    let mut all = vec![(Vec::new(), 0u64); blocks];
    for (k, (roots, note)) in all.iter_mut().enumerate() {
        for (found, _) in &found {
            roots.extend_from_slice(&found[k].roots);
            // Each began with the number of the block.
            *note = note.wrapping_add(found[k].note).wrapping_sub(k as u64);
        }
        *note = note.wrapping_add(k as u64);
    }
    (all, most)
}

#[test]
fn any_tree_on_any_number_of_ranks() {
    let shapes = [
        Shape::Random,
        Shape::Path,
        Shape::Caterpillar,
        Shape::Star,
        Shape::Binary,
        Shape::Preferential,
        Shape::Broom,
        Shape::DoubleBroom,
    ];
    for n in [1, 2, 15, 16, 17, 63, 400, 3000] {
        for (k, shape) in shapes.into_iter().enumerate() {
            let Ok(parents) = generate(shape, n, 5) else { continue };
            let mut cut = shuffle(&parents, 9);
            let shuffled = cut.clone();
            cut.iter_mut().step_by(97).for_each(|parent| *parent = NONE);
            for (which, parents) in [&parents, &shuffled, &cut].into_iter().enumerate() {
                for count in [1, 2, 3, 8] {
                    let blocks = [1, 3, 40][(k + which + count) % 3];
                    let (found, most) = folded(parents, count, blocks, (k + which) % 2 == 0);
                    for (block, found) in found.into_iter().enumerate() {
                        let what = format!("{shape} of {n}, {which}, {count} ranks, {block}");
                        assert_eq!(found, expected(parents, block), "{what}");
                    }
                    assert!(most <= 1 + u64::from(n.ilog2()), "{shape} of {n}: {most} sums");
                }
            }
        }
    }
}
