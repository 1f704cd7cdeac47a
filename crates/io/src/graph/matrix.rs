//! Graphs from matrices that are already in memory.
//!
//! **Problem.** The entries of a square matrix, in any order and of both triangles, to a graph:
//! what the reader of Matrix Market files does without the file. Entries off the diagonal are
//! all positive (weights; the diagonal is dropped) or all negative (a Laplacian, whose diagonal
//! may have more than its row: conductances to ground).
//! **Method.** As there. Matrices that programs add up are symmetric up to rounding, not bit
//! for bit: where the two triangles differ by no more than that, the lower one counts.
//! **Cost.** 16 bytes per entry beside the graph.

use super::entries::{Entries, Mirrored, mirrored};
use super::matrix_market::laplacian;
use super::{GraphCounts, GraphFile, GraphForm, GraphFormat};
use palmette_core::{Graph, GraphError, MAX_VERTICES};
use thiserror::Error;

/// By how much of itself an entry may differ from its mirror image.
const ASYMMETRY: f64 = 1e-10;

/// Why a matrix does not describe a graph. Rows and columns count from 0.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum MatrixError {
    /// Rows and columns differ in number.
    #[error("the matrix is not square: {rows} rows, {columns} columns")]
    Shape { rows: usize, columns: usize },
    /// An entry is not finite.
    #[error("the entry {value} at ({row}, {column}) is not finite")]
    NotFinite { row: u32, column: u32, value: f64 },
    /// Off the diagonal are positive and negative entries.
    #[error(
        "off-diagonal entries must be all positive (weights) or all negative (a Laplacian), but \
        {value} at ({row}, {column}) has the other sign"
    )]
    Signs { row: u32, column: u32, value: f64 },
    /// An entry is not that of the other triangle.
    #[error(
        "the matrix is not symmetric: {} at ({row}, {column}), {} at ({column}, {row})",
        shown(*.value), shown(*.other)
    )]
    NotSymmetric { row: u32, column: u32, value: Option<f64>, other: Option<f64> },
    /// The matrix is not what the caller says.
    #[error("expected {}, found the entries of {}", named(*.expected), named(*.found))]
    Form { expected: GraphForm, found: GraphForm },
    /// A row of a Laplacian has too small a diagonal.
    #[error(
        "row {row} is not diagonally dominant: its diagonal entry is less than the sum of the \
        others"
    )]
    Unbalanced { row: u32 },
    /// No graph.
    #[error(transparent)]
    Graph(#[from] GraphError),
}

fn shown(value: Option<f64>) -> String {
    value.map_or("nothing".to_string(), |value| value.to_string())
}

fn named(form: GraphForm) -> &'static str {
    match form {
        GraphForm::Adjacency => "weights of edges (positive off the diagonal)",
        GraphForm::Laplacian => "a Laplacian (negative off the diagonal)",
        GraphForm::Netlist => "a netlist",
        GraphForm::Signed => "a matrix to solve with",
    }
}

