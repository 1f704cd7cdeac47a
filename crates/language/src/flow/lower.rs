//! Lowers the syntax tree to values in static single assignment: names become values, loops get
//! phis.

use super::build::Builder;
use super::{Bits, Factor, Flow, Item, Loop, ONE, Op, Term, ValueId};
use crate::arithmetic::{Arithmetic, Function};
use crate::ir::{LoopFacts, OutputFacts};
use crate::problem::{Source, Vector};
use crate::syntax::{Argument, Binary, ExprId, Node, Shown, Statement, Tree, What};
use crate::types::{Kind, Typed};
use std::collections::HashMap;

/// The values of a program that makes sense.
pub(crate) fn lower(text: &str, tree: &Tree, typed: &mut Typed) -> Flow {
    let variables = HashMap::new();
    let mut lowering =
        Lowering { text, tree, typed, builder: Builder::new(), variables, loops: Vec::new() };
    lowering.block(&tree.statements);
    let mut flow = std::mem::take(&mut lowering.builder.flow);
    flow.items = lowering.builder.close();
    flow
}

fn plain(constant: f64, vector: ValueId) -> Term {
    let factor = Factor { constant: Bits::new(constant), scalar: None };
    Term { factor, matrix: None, vector }
}

/// What an expression came to.
#[derive(Debug, Clone)]
enum Lowered {
    Value(ValueId),
    /// A sum of matrices with factors, waiting for a vector.
    Matrix(Vec<(Factor, usize)>),
}

struct Lowering<'a> {
    text: &'a str,
    tree: &'a Tree,
    typed: &'a mut Typed,
    builder: Builder,
    variables: HashMap<&'a str, ValueId>,
    /// The loops around the statement, by place.
    loops: Vec<usize>,
}

impl<'a> Lowering<'a> {
    fn block(&mut self, statements: &'a [Statement]) {
        for statement in statements {
            match &statement.what {
                What::Unknown(_) | What::Param { .. } | What::Fix { .. } | What::Matrix { .. } => {}
                What::Assign { name, value, .. } => {
                    let value = self.value(*value);
                    self.set(&name.text, value);
                }
                What::While { limit, body, .. } | What::Repeat { limit, body } => {
                    let limit = self.value(*limit);
                    self.repeat(statement, limit, body);
                }
                What::Print { shown, every } => self.guarded(*every, |lowering| {
                    for Shown { label, value } in shown {
                        let value = lowering.value(*value);
                        lowering.builder.item(Item::Print(label.clone(), value));
                    }
                }),
                What::Output { name, file, every } => {
                    let number = self.builder.flow.outputs.len();
                    let file = file.as_ref().unwrap_or(name).text.clone();
                    // The counter of a guard numbers the files of a series.
                    let series = !self.loops.is_empty();
                    let every = every.or(series.then_some(1));
                    self.builder.flow.outputs.push(OutputFacts { name: file, series });
                    self.guarded(every, |lowering| {
                        let value = lowering.builder.seen(lowering.variables[name.text.as_str()]);
                        lowering.builder.item(Item::Output(number, value));
                    });
                }
            }
        }
    }

    fn guarded(&mut self, every: Option<u32>, inner: impl FnOnce(&mut Self)) {
        match every {
            Some(count) => {
                self.builder.open(every);
                inner(self);
                let items = self.builder.close();
                self.builder.item(Item::Every(count, items));
            }
            None => inner(self),
        }
    }

    fn set(&mut self, name: &'a str, value: ValueId) {
        self.builder.flow.values[value].name.get_or_insert_with(|| name.to_string());
        self.variables.insert(name, value);
    }

