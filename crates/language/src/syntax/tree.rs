//! The syntax tree of a program.

use super::Span;
use palmette_core::named;

/// A place in the list of expressions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct ExprId(pub(crate) u32);

/// A program as it is written.
#[derive(Debug, Default)]
pub(crate) struct Tree {
    exprs: Vec<(Span, Node)>,
    pub(crate) statements: Vec<Statement>,
}

/// A name and where it stands.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Name {
    pub(crate) text: String,
    pub(crate) span: Span,
}

/// An expression whose children come before it in the list.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Node {
    Number(f64),
    Name(String),
    Negative(ExprId),
    Binary(Binary, ExprId, ExprId),
    Call(Name, Vec<Argument>),
    List(Vec<ExprId>),
}

named! {
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub(crate) enum Binary("operator") {
        Add = "+",
        Subtract = "-",
        Multiply = "*",
        Divide = "/",
        Times = ".*",
        Over = "./",
        Power = "^",
    }
}

/// What a call is given, perhaps for a physical group.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Argument {
    pub(crate) group: Option<Name>,
    pub(crate) value: ExprId,
}

named! {
    /// How two scalars are compared; names are those of programs and of C.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    pub enum Comparison("comparison") {
        /// `<`
        Less = "<",
        /// `<=`
        LessOrEqual = "<=",
        /// `>`
        Greater = ">",
        /// `>=`
        GreaterOrEqual = ">=",
    }
}

impl Comparison {
    /// Whether it holds between two numbers; never where one is none.
    pub fn holds(self, a: f64, b: f64) -> bool {
        match self {
            Comparison::Less => a < b,
            Comparison::LessOrEqual => a <= b,
            Comparison::Greater => a > b,
            Comparison::GreaterOrEqual => a >= b,
        }
    }
}

/// A line, or a loop.
#[derive(Debug)]
pub(crate) struct Statement {
    /// Its first line, from 1.
    pub(crate) line: u32,
    /// Its first line without what follows.
    pub(crate) span: Span,
    pub(crate) what: What,
}

/// What a statement does.
#[derive(Debug)]
pub(crate) enum What {
    Unknown(ExprId),
    Param { name: Name, value: ExprId },
    Fix { group: Name, component: Option<u8>, value: ExprId },
    Matrix { name: Name, value: ExprId },
    Assign { name: Name, value: ExprId, vector: bool },
    While { test: (Comparison, ExprId, ExprId), limit: ExprId, body: Vec<Statement> },
    Repeat { limit: ExprId, body: Vec<Statement> },
    Print { shown: Vec<Shown>, every: Option<u32> },
    Output { name: Name, file: Option<Name>, every: Option<u32> },
}

/// A scalar to print and how to call it.
#[derive(Debug)]
pub(crate) struct Shown {
    pub(crate) label: String,
    pub(crate) value: ExprId,
}

impl Tree {
    pub(crate) fn push(&mut self, span: Span, node: Node) -> ExprId {
        self.exprs.push((span, node));
        ExprId(self.exprs.len() as u32 - 1)
    }

    pub(crate) fn len(&self) -> usize {
        self.exprs.len()
    }

    /// What an expression is.
    pub(crate) fn node(&self, id: ExprId) -> &Node {
        &self.exprs[id.0 as usize].1
    }

    /// Where an expression stands.
    pub(crate) fn span(&self, id: ExprId) -> Span {
        self.exprs[id.0 as usize].0
    }

    /// An expression and all in it, parents before children, the right ones first; so the
    /// reverse is the order of evaluation.
    pub(crate) fn downwards(&self, root: ExprId) -> Vec<ExprId> {
        let mut order = Vec::new();
        let mut waiting = vec![root];
        while let Some(id) = waiting.pop() {
            order.push(id);
            waiting.extend(self.children(id));
        }
        order
    }

    /// The expressions right below one, from left to right.
    pub(crate) fn children(&self, id: ExprId) -> Vec<ExprId> {
        match self.node(id) {
            Node::Number(_) | Node::Name(_) => Vec::new(),
            Node::Negative(a) => vec![*a],
            Node::Binary(_, a, b) => vec![*a, *b],
            Node::Call(_, arguments) => arguments.iter().map(|a| a.value).collect(),
            Node::List(items) => items.clone(),
        }
    }
}
