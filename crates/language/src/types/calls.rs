//! Checks calls: which functions exist, what they take, and whether they give a scalar or a vector.

use super::names::suggestion;
use super::{Checker, Kind};
use crate::arithmetic::Function;
use crate::syntax::{Argument, ExprId, Name, Node};

/// Functions of values.
const FUNCTIONS: [&str; 11] =
    ["dot", "norm", "sum", "free", "min", "max", "sqrt", "abs", "exp", "sin", "cos"];

/// Calls that are vectors from the mesh.
const SOURCES: [&str; 6] = ["rhs", "load", "flux", "diagonal", "lumped", "interpolate"];

/// Calls that matrices are declared with, and one for coefficients.
const FORMS: [&str; 4] = ["stiffness", "mass", "elasticity", "groups"];

/// Whether a name is that of a function and cannot be another's.
pub(super) fn is_function(name: &str) -> bool {
    all().any(|function| function == name)
}

fn all() -> impl Iterator<Item = &'static str> {
    FUNCTIONS.into_iter().chain(SOURCES).chain(FORMS)
}

impl Checker<'_> {
    /// Whether an expression is a call whose arguments are fields.
    pub(super) fn is_source(&self, id: ExprId) -> bool {
        match self.tree.node(id) {
            Node::Call(name, _) => {
                SOURCES.contains(&name.text.as_str()) || FORMS.contains(&name.text.as_str())
            }
            _ => false,
        }
    }

    pub(super) fn call(&mut self, id: ExprId, name: &Name, arguments: &[Argument]) -> Kind {
        let word = name.text.as_str();
        if SOURCES.contains(&word) {
            return self.source(id, name, arguments);
        }
        if FORMS.contains(&word) {
            let message = match word {
                "groups" => "groups(…) is a coefficient; use it inside a form".to_string(),
                _ => format!("{word} makes a matrix: matrix A = {word}(…)"),
            };
            return self.wrong(id, message);
        }
        if !FUNCTIONS.contains(&word) {
            let message = match self.names.get(word) {
                Some(_) => format!("`{word}` is not a function; use `*` for products"),
                None => format!("unknown function `{word}`{}", suggestion(word, all())),
            };
            self.errors.push(name.span, message);
            return Kind::Wrong;
        }
        if let Some(group) = arguments.iter().find_map(|argument| argument.group.as_ref()) {
            self.errors.push(group.span, format!("{word} takes no groups"));
            return Kind::Wrong;
        }
        let kinds: Vec<Kind> = arguments.iter().map(|argument| self.kind(argument.value)).collect();
        if kinds.contains(&Kind::Wrong) {
            return Kind::Wrong;
        }
        match function_kind(word, &kinds) {
            Ok(kind) => kind,
            Err(expected) => {
                let given: Vec<_> = kinds.iter().map(|kind| kind.name()).collect();
                let given = if given.is_empty() { "nothing".into() } else { given.join(", ") };
                self.wrong(id, format!("{word} takes {expected}, found {given}"))
            }
        }
    }
}

fn function_kind(word: &str, kinds: &[Kind]) -> Result<Kind, &'static str> {
    use Kind::{Scalar, Vector};
    match (word, kinds) {
        ("dot", [Vector, Vector]) | ("norm" | "sum" | "min" | "max", [Vector]) => Ok(Scalar),
        ("dot", _) => Err("two vectors"),
        ("free", [Vector]) => Ok(Vector),
        ("norm" | "sum" | "free", _) => Err("a vector"),
        ("min" | "max", [Scalar, Scalar]) => Ok(Scalar),
        ("min" | "max", [Scalar | Vector, Scalar | Vector]) => Ok(Vector),
        ("min" | "max", _) => Err("a vector, or two scalars or vectors"),
        (_, [kind @ (Scalar | Vector)]) if Function::named(word).is_some() => Ok(*kind),
        _ => Err("a scalar or a vector"),
    }
}
