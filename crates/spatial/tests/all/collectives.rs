//! The theorems about collectives, with constants: energy, depth, distance and memory on
//! the Hilbert curve and in Z-order, for n from 2^8 to 2^18; steps of a PRAM, most of which is a
//! sort, to 2^16.

use palmette_core::operator::Sum;
use palmette_spatial::collective::{
    Network, Pram, Range, ScanKind, align, all_reduce, barrier, broadcast, permute, reduce, scan,
    sort,
};
use palmette_spatial::curve::CurveKind;
use palmette_spatial::machine::{Costs, Machine, MachineParams, Memory};

const CURVES: [CurveKind; 2] = [CurveKind::Hilbert, CurveKind::Z];
/// Enough for every collective on values of two words, whatever n.
const WORDS: usize = 40;
const SUM: Sum<u64> = Sum::new();

fn machine(curve: CurveKind, n: u32) -> Machine {
    let params = MachineParams { words: Some(WORDS), links: false, ..MachineParams::default() };
    Machine::on_curve(&curve.fitting(n.into()).unwrap(), n as usize, params).unwrap()
}

/// Bounds for n = 2^k.
struct Law {
    /// A pair for the two curves: energy / n^power.
    energy: [f64; 2],
    power: f64,
    depth: fn(u32) -> u32,
    /// For the two curves: distance / √n.
    distance: [f64; 2],
    /// Messages that one processor receives in one step.
    received: u32,
}

impl Law {
    /// Runs a collective for all even k up to a limit, and checks what it costs.
    fn holds_to(&self, limit: u32, mut run: impl FnMut(&mut Machine, CurveKind)) {
        for (c, curve) in CURVES.into_iter().enumerate() {
            for k in (8..=limit).step_by(2) {
                let mut machine = machine(curve, 1 << k);
                run(&mut machine, curve);
                let (costs, n) = (machine.costs(), f64::from(1u32 << k));
                let energy = costs.energy as f64 / n.powf(self.power);
                let distance = costs.distance as f64 / n.sqrt();
                let at = format!("{curve:?}, n = 2^{k}");
                assert!(energy <= self.energy[c], "{at}: energy {energy} n^{}", self.power);
                assert!(distance <= self.distance[c], "{at}: distance {distance} sqrt(n)");
                assert!(costs.depth <= (self.depth)(k), "{at}: depth {}", costs.depth);
                assert!(machine.most_received() <= self.received, "{at}: received");
            }
        }
    }
}

fn everywhere(machine: &Machine) -> Range {
    Range::new(0, machine.processors() as u32)
}