    /// A loop: phis, what is compared, the body, copies.
    fn repeat(&mut self, statement: &'a Statement, limit: ValueId, body: &'a [Statement]) {
        let changed: Vec<&str> =
            assigned(body).into_iter().filter(|name| self.variables.contains_key(name)).collect();
        let before = self.variables.clone();
        self.builder.open(None);
        let mut phis = Vec::new();
        for &name in &changed {
            let entry = self.variables[name];
            let kind = self.builder.flow.values[entry].kind;
            let phi = self.builder.phi(kind, entry);
            self.set(name, phi);
            phis.push(phi);
        }
        let number = self.builder.flow.loops.len();
        let text = self.text[statement.span.start..statement.span.end].to_string();
        let parent = self.loops.last().copied();
        self.builder.flow.loops.push(Loop {
            facts: LoopFacts { line: statement.line, text, parent },
            phis: phis.clone(),
            limit,
            test: None,
            head: Vec::new(),
            body: Vec::new(),
        });
        self.loops.push(number);
        let mut test = None;
        if let What::While { test: (comparison, left, right), .. } = &statement.what {
            test = Some((*comparison, self.value(*left), self.value(*right)));
        }
        let head = self.builder.take_items();
        self.block(body);
        self.loops.pop();
        let body = self.builder.close();
        let this = &mut self.builder.flow.loops[number];
        (this.test, this.head, this.body) = (test, head, body);
        self.builder.item(Item::Loop(number));
        // What the loop made is gone; what it changed goes on as a copy.
        let after = std::mem::replace(&mut self.variables, before);
        for (&name, &phi) in changed.iter().zip(&phis) {
            if let Op::Phi(_, back) = &mut self.builder.flow.values[phi].op {
                *back = after[name];
            }
            let kind = self.builder.flow.values[phi].kind;
            let copy = self.builder.make_here(kind, Op::Copy(phi));
            self.set(name, copy);
        }
    }

    /// An expression that is a scalar or a vector.
    fn value(&mut self, root: ExprId) -> ValueId {
        let mut done: HashMap<ExprId, Lowered> = HashMap::new();
        for id in self.tree.downwards(root).into_iter().rev() {
            if self.typed.kinds[id.0 as usize].is_some() {
                let lowered = self.node(id, &done);
                done.insert(id, lowered);
            }
        }
        only(&done[&root])
    }

    fn node(&mut self, id: ExprId, done: &HashMap<ExprId, Lowered>) -> Lowered {
        let tree = self.tree;
        Lowered::Value(match tree.node(id) {
            Node::Number(value) => self.builder.number(*value),
            Node::Name(name) => return self.name(name),
            Node::Negative(a) => match &done[a] {
                Lowered::Matrix(sum) => return Lowered::Matrix(negative(sum)),
                Lowered::Value(a) if self.is_vector(*a) => {
                    self.builder.combine(vec![plain(-1.0, *a)])
                }
                Lowered::Value(a) => self.builder.scalar(Function::Negate, *a),
            },
            Node::Binary(binary, a, b) => return self.binary(*binary, &done[a], &done[b]),
            Node::Call(name, arguments) => match self.typed.sources.get(&id) {
                Some(&number) => self.builder.source(number),
                None => self.call(&name.text, arguments, done),
            },
            Node::List(_) => unreachable!("lists are within fields"),
        })
    }

    fn is_vector(&self, value: ValueId) -> bool {
        self.builder.flow.values[value].kind == Kind::Vector
    }

    fn name(&mut self, name: &str) -> Lowered {
        if let Some(&value) = self.variables.get(name) {
            return Lowered::Value(self.builder.seen(value));
        }
        let problem = &self.typed.problem;
        if let Some(number) = problem.matrices.iter().position(|matrix| matrix.name == name) {
            return Lowered::Matrix(vec![(ONE, number)]);
        }
        match problem.params.iter().position(|param| param.name == name) {
            Some(number) => Lowered::Value(self.builder.make(Kind::Scalar, Op::Param(number))),
            None => Lowered::Value(self.builder.number(std::f64::consts::PI)),
        }
    }

    fn binary(&mut self, binary: Binary, a: &Lowered, b: &Lowered) -> Lowered {
        match (a, b) {
            (Lowered::Matrix(a), Lowered::Matrix(b)) => {
                let b = if binary == Binary::Add { b.clone() } else { negative(b) };
                Lowered::Matrix(a.iter().copied().chain(b).collect())
            }
            (Lowered::Matrix(sum), Lowered::Value(v)) if self.is_vector(*v) => {
                let term = |&(factor, number)| Term { factor, matrix: Some(number), vector: *v };
                let terms = sum.iter().map(term).collect();
                Lowered::Value(self.builder.combine(terms))
            }
            (Lowered::Matrix(sum), Lowered::Value(s))
            | (Lowered::Value(s), Lowered::Matrix(sum)) => {
                let factor = self.factor(binary, *s);
                let scale = |&(f, number)| (self.builder.factor_product(factor, f), number);
                Lowered::Matrix(sum.iter().map(scale).collect())
            }
            (Lowered::Value(a), Lowered::Value(b)) => Lowered::Value(self.values(binary, *a, *b)),
        }
    }

    /// A scalar as the factor or the divisor of something.
    fn factor(&mut self, binary: Binary, scalar: ValueId) -> Factor {
        if !matches!(binary, Binary::Divide | Binary::Over) {
            return self.builder.factor(scalar);
        }
        let one = self.builder.number(1.0);
        let inverse = self.builder.scalar2(Arithmetic::Divide, one, scalar);
        self.builder.factor(inverse)
    }

