//! Theorem 5 and Corollary 2, with constants: lists, Euler tours, and the PRAM that they are
//! compared with.
//!
//! Rounds and energy are random. The constants hold for the few seeds that run here, so that
//! one that fails says that a program has changed; other seeds exceed them (`seeds.rs`).

use palmette_core::generate::{Shape, generate, shuffle};
use palmette_core::operator::Sum;
use palmette_core::tree::SiblingOrder;
use palmette_core::{Tree, TreeParams};
use palmette_spatial::curve::CurveKind;
use palmette_spatial::machine::{Given, Machine, MachineParams, Memory};
use palmette_spatial::program::list_ranking::{
    ELEMENT_WORDS, Element, RANKING_MESSAGE_WORDS, SEED_WORDS, rank,
};
use palmette_spatial::program::pram::{leaffix_by_pram, leaffix_by_tour};
use palmette_spatial::program::tour::{euler_tour, links_of};

/// A machine of 2^k processors with no more words than it needs.
fn machine(curve: CurveKind, k: u32, seed: u64, words: usize) -> Machine {
    machine_given(curve, k, seed, words, Given::NOTHING)
}

fn machine_given(curve: CurveKind, k: u32, seed: u64, words: usize, given: Given) -> Machine {
    let params =
        MachineParams { words: Some(words), links: false, seed, given, ..MachineParams::default() };
    Machine::on_curve(&curve.fitting(1 << k).unwrap(), 1 << k, params).unwrap()
}

/// Energy / n^1.5.
fn energy(machine: &Machine) -> f64 {
    machine.costs().energy as f64 / (machine.processors() as f64).powf(1.5)
}

fn depth(machine: &Machine) -> f64 {
    machine.costs().depth.into()
}

/// A tree of 2^k shuffled vertices, in light-first order.
fn tree(shape: Shape, k: u32, seed: u64) -> Tree {
    let parents = shuffle(&generate(shape, 1 << k, seed).unwrap(), seed);
    let params = TreeParams { siblings: SiblingOrder::LightFirst, ..TreeParams::default() };
    Tree::with_params(&parents, params).unwrap()
}

/// One list through all processors, in random order: that of a path's vertices.
fn list(k: u32, seed: u64) -> (Vec<u32>, Memory<[Element; 1]>) {
    let order = tree(Shape::Path, k, seed).vertices().to_vec();
    let mut elements = vec![[Element::ALONE]; order.len()];
    for pair in order.windows(2) {
        elements[pair[0] as usize][0].successor = pair[1];
        elements[pair[1] as usize][0].predecessor = pair[0];
    }
    (order, elements.into())
}

/// What a list costs whose seed and predecessors are given, and what it costs else: a message
/// for every predecessor, a broadcast, and the time that it takes.
#[test]
fn theorem_5_lists_are_ranked() {
    for k in (8..=18).step_by(2) {
        for seed in 1..=if k < 16 { 5 } else { 2 } {
            let (order, elements) = list(k, seed);
            for (given, most, energy_bound) in [(Given::ALL, 2, 2.03), (Given::NOTHING, 3, 2.82)] {
                let words = ELEMENT_WORDS + SEED_WORDS + most * RANKING_MESSAGE_WORDS;
                let mut machine = machine_given(CurveKind::Hilbert, k, seed, words, given);
                let found = rank(&mut machine, "list", elements.clone()).unwrap();
                assert!((0..).zip(&order).all(|(i, &v)| found.ranks.states()[v as usize] == [i]));
                let (rounds, log) = (f64::from(found.rounds), f64::from(k));
                let at = format!("2^{k}, seed {seed}, {rounds} rounds: {}", machine.ledger());
                let paid = given == Given::NOTHING;
                assert!(energy(&machine) <= energy_bound, "{at}");
                assert!(rounds <= 2.75 * log, "{at}");
                let spread = if paid { log / 2.0 + 1.0 } else { 0.0 };
                assert!(depth(&machine) <= 2.0 * rounds + 1.0 + spread, "{at}");
                assert!(machine.most_received() <= most as u32, "{at}");
                assert!(machine.costs().messages < if paid { 5 } else { 3 } << k, "{at}");
            }
        }
    }
}

#[test]
fn corollary_2_trees_are_toured() {
    for (k, shape) in [8, 10, 12, 14].into_iter().flat_map(|k| Shape::FREE.map(|s| (k, s))) {
        for curve in [CurveKind::Hilbert, CurveKind::Z] {
            let links = links_of(&tree(shape, k, 1)).unwrap();
            for (given, most, energy_bound) in [(Given::ALL, 4, 4.1), (Given::NOTHING, 5, 5.5)] {
                let words = 2 * ELEMENT_WORDS + SEED_WORDS + most * RANKING_MESSAGE_WORDS;
                let mut machine = machine_given(curve, k, 1, words, given);
                let tour = euler_tour(&mut machine, "tour", &links).unwrap();
                let at = format!("{shape}, 2^{k}, {curve:?}, {given}: {}", machine.ledger());
                let rounds = f64::from(tour.rounds);
                let spread = if given == Given::NOTHING { f64::from(k) / 2.0 + 2.0 } else { 0.0 };
                assert!(depth(&machine) <= 2.0 * rounds + 2.0 + spread, "{at}");
                assert!(rounds <= 2.75 * f64::from(k + 1), "{at}");
                assert!(energy(&machine) <= energy_bound, "{at} {}", energy(&machine));
                assert!(machine.most_received() <= most as u32, "{at}");
            }
        }
    }
}

/// The baselines, with constants. Pointer jumping takes two messages per bracket and step, but for
/// those at the end of the tour; ranking the tour, as much as the tour itself.
#[test]
fn without_a_layout_sums_take_more_than_linear_energy() {
    for k in [8, 10, 12] {
        let tree = tree(Shape::Random, k, 1);
        let sizes = tree.to_vertices(tree.sizes()).unwrap();
        let links = links_of(&tree).unwrap();
        let (steps, ones) = (f64::from(k + 1), Memory::new(1 << k, |_| 1i64));
        let mut pram = machine(CurveKind::Hilbert, k, 1, 36);
        let found = leaffix_by_pram(&mut pram, Sum::new(), &links, ones).unwrap();
        assert!(found.states().iter().zip(&sizes).all(|(&sum, &size)| sum == i64::from(size)));
        let each = energy(&pram) / steps;
        assert!((2.2..2.45).contains(&each) && depth(&pram) == 2.0 * steps, "2^{k}: {each:.2}");
        let mut tour = machine(CurveKind::Hilbert, k, 1, 47);
        let found = leaffix_by_tour(&mut tour, &links, Memory::new(1 << k, |_| 1)).unwrap();
        assert_eq!(found.states(), sizes);
        assert!((4.1..4.5).contains(&energy(&tour)), "2^{k}: {:.2}", energy(&tour));
        assert!(depth(&tour) <= 6.0 * steps, "2^{k}: {}", depth(&tour));
    }
}
