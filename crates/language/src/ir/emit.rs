//! Emits statements from values, once `place.rs` has labelled them full or partial and `slots.rs`
//! has given them places. Reductions next to each other are joined.

use super::moves::{Move, Step, in_order};
use super::slots::{Slots, slots};
use super::{
    Expression, Factor, Ghosts, Loop, Operand, Program, Reduced, Reduction, Scalar, State,
    Statement, Term,
};
use crate::arithmetic::Arithmetic;
use crate::flow::{self, Flow, Item, Labels, Op, ValueId};
use crate::problem::Problem;
use crate::types::Kind;

/// The intermediate form of a program.
pub(crate) fn emit(
    name: &str,
    mut problem: Problem,
    (flow, labels): (&Flow, &Labels),
    ghosts: Ghosts,
) -> Program {
    let params = problem.params.iter().map(|param| &param.name);
    let taken = params.chain(problem.matrices.iter().map(|m| &m.name)).cloned().collect();
    let slots = slots(flow, labels, taken);
    let mut emitting = Emitting { flow, labels, slots, guards: 0, guard: None };
    let statements = emitting.items(&flow.items);
    let guards = emitting.guards;
    let Slots { of, vectors, scalars, .. } = emitting.slots;
    let mut inputs = Vec::new();
    let mut sources = Vec::new();
    let mut applied: Vec<usize> = Vec::new();
    flow.each_item(&flow.items, &mut |item| {
        let Item::Value(value) = item else { return };
        match &flow.values[*value].op {
            Op::Source(number) => {
                sources.push(problem.sources[*number].clone());
                inputs.extend(of[*value]);
            }
            Op::Combine(terms) => applied.extend(terms.iter().filter_map(|term| term.matrix)),
            _ => {}
        }
    });
    applied.sort_unstable();
    applied.dedup();
    problem.sources = sources;
    Program {
        name: name.to_string(),
        problem,
        applied,
        vectors,
        scalars,
        inputs,
        loops: flow.loops.iter().map(|this| this.facts.clone()).collect(),
        outputs: flow.outputs.clone(),
        guards,
        statements,
        proved: labels.proved,
        ghosts,
    }
}

struct Emitting<'a> {
    flow: &'a Flow,
    labels: &'a Labels,
    slots: Slots,
    guards: usize,
    /// The guard around the statement.
    guard: Option<usize>,
}

