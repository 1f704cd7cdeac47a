//! Makes the matrices and vectors that a program needs, for one piece of the mesh at a time.

use super::RunError;
use crate::ir::Program;
use crate::problem::{self, Field, Grouped, Problem, Source, Vector};
use palmette_core::Mesh;
use palmette_mesh::element::{
    Assembler, Coefficient, Conditions, Fix, Form, FormError, Load, Submesh, Value,
};
use palmette_mesh::spmv::{Csr, Piece};

/// The matrices and vectors of one piece.
#[derive(Debug, Clone, PartialEq)]
pub struct PieceData {
    /// Those of [`Program::applied`].
    pub matrices: Vec<Csr>,
    /// By source of the problem: its values, node by node.
    pub vectors: Vec<Vec<f64>>,
}

/// The fixed unknowns of a problem.
///
/// # Errors
/// Groups that the mesh does not have.
pub fn conditions(program: &Program, mesh: &Mesh) -> Result<Conditions, RunError> {
    let problem = &program.problem;
    let mut fixes = Vec::new();
    for fix in &problem.fixes {
        let components: Vec<usize> = match fix.component {
            Some(component) => vec![usize::from(component)],
            None => (0..usize::from(problem.components)).collect(),
        };
        for (component, field) in components.into_iter().zip(fix.values.iter().cycle()) {
            fixes.push((fix, Fix::new(&fix.group, value(field)).component(component)));
        }
    }
    let all: Vec<Fix> = fixes.iter().map(|(_, fix)| fix.clone()).collect();
    let components = usize::from(problem.components);
    Conditions::new(mesh, components, &all).map_err(|error| {
        // Alone, the one that is wrong fails too.
        let alone = |fix: &Fix| Conditions::new(mesh, components, std::slice::from_ref(fix)).err();
        let found = fixes.iter().find_map(|(fix, made)| Some((*fix, alone(made)?)));
        match found {
            Some((fix, error)) => failed(fix.line, &format!("fix {}", fix.group), error),
            None => RunError::Mesh { what: "fix".to_string(), error },
        }
    })
}

/// A failure of what a line of the program asks for.
fn failed(line: u32, what: &str, error: FormError) -> RunError {
    RunError::Mesh { what: format!("line {line}: {what}"), error }
}

/// Makes the data of a piece. No communication.
///
/// # Errors
/// What the mesh cannot give: a group it does not have, an inverted element, a coefficient that is
/// not a number.
pub fn piece_data(
    program: &Program,
    mesh: &Mesh,
    conditions: &Conditions,
    piece: &Piece,
) -> Result<PieceData, RunError> {
    let owned: Vec<bool> = (0..piece.nodes.len()).map(|node| piece.owns(node)).collect();
    let submesh = Submesh::new(mesh, &piece.elements, &piece.nodes, &owned);
    let assembler = Assembler::new(&submesh, conditions)
        .map_err(|error| RunError::Mesh { what: "the mesh".to_string(), error })?;
    let maker = Maker { problem: &program.problem, assembler };
    let matrices = program.applied.iter().map(|&number| maker.matrix(number));
    let matrices = matrices.collect::<Result<Vec<Csr>, RunError>>()?;
    let applied = |number: usize| {
        let place = program.applied.binary_search(&number).ok();
        place.map(|place| &matrices[place])
    };
    let mut vectors = Vec::with_capacity(program.problem.sources.len());
    for Vector { text, line, source } in &program.problem.sources {
        vectors.push(match source {
            // Those that are there need not be made again.
            Source::Diagonal(number) => match applied(*number) {
                Some(matrix) => matrix.diagonal(),
                None => maker.matrix(*number)?.diagonal(),
            },
            _ => maker.vector(source).map_err(|error| failed(*line, text, error))?,
        });
    }
    Ok(PieceData { matrices, vectors })
}

