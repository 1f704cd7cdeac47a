//! Routers against a simulation that looks at every link in every cycle, and replays against
//! bounds that hold for any network.

use super::*;
use crate::curve::CurveKind;
use crate::machine::{
    Delivery, Machine, MachineError, MachineParams, Memory, Processor, Program, Sent, Trace,
};
use crate::{Cell, Grid};
use palmette_core::random::mixed;
use std::collections::{BTreeMap, VecDeque};

#[derive(Clone, Copy)]
struct Letter {
    time: u64,
    from: Cell,
    to: Cell,
    words: u32,
}

/// Where a message goes next, and how it is called there.
fn next(at: Cell, to: Cell) -> Option<(Cell, Way)> {
    Some(match (at.x.cmp(&to.x), at.y.cmp(&to.y)) {
        (std::cmp::Ordering::Less, _) => (Cell { x: at.x + 1, ..at }, Way::Right),
        (std::cmp::Ordering::Greater, _) => (Cell { x: at.x - 1, ..at }, Way::Left),
        (_, std::cmp::Ordering::Less) => (Cell { y: at.y + 1, ..at }, Way::Down),
        (_, std::cmp::Ordering::Greater) => (Cell { y: at.y - 1, ..at }, Way::Up),
        _ => return None,
    })
}

/// Cycle by cycle: queues are lists, a link that is free takes the first message of its list.
fn slowly(letters: &[Letter], params: NetworkParams) -> Vec<u64> {
    type Key = (u32, u32, Way);
    let mut queues: BTreeMap<Key, (VecDeque<usize>, u64)> = BTreeMap::new();
    // By time and message: the cell where it comes to a queue, and which one.
    let mut comes: BTreeMap<(u64, usize), (Cell, Way)> =
        letters.iter().enumerate().map(|(i, l)| ((l.time, i), (l.from, Way::In))).collect();
    let mut arrived = vec![0; letters.len()];
    let (mut time, mut left) = (0, letters.len());
    while left > 0 {
        while let Some((&(when, i), &(cell, way))) = comes.first_key_value() {
            if when > time {
                break;
            }
            comes.pop_first();
            queues.entry((cell.y, cell.x, way)).or_default().0.push_back(i);
        }
        for (&(y, x, way), (queue, busy_until)) in &mut queues {
            let Some(&i) = queue.front().filter(|_| *busy_until <= time) else { continue };
            queue.pop_front();
            let Letter { to, words, .. } = letters[i];
            let busy = u64::from(words.div_ceil(params.capacity));
            *busy_until = time + busy;
            let here = Cell { x, y };
            let (latency, there) = match way {
                Way::In => (params.ramp, Some(here)),
                Way::Out => (params.ramp, None),
                _ => (params.hop, next(here, to).map(|(cell, _)| cell)),
            };
            let then = time + u64::from(latency);
            match there {
                Some(cell) => {
                    let way = next(cell, to).map_or(Way::Out, |(_, way)| way);
                    comes.insert((then, i), (cell, way));
                }
                None => {
                    arrived[i] = then + busy - 1;
                    left -= 1;
                }
            }
        }
        time += 1;
    }
    arrived
}

fn random_letters(count: u64, grid: Grid, span: u64, most_words: u64, seed: u64) -> Vec<Letter> {
    let draw = |i: u64, k: u64| mixed(mixed(seed) ^ mixed(8 * i + k));
    let cell = |i: u64, k: u64| Cell {
        x: (draw(i, k) % u64::from(grid.width)) as u32,
        y: (draw(i, k + 1) % u64::from(grid.height)) as u32,
    };
    let letter = |i: u64| Letter {
        time: draw(i, 4) % span,
        from: cell(i, 0),
        to: cell(i, 2),
        words: 1 + (draw(i, 5) % most_words) as u32,
    };
    (0..count).map(letter).collect()
}

