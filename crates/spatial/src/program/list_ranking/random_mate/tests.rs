use super::*;
use crate::collective::testing::{Random, machine, stagger};
use crate::curve::CurveKind;
use crate::machine::MachineParams;
use crate::program::list_ranking::tests::lists;
use palmette_core::NONE;

fn check<const S: usize>(n: usize, longest: u64, seed: u64, staggered: bool) {
    let mut random = Random(seed);
    let (lists, expected) = lists::<S>(n, longest, &mut random);
    let curve = CurveKind::Hilbert.fitting(n as u64).unwrap();
    let params = MachineParams { seed, ..MachineParams::default() };
    let mut machine = Machine::on_curve(&curve, n, params).unwrap();
    if staggered {
        stagger(&mut machine, &mut random);
    }
    let heads = lists.states().iter().flatten().filter(|e| e.predecessor == NONE).count();
    let found = rank(&mut machine, "rank", lists).unwrap();
    assert!(found.ranks.states() == expected, "{n} processors, seed {seed}");
    let messages = |phase: &str| machine.ledger().phase(phase).map_or(0, |costs| costs.messages);
    let others = (n * S - heads) as u64;
    assert_eq!(messages("rank: walk") + messages("rank: uncontract"), others);
    // Whoever was jumped over knows when; all others are there in the last round.
    assert!(found.stamps.states().iter().flatten().all(|&stamp| stamp <= found.rounds));
}

#[test]
fn ranks_are_sums_of_gaps_from_the_head() {
    for n in 1..=200 {
        for seed in 0..4 {
            let longest = [2, 10, 1000, 1000][seed as usize];
            check::<1>(n, longest, seed, seed % 2 == 1);
            check::<2>(n, longest, seed, seed % 2 == 1);
        }
    }
    check::<3>(500, 1000, 1, true);
    // Large enough for the parallel paths of the machine.
    check::<1>(20_000, 20_000, 1, true);
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
        let params = MachineParams {
            step_limit: 10 * n as u32 + 99,
            words: Some(1000),
            ..Default::default()
        };
        let mut machine = Machine::on_curve(&curve, n as usize, params).unwrap();
        rank(&mut machine, "rank", lists).unwrap();
    }
    let lists = Memory::new(3, |_| [Element::ALONE]);
    assert!(matches!(rank(&mut machine(4), "rank", lists), Err(MachineError::Processors { .. })));
}

#[test]
fn rounds_leave_log_n_elements_on_average() {
    for (n, expected) in [(1, 3), (2, 3), (16, 5), (256, 13), (1 << 16, 29), (1 << 20, 38)] {
        assert_eq!(rounds(n), expected, "{n}");
        let left = n as f64 * 0.75f64.powi(expected as i32);
        assert!(left <= (n as f64).log2().max(1.0), "{n}: {left}");
    }
}
