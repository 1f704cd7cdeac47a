//! Orders of elimination for a sparse Cholesky factor.
//!
//! **Problem.** The graph of a symmetric matrix; out comes an order of its vertices in which the factor
//! has few entries and takes few operations. Both are counted exactly.
//!
//! | method | what it is | folder |
//! |---|---|---|
//! | `nested-dissection` | separators come last; minimum degree on the pieces | `dissection/` |
//! | `minimum-degree` | who has fewest neighbours goes first | `minimum_degree/` |
//! | `auto` | both; the one with fewer operations | |
//!
//! **Cost.** Minimum degree takes about a tenth of the time of nested dissection, which pays on meshes:
//! in space it saves two thirds of the operations and more.
//!
//! **Determinism.** The same seed gives the same order on any number of threads.

mod dissection;
pub(crate) mod elimination;
pub(crate) mod minimum_degree;
mod params;
#[cfg(test)]
mod tests;

pub(crate) use dissection::{bytes as dissection_bytes, dissect};
pub use params::{OrderError, OrderMethod, OrderParams, SeparatorLevel};

use dissection::Separator;
use elimination::{Pattern, column_counts, elimination_tree, postorder};
use minimum_degree::Rows;
use palmette_core::memory::check_room;
use palmette_core::{Cancel, Graph, NONE};

/// Entries that indices of 32 bits with a sign can count.
pub(crate) const MOST_ENTRIES: u64 = i32::MAX as u64;

/// An order of elimination, and the Cholesky factor that it leads to.
#[derive(Debug, Clone, PartialEq)]
pub struct Order {
    /// By place, the vertex: the first is eliminated first.
    pub vertices: Vec<u32>,
    /// What made it; `None` for one that was given.
    pub method: Option<OrderMethod>,
    /// Entries of the factor, with its diagonal.
    pub entries: u64,
    /// Floating-point operations to make it: the sum of squares of the entries of its columns.
    pub operations: f64,
    /// Vertices on the longest path of the elimination tree.
    pub height: u32,
    /// The separators by level, the largest first; empty where none were looked for.
    pub separators: Vec<SeparatorLevel>,
}

/// Finds an order; see the [module](self). Weights of edges do not matter.
///
/// # Errors
/// See [`OrderError`].
///
/// ```
/// use palmette_core::graph::generate::{Weights, generate};
/// use palmette_graph::order::{OrderMethod, OrderParams, order};
/// let grid = generate("grid:40x40".parse()?, Weights::Unit, 1)?.graph;
/// let found = order(&grid, &OrderParams::default())?;
/// assert_eq!(found.vertices.len(), 1600);
/// let other = OrderParams { method: OrderMethod::MinimumDegree, ..OrderParams::default() };
/// assert!(found.operations <= order(&grid, &other)?.operations);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn order(graph: &Graph, params: &OrderParams) -> Result<Order, OrderError> {
    check(graph)?;
    let stop = || params.cancel.as_ref().is_some_and(Cancel::is_raised);
    let by_degree = || {
        let fill = |row: usize, list: &mut Vec<i32>| {
            list.extend(graph.neighbours(row as u32).iter().map(|&u| u as i32));
        };
        let rows = Rows::plain(graph.len(), graph.all_neighbours().len());
        let found = minimum_degree::order(rows, fill, stop).ok_or(OrderError::Cancelled)?;
        Ok(counted(graph, found, Some(OrderMethod::MinimumDegree), &[]))
    };
    let by_dissection = || {
        let natural = Placed::new(graph, (0..graph.len() as u32).collect());
        let found = dissect(&natural, params.seed, &stop).ok_or(OrderError::Cancelled)?;
        let method = Some(OrderMethod::NestedDissection);
        Ok(counted(graph, found.order, method, &found.separators))
    };
    match params.method {
        OrderMethod::MinimumDegree => by_degree(),
        OrderMethod::NestedDissection => by_dissection(),
        OrderMethod::Auto => {
            let (first, second) = (by_degree()?, by_dissection()?);
            Ok(if second.operations < first.operations { second } else { first })
        }
    }
}

/// What an order that is given leads to.
///
/// # Errors
/// [`OrderError::Length`], [`OrderError::Vertex`] or [`OrderError::Twice`] when it does not have every
/// vertex once; [`OrderError::Room`] and [`OrderError::Entries`].
pub fn evaluate(graph: &Graph, vertices: Vec<u32>) -> Result<Order, OrderError> {
    check(graph)?;
    if vertices.len() != graph.len() {
        return Err(OrderError::Length { found: vertices.len(), vertices: graph.len() });
    }
    let mut seen = vec![NONE; graph.len()];
    for (place, &vertex) in vertices.iter().enumerate() {
        match seen.get_mut(vertex as usize) {
            None => return Err(OrderError::Vertex { place, vertex, vertices: graph.len() }),
            Some(before) if *before != NONE => {
                return Err(OrderError::Twice { place, vertex, before: *before as usize });
            }
            Some(before) => *before = place as u32,
        }
    }
    Ok(counted(graph, vertices, None, &[]))
}

/// Whether indices and memory suffice.
fn check(graph: &Graph) -> Result<(), OrderError> {
    let entries = graph.all_neighbours().len();
    let listed = entries as u64 * 6 / 5 + graph.len() as u64;
    if listed > MOST_ENTRIES {
        return Err(OrderError::Entries { entries: listed, most: MOST_ENTRIES });
    }
    let bytes = minimum_degree::bytes(graph.len(), entries);
    Ok(check_room(bytes.max(dissection_bytes(graph.len(), entries)))?)
}

/// The order with what it leads to.
fn counted(
    graph: &Graph,
    vertices: Vec<u32>,
    method: Option<OrderMethod>,
    separators: &[Separator],
) -> Order {
    let mut matrix = Placed::new(graph, vertices);
    let mut parents = elimination_tree(&matrix);
    let counts = match postorder(&mut parents) {
        None => column_counts(&matrix, &parents),
        Some(order) => {
            // The same factor with its rows in another order.
            let vertices = order.iter().map(|&k| matrix.vertices[k as usize]).collect();
            let given = std::mem::replace(&mut matrix, Placed::new(graph, vertices));
            let counts = column_counts(&matrix, &parents);
            matrix.vertices = given.vertices;
            counts
        }
    };
    let mut depths = vec![1u32; parents.len()];
    for k in (0..parents.len()).rev() {
        if parents[k] != NONE {
            depths[k] = depths[parents[k] as usize] + 1;
        }
    }
    Order {
        vertices: matrix.vertices,
        method,
        entries: counts.iter().map(|&count| u64::from(count)).sum(),
        operations: counts.iter().map(|&count| f64::from(count) * f64::from(count)).sum(),
        height: depths.into_iter().max().unwrap_or(0),
        separators: SeparatorLevel::all(separators),
    }
}

/// The matrix of a graph, in some order.
struct Placed<'a> {
    graph: &'a Graph,
    vertices: Vec<u32>,
    places: Vec<u32>,
}

impl<'a> Placed<'a> {
    fn new(graph: &'a Graph, vertices: Vec<u32>) -> Placed<'a> {
        let mut places = vec![0; vertices.len()];
        vertices.iter().enumerate().for_each(|(i, &v)| places[v as usize] = i as u32);
        Placed { graph, vertices, places }
    }
}

impl Pattern for Placed<'_> {
    fn size(&self) -> usize {
        self.vertices.len()
    }

    fn neighbours(&self, place: u32) -> impl Iterator<Item = u32> {
        let v = self.vertices[place as usize];
        self.graph.neighbours(v).iter().map(|&u| self.places[u as usize])
    }
}