    fn values(&mut self, binary: Binary, a: ValueId, b: ValueId) -> ValueId {
        let scaled = |factor, vector| vec![Term { factor, matrix: None, vector }];
        match (self.is_vector(a), self.is_vector(b), binary) {
            (false, false, _) => {
                let operation = crate::types::scalar_operation(binary);
                self.builder.scalar2(operation, a, b)
            }
            (true, false, _) => {
                let factor = self.factor(binary, b);
                self.builder.combine(scaled(factor, a))
            }
            (false, true, Binary::Over) => {
                self.builder.make(Kind::Vector, Op::Map2(Arithmetic::Divide, a, b))
            }
            (false, true, _) => {
                let factor = self.builder.factor(a);
                self.builder.combine(scaled(factor, b))
            }
            (true, true, Binary::Times) => self.builder.make(Kind::Vector, Op::Times(a, b)),
            (true, true, Binary::Over) => self.builder.make(Kind::Vector, Op::Over(a, b)),
            (true, true, _) => {
                let sign = if binary == Binary::Add { 1.0 } else { -1.0 };
                self.builder.combine(vec![plain(1.0, a), plain(sign, b)])
            }
        }
    }

    fn call(
        &mut self,
        name: &str,
        arguments: &[Argument],
        done: &HashMap<ExprId, Lowered>,
    ) -> ValueId {
        let values: Vec<ValueId> = arguments.iter().map(|a| only(&done[&a.value])).collect();
        let a = values[0];
        let extreme = if name == "min" { Arithmetic::Minimum } else { Arithmetic::Maximum };
        match (name, &values[..]) {
            ("dot", [a, b]) => self.dot(*a, *b),
            ("norm", _) => {
                let square = self.dot(a, a);
                self.builder.scalar(Function::Sqrt, square)
            }
            ("sum", _) => self.builder.make(Kind::Scalar, Op::Sum(a)),
            ("free", _) => self.free(a),
            ("min" | "max", [a]) => self.builder.make(Kind::Scalar, Op::Extreme(extreme, *a)),
            ("min" | "max", [a, b]) if self.is_vector(*a) || self.is_vector(*b) => {
                self.builder.make(Kind::Vector, Op::Map2(extreme, *a, *b))
            }
            ("min" | "max", [a, b]) => self.builder.scalar2(extreme, *a, *b),
            _ => {
                let function = Function::named(name).expect("the checker knows all functions");
                if self.is_vector(a) {
                    self.builder.make(Kind::Vector, Op::Map(function, a))
                } else {
                    self.builder.scalar(function, a)
                }
            }
        }
    }

    fn dot(&mut self, a: ValueId, b: ValueId) -> ValueId {
        self.builder.make(Kind::Scalar, Op::Dot(a.min(b), a.max(b)))
    }

    /// Zero at fixed unknowns.
    fn free(&mut self, a: ValueId) -> ValueId {
        let problem = &mut self.typed.problem;
        if problem.fixes.is_empty() {
            return a;
        }
        let known = problem.sources.iter().position(|vector| vector.source == Source::Free);
        let number = known.unwrap_or_else(|| {
            let text = "free unknowns".to_string();
            problem.sources.push(Vector { text, line: 0, source: Source::Free });
            problem.sources.len() - 1
        });
        let mask = self.builder.source(number);
        self.builder.make(Kind::Vector, Op::Times(a, mask))
    }
}

fn negative(sum: &[(Factor, usize)]) -> Vec<(Factor, usize)> {
    let minus = |factor: Factor| Factor { constant: Bits::new(-factor.constant.get()), ..factor };
    sum.iter().map(|&(factor, number)| (minus(factor), number)).collect()
}

fn only(lowered: &Lowered) -> ValueId {
    match lowered {
        Lowered::Value(value) => *value,
        Lowered::Matrix(_) => unreachable!("the checker lets no matrix stand alone"),
    }
}

/// The names that statements set, in the order in which they first do.
fn assigned(statements: &[Statement]) -> Vec<&str> {
    let mut names = Vec::new();
    for statement in statements {
        match &statement.what {
            What::Assign { name, .. } => names.push(name.text.as_str()),
            What::While { body, .. } | What::Repeat { body, .. } => names.extend(assigned(body)),
            _ => {}
        }
    }
    let mut seen = std::collections::HashSet::new();
    names.retain(|name| seen.insert(*name));
    names
}
