//! How fast the messages of a run are replayed through routers, on one core: in time of the
//! processor where the system tells it, which does not count other programs.

use crate::goals::Goals;
use crate::table::Table;
use crate::timing::{pool, processor_seconds};
use palmette_core::generate::{Shape, generate, shuffle};
use palmette_core::operator::Sum;
use palmette_core::tree::SiblingOrder;
use palmette_core::{Tree, TreeParams};
use palmette_spatial::curve::CurveKind;
use palmette_spatial::machine::network::ReplayWhen;
use palmette_spatial::machine::{Machine, MachineParams, Memory};
use palmette_spatial::program::creation::{create, creation_words};
use palmette_spatial::program::list_ranking::Element;
use palmette_spatial::program::tour::links_of;
use palmette_spatial::program::{Method, kin};
use std::time::Instant;

const HEAD: [&str; 8] = [
    "program",
    "tree",
    "vertices",
    "messages",
    "hops",
    "cycles",
    "processor seconds",
    "million hops per s",
];

/// What a replay should reach on one core, in million hops per second.
const GOAL: f64 = 5.0;

fn machine(n: usize, words: usize) -> Machine {
    let params = MachineParams { replay: ReplayWhen::Always, ..MachineParams::default() };
    let curve = CurveKind::Hilbert.fitting(n as u64).expect("Hilbert has such grids");
    Machine::on_curve(&curve, n, params.stating(words)).expect("the grid is large enough")
}

fn tree(shape: Shape, n: usize, shuffled: bool) -> Tree {
    let parents = generate(shape, n, 1).expect("a tree can be generated");
    let parents = if shuffled { shuffle(&parents, 1) } else { parents };
    let params = TreeParams { siblings: SiblingOrder::LightFirst, ..TreeParams::default() };
    Tree::with_params(&parents, params).expect("generated trees are trees")
}

fn creation(shape: Shape, n: usize) -> Machine {
    let mut machine = machine(n, creation_words(n));
    let links = links_of(&tree(shape, n, true)).expect("it has one root");
    create(&mut machine, &links).expect("it runs");
    machine
}

fn ranking(shape: Shape, n: usize) -> Machine {
    let mut machine = machine(n, Method::Ours.rank_words::<1>());
    let mut elements = vec![[Element::ALONE]; n];
    for pair in tree(shape, n, true).vertices().windows(2) {
        elements[pair[0] as usize][0].successor = pair[1];
        elements[pair[1] as usize][0].predecessor = pair[0];
    }
    Method::Ours.rank(&mut machine, "list", elements.into()).expect("it runs");
    machine
}

fn leaffix(shape: Shape, n: usize) -> Machine {
    let mut machine = machine(n, Method::Ours.leaffix_words::<Sum<u64>>());
    let kin = kin(&mut machine, &tree(shape, n, false)).expect("it has one root");
    let ones = Memory::new(n, |_| 1);
    let found = Method::Ours.leaffix(&mut machine, "up", Sum::<u64>::new(), &kin, ones);
    assert_eq!(found.expect("it runs").values.states()[0], n as u64, "the root counts all");
    machine
}

type Case = (&'static str, fn(Shape, usize) -> Machine, Shape, u32);

const CASES: [Case; 5] = [
    ("layout creation", creation, Shape::Random, 14),
    ("list ranking", ranking, Shape::Path, 16),
    ("leaffix", leaffix, Shape::Random, 16),
    ("leaffix", leaffix, Shape::Path, 16),
    ("leaffix", leaffix, Shape::Star, 16),
];

/// Replays of runs in which links decide, and of runs in which most messages go one hop.
pub fn study(quick: bool) -> String {
    let mut table = Table::new(&HEAD);
    let mut goals = Goals::default();
    let one = pool(1);
    for (name, make, shape, k) in CASES {
        let n = 1usize << if quick { 8 } else { k };
        let machine = make(shape, n);
        let mut found = machine.replay().expect("it is kept");
        let mut best = f64::INFINITY;
        for _ in 0..if quick { 1 } else { 5 } {
            let (clock, spent) = (Instant::now(), processor_seconds());
            found = one.install(|| machine.replay()).expect("it is kept");
            let clock = clock.elapsed().as_secs_f64();
            let seconds = processor_seconds().zip(spent).map_or(clock, |(now, then)| now - then);
            best = best.min(if seconds > 0.0 { seconds } else { clock });
        }
        assert!(found.cycles >= machine.costs().distance, "no chain is shortened");
        let rate = found.hops as f64 / best / 1e6;
        table.row(vec![
            name.to_string(),
            shape.to_string(),
            n.to_string(),
            machine.costs().messages.to_string(),
            found.hops.to_string(),
            found.cycles.to_string(),
            format!("{best:.3}"),
            format!("{rate:.1}"),
        ]);
        let what = format!("replay of {name}, {shape}, million hops per s");
        goals.at_least(&what, GOAL, rate, "");
    }
    format!("{}\n{}", table.markdown(), goals.markdown())
}
