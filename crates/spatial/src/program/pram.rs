//! Leaffix without a layout: the baselines that spatial programs are compared with.
//!
//! **Problem.** Vertex `v` lies on processor `v`, knows its [`Links`] and has a value; it is
//! to learn the combination of all values in its subtree, in the order of a walk around
//! the tree. The operator must have inverses.
//!
//! **Method.** Two, both on the Euler tour, a list of two brackets per vertex.
//! - [`leaffix_by_pram`]: Wyllie's pointer jumping on a PRAM with shared memory. Every bracket has
//!   a pointer to the next and a sum from itself up to there. In a step it adds the sum of the one
//!   that it points to, and from then on points where that does; after ⌈log2 2n⌉ steps no pointer is
//!   left. A vertex's subtree is what its opening bracket has summed up, without what its closing
//!   one has. No two brackets point to the same one, so reads are
//!   [exclusive](read_exclusive), and nothing is sorted.
//! - [`leaffix_by_tour`]: what a work-optimal PRAM algorithm would do, by
//!   [list ranking](super::list_ranking) on the grid. The gap before an opening bracket is its
//!   vertex's value; ranks of the two brackets differ by the sum over the subtree. Values are
//!   numbers of a word there.
//!
//! **Cost.** Measured on random recursive trees with shuffled vertices, on the Hilbert curve:
//!
//! | | n = 2^8 | 2^10 | 2^12 | words |
//! |---|---|---|---|---|
//! | [`leaffix_by_pram`], sums of `i64` | 20.4 n^1.5, depth 18 | 25.9 n^1.5, 22 | 31.1 n^1.5, 26 | 36 |
//! | [`leaffix_by_tour`] | 4.2 n^1.5, depth 41 | 4.4 n^1.5, 64 | 4.3 n^1.5, 69 | 47 |
//!
//! The first takes up to 2.4 n^1.5 per step, and two messages in a row; the second what an
//! [Euler tour](super::tour) takes. Words are those of steps that take the same time. Under any
//! delays, questions of later steps wait: [`leaffix_by_pram_words`] grows with log n.
//!
//! **Determinism.** Sums of the first are bracketed by the tour alone; the second has no floats.
//!
//! **Reference.** Wyllie, *The complexity of parallel computations*, 1979; Tarjan and Vishkin, *An
//! efficient parallel biconnectivity algorithm*, 1985; for the simulation section II-A of
//! *Low-Depth Spatial Tree Algorithms*.
//!
//! **When not to use.** For anything but comparisons.

use super::ProgramError;
use super::list_ranking::{Element, Node, run};
use super::tour::{Links, TOUR_WORDS, check_root, linked_brackets};
use crate::collective::{read_exclusive, read_exclusive_words};
use crate::machine::{Fold, Gift, Machine, Memory, Plain, words_of};
use crate::plain;
use palmette_core::{Group, NONE};

plain! {
    /// A bracket: the sum of all from here up to the bracket that it points to.
    #[derive(Debug, Clone, Copy)]
    struct Bracket<E> {
        sum: E,
        next: u32,
    }
}

impl<E: Plain> Bracket<E> {
    /// Jumps over the bracket that it points to.
    fn jump<G: Group<Elem = E>>(self, operator: &G, found: Option<Bracket<E>>) -> Bracket<E> {
        match found {
            Some(Bracket { sum, next }) => Bracket { sum: operator.combine(self.sum, sum), next },
            None => self,
        }
    }
}

/// The words of a processor for [`leaffix_by_pram`] with so many vertices: for the operator, for a
/// step, and for two questions of every later step, whose readers may be ahead.
pub const fn leaffix_by_pram_words<G: Group + Fold>(vertices: usize) -> usize {
    let more = steps(vertices).saturating_sub(1) as usize;
    words_of::<G>() + read_exclusive_words::<2, Bracket<G::Elem>>(more)
}

/// The steps after which no bracket has a pointer left.
const fn steps(vertices: usize) -> u32 {
    (2 * vertices).next_power_of_two().ilog2()
}

/// The words of a processor for [`leaffix_by_tour`]: those of the tour, and the value.
pub const LEAFFIX_BY_TOUR_WORDS: usize = TOUR_WORDS + 1;

