//! Checks fields (functions of x, y, z and params), and sums of forms or loads with factors.

use super::Checker;
use super::names::{Meaning, suggestion};
use crate::arithmetic::{Arithmetic, Function};
use crate::problem::{Field, Grouped, Step};
use crate::syntax::{Argument, Binary, ExprId, Name, Node};

const COORDINATES: [&str; 3] = ["x", "y", "z"];

impl Checker<'_> {
    /// An expression as a field.
    pub(super) fn field(&mut self, root: ExprId) -> Option<Field> {
        let before = self.errors.count();
        let order = self.tree.downwards(root);
        let steps: Vec<Step> = order.iter().rev().filter_map(|&id| self.step(id)).collect();
        // A list leaves no single number; it was reported.
        (self.errors.count() == before).then(|| Field::new(steps))
    }

    /// A field that is the same everywhere.
    pub(super) fn constant(&mut self, root: ExprId, what: &str) -> Option<f64> {
        let field = self.field(root)?;
        let value = field.constant();
        if value.is_none() {
            self.wrong(root, format!("{what} is a number and cannot depend on x, y, z"));
        }
        value
    }

    fn step(&mut self, id: ExprId) -> Option<Step> {
        let tree = self.tree;
        match tree.node(id) {
            Node::Number(value) => Some(Step::Number(*value)),
            Node::Negative(_) => Some(Step::Function(Function::Negate)),
            Node::Binary(binary, ..) => Some(Step::Arithmetic(scalar_operation(*binary))),
            Node::Name(name) => self.field_name(id, name),
            Node::Call(name, arguments) => self.field_call(name, arguments),
            Node::List(_) => {
                self.refuse(id, "a list of components cannot be part of an expression")
            }
        }
    }

    fn field_name(&mut self, id: ExprId, name: &str) -> Option<Step> {
        if let Some(axis) = COORDINATES.iter().position(|&axis| axis == name) {
            return Some(Step::Coordinate(axis as u8));
        }
        if name == "pi" {
            return Some(Step::Number(std::f64::consts::PI));
        }
        let message = match self.names.get(name) {
            Some((Meaning::Param(number), _)) => {
                let param = &mut self.typed.problem.params[number];
                param.in_forms = true;
                return Some(Step::Number(param.value));
            }
            Some((meaning, _)) => format!(
                "`{name}` is a {} of the program; here only numbers, pi, x, y, z and params are \
                allowed",
                meaning.kind().name()
            ),
            None => {
                let known = self.names.params().chain(COORDINATES).chain(["pi"]);
                format!("unknown name `{name}`{}", suggestion(name, known))
            }
        };
        self.refuse(id, message)
    }

    fn field_call(&mut self, name: &Name, arguments: &[Argument]) -> Option<Step> {
        let word = name.text.as_str();
        let plain = arguments.iter().all(|argument| argument.group.is_none());
        let message = match (word, arguments.len()) {
            ("min", 2) if plain => return Some(Step::Arithmetic(Arithmetic::Minimum)),
            ("max", 2) if plain => return Some(Step::Arithmetic(Arithmetic::Maximum)),
            ("min" | "max", _) => format!("{word} takes two numbers here"),
            _ => match Function::named(word) {
                Some(function) if plain && arguments.len() == 1 => {
                    return Some(Step::Function(function));
                }
                Some(_) => format!("{word} takes one number here"),
                None => {
                    let known = ["min", "max", "sqrt", "abs", "exp", "sin", "cos"];
                    let hint = suggestion(word, known.into_iter());
                    format!("`{word}` cannot be used in a field{hint}")
                }
            },
        };
        self.errors.push(name.span, message);
        None
    }

    /// One field per component: a list, or where `spread` one field for all of them.
    pub(super) fn components(
        &mut self,
        root: ExprId,
        count: usize,
        spread: bool,
    ) -> Option<Vec<Field>> {
        let tree = self.tree;
        let Node::List(items) = tree.node(root) else {
            let field = self.field(root)?;
            if count > 1 && !spread {
                let example = ["a", "b", "c"][..count].join(", ");
                return self
                    .refuse(root, format!("expected a list of {count} components: [{example}]"));
            }
            return Some(vec![field; count]);
        };
        if items.len() != count {
            let message = format!("expected {count} components, found {}", items.len());
            return self.refuse(root, message);
        }
        items.iter().map(|&item| self.field(item)).collect()
    }

    /// One value for all, or values by group.
    pub(super) fn grouped<T>(
        &mut self,
        of: &Name,
        arguments: &[Argument],
        mut value: impl FnMut(&mut Self, ExprId) -> Option<T>,
    ) -> Option<Grouped<T>> {
        let tree = self.tree;
        let mut arguments = arguments;
        if let [Argument { group: None, value: only }] = arguments {
            match tree.node(*only) {
                Node::Call(name, inner) if name.text == "groups" => arguments = inner,
                _ => {
                    let otherwise = Some(value(self, *only)?);
                    return Some(Grouped { groups: Vec::new(), otherwise });
                }
            }
        }
        if arguments.is_empty() {
            let message =
                format!("{} takes a value, or values by group: steel: 50, else: 1", of.text);
            self.errors.push(of.span, message);
            return None;
        }
        let mut all = Grouped { groups: Vec::new(), otherwise: None };
        for argument in arguments {
            let Some(group) = &argument.group else {
                return self.refuse(argument.value, "expected a group before the value: steel: 50");
            };
            let twice = match group.text.as_str() {
                "else" => all.otherwise.is_some(),
                name => all.groups.iter().any(|(other, _)| other == name),
            };
            if twice {
                self.errors.push(group.span, format!("a second value for `{}`", group.text));
            }
            let value = value(self, argument.value)?;
            match group.text.as_str() {
                "else" => all.otherwise = Some(value),
                name => all.groups.push((name.to_string(), value)),
            }
        }
        Some(all)
    }

    /// A sum as factors and what stands after them.
    pub(super) fn sum(&mut self, root: ExprId) -> Option<Vec<(f64, ExprId)>> {
        let tree = self.tree;
        let mut terms = Vec::new();
        let mut waiting = vec![(1.0, root)];
        while let Some((factor, id)) = waiting.pop() {
            match tree.node(id) {
                Node::Negative(a) => waiting.push((-factor, *a)),
                Node::Binary(Binary::Add, a, b) => waiting.extend([(factor, *b), (factor, *a)]),
                Node::Binary(Binary::Subtract, a, b) => {
                    waiting.extend([(-factor, *b), (factor, *a)]);
                }
                Node::Binary(Binary::Multiply, a, b) => {
                    let (number, rest) = if self.holds_source(*a) { (*b, *a) } else { (*a, *b) };
                    waiting.push((factor * self.constant(number, "a factor")?, rest));
                }
                Node::Binary(Binary::Divide, a, b) => {
                    waiting.push((factor / self.constant(*b, "a divisor")?, *a));
                }
                _ => terms.push((factor, id)),
            }
        }
        Some(terms)
    }

    /// Whether something from the mesh, or a matrix, stands in an expression.
    fn holds_source(&self, root: ExprId) -> bool {
        self.tree.downwards(root).into_iter().any(|id| match self.tree.node(id) {
            Node::Name(name) => matches!(self.names.get(name), Some((Meaning::Matrix(_), _))),
            _ => self.is_source(id),
        })
    }
}

/// What an operator does with numbers.
pub(crate) fn scalar_operation(binary: Binary) -> Arithmetic {
    match binary {
        Binary::Add => Arithmetic::Add,
        Binary::Subtract => Arithmetic::Subtract,
        Binary::Multiply | Binary::Times => Arithmetic::Multiply,
        Binary::Divide | Binary::Over => Arithmetic::Divide,
        Binary::Power => Arithmetic::Power,
    }
}
