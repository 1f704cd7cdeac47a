//! Ways up through the clusters, and what is learned on them.
//!
//! **Method.** A vertex lies in the cluster of its head, that in the cluster of its parent, and so on. A
//! cluster has at most two *exits*, the neighbours that it lies between; a climb carries something for
//! each. Clusters are entered by rising round of death, so two climbs meet in the smallest cluster
//! that has both vertices, and the way between them goes through the node of that cluster.
//!
//! **Cost.** As many steps as clusters lie in one another, at most the number of rounds; nothing is
//! written, so any number of threads may climb at once.

use super::contract::Contraction;
use super::shape::{Slot, towards};
use palmette_core::{Monoid, NONE};

/// On the way up.
pub(super) struct Climb<T> {
    /// The cluster that has all so far; `NONE` at the start.
    pub(super) inside: u32,
    /// The node whose cluster is entered next; `NONE` at the end.
    pub(super) next: u32,
    /// The exits of `inside`, with what is carried.
    exits: [(u32, T); 2],
}

impl<T: Copy> Climb<T> {
    /// Starts at a node.
    pub(super) fn new(node: u32, carried: T) -> Self {
        Climb { inside: NONE, next: node, exits: [(node, carried), (NONE, carried)] }
    }

    /// What is carried to an exit.
    pub(super) fn carried(&self, exit: u32) -> T {
        self.exits[usize::from(self.exits[0].0 != exit)].1
    }

    /// Goes on from the cluster of `node`, with what is carried to its exits.
    fn enter<M: Monoid>(&mut self, forest: &Contraction<M>, mut through: impl FnMut(Slot) -> T) {
        let node = self.next;
        let cluster = &forest.clusters[node as usize];
        let mut exits = [(NONE, self.exits[0].1); 2];
        let ends = cluster.slots.iter().filter(|slot| slot.to != NONE);
        for (exit, slot) in exits.iter_mut().zip(ends) {
            // It came along this very edge: the way out is as it was.
            let along = self.inside != NONE && slot.via == self.inside;
            *exit = (slot.to, if along { self.carried(slot.to) } else { through(*slot) });
        }
        *self = Climb { inside: node, next: cluster.parent, exits };
    }

    /// One cluster up. `through` says what to carry from the node of the cluster along an edge, from what
    /// was carried to the node.
    pub(super) fn step<M: Monoid>(
        &mut self,
        forest: &Contraction<M>,
        mut through: impl FnMut(T, u32, Slot) -> T,
    ) {
        let node = self.next;
        let here = self.carried(node);
        self.enter(forest, |slot| through(here, node, slot));
    }
}

/// A climb that carries vertices: at the start with the last one on the way that the cluster lies on.
struct Middle {
    climb: Climb<u32>,
    /// Where the vertex hangs from the way between the exits.
    hangs: u32,
}

impl<M: Monoid> Contraction<M> {
    /// When a node is entered: rounds first.
    fn turn(&self, node: u32) -> (u32, u32) {
        match node {
            NONE => (u32::MAX, NONE),
            _ => (self.clusters[node as usize].death, node),
        }
    }

    /// The last cluster of a vertex's tree.
    pub(super) fn top(&self, v: u32) -> u32 {
        let mut node = v;
        while self.clusters[node as usize].parent != NONE {
            node = self.clusters[node as usize].parent;
        }
        node
    }

    pub(super) fn root(&self, v: u32) -> u32 {
        self.clusters[self.top(v) as usize].root
    }

    /// The product of the way from `a` to `b`, with both; none if there is no way.
    pub(super) fn path(&self, a: u32, b: u32) -> Option<M::Elem> {
        let join = |x, y| self.monoid.combine(x, y);
        let identity = self.monoid.identity();
        let skipped = |node: u32, slot: Slot| {
            let owner = self.shape.owner(node);
            match self.shape.owner(slot.to) == owner {
                true => identity,
                false => self.values[owner as usize],
            }
        };
        let (mut from, mut to) = (Climb::new(a, identity), Climb::new(b, identity));
        while from.next != to.next {
            if self.turn(from.next) < self.turn(to.next) {
                from.step(self, |x, node, slot| {
                    join(join(x, skipped(node, slot)), self.between(node, slot))
                });
            } else {
                to.step(self, |x, node, slot| {
                    let back = Slot { to: node, via: slot.via };
                    join(self.between(slot.to, back), join(skipped(node, slot), x))
                });
            }
        }
        let met = from.next;
        if met == NONE {
            return None;
        }
        let middle = self.values[self.shape.owner(met) as usize];
        Some(join(join(from.carried(met), middle), to.carried(met)))
    }

