//! The study of folds: sums of many columns, and parsimony, against their goals.
//!
//! `palmette-bench fold`: processor time on one thread, the least of some turns, on a phylogeny of about
//! 10,000 tips and as many columns and sites as the goals name.

use super::Failure;
use palmette_bench::goals::Goals;
use palmette_bench::timing::{least_processor_seconds, pool};
use palmette_core::generate::{Shape, generate};
use palmette_core::sites::{pack, words_for};
use palmette_core::tree::VertexOrder;
use palmette_core::{NONE, Tree};
use palmette_phylo::parsimony::{CostMatrix, ParsimonyParams, StateKind, TipSets, parsimony};
use palmette_tree::fold::{Fold, up};
use palmette_tree::{Direction, Scope, sum_columns};
use std::env::Args;
use std::hint::black_box;

const TURNS: usize = 9;
const CALLS: usize = 10;
const COLUMNS: usize = 1000;
const SITES: usize = 1000;

/// Columns of a block. Eight, a cache line of each row of the matrix, take 2.3 times as long.
const WIDTH: usize = 125;

/// Sums of some columns at a time, as a fold.
struct Sums<'a>(&'a [f64]);

impl Sums<'_> {
    fn own(&self, block: usize, vertex: u32) -> &[f64; WIDTH] {
        let start = vertex as usize * COLUMNS + WIDTH * block;
        self.0[start..].first_chunk().expect("a row has whole blocks")
    }
}

impl Fold for Sums<'_> {
    type Word = f64;
    type Note = ();
    fn value_words(&self) -> usize {
        WIDTH
    }
    fn sum_words(&self) -> usize {
        WIDTH
    }
    fn note(&self, _: usize) {}
    fn leaf(&self, block: usize, vertex: u32, value: &mut [f64]) {
        value.copy_from_slice(self.own(block, vertex));
    }
    fn clear(&self, sum: &mut [f64]) {
        sum.fill(0.0);
    }
    fn gather(&self, _: usize, _: u32, value: &[f64], sum: &mut [f64]) {
        sum.iter_mut().zip(value).for_each(|(sum, x)| *sum += x);
    }
    fn finish(&self, block: usize, vertex: u32, sum: &[f64], value: &mut [f64], (): &mut ()) {
        let own = self.own(block, vertex);
        value.iter_mut().zip(own).zip(sum).for_each(|((value, own), sum)| *value = own + sum);
    }
    fn pair(
        &self,
        block: usize,
        vertex: u32,
        [first, second]: [&[f64]; 2],
        value: &mut [f64],
        (): &mut (),
    ) -> bool {
        let own = self.own(block, vertex);
        let both = first.iter().zip(second);
        value
            .iter_mut()
            .zip(own)
            .zip(both)
            .for_each(|((value, own), (x, y))| *value = own + (x + y));
        true
    }
}

pub(crate) fn start(_arguments: Args) -> Result<(), Failure> {
    let (shape, vertices) = Shape::with_size("phylogeny:20603")?;
    let parents = generate(shape, vertices, 7)?;
    let tree = Tree::from_parents(&parents)?;
    let mut goals = Goals::default();
    pool(1).install(|| measure(&tree, &mut goals).map_err(|error| error.to_string()))?;
    println!("## fold\n\n{}", goals.markdown());
    Ok(())
}

fn measure(tree: &Tree, goals: &mut Goals) -> Result<(), Failure> {
    let values: Vec<f64> = (0..tree.len() * COLUMNS).map(|k| (k % 97) as f64).collect();
    let mut sums = vec![0.0; values.len()];
    let each = |seconds: f64| seconds * 1e9 / values.len() as f64;
    let seconds = least_processor_seconds(TURNS, || {
        let (order, scope) = (VertexOrder::Preorder, Scope::Inclusive);
        let done = sum_columns(tree, order, Direction::Leaffix, &values, COLUMNS, scope, &mut sums);
        _ = black_box(done);
    });
    goals.at_most(
        "leaffix of 1,000 columns of floats, 20,603 vertices, per value",
        1.5,
        each(seconds),
        " ns",
    );
    let mut first = 0.0;
    let seconds = least_processor_seconds(TURNS, || {
        let blocks = up(tree, &Sums(&values), 0..COLUMNS / WIDTH);
        first = blocks[0].0[0];
    });
    assert_eq!(first, sums[0], "both add whole numbers");
    goals.at_most(
        "the same as a fold, in blocks of 125 columns, per value",
        1.5,
        each(seconds),
        " ns",
    );
    let (rows, row_of) = sequences(tree);
    let tips = TipSets::new(4, SITES, &rows, &row_of)?;
    let costs = (0..16).map(|k| if k % 5 == 0 { 0.0 } else { 1.0 + (k % 2) as f64 });
    let costs = CostMatrix::new(4, &costs.collect::<Vec<_>>())?;
    let states = ParsimonyParams { branches: false, states: Some(StateKind::Mpr) };
    let jobs = [
        ("Fitch, 1,000 sites", None, ParsimonyParams::default(), 5.0),
        ("the same with ancestral sets", None, states, 20.0),
        ("Sankoff, 1,000 sites", Some(&costs), ParsimonyParams::default(), 60.0),
        ("the same with ancestral sets", Some(&costs), states, 240.0),
    ];
    for (what, costs, params, goal) in jobs {
        let seconds = least_processor_seconds(TURNS, || {
            // The system counts in ticks, of which a single call may have none.
            (0..CALLS).for_each(|_| _ = black_box(parsimony(tree, &tips, costs, params)));
        });
        goals.at_most(what, goal, 1e3 * seconds / CALLS as f64, " ms");
    }
    Ok(())
}

/// Sequences that change along the tree, with some unknown sites.
fn sequences(tree: &Tree) -> (Vec<u64>, Vec<u32>) {
    let words = words_for(4, SITES);
    let mut state = 12345u64;
    let mut draw = || {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as u32
    };
    let mut sites: Vec<Vec<u8>> = Vec::with_capacity(tree.len());
    let (mut rows, mut row_of) = (Vec::new(), vec![NONE; tree.len()]);
    for (i, &p) in tree.parents().iter().enumerate() {
        let mut own = if p == NONE { vec![0; SITES] } else { sites[p as usize].clone() };
        (0..SITES / 20).for_each(|_| own[draw() as usize % SITES] = (draw() % 4) as u8);
        if tree.is_leaf(i as u32) {
            row_of[i] = (rows.len() / words) as u32;
            let start = rows.len();
            rows.resize(start + words, 0);
            let sets = own.iter().map(|&s| if draw() % 50 == 0 { 15 } else { 1 << s });
            pack(sets, 4, &mut rows[start..]);
        }
        sites.push(own);
    }
    (rows, row_of)
}
