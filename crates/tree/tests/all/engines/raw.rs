//! Leaffix from a bare parent array, and random arrays through every engine.

use crate::engines::checker::{Checker, Direction, Sweep, Terms};
use crate::engines::erased::from_parents;
use crate::engines::family::Family;
use crate::engines::random::Random;
use crate::engines::run::{every_engine, forest, representative_operators};
use crate::engines::{exact, float, trees};
use palmette_core::generate::shuffle;
use palmette_core::{Commutative, NONE};
use palmette_tree::{Engine, Scope};
use proptest::prelude::*;
use rayon::prelude::*;

/// Checks `from_parents` with one operator.
fn check<F: Family<Op: Commutative>>(family: &F, name: &str, parents: &[u32], seed: u64) {
    let mut random = Random(seed);
    let values: Vec<F::Value> =
        (0..parents.len() as u32).map(|v| family.value(&mut random, v)).collect();
    let whole = values.iter().fold(family.empty(), |w, &x| family.join(w, family.lift(x)));
    let sums = from_parents(parents, &values, &family.op()).unwrap();
    let expected =
        Sweep::new(parents).answers(family, &values, Direction::Leaffix, Scope::Inclusive);
    for (v, (&actual, &expected)) in sums.iter().zip(&expected).enumerate() {
        assert!(
            family.agrees(Engine::Auto, whole, expected, actual),
            "{name}, {}: vertex {v} of {}: expected {expected:?}, got {actual:?}",
            family.name(),
            parents.len(),
        );
    }
}

fn check_commutative(name: &str, parents: &[u32], seed: u64) {
    check(&exact::sum_i64(), name, parents, seed);
    check(&float::sum_f64(), name, parents, seed);
    check(&exact::arg_max(), name, parents, seed);
    check(&exact::product(), name, parents, seed);
}

#[test]
fn every_shape_of_sizes_to_200() {
    (0..=200usize).into_par_iter().for_each(|n| {
        for shape in trees::shapes(n, 2) {
            for (name, parents) in trees::arrangements(&shape, n as u64) {
                check_commutative(&name, &parents, 5);
            }
            check_commutative(&shape.0, &trees::reversed(&shape.1), 6);
        }
    });
}

/// Large enough for the queue to run dry and for chains to be cut.
#[test]
fn every_shape_of_medium_size() {
    for n in [16_383, 16_385, 80_000] {
        for shape in trees::shapes(n, 2) {
            for (name, parents) in trees::arrangements(&shape, 3) {
                check(&exact::sum_i64(), &name, &parents, 5);
                check(&exact::arg_max(), &name, &parents, 5);
            }
            check(&exact::sum_i64(), &shape.0, &trees::reversed(&shape.1), 5);
        }
    }
}

/// Numbers of children around those where a counter of one byte ends.
const DEGREES: [u32; 14] = [1, 252, 253, 254, 255, 256, 257, 258, 509, 510, 511, 512, 513, 768];

#[test]
fn degrees_around_the_ends_of_a_byte() {
    for degree in DEGREES {
        // Alone; three levels of that degree on one another; with a root of its own.
        let star: Vec<u32> = (0..=degree).map(|v| if v == 0 { NONE } else { 0 }).collect();
        let mut nested = star.clone();
        for level in 1..3 {
            let top = nested.len() as u32 - 1;
            nested.extend((0..degree).map(|_| top - level));
        }
        let mut two = star.clone();
        two.extend(star.iter().map(|&p| if p == NONE { NONE } else { p + degree + 1 }));
        for parents in [star, nested, two] {
            for seed in 0..3 {
                check_commutative(&format!("degree {degree}"), &shuffle(&parents, seed), seed);
            }
            check_commutative(&format!("degree {degree}, reversed"), &trees::reversed(&parents), 1);
            let tree = forest(&shuffle(&parents, 4));
            let terms = Terms::new(&shuffle(&parents, 4));
            every_engine(&exact::rolling_hash(), "degrees", &tree, None, &terms, degree.into());
        }
    }
}

/// A long spine whose vertices have such numbers of children: the queue eats the
/// leaves, and the chains get what is left.
#[test]
fn chains_of_heavy_vertices() {
    let mut random = Random(1);
    for spine in [40_000u32, 70_000] {
        let mut parents: Vec<u32> = (0..spine).map(|v| v.wrapping_sub(1)).collect();
        for v in (0..spine).step_by(300) {
            // With the next spine vertex, exactly this many.
            let leaves = DEGREES[random.below(DEGREES.len() as u64) as usize] - 1;
            parents.extend((0..leaves).map(|_| v));
        }
        for seed in 0..3 {
            let shuffled = shuffle(&parents, seed);
            check_commutative("heavy spine", &shuffled, seed);
            check_commutative("heavy forest", &trees::cut(&shuffled, 10_000, seed), seed);
        }
    }
}

prop_compose! {
    /// A forest with shuffled labels. `span` says how far up parents may be: 1 is a
    /// path; roots are rare or frequent.
    fn any_parents()(
        choices in prop::collection::vec(any::<u32>(), 0..400),
        span in prop_oneof![Just(1u32), 2..10u32, Just(u32::MAX)],
        roots in prop_oneof![Just(u32::MAX), 2..60u32],
        seed in any::<u64>(),
        arrangement in 0..3u8,
    ) -> Vec<u32> {
        let parent = |(v, &c): (usize, &u32)| match v as u32 {
            0 => NONE,
            _ if c % roots == 0 => NONE,
            v => v - 1 - (c / 64) % v.min(span),
        };
        let parents: Vec<u32> = choices.iter().enumerate().map(parent).collect();
        match arrangement {
            0 => parents,
            1 => trees::reversed(&parents),
            _ => shuffle(&parents, seed),
        }
    }
}

prop_compose! {
    /// A few vertices of 240 to 530 children each, hung on one another, shuffled.
    fn heavy_parents()(
        degrees in prop::collection::vec(
            prop_oneof![3 => 240..530u32, 1 => prop::sample::select(&DEGREES[..])], 1..6),
        hooks in prop::collection::vec(any::<u32>(), 6),
        seed in any::<u64>(),
    ) -> Vec<u32> {
        let mut parents = vec![NONE];
        for (&degree, hook) in degrees.iter().zip(hooks) {
            // Of the vertices so far one is the next hub; it may be a hub already.
            let hub = hook % parents.len() as u32;
            parents.extend((0..degree).map(|_| hub));
        }
        shuffle(&parents, seed)
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..Default::default() })]

    #[test]
    fn engines_agree_on_random_forests(parents in any_parents(), seed in any::<u64>()) {
        let (tree, terms) = (forest(&parents), Terms::new(&parents));
        representative_operators("random", &tree, None, &terms, seed);
        every_engine(&exact::matrix(), "random", &tree, None, &terms, seed);
    }

    #[test]
    fn bare_parents_on_random_forests(parents in any_parents(), seed in any::<u64>()) {
        check_commutative("random", &parents, seed);
    }

    #[test]
    fn bare_parents_with_many_children(parents in heavy_parents(), seed in any::<u64>()) {
        check_commutative("heavy", &parents, seed);
    }
}
