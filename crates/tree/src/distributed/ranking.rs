//! Where every vertex stands in the preorder, by ranking the Euler tour.
//!
//! See the [module above](super). A node is a stretch of the tour on one rank; its weight is
//! the number of vertices that it enters.

use super::children::Links;
use super::ranks::{Metered, Ranks, RanksError};
use super::ranks::{Slices, ask, send};
use super::tour::{END, Heads, Tour};
use super::{DistributedError, NO_VERTEX};
use palmette_core::random::mixed;

/// Below so many nodes everybody ranks them all at once.
const FEW: u64 = 1024;

/// Everybody ranks one node in so many of a rank's: they are walked one after another, which
/// costs more than to let nodes leave.
const REST: u64 = 8;

/// By vertex of the slice.
pub(super) struct Places {
    pub(super) positions: Vec<u64>,
    /// The vertices of the subtree.
    pub(super) sizes: Vec<u64>,
}

pub(super) fn places<R: Ranks>(
    ranks: &mut Metered<R>,
    slices: &Slices,
    parents: &[u64],
    links: &Links,
    seed: u64,
) -> Result<Places, DistributedError> {
    let tour = Tour { own: slices.of(ranks.rank()), parents, links };
    let heads = tour.heads();
    let mut seen = 0;
    let stretches = tour.walk(&heads, |_, _, _| seen += 1);
    // What no stretch reaches goes round on this rank.
    let lost = seen < 2 * parents.len();
    ranks.agree(if lost { Err(lost_vertex(&tour, &heads)) } else { Ok(()) })?;
    let mut list = List::link(ranks, slices, &tour, &heads, &stretches)?;
    drop(stretches);
    let (spliced, round) = list.contract(ranks, seed)?;
    let rest = list.rank_rest(ranks, |k| tour.own.start + u64::from(heads.elements[k] / 2));
    let mut places = ranks.agree(rest)?;
    list.expand(ranks, spliced, round, &mut places)?;
    let mut enter = vec![0; parents.len()];
    let mut exit = vec![0; parents.len()];
    tour.walk(&heads, |stretch, element, before| {
        let at = if element.is_multiple_of(2) { &mut enter } else { &mut exit };
        at[(element / 2) as usize] = places[stretch] + before;
    });
    exit.iter_mut().zip(&enter).for_each(|(exit, enter)| *exit -= enter);
    Ok(Places { positions: enter, sizes: exit })
}

fn lost_vertex(tour: &Tour<'_>, heads: &Heads) -> DistributedError {
    let mut seen = vec![false; 2 * tour.parents.len()];
    tour.walk(heads, |_, element, _| seen[element as usize] = true);
    let lost = seen.iter().position(|&seen| !seen).unwrap_or(0);
    DistributedError::Cycle { vertex: tour.own.start + lost as u64 / 2 }
}

/// A list of nodes, linked both ways.
struct List {
    slices: Slices,
    rank: usize,
    before: Vec<u64>,
    after: Vec<u64>,
    weight: Vec<u64>,
    /// Those that have not left, by their places here.
    active: Vec<u32>,
}

/// That a node of this rank has taken over the one after it.
struct Splice {
    node: u32,
    /// Who left.
    gone: u64,
    /// The weight of the node before.
    weight: u64,
}

impl List {
    /// Numbers the stretches of all ranks, and tells each its neighbours.
    fn link<R: Ranks>(
        ranks: &mut Metered<R>,
        vertices: &Slices,
        tour: &Tour<'_>,
        heads: &Heads,
        stretches: &[super::tour::Stretch],
    ) -> Result<List, RanksError> {
        let slices = Slices::agreed(ranks, stretches.len())?;
        let rank = ranks.rank();
        let first = slices.of(rank).start;
        let mut before = vec![NO_VERTEX; stretches.len()];
        let linked = || (first..).zip(stretches).filter(|(_, stretch)| stretch.next != END);
        let questions: Vec<_> = linked()
            .map(|(node, stretch)| (vertices.owner(stretch.next / 2), [stretch.next, node]))
            .collect();
        let answers = ask(ranks, &questions, |[element, node]| {
            let place = tour.place(element).expect("asked for an element of this rank");
            let own = heads.number(place);
            before[own] = node;
            [first + own as u64]
        })?;
        let mut after = vec![NO_VERTEX; stretches.len()];
        for ((node, _), [next]) in linked().zip(answers) {
            after[(node - first) as usize] = next;
        }
        let weight = stretches.iter().map(|stretch| stretch.enters).collect();
        let active = (0..stretches.len() as u32).collect();
        Ok(List { slices, rank, before, after, weight, active })
    }

    fn own(&self) -> std::ops::Range<u64> {
        self.slices.of(self.rank)
    }

