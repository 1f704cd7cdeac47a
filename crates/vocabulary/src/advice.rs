//! Which option helps where an input cannot be read.

use palmette::{IoError, TreeError};

/// A hint after an error, if an option may help.
pub fn input_advice(error: &IoError) -> Option<&'static str> {
    Some(match error {
        IoError::Header { .. } => "pass --header true or --header false",
        IoError::ManyTrees { .. } => {
            "pass --tree K to take one of them, or --tree all to take all as a forest"
        }
        IoError::MissingLength { .. } => "pass --missing-length LENGTH to give it one",
        IoError::TipSide { .. } => "pass --tips-in rows or --tips-in columns",
        IoError::NoIntegerType(_) => "pass --type f64 to round them",
        IoError::MissingValues { .. } => "pass --missing-value VALUE to give them one",
        IoError::NoCoordinates { .. } => "add --xyz FILE",
        IoError::OwnCoordinates { .. } => "leave out --xyz",
        IoError::NoRoom { .. }
        | IoError::ManyVertices { .. }
        | IoError::Tree { source: TreeError::NoRoom(_), .. } => {
            "`palmette-mpi tree` splits a table of integers, a Parquet file of them or an npy array \
             over machines"
        }
        IoError::OwnParent { .. } => "pass --self-root to treat it as a root",
        IoError::Symbol { .. } => {
            "pass --type dna, protein or standard, or --alphabet STATES, if it is another type"
        }
        IoError::TooLarge { .. } => "pass --max-input SIZE to read more, such as 8G",
        IoError::Tree { source: TreeError::ManyRoots { .. }, .. } => {
            "pass --forest to allow several roots"
        }
        _ => return None,
    })
}
