//! Kinds: what every expression is, and what the program asks of the mesh.
//!
//! | | scalar | vector | matrix |
//! |---|---|---|---|
//! | `+ -` | with scalars | with vectors | with matrices |
//! | `*` | with anything | with scalars | with scalars, vectors on its right |
//! | `/` | under anything | over scalars | over scalars |
//! | `.* ./` | with vectors | with scalars and vectors | |
//!
//! A name keeps its kind. A name that only a loop sets is unknown after the loop, which may
//! run zero times. Fields, the arguments of forms, have rules of their own (`field.rs`).

mod calls;
mod field;
mod names;
mod operators;
mod sources;
mod walk;

use super::problem::Problem;
use super::syntax::{Errors, ExprId, Tree};
pub(crate) use field::scalar_operation;
use names::Names;
use std::collections::HashMap;

/// What an expression is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Kind {
    Scalar,
    Vector,
    Matrix,
    /// An error was reported; more would only confuse.
    Wrong,
}

impl Kind {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Kind::Scalar => "scalar",
            Kind::Vector => "vector",
            Kind::Matrix => "matrix",
            Kind::Wrong => "value",
        }
    }
}

/// A program that makes sense.
#[derive(Debug)]
pub(crate) struct Typed {
    pub(crate) problem: Problem,
    /// By expression that is evaluated; `None` for those within fields and forms.
    pub(crate) kinds: Vec<Option<Kind>>,
    /// Calls that are vectors from the mesh.
    pub(crate) sources: HashMap<ExprId, usize>,
}

/// Finds out what everything is. Parameters may be set from outside.
pub(crate) fn check(
    text: &str,
    tree: &Tree,
    settings: &[(String, f64)],
    errors: &mut Errors,
) -> Typed {
    let mut checker = Checker {
        text,
        tree,
        settings,
        errors,
        names: Names::default(),
        typed: Typed {
            problem: Problem { components: 1, ..Problem::default() },
            kinds: vec![None; tree.len()],
            sources: HashMap::new(),
        },
        line: 0,
        loops: 0,
        files: HashMap::new(),
    };
    checker.program();
    checker.typed
}

struct Checker<'a> {
    text: &'a str,
    tree: &'a Tree,
    settings: &'a [(String, f64)],
    errors: &'a mut Errors,
    names: Names,
    typed: Typed,
    /// The line of the statement.
    line: u32,
    /// Loops around the statement.
    loops: usize,
    /// Names of outputs, by whether they are series, with their lines.
    files: HashMap<(String, bool), u32>,
}

impl Checker<'_> {
    fn text_of(&self, id: ExprId) -> String {
        let span = self.tree.span(id);
        self.text[span.start..span.end].split_whitespace().collect::<Vec<_>>().join(" ")
    }
}
