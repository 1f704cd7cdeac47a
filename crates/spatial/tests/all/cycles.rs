//! The estimate of cycles is at least every bound that is known from below.

use palmette_core::generate::{Shape, generate};
use palmette_core::operator::Sum;
use palmette_core::tree::SiblingOrder;
use palmette_core::{Tree, TreeParams};
use palmette_spatial::Cell;
use palmette_spatial::curve::{Curve, CurveKind};
use palmette_spatial::machine::{Machine, MachineParams, Memory};
use palmette_spatial::program::kin;
use palmette_spatial::program::lca::{Batch, LcaParams, lowest_common_ancestors};
use palmette_spatial::program::treefix::{leaffix, rootfix};
use std::collections::HashMap;

fn light_first(shape: Shape, n: usize, seed: u64) -> Tree {
    let params = TreeParams { siblings: SiblingOrder::LightFirst, ..TreeParams::default() };
    Tree::with_params(&generate(shape, n, seed).unwrap(), params).unwrap()
}

fn machine(curve: &Curve, n: usize, seed: u64) -> Machine {
    let params = MachineParams { seed, trace: true, ..MachineParams::default() };
    Machine::on_curve(curve, n, params).unwrap()
}

/// What no run can do without, from the messages one by one: words that a processor sends, or
/// receives; words over a link, when ways go along the row first.
fn bounds_of_messages(machine: &Machine, curve: &Curve) -> [u64; 3] {
    let n = machine.processors();
    let (mut sent, mut received) = (vec![0u64; n], vec![0u64; n]);
    let mut links: HashMap<(Cell, Cell), u64> = HashMap::new();
    for message in &machine.trace().unwrap().sent {
        sent[message.from as usize] += u64::from(message.words);
        received[message.to as usize] += u64::from(message.words);
        let [mut at, to] = [message.from, message.to].map(|p| curve.cell(p.into()));
        while at != to {
            let step = |a: u32, b: u32| if a < b { a + 1 } else { a - 1 };
            let next = match at.x == to.x {
                false => Cell { x: step(at.x, to.x), ..at },
                true => Cell { y: step(at.y, to.y), ..at },
            };
            // A message has a word at least; links are counted in messages.
            *links.entry((at, next)).or_default() += 1;
            at = next;
        }
    }
    let most = |counts: &[u64]| counts.iter().copied().max().unwrap_or(0);
    [most(&sent), most(&received), links.into_values().max().unwrap_or(0)]
}

fn check(machine: &Machine, curve: &Curve, what: &str) {
    let (costs, cycles) = (machine.costs(), machine.cycles_estimate().unwrap().cycles());
    let known = bounds_of_messages(machine, curve);
    let chain = [costs.distance, u64::from(costs.longest), u64::from(costs.depth)];
    for bound in known.into_iter().chain(chain) {
        assert!(cycles >= bound as f64, "{what}: {cycles} cycles, {known:?} {costs:?}");
    }
    // A chain takes a cycle per hop, and five per message between processor and router.
    let along = costs.distance + 5 * u64::from(costs.depth);
    assert!(cycles >= along as f64, "{what}: {cycles} cycles, {along} along chains");
}

#[test]
fn no_bound_from_below_is_passed() {
    for (shape, n) in Shape::FREE.into_iter().flat_map(|s| [1, 2, 60, 1024].map(|n| (s, n))) {
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
            rootfix(&mut found, "down", sum, &family, ones).unwrap();
            check(&found, &curve, &format!("rootfix on {what}"));
            let pair = |i: u32| (i, (i * 7 + 3) % n as u32);
            let pairs: Vec<_> = (0..n as u32).map(pair).collect();
            let batch = Batch::new(&tree, &pairs, MachineParams::default().given).unwrap();
            let curve = kind.fitting(batch.tree().len() as u64).unwrap();
            let mut found = machine(&curve, batch.tree().len(), seed);
            let family = kin(&mut found, batch.tree()).unwrap();
            lowest_common_ancestors(&mut found, &family, &batch, LcaParams::default()).unwrap();
            check(&found, &curve, &format!("ancestors in {what}"));
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
