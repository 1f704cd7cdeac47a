use super::*;
use crate::collective::testing::{Random, stagger};
use crate::curve::CurveKind;
use crate::machine::{Costs, Delivery, Given, MachineError, MachineParams};
use crate::program::kin;
use crate::testing::{every_delivery, shape};
use palmette_core::generate::{Shape, generate};
use palmette_core::operator::{Operator, RollingHash, Sum};
use palmette_core::tree::SiblingOrder;
use palmette_core::{NONE, Tree, TreeParams};
use palmette_tree::leaffix::leaffix as host_leaffix;
use palmette_tree::rootfix::rootfix as host_rootfix;

fn tree(parents: &[u32]) -> Tree {
    let params = TreeParams { siblings: SiblingOrder::LightFirst, forest: true };
    Tree::with_params(parents, params).unwrap()
}

fn machine(n: usize, params: MachineParams) -> Machine {
    Machine::on_curve(&CurveKind::Hilbert.fitting(n as u64).unwrap(), n, params).unwrap()
}

/// The smallest tree on which the published reversal gives wrong sums.
#[test]
fn a_path_of_three() {
    let mut machine = machine(3, MachineParams::default());
    let kin = kin(&mut machine, &tree(&[NONE, 0, 1])).unwrap();
    let values = Memory::from(vec![1, 10, 100]);
    let sum = Sum::<u64>::new();
    let up = leaffix(&mut machine, "up", sum, &kin, values.clone()).unwrap();
    assert_eq!(up.values.states(), [111, 110, 100]);
    let down = rootfix(&mut machine, "down", sum, &kin, values).unwrap();
    assert_eq!(down.values.states(), [1, 11, 111]);
    // One path: the middle joins the leaf, and the root them.
    assert_eq!((up.rounds, up.by_round()), (2, vec![1, 1]));
    assert!(up.contracted.states()[1..].iter().all(|vertex| vertex.compressed));
    let names: Vec<&str> = machine.ledger().phases().iter().map(|p| p.name.as_str()).collect();
    assert!(names.contains(&"up: compress") && names.contains(&"down: uncontract"), "{names:?}");
}

#[test]
fn one_vertex_says_nothing() {
    let mut machine = machine(1, MachineParams::default());
    let kin = kin(&mut machine, &tree(&[NONE])).unwrap();
    let sum = Sum::<u64>::new();
    let up = leaffix(&mut machine, "up", sum, &kin, Memory::from(vec![7])).unwrap();
    let down = rootfix(&mut machine, "down", sum, &kin, Memory::from(vec![7])).unwrap();
    assert_eq!((up.values.states(), down.values.states()), (&[7][..], &[7][..]));
    assert_eq!((up.rounds, machine.costs().messages), (0, 0));
}

#[test]
fn forests_and_small_memories_are_errors() {
    let forest = tree(&[NONE, 0, NONE]);
    let error = kin(&mut machine(3, MachineParams::default()), &forest).unwrap_err();
    assert_eq!(error, ProgramError::Forest { roots: 2 });
    let path = tree(&[NONE, 0, 1]);
    let mut machine = machine(3, MachineParams { words: Some(20), ..MachineParams::default() });
    let kin = kin(&mut machine, &path).unwrap();
    let sum = Sum::<u64>::new();
    let error = leaffix(&mut machine, "up", sum, &kin, Memory::from(vec![1; 3])).unwrap_err();
    assert!(matches!(error, ProgramError::Machine(MachineError::Memory { .. })), "{error}");
    let error = leaffix(&mut machine, "up", sum, &kin, Memory::from(vec![1; 4])).unwrap_err();
    assert!(matches!(error, ProgramError::Machine(MachineError::Processors { .. })), "{error}");
}

const HASH: RollingHash = RollingHash::new(5);

/// What a processor needs.
fn words<M: Fold>(up: bool) -> usize {
    if up { leaffix_words::<M>() } else { rootfix_words::<M>() }
}

