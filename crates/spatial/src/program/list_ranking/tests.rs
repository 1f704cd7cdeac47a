use super::*;
use crate::collective::testing::{Random, machine, stagger};
use crate::curve::CurveKind;
use crate::machine::MachineParams;

/// Disjoint lists over all elements of n processors, in random order, of random lengths
/// up to a limit; and the rank of every element.
pub(super) fn lists<const S: usize>(
    n: usize,
    longest: u64,
    random: &mut Random,
) -> (Memory<[Element; S]>, Vec<[u32; S]>) {
    let count = n * S;
    let mut order: Vec<u32> = (0..count as u32).collect();
    (1..count).for_each(|i| order.swap(i, random.below(i as u64 + 1) as usize));
    let mut elements = vec![[Element::ALONE; S]; n];
    let mut ranks = vec![[0; S]; n];
    let place = |e: u32| (e as usize / S, e as usize % S);
    let mut left = &order[..];
    while !left.is_empty() {
        let length = 1 + random.below(longest.min(left.len() as u64)) as usize;
        let (list, rest) = left.split_at(length);
        let mut rank = 0;
        for (i, &e) in list.iter().enumerate() {
            let (p, slot) = place(e);
            let gap = random.below(3) as u32;
            rank += if i == 0 { 0 } else { gap };
            ranks[p][slot] = rank;
            elements[p][slot] = Element {
                predecessor: if i == 0 { NONE } else { list[i - 1] },
                successor: list.get(i + 1).copied().unwrap_or(NONE),
                gap,
            };
        }
        left = rest;
    }
    (elements.into(), ranks)
}

fn check<const S: usize>(n: usize, longest: u64, seed: u64, staggered: bool) {
    let mut random = Random(seed);
    let (lists, expected) = lists::<S>(n, longest, &mut random);
    let curve = CurveKind::Hilbert.fitting(n as u64).unwrap();
    let params = MachineParams { seed, ..MachineParams::default() };
    let mut machine = Machine::on_curve(&curve, n, params).unwrap();
    if staggered {
        stagger(&mut machine, &mut random);
    }
    let before = machine.costs().messages;
    let heads = lists.states().iter().flatten().filter(|e| e.predecessor == NONE).count();
    let found = rank(&mut machine, "rank", lists).unwrap();
    assert_eq!(found.ranks.states(), expected, "{n} processors, seed {seed}");
    let others = (n * S - heads) as u64;
    let messages = machine.costs().messages - before;
    assert!(2 * others <= messages && messages <= 3 * others + heads as u64);
    let ledger = machine.ledger();
    assert_eq!(ledger.phase("rank: uncontract").map_or(0, |costs| costs.messages), others);
    assert!(staggered || machine.most_received() <= 2 * S as u32);
}

#[test]
fn ranks_are_sums_of_gaps_from_the_head() {
    for n in 1..=200 {
        for seed in 0..8 {
            let longest = [2, 10, 1000, 1000][seed as usize % 4];
            check::<1>(n, longest, seed, seed > 3);
            check::<2>(n, longest, seed, seed > 3);
        }
    }
    check::<3>(500, 1000, 1, true);
}

#[test]
fn clocks_may_differ() {
    for seed in 0..300 {
        check::<1>(200, 1 << (1 + seed % 10), seed, true);
        check::<2>(100, 1 << (1 + seed % 10), seed, true);
    }
    // Large enough for the parallel paths of the machine.
    check::<1>(20_000, 20_000, 1, true);
    check::<2>(20_000, 40_000, 2, true);
}

#[test]
fn a_circle_has_no_ranks() {
    for n in 1..40u32 {
        let lists = Memory::new(n as usize + 1, |p| {
            let (predecessor, successor) = ((p + n - 1) % n, (p + 1) % n);
            [if p == n { Element::ALONE } else { Element { predecessor, successor, gap: 1 } }]
        });
        let found = rank(&mut machine(n as usize + 1), "rank", lists).unwrap();
        assert!(found.ranks.states()[..n as usize].iter().all(|&rank| rank == [NONE]));
        assert_eq!(found.ranks.states()[n as usize], [0]);
    }
}

