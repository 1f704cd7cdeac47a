//! The intermediate form: what every rank does, with assemblies in place.
//!
//! A program has vectors and scalars by number and statements in order; loops hold
//! statements. Back ends need no analysis of their own:
//!
//! - A vector is *full* (every copy of a node has the whole value) or *partial* (the copies
//!   add up to it); each statement says in which state its result is. [`Statement::Assemble`]
//!   is the only one that communicates values of nodes, [`Statement::Reduce`] the only one
//!   that communicates sums.
//! - [`Statement::Combine`] is `z = Σ fᵢ Aᵢ xᵢ + Σ fⱼ yⱼ`, entry by entry from the first term to
//!   the last: products, then what the target was, if that is a term, then the others. The
//!   target is never the vector of a product. An `Assemble` of the target often follows: both together can overlap the exchange with
//!   interior rows.
//! - A term that is *split* counts at the owner of a node only: the free way from full to
//!   partial.
//! - Where full vectors are reduced, owned copies count only.
//! - The vectors from the mesh are in their places, [`Program::inputs`], from the beginning.
//!   All scalars are the same on all ranks.

mod count;
mod emit;
mod liveness;
mod moves;
mod show;
mod slots;

use super::arithmetic::{Arithmetic, Function};
use super::problem::Problem;
use super::syntax::Comparison;
pub use count::Counts;
pub(crate) use emit::emit;
pub(crate) use show::show_number;

/// A compiled program.
#[derive(Debug, Clone, PartialEq)]
pub struct Program {
    /// The name of its file.
    pub name: String,
    /// What it asks of the mesh; sources that are not needed are left out.
    pub problem: Problem,
    /// The matrices that it multiplies with, by place in the problem, ascending.
    pub applied: Vec<usize>,
    /// By vector, its name; no name twice, those of scalars included.
    pub vectors: Vec<String>,
    /// By scalar, its name.
    pub scalars: Vec<String>,
    /// By source, the vector that it is in at the beginning.
    pub inputs: Vec<usize>,
    /// Loops, outer ones before those in them.
    pub loops: Vec<LoopFacts>,
    /// Files with vectors.
    pub outputs: Vec<OutputFacts>,
    /// Guards of [`Statement::Every`], counted from 0.
    pub guards: usize,
    /// What happens.
    pub statements: Vec<Statement>,
    /// Whether no placement of assemblies is better.
    pub proved: bool,
    /// How often it would communicate with parts of nodes.
    pub ghosts: Ghosts,
}

/// Exchanges that the same program would make with parts of nodes. There a part has its own
/// nodes and *ghosts*, copies of the neighbours of these. A product needs the ghosts of its
/// vector and leaves none; everything else goes entry by entry, and has ghosts where its
/// operands have. The fewest exchanges, as for assemblies; what is guarded counts for the
/// fraction of rounds in which it runs.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Ghosts {
    /// Outside loops.
    pub outside: f64,
    /// By loop, in one round, without loops in it.
    pub loops: Vec<f64>,
}

/// What is known about a loop.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LoopFacts {
    /// Its line in the program, from 1.
    pub line: u32,
    /// As the program says it.
    pub text: String,
    /// The loop around it.
    pub parent: Option<usize>,
}

/// A vector that is written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutputFacts {
    /// The name of the file, without suffix.
    pub name: String,
    /// Whether it is written in a loop, so that files have numbers.
    pub series: bool,
}

/// A scalar that is read.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Scalar {
    /// A number.
    Number(f64),
    /// A parameter, by place in the problem.
    Param(usize),
    /// A scalar of the program.
    Slot(usize),
}

/// What a vector of a sum is multiplied by: `constant · scalar`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Factor {
    /// A number.
    pub constant: f64,
    /// A scalar; 1 without.
    pub scalar: Option<Scalar>,
}

impl Factor {
    /// What stands before it in a sum, of which it may be the first.
    pub(crate) fn sign(&self, first: bool) -> &'static str {
        match (first, self.constant.is_sign_negative()) {
            (true, false) => "",
            (true, true) => "-",
            (false, false) => " + ",
            (false, true) => " - ",
        }
    }
}

