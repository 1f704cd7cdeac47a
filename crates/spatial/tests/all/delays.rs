//! What delays do to costs: nothing, where a program waits for a known number of messages before it
//! sends; a bounded amount where who meets whom is decided by what arrives first.
//!
//! Costs are those of the graph of messages, and a graph that does not depend on the order of
//! arrival has the same energy, messages, depth and distance under all delays. The table in
//! docs/theorems.md is printed by
//!
//! ```sh
//! cargo test --release -p palmette-spatial --test all delays -- --ignored --nocapture
//! ```

use palmette_core::generate::{Shape, generate, shuffle};
use palmette_core::operator::Sum;
use palmette_core::random::mixed;
use palmette_core::tree::SiblingOrder;
use palmette_core::{Tree, TreeParams};
use palmette_spatial::collective::{
    Network, Pram, Range, ScanKind, all_reduce, announce, barrier, broadcast, permute, reduce,
    scan, sort,
};
use palmette_spatial::curve::CurveKind;
use palmette_spatial::local;
use palmette_spatial::machine::{Delivery, Given, Machine, MachineParams, Memory};
use palmette_spatial::program::creation::{create, creation_words};
use palmette_spatial::program::lca::{Batch, LcaParams, lowest_common_ancestors};
use palmette_spatial::program::list_ranking::Element;
use palmette_spatial::program::pram::{leaffix_by_pram, leaffix_by_tour};
use palmette_spatial::program::tour::{euler_tour, links_of};
use palmette_spatial::program::{Kin, Method, kin};
use palmette_spatial::testing::deliveries;

const SHAPES: [Shape; 6] = [
    Shape::Path,
    Shape::Caterpillar,
    Shape::Random,
    Shape::Star,
    Shape::FullBinary,
    Shape::DoubleBroom,
];

/// What a run is made of; the virtual tree is found on another machine, in steps.
struct Input {
    tree: Tree,
    kin: Memory<Kin>,
    params: MachineParams,
}

impl Input {
    fn new(shape: Shape, n: usize, params: MachineParams) -> Input {
        let siblings = SiblingOrder::LightFirst;
        let parents = generate(shape, n, params.seed).unwrap();
        let tree = Tree::with_params(&parents, TreeParams { siblings, forest: false }).unwrap();
        let steps = MachineParams { delivery: Delivery::Step, ..params };
        let kin = kin(&mut on(n, steps), &tree).unwrap();
        Input { tree, kin, params }
    }

    fn machine(&self) -> Machine {
        on(self.tree.len(), self.params)
    }

    fn range(&self) -> Range {
        Range::new(0, self.tree.len() as u32)
    }

    fn ones(&self) -> Memory<u64> {
        Memory::new(self.tree.len(), |_| 1)
    }

    fn shuffled(&self) -> Tree {
        let parents = shuffle(self.tree.parents(), self.params.seed);
        Tree::from_parents(&parents).unwrap()
    }

    fn list(&self) -> Memory<[Element; 1]> {
        let order: Vec<u32> = self.shuffled().vertices().to_vec();
        let mut elements = vec![[Element::ALONE]; order.len()];
        for pair in order.windows(2) {
            elements[pair[0] as usize][0].successor = pair[1];
            elements[pair[1] as usize][0].predecessor = pair[0];
        }
        elements.into()
    }

    fn ancestors(&self, barriers: bool) -> Machine {
        let n = self.tree.len() as u64;
        let place = |i: u64| (mixed(i + 1) % n) as u32;
        let pairs: Vec<_> = (0..n).map(|i| (place(2 * i), place(2 * i + 1))).collect();
        let batch = Batch::new(&self.tree, &pairs, self.params.given).unwrap();
        let steps = MachineParams { delivery: Delivery::Step, ..self.params };
        let family = kin(&mut on(batch.tree().len(), steps), batch.tree()).unwrap();
        let mut machine = on(batch.tree().len(), self.params);
        let params = LcaParams { barriers };
        lowest_common_ancestors(&mut machine, &family, &batch, params).unwrap();
        machine
    }
}

