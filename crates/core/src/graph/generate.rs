//! Graphs made from a seed.
//!
//! **Problem.** A [`GraphShape`], [`Weights`] and a seed; out come a graph and, where the
//! shape has them, coordinates.
//!
//! **Method.** Grids and simple shapes by formula. `random` draws ends until it has the
//! edges it wants. `geometric` links points of the unit square that are closer than a
//! radius, found by cells; points are numbered by cell, row by row. `road` is a jittered
//! grid of junctions, thinned to a random spanning tree and as many other streets as
//! give 1.28 edges per vertex (as in the road network of the United States), with bends on
//! random streets.
//!
//! **Cost.** Linear work (`road`: a sort of its streets), one thread; 10^7 vertices in
//! seconds.
//!
//! **Determinism.** The seed fixes everything; weights that are log-uniform use the
//! platform's `exp`.

mod spelling;

use super::raster::{Raster, RasterParams};
use super::{Graph, GraphError, Sets};
use crate::memory::{NoRoom, check_room};
use crate::named::UnknownName;
use crate::random::{Purpose, Random};
use crate::{Lists, MAX_VERTICES};
use std::ops::Range;
use thiserror::Error;

/// A family of graphs. Written and read as `grid:300x200`, `random:1000:10`, ….
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum GraphShape {
    /// `grid:ROWSxCOLUMNS`: neighbours right and below.
    Grid {
        /// Vertices in a column.
        rows: usize,
        /// Vertices in a row.
        columns: usize,
    },
    /// `grid:XxYxZ`: neighbours along three axes.
    Cube {
        /// The three sides.
        sides: [usize; 3],
    },
    /// `random:N:DEGREE`: edges between vertices drawn uniformly.
    Random {
        /// The number of vertices.
        n: usize,
        /// Twice the number of edges per vertex.
        degree: f64,
    },
    /// `geometric:N:DEGREE`: points of the unit square that are close to each other.
    Geometric {
        /// The number of vertices.
        n: usize,
        /// The mean degree away from the border.
        degree: f64,
    },
    /// `road:N`: junctions, streets and bends.
    Road {
        /// The number of vertices.
        n: usize,
    },
    /// `path:N`.
    Path {
        /// The number of vertices.
        n: usize,
    },
    /// `star:N`: vertex 0 with all others.
    Star {
        /// The number of vertices.
        n: usize,
    },
    /// `clique:N`: every pair.
    Clique {
        /// The number of vertices.
        n: usize,
    },
    /// `landscape:ROWSxCOLUMNS`: cells of hills between lakes, eight neighbours each; a raster.
    Landscape {
        /// Cells in a column.
        rows: usize,
        /// Cells in a row.
        columns: usize,
    },
}

/// What the edges weigh. Written and read as `unit`, `uniform:LOW:HIGH`,
/// `log-uniform:LOW:HIGH`.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum Weights {
    /// All 1.
    Unit,
    /// Uniform between two numbers.
    Uniform(f64, f64),
    /// With a logarithm that is uniform.
    LogUniform(f64, f64),
}