    /// Lets nodes leave until few are left; who took over whom, and where in that list each
    /// round begins.
    fn contract<R: Ranks>(
        &mut self,
        ranks: &mut Metered<R>,
        seed: u64,
    ) -> Result<(Vec<Splice>, Vec<usize>), DistributedError> {
        let few = (self.slices.total() / (REST * ranks.ranks() as u64)).max(FEW);
        let (mut spliced, mut rounds) = (Vec::new(), Vec::new());
        let mut left = self.slices.total();
        while left > few {
            rounds.push(spliced.len());
            let salt = mixed(seed ^ rounds.len() as u64);
            self.round(ranks, salt, &mut spliced)?;
            let remaining = ranks.sum(self.active.len() as u64)?;
            if remaining == left {
                // Only rings of one node, which nobody can leave.
                break;
            }
            left = remaining;
        }
        Ok((spliced, rounds))
    }

    fn round<R: Ranks>(
        &mut self,
        ranks: &mut Metered<R>,
        salt: u64,
        spliced: &mut Vec<Splice>,
    ) -> Result<(), RanksError> {
        let first = self.own().start;
        let priority = |node: u64| (mixed(node ^ salt), node);
        let leaves = |&k: &u32| {
            let (node, k) = (first + u64::from(k), k as usize);
            let (before, after) = (self.before[k], self.after[k]);
            before != NO_VERTEX
                && priority(node) > priority(before)
                && (after == NO_VERTEX || priority(node) > priority(after))
        };
        let (gone, active): (Vec<u32>, Vec<u32>) = self.active.iter().partition(|k| leaves(k));
        // The low bit tells who gets a new successor from who gets a new predecessor.
        let mail = send(ranks, |post| {
            for &k in &gone {
                let (node, k) = (first + u64::from(k), k as usize);
                let (before, after) = (self.before[k], self.after[k]);
                post(self.slices.owner(before), &[2 * before, node, after, self.weight[k]]);
                if after != NO_VERTEX {
                    post(self.slices.owner(after), &[2 * after + 1, before]);
                }
            }
        })?;
        let mut words = mail.words.iter().copied();
        while let (Some(subject), Some(word)) = (words.next(), words.next()) {
            let k = (subject / 2 - first) as usize;
            if subject % 2 == 1 {
                self.before[k] = word;
                continue;
            }
            let (Some(after), Some(weight)) = (words.next(), words.next()) else { break };
            spliced.push(Splice { node: k as u32, gone: word, weight: self.weight[k] });
            self.after[k] = after;
            self.weight[k] += weight;
        }
        self.active = active;
        Ok(())
    }

    /// Ranks those that are left, on every rank, and returns the places of this rank's nodes.
    /// `vertex` names one of a node, by its place here.
    fn rank_rest<R: Ranks>(
        &self,
        ranks: &mut Metered<R>,
        vertex: impl Fn(usize) -> u64,
    ) -> Result<Vec<u64>, DistributedError> {
        let own = self.own();
        let record = |&k: &u32| {
            let (node, k) = (own.start + u64::from(k), k as usize);
            [2 * node + u64::from(self.before[k] == NO_VERTEX), self.after[k], self.weight[k]]
        };
        let words: Vec<u64> = self.active.iter().flat_map(record).collect();
        let all = ranks.gather(&words)?;
        let rest = all.records::<3>();
        let mut places = vec![NO_VERTEX; self.before.len()];
        let mut at = rest.iter().position(|[node, ..]| node % 2 == 1);
        let mut place = 0;
        while let Some([node, after, weight]) = at.map(|k| rest[k]) {
            if own.contains(&(node / 2)) {
                places[(node / 2 - own.start) as usize] = place;
            }
            place += weight;
            at = rest.binary_search_by_key(&after, |[node, ..]| node / 2).ok();
        }
        let lost = self.active.iter().find(|&&k| places[k as usize] == NO_VERTEX);
        match lost {
            // The beginning does not lead there.
            Some(&k) => Err(DistributedError::Cycle { vertex: vertex(k as usize) }),
            None => Ok(places),
        }
    }

    /// Tells those that left their places, the last first.
    fn expand<R: Ranks>(
        &self,
        ranks: &mut Metered<R>,
        mut spliced: Vec<Splice>,
        rounds: Vec<usize>,
        places: &mut [u64],
    ) -> Result<(), RanksError> {
        let first = self.own().start;
        for &begin in rounds.iter().rev() {
            let mail = send(ranks, |post| {
                for splice in &spliced[begin..] {
                    let place = places[splice.node as usize] + splice.weight;
                    post(self.slices.owner(splice.gone), &[splice.gone, place]);
                }
            })?;
            spliced.truncate(begin);
            for &[node, place] in mail.records() {
                places[(node - first) as usize] = place;
            }
        }
        Ok(())
    }
}
