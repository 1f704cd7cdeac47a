//! A forest of any degrees as one whose nodes have three neighbours at most.
//!
//! **Method.** A vertex is a node of its own number, its *head*, and an edge joins two nodes. A vertex
//! with more than three edges has further nodes in a chain that hangs from the head's last slot, with
//! one edge at each of them and two at the last. All nodes of a vertex are connected, so a path through
//! nodes is a path through vertices, with some of them repeated.
//!
//! **Cost.** At most `d − 2` nodes for a vertex of degree `d > 3`; linking and cutting change a handful
//! of nodes. 24 bytes per node, and about 30 per edge for the table that finds its ends.

use palmette_core::NONE;
use rustc_hash::FxHashMap;

/// One of three places at a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Slot {
    /// The neighbour; `NONE` where there is none any more.
    pub(super) to: u32,
    /// What was contracted here: all between the node and the neighbour (`NONE` for a plain edge), or
    /// what hung from the node (`NONE` for nothing).
    pub(super) via: u32,
}

pub(super) type Slots = [Slot; 3];

pub(super) const EMPTY: Slots = [Slot { to: NONE, via: NONE }; 3];

/// How many neighbours there are.
#[inline]
pub(super) fn degree(slots: &Slots) -> usize {
    slots.iter().filter(|slot| slot.to != NONE).count()
}

/// The slot of a neighbour.
#[inline]
pub(super) fn towards(slots: &Slots, to: u32) -> Slot {
    let found = slots.iter().find(|slot| slot.to == to);
    *found.expect("neighbours know of each other")
}

/// The nodes.
#[derive(Debug, Clone)]
pub(super) struct Shape {
    vertices: u32,
    pub(super) slots: Vec<Slots>,
    /// The vertices of nodes that are not heads.
    owners: Vec<u32>,
    free: Vec<u32>,
    /// The nodes that edges join: that of the smaller vertex first.
    edges: FxHashMap<u64, [u32; 2]>,
    /// Nodes that changed since this was emptied; some more than once.
    pub(super) changed: Vec<u32>,
}

fn key(a: u32, b: u32) -> u64 {
    u64::from(a.min(b)) << 32 | u64::from(a.max(b))
}

impl Shape {
    pub(super) fn new(n: usize) -> Shape {
        Shape {
            vertices: n as u32,
            slots: vec![EMPTY; n],
            owners: Vec::new(),
            free: Vec::new(),
            edges: FxHashMap::default(),
            changed: (0..n as u32).collect(),
        }
    }

    pub(super) fn reserve(&mut self, edges: usize) {
        self.edges.reserve(edges);
    }

    pub(super) fn edge_count(&self) -> usize {
        self.edges.len()
    }

    /// The vertex that a node belongs to.
    #[inline]
    pub(super) fn owner(&self, node: u32) -> u32 {
        match node < self.vertices {
            true => node,
            false => self.owners[(node - self.vertices) as usize],
        }
    }

    /// The nodes that the edge between two vertices joins, at `a` and at `b`.
    pub(super) fn ends(&self, a: u32, b: u32) -> Option<[u32; 2]> {
        let [small, large] = *self.edges.get(&key(a, b))?;
        Some(if a < b { [small, large] } else { [large, small] })
    }

    /// Adds the edge between two vertices, which is not there.
    pub(super) fn link(&mut self, a: u32, b: u32) {
        let ends = [a, b].map(|v| self.place(v));
        for (k, node) in ends.into_iter().enumerate() {
            let slots = &mut self.slots[node as usize];
            let free = slots.iter().position(|slot| slot.to == NONE);
            slots[free.expect("a place was made")].to = ends[1 - k];
        }
        let [at_a, at_b] = ends;
        self.edges.insert(key(a, b), if a < b { ends } else { [at_b, at_a] });
        self.changed.extend(ends);
    }

    /// Takes the edge between two vertices away; says whether it was there.
    pub(super) fn cut(&mut self, a: u32, b: u32) -> bool {
        let Some(ends) = self.ends(a, b) else { return false };
        self.edges.remove(&key(a, b));
        self.replace(ends[0], ends[1], NONE);
        self.replace(ends[1], ends[0], NONE);
        let heads = self.vertices;
        ends.into_iter().filter(|&end| end >= heads).for_each(|end| self.splice(end));
        true
    }

    /// A node of a vertex with a free slot.
    fn place(&mut self, v: u32) -> u32 {
        let last = self.slots[v as usize][2].to;
        if degree(&self.slots[v as usize]) < 3 {
            return v;
        }
        let node = self.free.pop().unwrap_or_else(|| {
            self.slots.push(EMPTY);
            self.owners.push(v);
            self.slots.len() as u32 - 1
        });
        self.owners[(node - self.vertices) as usize] = v;
        self.slots[node as usize] = [v, last, NONE].map(|to| Slot { to, via: NONE });
        self.replace(v, last, node);
        self.replace(last, v, node);
        self.moved(v, node, last);
        node
    }

    /// Takes a node out that has two neighbours left, and joins them.
    fn splice(&mut self, node: u32) {
        let mut rest = self.slots[node as usize].iter().filter(|slot| slot.to != NONE);
        let [p, q] = [(); 2].map(|()| rest.next().expect("two are left").to);
        let v = self.owner(node);
        self.replace(p, node, q);
        self.replace(q, node, p);
        if self.owner(p) == v {
            self.moved(node, p, q);
        } else {
            self.moved(node, q, p);
        }
        self.slots[node as usize] = EMPTY;
        self.changed.push(node);
        self.free.push(node);
    }

    /// The edge to `other` has another node at its near end.
    fn moved(&mut self, from: u32, near: u32, other: u32) {
        let (v, u) = (self.owner(near), self.owner(other));
        if v != u {
            let ends = self.edges.get_mut(&key(v, u)).expect("the edge exists");
            let at = ends.iter().position(|&end| end == from).expect("it ended there");
            ends[at] = near;
        }
    }

    fn replace(&mut self, at: u32, old: u32, new: u32) {
        let slots = &mut self.slots[at as usize];
        let found = slots.iter_mut().find(|slot| slot.to == old);
        found.expect("neighbours know of each other").to = new;
        self.changed.push(at);
    }
}