    /// The vertex that all ways between two of three vertices of a tree pass.
    pub(super) fn median(&self, three: [u32; 3]) -> u32 {
        let start = |v| Middle { climb: Climb::new(v, v), hangs: v };
        let mut all = three.map(start);
        let (pair, mut last) = loop {
            let turns = [0, 1, 2].map(|k| self.turn(all[k].climb.next));
            let first = turns.into_iter().min().unwrap_or((0, NONE));
            let here = [0, 1, 2].map(|k| turns[k] == first);
            match here.into_iter().filter(|&is| is).count() {
                3 => return self.shape.owner(first.1),
                2 => {
                    let last = here.iter().position(|&is| !is).unwrap_or(0);
                    let [a, b, c] = all;
                    break match last {
                        0 => ([b, c], a.climb),
                        1 => ([a, c], b.climb),
                        _ => ([a, b], c.climb),
                    };
                }
                _ => {
                    let k = here.iter().position(|&is| is).unwrap_or(0);
                    self.hang(&mut all[k]);
                }
            }
        };
        // They met; from here on, one climb carries what a third one would pass for each exit.
        let [a, b] = pair;
        let node = a.climb.next;
        let mut both = Climb::new(node, self.shape.owner(node));
        both.enter(self, |slot| {
            let through = [&a, &b]
                .into_iter()
                .find(|one| one.climb.inside != NONE && one.climb.inside == slot.via);
            self.shape.owner(through.map_or(node, |one| one.hangs))
        });
        while both.next != last.next {
            if self.turn(both.next) < self.turn(last.next) {
                both.step(self, |v, _, _| v);
            } else {
                last.step(self, |v, _, _| v);
            }
        }
        both.carried(both.next)
    }

    /// One cluster up.
    fn hang(&self, one: &mut Middle) {
        let (node, inside) = (one.climb.next, one.climb.inside);
        let slots = &self.clusters[node as usize].slots;
        let along = slots.iter().any(|slot| slot.to != NONE && slot.via == inside);
        if inside == NONE || !along {
            one.hangs = node;
        }
        one.climb.step(self, |v, _, _| v);
    }

    /// The first vertex after that of a node on the way to the neighbour in a slot, which is of another
    /// vertex.
    fn first_after(&self, mut node: u32, mut slot: Slot) -> u32 {
        let v = self.shape.owner(node);
        while slot.via != NONE {
            let inner = &self.clusters[slot.via as usize].slots;
            if self.shape.owner(slot.via) == v {
                (node, slot) = (slot.via, towards(inner, slot.to));
            } else {
                slot = Slot { to: slot.via, via: towards(inner, node).via };
            }
        }
        self.shape.owner(slot.to)
    }

    /// The neighbour of `v` on the way to another vertex of its tree.
    pub(super) fn neighbour_towards(&self, v: u32, other: u32) -> u32 {
        // Somewhere within a cluster of `v`?
        let (mut inside, mut node) = (NONE, other);
        while node != NONE && self.shape.owner(node) != v {
            (inside, node) = (node, self.clusters[node as usize].parent);
        }
        if node != NONE && inside != NONE {
            let back = towards(&self.clusters[inside as usize].slots, node);
            return self.first_after(node, Slot { to: inside, via: back.via });
        }
        let (mut from, mut to) = (Climb::new(v, NONE), Climb::new(other, NONE));
        while from.next != to.next {
            if self.turn(from.next) < self.turn(to.next) {
                from.step(self, |found, node, slot| match found {
                    NONE if self.shape.owner(slot.to) != v => self.first_after(node, slot),
                    found => found,
                });
            } else {
                to.step(self, |v, _, _| v);
            }
        }
        from.carried(from.next)
    }

    /// The product of all vertices on `v`'s side of its edge to `u`, in no order that means anything.
    pub(super) fn side(&self, v: u32, u: u32) -> Option<M::Elem> {
        let [near, far] = self.shape.ends(v, u)?;
        let first = if self.turn(near) < self.turn(far) { near } else { far };
        let mut sum = self.monoid.identity();
        // Carries whether an exit is on the side of `v`; the plain edge is where it is crossed.
        let mut climb = Climb::new(first, first == near);
        let mut add = |node: u32, without: u32| {
            let slots = &self.clusters[node as usize].slots;
            sum = self.monoid.combine(sum, self.own(node, slots));
            for via in slots.iter().map(|slot| slot.via) {
                if via != NONE && via != without {
                    sum = self.monoid.combine(sum, self.clusters[via as usize].total);
                }
            }
        };
        let other = if first == near { far } else { near };
        let is_near = first == near;
        if is_near {
            add(first, NONE);
        }
        climb.enter(self, |slot| (slot.to == other) != is_near);
        while climb.next != NONE {
            if climb.carried(climb.next) {
                add(climb.next, climb.inside);
            }
            climb.step(self, |is_near, _, _| is_near);
        }
        Some(sum)
    }
}
