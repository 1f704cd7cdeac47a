//! Values and where they are needed: the program in static single assignment form, and the
//! placement of assemblies.
//!
//! A name that a loop changes becomes a [`Op::Phi`] at the loop's head, of the value before
//! the loop and the one at its end; after the loop it is an [`Op::Copy`] of the phi. Equal
//! values are computed once, and a value that does not change in a loop is computed before
//! it. What `every` guards is a region of its own that uses copies of what it needs.

mod build;
mod cut;
mod fuse;
mod ghosts;
mod live;
mod lower;
mod place;
#[cfg(test)]
mod tests;

use super::arithmetic::{Arithmetic, Function};
use super::ir::{LoopFacts, OutputFacts};
use super::syntax::Comparison;
use super::types::Kind;
pub(crate) use fuse::fuse;
pub(crate) use ghosts::ghosts;
pub(crate) use live::sweep;
pub(crate) use lower::lower;
pub(crate) use place::{Labels, place};

/// A value, by number.
pub(crate) type ValueId = usize;

/// A number that can be compared and hashed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Bits(u64);

impl Bits {
    pub(crate) fn new(value: f64) -> Bits {
        Bits(value.to_bits())
    }

    pub(crate) fn get(self) -> f64 {
        f64::from_bits(self.0)
    }
}

/// A number, perhaps times a scalar.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Factor {
    pub(crate) constant: Bits,
    pub(crate) scalar: Option<ValueId>,
}

/// The factor that changes nothing.
pub(crate) const ONE: Factor = Factor { constant: Bits(1f64.to_bits()), scalar: None };

/// A part of a linear combination: `factor · vector` or `factor · matrix · vector`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Term {
    pub(crate) factor: Factor,
    pub(crate) matrix: Option<usize>,
    pub(crate) vector: ValueId,
}

/// How a value is made.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum Op {
    /// A vector from the mesh.
    Source(usize),
    /// A sum of vectors and products; zero without terms.
    Combine(Vec<Term>),
    /// Entry by entry, of two vectors.
    Times(ValueId, ValueId),
    /// Entry by entry, of two vectors.
    Over(ValueId, ValueId),
    /// Entry by entry.
    Map(Function, ValueId),
    /// Entry by entry, of a vector and a vector or a scalar; not linear.
    Map2(Arithmetic, ValueId, ValueId),
    /// The same value at another place.
    Copy(ValueId),
    /// At the head of a loop: from before it, from its end.
    Phi(ValueId, ValueId),
    Number(Bits),
    Param(usize),
    Scalar(Function, ValueId),
    Scalar2(Arithmetic, ValueId, ValueId),
    Dot(ValueId, ValueId),
    Sum(ValueId),
    /// The smallest or the largest entry.
    Extreme(Arithmetic, ValueId),
}

impl Op {
    /// The values it uses, factors too.
    pub(crate) fn operands(&self) -> Vec<ValueId> {
        match self {
            Op::Source(_) | Op::Number(_) | Op::Param(_) => Vec::new(),
            Op::Combine(terms) => {
                terms.iter().flat_map(|t| t.factor.scalar.into_iter().chain([t.vector])).collect()
            }
            Op::Map(_, a) | Op::Copy(a) | Op::Scalar(_, a) | Op::Sum(a) | Op::Extreme(_, a) => {
                vec![*a]
            }
            Op::Times(a, b)
            | Op::Over(a, b)
            | Op::Map2(_, a, b)
            | Op::Phi(a, b)
            | Op::Scalar2(_, a, b)
            | Op::Dot(a, b) => vec![*a, *b],
        }
    }

    /// Uses other values instead.
    pub(crate) fn rename(&mut self, name: impl Fn(ValueId) -> ValueId) {
        match self {
            Op::Source(_) | Op::Number(_) | Op::Param(_) => {}
            Op::Combine(terms) => {
                for term in terms {
                    term.vector = name(term.vector);
                    term.factor.scalar = term.factor.scalar.map(&name);
                }
            }
            Op::Map(_, a) | Op::Copy(a) | Op::Scalar(_, a) | Op::Sum(a) | Op::Extreme(_, a) => {
                *a = name(*a);
            }
            Op::Times(a, b)
            | Op::Over(a, b)
            | Op::Map2(_, a, b)
            | Op::Phi(a, b)
            | Op::Scalar2(_, a, b)
            | Op::Dot(a, b) => {
                *a = name(*a);
                *b = name(*b);
            }
        }
    }
}

