//! The estimate of cycles and the replay are at least every bound that is known from below.

use palmette_core::generate::{Shape, generate, shuffle};
use palmette_core::operator::Sum;
use palmette_core::random::mixed;
use palmette_core::tree::SiblingOrder;
use palmette_core::{Tree, TreeParams};
use palmette_spatial::Cell;
use palmette_spatial::curve::{Curve, CurveKind};
use palmette_spatial::machine::network::ReplayWhen;
use palmette_spatial::machine::{Given, Machine, MachineParams, Memory};
use palmette_spatial::program::creation::{create, creation_words};

use palmette_spatial::program::lca::{Batch, LcaParams, lowest_common_ancestors};
use palmette_spatial::program::list_ranking::Element;
use palmette_spatial::program::tour::links_of;
use palmette_spatial::program::treefix::{leaffix, rootfix};
use palmette_spatial::program::{Method, kin};
use rayon::prelude::*;
use std::collections::HashMap;

fn light_first(shape: Shape, n: usize, seed: u64) -> Tree {
    let params = TreeParams { siblings: SiblingOrder::LightFirst, ..TreeParams::default() };
    Tree::with_params(&generate(shape, n, seed).unwrap(), params).unwrap()
}

fn machine(curve: &Curve, n: usize, seed: u64) -> Machine {
    // The programs that state the most.
    let words = creation_words(n).max(LcaParams::default().words(n));
    let params = MachineParams { seed, replay: ReplayWhen::Always, ..MachineParams::default() };
    Machine::on_curve(curve, n, params.stating(words)).unwrap()
}

/// What no run can do without, from the messages one by one: the words of a processor that
/// sends, or receives, the most; words over the busiest link, when ways go along the row first.
struct Bounds {
    sent: u64,
    received: u64,
    link_words: u64,
}

fn bounds_of_messages(machine: &Machine, curve: &Curve) -> Bounds {
    let n = machine.processors();
    let (mut sent, mut received) = (vec![0u64; n], vec![0u64; n]);
    let mut links: HashMap<(Cell, Cell), u64> = HashMap::new();
    for message in &machine.trace().unwrap().sent {
        let words = u64::from(message.words);
        sent[message.from as usize] += words;
        received[message.to as usize] += words;
        let [mut at, to] = [message.from, message.to].map(|p| curve.cell(p.into()));
        while at != to {
            let step = |a: u32, b: u32| if a < b { a + 1 } else { a - 1 };
            let next = match at.x == to.x {
                false => Cell { x: step(at.x, to.x), ..at },
                true => Cell { y: step(at.y, to.y), ..at },
            };
            *links.entry((at, next)).or_default() += words;
            at = next;
        }
    }
    let most = |counts: &[u64]| counts.iter().copied().max().unwrap_or(0);
    Bounds {
        sent: most(&sent),
        received: most(&received),
        link_words: links.values().copied().max().unwrap_or(0),
    }
}

fn check(machine: &Machine, curve: &Curve, what: &str) {
    let (costs, estimate) = (machine.costs(), machine.cycles_estimate().unwrap());
    let cycles = estimate.cycles();
    let Bounds { sent, received, link_words } = bounds_of_messages(machine, curve);
    assert_eq!(
        (estimate.busiest, estimate.busiest_link),
        (sent.max(received), link_words),
        "{what}"
    );
    let chain = [costs.distance, u64::from(costs.longest), u64::from(costs.depth)];
    for bound in [sent, received, link_words].into_iter().chain(chain) {
        assert!(cycles >= bound as f64, "{what}: {cycles} cycles, at least {bound}, {costs:?}");
    }
    // A chain takes a cycle per hop, and five per message between processor and router.
    let along = costs.distance + 5 * u64::from(costs.depth);
    assert!(cycles >= along as f64, "{what}: {cycles} cycles, {along} along chains");
    let replay = machine.replay().unwrap();
    assert_eq!(replay.hops, costs.energy, "{what}");
    assert_eq!(replay.busiest_link.map_or(0, |link| link.words), link_words, "{what}");
    assert_eq!(replay.busiest_ramp, sent.max(received), "{what}");
    if costs.messages == 0 {
        return assert_eq!(replay.cycles, 0, "{what}");
    }
    // The last word over a link, or a ramp, still has to reach a processor, and the first came
    // from one. The chain of the largest distance has a message at least.
    let words = link_words.max(sent).max(received);
    for bound in [costs.distance + 5, 5 * u64::from(costs.depth), words + 4] {
        assert!(replay.cycles >= bound, "{what}: {} cycles < {bound}, {costs:?}", replay.cycles);
    }
    let messages: u64 = replay.phases.iter().map(|phase| phase.messages).sum();
    assert_eq!(messages, costs.messages, "{what}");
}

