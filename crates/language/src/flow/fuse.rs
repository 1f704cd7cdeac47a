//! Copies that copy nothing go; sums of sums become one sum.
//!
//! A value that is used once, by a sum of the same region, and is not assembled itself,
//! becomes part of that sum: `z = Σ a A x + Σ b y` is one statement.

use super::{Bits, Factor, Flow, Item, Labels, ONE, Op, Term, Value, ValueId};
use crate::arithmetic::Arithmetic;
use crate::types::Kind;

/// Simplifies a program whose labels are known.
pub(crate) fn fuse(flow: &mut Flow, labels: &mut Labels) {
    forward(flow, labels);
    let uses = uses(flow);
    let gone = vec![false; flow.values.len()];
    let mut fusing = Fusing { flow, labels, uses, gone };
    let items = std::mem::take(&mut fusing.flow.items);
    fusing.flow.items = fusing.items(items);
    for number in 0..fusing.flow.loops.len() {
        let this = &mut fusing.flow.loops[number];
        let (head, body) = (std::mem::take(&mut this.head), std::mem::take(&mut this.body));
        // A value of the head may become part of one in the body, so first this, then that.
        let head = fusing.items(head);
        let body = fusing.items(body);
        let this = &mut fusing.flow.loops[number];
        (this.head, this.body) = (head, body);
    }
    let gone = fusing.gone;
    flow.retain(|value| !gone[value]);
}

/// Uses the original instead of a copy with the same label.
fn forward(flow: &mut Flow, labels: &Labels) {
    let mut original: Vec<ValueId> = (0..flow.values.len()).collect();
    // The original of a copy may be a copy that was made later, through a phi; walk.
    for (id, value) in flow.values.iter().enumerate() {
        if let Op::Copy(of) = value.op
            && !labels.assembled[id]
            && labels.full[id] == labels.full[of]
        {
            original[id] = of;
        }
    }
    let find = |mut value: ValueId| {
        while original[value] != value {
            value = original[value];
        }
        value
    };
    for id in (0..flow.values.len()).filter(|&id| original[id] != id) {
        let (name, of) = (flow.values[id].name.take(), find(id));
        let target = &mut flow.values[of].name;
        *target = target.take().or(name);
    }
    for value in &mut flow.values {
        value.op.rename(find);
    }
    rename(&mut flow.items, &find);
    for this in &mut flow.loops {
        this.limit = find(this.limit);
        this.test = this.test.map(|(comparison, a, b)| (comparison, find(a), find(b)));
        rename(&mut this.head, &find);
        rename(&mut this.body, &find);
    }
    flow.retain(|value| original[value] == value);
}

fn rename(items: &mut [Item], find: &impl Fn(ValueId) -> ValueId) {
    for item in items {
        match item {
            Item::Print(_, value) | Item::Output(_, value) => *value = find(*value),
            Item::Every(_, inner) => rename(inner, find),
            Item::Value(_) | Item::Loop(_) => {}
        }
    }
}

/// How often each value is used.
fn uses(flow: &Flow) -> Vec<u32> {
    let mut uses = vec![0; flow.values.len()];
    let operands = flow.values.iter().flat_map(|value| value.op.operands());
    operands.chain(flow.roots()).for_each(|value| uses[value] += 1);
    uses
}

struct Fusing<'a> {
    flow: &'a mut Flow,
    labels: &'a mut Labels,
    uses: Vec<u32>,
    gone: Vec<bool>,
}

impl Fusing<'_> {
    fn items(&mut self, items: Vec<Item>) -> Vec<Item> {
        let mut fused = Vec::with_capacity(items.len());
        for item in items {
            match item {
                Item::Value(id) => {
                    if let Op::Combine(terms) = &mut self.flow.values[id].op {
                        let terms = std::mem::take(terms);
                        let terms = self.combine(id, terms, &mut fused);
                        self.flow.values[id].op = Op::Combine(terms);
                    }
                    fused.push(item);
                }
                Item::Every(count, inner) => fused.push(Item::Every(count, self.items(inner))),
                other => fused.push(other),
            }
        }
        fused
    }

    /// The terms of a sum, with those of sums in it; products of factors come before it.
    fn combine(&mut self, id: ValueId, terms: Vec<Term>, before: &mut Vec<Item>) -> Vec<Term> {
        let mut all: Vec<Term> = Vec::new();
        for term in terms {
            if term.matrix.is_some() || !self.is_part(term.vector, id) {
                all.push(term);
                continue;
            }
            let Op::Combine(inner) = &mut self.flow.values[term.vector].op else { continue };
            let mut inner = std::mem::take(inner);
            self.gone[term.vector] = true;
            if term.factor != ONE {
                for part in &mut inner {
                    part.factor = self.product(term.factor, part.factor, id, before);
                }
            }
            if all.is_empty() { all = inner } else { all.append(&mut inner) }
        }
        all
    }

    fn is_part(&self, part: ValueId, of: ValueId) -> bool {
        let values = &self.flow.values;
        matches!(values[part].op, Op::Combine(_))
            && self.uses[part] == 1
            && !self.labels.assembled[part]
            && values[part].region == values[of].region
    }

    fn product(&mut self, a: Factor, b: Factor, at: ValueId, before: &mut Vec<Item>) -> Factor {
        let constant = Bits::new(a.constant.get() * b.constant.get());
        let scalar = match (a.scalar, b.scalar) {
            (Some(a), Some(b)) => {
                let op = Op::Scalar2(Arithmetic::Multiply, a, b);
                let region = self.flow.values[at].region;
                let id = self.flow.values.len();
                self.flow.values.push(Value { op, kind: Kind::Scalar, region, name: None });
                self.labels.full.push(false);
                self.labels.assembled.push(false);
                self.gone.push(false);
                self.uses.push(1);
                before.push(Item::Value(id));
                Some(id)
            }
            (a, b) => a.or(b),
        };
        Factor { constant, scalar }
    }
}