impl Emitting<'_> {
    fn items(&mut self, items: &[Item]) -> Vec<Statement> {
        let mut statements = Vec::new();
        for item in items {
            match item {
                Item::Value(value) => self.value(*value, &mut statements),
                Item::Print(label, value) => {
                    let value = self.scalar(*value);
                    statements.push(Statement::Print { label: label.clone(), value });
                }
                Item::Output(output, value) => statements.push(Statement::Output {
                    output: *output,
                    vector: self.slot(*value),
                    guard: self.guard,
                }),
                Item::Every(count, inner) => {
                    let guard = self.guards;
                    self.guards += 1;
                    self.guard = Some(guard);
                    let body = self.items(inner);
                    self.guard = None;
                    statements.push(Statement::Every { guard, count: *count, body });
                }
                Item::Loop(number) => self.repeat(*number, &mut statements),
            }
        }
        statements
    }

    fn slot(&self, value: ValueId) -> usize {
        self.slots.of[value].expect("a vector has a place")
    }

    fn scalar(&self, value: ValueId) -> Scalar {
        match self.flow.values[value].op {
            Op::Number(number) => Scalar::Number(number.get()),
            Op::Param(number) => Scalar::Param(number),
            _ => Scalar::Slot(self.slot(value)),
        }
    }

    fn operand(&self, value: ValueId) -> Operand {
        if self.flow.values[value].kind == Kind::Vector {
            Operand::Vector(self.slot(value))
        } else {
            Operand::Scalar(self.scalar(value))
        }
    }

    fn value(&self, value: ValueId, statements: &mut Vec<Statement>) {
        let full = &self.labels.full;
        let state = |all: bool| if all { State::Full } else { State::Partial };
        let op = &self.flow.values[value].op;
        let elementwise = |operation, a: ValueId, b: ValueId, all| Statement::Elementwise {
            target: self.slot(value),
            operation,
            operands: [self.operand(a), self.operand(b)],
            state: state(all),
        };
        match op {
            Op::Source(_) => {}
            Op::Combine(terms) => statements.push(self.combine(value, terms)),
            // A copy that is left changes the state.
            Op::Copy(of) => {
                let term = flow::Term { factor: flow::ONE, matrix: None, vector: *of };
                statements.push(self.combine(value, &[term]));
            }
            Op::Times(a, b) => {
                statements.push(elementwise(Arithmetic::Multiply, *a, *b, full[*a] && full[*b]));
            }
            Op::Over(a, b) => {
                statements.push(elementwise(Arithmetic::Divide, *a, *b, full[*a]));
            }
            Op::Map2(operation, a, b) => statements.push(elementwise(*operation, *a, *b, true)),
            Op::Map(function, a) => statements.push(Statement::Map {
                target: self.slot(value),
                function: *function,
                vector: self.slot(*a),
            }),
            Op::Dot(a, b) => {
                let of = Reduced::Dot(self.slot(*a), self.slot(*b));
                self.reduce(value, of, full[*a] && full[*b], statements);
            }
            Op::Sum(a) => self.reduce(value, Reduced::Sum(self.slot(*a)), full[*a], statements),
            Op::Extreme(which, a) => {
                self.reduce(value, Reduced::Extreme(*which, self.slot(*a)), true, statements);
            }
            Op::Scalar(function, a) => {
                let value_of = Expression::Function(*function, self.scalar(*a));
                statements.push(Statement::Compute { target: self.slot(value), value: value_of });
            }
            Op::Scalar2(operation, a, b) => {
                let value_of = Expression::Arithmetic(*operation, self.scalar(*a), self.scalar(*b));
                statements.push(Statement::Compute { target: self.slot(value), value: value_of });
            }
            Op::Number(_) | Op::Param(_) | Op::Phi(..) => {}
        }
        if self.labels.assembled[value] {
            statements.push(Statement::Assemble(self.slot(value)));
        }
    }

    fn combine(&self, value: ValueId, terms: &[flow::Term]) -> Statement {
        let full = self.labels.full[value] && !self.labels.assembled[value];
        let term = |term: &flow::Term| Term {
            factor: Factor {
                constant: term.factor.constant.get(),
                scalar: term.factor.scalar.map(|scalar| self.scalar(scalar)),
            },
            matrix: term.matrix,
            vector: self.slot(term.vector),
            split: !full && term.matrix.is_none() && self.labels.full[term.vector],
        };
        let target = self.slot(value);
        let mut terms: Vec<Term> = terms.iter().map(term).collect();
        // Products first, then what the target was: so it is quickest in place.
        terms.sort_by_key(|term| (term.matrix.is_none(), term.vector != target));
        let state = if full { State::Full } else { State::Partial };
        Statement::Combine { target, terms, state }
    }

    /// Reduces; together with what was reduced just before, if only scalars came between.
    fn reduce(&self, value: ValueId, of: Reduced, owned: bool, statements: &mut Vec<Statement>) {
        let target = self.slot(value);
        let reduction = Reduction { target, of, owned };
        for statement in statements.iter_mut().rev() {
            match statement {
                Statement::Reduce(others) if others.iter().all(|r| r.target != target) => {
                    others.push(reduction);
                    return;
                }
                Statement::Compute { target: other, value } if *other != target => {
                    let own = Scalar::Slot(target);
                    let reads = match *value {
                        Expression::Value(a) | Expression::Function(_, a) => a == own,
                        Expression::Arithmetic(_, a, b) => a == own || b == own,
                    };
                    if reads {
                        break;
                    }
                }
                _ => break,
            }
        }
        statements.push(Statement::Reduce(vec![reduction]));
    }

    fn repeat(&mut self, number: usize, statements: &mut Vec<Statement>) {
        let flow = self.flow;
        let this = &flow.loops[number];
        self.moves(number, 0, statements);
        // A phi that is assembled is so at the head.
        let phis = this.phis.iter().filter(|&&phi| self.labels.assembled[phi]);
        let mut head: Vec<Statement> =
            phis.map(|&phi| Statement::Assemble(self.slot(phi))).collect();
        head.extend(self.items(&this.head));
        let mut body = self.items(&this.body);
        self.moves(number, 1, &mut body);
        let test = this.test.map(|(c, a, b)| (c, self.scalar(a), self.scalar(b)));
        let limit = self.scalar(this.limit);
        statements.push(Statement::Loop(Loop { number, limit, head, test, body }));
    }

    /// Sets the phis of a loop, from before it or from its end.
    fn moves(&self, number: usize, end: usize, statements: &mut Vec<Statement>) {
        let (mut vectors, mut scalars, mut splits) = (Vec::new(), Vec::new(), Vec::new());
        for &phi in &self.flow.loops[number].phis {
            let from = self.flow.values[phi].op.operands()[end];
            let to = self.slot(phi);
            if self.flow.values[phi].kind != Kind::Vector {
                scalars.push(Move { to, from: self.scalar(from) });
                continue;
            }
            vectors.push(Move { to, from: self.slot(from) });
            let partial = !self.labels.full[phi] || self.labels.assembled[phi];
            if partial && self.labels.full[from] {
                splits.push(to);
            }
        }
        let (needed, needed_scalars) = &self.slots.needed[number][end];
        let whole = Factor { constant: 1.0, scalar: None };
        let copy = |target, vector, split, state| {
            let terms = vec![Term { factor: whole, matrix: None, vector, split }];
            Statement::Combine { target, terms, state }
        };
        for step in in_order(vectors, Some, |slot| slot, needed) {
            statements.push(match step {
                Step::Swap(a, b) => Statement::Swap(a, b),
                Step::Copy { to, from } => {
                    let split = splits.contains(&to);
                    splits.retain(|&other| other != to);
                    copy(to, from, split, self.incoming(number, to))
                }
            });
        }
        statements.extend(splits.into_iter().map(|to| copy(to, to, true, State::Partial)));
        let place = |scalar| match scalar {
            Scalar::Slot(slot) => Some(slot),
            _ => None,
        };
        for step in in_order(scalars, place, Scalar::Slot, needed_scalars) {
            statements.push(match step {
                Step::Swap(a, b) => Statement::SwapScalars(a, b),
                Step::Copy { to, from } => {
                    Statement::Compute { target: to, value: Expression::Value(from) }
                }
            });
        }
    }

    /// The state of what goes to a phi's place.
    fn incoming(&self, number: usize, slot: usize) -> State {
        let full = |phi: ValueId| self.labels.full[phi] && !self.labels.assembled[phi];
        let phis = self.flow.loops[number].phis.iter();
        let is_full = phis
            .filter(|&&phi| self.flow.values[phi].kind == Kind::Vector && self.slot(phi) == slot)
            .any(|&phi| full(phi));
        if is_full { State::Full } else { State::Partial }
    }
}
