//! Updates from a file, and the skeleton that follows them.

use palmette_graph::dynamic::{DynamicError, DynamicParams, DynamicSparsifier, Update};
use palmette_io::{Change, GraphFile, Labels, UpdateFile, UpdateRow, Values};
use std::time::Instant;
use thiserror::Error;

/// Options of a [`Stream`].
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct StreamParams {
    /// How the skeleton follows.
    pub dynamic: DynamicParams,
    /// After how many updates it is looked at; by default twenty times in all.
    pub every: Option<usize>,
}

/// How many looks there are, unless it is said.
const LOOKS: usize = 20;

/// The skeleton after some updates.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StreamPoint {
    /// Updates done.
    pub updates: usize,
    /// Edges of the graph.
    pub edges: usize,
    /// Recovered edges per vertex.
    pub density: f64,
    /// The condition number, estimated from below.
    pub condition: f64,
    /// How often the skeleton was refreshed.
    pub refreshes: u64,
    /// Seconds that the updates since the last point took.
    pub seconds: f64,
}

/// An update of a file that cannot be done.
#[derive(Debug, Error)]
#[error("{file}, line {line}: {message}")]
pub struct StreamError {
    /// The file.
    pub file: String,
    /// Where the update stands.
    pub line: u64,
    /// What is wrong, with the names of the graph's file.
    pub message: String,
    /// The same with numbers.
    pub source: DynamicError,
}

/// A graph of a file that changes by the updates of another, its skeleton, and how that did.
///
/// ```
/// use palmette::io::{read_graph_bytes, read_updates_bytes};
/// use palmette::{GraphReadParams, Stream};
/// let ring = b"4 4\n2 4\n1 3\n2 4\n1 3\n";
/// let file = read_graph_bytes("ring.graph", ring, &GraphReadParams::default())?;
/// let updates = b"delete,1,2\ninsert,2,4,1\ndelete,1,2\n";
/// let updates = read_updates_bytes("updates.csv", updates, &file.vertex_labels())?;
/// let mut stream = Stream::new(&file, &Default::default())?;
/// let error = stream.follow(&file, &updates, |_| true).unwrap_err();
/// assert_eq!(error.to_string(), "updates.csv, line 3: there is no edge between 1 and 2");
/// // What came before it is done.
/// assert_eq!((stream.skeleton.updates(), stream.skeleton.edge_count()), (2, 4));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Stream {
    /// The skeleton as it is.
    pub skeleton: DynamicSparsifier,
    /// The points at which it was looked at, the first before all updates.
    pub points: Vec<StreamPoint>,
    every: Option<usize>,
}

impl Stream {
    /// The skeleton before all updates.
    ///
    /// # Errors
    /// As [`DynamicSparsifier::new`].
    pub fn new(file: &GraphFile, params: &StreamParams) -> Result<Stream, DynamicError> {
        let skeleton = DynamicSparsifier::new(&file.graph, &params.dynamic)?;
        let mut stream = Stream { skeleton, points: Vec::new(), every: params.every };
        stream.look(0.0)?;
        Ok(stream)
    }

    /// Does the updates in their order. `goes_on` is told how many are done, now and then, and may end
    /// it; the points and the skeleton are those of the updates that are done.
    ///
    /// # Errors
    /// The first update that cannot be done; those before it stay done.
    pub fn follow(
        &mut self,
        file: &GraphFile,
        updates: &UpdateFile,
        mut goes_on: impl FnMut(usize) -> bool,
    ) -> Result<(), StreamError> {
        const TOLD: usize = 4096;
        let rows = &updates.rows;
        let every = self.every.unwrap_or(rows.len().div_ceil(LOOKS)).max(1);
        let mut begin = Instant::now();
        let mut done = 0;
        let mut failed = None;
        for row in rows {
            if let Err(source) = self.skeleton.apply(&update(row)) {
                failed = Some(refused(file, updates, row, source));
                break;
            }
            done += 1;
            if done % every == 0 {
                let seconds = begin.elapsed().as_secs_f64();
                if let Err(source) = self.look(seconds) {
                    failed = Some(refused(file, updates, row, source));
                    break;
                }
                begin = Instant::now();
            }
            if done % TOLD == 0 && !goes_on(done) {
                break;
            }
        }
        if done % every != 0 {
            let looked = self.look(begin.elapsed().as_secs_f64());
            if let (Err(source), None) = (looked, &failed) {
                failed = Some(refused(file, updates, &rows[done - 1], source));
            }
        }
        failed.map_or(Ok(()), Err)
    }

    /// Nanoseconds per update, without the looks.
    pub fn ns_per_update(&self) -> f64 {
        let seconds: f64 = self.points.iter().map(|point| point.seconds).sum();
        1e9 * seconds / self.skeleton.updates().max(1) as f64
    }

    /// The points as columns, with their names in tables and records.
    pub fn history(&self) -> [(&'static str, Values); 6] {
        let whole = |of: fn(&StreamPoint) -> u64| {
            Values::I64(self.points.iter().map(|point| of(point) as i64).collect())
        };
        let real = |of: fn(&StreamPoint) -> f64| Values::F64(self.points.iter().map(of).collect());
        [
            ("updates", whole(|point| point.updates as u64)),
            ("edges", whole(|point| point.edges as u64)),
            ("density", real(|point| point.density)),
            ("condition", real(|point| point.condition)),
            ("refreshes", whole(|point| point.refreshes)),
            ("seconds", real(|point| point.seconds)),
        ]
    }

    fn look(&mut self, seconds: f64) -> Result<(), DynamicError> {
        let one = &self.skeleton;
        let point = StreamPoint {
            updates: one.updates() as usize,
            edges: one.edge_count(),
            density: one.density(),
            condition: one.condition()?,
            refreshes: one.refreshes(),
            seconds,
        };
        self.points.push(point);
        Ok(())
    }
}

fn update(row: &UpdateRow) -> Update {
    let UpdateRow { u: a, v: b, weight, .. } = *row;
    match row.change {
        Change::Insert => Update::Insert { a, b, weight },
        Change::Delete => Update::Delete { a, b },
        Change::Weight => Update::Weight { a, b, weight },
    }
}

fn refused(
    file: &GraphFile,
    updates: &UpdateFile,
    row: &UpdateRow,
    source: DynamicError,
) -> StreamError {
    let message = explain_update(&file.vertex_labels(), &source);
    StreamError { file: updates.name.clone(), line: row.line, message, source }
}

/// An error about an update, with vertices as a file calls them.
fn explain_update(labels: &Labels, error: &DynamicError) -> String {
    let name = |v: u32| labels.get(v);
    match *error {
        DynamicError::Exists { a, b } => {
            format!("the edge between {} and {} exists already", name(a), name(b))
        }
        DynamicError::Missing { a, b } => {
            format!("there is no edge between {} and {}", name(a), name(b))
        }
        DynamicError::Weight { a, b, weight } => format!(
            "the edge between {} and {} has weight {weight}; weights must be positive and finite",
            name(a),
            name(b)
        ),
        DynamicError::Loop { vertex } => format!("an edge from {} to itself", name(vertex)),
        ref other => other.to_string(),
    }
}
