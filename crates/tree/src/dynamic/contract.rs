//! Contraction of the nodes in rounds, and its repair after changes.
//!
//! **Method.** In a round every node with one neighbour is raked into it, and of neighbouring nodes with
//! two neighbours the one with the largest hash is compressed into an edge, unless it has a leaf beside
//! it. What a node does depends on its slots and on its neighbours' degrees, so a change of slots spreads
//! by one neighbour per round and dies out; a round looks at the changed nodes and their neighbours, and
//! only those whose slots of the next round differ from what they were go on. A node that dies becomes a
//! *cluster* of itself and of what was contracted at its slots; clusters are added up in the same sweep,
//! round by round (`cluster.rs`).
//!
//! **Cost.** 1.0 to 1.7 log₂ n rounds at 2·10^5 vertices; a changed edge costs a few nodes in each. Lists of
//! more than [`WIDE`] nodes are looked at on all threads, and written on one.

use super::cluster::Cluster;
use super::shape::{Shape, Slot, Slots, degree};
use palmette_core::{Monoid, NONE};
use rayon::prelude::*;

/// What a repair asks of many nodes, in as few bytes as may be.
#[derive(Debug, Clone, Copy)]
struct Life {
    /// The round in which the node dies; of those that changed, decided round by round.
    death: u32,
    /// How many rounds after the first its slots are kept for.
    known: u32,
}

const ALIVE: u32 = u32::MAX;

const EARLY: usize = 2;

/// From how many nodes on a list is worth threads.
const WIDE: usize = 2048;

#[derive(Clone)]
pub(super) struct Contraction<M: Monoid> {
    pub(super) monoid: M,
    pub(super) values: Vec<M::Elem>,
    pub(super) shape: Shape,
    pub(super) clusters: Vec<Cluster<M::Elem>>,
    lives: Vec<Life>,
    /// By node, its slots in the second and third round, which most do not outlive.
    early: Vec<[Slots; EARLY]>,
    /// By node, its slots after those.
    later: Vec<Vec<Slots>>,
    stamps: Vec<u32>,
    stamp: u32,
    lists: Lists<M::Elem>,
}

/// Lists of a round, kept for the next one.
#[derive(Debug, Clone)]
struct Lists<E> {
    near: Vec<u32>,
    dying: Vec<bool>,
    next: Vec<Option<Slots>>,
    sums: Vec<(E, [E; 2])>,
    /// By round, clusters to add up, and how many there are.
    dirty: Vec<Vec<u32>>,
    pending: usize,
}

/// Does `work` for all of a list, on all threads if it is long.
fn gather<T: Send>(list: &[u32], out: &mut Vec<T>, work: impl Fn(u32) -> T + Sync) {
    if list.len() < WIDE || rayon::current_num_threads() == 1 {
        out.clear();
        out.extend(list.iter().map(|&v| work(v)));
    } else {
        list.par_iter().with_min_len(WIDE / 4).map(|&v| work(v)).collect_into_vec(out);
    }
}

/// Who goes first in a round.
#[inline]
fn chance(node: u32, round: u32) -> (u32, u32) {
    let mut x = node ^ round.wrapping_mul(0x9e37_79b9);
    x = (x ^ (x >> 16)).wrapping_mul(0x85eb_ca6b);
    x = (x ^ (x >> 13)).wrapping_mul(0xc2b2_ae35);
    (x ^ (x >> 16), node)
}

impl<M: Monoid> Contraction<M> {
    pub(super) fn new(monoid: M, values: &[M::Elem]) -> Self {
        let mut one = Contraction {
            shape: Shape::new(values.len()),
            monoid,
            values: values.to_vec(),
            clusters: Vec::new(),
            lives: Vec::new(),
            early: Vec::new(),
            later: Vec::new(),
            stamps: Vec::new(),
            stamp: 0,
            lists: Lists {
                near: Vec::new(),
                dying: Vec::new(),
                next: Vec::new(),
                sums: Vec::new(),
                dirty: Vec::new(),
                pending: 0,
            },
        };
        one.repair();
        (0u32..).zip(&mut one.clusters).for_each(|(v, cluster)| cluster.root = v);
        one
    }

