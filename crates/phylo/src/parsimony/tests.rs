//! Against all reconstructions of small trees, against each other, and on any number of threads.

use super::*;
use palmette_core::sites::{pack, words_for};
use palmette_core::{NONE, Tree};
use proptest::prelude::*;

/// Sets by tip (in order of positions of leaves) and site, packed.
pub(super) struct Packed {
    states: usize,
    sites: usize,
    rows: Vec<u64>,
    row_of: Vec<u32>,
}

impl Packed {
    pub(super) fn new(tree: &Tree, states: usize, sets: &[Vec<u32>]) -> Packed {
        let sites = sets.first().map_or(0, Vec::len);
        let rows = Packed::rows_of(states, sites, sets);
        let mut next = 0;
        let row_of = (0..tree.len() as u32).map(|p| {
            next += u32::from(tree.is_leaf(p));
            if tree.is_leaf(p) { next - 1 } else { NONE }
        });
        Packed { states, sites, rows, row_of: row_of.collect() }
    }

    pub(super) fn rows_of(states: usize, sites: usize, sets: &[Vec<u32>]) -> Vec<u64> {
        let words = words_for(states, sites);
        let mut rows = vec![0; sets.len() * words];
        for (sets, row) in sets.iter().zip(rows.chunks_exact_mut(words.max(1))) {
            pack(sets.iter().copied(), states, row);
        }
        rows
    }

    pub(super) fn tips(&self) -> TipSets<'_> {
        TipSets::new(self.states, self.sites, &self.rows, &self.row_of).expect("packed well")
    }
}

/// The least cost and the states that reconstructions of this cost have, by trying all.
fn brute(tree: &Tree, costs: &CostMatrix, sets: &[u32]) -> (f64, Vec<u32>) {
    let (n, states) = (tree.len(), costs.states());
    let mut leaf = 0;
    let allowed: Vec<u32> = (0..n as u32)
        .map(|p| match tree.is_leaf(p) {
            true => {
                leaf += 1;
                sets[leaf - 1]
            }
            false => u32::MAX >> (32 - states),
        })
        .collect();
    let mut choice = vec![0; n];
    let (mut least, mut found) = (f64::INFINITY, vec![0u32; n]);
    loop {
        if choice.iter().zip(&allowed).all(|(&s, &set): (&usize, _)| set >> s & 1 == 1) {
            let edges = tree.parents().iter().zip(&choice).filter(|(p, _)| **p != NONE);
            let cost = edges.map(|(&p, &s)| costs.cost(choice[p as usize], s)).sum::<f64>();
            if cost < least {
                least = cost;
                found.fill(0);
            }
            if cost == least {
                found.iter_mut().zip(&choice).for_each(|(set, &s)| *set |= 1 << s);
            }
        }
        let Some(p) = choice.iter().rposition(|&s| s + 1 < states) else { break };
        choice[p] += 1;
        choice[p + 1..].fill(0);
    }
    (least, found)
}

fn tree_of(picks: &[u32]) -> Tree {
    let parent = |(v, &pick): (usize, &u32)| if v == 0 { NONE } else { pick % v as u32 };
    let parents: Vec<u32> = picks.iter().enumerate().map(parent).collect();
    Tree::from_parents(&parents).expect("parents come first")
}

fn matrix(states: usize, picks: &[u8], forbid: bool) -> CostMatrix {
    let entry = |i: usize| match (i % (states + 1), picks[i % picks.len()]) {
        (0, _) => 0.0,
        (_, 0..40) if forbid => f64::INFINITY,
        (_, pick) => f64::from(pick % 9) / 2.0,
    };
    let costs: Vec<f64> = (0..states * states).map(entry).collect();
    CostMatrix::new(states, &costs).expect("costs")
}

const ALL: [StateKind; 3] = [StateKind::Mpr, StateKind::FirstPass, StateKind::One];