#[test]
fn no_bound_from_below_is_passed() {
    for (shape, n) in Shape::FREE.into_iter().flat_map(|s| [1, 2, 60, 700].map(|n| (s, n))) {
        for (seed, kind) in [(1, CurveKind::Hilbert), (2, CurveKind::Z), (3, CurveKind::RowMajor)] {
            let tree = light_first(shape, n, seed);
            let curve = kind.fitting(n as u64).unwrap();
            let (sum, ones) = (Sum::<u64>::new(), Memory::new(n, |_| 1));
            let what = format!("{shape} {n} {kind}, seed {seed}");
            let mut found = machine(&curve, n, seed);
            let family = kin(&mut found, &tree).unwrap();
            check(&found, &curve, &format!("the virtual tree of {what}"));
            leaffix(&mut found, "up", sum, &family, ones.clone()).unwrap();
            check(&found, &curve, &format!("leaffix on {what}"));
            let mut found = machine(&curve, n, seed);
            rootfix(&mut found, "down", sum, &family, ones.clone()).unwrap();
            check(&found, &curve, &format!("rootfix on {what}"));
            let mut found = machine(&curve, n, seed);
            Method::Published.leaffix(&mut found, "up", sum, &family, ones).unwrap();
            check(&found, &curve, &format!("leaffix as published on {what}"));
            for method in Method::ALL {
                let mut found = machine(&curve, n, seed);
                method.rank(&mut found, "list", list(shape, n, 1)).unwrap();
                check(&found, &curve, &format!("list ranking, {method}, of {what}"));
            }
            let pair = |i: u32| (i, (i * 7 + 3) % n as u32);
            let pairs: Vec<_> = (0..n as u32).map(pair).collect();
            let batch = Batch::new(&tree, &pairs, MachineParams::default().given).unwrap();
            let curve = kind.fitting(batch.tree().len() as u64).unwrap();
            let mut found = machine(&curve, batch.tree().len(), seed);
            let family = kin(&mut found, batch.tree()).unwrap();
            lowest_common_ancestors(&mut found, &family, &batch, LcaParams::default()).unwrap();
            check(&found, &curve, &format!("ancestors in {what}"));
            let shuffled = shuffle(&generate(shape, n, seed).unwrap(), seed);
            let links = links_of(&Tree::from_parents(&shuffled).unwrap()).unwrap();
            let curve = kind.fitting(n as u64).unwrap();
            let mut found = machine(&curve, n, seed);
            create(&mut found, &links).unwrap();
            check(&found, &curve, &format!("creation of {what}"));
        }
    }
}

/// The case that showed it: the longest way of one message is far shorter than the chain.
#[test]
fn a_perfect_tree_takes_as_long_as_its_chain() {
    let n = 4095;
    let curve = CurveKind::Hilbert.fitting(n as u64).unwrap();
    let mut found = machine(&curve, n, 1);
    let tree = light_first(Shape::Perfect, n, 1);
    let family = kin(&mut found, &tree).unwrap();
    let mut found = machine(&curve, n, 1);
    leaffix(&mut found, "up", Sum::<u64>::new(), &family, Memory::new(n, |_| 1)).unwrap();
    let (costs, estimate) = (found.costs(), found.cycles_estimate().unwrap());
    assert!(u64::from(costs.longest) < costs.distance / 2, "{costs:?}");
    assert_eq!(estimate.chain, costs.distance);
    check(&found, &curve, "leaffix");
}

