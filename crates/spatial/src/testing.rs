//! Runs a test under every way in which messages may be delivered.
//!
//! For the tests of this crate and of programs elsewhere:
//!
//! ```
//! use palmette_core::operator::Sum;
//! use palmette_spatial::collective::{Range, all_reduce};
//! use palmette_spatial::curve::CurveKind;
//! use palmette_spatial::machine::{Machine, Memory};
//! use palmette_spatial::testing::every_delivery;
//!
//! every_delivery(24, |params| {
//!     let curve = CurveKind::Hilbert.fitting(10).unwrap();
//!     let mut machine = Machine::on_curve(&curve, 10, params).unwrap();
//!     let (all, ones) = (Range::new(0, 10), Memory::new(10, |_| 1));
//!     let sums = all_reduce(&mut machine, "sum", Sum::<u32>::new(), all, ones).unwrap();
//!     assert_eq!(sums.states(), [10; 10]);
//! });
//! ```

use crate::machine::{Delivery, MachineParams, mix};
use palmette_core::generate::Shape;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Kinds of random delays: a constant, bounds, and whether those are per hop. Little spread and
/// much, near and far.
const KINDS: [(u32, u32, u32, bool); 6] = [
    (0, 1, 2, false),
    (0, 1, 20, false),
    (0, 1, 1000, false),
    (5, 1, 2, true),
    (1, 1, 5, true),
    (1, 0, 50, true),
];

/// How often a delivery without a seed is met: once for every shape.
const TURNS: usize = Shape::FREE.len();

/// Far more than a program needs on a small machine. One that never ends fails soon.
const LONGEST_CHAIN: u32 = 10_000;

/// `step`, `manhattan`, so many random delays of all kinds, every one with its own seed, and
/// `network`.
pub fn deliveries(patterns: u64) -> impl Iterator<Item = Delivery> {
    let fixed = [Delivery::Step, Delivery::MANHATTAN, Delivery::Manhattan { constant: 100 }];
    let random = (0..patterns).map(|seed| {
        let (constant, least, most, per_hop) = KINDS[(seed / 2) as usize % KINDS.len()];
        let ordered = seed % 2 == 1;
        Delivery::Random { constant, least, most, per_hop, ordered, seed }
    });
    fixed.into_iter().chain(random).chain([Delivery::Network])
}

/// Calls a test with machines of every delivery: those of [`deliveries`], and those without a
/// seed twelve times, so that [`shape`] goes over all shapes. The machine's seed is another one
/// each time, link loads are not counted, and no chain of messages may have more than 10,000.
///
/// # Panics
/// When the test does: with the delivery's spelling and the machine's seed.
pub fn every_delivery(patterns: u64, mut test: impl FnMut(MachineParams)) {
    let turns =
        |delivery| std::iter::repeat_n(delivery, if is_random(delivery) { 1 } else { TURNS });
    for (seed, delivery) in (0..).zip(deliveries(patterns).flat_map(turns)) {
        let params = MachineParams {
            delivery,
            seed,
            links: false,
            step_limit: LONGEST_CHAIN,
            ..MachineParams::default()
        };
        if let Err(panic) = catch_unwind(AssertUnwindSafe(|| test(params))) {
            let text = panic.downcast_ref::<String>().map(String::as_str);
            let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
            panic!("delivery {delivery}, machine seed {seed}: {}", text.unwrap_or("a panic"));
        }
    }
}

/// The shape of the tree for a test that [`every_delivery`] calls: each of [`Shape::FREE`] under
/// each delivery without a seed, any of them under random delays. Their kinds take turns, so that
/// a shape that took turns with them would always meet the same.
pub fn shape(params: &MachineParams) -> Shape {
    let number = if is_random(params.delivery) { mix(!params.seed) } else { params.seed };
    Shape::FREE[(number % Shape::FREE.len() as u64) as usize]
}

fn is_random(delivery: Delivery) -> bool {
    matches!(delivery, Delivery::Random { .. })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    #[should_panic = "delivery random:1-2,ordered,seed=1, machine seed 37: 7 is odd"]
    fn the_delivery_under_which_a_test_fails_is_named() {
        every_delivery(10, |params| assert!(params.seed != 37, "{} is odd", 7));
    }

    #[test]
    fn all_shapes_meet_all_kinds_of_delays() {
        let mut met = BTreeSet::new();
        every_delivery(1000, |params| {
            met.insert((params.delivery.with_seed(0).to_string(), shape(&params).to_string()));
        });
        assert_eq!(met.len(), (2 * KINDS.len() + 4) * Shape::FREE.len());
    }

    #[test]
    fn all_kinds_of_delays_are_among_them() {
        let all: Vec<Delivery> = deliveries(2 * KINDS.len() as u64).collect();
        assert!(all.iter().all(|delivery| delivery.check().is_ok()));
        let alike = |a: &Delivery, b: &Delivery| a.with_seed(0) == b.with_seed(0);
        let different = |(i, a): (usize, &Delivery)| !all[..i].iter().any(|b| alike(a, b));
        assert!(all.iter().enumerate().all(different));
    }
}