/// Why no graph can be generated.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum GraphShapeError {
    /// A graph without vertices.
    #[error("a graph needs at least one vertex")]
    Empty,
    /// A text that names no shape, or no weights.
    #[error(transparent)]
    Unknown(#[from] UnknownName),
    /// More edges than pairs of vertices.
    #[error("the mean degree {degree} is too large; at most {most} is possible")]
    Degree { degree: f64, most: f64 },
    /// Weights for a raster.
    #[error("landscapes have resistances of their own, and take no weights")]
    OwnWeights,
    /// The graph does not fit in memory.
    #[error("{0}")]
    NoRoom(#[source] NoRoom),
    /// Too large.
    #[error(transparent)]
    Graph(#[from] GraphError),
}

/// A graph and where its vertices lie.
#[derive(Debug, Clone, PartialEq)]
pub struct Generated {
    /// The graph.
    pub graph: Graph,
    /// By vertex, its coordinates, where the shape has them.
    pub points: Option<Vec<[f64; 3]>>,
    /// The resistances of the cells, where the shape is a raster.
    pub raster: Option<Raster>,
}

type Edges = Vec<(u32, u32)>;
type Points = Option<Vec<[f64; 3]>>;

/// Lists of edges while a graph is made, and the graph.
const BYTES_PER_EDGE: u64 = 40;
const BYTES_PER_VERTEX: u64 = 24;

/// Makes a graph.
///
/// ```
/// use palmette_core::graph::generate::{Weights, generate};
/// let grid = generate("grid:3x4".parse()?, Weights::Unit, 1)?.graph;
/// assert_eq!((grid.len(), grid.edge_count()), (12, 17));
/// # Ok::<(), palmette_core::graph::generate::GraphShapeError>(())
/// ```
///
/// # Errors
/// Too many vertices or edges for the indices or for memory; a degree that the number of vertices
/// does not allow.
pub fn generate(
    shape: GraphShape,
    weights: Weights,
    seed: u64,
) -> Result<Generated, GraphShapeError> {
    let n = shape.vertices();
    if n == 0 {
        return Err(GraphShapeError::Empty);
    }
    if n > MAX_VERTICES as u128 {
        let count = u64::try_from(n).unwrap_or(u64::MAX);
        return Err(GraphError::TooMany { what: "vertices", count }.into());
    }
    // Edges that have no numbers are refused below.
    let edges = shape.edges().min(f64::from(u32::MAX)) as u64;
    check_room(n as u64 * BYTES_PER_VERTEX + edges * BYTES_PER_EDGE)
        .map_err(GraphShapeError::NoRoom)?;
    if let GraphShape::Landscape { rows, columns } = shape {
        return landscape(rows, columns, weights, seed);
    }
    let mut random = Random::new(seed, Purpose::Shape);
    let (ends, points) = match shape {
        GraphShape::Landscape { .. } => unreachable!("made above"),
        GraphShape::Grid { rows, columns } => cube([columns, rows, 1]),
        GraphShape::Cube { sides } => cube(sides),
        GraphShape::Random { n, degree } => (uniform(n, degree, &mut random)?, None),
        GraphShape::Geometric { n, degree } => geometric(n, degree, &mut random)?,
        GraphShape::Road { n } => road(n, &mut random),
        GraphShape::Path { n } => ((1..n as u32).map(|v| (v - 1, v)).collect(), None),
        GraphShape::Star { n } => ((1..n as u32).map(|v| (0, v)).collect(), None),
        GraphShape::Clique { n } => {
            let pairs = n as u64 * (n as u64).saturating_sub(1) / 2;
            if pairs > MAX_VERTICES as u64 {
                return Err(GraphError::TooMany { what: "edges", count: pairs }.into());
            }
            ((0..n as u32).flat_map(|b| (0..b).map(move |a| (a, b))).collect(), None)
        }
    };
    let mut random = Random::new(seed, Purpose::Weights);
    let edges: Vec<_> = ends.iter().map(|&(a, b)| (a, b, weights.draw(&mut random))).collect();
    drop(ends);
    Ok(Generated { graph: Graph::from_edges(n as usize, &edges)?, points, raster: None })
}

/// A raster has weights of its own.
fn landscape(
    rows: usize,
    columns: usize,
    weights: Weights,
    seed: u64,
) -> Result<Generated, GraphShapeError> {
    if weights != Weights::Unit {
        return Err(GraphShapeError::OwnWeights);
    }
    let raster = Raster::hills(rows, columns, seed);
    let (graph, landscape) = raster.graph(&RasterParams::default())?;
    let point = |v: u32| {
        let (row, column) = landscape.place(v);
        [column as f64 + 0.5, (rows - row) as f64 - 0.5, 0.0]
    };
    let points = Some((0..graph.len() as u32).map(point).collect());
    Ok(Generated { graph, points, raster: Some(raster) })
}

/// Neighbours along three axes; vertices are numbered along x first, then y, then z.
fn cube([x, y, z]: [usize; 3]) -> (Edges, Points) {
    let mut edges = Vec::with_capacity(3 * x * y * z);
    let mut points = Vec::with_capacity(x * y * z);
    for k in 0..z {
        for j in 0..y {
            for i in 0..x {
                let v = ((k * y + j) * x + i) as u32;
                points.push([i as f64, j as f64, k as f64]);
                let behind = [(i > 0, 1), (j > 0, x), (k > 0, x * y)];
                edges.extend(behind.iter().filter(|b| b.0).map(|b| (v - b.1 as u32, v)));
            }
        }
    }
    (edges, Some(points))
}

fn uniform(n: usize, degree: f64, random: &mut Random) -> Result<Edges, GraphShapeError> {
    check_degree(n, degree)?;
    let m = (n as f64 * degree / 2.0).round() as usize;
    let mut edges = Vec::with_capacity(m);
    while edges.len() < m {
        let (a, b) = (random.below(n as u32), random.below(n as u32));
        if a != b {
            edges.push((a, b));
        }
    }
    Ok(edges)
}

fn check_degree(n: usize, degree: f64) -> Result<(), GraphShapeError> {
    let most = n.saturating_sub(1) as f64;
    let edges = n as f64 * degree / 2.0;
    if edges > MAX_VERTICES as f64 {
        return Err(GraphError::TooMany { what: "edges", count: edges as u64 }.into());
    }
    if degree > most && n > 0 {
        return Err(GraphShapeError::Degree { degree, most });
    }
    Ok(())
}

fn geometric(
    n: usize,
    degree: f64,
    random: &mut Random,
) -> Result<(Edges, Points), GraphShapeError> {
    check_degree(n, degree)?;
    let radius = (degree / (std::f64::consts::PI * n.max(1) as f64)).sqrt();
    // Cells are at least a radius wide, and not many more than points.
    let side = ((1.0 / radius.max(1e-9)).floor() as usize).clamp(1, 1 + n.isqrt());
    let cell_of = |p: &[f64; 2]| {
        let place = |x: f64| ((x * side as f64) as usize).min(side - 1);
        (place(p[1]) * side + place(p[0])) as u32
    };
    let drawn: Vec<[f64; 2]> = (0..n).map(|_| [random.unit(), random.unit()]).collect();
    let cells = drawn.iter().map(|p| (cell_of(p), [p[0], p[1], 0.0]));
    let cells = Lists::by_key(side * side, cells);
    let points = cells.items();
    drop(drawn);
    let mut edges = Vec::with_capacity((n as f64 * degree / 2.0) as usize);
    let close = |a: usize, b: usize| {
        let (dx, dy) = (points[a][0] - points[b][0], points[a][1] - points[b][1]);
        dx * dx + dy * dy <= radius * radius
    };
    for row in 0..side {
        for column in 0..side {
            // Earlier cells only: below left, below, below right, left, and the cell itself.
            let around = [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 0)];
            for b in cells.range((row * side + column) as u32) {
                for (down, right) in around {
                    let (r, c) = (row as isize + down, column as isize + right);
                    if r < 0 || c < 0 || c >= side as isize {
                        continue;
                    }
                    let Range { start, end } = cells.range((r as usize * side + c as usize) as u32);
                    let found = (start..end.min(b)).filter(|&a| close(a, b));
                    edges.extend(found.map(|a| (a as u32, b as u32)));
                }
            }
        }
    }
    Ok((edges, Some(cells.into_items())))
}

fn road(n: usize, random: &mut Random) -> (Edges, Points) {
    /// Junctions among the vertices, and edges per vertex, of the road network of the
    /// United States as usually distributed.
    const JUNCTIONS: f64 = 0.6;
    const EDGES: f64 = 1.28;
    let side = (n as f64 * JUNCTIONS).sqrt().floor() as usize;
    let junctions = side * side;
    let (mut streets, points) = cube([side, side, 1]);
    let mut points = points.unwrap_or_default();
    for p in &mut points {
        *p = [p[0] + 0.8 * random.unit(), p[1] + 0.8 * random.unit(), 0.0];
    }
    for i in (1..streets.len()).rev() {
        streets.swap(i, random.below(i as u32 + 1) as usize);
    }
    // Streets in random order: those that link two parts are the spanning tree.
    let mut sets = Sets::new(junctions);
    let mut edges = Vec::with_capacity((n as f64 * EDGES) as usize + 1);
    let mut others = Vec::new();
    for &(a, b) in &streets {
        if sets.link(a, b) { &mut edges } else { &mut others }.push((a, b));
    }
    let more = ((EDGES - 1.0) * n as f64) as usize + 1;
    edges.extend(others.into_iter().take(more));
    // Bends: a random street gives way to two halves.
    for bend in junctions..n {
        if edges.is_empty() {
            points.push([0.0; 3]);
            continue;
        }
        let street = random.below(edges.len() as u32) as usize;
        let (a, b) = edges[street];
        let (p, q) = (points[a as usize], points[b as usize]);
        points.push([(p[0] + q[0]) / 2.0, (p[1] + q[1]) / 2.0, 0.0]);
        edges[street] = (a, bend as u32);
        edges.push((b, bend as u32));
    }
    (edges, Some(points))
}

/// The vertex at the top of the part that `v` is in; paths are halved on the way.
impl Weights {
    /// How weights are written.
    pub const FORMS: [&str; 3] = ["unit", "uniform:LOW:HIGH", "log-uniform:LOW:HIGH"];

    fn draw(self, random: &mut Random) -> f64 {
        match self {
            Weights::Unit => 1.0,
            Weights::Uniform(low, high) => low + (high - low) * random.unit(),
            Weights::LogUniform(low, high) => {
                (low.ln() + (high.ln() - low.ln()) * random.unit()).exp()
            }
        }
    }
}

impl GraphShape {
    /// How shapes are written.
    pub const FORMS: [&str; 9] = [
        "grid:ROWSxCOLUMNS",
        "grid:XxYxZ",
        "random:N:DEGREE",
        "geometric:N:DEGREE",
        "road:N",
        "path:N",
        "star:N",
        "clique:N",
        "landscape:ROWSxCOLUMNS",
    ];

    /// The number of vertices.
    pub fn vertices(self) -> u128 {
        match self {
            GraphShape::Grid { rows, columns } | GraphShape::Landscape { rows, columns } => {
                rows as u128 * columns as u128
            }
            GraphShape::Cube { sides } => sides.iter().map(|&s| s as u128).product(),
            GraphShape::Random { n, .. }
            | GraphShape::Geometric { n, .. }
            | GraphShape::Road { n }
            | GraphShape::Path { n }
            | GraphShape::Star { n }
            | GraphShape::Clique { n } => n as u128,
        }
    }

    /// About how many edges there will be.
    pub fn edges(self) -> f64 {
        let n = self.vertices() as f64;
        match self {
            GraphShape::Grid { .. } => 2.0 * n,
            GraphShape::Cube { .. } => 3.0 * n,
            GraphShape::Random { degree, .. } | GraphShape::Geometric { degree, .. } => {
                n * degree / 2.0
            }
            GraphShape::Road { .. } => 1.5 * n,
            GraphShape::Path { .. } | GraphShape::Star { .. } => n,
            GraphShape::Clique { .. } => n * n / 2.0,
            GraphShape::Landscape { .. } => 4.0 * n,
        }
    }
}
