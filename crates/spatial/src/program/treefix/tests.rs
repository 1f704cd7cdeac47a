use super::*;
use crate::curve::CurveKind;
use crate::machine::{MachineError, MachineParams};
use crate::program::kin;
use palmette_core::operator::Sum;
use palmette_core::tree::SiblingOrder;
use palmette_core::{NONE, Tree, TreeParams};

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
    // The middle is absorbed and the leaf raked, one after the other or not at all.
    assert!((1..=2).contains(&up.rounds));
    let compressed = up.contracted.states().iter().map(|vertex| vertex.compressed);
    assert!(compressed.skip(1).eq([up.rounds == 2, false]) || up.rounds == 2);
    let names: Vec<&str> = machine.ledger().phases().iter().map(|p| p.name.as_str()).collect();
    assert!(names.contains(&"up: rake") && names.contains(&"down: uncontract"), "{names:?}");
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
