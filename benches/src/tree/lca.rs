//! Lowest common ancestors: preparing from raw parents, then random pairs.

use super::goals::{Figure, What};
use super::input::Input;
use crate::plain::SparseTable;
use crate::table::Table;
use crate::timing::{pool, race, run};
use palmette_core::Tree;
use palmette_core::memory::prefetch;
use palmette_tree::lca::Lca;
use rayon::prelude::*;

/// The head of the table.
pub const HEAD: [&str; 8] = [
    "tree",
    "parents to index, ms, 1 thread",
    "2 threads",
    "query, ns, 1 thread",
    "2 threads",
    "sparse table, ns, 1 thread",
    "2 threads",
    "ours/table, 1 thread",
];

/// Random pairs of vertices.
pub fn pairs(n: usize, count: usize) -> Vec<(u32, u32)> {
    let pick = |k: u64| {
        let mut z = k.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        ((z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB) >> 31) as u32 % n as u32
    };
    (0..count as u64).map(|k| (pick(2 * k + 1), pick(2 * k + 2))).collect()
}

/// Times on one input.
pub fn measure(input: &Input, rounds: usize, table: &mut Table) -> Vec<Figure> {
    let n = input.parents.len();
    let parents = &input.parents;
    let (one, two) = (pool(1), pool(2));
    let make = || Lca::by_vertex(&Tree::from_parents(parents).expect("generated trees are trees"));
    let made =
        race(rounds, &mut [run(|| drop(one.install(make))), run(|| drop(two.install(make)))]);
    let index = make();
    let tree = Tree::from_parents(parents).expect("generated trees are trees");
    let peer = SparseTable::new(tree.parents());
    let pairs = pairs(n, 5_000_000);
    let [mut a, mut b, mut c, mut d] = [(); 4].map(|()| vec![0u32; pairs.len()]);
    let asked = race(
        rounds,
        &mut [
            run(|| one.install(|| index.batch_into(&pairs, &mut a))),
            run(|| two.install(|| index.batch_into(&pairs, &mut b))),
            run(|| one.install(|| table_batch(&tree, &peer, &pairs, &mut c))),
            run(|| two.install(|| table_batch(&tree, &peer, &pairs, &mut d))),
        ],
    );
    assert!(a == c && b == c && c == d, "all must agree");
    let ns: Vec<f64> = asked.iter().map(|s| s / pairs.len() as f64 * 1e9).collect();
    let mut cells = vec![input.name.clone()];
    cells.extend(made.iter().map(|s| format!("{:.0}", s * 1e3)));
    cells.extend(ns.iter().map(|t| format!("{t:.1}")));
    cells.push(format!("{:.2}", ns[0] / ns[2]));
    table.row(cells);
    let index = |(threads, &ours): (usize, &f64)| Figure {
        tree: input.name.clone(),
        n,
        what: What::Index,
        threads,
        ours,
        plain: None,
    };
    (1..).zip(&made).map(index).collect()
}

/// The sparse table, with prefetching of what it is given first.
fn table_batch(tree: &Tree, peer: &SparseTable, pairs: &[(u32, u32)], answers: &mut [u32]) {
    let position = tree.positions();
    answers.par_chunks_mut(1 << 13).zip(pairs.par_chunks(1 << 13)).for_each(|(to, pairs)| {
        for (k, (to, &(u, v))) in to.iter_mut().zip(pairs).enumerate() {
            if let Some(&(u, v)) = pairs.get(k + 24) {
                prefetch(position, u as usize);
                prefetch(position, v as usize);
            }
            let lca = peer.query(position[u as usize], position[v as usize]);
            *to = tree.vertices()[lca as usize];
        }
    });
}