/// Costs of the branches of one reconstruction, from its states.
fn by_branch(tree: &Tree, costs: &CostMatrix, states: &StateSets) -> Vec<f64> {
    let state = |p: u32, site| states.set(p, site).trailing_zeros() as usize;
    let cost = |(v, &p): (usize, &u32)| match p {
        NONE => 0.0,
        p => (0..states.sites()).map(|s| costs.cost(state(p, s), state(v as u32, s))).sum(),
    };
    tree.parents().iter().enumerate().map(cost).collect()
}

fn unit(states: usize) -> CostMatrix {
    let entry = |i: usize| if i.is_multiple_of(states + 1) { 0.0 } else { 1.0 };
    let costs: Vec<f64> = (0..states * states).map(entry).collect();
    CostMatrix::new(states, &costs).expect("costs")
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn least_of_all_reconstructions(
        picks in prop::collection::vec(any::<u32>(), 1..8),
        states in 2usize..4,
        drawn in prop::collection::vec(any::<u8>(), 16),
        choice in prop::collection::vec(any::<u32>(), 40),
        forbid in any::<bool>(),
    ) {
        let tree = tree_of(&picks);
        let sites = 3;
        let some = |i: usize| match choice[i % choice.len()] % (1 << states) {
            0 => (1 << states) - 1,
            set => set,
        };
        let leaves = tree.leaves();
        let sets: Vec<Vec<u32>> =
            (0..leaves).map(|t| (0..sites).map(|s| some(t * sites + s)).collect()).collect();
        let packed = Packed::new(&tree, states, &sets);
        for costs in [None, Some(matrix(states, &drawn, forbid))] {
            let known = costs.clone().unwrap_or_else(|| unit(states));
            let expected: Vec<(f64, Vec<u32>)> = (0..sites)
                .map(|s| brute(&tree, &known, &sets.iter().map(|t| t[s]).collect::<Vec<_>>()))
                .collect();
            let params = |kind| ParsimonyParams { branches: true, states: Some(kind) };
            let found = parsimony(&tree, &packed.tips(), costs.as_ref(), params(StateKind::Mpr));
            if expected.iter().any(|(score, _)| score.is_infinite()) {
                let impossible = matches!(found, Err(ParsimonyError::Impossible { .. }));
                prop_assert!(impossible);
                continue;
            }
            let found = found.expect("an answer");
            let scores: Vec<f64> = expected.iter().map(|(score, _)| *score).collect();
            prop_assert_eq!(&found.site_scores, &scores);
            let sets = found.states.expect("asked for");
            for (s, (_, states)) in expected.iter().enumerate() {
                for (p, &set) in states.iter().enumerate() {
                    prop_assert_eq!(sets.set(p as u32, s), set, "site {} position {}", s, p);
                }
            }
            let one = parsimony(&tree, &packed.tips(), costs.as_ref(), params(StateKind::One));
            let one = one.expect("an answer");
            let states = one.states.expect("asked for");
            let branches = by_branch(&tree, &known, &states);
            prop_assert_eq!(branches.iter().sum::<f64>(), scores.iter().sum::<f64>());
            prop_assert_eq!(one.branch_scores.expect("asked for"), branches);
        }
    }

    /// Both methods, all kinds of states, wide lanes, polytomies, unary vertices, several blocks.
    #[test]
    fn fitch_is_sankoff_with_unit_costs(
        picks in prop::collection::vec(any::<u32>(), 1..60),
        states in prop::sample::select(vec![1usize, 2, 4, 5, 8, 11, 16, 20, 32]),
        sites in prop::sample::select(vec![1usize, 17, 130]),
        seed in any::<u64>(),
    ) {
        let tree = tree_of(&picks);
        let all = u32::MAX >> (32 - states);
        let mut state = seed | 1;
        let mut draw = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            state >> 33
        };
        let mut some = || match (draw(), draw()) {
            (pick, set) if pick % 4 == 0 && set as u32 & all != 0 => set as u32 & all,
            (pick, _) if pick % 4 == 1 => all,
            (_, pick) => 1 << (pick % states as u64),
        };
        let sets: Vec<Vec<u32>> =
            (0..tree.leaves()).map(|_| (0..sites).map(|_| some()).collect()).collect();
        let packed = Packed::new(&tree, states, &sets);
        let tips = packed.tips();
        // Twice the unit matrix is no unit matrix.
        let twice: Vec<f64> = unit(states).units().iter().map(|c| 2.0 * c).collect();
        let twice = CostMatrix::new(states, &twice).expect("costs");
        for kind in ALL {
            let params = ParsimonyParams { branches: true, states: Some(kind) };
            let fitch = parsimony(&tree, &tips, None, params).expect("an answer");
            let half = |scores: &[f64]| -> Vec<f64> { scores.iter().map(|s| s / 2.0).collect() };
            let sankoff = if states == 1 { None } else {
                Some(parsimony(&tree, &tips, Some(&twice), params).expect("an answer"))
            };
            if let Some(sankoff) = sankoff {
                prop_assert_eq!(&fitch.site_scores, &half(&sankoff.site_scores));
                let branches = sankoff.branch_scores.expect("asked for");
                prop_assert_eq!(fitch.branch_scores.as_ref().expect("asked for"), &half(&branches));
                let (a, b) = (fitch.states.as_ref().expect("asked"), sankoff.states.expect("asked"));
                for p in 0..tree.len() as u32 {
                    prop_assert_eq!(a.row(p).collect::<Vec<_>>(), b.row(p).collect::<Vec<_>>());
                }
            }
            let pool = rayon::ThreadPoolBuilder::new().num_threads(3).build().expect("threads");
            let again = pool.install(|| parsimony(&tree, &tips, None, params)).expect("an answer");
            prop_assert_eq!(again, fitch);
        }
    }
}

