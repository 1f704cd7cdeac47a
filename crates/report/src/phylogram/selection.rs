//! Which part of a tree is drawn, and what is collapsed.
//!
//! **Problem.** A tree of any number of tips, a limit on rows, clades that the reader wants to see
//! or to collapse; a small tree whose leaves are tips, whole clades, and groups, and have all tips
//! among them, each once.
//!
//! **Method.** From the root on, the clade with the most tips is opened, until the limit is reached; one
//! that has a name is opened later than one that has four times its tips and none. Opening goes down
//! where there is but one way. Side clades that are small (below tips / limit) along such a way, as in
//! ladders, are a *group*: no clade, and drawn as none. So are children of a vertex that has more than
//! fit. Clades that contain what the reader named are opened first.
//!
//! **Cost.** Every vertex is passed once at most: linear, and a heap of as many clades as rows.

use super::shape::Shape;
use palmette_core::NONE;
use std::cmp::Ordering;
use std::collections::BinaryHeap;

/// A vertex of the drawing.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Drawn {
    /// Its position in the tree; of a group the first of its clades.
    pub(crate) position: u32,
    /// Its parent in the drawing, which comes before it.
    pub(crate) parent: u32,
    pub(crate) kind: Kind,
    /// The tips that it stands for.
    pub(crate) tips: u64,
    /// The least and the greatest distance of these.
    pub(crate) reach: (f32, f32),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A vertex with children.
    Inner,
    Tip,
    /// A collapsed clade.
    Clade,
    /// So many clades that have no common ancestor of their own.
    Group(u64),
}

/// What is wanted of a selection.
pub(crate) struct Wanted<'a> {
    /// At most so many leaves, at least 2.
    pub(crate) limit: usize,
    /// Clades to collapse.
    pub(crate) collapsed: &'a [u32],
    /// Clades to show, if there is room.
    pub(crate) shown: &'a [u32],
    /// Whether an inner vertex has a name.
    pub(crate) is_named: &'a dyn Fn(u32) -> bool,
}

/// Trees with so many times the limit have groups.
const GROUPS_FROM: usize = 4;
/// A name is worth so many times the tips.
const NAME: f64 = 4.0;
/// Marks of vertices: to collapse, to show, above one of these.
const CLOSED: u8 = 1;
const SHOWN: u8 = 2;
const OPEN: u8 = 4;

/// The drawing of a tree, in preorder.
pub(crate) fn select(shape: &Shape<'_>, wanted: &Wanted<'_>) -> Vec<Drawn> {
    let n = shape.len();
    let tips: u64 = shape.roots().map(|r| u64::from(shape.tips[r as usize])).sum();
    let limit = wanted.limit.max(2);
    let small = if tips as usize >= GROUPS_FROM * limit { tips as f64 / limit as f64 } else { 0.0 };
    let mut marks = vec![0u8; n];
    wanted.collapsed.iter().for_each(|&p| marks[p as usize] |= CLOSED);
    wanted.shown.iter().for_each(|&p| marks[p as usize] |= SHOWN);
    // Ancestors of what must be seen; each is marked once.
    for &position in wanted.shown.iter().chain(wanted.collapsed) {
        let mut at = shape.parents[position as usize];
        while at != NONE && marks[at as usize] & OPEN == 0 {
            marks[at as usize] |= OPEN;
            at = shape.parents[at as usize];
        }
    }
    let mut plan = Plan {
        shape,
        items: Vec::new(),
        heap: BinaryHeap::new(),
        marks,
        small,
        tips,
        limit,
        leaves: 0,
        is_named: wanted.is_named,
    };
    let roots: Vec<u32> = shape.roots().collect();
    let tops = plan.fitting(roots, limit, true).unwrap_or_default();
    while let Some(Rank { item, .. }) = plan.heap.pop() {
        if plan.leaves >= limit && !plan.has(plan.items[item].drawn.position, OPEN) {
            continue;
        }
        plan.expand(item);
    }
    plan.in_preorder(tops)
}

/// A clade that may be opened; the largest comes first, then the first.
#[derive(PartialEq)]
struct Rank {
    weight: f64,
    item: usize,
}

impl Eq for Rank {}
impl PartialOrd for Rank {
    fn partial_cmp(&self, other: &Rank) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
impl Ord for Rank {
    fn cmp(&self, other: &Rank) -> Ordering {
        self.weight.total_cmp(&other.weight).then(other.item.cmp(&self.item))
    }
}

struct Item {
    drawn: Drawn,
    children: Vec<usize>,
}

struct Plan<'a> {
    shape: &'a Shape<'a>,
    items: Vec<Item>,
    heap: BinaryHeap<Rank>,
    marks: Vec<u8>,
    small: f64,
    tips: u64,
    limit: usize,
    leaves: usize,
    is_named: &'a dyn Fn(u32) -> bool,
}

