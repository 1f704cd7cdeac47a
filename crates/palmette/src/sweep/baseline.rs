//! What the same takes without a layout, for comparison.
//!
//! **Method.** *PRAM*: Wyllie's pointer jumping, all memory being shared: along the Euler tour for
//! sums over subtrees, along predecessors for the ranks of a list. No cell has two readers, so
//! reads are exclusive. *Euler tour*: the tour of the tree is ranked, with values as gaps. Sums
//! over subtrees stand for all programs on trees; they are what lowest common ancestors and layout
//! creation begin with.
//!
//! **Cost.** O(n^1.5 log n) energy and 2 log 2n depth; O(n^1.5) energy and O(log n) depth.
//!
//! **Reference.** Wyllie, *The complexity of parallel computations*, 1979; for the
//! simulation section II-A of *Low-Depth Spatial Tree Algorithms*.

use super::lists::List;
use super::*;
use palmette_spatial::collective::{read_exclusive, read_exclusive_words};
use palmette_spatial::plain;
use palmette_spatial::program::pram::{
    LEAFFIX_BY_TOUR_WORDS, leaffix_by_pram, leaffix_by_pram_words, leaffix_by_tour,
};
use palmette_tree::leaffix::leaffix as on_host;

named! {
    /// What a program is compared with.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    pub enum Baseline("baseline") {
        /// Pointer jumping in a shared memory.
        Pram = "PRAM",
        /// A ranking of the Euler tour.
        Tour = "Euler tour",
    }
}

impl Baseline {
    /// Those of a program: on lists, ranking a tour would be the program itself.
    pub(super) const fn of(program: StudyProgram) -> &'static [Baseline] {
        if program.has_shapes() { &Baseline::ALL } else { &[Baseline::Pram] }
    }
}

/// Sums over subtrees. Vertices lie where the program's do: at random where it makes a
/// layout, else in light-first order.
pub(super) fn leaffix(
    study: &Study,
    (case, baseline): (Case, Baseline),
    shape: Shape,
) -> Result<Run, SweepError> {
    let tree = match study.program {
        StudyProgram::Layout => study.shuffled(shape, case.n)?,
        _ => Tree::from_parents(study.layout(shape, case.n)?.tree().parents())?,
    };
    let values = study.values(case.n);
    let (sum, links) = (Sum::<i64>::new(), links_of(&tree)?);
    let words = match baseline {
        Baseline::Pram => leaffix_by_pram_words::<Sum<i64>>(case.n),
        Baseline::Tour => LEAFFIX_BY_TOUR_WORDS,
    };
    let mut machine = study.machine(case.n, words)?;
    let found = match baseline {
        Baseline::Pram => leaffix_by_pram(&mut machine, sum, &links, values.clone().into())?,
        Baseline::Tour => {
            // Values and sums are far below 2^31.
            let words = Memory::new(case.n, |v| values[v as usize] as u32);
            leaffix_by_tour(&mut machine, &links, words)?.map(|_, sum| i64::from(sum as i32))
        }
    };
    let expected = on_host(&tree, &tree.to_positions(&values)?, &sum, TreefixParams::default())?;
    let correct = tree.to_vertices(&expected)? == found.states();
    Ok(Run::on(&machine, case, None, correct))
}

plain! {
    /// An element that points to an earlier one, and how far that is.
    #[derive(Debug, Clone, Copy)]
    struct Jump {
        before: u32,
        rank: u32,
    }
}

/// Ranks of a list.
pub(super) fn list_ranking(study: &Study, case: Case) -> Result<Run, SweepError> {
    let list = List::new(study, case.n)?;
    let steps = case.n.next_power_of_two().ilog2();
    let words = read_exclusive_words::<1, Jump>(steps.saturating_sub(1) as usize);
    let mut machine = study.machine(case.n, words)?;
    let mut jumps = Memory::from(list.predecessors)
        .map(|_, before| Jump { before, rank: u32::from(before != NONE) });
    for _ in 0..steps {
        let wanted = jumps.clone().map(|_, jump| [jump.before]);
        let cells = jumps.clone().map(|_, jump| [jump]);
        let found = read_exclusive(&mut machine, "jump", wanted, cells)?;
        jumps = jumps.beside(found).map(|_, (jump, [found])| match found {
            Some(other) => Jump { before: other.before, rank: jump.rank + other.rank },
            None => jump,
        });
    }
    let ranks = jumps.map(|_, jump| jump.rank);
    Ok(Run::on(&machine, case, None, ranks.states() == list.ranks))
}