fn on(n: usize, params: MachineParams) -> Machine {
    let words = creation_words(n).max(LcaParams { barriers: false }.words(n));
    let curve = CurveKind::Hilbert.fitting(n as u64).unwrap();
    Machine::on_curve(&curve, n, params.stating(words)).unwrap()
}

/// One step of a program on its own machine.
macro_rules! run {
    (|$input:ident, $machine:ident| $run:expr) => {
        |$input: &Input| {
            let mut $machine = $input.machine();
            $run.unwrap();
            $machine
        }
    };
}

type Case = (&'static str, fn(&Input) -> Machine);

/// Programs whose graph of messages does not depend on the order of arrival.
const FIXED: [Case; 19] = [
    ("broadcast", run!(|i, m| broadcast(&mut m, "", i.range(), i.ones()))),
    ("reduce", run!(|i, m| reduce(&mut m, "", Sum::<u64>::new(), i.range(), i.ones()))),
    ("all-reduce", run!(|i, m| all_reduce(&mut m, "", Sum::<u64>::new(), i.range(), i.ones()))),
    ("barrier", run!(|i, m| barrier(&mut m, "", i.range()))),
    (
        "scan",
        run!(|i, m| {
            scan(&mut m, "", Sum::<u64>::new(), ScanKind::Exclusive, i.range(), i.ones())
        }),
    ),
    (
        "sort",
        run!(|i, m| {
            let items = Memory::new(i.tree.len(), |p| (mixed(p.into()) as u32, ()));
            sort(&mut m, "", Network::OddEven, i.range(), items)
        }),
    ),
    (
        "permutation",
        run!(|i, m| {
            let tree = i.shuffled();
            let to = Memory::from(tree.positions().to_vec()).map(|_, to| Some(to));
            permute(&mut m, "", to, i.ones())
        }),
    ),
    (
        "PRAM: concurrent read",
        run!(|i, m| {
            let pram = Pram { processors: i.range(), network: Network::OddEven };
            let n = i.tree.len() as u64;
            let wanted = Memory::new(i.tree.len(), |p| Some((mixed(p.into()) % n) as u32));
            pram.read(&mut m, "", wanted, i.ones())
        }),
    ),
    (
        "announcement",
        run!(|i, m| {
            let range = i.range();
            announce(&mut m, "", Memory::new(i.tree.len(), |p| (p == 0).then_some((range, p))))
        }),
    ),
    (
        "messages to children",
        run!(|i, m| {
            let links = i.kin.clone().map(|_, kin| kin.links);
            local::broadcast(&mut m, "", &links, i.ones())
        }),
    ),
    (
        "sums of children",
        run!(|i, m| {
            let links = i.kin.clone().map(|_, kin| kin.links);
            local::reduce(&mut m, "", Sum::<u64>::new(), &links, i.ones())
        }),
    ),
    ("list ranking", run!(|i, m| Method::Ours.rank(&mut m, "", i.list()))),
    ("list ranking, published", run!(|i, m| Method::Published.rank(&mut m, "", i.list()))),
    (
        "leaffix, published",
        run!(|i, m| { Method::Published.leaffix(&mut m, "", Sum::<u64>::new(), &i.kin, i.ones()) }),
    ),
    (
        "rootfix, published",
        run!(|i, m| { Method::Published.rootfix(&mut m, "", Sum::<u64>::new(), &i.kin, i.ones()) }),
    ),
    ("Euler tour", run!(|i, m| euler_tour(&mut m, "", &links_of(&i.shuffled()).unwrap()))),
    ("layout creation", run!(|i, m| create(&mut m, &links_of(&i.shuffled()).unwrap()))),
    (
        "sums by pointer jumping",
        run!(|i, m| {
            let links = links_of(&i.shuffled()).unwrap();
            leaffix_by_pram(&mut m, Sum::<u64>::new(), &links, i.ones())
        }),
    ),
    (
        "sums by ranking the tour",
        run!(|i, m| {
            let links = links_of(&i.shuffled()).unwrap();
            leaffix_by_tour(&mut m, &links, Memory::new(i.tree.len(), |_| 1))
        }),
    ),
];

/// Programs whose graph does.
const RACING: [Case; 5] = [
    ("virtual tree", run!(|i, m| local::construct(&mut m, &local::families(&i.tree)))),
    (
        "leaffix",
        run!(|i, m| { Method::Ours.leaffix(&mut m, "", Sum::<u64>::new(), &i.kin, i.ones()) }),
    ),
    (
        "rootfix",
        run!(|i, m| { Method::Ours.rootfix(&mut m, "", Sum::<u64>::new(), &i.kin, i.ones()) }),
    ),
    ("lowest common ancestors", |i| i.ancestors(true)),
    ("the same without barriers", |i| i.ancestors(false)),
];

/// Energy, messages, depth, distance.
fn figures(machine: &Machine) -> [u64; 4] {
    let costs = machine.costs();
    [costs.energy, costs.messages, costs.depth.into(), costs.distance]
}

/// The least and the most of every figure over that in steps, over shapes, gifts, delays and seeds.
fn spread((_, run): Case, n: usize, patterns: u64, seeds: u64) -> [[f64; 2]; 4] {
    let mut found = [[1.0f64; 2]; 4];
    for seed in 1..=seeds {
        for (shape, given) in
            SHAPES.into_iter().flat_map(|s| [(s, Given::NOTHING), (s, Given::ALL)])
        {
            let base = MachineParams { seed, given, links: false, ..MachineParams::default() };
            let mut input = Input::new(shape, n, base);
            let steps = figures(&run(&input));
            for delivery in deliveries(patterns) {
                input.params = MachineParams { delivery, ..base };
                let costs = figures(&run(&input));
                for (of, (cost, step)) in found.iter_mut().zip(costs.into_iter().zip(steps)) {
                    let ratio = if step == 0 { 1.0 } else { cost as f64 / step as f64 };
                    *of = [of[0].min(ratio), of[1].max(ratio)];
                }
            }
        }
    }
    found
}

/// The order of arrival decides nothing but what a processor has handled before it sends: chains
/// through messages that it did not wait for are longer, up to this many times.
const LONGER: f64 = 1.9;

#[test]
fn what_is_sent_does_not_depend_on_delays() {
    for case in FIXED {
        let [energy, messages, depth, distance] = spread(case, 64, 12, 1);
        assert_eq!((energy, messages), ([1.0; 2], [1.0; 2]), "{}", case.0);
        // Steps handle messages in the order of clocks, which makes chains shortest.
        assert!(depth[0] == 1.0 && depth[1] <= LONGER, "{}: depth {depth:.2?}", case.0);
        assert!(distance[1] <= LONGER, "{}: distance {distance:.2?}", case.0);
    }
}

/// Where it does, by how much at most: docs/theorems.md.
#[test]
fn races_cost_a_bounded_amount() {
    for case in RACING {
        let [energy, messages, depth, _] = spread(case, 64, 12, 1);
        let within = energy[1] <= 1.9 && messages[1] <= 1.6 && depth[1] <= 3.1;
        assert!(within, "{}: {energy:.2?} {messages:.2?} {depth:.2?}", case.0);
    }
}

#[test]
#[ignore = "a study of a minute, which prints a table"]
fn study_of_delays() {
    println!("| program | energy | messages | depth | distance |\n|---|---|---|---|---|");
    for case in FIXED.into_iter().chain(RACING) {
        let cell = |[least, most]: [f64; 2]| match least == 1.0 && most == 1.0 {
            true => "the same".to_string(),
            false => format!("{least:.2} to {most:.2}"),
        };
        println!("| {} | {} |", case.0, spread(case, 64, 36, 30).map(cell).join(" | "));
    }
}
