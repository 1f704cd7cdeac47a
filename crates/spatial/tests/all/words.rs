//! Programs keep to the words that they state, whatever the shape, the gifts and the delays, and
//! state few more than they use.

use palmette_core::generate::{Shape, generate, shuffle};
use palmette_core::operator::{AffineModulo, Max, Sum};
use palmette_core::random::mixed;
use palmette_core::tree::SiblingOrder;
use palmette_core::{Tree, TreeParams};
use palmette_spatial::collective::{
    BARRIER_WORDS, Network, Pram, Range, ScanKind, align, all_reduce, announce, announce_words,
    broadcast, broadcast_words, permute, permute_words, read_exclusive, read_exclusive_words,
    reduce_words, scan, scan_words, sort, sort_words,
};
use palmette_spatial::curve::CurveKind;
use palmette_spatial::local;
use palmette_spatial::machine::{Delivery, Fold, Given, Machine, MachineParams, Memory};
use palmette_spatial::program::creation::{create, creation_words};
use palmette_spatial::program::lca::{self, Batch, LcaParams, QUERY_WORDS};
use palmette_spatial::program::list_ranking::Element;
use palmette_spatial::program::pram::{
    LEAFFIX_BY_TOUR_WORDS, leaffix_by_pram, leaffix_by_pram_words, leaffix_by_tour,
};
use palmette_spatial::program::tour::{Links, TOUR_WORDS, euler_tour, links_of};
use palmette_spatial::program::{Method, kin};
use palmette_spatial::testing::{every_delivery, shape};
use std::cell::Cell;

const AFFINE: AffineModulo = AffineModulo::new(1_000_003).unwrap();

fn light_first(shape: Shape, n: usize, seed: u64) -> Tree {
    let params = TreeParams { siblings: SiblingOrder::LightFirst, ..TreeParams::default() };
    Tree::with_params(&generate(shape, n, seed).unwrap(), params).unwrap()
}

fn shuffled(shape: Shape, n: usize, seed: u64) -> Tree {
    Tree::from_parents(&shuffle(&generate(shape, n, seed).unwrap(), seed)).unwrap()
}

/// What is run.
#[derive(Clone, Copy)]
struct Case {
    params: MachineParams,
    shape: Shape,
    n: usize,
    seed: u64,
}

impl Case {
    fn machine(&self, n: usize, words: usize) -> Machine {
        let curve = CurveKind::Hilbert.fitting(n as u64).unwrap();
        Machine::on_curve(&curve, n, self.params.stating(words)).unwrap()
    }

    fn all(&self) -> Range {
        Range::new(0, self.n as u32)
    }

    fn random(&self, i: u32, below: usize) -> u32 {
        (mixed((self.seed << 32) | (u64::from(i) + 1)) % below as u64) as u32
    }

    fn network(&self) -> Network {
        if self.seed.is_multiple_of(2) { Network::OddEven } else { Network::Bitonic }
    }

    fn links(&self) -> Memory<Links> {
        links_of(&shuffled(self.shape, self.n, self.seed)).unwrap()
    }

    /// One list through all processors, in random order.
    fn list(&self) -> Memory<[Element; 1]> {
        let order = shuffled(Shape::Path, self.n, self.seed).vertices().to_vec();
        let mut elements = vec![[Element::ALONE]; self.n];
        for pair in order.windows(2) {
            elements[pair[0] as usize][0].successor = pair[1];
            elements[pair[1] as usize][0].predecessor = pair[0];
        }
        elements.into()
    }
}

/// Runs a program on machines with the words that it states: under every kind of delays, with
/// everything given and with nothing, on all shapes, of up to 150 vertices and now and then of
/// 1,500. It fails when they do not suffice; and unless some run uses so many hundredths of them.
fn hold(name: &str, least: usize, run: impl Fn(Case) -> (usize, Machine)) {
    let most = Cell::new((0, 0, 0));
    let hold = |params: MachineParams, shape, n| {
        let (stated, machine) = run(Case { params, shape, n, seed: params.seed });
        assert_eq!(machine.words(), stated);
        let used = machine.words_used();
        most.set(most.get().max((100 * used / stated, used, n)));
    };
    every_delivery(96, |params| {
        let drawn = mixed(params.seed + 1);
        let given = if drawn.is_multiple_of(2) { Given::NOTHING } else { Given::ALL };
        let params = MachineParams { given, ..params };
        [1, 7, 40].into_iter().for_each(|n| hold(params, shape(&params), n));
        hold(params, shape(&params), 150);
    });
    for (shape, seed) in Shape::FREE.into_iter().zip(0..) {
        for delays in LARGE {
            let delivery = delays.parse::<Delivery>().unwrap().with_seed(seed);
            let params = MachineParams { delivery, seed, links: false, ..Default::default() };
            hold(params, shape, 1500);
        }
    }
    let (percent, used, n) = most.get();
    println!("{name}: {used} words at most, at n = {n}");
    let well = least <= percent && percent <= 100;
    assert!(well, "{name} uses {percent} % of its words at most");
}

