//! Handlers do as much work as their programs say: a fixed amount, and beside it O(log n) where one
//! finds its place in the tree of a range, O(log D) among D siblings.

use palmette_core::generate::{Shape, generate, shuffle};
use palmette_core::operator::Sum;
use palmette_core::tree::SiblingOrder;
use palmette_core::{Tree, TreeParams};
use palmette_spatial::collective::{Network, Range, ScanKind, announce, broadcast, scan, sort};
use palmette_spatial::curve::CurveKind;
use palmette_spatial::local::{construct, families};
use palmette_spatial::machine::{Given, Machine, MachineParams, Memory};
use palmette_spatial::program::creation::{create, creation_words};
use palmette_spatial::program::lca::{Batch, LcaParams, lowest_common_ancestors};
use palmette_spatial::program::list_ranking::Element;
use palmette_spatial::program::tour::{euler_tour, links_of};
use palmette_spatial::program::{Method, kin};

/// The call of a handler, and the messages that it sends: at most four that spread the seed, and
/// two for each of two elements of a list.
const FIXED: u32 = 1 + 4 + 2 * 2;

fn tree(shape: Shape, n: usize, shuffled: bool) -> Tree {
    let parents = generate(shape, n, 1).unwrap();
    let parents = if shuffled { shuffle(&parents, 1) } else { parents };
    let params = TreeParams { siblings: SiblingOrder::LightFirst, ..TreeParams::default() };
    Tree::with_params(&parents, params).unwrap()
}

/// The most work of a program on n processors.
fn work(n: usize, run: impl FnOnce(&mut Machine)) -> u32 {
    // The programs that state the most.
    let words = creation_words(n).max(LcaParams::default().words(n));
    let params = MachineParams { links: false, ..MachineParams::default() }.stating(words);
    let curve = CurveKind::Hilbert.fitting(n as u64).unwrap();
    let mut machine = Machine::on_curve(&curve, n, params).unwrap();
    run(&mut machine);
    machine.most_work()
}

/// Levels of the tree of a range of 2^k addresses.
fn levels(k: u32) -> u32 {
    k.div_ceil(2) + 2
}

/// Runs a program with 2^6 to 2^12 processors. The most work of a handler is at most the bound for
/// so many, and at the largest size at least so much: what takes long is declared.
fn hold(name: &str, bound: impl Fn(u32) -> u32, declared: u32, run: impl Fn(usize, &mut Machine)) {
    let mut most = 0;
    for k in [6, 8, 10, 12] {
        let found = work(1 << k, |machine| run(1 << k, machine));
        assert!(found <= bound(k), "{name}, 2^{k}: {found} > {}", bound(k));
        most = found;
    }
    assert!(most >= declared, "{name} declares {most} at 2^12, not {declared}");
}

#[test]
fn collectives_find_their_place_in_logarithmic_time() {
    let all = |n: usize| Range::new(0, n as u32);
    let logarithmic = |k| levels(k) + FIXED;
    hold("broadcast", logarithmic, 7, |n, machine| {
        broadcast(machine, "tell", all(n), Memory::new(n, |p| p)).unwrap();
    });
    hold("scan", logarithmic, 7, |n, machine| {
        let ones = Memory::new(n, |_| 1);
        scan(machine, "scan", Sum::<u32>::new(), ScanKind::Inclusive, all(n), ones).unwrap();
    });
    hold("announce", logarithmic, 7, |n, machine| {
        let news = Memory::new(n, |p| (p == 5).then_some((all(n), ())));
        announce(machine, "announce", news).unwrap();
    });
    hold(
        "sort",
        |_| FIXED,
        2,
        |n, machine| {
            let items = Memory::new(n, |p| (p.wrapping_mul(77), ()));
            sort(machine, "sort", Network::OddEven, all(n), items).unwrap();
        },
    );
}

/// A star has all its vertices but one as siblings; a path has no siblings.
#[test]
fn vertices_find_their_place_among_siblings() {
    for (shape, siblings) in [(Shape::Star, true), (Shape::Path, false)] {
        let bound = |k: u32| FIXED + if siblings { k } else { 0 };
        let declared = if siblings { 12 } else { 2 };
        hold("virtual tree", bound, if siblings { 12 } else { 1 }, |n, machine| {
            construct(machine, &families(&tree(shape, n, false))).unwrap();
        });
        for method in Method::ALL {
            hold("leaffix", bound, declared, |n, machine| {
                let kin = kin(machine, &tree(shape, n, false)).unwrap();
                let ones = Memory::new(n, |_| 1);
                method.leaffix(machine, "up", Sum::<u64>::new(), &kin, ones).unwrap();
            });
            hold("rootfix", bound, declared, |n, machine| {
                let kin = kin(machine, &tree(shape, n, false)).unwrap();
                let ones = Memory::new(n, |_| 1);
                method.rootfix(machine, "down", Sum::<u64>::new(), &kin, ones).unwrap();
            });
        }
        hold(
            "ancestors",
            |k| k.max(levels(k)) + FIXED,
            7,
            |n, machine| {
                let tree = tree(shape, n, false);
                let pairs: Vec<(u32, u32)> =
                    (0..n as u32).map(|i| (i * 7 % n as u32, i * 11 % n as u32)).collect();
                let batch = Batch::new(&tree, &pairs, Given::NOTHING).unwrap();
                let kin = kin(machine, batch.tree()).unwrap();
                lowest_common_ancestors(machine, &kin, &batch, LcaParams::default()).unwrap();
            },
        );
        hold(
            "creation",
            |k| levels(k) + FIXED,
            7,
            |n, machine| {
                create(machine, &links_of(&tree(shape, n, true)).unwrap()).unwrap();
            },
        );
        hold(
            "euler tour",
            |_| FIXED,
            2,
            |n, machine| {
                euler_tour(machine, "tour", &links_of(&tree(shape, n, true)).unwrap()).unwrap();
            },
        );
    }
}

/// One list through all processors, and as many lists as processors: those of one element end at
/// once, with nothing to wait for.
#[test]
fn lists_are_ranked_with_constant_work() {
    for method in Method::ALL {
        hold(
            "a list",
            |_| FIXED,
            2,
            |n, machine| {
                let order = tree(Shape::Path, n, true).vertices().to_vec();
                let mut elements = vec![[Element::ALONE]; n];
                for pair in order.windows(2) {
                    elements[pair[0] as usize][0].successor = pair[1];
                    elements[pair[1] as usize][0].predecessor = pair[0];
                }
                method.rank(machine, "list", elements.into()).unwrap();
            },
        );
        hold(
            "lists of one",
            |_| FIXED,
            1,
            |n, machine| {
                method.rank(machine, "list", Memory::new(n, |_| [Element::ALONE])).unwrap();
            },
        );
    }
}
