//! Places for values: a name that a loop changes keeps its place where that is possible.
//!
//! A phi and what it comes from share a place unless one is needed while the other is made,
//! or they differ in state; then statements move or swap (`moves.rs`). Vectors without a name
//! share places too.

use super::liveness::{Liveness, Set};
use crate::flow::{Flow, Labels, Op, Value, ValueId};
use crate::types::Kind;
use std::collections::HashSet;

/// By value, its place among the vectors or the scalars; numbers and parameters have none.
#[derive(Debug)]
pub(super) struct Slots {
    pub(super) of: Vec<Option<usize>>,
    pub(super) vectors: Vec<String>,
    pub(super) scalars: Vec<String>,
    /// By loop, then before it and at its end: vectors and scalars that are needed after
    /// phis are set.
    pub(super) needed: Vec<[(HashSet<usize>, HashSet<usize>); 2]>,
}

/// Finds places for all values.
pub(super) fn slots(flow: &Flow, labels: &Labels, taken: HashSet<String>) -> Slots {
    let liveness = Liveness::of(flow);
    let mut classes = Classes::new(&liveness);
    // Numbers and parameters are written where they are used.
    let place = |value: ValueId| match flow.values[value].op {
        Op::Number(_) | Op::Param(_) => None,
        _ => liveness.small[value],
    };
    for this in &flow.loops {
        for &phi in &this.phis {
            let Op::Phi(entry, back) = flow.values[phi].op else { continue };
            let incoming = labels.full[phi] && !labels.assembled[phi];
            for operand in [back, entry] {
                let is_vector = flow.values[phi].kind == Kind::Vector;
                if !is_vector || labels.full[operand] == incoming {
                    classes.join(place(phi), place(operand));
                }
            }
        }
    }
    share_unnamed(flow, &liveness, &mut classes);
    let mut slots = Slots {
        of: vec![None; flow.values.len()],
        vectors: Vec::new(),
        scalars: Vec::new(),
        needed: Vec::new(),
    };
    name_all(flow, &liveness, &mut classes, taken, &mut slots);
    let needed = |set: &Set| {
        let mut found = (HashSet::new(), HashSet::new());
        for (small, &value) in liveness.values.iter().enumerate() {
            if let (true, Some(slot)) = (set.contains(small), slots.of[value]) {
                let is_vector = flow.values[value].kind == Kind::Vector;
                let slots = if is_vector { &mut found.0 } else { &mut found.1 };
                slots.insert(slot);
            }
        }
        found
    };
    slots.needed =
        liveness.after_moves.iter().map(|ends| [needed(&ends[0]), needed(&ends[1])]).collect();
    slots
}

/// Puts each vector without a name where another without one is not needed any more.
fn share_unnamed(flow: &Flow, liveness: &Liveness, classes: &mut Classes) {
    let is_unnamed = |value: ValueId| {
        let Value { op, kind, name, .. } = &flow.values[value];
        *kind == Kind::Vector && name.is_none() && !matches!(op, Op::Source(_))
    };
    let mut places: Vec<usize> = Vec::new();
    for small in (0..liveness.values.len()).filter(|&small| is_unnamed(liveness.values[small])) {
        // With phis and what they come from it is no temporary.
        if !classes.is_alone(small) {
            continue;
        }
        match places.iter().copied().find(|&place| classes.can_join(place, small)) {
            Some(place) => classes.join(Some(place), Some(small)),
            None => places.push(small),
        }
    }
}

/// Gives each class a place and a name that no other has.
fn name_all(
    flow: &Flow,
    liveness: &Liveness,
    classes: &mut Classes,
    mut used: HashSet<String>,
    slots: &mut Slots,
) {
    let mut slot_of_class = vec![None; liveness.values.len()];
    let mut names = vec![None; liveness.values.len()];
    // Best the name of a phi: that is what the program changes.
    for only_phis in [true, false] {
        for (small, &value) in liveness.values.iter().enumerate() {
            let Value { op, name, .. } = &flow.values[value];
            let class = classes.find(small);
            if names[class].is_none() && (matches!(op, Op::Phi(..)) || !only_phis) {
                names[class] = name.clone();
            }
        }
    }
    for (small, &value) in liveness.values.iter().enumerate() {
        if matches!(flow.values[value].op, Op::Number(_) | Op::Param(_)) {
            continue;
        }
        let class = classes.find(small);
        let list = if flow.values[value].kind == Kind::Vector {
            &mut slots.vectors
        } else {
            &mut slots.scalars
        };
        let slot = *slot_of_class[class].get_or_insert_with(|| {
            list.push(fresh(names[class].take(), &mut used));
            list.len() - 1
        });
        slots.of[value] = Some(slot);
    }
}

fn fresh(name: Option<String>, used: &mut HashSet<String>) -> String {
    let (stem, first) = match name {
        Some(name) if used.insert(name.clone()) => return name,
        Some(name) => (name + "_", 2),
        None => ("t".to_string(), 1),
    };
    let free = (first..).map(|k| format!("{stem}{k}")).find(|name| !used.contains(name));
    let name = free.unwrap_or(stem);
    used.insert(name.clone());
    name
}

/// Values that share a place.
struct Classes {
    parent: Vec<usize>,
    members: Vec<Set>,
    conflicts: Vec<Set>,
}

impl Classes {
    fn new(liveness: &Liveness) -> Classes {
        let count = liveness.values.len();
        let alone = |value: usize| {
            let mut set = Set::new(count);
            set.insert(value);
            set
        };
        Classes {
            parent: (0..count).collect(),
            members: (0..count).map(alone).collect(),
            conflicts: liveness.conflicts.clone(),
        }
    }

    fn find(&mut self, value: usize) -> usize {
        let mut root = value;
        while self.parent[root] != root {
            root = self.parent[root];
        }
        self.parent[value] = root;
        root
    }

    fn is_alone(&self, value: usize) -> bool {
        self.members[value].count() == 1 && self.parent[value] == value
    }

    /// Whether none of two classes is needed while one of the other is made.
    fn can_join(&self, a: usize, b: usize) -> bool {
        !self.conflicts[a].meets(&self.members[b]) && !self.conflicts[b].meets(&self.members[a])
    }

    /// Makes two values share a place if they can.
    fn join(&mut self, a: Option<usize>, b: Option<usize>) {
        let (Some(a), Some(b)) = (a, b) else { return };
        let (a, b) = (self.find(a), self.find(b));
        if a == b || !self.can_join(a, b) {
            return;
        }
        self.parent[b] = a;
        let (members, conflicts) = (self.members[b].clone(), self.conflicts[b].clone());
        self.members[a].add(&members);
        self.conflicts[a].add(&conflicts);
    }
}