/// A change to the right costs 3, to the left 1: the matrix is read from parent to child.
#[test]
fn rows_of_costs_are_parents() {
    let tree = Tree::from_parents(&[NONE, 0, 0, 0]).expect("a star");
    let packed = Packed::new(&tree, 2, &[vec![1], vec![2], vec![2]]);
    let costs = CostMatrix::new(2, &[0.0, 3.0, 1.0, 0.0]).expect("costs");
    let params = ParsimonyParams { branches: true, states: Some(StateKind::Mpr) };
    let found = parsimony(&tree, &packed.tips(), Some(&costs), params).expect("an answer");
    // The root has state 1, and one child changes back to 0 at the cost of c[1][0].
    assert_eq!(found.site_scores, [1.0]);
    assert_eq!(found.states.expect("asked for").set(0, 0), 0b10);
    assert_eq!(found.branch_scores.expect("asked for"), [0.0, 1.0, 0.0, 0.0]);
}

/// Intersection else union, twice, is too low on a vertex with three children.
#[test]
fn polytomies_are_counted() {
    let tree = Tree::from_parents(&[NONE, 0, 0, 0, 0]).expect("a star");
    let packed = Packed::new(&tree, 4, &[vec![1], vec![2], vec![4], vec![3]]);
    let params = ParsimonyParams { states: Some(StateKind::FirstPass), ..Default::default() };
    let found = parsimony(&tree, &packed.tips(), None, params).expect("an answer");
    assert_eq!(found.site_scores, [2.0]);
    assert_eq!(found.states.expect("asked for").set(0, 0), 0b11);
}