/// The combination of the values in every vertex's subtree, as a PRAM finds it. The
/// ledger calls this `jump`.
///
/// ```
/// use palmette_core::operator::Sum;
/// use palmette_core::{NONE, Tree};
/// use palmette_spatial::curve::CurveKind;
/// use palmette_spatial::machine::{Machine, MachineParams, Memory};
/// use palmette_spatial::program::pram::leaffix_by_pram;
/// use palmette_spatial::program::tour::links_of;
///
/// // Vertex 2 is the root, 0 and 3 are its children, 1 is a child of 0.
/// let links = links_of(&Tree::from_parents(&[2, 0, NONE, 2])?)?;
/// let curve = CurveKind::Hilbert.fitting(4)?;
/// let mut machine = Machine::on_curve(&curve, 4, MachineParams::default())?;
/// let values = Memory::from(vec![1i64, 10, 100, 1000]);
/// let sums = leaffix_by_pram(&mut machine, Sum::new(), &links, values)?;
/// assert_eq!(sums.states(), [11, 10, 1111, 1000]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Several roots or none, links for another number of processors, and what stops the
/// machine: values of more than a few words do not fit into the default one.
///
/// # Panics
/// If there is not exactly one value per processor.
pub fn leaffix_by_pram<G: Group + Fold>(
    machine: &mut Machine,
    operator: G,
    links: &Memory<Links>,
    values: Memory<G::Elem>,
) -> Result<Memory<G::Elem>, ProgramError> {
    check_root(links)?;
    let n = machine.processors();
    let operators = Memory::new(n, |_| operator);
    let next = links.clone().map(Links::successors);
    let mut brackets =
        operators.clone().beside(values).beside(next).map(|_, ((operator, value), next)| {
            let sums = [value, operator.identity()];
            [0, 1].map(|slot| Bracket { sum: sums[slot], next: next[slot] })
        });
    for _ in 0..steps(n) {
        let wanted = brackets.clone().map(|_, both| both.map(|bracket| bracket.next));
        let cells = brackets.clone();
        let found = read_exclusive(&mut machine.keep(&operators), "jump", wanted, cells)?;
        brackets = operators.clone().beside(brackets).beside(found).map(
            |_, ((operator, brackets), found)| {
                [0, 1].map(|slot| brackets[slot].jump(&operator, found[slot]))
            },
        );
    }
    Ok(operators.beside(brackets).map(|_, (operator, [open, close])| {
        operator.combine(open.sum, operator.inverse(close.sum))
    }))
}

/// The sum of the values in every vertex's subtree, modulo 2^32, from one ranking of the Euler
/// tour. The ledger has four phases, `tour: link`, `tour: seed`, `tour: contract` and
/// `tour: uncontract`.
///
/// # Errors
/// Several roots or none, links for another number of processors, and what stops the machine.
///
/// # Panics
/// If there is not exactly one value per processor.
pub fn leaffix_by_tour(
    machine: &mut Machine,
    links: &Memory<Links>,
    values: Memory<u32>,
) -> Result<Memory<u32>, ProgramError> {
    check_root(links)?;
    let linked = machine.takes(Gift::Predecessors);
    let nodes = if linked {
        linked_brackets::<1>(links).beside(values.clone()).map(|_, ([open, close], value)| {
            [Element { gap: value, ..open }, Element { gap: 0, ..close }].map(Node::linked)
        })
    } else {
        links.clone().beside(values.clone()).map(|me, (links, value)| {
            let [opening, closing] = Links::successors(me, links);
            let head = links.parent == NONE;
            [Node::new(head, opening, value, 0), Node::new(false, closing, 0, 0)]
        })
    };
    let ranks = run(&mut machine.keep(&values), "tour", nodes, linked)?.ranks.ranks;
    Ok(ranks.beside(values).map(|_, ([open, close], value)| {
        // The gap before the opening bracket is not between the two.
        close.wrapping_sub(open).wrapping_add(value)
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::collective::testing::{PATTERNS, Random, machine, machine_with, stagger};
    use crate::machine::{Given, MachineParams};
    use crate::program::tour::links_of;
    use crate::testing::{every_delivery, shape};
    use palmette_core::Tree;
    use palmette_core::generate::{Shape, generate, shuffle};
    use palmette_core::operator::Sum;
    use palmette_tree::leaffix::leaffix;

    /// Both ways, each on a machine of its own, on a tree with shuffled vertices.
    fn check(shape: Shape, random: &mut Random, [mut pram, mut tour]: [Machine; 2]) {
        let (n, seed) = (pram.processors(), random.below(1000));
        let parents = shuffle(&generate(shape, n, seed).unwrap(), seed);
        let tree = Tree::from_parents(&parents).unwrap();
        let values: Vec<i64> = (0..n).map(|_| random.below(2000) as i64 - 1000).collect();
        let ordered = tree.to_positions(&values).unwrap();
        let expected = leaffix(&tree, &ordered, &Sum::new(), Default::default()).unwrap();
        let expected = tree.to_vertices(&expected).unwrap();
        let links = links_of(&tree).unwrap();
        let words = Memory::new(n, |p| values[p as usize] as u32);
        let found = leaffix_by_pram(&mut pram, Sum::new(), &links, Memory::from(values));
        assert_eq!(found.unwrap().states(), expected, "{shape}, {n}");
        let found = leaffix_by_tour(&mut tour, &links, words).unwrap();
        let found = found.map(|_, sum| i64::from(sum as i32));
        assert_eq!(found.states(), expected, "{shape}, {n}");
    }

    #[test]
    fn sums_are_those_of_the_host() {
        let sizes = (1..=20).chain([100, 1000]);
        for (n, shape) in sizes.flat_map(|n| Shape::FREE.map(|shape| (n, shape))) {
            let mut random = Random(n as u64);
            let mut machines = [machine(n), machine(n)];
            machines.iter_mut().for_each(|machine| stagger(machine, &mut random));
            check(shape, &mut random, machines);
        }
    }

    #[test]
    fn sums_do_not_depend_on_delays() {
        every_delivery(PATTERNS, |params| {
            let mut random = Random(params.seed);
            let n = 1 + random.below(40) as usize;
            let given = [Given::NOTHING, Given::ALL][random.below(2) as usize];
            let params = MachineParams { given, ..params };
            let words = [leaffix_by_pram_words::<Sum<i64>>(n), LEAFFIX_BY_TOUR_WORDS];
            let machines = words.map(|words| machine_with(n, params.stating(words)));
            check(shape(&params), &mut random, machines);
        });
    }
}
