//! Many moves at once, as statements one after another.
//!
//! At the head of a loop all phis get their values at the same time. A vector whose source is
//! not needed any more is swapped, which costs nothing; swaps also resolve cycles.

use std::collections::HashSet;

/// What comes from where.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Move<S> {
    pub(super) to: usize,
    pub(super) from: S,
}

/// One of the statements that moves become.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Step<S> {
    Copy { to: usize, from: S },
    Swap(usize, usize),
}

/// Statements with the effect of all moves at once. A place that is not `needed` afterwards
/// may hold anything.
pub(super) fn in_order<S: Copy>(
    mut moves: Vec<Move<S>>,
    place: impl Fn(S) -> Option<usize>,
    at: impl Fn(usize) -> S,
    needed: &HashSet<usize>,
) -> Vec<Step<S>> {
    let mut steps = Vec::new();
    moves.retain(|m| place(m.from) != Some(m.to));
    while !moves.is_empty() {
        let reads = |slot: usize| moves.iter().filter(|m| place(m.from) == Some(slot)).count();
        let ready = moves.iter().position(|m| reads(m.to) == 0);
        let chosen = moves[ready.unwrap_or(0)];
        let from = place(chosen.from);
        // What is written by another move, or needed by nobody, may be anything.
        let spare = |slot: usize| {
            reads(slot) == 1 && (moves.iter().any(|m| m.to == slot) || !needed.contains(&slot))
        };
        match from {
            Some(slot) if ready.is_none() || spare(slot) => {
                steps.push(Step::Swap(chosen.to, slot));
                // In a cycle, what others want from the target is now where it came from.
                for other in &mut moves {
                    if place(other.from) == Some(chosen.to) {
                        other.from = at(slot);
                    }
                }
            }
            _ => steps.push(Step::Copy { to: chosen.to, from: chosen.from }),
        }
        moves.retain(|m| m.to != chosen.to && place(m.from) != Some(m.to));
    }
    steps
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(moves: &[(usize, usize)], needed: &[usize]) -> (Vec<usize>, usize) {
        let needed = needed.iter().copied().collect();
        let list = moves.iter().map(|&(to, from)| Move { to, from }).collect();
        let steps = in_order(list, Some, |slot| slot, &needed);
        let mut memory: Vec<usize> = (0..6).collect();
        let mut copies = 0;
        for step in steps {
            match step {
                Step::Copy { to, from } => {
                    memory[to] = memory[from];
                    copies += 1;
                }
                Step::Swap(a, b) => memory.swap(a, b),
            }
        }
        (memory, copies)
    }

    #[test]
    fn moves_of_every_shape_have_their_effect() {
        let mut patterns = Vec::new();
        // All functions from targets 0, 1, 2 to places 0..5, and all sets of needed places.
        for code in 0..125 {
            patterns.push([(0, code % 5), (1, code / 5 % 5), (2, code / 25)]);
        }
        for moves in patterns {
            for needed in 0..64usize {
                let mut needed: Vec<usize> = (0..6).filter(|k| needed >> k & 1 == 1).collect();
                needed.extend([0, 1, 2]);
                let (memory, _) = run(&moves, &needed);
                for (to, from) in moves {
                    assert_eq!(memory[to], from, "{moves:?} {needed:?}");
                }
                for slot in needed.into_iter().filter(|&slot| slot > 2) {
                    assert_eq!(memory[slot], slot, "{moves:?}");
                }
            }
        }
    }

    #[test]
    fn three_terms_rotate_without_a_copy() {
        assert_eq!(run(&[(0, 1), (1, 2)], &[0, 1]), (vec![1, 2, 0, 3, 4, 5], 0));
        assert_eq!(run(&[(0, 1), (1, 0)], &[0, 1]).1, 0);
    }
}