impl Plan<'_> {
    fn has(&self, position: u32, marks: u8) -> bool {
        self.marks[position as usize] & marks != 0
    }

    /// A leaf of the drawing, at the end of a way with no branches.
    fn clade(&mut self, position: u32) -> usize {
        let mut at = position;
        while !self.has(at, CLOSED) && !self.shape.is_tip(at) && self.only_child(at) {
            at += 1;
        }
        let i = at as usize;
        let tips = self.shape.tips[i];
        let kind = if self.shape.is_tip(at) { Kind::Tip } else { Kind::Clade };
        let item = self.push(at, kind, tips.into(), self.shape.reach[i]);
        if kind == Kind::Clade && !self.has(at, CLOSED) {
            let open = self.has(at, OPEN);
            let named = !open && (self.is_named)(at);
            let weight = f64::from(tips) / if named { NAME } else { 1.0 };
            let weight = if open { 1e12 + weight } else { weight };
            self.heap.push(Rank { weight, item });
        }
        item
    }

    fn push(&mut self, position: u32, kind: Kind, tips: u64, reach: (f32, f32)) -> usize {
        let drawn = Drawn { position, parent: NONE, kind, tips, reach };
        self.items.push(Item { drawn, children: Vec::new() });
        self.leaves += 1;
        self.items.len() - 1
    }

    fn only_child(&self, at: u32) -> bool {
        self.shape.sizes[at as usize + 1] + 1 == self.shape.sizes[at as usize]
    }

    /// Several clades as one leaf; one is itself.
    fn group(&mut self, clades: &[u32]) -> usize {
        if let [one] = clades {
            return self.clade(*one);
        }
        let mut sum = (0u64, (f32::INFINITY, f32::NEG_INFINITY));
        for &c in clades {
            let (tips, reach) = (self.shape.tips[c as usize], self.shape.reach[c as usize]);
            sum = (sum.0 + u64::from(tips), (sum.1.0.min(reach.0), sum.1.1.max(reach.1)));
        }
        self.push(clades[0], Kind::Group(clades.len() as u64), sum.0, sum.1)
    }

    /// Clades as leaves, those with fewest tips as a group where they are more than so many; none
    /// where that would hide too much.
    fn fitting(&mut self, clades: Vec<u32>, room: usize, most: bool) -> Option<Vec<usize>> {
        if clades.len() <= room {
            return Some(clades.into_iter().map(|c| self.clade(c)).collect());
        }
        if !most || room < 2 {
            return None;
        }
        let key = |c: &u32| {
            (!self.has(*c, CLOSED | SHOWN | OPEN), u32::MAX - self.shape.tips[*c as usize], *c)
        };
        let mut chosen = clades.clone();
        chosen.select_nth_unstable_by_key(room - 1, key);
        chosen.truncate(room - 1);
        chosen.sort_unstable();
        let rest: Vec<u32> =
            clades.into_iter().filter(|c| chosen.binary_search(c).is_err()).collect();
        let mut items: Vec<usize> = chosen.into_iter().map(|c| self.clade(c)).collect();
        items.push(self.group(&rest));
        Some(items)
    }

    fn expand(&mut self, item: usize) {
        let top = self.items[item].drawn.position;
        let (mut at, mut aside): (u32, Vec<u32>) = (top, Vec::new());
        let mut tips_aside = 0.0;
        // Down the way from which only small clades branch off.
        while self.small > 0.0 && tips_aside < self.small {
            let Some(heir) = self.heir(at) else { break };
            let side = f64::from(self.shape.tips[at as usize] - self.shape.tips[heir as usize]);
            if side >= self.small {
                break;
            }
            aside.extend(self.shape.children(at).filter(|&c| c != heir));
            tips_aside += side;
            at = heir;
            if self.has(at, SHOWN) {
                break;
            }
        }
        self.leaves -= 1;
        let room = self.limit.saturating_sub(self.leaves);
        let children = if aside.is_empty() {
            let children: Vec<u32> = self.shape.children(at).collect();
            let most = 2 * u64::from(self.shape.tips[at as usize]) >= self.tips;
            // What the reader wants to see may take some rows more.
            let room = if self.has(at, OPEN) { room.max(4) } else { room };
            match self.fitting(children, room, most || self.has(at, OPEN)) {
                Some(children) => children,
                None => {
                    self.leaves += 1;
                    return;
                }
            }
        } else {
            let before = aside[0] < at;
            let aside = self.group(&aside);
            let rest = self.clade(at);
            if before { vec![aside, rest] } else { vec![rest, aside] }
        };
        self.items[item].drawn.kind = Kind::Inner;
        self.items[item].children = children;
    }

    /// The child by which the way goes on, if there is one: that which has what must be seen, or
    /// else most tips.
    fn heir(&self, at: u32) -> Option<u32> {
        let (mut heir, mut opened) = (None, 0);
        for c in self.shape.children(at) {
            let wanted = self.has(c, CLOSED | SHOWN | OPEN);
            opened += u32::from(wanted);
            let key = (wanted, self.shape.tips[c as usize]);
            if heir.is_none_or(|(best, _)| key > best) {
                heir = Some((key, c));
            }
        }
        let (_, heir) = heir?;
        let ends = self.shape.is_tip(heir) || self.has(heir, CLOSED) || opened > 1;
        (!ends).then_some(heir)
    }

    fn in_preorder(self, tops: Vec<usize>) -> Vec<Drawn> {
        let mut order = Vec::with_capacity(self.items.len());
        let mut stack: Vec<(usize, u32)> = tops.into_iter().rev().map(|i| (i, NONE)).collect();
        while let Some((item, parent)) = stack.pop() {
            let own = order.len() as u32;
            let Item { drawn, children } = &self.items[item];
            order.push(Drawn { parent, ..drawn.clone() });
            stack.extend(children.iter().rev().map(|&c| (c, own)));
        }
        order
    }
}
