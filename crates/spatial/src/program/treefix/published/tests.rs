use super::*;
use crate::curve::CurveKind;
use crate::machine::{MachineError, MachineParams};
use crate::program::kin;
use palmette_core::operator::Sum;
use palmette_core::tree::SiblingOrder;
use palmette_core::{NONE, Tree, TreeParams};

fn tree(parents: &[u32]) -> Tree {
    let params = TreeParams { siblings: SiblingOrder::LightFirst, ..TreeParams::default() };
    Tree::with_params(parents, params).unwrap()
}

fn machine(n: usize, words: usize, seed: u64) -> Machine {
    let params = MachineParams { words: Some(words), seed, ..MachineParams::default() };
    Machine::on_curve(&CurveKind::Hilbert.fitting(n as u64).unwrap(), n, params).unwrap()
}

/// The smallest tree on which the reversal as printed gives wrong sums, whatever the coins.
#[test]
fn a_path_of_three() {
    let mut compressed = [false; 2];
    for seed in 0..20 {
        let mut machine = machine(3, 128, seed);
        let kin = kin(&mut machine, &tree(&[NONE, 0, 1])).unwrap();
        let values = Memory::from(vec![1, 10, 100]);
        let sum = Sum::<u64>::new();
        let up = leaffix(&mut machine, "up", sum, &kin, values.clone()).unwrap();
        assert_eq!(up.values.states(), [111, 110, 100]);
        let down = rootfix(&mut machine, "down", sum, &kin, values).unwrap();
        assert_eq!(down.values.states(), [1, 11, 111]);
        // The middle is absorbed or, having raked the leaf in the same round, raked in the next.
        let middle = up.contracted.states()[1];
        compressed[usize::from(middle.compressed)] = true;
        let rounds = if middle.compressed { [0, 1, 1] } else { [0, 2, 1] };
        assert_eq!((up.rounds, up.by_round().iter().sum()), (rounds[1].max(1), 2));
        let found = up.contracted.states().iter().skip(1).map(|vertex| vertex.round);
        assert!(found.eq(rounds.into_iter().skip(1)), "{up:?}");
    }
    assert_eq!(compressed, [true; 2], "twenty seeds toss both ways");
}

#[test]
fn one_vertex_says_nothing() {
    let mut machine = machine(1, 128, 1);
    let kin = kin(&mut machine, &tree(&[NONE])).unwrap();
    let sum = Sum::<u64>::new();
    let up = leaffix(&mut machine, "up", sum, &kin, Memory::from(vec![7])).unwrap();
    let down = rootfix(&mut machine, "down", sum, &kin, Memory::from(vec![7])).unwrap();
    assert_eq!((up.values.states(), down.values.states()), (&[7][..], &[7][..]));
    assert_eq!((up.rounds, machine.costs().messages), (0, 0));
}

#[test]
fn small_memories_are_errors() {
    let path = tree(&[NONE, 0, 1]);
    let mut machine = machine(3, 20, 1);
    let kin = kin(&mut machine, &path).unwrap();
    let sum = Sum::<u64>::new();
    let error = leaffix(&mut machine, "up", sum, &kin, Memory::from(vec![1; 3])).unwrap_err();
    assert!(matches!(error, ProgramError::Machine(MachineError::Memory { .. })), "{error}");
    let error = leaffix(&mut machine, "up", sum, &kin, Memory::from(vec![1; 4])).unwrap_err();
    assert!(matches!(error, ProgramError::Machine(MachineError::Processors { .. })), "{error}");
}