/// Checks, before long work, that a mesh has what a program asks for: on its first element.
///
/// # Errors
/// As [`conditions`] and [`piece_data`].
pub fn check(program: &Program, mesh: &Mesh) -> Result<(), RunError> {
    let conditions = conditions(program, mesh)?;
    let Some(corners) = mesh.elements().iter().next() else { return Ok(()) };
    let mut nodes = corners.to_vec();
    nodes.sort_unstable();
    nodes.dedup();
    let (owned, neighbours, elements) = (Vec::new(), Vec::new(), vec![0]);
    let piece = Piece { part: 0, nodes, shared: 0, owned, neighbours, elements };
    piece_data(program, mesh, &conditions, &piece).map(drop)
}

struct Maker<'a> {
    problem: &'a Problem,
    assembler: Assembler<'a>,
}

impl Maker<'_> {
    fn matrix(&self, number: usize) -> Result<Csr, RunError> {
        let matrix = &self.problem.matrices[number];
        let made = self.assembler.matrix(&form(&matrix.terms));
        made.map_err(|error| failed(matrix.line, &format!("matrix {}", matrix.name), error))
    }

    fn vector(&self, source: &Source) -> Result<Vec<f64>, FormError> {
        let assembler = &self.assembler;
        match source {
            Source::Rhs { matrix, loads } => {
                let mut sum = assembler.zeros();
                for (factor, load) in loads {
                    let load = assembler.load(&made_load(load))?;
                    sum.iter_mut().zip(load).for_each(|(sum, load)| *sum += factor * load);
                }
                assembler.rhs(&form(&self.problem.matrices[*matrix].terms), sum)
            }
            Source::Load(load) => {
                let mut values = assembler.load(&made_load(load))?;
                for (value, fixed) in values.iter_mut().zip(assembler.fixed()) {
                    *value = if *fixed { 0.0 } else { *value };
                }
                Ok(values)
            }
            Source::Diagonal(_) => unreachable!("it comes from its matrix"),
            Source::Lumped(c) => assembler.lumped(coefficient(c)),
            Source::Interpolate(fields) => {
                assembler.interpolate(&fields.iter().map(value).collect::<Vec<_>>())
            }
            Source::Free => {
                Ok(assembler.fixed().iter().map(|&fixed| f64::from(u8::from(!fixed))).collect())
            }
        }
    }
}

fn value(field: &Field) -> Value {
    match field.constant() {
        Some(number) => Value::Constant(number),
        None => {
            let field = field.clone();
            Value::function(move |point| field.at(point))
        }
    }
}

fn coefficient(grouped: &Grouped<Field>) -> Coefficient {
    by_group(grouped, value)
}

fn by_group<T>(grouped: &Grouped<T>, value: impl Fn(&T) -> Value) -> Coefficient {
    let groups = grouped.groups.iter().map(|(name, of)| (name.clone(), value(of)));
    let coefficient = Coefficient::groups(groups.collect::<Vec<_>>());
    match &grouped.otherwise {
        Some(otherwise) => coefficient.or_else(value(otherwise)),
        None => coefficient,
    }
}

fn form(terms: &[(f64, problem::Form)]) -> Form {
    let one = |(factor, form): &(f64, problem::Form)| {
        let form = match form {
            problem::Form::Stiffness(k) => Form::stiffness(coefficient(k)),
            problem::Form::Mass(c) => Form::mass(coefficient(c)),
            problem::Form::Elasticity { young, poisson, plane } => {
                Form::elasticity(coefficient(young), coefficient(poisson), *plane)
            }
        };
        *factor * form
    };
    let sum = terms.iter().map(one).reduce(|a, b| a + b);
    sum.expect("a matrix has a form")
}

fn made_load(load: &problem::Load) -> Load {
    match load {
        problem::Load::Volume(grouped) => {
            let fields =
                grouped.groups.first().map(|group| &group.1).or(grouped.otherwise.as_ref());
            let components = fields.map_or(0, Vec::len);
            Load::sources((0..components).map(|c| by_group(grouped, |fields| value(&fields[c]))))
        }
        problem::Load::Boundary(grouped) => {
            let one = |(name, fields): &(String, Vec<Field>)| {
                Load::traction(name.clone(), fields.iter().map(value))
            };
            let sum = grouped.groups.iter().map(one).reduce(|a, b| a + b);
            sum.expect("a flux has a group")
        }
    }
}