fn random(x: u64) -> u64 {
    let x = (x + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

fn numbers(machine: &Machine) -> Memory<u64> {
    Memory::new(machine.processors(), |p| random(p.into()) >> 32)
}

fn best_network(curve: CurveKind) -> Network {
    if curve == CurveKind::Z { Network::Bitonic } else { Network::OddEven }
}

#[test]
fn broadcast_and_reduce_are_linear() {
    let law = Law {
        energy: [1.84, 1.92],
        power: 1.0,
        depth: |k| k / 2 + 1,
        distance: [2.0, 2.0],
        received: 1,
    };
    law.holds_to(18, |machine, _| {
        let (all, values) = (everywhere(machine), numbers(machine));
        let first = values.states()[0];
        let found = broadcast(machine, "broadcast", all, values).unwrap();
        assert!(found.states().iter().all(|&value| value == first));
    });
    Law { received: 4, ..law }.holds_to(18, |machine, _| {
        let (all, values) = (everywhere(machine), numbers(machine));
        let expected: u64 = values.states().iter().sum();
        let found = reduce(machine, "reduce", SUM, all, values).unwrap();
        assert_eq!(found.states()[0], expected);
    });
}

#[test]
fn scan_all_reduce_and_barrier_are_linear() {
    let law = Law {
        energy: [3.67, 3.83],
        power: 1.0,
        depth: |k| k + 2,
        distance: [4.0, 4.0],
        received: 4,
    };
    law.holds_to(18, |machine, _| {
        let (all, values) = (everywhere(machine), numbers(machine));
        let given = values.clone();
        let found = scan(machine, "scan", SUM, ScanKind::Exclusive, all, given).unwrap();
        let mut sum = 0;
        for (value, &found) in values.states().iter().zip(found.states()) {
            assert_eq!(found, sum);
            sum += value;
        }
    });
    law.holds_to(18, |machine, _| {
        let (all, values) = (everywhere(machine), numbers(machine));
        let expected: u64 = values.states().iter().sum();
        let found = all_reduce(machine, "all-reduce", SUM, all, values).unwrap();
        assert!(found.states().iter().all(|&sum| sum == expected));
    });
    law.holds_to(18, |machine, _| barrier(machine, "barrier", everywhere(machine)).unwrap());
    let law = Law { depth: |k| k + 3, ..law };
    law.holds_to(18, |machine, _| align(machine, "align", everywhere(machine)).unwrap());
}

fn broadcast_in(range: Range, n: u32) -> Costs {
    let mut machine = machine(CurveKind::Hilbert, n);
    let values = numbers(&machine);
    broadcast(&mut machine, "broadcast", range, values).unwrap();
    machine.costs()
}

/// Lemma 13.
#[test]
fn a_broadcast_in_any_range_is_linear_in_its_length() {
    let n = 1 << 12;
    // The worst of all ranges of up to 1500 addresses, and some others.
    let mut ranges = vec![Range::new(22, 65), Range::new(149, 257), Range::new(85, 257)];
    for seed in 0..500 {
        let first = random(seed) % u64::from(n);
        let end = first + 1 + random(seed + 1000) % (u64::from(n) - first);
        ranges.push(Range::new(first as u32, end as u32));
    }
    for range in ranges {
        let (costs, length) = (broadcast_in(range, n), f64::from(range.len()));
        assert!(costs.energy as f64 <= 2.03 * length, "{range}: energy {}", costs.energy);
        assert!(costs.distance as f64 <= 4.86 * length.sqrt(), "{range}: {}", costs.distance);
        let levels = (0..).find(|&k| 1u64 << (2 * k) >= u64::from(range.len())).unwrap();
        assert!(costs.depth <= levels + 2, "{range}: depth {}", costs.depth);
    }
}

#[test]
fn disjoint_ranges_work_at_the_same_time() {
    let n = 1u32 << 16;
    for length in [1, 2, 3, 5, 17, 100, 1000, 9999] {
        // They begin in the middle of nowhere, and the last one is shorter.
        let range = |p: u32| match p {
            0..7 => Range::EMPTY,
            p => {
                let first = 7 + (p - 7) / length * length;
                Range::new(first, n.min(first + length))
            }
        };
        let mut machine = machine(CurveKind::Hilbert, n);
        let (ranges, values) = (Memory::new(n as usize, range), numbers(&machine));
        let found = scan(&mut machine, "scan", SUM, ScanKind::Inclusive, ranges, values.clone());
        let found = found.unwrap();
        for p in 7..n {
            let first = range(p).first;
            let before = if first == p { 0 } else { found.states()[p as usize - 1] };
            assert_eq!(found.states()[p as usize], before + values.states()[p as usize]);
        }
        let (costs, levels) =
            (machine.costs(), (length - 1).checked_ilog2().map_or(0, |l| l / 2 + 1));
        assert!(costs.energy as f64 <= 2.0 * 1.86 * f64::from(n), "{length}: {}", costs.energy);
        assert!(costs.depth <= 2 * (levels + 2), "{length}: depth {}", costs.depth);
        assert!(machine.most_received() <= 4);
    }
}

#[test]
fn a_random_permutation_costs_two_thirds_of_n_to_the_three_halves() {
    let law =
        Law { energy: [0.69, 0.69], power: 1.5, depth: |_| 1, distance: [2.0, 2.0], received: 1 };
    law.holds_to(18, |machine, _| {
        let n = machine.processors();
        let mut order: Vec<u32> = (0..n as u32).collect();
        order.sort_by_key(|&p| random(p.into()));
        let targets = Memory::new(n, |p| Some(order[p as usize]));
        let found = permute(machine, "permute", targets, Memory::new(n, |p| p)).unwrap();
        assert!((0..n).all(|p| found.states()[order[p] as usize] == Some(p as u32)));
    });
}

#[test]
fn a_sort_costs_n_to_the_three_halves() {
    let law = Law {
        energy: [9.3, 7.0],
        power: 1.5,
        depth: |k| k * (k + 1) / 2,
        distance: [13.8, 7.0],
        received: 1,
    };
    law.holds_to(18, |machine, curve| {
        let (all, network) = (everywhere(machine), best_network(curve));
        let items = Memory::new(machine.processors(), |p| (random(p.into()) % 50_000, p));
        let mut keys: Vec<u64> = items.states().iter().map(|item| item.0).collect();
        let found = sort(machine, "sort", network, all, items).unwrap();
        keys.sort_unstable();
        assert!(found.states().iter().map(|item| item.0).eq(keys));
    });
}

/// A step of a PRAM with as many processors as cells, that all use few cells, or many.
#[test]
fn a_pram_step_costs_n_to_the_three_halves() {
    let read = Law {
        energy: [10.0, 7.7],
        power: 1.5,
        depth: |k| k * (k + 1) / 2 + k + 6,
        distance: [23.0, 16.6],
        received: 4,
    };
    let write = Law {
        energy: [9.25, 7.0],
        depth: |k| k * (k + 1) / 2 + 3,
        distance: [16.8, 10.6],
        received: 2,
        ..read
    };
    for shared in [1, 100, u64::MAX] {
        let cell = |p: u32, n: usize| (random(p.into()) % shared.min(n as u64)) as u32;
        read.holds_to(16, |machine, curve| {
            let (n, processors) = (machine.processors(), everywhere(machine));
            let pram = Pram { processors, network: best_network(curve) };
            let wanted = Memory::new(n, |p| Some(cell(p, n)));
            let found = pram.read(machine, "read", wanted, Memory::new(n, |p| p)).unwrap();
            assert!((0..n as u32).all(|p| found.states()[p as usize] == Some(cell(p, n))));
        });
        write.holds_to(16, |machine, curve| {
            let (n, processors) = (machine.processors(), everywhere(machine));
            let pram = Pram { processors, network: best_network(curve) };
            let writes = Memory::new(n, |p| Some((cell(p, n), p)));
            let found = pram.write(machine, "write", writes, Memory::new(n, |p| p)).unwrap();
            let mut expected: Vec<u32> = (0..n as u32).collect();
            (0..n as u32).rev().for_each(|p| expected[cell(p, n) as usize] = p);
            assert_eq!(found.states(), expected);
        });
    }
}

/// O(p (√p + √m)) energy also when p processors use m cells, many more.
#[test]
fn few_processors_may_use_many_cells() {
    let (p, m) = (1u32 << 10, 1u32 << 16);
    for (c, curve) in CURVES.into_iter().enumerate() {
        let mut machine = machine(curve, m);
        let pram = Pram { processors: Range::new(0, p), network: best_network(curve) };
        let wanted = Memory::new(m as usize, |i| (i < p).then(|| random(i.into()) as u32 % m));
        let found =
            pram.read(&mut machine, "read", wanted, Memory::new(m as usize, |i| i)).unwrap();
        assert!((0..p).all(|i| found.states()[i as usize] == Some(random(i.into()) as u32 % m)));
        let bound = f64::from(p) * (f64::from(p).sqrt() + f64::from(m).sqrt());
        let energy = machine.costs().energy as f64 / bound;
        assert!(energy <= [2.6, 2.36][c], "{curve:?}: energy {energy} p (sqrt p + sqrt m)");
    }
}