    /// The slots of a node that lives in a round.
    #[inline]
    fn at(&self, round: u32, node: u32) -> &Slots {
        match round {
            0 => &self.shape.slots[node as usize],
            1..=2 => &self.early[node as usize][round as usize - 1],
            _ => &self.later[node as usize][round as usize - 1 - EARLY],
        }
    }

    fn dies(&self, round: u32, node: u32) -> bool {
        let slots = self.at(round, node);
        let mut ends = slots.iter().map(|slot| slot.to).filter(|&to| to != NONE);
        let of = |to: u32| degree(self.at(round, to));
        match (ends.next(), ends.next(), ends.next()) {
            (None, ..) => true,
            // Of two leaves that are left the smaller stays.
            (Some(to), None, _) => node > to || of(to) > 1,
            (Some(a), Some(b), None) => {
                let mine = chance(node, round);
                [a, b].into_iter().all(|to| match of(to) {
                    1 => false,
                    2 => mine > chance(to, round),
                    _ => true,
                })
            }
            _ => false,
        }
    }

    /// The slots of a node in the next round, which it lives to see.
    fn after(&self, round: u32, node: u32) -> Slots {
        self.at(round, node).map(|slot| {
            if slot.to == NONE || self.lives[slot.to as usize].death != round {
                return slot;
            }
            let mut others = self.at(round, slot.to).iter().map(|other| other.to);
            let to = others.find(|&to| to != NONE && to != node).unwrap_or(NONE);
            Slot { to, via: slot.to }
        })
    }

    /// Adds to a list, once.
    fn note(stamps: &mut [u32], stamp: u32, list: &mut Vec<u32>, node: u32) {
        if std::mem::replace(&mut stamps[node as usize], stamp) != stamp {
            list.push(node);
        }
    }

    /// Nodes, each once, and after them their neighbours in a round.
    fn with_neighbours(&mut self, round: u32, nodes: &[u32], out: &mut Vec<u32>) {
        self.stamp += 1;
        out.clear();
        for &v in nodes {
            Self::note(&mut self.stamps, self.stamp, out, v);
        }
        for k in 0..out.len() {
            let ends = self.at(round, out[k]).map(|slot| slot.to);
            for to in ends.into_iter().filter(|&to| to != NONE) {
                Self::note(&mut self.stamps, self.stamp, out, to);
            }
        }
    }

    /// Contracts anew what changed in the shape.
    pub(super) fn repair(&mut self) {
        let identity = self.monoid.identity();
        let fresh = Cluster {
            slots: super::shape::EMPTY,
            parent: NONE,
            death: ALIVE,
            root: NONE,
            total: identity,
            products: [identity; 2],
        };
        self.clusters.resize(self.shape.slots.len(), fresh);
        self.lives.resize(self.shape.slots.len(), Life { death: ALIVE, known: 0 });
        self.early.resize(self.shape.slots.len(), [super::shape::EMPTY; EARLY]);
        self.later.resize_with(self.shape.slots.len(), Vec::new);
        self.stamps.resize(self.shape.slots.len(), 0);
        let mut live = std::mem::take(&mut self.shape.changed);
        self.sweep(&mut live);
        live.clear();
        self.shape.changed = live;
    }

    /// Adds clusters up again, and all that they lie in.
    pub(super) fn add_up(&mut self, nodes: impl Iterator<Item = u32>) {
        for node in nodes {
            self.mark(node);
        }
        self.sweep(&mut Vec::new());
    }

    fn mark(&mut self, node: u32) {
        let death = self.lives[node as usize].death as usize;
        if self.lists.dirty.len() <= death {
            self.lists.dirty.resize_with(death + 1, Vec::new);
        }
        self.lists.dirty[death].push(node);
        self.lists.pending += 1;
    }