/// Delays for the largest trees.
const LARGE: [&str; 2] = ["random:1-1000", "random:1+0-50/hop"];

/// A treefix, the virtual tree included.
fn fold<M: Fold>(
    case: Case,
    (method, up): (Method, bool),
    (operator, value): (M, M::Elem),
) -> (usize, Machine) {
    let words = if up { method.leaffix_words::<M>() } else { method.rootfix_words::<M>() };
    let mut machine = case.machine(case.n, words);
    let values = Memory::new(case.n, |_| value);
    let tree = light_first(case.shape, case.n, case.seed);
    let kin = kin(&mut machine.keep(&values), &tree).unwrap();
    let run = if up { Method::leaffix } else { Method::rootfix };
    run(method, &mut machine, "fold", operator, &kin, values).unwrap();
    (words, machine)
}

#[test]
fn treefix() {
    for (method, up) in [true, false].into_iter().flat_map(|up| Method::ALL.map(|m| (m, up))) {
        let name = format!("{method}, leaffix {up}");
        hold(&name, 60, |case| fold(case, (method, up), (Sum::<u64>::new(), 1)));
        hold(&name, 60, |case| fold(case, (method, up), (Max::<u32>::new(), 1)));
        hold(&name, 60, |case| fold(case, (method, up), (AFFINE, [1, 2])));
    }
}

#[test]
fn list_ranking() {
    for method in Method::ALL {
        hold(method.name(), 80, |case| {
            let words = method.rank_words::<1>();
            let mut machine = case.machine(case.n, words);
            method.rank(&mut machine, "list", case.list()).unwrap();
            (words, machine)
        });
    }
}

#[test]
fn euler_tours() {
    hold("euler tour", 80, |case| {
        let mut machine = case.machine(case.n, TOUR_WORDS);
        euler_tour(&mut machine, "tour", &case.links()).unwrap();
        (TOUR_WORDS, machine)
    });
    hold("leaffix by tour", 80, |case| {
        let mut machine = case.machine(case.n, LEAFFIX_BY_TOUR_WORDS);
        leaffix_by_tour(&mut machine, &case.links(), Memory::new(case.n, |_| 1)).unwrap();
        (LEAFFIX_BY_TOUR_WORDS, machine)
    });
}

#[test]
fn shared_memory() {
    hold("leaffix by PRAM", 80, |case| {
        // Its steps are many: 300 vertices take as long as 1,500 of other programs.
        let case = Case { n: case.n.min(300), ..case };
        let words = leaffix_by_pram_words::<Sum<i64>>(case.n);
        let mut machine = case.machine(case.n, words);
        let ones = Memory::new(case.n, |_| 1i64);
        leaffix_by_pram(&mut machine, Sum::new(), &case.links(), ones).unwrap();
        (words, machine)
    });
    hold("exclusive reads", 100, |case| {
        let words = read_exclusive_words::<2, u64>(0);
        let mut machine = case.machine(case.n, words);
        let cells = 2 * case.n as u32;
        let wanted = Memory::new(case.n, |p| [0, 1].map(|k| (2 * p + k + 3) % cells));
        read_exclusive(&mut machine, "read", wanted, Memory::new(case.n, |_| [7u64; 2])).unwrap();
        (words, machine)
    });
    hold("PRAM", 60, |case| {
        let words = Pram::words::<u64>(case.n);
        let mut machine = case.machine(case.n, words);
        let pram = Pram { processors: case.all(), network: case.network() };
        let cells = Memory::new(case.n, |_| 7u64);
        let wanted = Memory::new(case.n, |p| Some(case.random(p, case.n)));
        for _ in 0..2 {
            pram.read(&mut machine, "read", wanted.clone(), cells.clone()).unwrap();
            let writes = wanted.clone().map(|_, cell| cell.map(|cell| (cell, 8)));
            pram.write(&mut machine, "write", writes, cells.clone()).unwrap();
        }
        (words, machine)
    });
}

