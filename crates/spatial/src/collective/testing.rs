//! What the tests of collectives share.

use super::Range;
use super::barrier::Wait;
use crate::curve::CurveKind;
use crate::machine::{Machine, MachineParams, Memory};
use crate::testing::every_delivery;
use palmette_core::operator::MatrixModulo;

/// Associative, not commutative.
pub(crate) const OPERATOR: MatrixModulo = MatrixModulo::new(1_000_000_007).unwrap();

/// SplitMix64.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let x = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (x ^ (x >> 31)) % bound
    }
}

pub(crate) fn machine(n: usize) -> Machine {
    machine_with(n, MachineParams::default())
}

pub(crate) fn machine_with(n: usize, params: MachineParams) -> Machine {
    let curve = CurveKind::Hilbert.fitting(n as u64).unwrap();
    Machine::on_curve(&curve, n, params).unwrap()
}

/// How many patterns of delays a program is tested with.
pub(crate) const PATTERNS: u64 = 1000;

/// Moves the clocks of all processors on.
pub(crate) fn delay(machine: &mut Machine, clocks: Vec<u32>) {
    machine.run::<Wait>("delay", (), clocks.into()).unwrap();
}

/// Sets all clocks at random.
pub(crate) fn stagger(machine: &mut Machine, random: &mut Random) {
    delay(machine, (0..machine.processors()).map(|_| random.below(40) as u32).collect());
}

/// A machine whose clocks may differ, ranges on it, and a value per processor.
pub(crate) struct Setup<'a> {
    pub(crate) machine: &'a mut Machine,
    pub(crate) ranges: &'a Memory<Range>,
    pub(crate) values: &'a [[u64; 4]],
}

/// Calls a test with whole machines, with one range and with many, all of many lengths, and
/// with small ones under every delivery.
pub(crate) fn every_setup(mut test: impl FnMut(Setup<'_>)) {
    let mut run_with = |params: MachineParams, n: usize, ranges: Vec<Range>, seed: u64| {
        let mut random = Random(seed);
        let ranges = Memory::from(ranges);
        let values: Vec<[u64; 4]> =
            (0..n).map(|_| [0; 4].map(|_: u64| random.below(999))).collect();
        let mut machine = machine_with(n, params);
        if !seed.is_multiple_of(4) {
            stagger(&mut machine, &mut random);
        }
        test(Setup { machine: &mut machine, ranges: &ranges, values: &values });
    };
    every_delivery(PATTERNS, |params| {
        let mut random = Random(params.seed);
        let n = 1 + random.below(24) as u32;
        let ranges = match random.below(3) {
            0 => vec![Range::new(0, n); n as usize],
            _ => cut(n, &mut random),
        };
        run_with(params, n as usize, ranges, random.below(1000));
    });
    let mut run = |n, ranges, seed| run_with(MachineParams::default(), n, ranges, seed);
    let one = |n: usize, range: Range| -> Vec<Range> {
        (0..n as u32).map(|p| if range.contains(p) { range } else { Range::EMPTY }).collect()
    };
    for n in 1..=70 {
        for seed in 0..2 {
            run(n, one(n, Range::new(0, n as u32)), seed);
        }
    }
    let mut random = Random(99);
    for seed in 0..60 {
        let n = 40 + random.below(300);
        let first = random.below(n);
        let end = first + 1 + random.below(n - first);
        run(n as usize, one(n as usize, Range::new(first as u32, end as u32)), seed);
        run(n as usize, cut(n as u32, &mut random), seed);
    }
    // Large enough for the parallel paths of the machine.
    run(20_000, one(20_000, Range::new(3, 19_990)), 5);
    run(20_000, cut(20_000, &mut random), 6);
}

/// Many disjoint ranges, some processors in none.
pub(crate) fn cut(n: u32, random: &mut Random) -> Vec<Range> {
    let mut ranges = Vec::new();
    while (ranges.len() as u32) < n {
        let first = ranges.len() as u32;
        let scale = random.below(8);
        let limit = 1 + random.below(1 << scale);
        let range = Range::new(first, n.min(first + limit as u32));
        // Any empty range will do for those outside.
        let held = if random.below(4) == 0 { Range::new(n, n) } else { range };
        ranges.extend((range.first..range.end).map(|_| held));
    }
    ranges
}
