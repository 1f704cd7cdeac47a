//! What delays do to costs: nothing. Every program waits for a set of messages that it knows before it
//! sends, so that the graph of messages depends on the input and the seed alone: energy, messages,
//! depth and distance are the same whatever the delays.

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

/// Every program and collective.
const ALL: [Case; 24] = [
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

/// All shapes under all kinds of deliveries, with everything paid for and everything given.
#[test]
fn costs_do_not_depend_on_delays() {
    for (shape, given) in
        Shape::FREE.into_iter().flat_map(|s| [(s, Given::NOTHING), (s, Given::ALL)])
    {
        for (n, patterns, seed) in [(64, 6, 1), (1, 6, 1), (7, 12, 2), (30, 12, 3)] {
            let base = MachineParams { seed, given, links: false, ..MachineParams::default() };
            let mut input = Input::new(shape, n, base);
            for (name, run) in ALL {
                input.params = base;
                let steps = run(&input);
                for delivery in deliveries(patterns) {
                    input.params = MachineParams { delivery, ..base };
                    let found = run(&input);
                    let what = format!("{name}, {shape}, {n} vertices, given {given}, {delivery}");
                    assert_eq!(found.costs(), steps.costs(), "{what}");
                    assert_eq!(found.ledger(), steps.ledger(), "{what}");
                }
            }
        }
    }
}
