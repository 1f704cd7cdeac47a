//! Square matrices as they are: neither symmetric nor of one sign.

use super::{Matrix, header::Header};
use crate::IoError;
use crate::source::{Source, plain};

/// A square matrix as a file states it.
#[derive(Debug, Clone, PartialEq)]
pub struct MatrixFile {
    /// The file's name, for messages.
    pub name: String,
    /// The number of rows and columns.
    pub rows: usize,
    /// Row, column and value, counted from 0, in the file's order. Of a file with one triangle, an
    /// entry off the diagonal is followed by its mirror image.
    pub entries: Vec<(u32, u32, f64)>,
    /// Whether the file says that the matrix is symmetric, and has one triangle.
    pub symmetric: bool,
}

/// Reads a square matrix in Matrix Market form (`coordinate`; `real`, `integer` or `pattern`; `general`
/// or `symmetric`). Entries of a `pattern` are 1.
///
/// ```
/// use palmette_io::read_matrix_bytes;
/// let text = b"%%MatrixMarket matrix coordinate real general\n2 2 2\n1 2 -3\n2 2 4.5\n";
/// let file = read_matrix_bytes("a.mtx", text)?;
/// assert_eq!(file.entries, [(0, 1, -3.0), (1, 1, 4.5)]);
/// # Ok::<(), palmette_io::IoError>(())
/// ```
///
/// # Errors
/// When the bytes are not that; the message names the line and what was expected.
pub fn read_matrix_bytes(name: &str, bytes: &[u8]) -> Result<MatrixFile, IoError> {
    let data = plain(name, bytes)?;
    let source = Source::new(name, &data)?;
    let matrix = Matrix { source: &source, header: Header::read(&source)?, signed: false };
    let (rows, symmetric) = (matrix.header.size, matrix.header.symmetric);
    let mut entries = Vec::new();
    let (mut at, mut count) = (matrix.header.body, 0u64);
    while at < source.text.len() {
        let (entry, next) = matrix.line(at).ok_or_else(|| matrix.wrong_line(at))?;
        if let Some((row, column, value)) = entry {
            count += 1;
            entries.push((row, column, value));
            if symmetric && row != column {
                entries.push((column, row, value));
            }
        }
        at = next;
    }
    matrix.check_count(count)?;
    match rows {
        0 => Err(IoError::NoVertices { file: name.to_string() }),
        _ => Ok(MatrixFile { name: name.to_string(), rows, entries, symmetric }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<MatrixFile, String> {
        read_matrix_bytes("a.mtx", text.as_bytes()).map_err(|error| error.to_string())
    }

    #[test]
    fn one_triangle_stands_for_both() {
        let file =
            read("%%MatrixMarket matrix coordinate integer symmetric\n3 3 2\n3 1 7\n2 2 -1\n");
        let file = file.unwrap();
        assert!(file.symmetric);
        assert_eq!(file.entries, [(2, 0, 7.0), (0, 2, 7.0), (1, 1, -1.0)]);
    }

    #[test]
    fn what_is_no_square_matrix() {
        for (text, part) in [
            ("2 3 1\n1 1 1\n", "line 1: expected a square matrix"),
            ("2 2 1\n1 1 nan\n", "line 2: expected a number, finite"),
            ("2 2 1\n1 3 1\n", "line 2: expected a column from 1 to 2, found `3`"),
            ("2 2 2\n1 1 1\n", "2 entries, as line 1 says"),
            ("2 2 1\n1 1 1\n2 2 1\n", "the end after 1 entries"),
            ("0 0 0\n", "a.mtx"),
        ] {
            let error = read(text).unwrap_err();
            assert!(error.contains(part), "{text:?}: {error}");
        }
    }
}
