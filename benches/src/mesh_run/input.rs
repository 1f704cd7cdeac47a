//! The matrix of the study: springs on a mesh whose nodes are in the order of a piece.

use palmette_core::Mesh;
use palmette_io::{Values, write_npy_values};
use palmette_mesh::shapes::generate;
use palmette_mesh::spmv::{Csr, Piece, pieces, springs};
use std::fs::File;
use std::io::BufWriter;
use std::path::Path;

type Failure = Box<dyn std::error::Error>;

/// Ties to the ground, as in `palmette-mpi product`.
const GROUND: f64 = 0.125;

/// A mesh, whole, and a matrix on it.
pub struct Input {
    /// The mesh's shape.
    pub name: String,
    /// The mesh as one piece.
    pub piece: Piece,
    /// The matrix, in the piece's order.
    pub matrix: Csr,
}

/// Some number for each node, as in `palmette-mpi product`.
pub fn value(node: u32) -> f64 {
    f64::from(node % 1009 * 7919 % 1009) / 503.0 - 1.0
}

impl Input {
    /// A generated mesh.
    ///
    /// # Errors
    /// When there is no such shape.
    pub fn new(shape: &str) -> Result<Input, Failure> {
        let mesh: Mesh = generate(shape.parse()?, 1)?;
        let whole = vec![0; mesh.elements().len()];
        let piece = pieces(&mesh, &whole, 1)?.remove(0);
        let matrix = springs(&mesh, &piece.nodes, &piece.elements, 1, |_| 1.0, GROUND);
        Ok(Input { name: shape.to_string(), piece, matrix })
    }

    /// Writes rows and a vector for peers.
    ///
    /// # Errors
    /// When a file cannot be written.
    pub fn write(&self, folder: &Path) -> Result<(), Failure> {
        std::fs::create_dir_all(folder)?;
        let save = |what: &str, values: Values| -> Result<(), Failure> {
            let file = File::create(folder.join(format!("{what}.npy")))?;
            Ok(write_npy_values(&mut BufWriter::new(file), &values)?)
        };
        let offsets: Vec<i64> = self.matrix.offsets().iter().map(|&o| i64::from(o)).collect();
        let columns: Vec<i64> = self.matrix.columns().iter().map(|&c| i64::from(c)).collect();
        let x: Vec<f64> = self.piece.nodes.iter().map(|&v| value(v)).collect();
        save("offsets", offsets.into())?;
        save("columns", columns.into())?;
        save("values", self.matrix.values().to_vec().into())?;
        save("x", x.into())
    }
}
