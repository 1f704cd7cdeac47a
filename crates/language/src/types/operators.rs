//! Checks expressions with operators: scalar, vector or matrix.

use super::names::Meaning;
use super::{Checker, Kind};
use crate::syntax::{Binary, ExprId, Node};
use std::collections::HashSet;

/// Names that are no variables.
pub(super) const CONSTANTS: [&str; 1] = ["pi"];

impl Checker<'_> {
    /// The kind of an expression that is evaluated, of all in it too. What stands in a call
    /// that makes something from the mesh is a field and not evaluated.
    pub(super) fn expression(&mut self, root: ExprId) -> Kind {
        let mut order = Vec::new();
        let mut hidden = HashSet::new();
        for id in self.tree.downwards(root) {
            let is_hidden = hidden.contains(&id);
            if !is_hidden {
                order.push(id);
            }
            if is_hidden || self.is_source(id) {
                hidden.extend(self.tree.children(id));
            }
        }
        for &id in order.iter().rev() {
            let kind = self.node(id);
            self.typed.kinds[id.0 as usize] = Some(kind);
        }
        self.kind(root)
    }

    /// An expression that must be of a kind.
    pub(super) fn expect(&mut self, root: ExprId, wanted: Kind, what: &str) {
        let kind = self.expression(root);
        if kind != wanted && kind != Kind::Wrong {
            let message = format!("{what} is a {}, found a {}", wanted.name(), kind.name());
            self.errors.push(self.tree.span(root), message);
        }
    }

    pub(super) fn kind(&self, id: ExprId) -> Kind {
        self.typed.kinds[id.0 as usize].unwrap_or(Kind::Wrong)
    }

    fn node(&mut self, id: ExprId) -> Kind {
        let tree = self.tree;
        match tree.node(id) {
            Node::Number(_) => Kind::Scalar,
            Node::Name(name) => self.name(id, name),
            Node::Negative(a) => self.kind(*a),
            Node::Binary(binary, a, b) => {
                let kinds = (self.kind(*a), self.kind(*b));
                if kinds.0 == Kind::Wrong || kinds.1 == Kind::Wrong {
                    return Kind::Wrong;
                }
                binary_kind(*binary, kinds).unwrap_or_else(|message| self.wrong(id, message))
            }
            Node::Call(name, arguments) => self.call(id, name, arguments),
            Node::List(_) => self.wrong(
                id,
                "a list of components is allowed only in fix, load, flux and \
                    interpolate",
            ),
        }
    }

    fn name(&mut self, id: ExprId, name: &str) -> Kind {
        if CONSTANTS.contains(&name) {
            return Kind::Scalar;
        }
        match self.names.get(name) {
            Some((meaning, _)) => meaning.kind(),
            None if super::calls::is_function(name) => {
                self.wrong(id, format!("`{name}` is a function: {name}(…)"))
            }
            None => {
                let mut message = self.names.unknown(name, &CONSTANTS);
                if matches!(name, "x" | "y" | "z") && !message.contains("loop") {
                    message = format!(
                        "unknown name `{name}`; as a coordinate it is allowed only in fields, such \
                        as interpolate({name})"
                    );
                }
                self.wrong(id, message)
            }
        }
    }

    pub(super) fn wrong(&mut self, id: ExprId, message: impl Into<String>) -> Kind {
        self.errors.push(self.tree.span(id), message);
        Kind::Wrong
    }

    /// The same where nothing is made of it.
    pub(super) fn refuse<T>(&mut self, id: ExprId, message: impl Into<String>) -> Option<T> {
        self.wrong(id, message);
        None
    }

    /// The number of a matrix that is given by name.
    pub(super) fn matrix(&mut self, id: ExprId, of: &str) -> Option<usize> {
        if let Node::Name(name) = self.tree.node(id)
            && let Some((Meaning::Matrix(number), _)) = self.names.get(name)
        {
            return Some(number);
        }
        let message = match self.tree.node(id) {
            Node::Name(name) if self.names.get(name).is_none() => self.names.unknown(name, &[]),
            _ => format!("{of} takes the name of a matrix"),
        };
        self.refuse(id, message)
    }
}

fn binary_kind(binary: Binary, kinds: (Kind, Kind)) -> Result<Kind, String> {
    use Kind::{Matrix, Scalar, Vector};
    let message = match (binary, kinds) {
        (_, (Scalar, Scalar)) => return Ok(Scalar),
        (Binary::Add | Binary::Subtract, (a, b)) if a == b => return Ok(a),
        (Binary::Multiply | Binary::Times | Binary::Over, (Scalar, Vector))
        | (Binary::Times | Binary::Over, (Vector, Vector))
        | (Binary::Multiply | Binary::Divide | Binary::Times | Binary::Over, (Vector, Scalar))
        | (Binary::Multiply, (Matrix, Vector)) => return Ok(Vector),
        (Binary::Multiply, (Scalar, Matrix) | (Matrix, Scalar))
        | (Binary::Divide, (Matrix, Scalar)) => return Ok(Matrix),
        (Binary::Add | Binary::Subtract, (Scalar, Vector) | (Vector, Scalar)) => {
            "a scalar and a vector cannot be added; s * interpolate(1) is a constant vector"
        }
        (Binary::Multiply, (Vector, Vector)) => {
            "`*` of two vectors: use `.*` entry by entry, or dot(a, b)"
        }
        (Binary::Multiply, (Vector, Matrix)) => "write the matrix left of the vector: A*x",
        (Binary::Multiply, (Matrix, Matrix)) => {
            "matrix products are not supported; apply one after the other: A*(B*x)"
        }
        (Binary::Divide, (_, Vector)) => "cannot divide by a vector; use `./` entry by entry",
        (Binary::Divide, (_, Matrix)) => {
            "cannot divide by a matrix; solve with a loop, such as conjugate gradients"
        }
        (Binary::Power, _) => "only scalars have powers; use `.*` entry by entry",
        _ => {
            let (a, b) = (kinds.0.name(), kinds.1.name());
            return Err(format!("`{binary}` is not defined for a {a} and a {b}"));
        }
    };
    Err(message.to_string())
}
