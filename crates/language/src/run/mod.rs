//! Programs run directly, on the pieces of a world.
//!
//! **Problem.** A compiled program, a mesh and a [`World`](palmette_mesh::spmv::World) of its pieces;
//! out come the vectors that the program writes, what it prints, and how often it
//! communicated.
//!
//! **Method.** Statement by statement. A sum and the assembly after it are done together, so
//! that the exchange overlaps with interior rows.
//!
//! **Determinism.** As the world's: the same bits on any number of threads and ranks.
//!
//! ```
//! use palmette_language::{compile, run::{Collected, prepare}};
//! use palmette_mesh::spmv::{World, pieces};
//! use palmette_mesh::shapes::generate;
//! let program = compile("mass.pal", "
//! matrix M = mass(1)
//! u = interpolate(x)
//! print \"moment\", dot(u, M*u)
//! ", &[])?;
//! let mesh = generate("grid:1x2".parse()?, 1)?;
//! let world = World::alone(pieces(&mesh, &[0, 1], 2)?, 1)?;
//! let mut collected = Collected::default();
//! prepare(&program, &mesh, world)?.run(&mut collected)?;
//! // The integral of x² from 0 to 2.
//! assert!((collected.printed[0].1 - 8.0 / 3.0).abs() < 1e-12);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod bits;
mod machine;
mod setup;

pub use machine::{Ended, LoopRecord, Outcome, Prepared, prepare};
pub use setup::{PieceData, check, conditions, piece_data};

use palmette_mesh::element::FormError;
use palmette_mesh::spmv::WorldError;
use std::io;
use thiserror::Error;

/// Why a program did not run to its end.
#[derive(Debug, Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum RunError {
    /// The mesh cannot give what the program asks for.
    #[error("{what}: {error}")]
    Mesh {
        /// What was asked for, with the line, in the program's words.
        what: String,
        /// Why.
        #[source]
        error: FormError,
    },
    /// The world is for another unknown.
    #[error("a world with {found} components per node for a program with {expected}")]
    Components { expected: usize, found: usize },
    /// The limit of a loop is not a count.
    #[error("line {line}: the limit on iterations is {value}; it must be from 0 to 2^53")]
    Limit { line: u32, value: f64 },
    /// The world does not fit, or a rank could not be reached.
    #[error(transparent)]
    World(#[from] WorldError),
    /// A result could not be written.
    #[error("{name}: {error}")]
    Output {
        /// What was written.
        name: String,
        /// Why.
        #[source]
        error: io::Error,
    },
}

/// Receives results. On several ranks, every rank has one, and gets everything.
pub trait Sink {
    /// A number that the program prints.
    ///
    /// # Errors
    /// When it cannot be written.
    fn print(&mut self, label: &str, value: f64) -> io::Result<()>;

    /// A vector that the program writes: the values of all nodes of the mesh, a component after
    /// the other; with a number in a series.
    ///
    /// # Errors
    /// When it cannot be written.
    fn output(&mut self, name: &str, number: Option<u64>, values: &[f64]) -> io::Result<()>;
}

/// Keeps all results in memory.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Collected {
    /// Labels and numbers, in order.
    pub printed: Vec<(String, f64)>,
    /// Names, numbers in series and values, in order.
    pub outputs: Vec<(String, Option<u64>, Vec<f64>)>,
}

impl Sink for Collected {
    fn print(&mut self, label: &str, value: f64) -> io::Result<()> {
        self.printed.push((label.to_string(), value));
        Ok(())
    }

    fn output(&mut self, name: &str, number: Option<u64>, values: &[f64]) -> io::Result<()> {
        self.outputs.push((name.to_string(), number, values.to_vec()));
        Ok(())
    }
}