    /// Goes through the rounds with the nodes that changed and the clusters that are to be added up.
    fn sweep(&mut self, live: &mut Vec<u32>) {
        if self.stamp > u32::MAX - 10_000 {
            self.stamps.fill(0);
            self.stamp = 0;
        }
        let mut near = std::mem::take(&mut self.lists.near);
        let mut dying = std::mem::take(&mut self.lists.dying);
        let mut next = std::mem::take(&mut self.lists.next);
        let mut moved = Vec::new();
        let mut round = 0;
        while !live.is_empty() || self.lists.pending > 0 {
            if !live.is_empty() {
                if live.len() >= WIDE {
                    // In the order of memory.
                    live.par_sort_unstable();
                }
                self.decide(round, live, &mut near, &mut dying, &mut moved);
                self.with_neighbours(round, &moved, &mut near);
                gather(&near, &mut next, |node| match self.lives[node as usize].death == round {
                    true => None,
                    false => {
                        let slots = self.after(round, node);
                        let is_known = self.lives[node as usize].known > round;
                        (!is_known || *self.at(round + 1, node) != slots).then_some(slots)
                    }
                });
                moved.iter().for_each(|&node| self.bury(round, node));
                live.clear();
                for (&node, slots) in near.iter().zip(&next) {
                    let Some(slots) = slots else { continue };
                    self.keep(round, node, *slots);
                    live.push(node);
                }
            }
            self.add_round(round);
            round += 1;
        }
        self.lists.near = near;
        self.lists.dying = dying;
        self.lists.next = next;
    }

    /// Writes the slots of a node in the round after this one.
    fn keep(&mut self, round: u32, node: u32, slots: Slots) {
        let place = round as usize;
        if let Some(early) = self.early[node as usize].get_mut(place) {
            *early = slots;
        } else {
            let later = &mut self.later[node as usize];
            match later.get_mut(place - EARLY) {
                Some(old) => *old = slots,
                None => later.push(slots),
            }
        }
        let known = &mut self.lives[node as usize].known;
        *known = (*known).max(round + 1);
    }

    /// Who dies in a round; `moved` are those that changed, or decided otherwise than before.
    fn decide(
        &mut self,
        round: u32,
        live: &[u32],
        near: &mut Vec<u32>,
        dying: &mut Vec<bool>,
        moved: &mut Vec<u32>,
    ) {
        self.with_neighbours(round, live, near);
        gather(near, dying, |node| self.dies(round, node));
        moved.clear();
        // In the first round some are in the list twice, so places do not tell who changed.
        let changed = self.stamp + 1;
        self.stamp = changed;
        live.iter().for_each(|&node| self.stamps[node as usize] = changed);
        for (&node, &dies) in near.iter().zip(&*dying) {
            let death = &mut self.lives[node as usize].death;
            let died = *death == round;
            if dies {
                *death = round;
            } else if died {
                *death = ALIVE;
            }
            if died != dies || self.stamps[node as usize] == changed {
                moved.push(node);
            }
        }
    }

    /// Makes a cluster of a node that dies in this round, with other slots than before.
    fn bury(&mut self, round: u32, node: u32) {
        if self.lives[node as usize].death != round {
            return;
        }
        let slots = *self.at(round, node);
        for via in slots.iter().map(|slot| slot.via).filter(|&via| via != NONE) {
            self.clusters[via as usize].parent = node;
        }
        let cluster = &mut self.clusters[node as usize];
        (cluster.slots, cluster.death) = (slots, round);
        self.lives[node as usize].known = round;
        if degree(&slots) == 0 {
            cluster.parent = NONE;
        }
        self.mark(node);
    }

    /// Adds up the clusters of a round that are to be, and marks those that they lie in.
    fn add_round(&mut self, round: u32) {
        let Some(list) = self.lists.dirty.get_mut(round as usize) else { return };
        let mut list = std::mem::take(list);
        self.lists.pending -= list.len();
        self.stamp += 1;
        list.retain(|&node| {
            let is_new = self.stamps[node as usize] != self.stamp;
            self.stamps[node as usize] = self.stamp;
            // Others died in other rounds than before, and are marked there.
            is_new && self.lives[node as usize].death == round
        });
        let mut sums = std::mem::take(&mut self.lists.sums);
        gather(&list, &mut sums, |node| self.sums(node));
        for (&node, &(total, products)) in list.iter().zip(&sums) {
            let cluster = &mut self.clusters[node as usize];
            (cluster.total, cluster.products) = (total, products);
            let parent = cluster.parent;
            if parent != NONE {
                let death = self.lives[parent as usize].death;
                // One that lives is changing, and will be marked when it dies.
                if death > round && death != ALIVE {
                    self.mark(parent);
                }
            }
        }
        self.lists.sums = sums;
        list.clear();
        self.lists.dirty[round as usize] = list;
    }
}