#[test]
fn layout_creation() {
    hold("creation", 60, |case| {
        let words = creation_words(case.n);
        let mut machine = case.machine(case.n, words);
        create(&mut machine, &case.links()).unwrap();
        (words, machine)
    });
}

#[test]
fn lowest_common_ancestors() {
    for (barriers, least) in [(true, 70), (false, 60)] {
        hold("ancestors", least, |case| {
            let tree = light_first(case.shape, case.n, case.seed);
            // The root is in a third of the pairs.
            let second = |i: u32| if i.is_multiple_of(3) { 0 } else { case.random(2 * i, case.n) };
            let pair = |i: u32| (case.random(2 * i + 1, case.n), second(i));
            let pairs: Vec<_> = (0..case.n as u32).map(pair).collect();
            let batch = Batch::new(&tree, &pairs, case.params.given).unwrap();
            let (n, params) = (batch.tree().len(), LcaParams { barriers });
            let mut machine = case.machine(n, params.words(n));
            let kin = kin(&mut machine.keep_words(QUERY_WORDS), batch.tree()).unwrap();
            lca::lowest_common_ancestors(&mut machine, &kin, &batch, params).unwrap();
            (params.words(n), machine)
        });
    }
}

#[test]
fn collectives() {
    hold("broadcast", 100, |case| {
        let words = broadcast_words::<u64>();
        let mut machine = case.machine(case.n, words);
        broadcast(&mut machine, "tell", case.all(), Memory::new(case.n, |_| 1u64)).unwrap();
        (words, machine)
    });
    hold("reduce", 90, |case| {
        let words = reduce_words::<Sum<u64>>();
        let mut machine = case.machine(case.n, words);
        let values = Memory::new(case.n, |_| 1u64);
        all_reduce(&mut machine, "sum", Sum::new(), case.all(), values).unwrap();
        (words, machine)
    });
    hold("scan", 90, |case| {
        let words = scan_words::<Max<u32>>();
        let mut machine = case.machine(case.n, words);
        let values = Memory::new(case.n, |_| 1u32);
        scan(&mut machine, "scan", Max::new(), ScanKind::Inclusive, case.all(), values).unwrap();
        (words, machine)
    });
    hold("align", 90, |case| {
        let mut machine = case.machine(case.n, BARRIER_WORDS);
        align(&mut machine, "align", case.all()).unwrap();
        (BARRIER_WORDS, machine)
    });
    hold("announce", 100, |case| {
        let words = announce_words::<u64>();
        let mut machine = case.machine(case.n, words);
        let all = case.all();
        let news = Memory::new(case.n, |p| (p == all.end / 3).then_some((all, 7u64)));
        announce(&mut machine, "announce", news).unwrap();
        (words, machine)
    });
    hold("permute", 100, |case| {
        let words = permute_words::<u64>();
        let mut machine = case.machine(case.n, words);
        let to = Memory::new(case.n, |p| Some((p + 1) % case.n as u32));
        permute(&mut machine, "permute", to, Memory::new(case.n, |_| 7u64)).unwrap();
        (words, machine)
    });
    hold("sort", 60, |case| {
        let words = sort_words::<u32, u32>(case.n);
        let mut machine = case.machine(case.n, words);
        let items = Memory::new(case.n, |p| (case.random(p, 1000), p));
        sort(&mut machine, "sort", case.network(), case.all(), items).unwrap();
        (words, machine)
    });
}

#[test]
fn local_messages() {
    hold("virtual tree", 80, |case| {
        let mut machine = case.machine(case.n, local::CONSTRUCT_WORDS);
        let tree = light_first(case.shape, case.n, case.seed);
        local::construct(&mut machine, &local::families(&tree)).unwrap();
        (local::CONSTRUCT_WORDS, machine)
    });
    let links = |case: &Case| {
        Memory::from(local::virtual_tree(&light_first(case.shape, case.n, case.seed)))
    };
    hold("local broadcast", 100, |case| {
        let words = local::broadcast_words::<u32>();
        let mut machine = case.machine(case.n, words);
        let values = Memory::new(case.n, |p| p);
        local::broadcast(&mut machine, "tell", &links(&case), values).unwrap();
        (words, machine)
    });
    hold("local reduce", 60, |case| {
        let words = local::reduce_words::<Sum<u64>>();
        let mut machine = case.machine(case.n, words);
        let values = Memory::new(case.n, |_| 1u64);
        local::reduce(&mut machine, "sum", Sum::new(), &links(&case), values).unwrap();
        (words, machine)
    });
}
