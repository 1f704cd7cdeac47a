//! Which values are needed at the same time.
//!
//! The program as points in order, each with what it reads and makes. Reading comes before
//! making, except for vectors that a product multiplies: these must outlast it.

use crate::flow::{Flow, Item, Op, ValueId};

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Set(Vec<u64>);

impl Set {
    pub(super) fn new(count: usize) -> Set {
        Set(vec![0; count.div_ceil(64)])
    }

    pub(super) fn insert(&mut self, value: usize) {
        self.0[value / 64] |= 1 << (value % 64);
    }

    pub(super) fn contains(&self, value: usize) -> bool {
        self.0[value / 64] & 1 << (value % 64) != 0
    }

    fn remove(&mut self, value: usize) {
        self.0[value / 64] &= !(1 << (value % 64));
    }

    /// Adds another; says whether that changed anything.
    pub(super) fn add(&mut self, other: &Set) -> bool {
        let mut changed = false;
        for (a, b) in self.0.iter_mut().zip(&other.0) {
            changed |= *b & !*a != 0;
            *a |= b;
        }
        changed
    }

    pub(super) fn count(&self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    pub(super) fn meets(&self, other: &Set) -> bool {
        self.0.iter().zip(&other.0).any(|(a, b)| a & b != 0)
    }
}

#[derive(Debug, Default)]
struct Point {
    reads: Vec<ValueId>,
    /// Read until after the point.
    held: Vec<ValueId>,
    makes: Vec<ValueId>,
    next: Vec<usize>,
}

/// What is needed when. Values have small numbers here, those that are left in the program.
#[derive(Debug)]
pub(super) struct Liveness {
    /// By value of the flow, its small number.
    pub(super) small: Vec<Option<usize>>,
    /// By small number, the value.
    pub(super) values: Vec<ValueId>,
    /// By small number, what is needed while the value is made.
    pub(super) conflicts: Vec<Set>,
    /// By loop: what is needed right after its phis are set from before it, and from its end.
    pub(super) after_moves: Vec<[Set; 2]>,
}

impl Liveness {
    pub(super) fn of(flow: &Flow) -> Liveness {
        let mut walk = Walk { flow, points: vec![Point::default()], moves: Vec::new() };
        walk.moves = vec![[0, 0]; flow.loops.len()];
        walk.items(&flow.items);
        walk.points.push(Point::default());
        let Walk { points, moves, .. } = walk;
        let mut small = vec![None; flow.values.len()];
        let mut values = Vec::new();
        for &value in points.iter().flat_map(|point| &point.makes) {
            if small[value].is_none() {
                small[value] = Some(values.len());
                values.push(value);
            }
        }
        let number = |value: &ValueId| small[*value];
        let after = solve(&points, values.len(), &number);
        let mut conflicts = vec![Set::new(values.len()); values.len()];
        for (point, after) in points.iter().zip(&after) {
            let mut needed = after.clone();
            point.held.iter().filter_map(number).for_each(|value| needed.insert(value));
            for made in point.makes.iter().filter_map(number) {
                point.makes.iter().filter_map(number).for_each(|other| needed.insert(other));
                conflicts[made].add(&needed);
                conflicts[made].remove(made);
            }
        }
        let after_moves = moves.iter().map(|ends| ends.map(|at| after[at].clone())).collect();
        Liveness { small, values, conflicts, after_moves }
    }
}

/// By point, what is needed after it.
fn solve(points: &[Point], count: usize, number: &impl Fn(&ValueId) -> Option<usize>) -> Vec<Set> {
    let mut before = vec![Set::new(count); points.len()];
    let mut after = vec![Set::new(count); points.len()];
    let mut changed = true;
    while changed {
        changed = false;
        for (at, point) in points.iter().enumerate().rev() {
            for &next in &point.next {
                changed |= after[at].add(&before[next]);
            }
            let mut needed = after[at].clone();
            point.makes.iter().filter_map(number).for_each(|value| needed.remove(value));
            let reads = point.reads.iter().chain(&point.held);
            reads.filter_map(number).for_each(|value| needed.insert(value));
            changed |= before[at].add(&needed);
        }
    }
    after
}

struct Walk<'a> {
    flow: &'a Flow,
    points: Vec<Point>,
    /// By loop, the points where its phis are set.
    moves: Vec<[usize; 2]>,
}

impl Walk<'_> {
    /// A point after all so far.
    fn point(&mut self, reads: Vec<ValueId>, makes: Vec<ValueId>) -> usize {
        let at = self.points.len();
        // What comes before falls through.
        if let Some(last) = self.points.last_mut() {
            last.next.push(at);
        }
        self.points.push(Point { reads, makes, ..Point::default() });
        at
    }

    fn items(&mut self, items: &[Item]) {
        for item in items {
            match item {
                Item::Value(value) => self.value(*value),
                Item::Print(_, value) | Item::Output(_, value) => {
                    self.point(vec![*value], Vec::new());
                }
                Item::Every(_, inner) => {
                    let guard = self.point(Vec::new(), Vec::new());
                    self.items(inner);
                    let end = self.point(Vec::new(), Vec::new());
                    self.points[guard].next.push(end);
                }
                Item::Loop(number) => self.repeat(*number),
            }
        }
    }

    fn value(&mut self, value: ValueId) {
        let op = &self.flow.values[value].op;
        if let Op::Source(_) = op {
            // It is there from the beginning.
            self.points[0].makes.push(value);
            self.point(vec![value], Vec::new());
            return;
        }
        let at = self.point(op.operands(), vec![value]);
        if let Op::Combine(terms) = op {
            let products = terms.iter().filter(|term| term.matrix.is_some());
            self.points[at].held = products.map(|term| term.vector).collect();
        }
    }

    fn repeat(&mut self, number: usize) {
        let flow = self.flow;
        let this = &flow.loops[number];
        let ends = |which: usize| {
            let operands = this.phis.iter().map(|&phi| flow.values[phi].op.operands()[which]);
            operands.collect::<Vec<_>>()
        };
        let (mut entries, backs) = (ends(0), ends(1));
        entries.push(this.limit);
        let entry = self.point(entries, this.phis.clone());
        let head = self.points.len();
        self.items(&this.head);
        let test = self.point(this.test.iter().flat_map(|t| [t.1, t.2]).collect(), Vec::new());
        self.items(&this.body);
        let back = self.point(backs, this.phis.clone());
        // From the end only back to the head, and on from the test.
        self.points[back].next.push(head);
        let after = self.points.len();
        self.points.push(Point::default());
        self.points[test].next.push(after);
        self.moves[number] = [entry, back];
    }
}
