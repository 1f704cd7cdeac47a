//! Leaffix by a PRAM algorithm: the baseline that spatial programs are compared with.
//!
//! **Problem.** Vertex `v` lies on processor `v`, knows its [`Links`] and has a value; it is
//! to learn the combination of all values in its subtree, in the order of a walk around
//! the tree. The operator must have inverses.
//!
//! **Method.** Wyllie's pointer jumping on the Euler tour: every bracket has a pointer to
//! the next and a sum from itself up to there. In a step it adds the sum of the one that it
//! points to, and from then on points where that does; after ⌈log2 2n⌉ steps no pointer is
//! left. A vertex's subtree is what its opening bracket has summed up, without what its
//! closing one has. Memory is shared, as if it were a PRAM's: a processor has both
//! brackets of its vertex, and a step is two [reads](Pram::read), one for each.
//!
//! **Cost.** O(n log n) work on a PRAM; on the grid O(n^1.5 log n) energy and O(log³ n)
//! depth, because every read sorts. Measured on random recursive trees with shuffled
//! vertices, sums of `i64`, on the Hilbert curve: 148 n^1.5 energy and depth 897 at
//! n = 2^8, 198 and 1547 at 2^10, 246 and 2483 at 2^12, 293 and 3735 at 2^14: up to 19.5
//! n^1.5 per step. 87 words per processor; at most four messages are received in a step.
//!
//! **Determinism.** Sums are bracketed by the tour alone.
//!
//! **Reference.** Wyllie, *The complexity of parallel computations*, 1979; for the
//! simulation section II-A of *Low-Depth Spatial Tree Algorithms*.
//!
//! **When not to use.** For anything but comparisons.

use super::ProgramError;
use super::tour::Links;
use crate::collective::{Network, Pram, Range};
use crate::machine::{Fold, Machine, Memory, Plain};
use crate::plain;
use palmette_core::{Group, NONE};

plain! {
    /// The brackets of a vertex: sums of what comes before the brackets that they point to.
    #[derive(Debug, Clone, Copy)]
    struct Brackets<E> {
        sums: [E; 2],
        next: [u32; 2],
    }
}

impl<E: Plain> Brackets<E> {
    /// The processor that the bracket in a slot points to.
    fn wanted<const SLOT: usize>(_: u32, brackets: Brackets<E>) -> Option<u32> {
        let next = brackets.next[SLOT];
        (next != NONE).then_some(next / 2)
    }

    /// The bracket in a slot jumps over the one that it points to.
    fn jump<G: Group<Elem = E>>(&mut self, slot: usize, operator: &G, found: Option<Brackets<E>>) {
        if let Some(other) = found {
            let which = (self.next[slot] % 2) as usize;
            self.sums[slot] = operator.combine(self.sums[slot], other.sums[which]);
            self.next[slot] = other.next[which];
        }
    }
}

/// The combination of the values in every vertex's subtree, as a PRAM finds it. The
/// ledger's phases begin with `jump`.
///
/// ```
/// use palmette_core::operator::Sum;
/// use palmette_core::{NONE, Tree};
/// use palmette_spatial::collective::Network;
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
/// let sums = leaffix_by_pram(&mut machine, Network::OddEven, Sum::new(), &links, values)?;
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
    network: Network,
    operator: G,
    links: &Memory<Links>,
    values: Memory<G::Elem>,
) -> Result<Memory<G::Elem>, ProgramError> {
    super::tour::check_root(links)?;
    let n = machine.processors();
    let pram = Pram { processors: Range::new(0, n as u32), network };
    let operators = Memory::new(n, |_| operator);
    let next = links.clone().map(Links::successors);
    let mut brackets =
        operators.clone().beside(values).beside(next).map(|_, ((operator, value), next)| {
            Brackets { sums: [value, operator.identity()], next }
        });
    for _ in 0..(2 * n).next_power_of_two().ilog2() {
        let wanted = brackets.clone().map(Brackets::wanted::<0>);
        let after_open = pram.read(machine, "jump", wanted, brackets.clone())?;
        let wanted = brackets.clone().map(Brackets::wanted::<1>);
        let after_close = pram.read(machine, "jump", wanted, brackets.clone())?;
        let found = after_open.beside(after_close);
        brackets = operators.clone().beside(brackets).beside(found).map(
            |_, ((operator, mut brackets), (after_open, after_close))| {
                brackets.jump(0, &operator, after_open);
                brackets.jump(1, &operator, after_close);
                brackets
            },
        );
    }
    Ok(operators.beside(brackets).map(|_, (operator, Brackets { sums: [open, close], .. })| {
        operator.combine(open, operator.inverse(close))
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::collective::testing::{Random, machine, stagger};
    use crate::program::tour::links_of;
    use palmette_core::Tree;
    use palmette_core::generate::{Shape, generate, shuffle};
    use palmette_core::operator::Sum;
    use palmette_tree::leaffix::leaffix;

    #[test]
    fn sums_are_those_of_the_host() {
        let sizes = (1..=20).chain([100, 1000]);
        for (n, shape) in sizes.flat_map(|n| Shape::FREE.map(|shape| (n, shape))) {
            let seed = n as u64;
            let parents = shuffle(&generate(shape, n, seed).unwrap(), seed);
            let tree = Tree::from_parents(&parents).unwrap();
            let mut machine = machine(n);
            let mut random = Random(seed);
            stagger(&mut machine, &mut random);
            let values: Vec<i64> = (0..n).map(|_| random.below(2000) as i64 - 1000).collect();
            let ordered = tree.to_positions(&values).unwrap();
            let expected = leaffix(&tree, &ordered, &Sum::new(), Default::default()).unwrap();
            let expected = tree.to_vertices(&expected).unwrap();
            let network = if n % 2 == 0 { Network::Bitonic } else { Network::OddEven };
            let (links, values) = (links_of(&tree).unwrap(), Memory::from(values));
            let found = leaffix_by_pram(&mut machine, network, Sum::new(), &links, values);
            assert_eq!(found.unwrap().states(), expected, "{shape}, {n}");
            assert!(machine.most_received() <= 4);
        }
    }
}