#[test]
fn routers_do_what_a_look_at_every_link_shows() {
    let default = NetworkParams::default();
    let all = [
        default,
        NetworkParams { hop: 3, ..default },
        NetworkParams { ramp: 1, compute: 0, ..default },
        NetworkParams { ramp: 7, capacity: 3, ..default },
    ];
    for (seed, params) in (0..40).flat_map(|seed| all.map(|params| (seed, params))) {
        let grid = Grid { width: 1 + seed as u32 % 6, height: 1 + seed as u32 % 5 };
        let letters = random_letters(150, grid, 1 + 10 * (seed % 7), 1 + seed % 9, seed);
        let expected = slowly(&letters, params);
        let mut network = Network::new(grid, params).unwrap();
        for (i, letter) in letters.iter().enumerate() {
            network.inject(letter.time, letter.from, letter.to, letter.words, i as u32);
        }
        let mut arrivals = Vec::new();
        while network.step(&mut arrivals).is_some() {}
        let mut found = vec![0; letters.len()];
        for arrival in &arrivals {
            let letter = &letters[arrival.number as usize];
            found[arrival.number as usize] = arrival.time;
            let alone = 2 * u64::from(params.ramp)
                + u64::from(params.hop) * letter.from.distance(letter.to)
                + u64::from(letter.words.div_ceil(params.capacity))
                - 1;
            let waited = arrival.waited + arrival.waited_at_ramps;
            assert_eq!(arrival.time, letter.time + alone + waited);
        }
        assert_eq!(found, expected, "seed {seed}, {params:?}, {grid}");
        assert!(arrivals.is_sorted_by_key(|a| (a.time, a.number)));
        let hops: u64 = letters.iter().map(|l| l.from.distance(l.to)).sum();
        assert_eq!(network.hops(), hops);
        let words: u64 = letters.iter().map(|l| u64::from(l.words) * l.from.distance(l.to)).sum();
        let carried = network.carried().filter(|link| link.1.is_hop());
        assert_eq!(carried.map(|link| link.2).sum::<u64>(), words);
    }
}

#[test]
fn messages_may_be_injected_while_others_travel() {
    let grid = Grid { width: 5, height: 4 };
    let letters = random_letters(200, grid, 300, 4, 7);
    let mut order: Vec<usize> = (0..letters.len()).collect();
    order.sort_by_key(|&i| letters[i].time);
    let mut network = Network::new(grid, NetworkParams::default()).unwrap();
    let (mut arrivals, mut next) = (Vec::new(), 0);
    loop {
        // Everything up to the cycle that comes next, and no more.
        let until = network.next_time().unwrap_or(u64::MAX);
        while next < order.len() && letters[order[next]].time <= until {
            let i = order[next];
            let Letter { time, from, to, words } = letters[i];
            network.inject(time, from, to, words, i as u32);
            next += 1;
            if until == u64::MAX {
                break;
            }
        }
        if network.step(&mut arrivals).is_none() {
            break;
        }
    }
    let mut found = vec![0; letters.len()];
    arrivals.iter().for_each(|a| found[a.number as usize] = a.time);
    assert_eq!(found, slowly(&letters, NetworkParams::default()));
}

/// Every processor but the first sends words one by one to the one before; who receives a word
/// sends it on.
struct Chain;
impl Program for Chain {
    type Constants = u32;
    type State = u32;
    type Message = u32;
    fn start(_: &mut u32, processor: &mut Processor<'_, Self>) {
        if processor.me() + 1 == processor.count() && processor.me() > 0 {
            for word in 0..*processor.constants() {
                processor.send(processor.me() - 1, word);
            }
        }
    }
    fn receive(sum: &mut u32, word: u32, processor: &mut Processor<'_, Self>) {
        *sum += word;
        if processor.me() > 0 {
            processor.send(processor.me() - 1, word);
        }
    }
}

#[test]
fn words_are_passed_on_as_they_arrive() {
    let curve = CurveKind::Hilbert.fitting(16).unwrap();
    let params =
        MachineParams { replay: ReplayWhen::Always, words: Some(2000), ..Default::default() };
    let mut machine = Machine::on_curve(&curve, 16, params).unwrap();
    machine.run::<Chain>("chain", 100, Memory::new(16, |_| 0)).unwrap();
    let found = machine.replay().unwrap();
    // Each of 15 messages takes five cycles and a hop, and 99 words follow the first.
    assert_eq!(found.cycles, 15 * 6 + 99);
    assert_eq!((found.busiest_link.unwrap().words, found.busiest_ramp), (100, 100));
    // A second program begins at each processor when it is done with the first.
    machine.run::<Chain>("chain", 100, Memory::new(16, |_| 0)).unwrap();
    let again = machine.replay().unwrap();
    // The last processor is free at once: its words follow those of the first program.
    assert_eq!(again.cycles, 15 * 6 + 199);
    assert_eq!(again.phases[0].messages, 2 * 15 * 100);
}

/// A processor enters a program when it has left the one before: two chains in opposite
/// directions overlap nowhere.
struct Back;
impl Program for Back {
    type Constants = ();
    type State = u32;
    type Message = u32;
    fn start(_: &mut u32, processor: &mut Processor<'_, Self>) {
        if processor.me() == 0 {
            processor.send(1, 0);
        }
    }
    fn receive(_: &mut u32, word: u32, processor: &mut Processor<'_, Self>) {
        if processor.me() + 1 < processor.count() {
            processor.send(processor.me() + 1, word);
        }
    }
}