/// Runs one direction on a machine of its own, the virtual tree given, and compares with the host.
fn fold<M: Fold + Operator>(
    tree: &Tree,
    kin: &Memory<Kin>,
    operator: M,
    value: fn(u32) -> M::Elem,
    (params, up): (MachineParams, bool),
) -> Costs
where
    M::Elem: PartialEq + std::fmt::Debug,
{
    let mut machine = machine(tree.len(), MachineParams { words: Some(words::<M>(up)), ..params });
    let values = Memory::new(tree.len(), value);
    let host = if up { host_leaffix } else { host_rootfix };
    let expected = host(tree, values.states(), &operator, Default::default()).unwrap();
    let run = if up { leaffix } else { rootfix };
    let found = run(&mut machine, "fold", operator, kin, values).unwrap();
    assert!(found.values.states() == expected, "leaffix {up}");
    machine.costs()
}

/// Both directions under some delays.
fn compare(tree: &Tree, params: MachineParams) -> [Costs; 4] {
    let kin = kin(&mut machine(tree.len(), MachineParams::default()), tree).unwrap();
    let sum = Sum::<u64>::new();
    let number: fn(u32) -> u64 = |p| u64::from(p).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40;
    let letter: fn(u32) -> (u64, u64) = |p| HASH.letter(u64::from(p) + 1);
    let runs = [true, false];
    let sums = runs.map(|up| fold(tree, &kin, sum, number, (params, up)));
    let words = runs.map(|up| fold(tree, &kin, HASH, letter, (params, up)));
    [sums[0], sums[1], words[0], words[1]]
}

fn light_first(shape: Shape, n: usize, seed: u64) -> Tree {
    tree(&generate(shape, n, seed).unwrap())
}

/// Answers are the host's, and costs those in steps. Words suffice that are stated.
#[test]
fn equal_to_the_host_whatever_the_delays() {
    every_delivery(1200, |params| {
        // Kinds of delays take turns: everything else is drawn, so that all of them meet.
        let mut random = Random(params.seed);
        let tree = light_first(shape(&params), 1 + random.below(64) as usize, params.seed);
        let given = [Given::NOTHING, Given::ALL][random.below(2) as usize];
        let params = MachineParams { given, ..params };
        let found = compare(&tree, params);
        let steps = compare(&tree, MachineParams { delivery: Delivery::Step, ..params });
        assert_eq!(found, steps);
    });
}

/// Processors come from another program at times that differ.
#[test]
fn equal_to_the_host_after_other_programs() {
    every_delivery(300, |params| {
        let mut random = Random(params.seed);
        let tree = light_first(shape(&params), 64, params.seed);
        let up = random.below(2) == 0;
        // Messages wait for those that come late, beside what the program before took.
        let words = 2 * words::<RollingHash>(up);
        let mut machine = machine(64, MachineParams { words: Some(words), ..params });
        let kin = kin(&mut machine, &tree).unwrap();
        for _ in 0..3 {
            stagger(&mut machine, &mut random);
            let values = Memory::new(64, |p| HASH.letter(u64::from(p)));
            let run = if up { leaffix } else { rootfix };
            let found = run(&mut machine, "fold", HASH, &kin, values.clone()).unwrap();
            let host = if up { host_leaffix } else { host_rootfix };
            let host = host(&tree, values.states(), &HASH, Default::default()).unwrap();
            assert!(found.values.states() == host);
        }
    });
}

/// Delays with which an order of messages shows soon.
#[test]
fn larger_trees_whatever_the_delays() {
    for delays in ["random:5+1-2/hop", "random:1-20", "random:1+1-5/hop"] {
        for (shape, seed) in (0..8).flat_map(|seed| Shape::FREE.map(|shape| (shape, seed))) {
            let tree = light_first(shape, 256, seed);
            let delivery = delays.parse::<Delivery>().unwrap().with_seed(seed);
            let params = MachineParams { delivery, seed, links: false, ..MachineParams::default() };
            compare(&tree, params);
        }
    }
}