/// A scalar or a vector.
#[derive(Debug, Clone)]
pub(crate) struct Value {
    pub(crate) op: Op,
    pub(crate) kind: Kind,
    /// The loop or guarded part it is computed in.
    pub(crate) region: usize,
    /// What the program calls it.
    pub(crate) name: Option<String>,
}

/// A loop, a guarded part, or, as number 0, the whole program.
#[derive(Debug, Clone)]
pub(crate) struct Region {
    /// How often it runs, roughly: what an assembly in it costs.
    pub(crate) weight: u128,
}

/// A loop.
#[derive(Debug, Clone)]
pub(crate) struct Loop {
    pub(crate) facts: LoopFacts,
    pub(crate) phis: Vec<ValueId>,
    pub(crate) limit: ValueId,
    pub(crate) test: Option<(Comparison, ValueId, ValueId)>,
    /// Before the test, and after it.
    pub(crate) head: Vec<Item>,
    pub(crate) body: Vec<Item>,
}

/// What happens, in order.
#[derive(Debug, Clone)]
pub(crate) enum Item {
    Value(ValueId),
    /// By place in [`Flow::loops`].
    Loop(usize),
    /// Once in so many iterations.
    Every(u32, Vec<Item>),
    Print(String, ValueId),
    /// By place in [`Flow::outputs`].
    Output(usize, ValueId),
}

/// A program as values.
#[derive(Debug, Clone, Default)]
pub(crate) struct Flow {
    pub(crate) values: Vec<Value>,
    pub(crate) regions: Vec<Region>,
    pub(crate) loops: Vec<Loop>,
    pub(crate) items: Vec<Item>,
    pub(crate) outputs: Vec<OutputFacts>,
}

impl Flow {
    /// Calls for every item, those in loops too, in the order of the program.
    pub(crate) fn each_item<'a>(&'a self, items: &'a [Item], call: &mut impl FnMut(&'a Item)) {
        for item in items {
            call(item);
            match item {
                Item::Loop(number) => {
                    self.each_item(&self.loops[*number].head, call);
                    self.each_item(&self.loops[*number].body, call);
                }
                Item::Every(_, inner) => self.each_item(inner, call),
                _ => {}
            }
        }
    }

    /// Drops the values that are not kept. Numbers of values stay.
    pub(crate) fn retain(&mut self, keep: impl Fn(ValueId) -> bool) {
        retain(&mut self.items, &keep);
        for this in &mut self.loops {
            this.phis.retain(|&phi| keep(phi));
            retain(&mut this.head, &keep);
            retain(&mut this.body, &keep);
        }
        for (_, value) in self.values.iter_mut().enumerate().filter(|(id, _)| !keep(*id)) {
            // So that nothing counts it as a user of something.
            value.op = Op::Param(usize::MAX);
        }
    }

    /// The values that something other than a value uses, where they are used.
    pub(crate) fn roots(&self) -> Vec<ValueId> {
        let mut roots = Vec::new();
        self.each_item(&self.items, &mut |item| match item {
            Item::Print(_, value) | Item::Output(_, value) => roots.push(*value),
            Item::Loop(number) => {
                roots.push(self.loops[*number].limit);
                roots.extend(self.loops[*number].test.iter().flat_map(|test| [test.1, test.2]));
            }
            Item::Value(_) | Item::Every(..) => {}
        });
        roots
    }
}

fn retain(items: &mut Vec<Item>, keep: &impl Fn(ValueId) -> bool) {
    items.retain_mut(|item| {
        if let Item::Every(_, inner) = item {
            retain(inner, keep);
        }
        !matches!(item, Item::Value(value) if !keep(*value))
    });
}