#[test]
fn programs_wait_for_each_other_processor_by_processor() {
    let curve = CurveKind::Hilbert.fitting(16).unwrap();
    let params = MachineParams { replay: ReplayWhen::Always, ..Default::default() };
    let mut machine = Machine::on_curve(&curve, 16, params).unwrap();
    machine.run::<Chain>("there", 1, Memory::new(16, |_| 0)).unwrap();
    machine.run::<Back>("back", (), Memory::new(16, |_| 0)).unwrap();
    let found = machine.replay().unwrap();
    assert_eq!(found.cycles, 2 * 15 * 6);
    let phases: Vec<_> = found.phases.iter().map(|p| (p.name.as_str(), p.begins, p.ends)).collect();
    assert_eq!(phases, [("there", 1, 90), ("back", 91, 180)]);
}

#[test]
fn queues_are_counted_in_frames() {
    let sent = |from| Sent { step: 0, from, to: 0, phase: 0, words: 10, heard: 0 };
    let trace = Trace {
        processors: 3,
        phases: vec!["star".to_string()],
        sent: vec![sent(1), sent(2)],
        ..Trace::default()
    };
    let cells: Vec<Cell> = (0..3).map(|x| Cell { x: x + 5, y: 9 }).collect();
    let params = NetworkParams::default();
    let (found, queues) = replay_queues(&trace, &cells, params, 6).unwrap();
    assert_eq!(Ok(&found), replay(&trace, &cells, params).as_ref());
    // The farther message comes a cycle later to a link that is busy for ten.
    assert_eq!((found.cycles, found.waited()), (1 + 2 + 1 + 2 + 19, 9));
    assert_eq!((queues.corner, queues.size), (cells[0], Grid { width: 3, height: 1 }));
    assert_eq!((queues.cycles_per_frame, queues.frames.len()), (5, 6));
    let sum = |pick: fn(&QueueFrame) -> &Vec<u64>| queues.frames.iter().flat_map(pick).sum::<u64>();
    // Two words of ten: one link, two links, four ramps.
    assert_eq!((sum(|f| &f.busy), sum(|f| &f.waiting)), (10 * (3 + 4), 9));
    let waits = queues.frames.iter().flat_map(|f| f.links.iter().zip(&f.waiting));
    assert!(waits.filter(|w| *w.1 > 0).all(|w| *w.0 == (1, Way::Left)));
    let frames = |frames| replay_queues(&trace, &cells, params, frames).unwrap().1;
    assert_eq!(frames(26).cycles_per_frame, 1);
    assert_eq!(frames(26).merged(100).frames, frames(1).frames);
    assert_eq!(frames(26).merged(13), frames(2));
    assert_eq!((queues.merged(4).frames.len(), queues.merged(4).cycles_per_frame), (2, 20));
}

#[test]
fn what_cannot_be_replayed_is_refused() {
    let errors = [
        NetworkParams::new(-1, 2, 1, 1).unwrap_err(),
        NetworkParams::new(0, 2, 1, 1).unwrap_err(),
        NetworkParams::new(1, -2, 1, 1).unwrap_err(),
        NetworkParams::new(1, 2, 1, 0).unwrap_err(),
        NetworkParams::new(1, 2, 1 << 40, 1).unwrap_err(),
    ];
    assert_eq!(
        errors.map(|error| error.to_string()),
        [
            "hop latency: expected a whole number from 1 to 1000000, found -1",
            "hop latency: expected a whole number from 1 to 1000000, found 0",
            "ramp latency: expected a whole number from 1 to 1000000, found -2",
            "link capacity: expected a whole number from 1 to 1000000, found 0",
            "compute latency: expected a whole number from 0 to 1000000, found 1099511627776",
        ]
    );
    let cells = [Cell { x: 0, y: 0 }, Cell { x: 1, y: 0 }];
    let params = NetworkParams::default();
    let trace = |sent: Vec<Sent>| Trace { processors: 2, sent, ..Trace::default() };
    let message = Sent { step: 0, from: 0, to: 1, phase: 0, words: 1, heard: 0 };
    let found = replay(&trace(vec![Sent { to: 2, ..message }]), &cells, params);
    let (message_2, processor) = (0, 2);
    let expected = NetworkError::NoProcessor { message: message_2, processor, processors: 2 };
    assert_eq!(found, Err(expected));
    // Each waits for the other.
    let ring = vec![Sent { heard: 1, ..message }, Sent { from: 1, to: 0, heard: 1, ..message }];
    let found = replay(&trace(ring), &cells, params);
    assert_eq!(found, Err(NetworkError::NeverSent { message: 0, processor: 0 }));
    let far = [Cell { x: 0, y: 0 }, Cell { x: 60_000, y: 60_000 }];
    let found = replay(&trace(vec![message]), &far, params);
    assert!(matches!(found, Err(NetworkError::TooSparse { .. })), "{found:?}");
    let found = replay(&trace(vec![message]), &cells, NetworkParams { capacity: 0, ..params });
    assert!(matches!(found, Err(NetworkError::Parameter { .. })), "{found:?}");
    assert_eq!(replay(&trace(Vec::new()), &cells, params).unwrap().cycles, 0);
}

