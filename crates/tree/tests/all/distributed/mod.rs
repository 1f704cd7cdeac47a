//! Trees on many ranks give the answers of one machine, whatever the slices, and send little.

mod answers;
mod errors;
mod sums;
mod traffic;

use palmette_core::generate::{Shape, generate, shuffle};
use palmette_core::random::{Purpose, Random};
use palmette_core::{NONE, Tree, TreeParams};
use palmette_tree::distributed::{
    DistributedError, DistributedParams, DistributedTree, Metered, NO_VERTEX, Ranks, ThreadRank,
    on_threads,
};

/// Trees of every kind, and a forest.
fn inputs(n: usize, seed: u64) -> Vec<(String, Vec<u32>)> {
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
    let mut all: Vec<(String, Vec<u32>)> = Vec::new();
    for shape in shapes {
        let Ok(parents) = generate(shape, n, seed) else { continue };
        all.push((format!("{shape} of {n} shuffled"), shuffle(&parents, seed)));
        all.push((format!("{shape} of {n}"), parents));
    }
    let mut cut = generate(Shape::Random, n, seed + 1).unwrap();
    let mut random = Random::new(seed, Purpose::Samples);
    for _ in 0..n.min(5) {
        cut[random.below(n as u32) as usize] = NONE;
    }
    all.push((format!("forest of {n}"), cut));
    all
}

fn tree(parents: &[u32]) -> Tree {
    Tree::with_params(parents, TreeParams { forest: true, ..Default::default() }).unwrap()
}

/// Ways to cut `n` vertices into slices: even, all on the last rank, most on one, at random.
fn cuts(n: usize, ranks: usize, seed: u64) -> Vec<Vec<usize>> {
    let even = (0..ranks).map(|r| n * (r + 1) / ranks - n * r / ranks).collect();
    let mut last = vec![0; ranks];
    last[ranks - 1] = n;
    let mut most = vec![n / (20 * ranks); ranks];
    most[ranks / 2] += n - most.iter().sum::<usize>();
    let mut random = Random::new(seed, Purpose::Vectors);
    let mut bounds: Vec<usize> =
        (1..ranks).map(|_| random.below(n as u32 + 1) as usize).chain([0, n]).collect();
    bounds.sort_unstable();
    let any = bounds.windows(2).map(|w| w[1] - w[0]).collect();
    vec![even, last, most, any]
}

/// The slices of an array.
fn sliced<T>(all: &[T], lengths: &[usize]) -> Vec<Vec<T>>
where
    T: Clone,
{
    let mut rest = all;
    let cut = |&length: &usize| {
        let (own, after) = rest.split_at(length);
        rest = after;
        own.to_vec()
    };
    lengths.iter().map(cut).collect()
}

fn wide(parents: &[u32]) -> Vec<u64> {
    parents.iter().map(|&p| if p == NONE { NO_VERTEX } else { p.into() }).collect()
}

/// Builds a forest on as many ranks as there are lengths, and runs a program on it.
fn on_ranks<T: Send>(
    parents: &[u32],
    lengths: &[usize],
    program: impl Fn(&mut Metered<ThreadRank>, &DistributedTree, &[u64]) -> T + Sync,
) -> Vec<Result<T, DistributedError>> {
    built(parents, lengths, true, program)
}

/// As [`on_ranks`], with a tree in order, or without.
fn built<T: Send>(
    parents: &[u32],
    lengths: &[usize],
    ordered: bool,
    program: impl Fn(&mut Metered<ThreadRank>, &DistributedTree, &[u64]) -> T + Sync,
) -> Vec<Result<T, DistributedError>> {
    let slices = sliced(&wide(parents), lengths);
    on_threads(lengths.len(), |rank| {
        let mut ranks = Metered::new(rank);
        let own = &slices[ranks.rank()];
        let params = DistributedParams { forest: true, ordered, seed: 7 };
        let tree = DistributedTree::build(&mut ranks, own, params)?;
        Ok(program(&mut ranks, &tree, own))
    })
}
