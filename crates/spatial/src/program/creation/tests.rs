use super::*;
use crate::collective::testing::{PATTERNS, Random, machine_with, stagger};
use crate::curve::CurveKind;
use crate::local::{construct, families, virtual_tree};
use crate::machine::{Given, MachineParams};
use crate::program::tour::links_of;
use crate::testing::{every_delivery, shape};
use palmette_core::generate::{Shape, generate, shuffle};
use palmette_core::tree::SiblingOrder;
use palmette_core::{Tree, TreeParams};

/// The most messages that a processor may receive in one step.
const RECEIVED: u32 = 5;

const CHILDREN: Given = Given::NOTHING.with(Gift::Children);

fn light_first(parents: &[u32]) -> Tree {
    let params = TreeParams { siblings: SiblingOrder::LightFirst, ..TreeParams::default() };
    Tree::with_params(parents, params).unwrap()
}

fn tree(shape: Shape, n: usize, seed: u64, shuffled: bool) -> Tree {
    let parents = generate(shape, n, seed).unwrap();
    light_first(&if shuffled { shuffle(&parents, seed) } else { parents })
}

fn machine(curve: CurveKind, n: usize, seed: u64) -> Machine {
    let curve = curve.fitting(n as u64).unwrap();
    let given = if seed.is_multiple_of(2) { CHILDREN } else { Given::NOTHING };
    Machine::on_curve(&curve, n, MachineParams { seed, given, ..MachineParams::default() }).unwrap()
}

/// Creates a layout and compares it with the host's.
fn check(machine: &mut Machine, tree: &Tree, what: &str) -> Created {
    let created = create(machine, &links_of(tree).unwrap()).unwrap();
    assert_eq!(created.vertices.states(), tree.vertices(), "{what}");
    assert_eq!(created.families, families(tree), "{what}");
    created
}

#[test]
fn layouts_are_those_of_the_host() {
    for (n, shape) in (1..=200).flat_map(|n| Shape::FREE.map(|shape| (n, shape))) {
        for seed in 0..3 {
            let tree = tree(shape, n, seed, seed > 0);
            let mut machine = machine(CurveKind::Hilbert, n, seed);
            check(&mut machine, &tree, &format!("{shape}, {n}, seed {seed}"));
            assert!(machine.most_received() <= RECEIVED, "{}", machine.most_received());
            assert!(machine.words_used() <= creation_words(tree.len()), "{}", machine.words_used());
        }
    }
}

#[test]
fn layouts_do_not_depend_on_delays() {
    every_delivery(PATTERNS, |params| {
        // Kinds of delays take turns: everything else is drawn, so that all of them meet.
        let mut random = Random(params.seed);
        let shape = shape(&params);
        let tree = tree(shape, 1 + random.below(32) as usize, params.seed, true);
        let given = [CHILDREN, Given::NOTHING, Given::NOTHING, Given::ALL];
        let given = given[random.below(4) as usize];
        let mut machine = machine_with(tree.len(), MachineParams { given, ..params });
        check(&mut machine, &tree, &shape.to_string());
    });
}

/// Without the gift nobody looks at more than parents.
#[test]
fn parents_are_enough() {
    for (n, shape) in (1..=60).flat_map(|n| Shape::FREE.map(|shape| (n, shape))) {
        let tree = tree(shape, n, n as u64, true);
        let links = links_of(&tree).unwrap();
        let parents = links.clone().map(|_, links| links.parent);
        let mut machine = machine_with(n, MachineParams::default());
        let (found, places) = children::children(&mut machine, "children", parents).unwrap();
        assert_eq!(found, links);
        let mut order: Vec<u32> = (0..n as u32).collect();
        order.sort_by_key(|&v| (links.states()[v as usize].parent, v));
        assert!((0..).zip(order).all(|(place, v)| places.states()[v as usize] == place));
        assert!(machine.most_received() <= 2);
        let alone = |p| Links { parent: p, first_child: NONE, right: NONE };
        let bare = Memory::new(n, |v| alone(links.states()[v as usize].parent));
        let created = create(&mut machine, &bare).unwrap();
        assert_eq!(created.families, families(&tree));
    }
}

#[test]
fn large_layouts_too() {
    for shape in Shape::FREE {
        let tree = tree(shape, 1 << 12, 4, true);
        let mut machine = machine(CurveKind::Hilbert, tree.len(), 4);
        let created = check(&mut machine, &tree, &shape.to_string());
        assert!(machine.most_received() <= RECEIVED, "{shape}: {}", machine.most_received());
        assert!(machine.words_used() <= creation_words(tree.len()), "{}", machine.words_used());
        let links = construct(&mut machine, &created.families).unwrap();
        assert_eq!(links.states(), virtual_tree(&tree));
    }
    let tree = tree(Shape::Random, 1 << 16, 5, true);
    let mut machine = machine(CurveKind::Hilbert, tree.len(), 5);
    check(&mut machine, &tree, "2^16");
}

#[test]
fn clocks_may_differ() {
    for seed in 0..60 {
        let shape = Shape::FREE[seed as usize % Shape::FREE.len()];
        let tree = tree(shape, 100, seed, true);
        let mut machine = machine(CurveKind::Hilbert, tree.len(), seed);
        stagger(&mut machine, &mut Random(seed));
        check(&mut machine, &tree, &format!("{shape}, seed {seed}"));
    }
}

#[test]
fn seed_curve_and_threads_make_no_difference() {
    let tree = tree(Shape::Preferential, 5000, 6, true);
    let run = |curve: CurveKind, seed: u64, threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let mut machine = machine(curve, tree.len(), seed);
            let created = check(&mut machine, &tree, curve.name());
            (created, machine.costs(), machine.ledger().clone())
        })
    };
    assert_eq!(run(CurveKind::Hilbert, 1, 1), run(CurveKind::Hilbert, 1, 3));
    for curve in CurveKind::ALL {
        run(curve, 2, 2);
    }
}

#[test]
fn sizes_break_ties_by_number() {
    // The root 5 has children 0 to 4; 1 and 3 have a child each, 7 and 6.
    let tree = light_first(&[5, 5, 5, 5, 5, NONE, 3, 1]);
    let created = check(&mut machine(CurveKind::Hilbert, 8, 1), &tree, "ties");
    assert_eq!(created.vertices.states(), [5, 0, 2, 4, 1, 7, 3, 6]);
}

#[test]
fn what_is_no_tree_is_an_error() {
    let alone = Links { parent: NONE, first_child: NONE, right: NONE };
    let run = |links: Vec<Links>| {
        let mut machine = machine(CurveKind::Hilbert, 3, 1);
        create(&mut machine, &links.into())
    };
    assert_eq!(run(vec![alone; 3]), Err(ProgramError::Forest { roots: 3 }));
    // Two vertices go round in a circle; parents beyond the machine.
    let circle = |parent, first_child| Links { parent, first_child, right: NONE };
    assert!(run(vec![alone, circle(2, 2), circle(1, 1)]).is_err());
    assert!(run(vec![alone, circle(7, NONE), circle(9, NONE)]).is_err());
    assert!(run(vec![alone; 2]).is_err());
}