/// Every processor tells three others, who tell one more.
struct Gossip;
impl Program for Gossip {
    type Constants = ();
    type State = u32;
    type Message = (u32, u32);
    fn start(_: &mut u32, processor: &mut Processor<'_, Self>) {
        let (me, n) = (processor.me(), processor.count());
        (1..4).for_each(|k| processor.send((me * 7 + k * k * 13) % n, (me, k)));
    }
    fn receive(count: &mut u32, (from, k): (u32, u32), processor: &mut Processor<'_, Self>) {
        *count += 1;
        if k > 1 {
            processor.send((from + *count * 5) % processor.count(), (from, k - 1));
        }
    }
}

#[test]
fn a_run_through_routers_takes_as_long_as_its_replay() {
    for network in [
        NetworkParams::default(),
        NetworkParams { hop: 2, ramp: 1, compute: 0, capacity: 2 },
        NetworkParams { compute: 9, ..NetworkParams::default() },
    ] {
        let curve = CurveKind::Hilbert.fitting(200).unwrap();
        let (delivery, replay) = (Delivery::Network, ReplayWhen::Always);
        let params = MachineParams { delivery, replay, network, ..Default::default() };
        let mut machine = Machine::on_curve(&curve, 200, params).unwrap();
        machine.run::<Gossip>("gossip", (), Memory::new(200, |_| 0)).unwrap();
        let found = machine.replay().unwrap();
        assert_eq!(found.cycles, machine.time());
        assert!(found.waited() + found.waited_at_ramps() > 0);
    }
}

#[test]
fn runs_under_any_delays_can_be_replayed() {
    crate::testing::every_delivery(60, |params| {
        let curve = CurveKind::Hilbert.fitting(50).unwrap();
        let params = MachineParams { replay: ReplayWhen::Always, ..params };
        let mut machine = Machine::on_curve(&curve, 50, params).unwrap();
        for _ in 0..2 {
            machine.run::<Gossip>("gossip", (), Memory::new(50, |_| 0)).unwrap();
        }
        let (found, costs) = (machine.replay().unwrap(), machine.costs());
        assert_eq!((found.hops, found.phases[0].messages), (costs.energy, costs.messages));
        assert!(found.cycles >= costs.distance + 5 && found.cycles >= 5 * u64::from(costs.depth));
        let mut goal = Vec::new();
        machine.trace().unwrap().write_goal(&mut goal).unwrap();
        let sends = String::from_utf8(goal).unwrap().matches(" send 8b ").count() as u64;
        assert_eq!(sends, costs.messages);
    });
}

#[test]
fn machines_refuse_routers_that_cannot_be() {
    let curve = CurveKind::Hilbert.fitting(4).unwrap();
    let network = NetworkParams { capacity: 0, ..NetworkParams::default() };
    let params = MachineParams { network, ..MachineParams::default() };
    let error = Machine::on_curve(&curve, 4, params).unwrap_err().to_string();
    assert_eq!(error, "link capacity: expected a whole number from 1 to 1000000, found 0");
    let grid = Grid { width: 1 << 16, height: 1 << 16 };
    let far = [Cell { x: 0, y: 0 }, Cell { x: 65_535, y: 65_535 }];
    for params in [
        MachineParams { replay: ReplayWhen::Always, ..MachineParams::default() },
        MachineParams { delivery: Delivery::Network, ..MachineParams::default() },
    ] {
        let error = Machine::new(grid, &far, params).unwrap_err();
        assert!(matches!(error, MachineError::Network(NetworkError::TooSparse { .. })));
    }
    let params = MachineParams { replay: ReplayWhen::Auto, ..MachineParams::default() };
    assert_eq!(Machine::new(grid, &far, params).unwrap().replay(), None);
}
