use super::super::priority::Priorities;
use super::*;
use crate::collective::testing::{Random, machine, stagger};
use crate::curve::CurveKind;
use crate::machine::{Costs, Delivery, Given, MachineParams};
use crate::testing::every_delivery;

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

fn on(n: usize, params: MachineParams) -> Machine {
    Machine::on_curve(&CurveKind::Hilbert.fitting(n as u64).unwrap(), n, params).unwrap()
}

fn check<const S: usize>(n: usize, longest: u64, seed: u64, staggered: bool) {
    let mut random = Random(seed);
    let (lists, expected) = lists::<S>(n, longest, &mut random);
    let given = if seed.is_multiple_of(2) { Given::NOTHING } else { Given::ALL };
    let mut machine = on(n, MachineParams { seed, given, ..MachineParams::default() });
    if staggered {
        stagger(&mut machine, &mut random);
    }
    let heads = lists.states().iter().flatten().filter(|e| e.predecessor == NONE).count();
    let apart = (0..).zip(lists.states().as_flattened());
    let apart = apart.filter(|(e, element)| {
        element.successor != NONE && e / S as u32 != element.successor / S as u32
    });
    let apart = apart.count() as u64;
    let found = rank(&mut machine, "rank", lists).unwrap();
    assert_eq!(found.ranks.states(), expected, "{n} processors, seed {seed}");
    let others = (n * S - heads) as u64;
    let messages = |phase: &str| {
        machine.ledger().phase(&format!("rank: {phase}")).map_or(0, |costs| costs.messages)
    };
    let contract = messages("contract");
    assert!(others <= contract && contract <= 2 * others + heads as u64);
    assert_eq!(messages("uncontract"), others);
    let (paid, linked) = if given == Given::NOTHING { (n as u64 - 1, apart) } else { (0, 0) };
    assert_eq!(messages("link"), linked);
    // One that comes late is waited for.
    let spread = if staggered { 2 * paid } else { paid };
    assert_eq!(messages("seed"), spread);
    if given == Given::NOTHING || !staggered {
        assert!(machine.most_received() <= 2 * S as u32 + 2, "{}", machine.most_received());
    }
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
        let given = if n.is_multiple_of(2) { Given::NOTHING } else { Given::ALL };
        let params = MachineParams {
            step_limit: 20 * n as u32,
            words: Some(1000),
            given,
            ..Default::default()
        };
        rank(&mut on(n as usize, params), "rank", lists).unwrap();
    }
}

#[test]
fn who_gives_way_is_decided_by_the_seed_alone() {
    let run = |threads: usize, seed: u64| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let (lists, _) = lists::<2>(10_000, 20_000, &mut Random(5));
            let mut machine = on(10_000, MachineParams { seed, ..MachineParams::default() });
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
fn addresses_that_nobody_has_are_errors() {
    let far = Memory::new(4, |_| [Element { successor: 4, ..Element::ALONE }]);
    assert!(rank(&mut machine(4), "rank", far).is_err());
    let few = Memory::new(3, |_| [Element::ALONE]);
    assert!(rank(&mut machine(4), "rank", few).is_err());
}

/// What a run on lists costs, but for what depends on delays.
fn measure<const S: usize>(
    params: MachineParams,
    lists: &Memory<[Element; S]>,
    expected: &[[u32; S]],
) -> (Costs, Ranks<S>) {
    let mut machine = on(expected.len(), params);
    let found = rank(&mut machine, "rank", lists.clone()).unwrap();
    assert_eq!(found.ranks.states(), expected);
    (machine.costs(), found)
}

/// Ranks lists under some delays and in steps: messages, energy and rounds are the same.
fn compare<const S: usize>(params: MachineParams, n: usize, longest: u64, seed: u64) {
    // As many words as a processor needs for its elements and the messages that come at once.
    let most = 3 * S + 1;
    let words = S * ELEMENT_WORDS + SEED_WORDS + most * RANKING_MESSAGE_WORDS;
    let (lists, expected) = lists::<S>(n, longest, &mut Random(seed));
    for given in [Given::NOTHING, Given::ALL] {
        let params = MachineParams { words: Some(words), given, ..params };
        let (costs, ranks) = measure(params, &lists, &expected);
        let steps = MachineParams { delivery: Delivery::Step, ..params };
        let (in_steps, same) = measure(steps, &lists, &expected);
        assert_eq!(ranks, same);
        assert_eq!((costs.energy, costs.messages), (in_steps.energy, in_steps.messages));
        // Elements of one processor share its clock, and so do an element and the seed.
        let own_clock = S == 1 && given == Given::ALL;
        assert!(costs.depth >= in_steps.depth);
        assert!(!own_clock || costs.depth == in_steps.depth, "{costs:?} {in_steps:?}");
    }
}

#[test]
fn ranks_and_costs_are_the_same_whatever_the_delays() {
    every_delivery(1200, |params| {
        // Kinds of delays take turns: everything else is drawn, so that all of them meet.
        let (seed, mut random) = (params.seed, Random(params.seed));
        let n = 1 + random.below(64) as usize;
        let longest = [1000, 1000, 2, 10][random.below(4) as usize];
        match random.below(3) {
            0 => compare::<1>(params, n, longest, seed),
            1 => compare::<2>(params, n, longest, seed),
            _ => compare::<3>(params, n.div_ceil(2), longest, seed),
        }
    });
}

/// Delays with which an order of messages shows soon.
#[test]
fn long_lists_are_ranked_whatever_the_delays() {
    for (delays, seed) in ["random:5+1-2/hop", "random:1-20", "random:1+1-5/hop"]
        .into_iter()
        .flat_map(|delays| (0..20).map(move |seed| (delays, seed)))
    {
        let delivery = delays.parse::<Delivery>().unwrap().with_seed(seed);
        let params = MachineParams { delivery, seed, links: false, ..MachineParams::default() };
        compare::<1>(params, 256, 1000, seed);
        compare::<2>(params, 128, 1000, seed);
    }
}

/// Processors come from another program at times that differ: those that come late do not find
/// messages piled up.
#[test]
fn nothing_piles_up_before_those_that_come_late() {
    every_delivery(150, |params| {
        let mut random = Random(params.seed);
        let (lists, expected) = lists::<1>(60, 1000, &mut random);
        let words = ELEMENT_WORDS + SEED_WORDS + 4 * RANKING_MESSAGE_WORDS;
        let mut machine = on(60, MachineParams { words: Some(words), ..params });
        stagger(&mut machine, &mut random);
        let found = rank(&mut machine, "rank", lists).unwrap();
        assert_eq!(found.ranks.states(), expected);
    });
}