/// The graph of a matrix, as if a file had stated it; `form` is what the caller takes it for,
/// by default what the signs say. A diagonal matrix is a Laplacian.
///
/// ```
/// use palmette_io::{GraphForm, graph_of_matrix};
/// let entries = [(0, 0, 3.0), (0, 1, -2.0), (1, 0, -2.0), (1, 1, 2.0)];
/// let file = graph_of_matrix("wire", [2, 2], entries.into_iter(), None)?;
/// assert_eq!((file.form, file.graph.weight(0, 1)), (GraphForm::Laplacian, Some(2.0)));
/// assert_eq!(file.ground, Some(vec![1.0, 0.0]));
/// # Ok::<(), palmette_io::MatrixError>(())
/// ```
///
/// # Errors
/// See [`MatrixError`].
pub fn graph_of_matrix(
    name: &str,
    [rows, columns]: [usize; 2],
    entries: impl Iterator<Item = (u32, u32, f64)> + Clone,
    form: Option<GraphForm>,
) -> Result<GraphFile, MatrixError> {
    if rows != columns {
        return Err(MatrixError::Shape { rows, columns });
    }
    let signed = form == Some(GraphForm::Signed);
    if signed && 2 * rows > MAX_VERTICES {
        return Err(GraphError::TooMany { what: "rows", count: rows as u64 }.into());
    }
    let cover = signed.then_some(rows as u32);
    let mut all = Entries { cover, ..Entries::default() };
    for (at, (row, column, value)) in entries.clone().enumerate() {
        if !value.is_finite() {
            return Err(MatrixError::NotFinite { row, column, value });
        }
        let vertex = row.max(column);
        if vertex as usize >= rows {
            return Err(GraphError::EndOutOfRange { edge: at, vertex, vertices: rows }.into());
        }
        all.push(at, (row, column, value), false);
    }
    if signed && all.positive.is_none() {
        return graph_of_matrix(name, [rows, columns], entries, Some(GraphForm::Laplacian));
    }
    if let (Some(positive), Some(negative), false) = (all.positive, all.negative, signed) {
        let at = positive.max(negative);
        let (row, column, value) = entries.clone().nth(at).unwrap_or_default();
        return Err(MatrixError::Signs { row, column, value });
    }
    let found = match (all.negative, all.positive, all.diagonal.is_empty()) {
        (Some(_), ..) | (None, None, false) => GraphForm::Laplacian,
        _ => GraphForm::Adjacency,
    };
    let has_edges = all.negative.is_some() || all.positive.is_some();
    let form = match form {
        Some(expected) if has_edges && expected != found && !signed => {
            return Err(MatrixError::Form { expected, found });
        }
        form => form.unwrap_or(found),
    };
    let counts = all.counts();
    let (graph, mut duplicates, asymmetry) =
        match mirrored(if signed { 2 * rows } else { rows }, &mut all)? {
            Mirrored::Graph(graph, duplicates) => (graph, duplicates, 0.0),
            Mirrored::Differ(lower, upper) => {
                let asymmetry =
                    asymmetry(&lower, &upper).map_err(|error| first_sheet(error, rows))?;
                (lower, 0, asymmetry)
            }
        };
    let (mut ground, mut rounding) = (None, None);
    if form != GraphForm::Adjacency {
        let diagonal = laplacian::diagonal(&graph, &all.diagonal, asymmetry)
            .map_err(|row| MatrixError::Unbalanced { row: row % rows as u32 })?;
        (ground, rounding) = (diagonal.ground, diagonal.rounding);
        duplicates += diagonal.repeated;
    }
    let found = GraphCounts { duplicates, ..counts };
    let file = GraphFile::new(name, GraphFormat::MatrixMarket, graph, form, found);
    Ok(GraphFile { ground, rounding, ..file })
}

/// An error about the double cover of so many rows, in the matrix.
fn first_sheet(error: MatrixError, rows: usize) -> MatrixError {
    let rows = rows as u32;
    match error {
        MatrixError::NotSymmetric { row, column, value, other } => {
            MatrixError::NotSymmetric { row: row % rows, column: column % rows, value, other }
        }
        other => other,
    }
}