#[test]
fn wrong_input_is_an_error() {
    let tree = Tree::from_parents(&[NONE, 0]).expect("a tree");
    let packed = Packed::new(&tree, 4, &[vec![1]]);
    let tips = packed.tips();
    let other = Tree::from_parents(&[NONE, 0, 0]).expect("a tree");
    let params = ParsimonyParams::default();
    let rows = parsimony(&other, &tips, None, params);
    assert_eq!(rows, Err(ParsimonyError::Rows { expected: 3, actual: 2 }));
    let states = parsimony(&tree, &tips, Some(&unit(3)), params);
    assert_eq!(states, Err(ParsimonyError::States { costs: 3, states: 4 }));
    let large = CostMatrix::new(4, &unit(4).units().iter().map(|c| c * 1e16).collect::<Vec<_>>());
    let large = parsimony(&tree, &tips, Some(&large.expect("whole numbers")), params);
    assert!(matches!(large, Err(ParsimonyError::LargeCosts { vertices: 2, .. })));
    assert_eq!(TipSets::new(0, 1, &[], &[]).err(), Some(ParsimonyError::ManyStates(0)));
    assert!(matches!(TipSets::new(4, 1, &[0; 7], &[]), Err(ParsimonyError::Words { .. })));
    assert!(matches!(TipSets::new(4, 1, &[0; 8], &[1]), Err(ParsimonyError::Rows { .. })));
}

#[test]
fn a_caterpillar_of_depth_a_hundred_thousand() {
    let n = 200_001u32;
    let parents: Vec<u32> = (0..n).map(|v| if v == 0 { NONE } else { (v - 1) / 2 * 2 }).collect();
    let tree = Tree::from_parents(&parents).expect("a tree");
    let leaves = tree.leaves();
    let sets: Vec<Vec<u32>> = (0..leaves).map(|t| vec![1 << (t % 2), 1]).collect();
    let packed = Packed::new(&tree, 4, &sets);
    let params = ParsimonyParams { branches: true, states: Some(StateKind::Mpr) };
    let found = parsimony(&tree, &packed.tips(), None, params).expect("an answer");
    assert_eq!(found.site_scores[1], 0.0);
    assert_eq!(found.branch_scores.expect("asked for").iter().sum::<f64>(), found.site_scores[0]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    /// Scores in bytes and pairs of bytes against those in floats, which keep all costs.
    #[test]
    fn small_costs_are_as_floats_have_them(
        picks in prop::collection::vec(any::<u32>(), 1..60),
        star in any::<bool>(),
        states in prop::sample::select(vec![1usize, 2, 4, 5, 9, 20]),
        largest in prop::sample::select(vec![1u32, 3, 30, 127, 1000]),
        drawn in prop::collection::vec(any::<u32>(), 50..400),
        sites in 1usize..300,
    ) {
        let flat: Vec<u32> = picks.iter().map(|_| 0).collect();
        let tree = tree_of(if star { &flat } else { &picks });
        let draw = |i: usize| drawn[i % drawn.len()].wrapping_mul(i as u32 | 1) >> 7;
        let entry = |i: usize| match i % (states + 1) {
            0 => 0.0,
            _ => f64::from(draw(i) % (largest + 1)),
        };
        let costs: Vec<f64> = (0..states * states).map(entry).collect();
        let costs = CostMatrix::new(states, &costs).expect("costs");
        let some = |i: usize| (draw(i) % (1 << states)).max(1);
        let tip = |t: usize| (0..sites).map(|site| some(t * sites + site)).collect();
        let sets: Vec<Vec<u32>> = (0..tree.leaves()).map(tip).collect();
        let packed = Packed::new(&tree, states, &sets);
        let tips = packed.tips();
        let floats = sankoff::Costs::<f64>::new(&costs);
        let expected = scores::certain(scores::any_costs(&mut &tree, &tips, &floats));
        let found = scores::certain(sankoff_small::scores(&mut &tree, &tips, &costs));
        prop_assert_eq!(found.expect("small costs"), expected);
    }
}

#[test]
fn large_costs_are_not_small() {
    let tree = tree_of(&[0, 0, 0]);
    let packed = Packed::new(&tree, 2, &[vec![1], vec![2]]);
    for (cost, small) in [(30_000.0, true), (40_000.0, false), (f64::INFINITY, false)] {
        let costs = CostMatrix::new(2, &[0.0, 1.0, cost, 0.0]).expect("costs");
        let found = scores::certain(sankoff_small::scores(&mut &tree, &packed.tips(), &costs));
        assert_eq!(found.is_some(), small, "{cost}");
        assert!(found.is_none_or(|scores| scores == [1.0]));
    }
}
