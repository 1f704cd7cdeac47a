//! Runs of list ranking on one list whose elements lie at random.

use super::*;
use palmette_spatial::program::list_ranking::Element;

/// A random list: who comes before every element, and its rank.
pub(super) struct List {
    pub(super) predecessors: Vec<u32>,
    pub(super) ranks: Vec<u32>,
}

impl List {
    /// A path with its vertices numbered at random: parents are predecessors.
    pub(super) fn new(study: &Study, n: usize) -> Result<List, SweepError> {
        let path: Tree = study.shuffled(Shape::Path, n)?;
        let before = |&at: &u32| path.parent(at).map_or(NONE, |p| path.vertices()[p as usize]);
        let predecessors = path.positions().iter().map(before).collect();
        Ok(List { predecessors, ranks: path.positions().to_vec() })
    }

    fn elements(&self) -> Vec<[Element; 1]> {
        let element = |&predecessor: &u32| Element { predecessor, ..Element::ALONE };
        let mut elements: Vec<[Element; 1]> =
            self.predecessors.iter().map(|p| [element(p)]).collect();
        for (e, &before) in self.predecessors.iter().enumerate().filter(|(_, p)| **p != NONE) {
            elements[before as usize][0].successor = e as u32;
        }
        elements
    }
}

pub(super) fn run(study: &Study, case: Case) -> Result<Run, SweepError> {
    let list = List::new(study, case.n)?;
    let mut machine = study.machine(case.n, study.method.rank_words::<1>())?;
    let found = study.method.rank(&mut machine, "list", Memory::from(list.elements()))?;
    let correct = found.ranks.states().iter().flatten().eq(&list.ranks);
    let mut run = Run::on(&machine, case, Some(found.rounds), correct);
    run.finding(Claim::Theorem5, case.n, run.costs);
    Ok(run)
}