/// By what part of themselves entries of the two triangles differ at most, if that is rounding.
fn asymmetry(lower: &Graph, upper: &Graph) -> Result<f64, MatrixError> {
    let differ = |row: u32, column: u32| {
        let (value, other) = (lower.weight(row, column), upper.weight(row, column));
        match (value, other) {
            (Some(a), Some(b)) if (a - b).abs() <= ASYMMETRY * a.max(b) => {
                Ok((a - b).abs() / a.max(b))
            }
            _ => Err(MatrixError::NotSymmetric { row, column, value, other }),
        }
    };
    let both = lower.edges().chain(upper.edges());
    both.map(|(a, b, _)| differ(b, a)).try_fold(0.0, |most: f64, part| Ok(most.max(part?)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(entries: &[(u32, u32, f64)]) -> Result<GraphFile, MatrixError> {
        graph_of_matrix("m", [3, 3], entries.iter().copied(), None)
    }

    #[test]
    fn triangles_that_differ_by_rounding_are_one_graph() {
        let third = 1.0 / 3.0;
        let file = read(&[(1, 0, third), (0, 1, 0.333_333_333_333_333_37)]).unwrap();
        assert_eq!((file.form, file.graph.weight(0, 1)), (GraphForm::Adjacency, Some(third)));
        let error = read(&[(1, 0, 1.0), (0, 1, 1.5)]).unwrap_err();
        let text = "the matrix is not symmetric: 1 at (1, 0), 1.5 at (0, 1)";
        assert_eq!(error.to_string(), text);
        let error = read(&[(0, 2, 1.0)]).unwrap_err();
        let text = "the matrix is not symmetric: nothing at (2, 0), 1 at (0, 2)";
        assert_eq!(error.to_string(), text);
    }

    #[test]
    fn what_triangles_differ_by_is_no_ground() {
        let other = 1.0 + 1e-12;
        let entries = [(0, 1, -other), (1, 0, -1.0), (0, 0, other), (1, 1, 1.0)];
        let file = graph_of_matrix("m", [2, 2], entries.into_iter(), None).unwrap();
        assert_eq!(file.ground, None);
        let rounding = file.rounding.unwrap();
        assert_eq!((rounding.rows, rounding.few_digits), (1, false));
        assert!((rounding.largest - 1e-12).abs() < 1e-15, "{rounding:?}");
    }

    #[test]
    fn either_sign_by_the_double_cover() {
        let entries = [
            (0, 0, 3.0),
            (0, 1, 1.0),
            (1, 0, 1.0),
            (1, 1, 3.0),
            (1, 2, -2.0),
            (2, 1, -2.0),
            (2, 2, 2.5),
        ];
        let signed = |entries: &[(u32, u32, f64)]| {
            graph_of_matrix("m", [3, 3], entries.iter().copied(), Some(GraphForm::Signed))
        };
        let file = signed(&entries).unwrap();
        assert_eq!((file.form, file.rows(), file.graph.len()), (GraphForm::Signed, 3, 6));
        let edges: Vec<_> = file.graph.edges().collect();
        assert_eq!(edges, [(1, 2, 2.0), (1, 3, 1.0), (0, 4, 1.0), (4, 5, 2.0)]);
        assert_eq!(file.ground, Some(vec![2.0, 0.0, 0.5, 2.0, 0.0, 0.5]));
        assert_eq!(file.unfold(vec![1.0, 2.0, 3.0]), [1.0, 2.0, 3.0, -1.0, -2.0, -3.0]);
        assert_eq!(file.fold(vec![1.0, 2.0, 3.0, -1.0, 0.0, 3.0]), [1.0, 1.0, 0.0]);
        let error = |entries: &[(u32, u32, f64)]| signed(entries).unwrap_err().to_string();
        let mut weak = entries;
        weak[3].2 = 2.5;
        assert!(error(&weak).contains("row 1 is not diagonally dominant"), "{}", error(&weak));
        let one_sided = error(&entries[..2]);
        assert!(one_sided.contains("not symmetric"), "{one_sided}");
        let negative = [(0, 1, -1.0), (1, 0, -1.0), (0, 0, 1.0), (1, 1, 1.0)];
        assert_eq!(signed(&negative).unwrap().form, GraphForm::Laplacian);
    }

    #[test]
    fn what_is_no_graph() {
        for (entries, part) in [
            (&[(0, 1, f64::NAN)][..], "the entry NaN at (0, 1) is not finite"),
            (&[(0, 1, 1.0), (1, 2, -1.0)], "-1 at (1, 2) has the other sign"),
            (&[(0, 3, 1.0)], "only 3 vertices"),
            (&[(0, 1, -1.0), (1, 0, -1.0), (0, 0, 0.5)], "row 0 is not diagonally dominant"),
        ] {
            let error = read(entries).unwrap_err().to_string();
            assert!(error.contains(part), "{error}");
        }
        let found = graph_of_matrix("m", [2, 3], [].into_iter(), None);
        assert_eq!(found, Err(MatrixError::Shape { rows: 2, columns: 3 }));
        let entries = [(0, 1, 1.0), (1, 0, 1.0)].into_iter();
        let found = graph_of_matrix("m", [2, 2], entries, Some(GraphForm::Laplacian));
        assert!(found.is_err_and(|error| error.to_string().starts_with("expected a Laplacian")));
    }
}
