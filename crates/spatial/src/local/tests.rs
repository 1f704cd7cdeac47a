use super::construct::Seat;
use super::*;
use crate::collective::testing::{PATTERNS, Random, machine_with};
use crate::curve::CurveKind;
use crate::machine::{MachineParams, Processor, Program};
use crate::testing::{every_delivery, shape};
use palmette_core::generate::{Shape, generate};
use palmette_core::operator::RollingHash;
use palmette_core::tree::SiblingOrder;
use palmette_core::{Monoid, NONE, Tree, TreeParams};

fn light_first(parents: &[u32]) -> Tree {
    let params = TreeParams { siblings: SiblingOrder::LightFirst, forest: true };
    Tree::with_params(parents, params).unwrap()
}

fn star(children: u32) -> Tree {
    let parents: Vec<u32> = (0..=children).map(|v| if v == 0 { NONE } else { 0 }).collect();
    light_first(&parents)
}

/// All free shapes with 1 to 200 vertices.
fn trees() -> impl Iterator<Item = Tree> {
    Shape::FREE.into_iter().flat_map(|shape| {
        (1..=200).flat_map(move |n| {
            (0..3).map(move |k| light_first(&generate(shape, n, (1000 * k + n) as u64).unwrap()))
        })
    })
}

fn machine(tree: &Tree, seed: u64) -> Machine {
    let curve = CurveKind::Hilbert.fitting(tree.len() as u64).unwrap();
    let params = MachineParams { links: false, seed, ..MachineParams::default() };
    Machine::on_curve(&curve, tree.len(), params).unwrap()
}

/// Leaves every processor at a random clock.
struct Delay;

impl Program for Delay {
    type Constants = u64;
    type State = ();
    type Message = u8;
    const STATE_WORDS: usize = 2;
    const MESSAGE_WORDS: usize = 1;
    fn start(_: &mut (), processor: &mut Processor<'_, Self>) {
        let steps = processor.random() % *processor.constants();
        Self::receive(&mut (), steps as u8, processor);
    }
    fn receive(_: &mut (), left: u8, processor: &mut Processor<'_, Self>) {
        if left > 0 {
            processor.send(processor.me(), left - 1);
        }
    }
}

fn delay(machine: &mut Machine, most: u64) {
    let memory = Memory::new(machine.processors(), |_| ());
    machine.run::<Delay>("delay", most + 1, memory).unwrap();
}

const WORD: RollingHash = RollingHash::new(7);

fn letters(n: usize) -> Memory<(u64, u64)> {
    Memory::new(n, |p| WORD.letter(u64::from(p)))
}

/// Checks both operations against the tree, with delays before each when `most > 0`.
fn messaging(tree: &Tree, machine: &mut Machine, most: u64) {
    let n = tree.len();
    delay(machine, most);
    let links = construct(machine, &families(tree)).unwrap();
    assert_eq!(links.states(), virtual_tree(tree));
    delay(machine, most);
    let heard = broadcast(machine, "down", &links, Memory::new(n, |p| p)).unwrap();
    let expected: Vec<Option<u32>> = (0..n as u32).map(|p| tree.parent(p)).collect();
    assert_eq!(heard.states(), expected);
    delay(machine, most);
    let words = reduce(machine, "up", WORD, &links, letters(n)).unwrap();
    for (p, &word) in words.states().iter().enumerate() {
        let children = tree.children(p as u32).map(|c| WORD.letter(u64::from(c)));
        assert_eq!(word, children.fold(WORD.identity(), |a, b| WORD.combine(a, b)), "{p}");
    }
    assert!(machine.most_received() <= 4);
}

#[test]
fn local_messaging_is_right_on_every_shape() {
    for tree in trees() {
        messaging(&tree, &mut machine(&tree, 1), 0);
    }
}

#[test]
fn local_messaging_is_right_whatever_the_clocks() {
    for (seed, tree) in trees().enumerate().step_by(2) {
        messaging(&tree, &mut machine(&tree, seed as u64), [1, 3, 40][seed / 2 % 3]);
    }
    for (seed, d) in (0..3).flat_map(|s| [63, 100, 1000].map(|d| (s, d))) {
        let tree = star(d);
        messaging(&tree, &mut machine(&tree, seed), 100);
    }
}

#[test]
fn local_messaging_is_right_whatever_the_delays() {
    every_delivery(PATTERNS, |params| {
        let mut random = Random(params.seed);
        let shape = shape(&params);
        let n = 1 + random.below(40) as usize;
        let tree = light_first(&generate(shape, n, params.seed).unwrap());
        let mut machine = machine_with(n, params);
        messaging(&tree, &mut machine, [0, 3, 40][random.below(3) as usize]);
    });
}

/// Who adopts whom first depends on delays; what it may cost does not.
#[test]
fn the_virtual_tree_has_bounded_costs_whatever_the_delays() {
    every_delivery(PATTERNS, |params| {
        let most = 2 + Random(params.seed).below(200) as u32;
        let tree = star(most);
        let mut machine = machine_with(tree.len(), params);
        let links = construct(&mut machine, &families(&tree)).unwrap();
        let built = machine.costs();
        assert!(machine.most_received() <= 3);
        broadcast(&mut machine, "down", &links, Memory::new(tree.len(), |p| p)).unwrap();
        let edges = machine.costs().energy - built.energy;
        assert!(built.energy <= 2 * edges, "{most}: {} {edges}", built.energy);
        assert!(2 * built.messages <= 3 * tree.len() as u64, "{most}: {}", built.messages);
        assert!(f64::from(built.depth) <= 3.0 * f64::from(most).log2(), "{most}: {}", built.depth);
    });
}

