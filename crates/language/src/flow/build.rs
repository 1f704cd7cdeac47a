//! Builds the values of a program.
//!
//! **Method.** Hash-consing: equal values are made once. Each value goes into the outermost loop
//! that has all its operands, so that loop-invariant code moves out by itself. Linear combinations
//! are collected, and zeros dropped.

use super::{Bits, Factor, Flow, Item, Op, Region, Term, Value, ValueId};
use crate::arithmetic::{Arithmetic, Function};
use crate::types::Kind;
use std::collections::HashMap;

/// An assembly in a loop counts as so many outside it.
pub(crate) const LOOP_WEIGHT: u128 = 10_000;

/// A region that is being filled.
struct Frame {
    region: usize,
    guarded: bool,
    items: Vec<Item>,
    made: HashMap<Op, ValueId>,
}

pub(super) struct Builder {
    pub(super) flow: Flow,
    frames: Vec<Frame>,
    /// By value, the frame it was put in.
    levels: Vec<usize>,
}

impl Builder {
    pub(super) fn new() -> Builder {
        let flow = Flow { regions: vec![Region { weight: 1 }], ..Flow::default() };
        let frame = Frame { region: 0, guarded: false, items: Vec::new(), made: HashMap::new() };
        Builder { flow, frames: vec![frame], levels: Vec::new() }
    }

    fn frame(&mut self) -> &mut Frame {
        self.frames.last_mut().expect("the program itself is a frame")
    }

    /// Begins a loop, or a part that is guarded by `every`.
    pub(super) fn open(&mut self, every: Option<u32>) {
        let outer = self.frame().region;
        let outer = &self.flow.regions[outer];
        let region = self.flow.regions.len();
        let weight = match every {
            None => outer.weight * LOOP_WEIGHT,
            Some(count) => (outer.weight / u128::from(count)).max(1),
        };
        self.flow.regions.push(Region { weight });
        let guarded = every.is_some();
        self.frames.push(Frame { region, guarded, items: Vec::new(), made: HashMap::new() });
    }

    /// What was put in the innermost region since it began or since the last call.
    pub(super) fn take_items(&mut self) -> Vec<Item> {
        std::mem::take(&mut self.frame().items)
    }

    /// Ends the innermost region.
    pub(super) fn close(&mut self) -> Vec<Item> {
        let last = self.frames.pop();
        last.map(|frame| frame.items).unwrap_or_default()
    }

    pub(super) fn item(&mut self, item: Item) {
        self.frame().items.push(item);
    }

    /// A value in the outermost region that has its operands.
    pub(super) fn make(&mut self, kind: Kind, op: Op) -> ValueId {
        let innermost = self.frames.len() - 1;
        let needed = op.operands().into_iter().map(|v| self.levels[v]).max().unwrap_or(0);
        let level = if self.frames[innermost].guarded { innermost } else { needed.min(innermost) };
        self.make_at(level, kind, op)
    }

    /// A value in the innermost region.
    pub(super) fn make_here(&mut self, kind: Kind, op: Op) -> ValueId {
        self.make_at(self.frames.len() - 1, kind, op)
    }

    fn make_at(&mut self, level: usize, kind: Kind, op: Op) -> ValueId {
        let known = self.frames[..=level].iter().find_map(|frame| frame.made.get(&op));
        if let Some(&known) = known {
            return known;
        }
        let value = self.add(level, kind, op.clone());
        self.frames[level].made.insert(op, value);
        self.frames[level].items.push(Item::Value(value));
        value
    }

    /// A phi of the innermost loop; what comes from the loop's end is set later.
    pub(super) fn phi(&mut self, kind: Kind, entry: ValueId) -> ValueId {
        self.add(self.frames.len() - 1, kind, Op::Phi(entry, entry))
    }

    fn add(&mut self, level: usize, kind: Kind, op: Op) -> ValueId {
        let region = self.frames[level].region;
        self.flow.values.push(Value { op, kind, region, name: None });
        self.levels.push(level);
        self.flow.values.len() - 1
    }

    /// A value as the innermost region uses it: under `every`, a copy.
    pub(super) fn seen(&mut self, value: ValueId) -> ValueId {
        let here = self.frames.len() - 1;
        let is_vector = self.flow.values[value].kind == Kind::Vector;
        if self.frames[here].guarded && is_vector && self.levels[value] < here {
            return self.make_here(Kind::Vector, Op::Copy(value));
        }
        value
    }

    /// A vector from the mesh: there from the beginning.
    pub(super) fn source(&mut self, number: usize) -> ValueId {
        let source = self.make_at(0, Kind::Vector, Op::Source(number));
        self.seen(source)
    }

    pub(super) fn number(&mut self, value: f64) -> ValueId {
        self.make_at(0, Kind::Scalar, Op::Number(Bits::new(value)))
    }

    fn known(&self, value: ValueId) -> Option<f64> {
        match self.flow.values[value].op {
            Op::Number(number) => Some(number.get()),
            _ => None,
        }
    }

    pub(super) fn scalar(&mut self, function: Function, a: ValueId) -> ValueId {
        match self.known(a) {
            Some(a) => self.number(function.apply(a)),
            None => self.make(Kind::Scalar, Op::Scalar(function, a)),
        }
    }

    pub(super) fn scalar2(&mut self, operation: Arithmetic, a: ValueId, b: ValueId) -> ValueId {
        match (operation, self.known(a), self.known(b)) {
            (_, Some(a), Some(b)) => self.number(operation.apply(a, b)),
            // As C compilers do; then all back ends give the same bits.
            (Arithmetic::Power, None, Some(2.0)) => self.scalar2(Arithmetic::Multiply, a, a),
            _ => self.make(Kind::Scalar, Op::Scalar2(operation, a, b)),
        }
    }

    /// A scalar as a factor.
    pub(super) fn factor(&self, scalar: ValueId) -> Factor {
        match self.known(scalar) {
            Some(number) => Factor { constant: Bits::new(number), scalar: None },
            None => Factor { constant: Bits::new(1.0), scalar: Some(scalar) },
        }
    }

    pub(super) fn factor_product(&mut self, a: Factor, b: Factor) -> Factor {
        let constant = Bits::new(a.constant.get() * b.constant.get());
        let scalar = match (a.scalar, b.scalar) {
            (Some(a), Some(b)) => Some(self.scalar2(Arithmetic::Multiply, a, b)),
            (a, b) => a.or(b),
        };
        Factor { constant, scalar }
    }

    /// A linear combination. What is zero for sure is left out.
    pub(super) fn combine(&mut self, mut terms: Vec<Term>) -> ValueId {
        let zero = Op::Combine(Vec::new());
        terms.retain(|term| {
            term.factor.constant.get() != 0.0 && self.flow.values[term.vector].op != zero
        });
        if let [Term { factor, matrix: None, vector }] = terms[..]
            && factor == super::ONE
        {
            return vector;
        }
        self.make(Kind::Vector, Op::Combine(terms))
    }
}