/// Part of a sum.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Term {
    /// The factor.
    pub factor: Factor,
    /// The matrix, by place in the problem.
    pub matrix: Option<usize>,
    /// The vector; full where there is a matrix.
    pub vector: usize,
    /// Whether copies that are not owned count as zero.
    pub split: bool,
}

/// An operand of an operation on entries.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Operand {
    /// A vector.
    Vector(usize),
    /// The same number for all entries.
    Scalar(Scalar),
}

/// The state of a vector.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum State {
    /// Every copy has the whole value.
    Full,
    /// The copies add up to it.
    Partial,
}

/// What is computed from scalars.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Expression {
    /// The same.
    Value(Scalar),
    /// A function.
    Function(Function, Scalar),
    /// An operation.
    Arithmetic(Arithmetic, Scalar, Scalar),
}

/// A scalar from vectors. Each piece makes one number; on every rank these are combined in the
/// order of pieces. A piece adds blocks of 4096 entries, each in eight lanes (entry `i` in lane
/// `i mod 8`), lanes in their order, then what is left of the block; then blocks in theirs.
/// Copies that do not count are added as zeros.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Reduction {
    /// The scalar it is put in.
    pub target: usize,
    /// What is reduced.
    pub of: Reduced,
    /// Whether owned copies count only: all vectors are full.
    pub owned: bool,
}

/// What is reduced.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Reduced {
    /// The sum of products of entries.
    Dot(usize, usize),
    /// The sum of entries.
    Sum(usize),
    /// The smallest ([`Arithmetic::Minimum`]) or largest entry.
    Extreme(Arithmetic, usize),
}

/// A loop. At each round: the head; if the test fails, the end; if the rounds are at the
/// limit, the end; the body.
#[derive(Debug, Clone, PartialEq)]
pub struct Loop {
    /// Its facts, by place.
    pub number: usize,
    /// The most rounds, read once before the loop and rounded to a whole number; a negative
    /// one or none at all is an error of the user.
    pub limit: Scalar,
    /// Before the test.
    pub head: Vec<Statement>,
    /// What must hold for another round; without it the rounds are as many as the limit says.
    pub test: Option<(Comparison, Scalar, Scalar)>,
    /// After the test.
    pub body: Vec<Statement>,
}

/// What happens.
#[derive(Debug, Clone, PartialEq)]
pub enum Statement {
    /// A sum; zero without terms.
    Combine {
        /// Where it is put.
        target: usize,
        /// What is added, in this order.
        terms: Vec<Term>,
        /// The state of the sum.
        state: State,
    },
    /// A function of every entry of a full vector; the target may be the operand.
    Map {
        /// Where it is put.
        target: usize,
        /// The function.
        function: Function,
        /// The vector.
        vector: usize,
    },
    /// `Multiply`, `Divide`, `Minimum` or `Maximum` entry by entry; the target may be an
    /// operand.
    Elementwise {
        /// Where it is put.
        target: usize,
        /// The operation.
        operation: Arithmetic,
        /// Left and right.
        operands: [Operand; 2],
        /// The state of the result.
        state: State,
    },
    /// From partial to full, in place.
    Assemble(usize),
    /// Two vectors change places, with their states.
    Swap(usize, usize),
    /// A scalar from scalars.
    Compute {
        /// Where it is put.
        target: usize,
        /// What.
        value: Expression,
    },
    /// Two scalars change places.
    SwapScalars(usize, usize),
    /// Scalars from vectors, all with one communication.
    Reduce(Vec<Reduction>),
    /// A loop.
    Loop(Loop),
    /// A part that runs only every so many times.
    Every {
        /// Which counter.
        guard: usize,
        /// The counter goes up by 1; the part runs when this divides it.
        count: u32,
        /// The part.
        body: Vec<Statement>,
    },
    /// A scalar to the log, as `label = value`.
    Print {
        /// What to call it.
        label: String,
        /// The scalar.
        value: Scalar,
    },
    /// A full vector to a file.
    Output {
        /// The output, by place.
        output: usize,
        /// The vector.
        vector: usize,
        /// In a series, the counter whose value numbers the file.
        guard: Option<usize>,
    },
}
