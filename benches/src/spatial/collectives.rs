//! What collectives cost, on Hilbert and on Z.

use crate::table::Table;
use palmette_core::operator::Sum;
use palmette_spatial::collective::{
    CollectiveError, Network, Pram, Range, ScanKind, all_reduce, barrier, broadcast, permute,
    reduce, scan, sort,
};
use palmette_spatial::curve::CurveKind;
use palmette_spatial::machine::{Machine, MachineParams, Memory};

const HEAD: [&str; 8] = [
    "operation",
    "curve",
    "energy/n",
    "energy/n^1.5",
    "depth",
    "distance/√n",
    "most received in a step",
    "words",
];

type Run = fn(&mut Machine, u32, Network) -> Result<(), CollectiveError>;

const OPERATIONS: [(&str, Run); 9] = [
    ("broadcast", |machine, n, _| {
        let heard = broadcast(machine, "", Range::new(0, n), Memory::new(n as usize, |p| p + 7))?;
        assert!(heard.states().iter().all(|&h| h == 7));
        Ok(())
    }),
    ("reduce", |machine, n, _| {
        let sums = reduce(machine, "", Sum::<u32>::new(), Range::new(0, n), ones(n))?;
        assert_eq!(sums.states()[0], n);
        Ok(())
    }),
    ("all-reduce", |machine, n, _| {
        let sums = all_reduce(machine, "", Sum::<u32>::new(), Range::new(0, n), ones(n))?;
        assert!(sums.states().iter().all(|&s| s == n));
        Ok(())
    }),
    ("barrier", |machine, n, _| barrier(machine, "", Range::new(0, n))),
    ("scan", |machine, n, _| {
        let (op, kind) = (Sum::<u32>::new(), ScanKind::Exclusive);
        let sums = scan(machine, "", op, kind, Range::new(0, n), ones(n))?;
        assert!(sums.states().iter().zip(0..).all(|(&s, i)| s == i));
        Ok(())
    }),
    ("random permutation", |machine, n, _| {
        let to = Memory::new(n as usize, |p| Some(scattered(p, n)));
        let moved = permute(machine, "", to, Memory::new(n as usize, |p| p))?;
        let right = |(p, i): (&Option<u32>, u32)| p.map(|p| scattered(p, n)) == Some(i);
        assert!(moved.states().iter().zip(0..).all(right));
        Ok(())
    }),
    ("sort", |machine, n, network| {
        let items = Memory::new(n as usize, |p| (scattered(p, n), ()));
        let sorted = sort(machine, "", network, Range::new(0, n), items)?;
        assert!(sorted.states().iter().zip(0..).all(|(&(k, ()), i)| k == i));
        Ok(())
    }),
    ("PRAM: concurrent read", |machine, n, network| {
        let pram = Pram { processors: Range::new(0, n), network };
        let wanted = Memory::new(n as usize, |p| Some(random(p, n)));
        let found = pram.read(machine, "", wanted, Memory::new(n as usize, |p| 3 * p))?;
        let right = |(f, p): (&Option<u32>, u32)| *f == Some(3 * random(p, n));
        assert!(found.states().iter().zip(0..).all(right));
        Ok(())
    }),
    ("PRAM: concurrent write", |machine, n, network| {
        let pram = Pram { processors: Range::new(0, n), network };
        let writes = Memory::new(n as usize, |p| Some((random(p, n), p)));
        let cells = pram.write(machine, "", writes, Memory::new(n as usize, |_| n))?;
        let right = |(&p, i): (&u32, u32)| p == n || random(p, n) == i;
        assert!(cells.states().iter().zip(0..).all(right));
        Ok(())
    }),
];

fn ones(n: u32) -> Memory<u32> {
    Memory::new(n as usize, |_| 1)
}

/// A permutation of the addresses below a power of two that looks random.
fn scattered(p: u32, n: u32) -> u32 {
    let mask = n - 1;
    let half = n.trailing_zeros().div_ceil(2);
    let mut x = p;
    for multiplier in [0x9E37_79B1, 0x85EB_CA77, 0xC2B2_AE3D_u32] {
        x = x.wrapping_mul(multiplier) & mask;
        x ^= x >> half;
    }
    x
}

/// A random address.
fn random(p: u32, n: u32) -> u32 {
    let z = (u64::from(p) + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    (z >> 32) as u32 & (n - 1)
}

/// All operations on all processors of a square.
pub fn study(quick: bool) -> String {
    let n: u32 = if quick { 1 << 10 } else { 1 << 18 };
    let mut table = Table::new(&HEAD);
    for (name, run) in OPERATIONS {
        for (kind, network) in
            [(CurveKind::Hilbert, Network::OddEven), (CurveKind::Z, Network::Bitonic)]
        {
            let curve = kind.fitting(n.into()).expect("there are such squares");
            let params = MachineParams::default();
            let mut machine =
                Machine::on_curve(&curve, n as usize, params).expect("it is small enough");
            run(&mut machine, n, network).expect("it runs");
            let costs = machine.costs();
            let (energy, n) = (costs.energy as f64, f64::from(n));
            table.row(vec![
                name.to_string(),
                kind.to_string(),
                format!("{:.2}", energy / n),
                format!("{:.3}", energy / n.powf(1.5)),
                costs.depth.to_string(),
                format!("{:.2}", costs.distance as f64 / n.sqrt()),
                machine.most_received().to_string(),
                machine.words_used().to_string(),
            ]);
        }
    }
    table.markdown()
}