#[test]
fn programs_overlap_without_delays_between_them() {
    let tree = star(300);
    let mut machine = machine(&tree, 1);
    let links = construct(&mut machine, &families(&tree)).unwrap();
    let mut values = Memory::new(tree.len(), |p| p);
    for _ in 0..5 {
        let heard = broadcast(&mut machine, "down", &links, values).unwrap();
        values = heard.map(|_, parent| parent.unwrap_or(0));
    }
    assert!(values.states().iter().all(|&v| v == 0));
    // 8 levels: five broadcasts in a row start as soon as each processor can.
    assert!(machine.ledger().phase("down").unwrap().depth < 5 * 8);
}

#[test]
fn virtual_trees_are_light_first_with_positions_unchanged() {
    for tree in trees() {
        let links = virtual_tree(&tree);
        let mut sizes = vec![1u32; tree.len()];
        for (p, link) in links.iter().enumerate().rev() {
            let children: Vec<u32> = link.children().collect();
            assert!(children.len() <= 4);
            // In preorder, a child lies right after everything before it.
            let mut position = p as u32 + 1;
            for &child in &children {
                assert_eq!(child, position);
                assert_eq!(links[child as usize].parent, p as u32);
                position += sizes[child as usize];
            }
            assert!(children.is_sorted_by_key(|&child| sizes[child as usize]), "vertex {p}");
            sizes[p] = position - p as u32;
        }
        assert_eq!(sizes[0] as usize, tree.len(), "everyone hangs below the root");
    }
}

#[test]
fn two_children_keep_their_edges() {
    for n in 1..200 {
        let tree = light_first(&generate(Shape::Binary, n, n as u64).unwrap());
        for (p, link) in virtual_tree(&tree).iter().enumerate() {
            assert_eq!((link.parent, link.appended), (tree.parents()[p], [NONE; 2]));
        }
    }
}

#[test]
fn seats_agree_with_the_transformation() {
    for d in 0..600 {
        let tree = star(d);
        let (links, families) = (virtual_tree(&tree), families(&tree));
        for (p, family) in families.states().iter().enumerate() {
            let seat = Seat::of(family);
            assert_eq!(seat.role, links[p].role);
            assert_eq!(seat.appended.min(2) as usize, links[p].children().count() * p.min(1));
        }
    }
}

#[test]
fn depths_are_as_stated() {
    let depth = |machine: &Machine, name| machine.ledger().phase(name).map_or(0, |c| c.depth);
    for d in (1..1200).chain([4094, 4095, 4096]) {
        let tree = star(d);
        let virtual_tree = Memory::from(virtual_tree(&tree));
        let mut machine = machine(&tree, 1);
        let values = || Memory::new(tree.len(), |p| p);
        broadcast(&mut machine, "down", &virtual_tree, values()).unwrap();
        assert_eq!(depth(&machine, "down"), (d + 1).ilog2());
        let mut machine = self::machine(&tree, 1);
        let sum = palmette_core::operator::Sum::<u32>::default();
        reduce(&mut machine, "up", sum, &virtual_tree, values()).unwrap();
        assert_eq!(depth(&machine, "up"), (d + 1).ilog2());
        let mut machine = self::machine(&tree, 1);
        construct(&mut machine, &families(&tree)).unwrap();
        let found = depth(&machine, "virtual tree");
        assert!(f64::from(found) <= 2.0 * f64::from(d).log2(), "{d}: {found}");
        assert!(machine.most_received() <= 3);
    }
}

#[test]
fn a_forest_has_a_virtual_tree_for_each_root() {
    let tree = light_first(&[NONE, 0, 0, 0, NONE, 4, 4, 4, 4, NONE]);
    messaging(&tree, &mut machine(&tree, 1), 5);
    let nothing = light_first(&[]);
    assert!(virtual_tree(&nothing).is_empty());
}

#[test]
fn memory_of_another_machine_is_refused() {
    let (tree, other) = (star(8), star(9));
    let mut machine = machine(&tree, 1);
    let wrong = MachineError::Processors { expected: 9, actual: 10 };
    let links = Memory::from(virtual_tree(&other));
    assert_eq!(construct(&mut machine, &families(&other)).unwrap_err(), wrong);
    let values = |n| Memory::new(n, |p| p);
    assert_eq!(broadcast(&mut machine, "down", &links, values(9)).unwrap_err(), wrong);
    let links = Memory::from(virtual_tree(&tree));
    assert_eq!(broadcast(&mut machine, "down", &links, values(10)).unwrap_err(), wrong);
}

#[test]
fn words_are_as_stated() {
    let tree = star(1);
    let links = Memory::from(virtual_tree(&tree));
    let run = |words: usize, f: &dyn Fn(&mut Machine) -> bool| {
        let curve = CurveKind::Hilbert.fitting(2).unwrap();
        let params = MachineParams { words: Some(words), ..MachineParams::default() };
        f(&mut Machine::on_curve(&curve, 2, params).unwrap())
    };
    let build = |m: &mut Machine| construct(m, &families(&tree)).is_ok();
    let words = CONSTRUCT_STATE_WORDS + CONSTRUCT_MESSAGE_WORDS;
    assert!(run(words, &build) && !run(words - 1, &build));
    let down = |m: &mut Machine| broadcast(m, "down", &links, Memory::new(2, |p| p)).is_ok();
    let words = BROADCAST_LINK_WORDS + 1 + 1;
    assert!(run(words, &down) && !run(words - 1, &down));
    let sum = palmette_core::operator::Sum::<u32>::default();
    let up = |m: &mut Machine| reduce(m, "up", sum, &links, Memory::new(2, |p| p)).is_ok();
    let words = REDUCE_LINK_WORDS + 3 + 2;
    assert!(run(words, &up) && !run(words - 1, &up));
}