#[test]
fn links_that_disagree_come_to_an_end() {
    let mut random = Random(4);
    for n in (1..60).cycle().take(600) {
        let mut anyone = || Some(random.below(n + 3) as u32).filter(|&e| e < n as u32);
        let lists = Memory::new(n as usize, |_| {
            let [predecessor, successor] = [(); 2].map(|()| anyone().unwrap_or(NONE));
            [Element { predecessor, successor, gap: u32::MAX / 2 }]
        });
        let curve = CurveKind::Hilbert.fitting(n).unwrap();
        let params =
            MachineParams { step_limit: 10 * n as u32, words: Some(1000), ..Default::default() };
        let mut machine = Machine::on_curve(&curve, n as usize, params).unwrap();
        rank(&mut machine, "rank", lists).unwrap();
    }
}

#[test]
fn who_gives_way_is_decided_by_the_seed_alone() {
    let run = |threads: usize, seed: u64| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let (lists, _) = lists::<2>(10_000, 20_000, &mut Random(5));
            let curve = CurveKind::Hilbert.fitting(10_000).unwrap();
            let params = MachineParams { seed, ..MachineParams::default() };
            let mut machine = Machine::on_curve(&curve, 10_000, params).unwrap();
            (rank(&mut machine, "rank", lists).unwrap(), machine.costs())
        })
    };
    let one = run(1, 1);
    assert_eq!(one, run(3, 1));
    let other = run(1, 2);
    assert_eq!(one.0.ranks, other.0.ranks);
    assert_ne!(one.0.stamps, other.0.stamps);
}

#[test]
fn stamps_are_the_rounds_of_contraction() {
    let n = 300;
    let (given, _) = lists::<1>(n, 300, &mut Random(3));
    let mut machine = machine(n);
    let priorities = Priorities::draw(&machine);
    let found = rank(&mut machine, "rank", given.clone()).unwrap();
    // The host contracts in rounds: all that can give way do.
    let mut list: Vec<Element> = given.states().iter().map(|&[element]| element).collect();
    let heads: Vec<bool> = list.iter().map(|e| e.predecessor == NONE).collect();
    let mut out = vec![0; n];
    for round in 1.. {
        let first = |v: u32, u: u32| u == NONE || heads[u as usize] || priorities.before(v, u);
        let now: Vec<u32> = (0..n as u32)
            .filter(|&v| {
                let Element { predecessor, successor, .. } = list[v as usize];
                let (v, there) = (v, out[v as usize] == 0 && !heads[v as usize]);
                there && first(v, predecessor) && first(v, successor)
            })
            .collect();
        if now.is_empty() {
            assert_eq!(found.rounds, round - 1);
            break;
        }
        for v in now {
            out[v as usize] = round;
            let Element { predecessor, successor, .. } = list[v as usize];
            list[predecessor as usize].successor = successor;
            if successor != NONE {
                list[successor as usize].predecessor = predecessor;
            }
        }
    }
    for (v, stamp) in found.stamps.states().iter().enumerate() {
        assert!(heads[v] || stamp == &[out[v]]);
    }
}

#[test]
fn predecessors_are_told() {
    let mut random = Random(8);
    for n in 1..50 {
        let (lists, _) = lists::<2>(n, 30, &mut random);
        let mut machine = machine(n);
        stagger(&mut machine, &mut random);
        let successors = lists.clone().map(|_, elements| elements.map(|e| e.successor));
        let found = predecessors(&mut machine, "link", successors).unwrap();
        assert_eq!(found, lists.map(|_, elements| elements.map(|e| e.predecessor)));
        assert!(machine.most_received() <= 2);
    }
    let far = Memory::new(4, |_| [4]);
    assert!(predecessors(&mut machine(4), "link", far).is_err());
}
