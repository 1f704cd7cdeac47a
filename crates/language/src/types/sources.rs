//! Checks declarations of matrices, and of vectors from the mesh.

use super::names::Meaning;
use super::{Checker, Kind};
use crate::problem::{Form, Load, Loads, Matrix, Plane, Source, Vector};
use crate::syntax::{Argument, ExprId, Name, Node};

impl Checker<'_> {
    /// A call that is a vector from the mesh. Equal ones are made once.
    pub(super) fn source(&mut self, id: ExprId, name: &Name, arguments: &[Argument]) -> Kind {
        let Some(source) = self.read_source(id, name, arguments) else { return Kind::Wrong };
        let (text, line) = (self.text_of(id), self.line);
        let sources = &mut self.typed.problem.sources;
        let number = sources.iter().position(|other| other.source == source);
        let number = number.unwrap_or_else(|| {
            sources.push(Vector { text, line, source });
            sources.len() - 1
        });
        self.typed.sources.insert(id, number);
        Kind::Vector
    }

    fn read_source(&mut self, id: ExprId, name: &Name, arguments: &[Argument]) -> Option<Source> {
        let count = usize::from(self.typed.problem.components);
        let values: Vec<ExprId> = arguments.iter().map(|argument| argument.value).collect();
        let plain = arguments.iter().all(|argument| argument.group.is_none());
        match name.text.as_str() {
            "rhs" => {
                let [matrix, loads] = values[..] else {
                    return self
                        .refuse(id, "rhs takes a matrix and a sum of loads: rhs(A, load(1))");
                };
                let matrix = self.matrix(matrix, "rhs");
                let loads = self.loads(loads)?;
                Some(Source::Rhs { matrix: matrix?, loads })
            }
            "load" | "flux" => Some(Source::Load(self.load(id, name, arguments)?)),
            "diagonal" => {
                let ([matrix], true) = (&values[..], plain) else {
                    return self.refuse(id, "diagonal takes the name of a matrix");
                };
                Some(Source::Diagonal(self.matrix(*matrix, "diagonal")?))
            }
            "lumped" => Some(Source::Lumped(self.grouped(name, arguments, Checker::field)?)),
            _ => {
                let ([values], true) = (&values[..], plain) else {
                    return self.refuse(id, "interpolate takes a field, such as exp(-x^2)");
                };
                Some(Source::Interpolate(self.components(*values, count, true)?))
            }
        }
    }

    fn load(&mut self, id: ExprId, name: &Name, arguments: &[Argument]) -> Option<Load> {
        let count = usize::from(self.typed.problem.components);
        let values =
            self.grouped(name, arguments, |checker, id| checker.components(id, count, false))?;
        if name.text == "load" {
            return Some(Load::Volume(values));
        }
        if values.otherwise.is_some() {
            return self.refuse(id, "flux goes through the boundary of groups: flux(top: 2)");
        }
        Some(Load::Boundary(values))
    }

    fn loads(&mut self, root: ExprId) -> Option<Loads> {
        let tree = self.tree;
        let mut loads = Vec::new();
        for (factor, id) in self.sum(root)? {
            match tree.node(id) {
                Node::Call(name, arguments) if matches!(name.text.as_str(), "load" | "flux") => {
                    loads.push((factor, self.load(id, name, arguments)?));
                }
                // No load at all.
                Node::Number(0.0) => {}
                _ => return self.refuse(id, "expected load(…) or flux(…)"),
            }
        }
        Some(loads)
    }

    /// The forms that a matrix is declared as.
    pub(super) fn declare_matrix(&mut self, name: &Name, root: ExprId) -> Option<Matrix> {
        let tree = self.tree;
        let mut terms = Vec::new();
        for (factor, id) in self.sum(root)? {
            match tree.node(id) {
                Node::Call(call, arguments) => {
                    terms.push((factor, self.form(id, call, arguments)?))
                }
                Node::Name(other) => match self.names.get(other) {
                    Some((Meaning::Matrix(number), _)) => {
                        let others = &self.typed.problem.matrices[number].terms;
                        terms.extend(others.iter().map(|(f, form)| (factor * f, form.clone())));
                    }
                    Some(_) => return self.refuse(id, format!("`{other}` is not a matrix")),
                    None => {
                        let message = self.names.unknown(other, &[]);
                        return self.refuse(id, message);
                    }
                },
                _ => {
                    return self
                        .refuse(id, "a matrix is a sum of stiffness(…), mass(…), elasticity(…)");
                }
            }
        }
        let (text, line) = (self.text_of(root), self.line);
        Some(Matrix { name: name.text.clone(), text, line, terms })
    }

    fn form(&mut self, id: ExprId, name: &Name, arguments: &[Argument]) -> Option<Form> {
        let components = self.typed.problem.components;
        match name.text.as_str() {
            "stiffness" if components > 1 => {
                let message = format!(
                    "stiffness needs one component, but the unknown has {components}; use \
                    elasticity"
                );
                self.refuse(id, message)
            }
            "stiffness" => Some(Form::Stiffness(self.grouped(name, arguments, Checker::field)?)),
            "mass" => Some(Form::Mass(self.grouped(name, arguments, Checker::field)?)),
            "elasticity" if components == 1 => {
                self.refuse(id, "elasticity needs 2 or 3 components; write `unknown 2` first")
            }
            "elasticity" => self.elasticity(id, name, arguments),
            other => {
                let forms = ["stiffness", "mass", "elasticity"];
                let hint = super::names::suggestion(other, forms.into_iter());
                let message = format!("`{other}` is not a form of a matrix{hint}");
                self.errors.push(name.span, message);
                None
            }
        }
    }

    fn elasticity(&mut self, id: ExprId, name: &Name, arguments: &[Argument]) -> Option<Form> {
        let tree = self.tree;
        let plane = match arguments {
            [_, _] => Plane::default(),
            [_, _, plane] => match tree.node(plane.value) {
                Node::Name(word) if word == "stress" => Plane::Stress,
                Node::Name(word) if word == "strain" => Plane::Strain,
                _ => return self.refuse(plane.value, "expected stress or strain"),
            },
            _ => {
                return self
                    .refuse(id, "elasticity takes Young's modulus, Poisson's ratio [, stress]");
            }
        };
        if let Some(group) = arguments.iter().find_map(|argument| argument.group.as_ref()) {
            let message = "write values by group with groups(…) here: groups(steel: 200, else: 1)";
            self.errors.push(group.span, message);
            return None;
        }
        let young = self.grouped(name, &arguments[..1], Checker::field)?;
        let poisson = self.grouped(name, &arguments[1..2], Checker::field)?;
        Some(Form::Elasticity { young, poisson, plane })
    }
}