/// A program, and its machine after a run on a shape of `n` vertices with some seed.
type Case = (&'static str, fn(Shape, usize, u64) -> Machine);

fn along(n: usize, seed: u64) -> Machine {
    machine(&CurveKind::Hilbert.fitting(n as u64).unwrap(), n, seed)
}

fn shuffled(shape: Shape, n: usize, seed: u64) -> Tree {
    Tree::from_parents(&shuffle(&generate(shape, n, seed).unwrap(), seed)).unwrap()
}

/// One list through all vertices of a shuffled tree, in preorder.
fn list(shape: Shape, n: usize, seed: u64) -> Memory<[Element; 1]> {
    let order = shuffled(shape, n, seed).vertices().to_vec();
    let mut elements = vec![[Element::ALONE]; n];
    for pair in order.windows(2) {
        elements[pair[0] as usize][0].successor = pair[1];
        elements[pair[1] as usize][0].predecessor = pair[0];
    }
    elements.into()
}

const CASES: [Case; 5] = [
    ("leaffix", |shape, n, seed| {
        let mut machine = along(n, seed);
        let family = kin(&mut machine, &light_first(shape, n, seed)).unwrap();
        let ones = Memory::new(n, |_| 1);
        leaffix(&mut machine, "up", Sum::<u64>::new(), &family, ones).unwrap();
        machine
    }),
    ("rootfix", |shape, n, seed| {
        let mut machine = along(n, seed);
        let family = kin(&mut machine, &light_first(shape, n, seed)).unwrap();
        let ones = Memory::new(n, |_| 1);
        rootfix(&mut machine, "down", Sum::<u64>::new(), &family, ones).unwrap();
        machine
    }),
    ("ancestors of n pairs", |shape, n, seed| {
        let vertex = |i: u64| (mixed(seed << 32 | i) % n as u64) as u32;
        let pairs: Vec<_> = (0..n as u64).map(|i| (vertex(2 * i), vertex(2 * i + 1))).collect();
        let tree = light_first(shape, n, seed);
        let batch = Batch::new(&tree, &pairs, Given::NOTHING).unwrap();
        let mut machine = along(batch.tree().len(), seed);
        let family = kin(&mut machine, batch.tree()).unwrap();
        lowest_common_ancestors(&mut machine, &family, &batch, LcaParams::default()).unwrap();
        machine
    }),
    ("layout creation", |shape, n, seed| {
        let mut machine = along(n, seed);
        create(&mut machine, &links_of(&shuffled(shape, n, seed)).unwrap()).unwrap();
        machine
    }),
    ("list ranking", |shape, n, seed| {
        let mut machine = along(n, seed);
        Method::Ours.rank(&mut machine, "list", list(shape, n, seed)).unwrap();
        machine
    }),
];

/// Prints, for every program and shape, replayed cycles and their ratio to the estimate, medians and
/// 99th percentiles over thirty seeds: the table in docs/theorems.md.
#[test]
#[ignore = "a study of minutes, which prints a table"]
fn study_of_replays() {
    let n = 1 << 12;
    let names: Vec<&str> = CASES.iter().map(|case| case.0).collect();
    println!("| shape | {} |\n|---|{}", names.join(" | "), "---|".repeat(CASES.len()));
    for shape in Shape::FREE {
        let cell = |(_, run): &Case| {
            let found = (1..=30).into_par_iter().map(|seed| {
                let machine = run(shape, n, seed);
                let cycles = machine.replay().unwrap().cycles as f64;
                [cycles, cycles / machine.cycles_estimate().unwrap().cycles()]
            });
            let found: Vec<[f64; 2]> = found.collect();
            let [[cycles, most], [ratio, largest]] = [0, 1].map(|i| {
                let mut values: Vec<f64> = found.iter().map(|run| run[i]).collect();
                values.sort_by(f64::total_cmp);
                [values[14], values[29]]
            });
            format!("{cycles} / {most}, {ratio:.2} / {largest:.2}")
        };
        let cells: Vec<String> = CASES.iter().map(cell).collect();
        println!("| {shape} | {} |", cells.join(" | "));
    }
}
