//! What a program needs from the mesh: fixed unknowns, and matrices and vectors from forms.
//!
//! Plain data, for the code that has the mesh. Functions of the place are [`Field`]s.

use super::arithmetic::{Arithmetic, Function};
pub use palmette_mesh::element::Plane;

/// A function of the place.
#[derive(Debug, Clone, PartialEq)]
pub struct Field {
    /// In the order of evaluation.
    steps: Vec<Step>,
}

/// A step on a stack of numbers.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Step {
    Number(f64),
    Coordinate(u8),
    Function(Function),
    Arithmetic(Arithmetic),
}

impl Field {
    /// From steps that leave one number.
    pub(crate) fn new(steps: Vec<Step>) -> Field {
        let field = Field { steps };
        match field.constant() {
            Some(value) => Field { steps: vec![Step::Number(value)] },
            None => field,
        }
    }

    /// The value, if it is the same everywhere.
    pub fn constant(&self) -> Option<f64> {
        let varies = self.steps.iter().any(|step| matches!(step, Step::Coordinate(_)));
        (!varies).then(|| self.at([0.0; 3]))
    }

    /// The value at a point.
    pub fn at(&self, point: [f64; 3]) -> f64 {
        let mut stack: Vec<f64> = Vec::with_capacity(8);
        let pop = |stack: &mut Vec<f64>| stack.pop().expect("a step has its operands");
        for step in &self.steps {
            let value = match *step {
                Step::Number(value) => value,
                Step::Coordinate(axis) => point[axis as usize],
                Step::Function(function) => function.apply(pop(&mut stack)),
                Step::Arithmetic(operation) => {
                    let b = pop(&mut stack);
                    operation.apply(pop(&mut stack), b)
                }
            };
            stack.push(value);
        }
        pop(&mut stack)
    }
}

/// Something for each physical group, or for all.
#[derive(Debug, Clone, PartialEq)]
pub struct Grouped<T> {
    /// By the name of a group.
    pub groups: Vec<(String, T)>,
    /// Wherever no group says otherwise; without it, all elements must have a group that does.
    pub otherwise: Option<T>,
}

/// A coefficient.
pub type Coefficient = Grouped<Field>;

/// The integrand of a matrix.
#[derive(Debug, Clone, PartialEq)]
pub enum Form {
    /// `∫ k ∇u·∇v`
    Stiffness(Coefficient),
    /// `∫ c u v`
    Mass(Coefficient),
    /// Linear elasticity.
    Elasticity {
        /// Young's modulus.
        young: Coefficient,
        /// Poisson's ratio.
        poisson: Coefficient,
        /// For plane bodies.
        plane: Plane,
    },
}

/// A matrix: a sum of forms, of which rows and columns of fixed unknowns are then replaced.
#[derive(Debug, Clone, PartialEq)]
pub struct Matrix {
    /// Its name.
    pub name: String,
    /// What the program says it is.
    pub text: String,
    /// The line of the program, from 1.
    pub line: u32,
    /// Factors and forms.
    pub terms: Vec<(f64, Form)>,
}

/// The integrand of a vector, a value per component.
#[derive(Debug, Clone, PartialEq)]
pub enum Load {
    /// Over elements.
    Volume(Grouped<Vec<Field>>),
    /// Over the boundary cells of groups; `otherwise` is `None`.
    Boundary(Grouped<Vec<Field>>),
}

/// Factors and loads, to be added.
pub type Loads = Vec<(f64, Load)>;

/// A vector from the mesh.
#[derive(Debug, Clone, PartialEq)]
pub enum Source {
    /// `F − A g` at free unknowns with the unfixed matrix, `g` at fixed ones; partial.
    Rhs {
        /// Which matrix.
        matrix: usize,
        /// `F`.
        loads: Loads,
    },
    /// A load, zero at fixed unknowns; partial.
    Load(Load),
    /// The diagonal of a matrix; partial.
    Diagonal(usize),
    /// The row sums of a mass matrix; partial.
    Lumped(Coefficient),
    /// Values at nodes, one field per component; full.
    Interpolate(Vec<Field>),
    /// 1 at free unknowns, 0 at fixed ones; full.
    Free,
}

impl Source {
    /// Whether every copy has the whole value from the start.
    pub fn is_full(&self) -> bool {
        matches!(self, Source::Interpolate(_) | Source::Free)
    }
}

/// A vector from the mesh, as the program has it.
#[derive(Debug, Clone, PartialEq)]
pub struct Vector {
    /// What the program says it is.
    pub text: String,
    /// The line of the program, from 1; 0 when the compiler wants it.
    pub line: u32,
    /// What it is.
    pub source: Source,
}

/// A Dirichlet condition.
#[derive(Debug, Clone, PartialEq)]
pub struct Fix {
    /// The physical group.
    pub group: String,
    /// The component; all of them without.
    pub component: Option<u8>,
    /// The value, one field per component that is fixed.
    pub values: Vec<Field>,
    /// The line of the program, from 1.
    pub line: u32,
}

/// A number that can be set from outside.
#[derive(Debug, Clone, PartialEq)]
pub struct Param {
    /// Its name.
    pub name: String,
    /// Its value.
    pub value: f64,
    /// Whether data of the mesh depend on it, so that it is settled once these are made.
    pub in_forms: bool,
}

/// All that a program asks of the mesh.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Problem {
    /// Components of the unknown at a node, 1 to 3.
    pub components: u8,
    /// Parameters.
    pub params: Vec<Param>,
    /// Dirichlet conditions; a later one wins.
    pub fixes: Vec<Fix>,
    /// Matrices.
    pub matrices: Vec<Matrix>,
    /// Vectors.
    pub sources: Vec<Vector>,
}
