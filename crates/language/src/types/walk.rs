//! Checks statements in the order of the program.

use super::names::Meaning;
use super::operators::CONSTANTS;
use super::{Checker, Kind};
use crate::problem::{Fix, Param};
use crate::syntax::{ExprId, Name, Shown, Statement, What};

impl Checker<'_> {
    pub(super) fn program(&mut self) {
        let tree = self.tree;
        self.unknown(&tree.statements);
        self.block(&tree.statements);
        let problem = &self.typed.problem;
        for (name, _) in self.settings {
            if !problem.params.iter().any(|param| param.name == *name) {
                let known: Vec<_> = problem.params.iter().map(|p| p.name.as_str()).collect();
                let known = if known.is_empty() { "none".into() } else { known.join(", ") };
                let start = crate::syntax::Span { start: 0, end: 0 };
                let message = format!("the program has no param `{name}`; it has: {known}");
                self.errors.push(start, message);
            }
        }
    }

    /// The number of components, wherever it is said.
    fn unknown(&mut self, statements: &[Statement]) {
        let mut said = None;
        for statement in statements {
            let What::Unknown(value) = statement.what else { continue };
            if let Some(line) = said {
                let message = format!("the components were already given in line {line}");
                self.errors.push(statement.span, message);
            }
            said = Some(statement.line);
            match self.constant(value, "the number of components") {
                Some(count) if [1.0, 2.0, 3.0].contains(&count) => {
                    self.typed.problem.components = count as u8;
                }
                Some(_) => {
                    self.wrong(value, "the unknown has 1, 2 or 3 components");
                }
                None => {}
            }
        }
    }

    fn block(&mut self, statements: &[Statement]) {
        for statement in statements {
            self.statement(statement);
        }
    }

    fn statement(&mut self, statement: &Statement) {
        let line = statement.line;
        self.line = line;
        let declares = matches!(
            statement.what,
            What::Unknown(_) | What::Param { .. } | What::Fix { .. } | What::Matrix { .. }
        );
        if declares && self.loops > 0 {
            self.errors.push(statement.span, "declarations are not allowed in loops");
        }
        match &statement.what {
            What::Unknown(_) => {}
            What::Param { name, value } => self.param(name, *value, line),
            What::Fix { group, component, value } => self.fix(group, *component, *value, line),
            What::Matrix { name, value } => {
                let matrix = self.declare_matrix(name, *value);
                if self.is_new(name) {
                    let number = self.typed.problem.matrices.len();
                    match matrix {
                        Some(matrix) => {
                            self.typed.problem.matrices.push(matrix);
                            self.names.define(&name.text, Meaning::Matrix(number), line);
                        }
                        None => {
                            self.names.define(&name.text, Meaning::Variable(Kind::Wrong), line);
                        }
                    }
                }
            }
            What::Assign { name, value, vector } => self.assign(name, *value, *vector, line),
            What::While { test: (_, left, right), limit, body } => {
                self.expect(*left, Kind::Scalar, "what a loop compares");
                self.expect(*right, Kind::Scalar, "what a loop compares");
                self.expect(*limit, Kind::Scalar, "the limit of a loop");
                self.inside(body, line);
            }
            What::Repeat { limit, body } => {
                self.expect(*limit, Kind::Scalar, "the number of iterations");
                self.inside(body, line);
            }
            What::Print { shown, every } => {
                self.every(statement, every.is_some());
                self.print(shown);
            }
            What::Output { name, file, every } => {
                self.every(statement, every.is_some());
                self.output(name, file.as_ref(), line);
            }
        }
    }

    fn inside(&mut self, body: &[Statement], line: u32) {
        let mark = self.names.mark();
        self.loops += 1;
        self.block(body);
        self.loops -= 1;
        self.names.forget(mark, line);
    }

    fn every(&mut self, statement: &Statement, given: bool) {
        if given && self.loops == 0 {
            self.errors.push(statement.span, "`every` counts iterations; use it inside a loop");
        }
    }

    /// Reports a name that cannot be defined again.
    fn is_new(&mut self, name: &Name) -> bool {
        let word = name.text.as_str();
        let message = match self.names.get(word) {
            Some((Meaning::Variable(Kind::Wrong), _)) => return true,
            Some((meaning, line)) => {
                format!("`{word}` is already a {} (line {line})", meaning.kind().name())
            }
            None if super::calls::is_function(word) || CONSTANTS.contains(&word) => {
                format!("`{word}` is a word of the language and cannot be a name")
            }
            None => return true,
        };
        self.errors.push(name.span, message);
        false
    }

    fn param(&mut self, name: &Name, value: ExprId, line: u32) {
        let value = self.constant(value, "a param").unwrap_or(1.0);
        if !self.is_new(name) {
            return;
        }
        let setting = self.settings.iter().rev().find(|(other, _)| *other == name.text);
        let value = setting.map_or(value, |(_, value)| *value);
        let number = self.typed.problem.params.len();
        self.typed.problem.params.push(Param { name: name.text.clone(), value, in_forms: false });
        self.names.define(&name.text, Meaning::Param(number), line);
    }

    fn fix(&mut self, group: &Name, component: Option<u8>, value: ExprId, line: u32) {
        let all = self.typed.problem.components;
        if let Some(c) = component
            && c >= all
        {
            let axis = ["x", "y", "z"][usize::from(c)];
            let message = format!("no component {axis}: the unknown has {all}");
            self.errors.push(group.span, message);
        }
        let count = if component.is_some() { 1 } else { usize::from(all) };
        if let Some(values) = self.components(value, count, true) {
            let group = group.text.clone();
            self.typed.problem.fixes.push(Fix { group, component, values, line });
        }
    }

    fn assign(&mut self, name: &Name, value: ExprId, vector: bool, line: u32) {
        let mut kind = self.expression(value);
        if kind == Kind::Matrix {
            let message = format!("a matrix is declared from forms: matrix {} = …", name.text);
            kind = self.wrong(value, message);
        }
        if vector && kind == Kind::Scalar {
            kind = self.wrong(value, "a vector is declared, but this is a scalar");
        }
        match self.names.get(&name.text) {
            Some((Meaning::Variable(_), line)) if vector => {
                let message = format!("`{}` is already defined in line {line}", name.text);
                self.errors.push(name.span, message);
            }
            Some((Meaning::Variable(old), line))
                if old != kind && old != Kind::Wrong && kind != Kind::Wrong =>
            {
                let message = format!(
                    "`{}` is a {} (line {line}) and cannot become a {}",
                    name.text,
                    old.name(),
                    kind.name()
                );
                self.errors.push(name.span, message);
            }
            Some((Meaning::Variable(old), _)) if old != Kind::Wrong => {}
            Some((meaning @ (Meaning::Param(_) | Meaning::Matrix(_)), line)) => {
                let what = if meaning.kind() == Kind::Matrix { "matrix" } else { "param" };
                let message =
                    format!("`{}` is a {what} (line {line}) and cannot be set", name.text);
                self.errors.push(name.span, message);
            }
            _ => {
                if self.is_new(name) {
                    self.names.define(&name.text, Meaning::Variable(kind), line);
                }
            }
        }
    }

    fn print(&mut self, shown: &[Shown]) {
        for Shown { value, .. } in shown {
            match self.expression(*value) {
                Kind::Vector => {
                    self.wrong(*value, "print shows scalars; output writes vectors");
                }
                Kind::Matrix => {
                    self.wrong(*value, "print shows scalars, this is a matrix");
                }
                Kind::Scalar | Kind::Wrong => {}
            }
        }
    }

    fn output(&mut self, name: &Name, file: Option<&Name>, line: u32) {
        let message = match self.names.get(&name.text) {
            Some((Meaning::Variable(Kind::Vector | Kind::Wrong), _)) => {
                let file = file.unwrap_or(name);
                let key = (file.text.clone(), self.loops > 0);
                match self.files.insert(key, line) {
                    None => return,
                    Some(before) => format!(
                        "line {before} writes `{0}` too; give another name: output {1} as {0}_2",
                        file.text, name.text
                    ),
                }
            }
            Some(_) => format!("output writes vectors, and `{}` is not one", name.text),
            None => self.names.unknown(&name.text, &[]),
        };
        self.errors.push(name.span, message);
    }
}
