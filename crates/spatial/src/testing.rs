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

use crate::machine::{Delivery, MachineParams};
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

/// `step`, `manhattan`, and so many random delays of all kinds, every one with its own seed.
pub fn deliveries(patterns: u64) -> impl Iterator<Item = Delivery> {
    let fixed = [Delivery::Step, Delivery::MANHATTAN, Delivery::Manhattan { constant: 100 }];
    let random = (0..patterns).map(|seed| {
        let (constant, least, most, per_hop) = KINDS[(seed / 2) as usize % KINDS.len()];
        let ordered = seed % 2 == 1;
        Delivery::Random { constant, least, most, per_hop, ordered, seed }
    });
    fixed.into_iter().chain(random)
}

/// Calls a test with machines of every delivery: those of [`deliveries`]. The machine's seed is
/// another one for each, and link loads are not counted.
///
/// # Panics
/// When the test does: with the delivery's spelling and the machine's seed.
pub fn every_delivery(patterns: u64, mut test: impl FnMut(MachineParams)) {
    for (seed, delivery) in (0..).zip(deliveries(patterns)) {
        let params = MachineParams { delivery, seed, links: false, ..MachineParams::default() };
        if let Err(panic) = catch_unwind(AssertUnwindSafe(|| test(params))) {
            let text = panic.downcast_ref::<String>().map(String::as_str);
            let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
            panic!("delivery {delivery}, machine seed {seed}: {}", text.unwrap_or("a panic"));
        }
    }
}
