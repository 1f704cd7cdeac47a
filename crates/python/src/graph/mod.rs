//! Graphs.

mod dynamic;
mod focal;
mod mincut;
mod solver;

pub(crate) use dynamic::Dynamic;
pub(crate) use solver::Solver;

use crate::prelude::*;
use focal::RasterOptions;
use palmette::core::graph::generate::{GraphShape, Weights, generate};
use palmette::graph::Laplacian;
use palmette::graph::solve::{SolveParams, edge_resistances, projected_resistances};
use palmette::graph::sparsify::{Budget, Rule, SparsifyParams, sparsify};
use palmette::io::{GraphForm, Rounding, graph_of_matrix};
use palmette::{GraphFile, GraphReadParams, node_resistances, read_graph};

/// A graph; `palmette.Graph` wraps it.
#[pyclass(frozen, module = "palmette._palmette")]
pub(crate) struct Graph {
    pub(crate) file: Arc<GraphFile>,
}

/// Rows in compressed form: offsets, neighbours, weights.
type Rows<'py> = (Array<'py, i64>, Array<'py, i64>, Array<'py, f64>);

/// By edge, its ends and weights and the resistances across; and their relative error.
type AcrossEdges<'py> = (Array<'py, i64>, Array<'py, f64>, Array<'py, f64>, f64);

/// The ends of edges, one after another: of the tree, then those recovered; and how many of the
/// recovered ones join a vertex with an ancestor.
type Edges<'py> = (Array<'py, i64>, Array<'py, i64>, usize);

getters! { Graph:
    name: &str = |of| &of.file.name;
    edge_count: usize = |of| of.file.graph.edge_count();
    form: &'static str = |of| match of.file.form {
        GraphForm::Laplacian => "laplacian",
        GraphForm::Netlist => "netlist",
        GraphForm::Signed => "signed",
        _ => "adjacency",
    };
}

#[pymethods]
impl Graph {
    /// From the entries of a matrix.
    #[staticmethod]
    #[expect(clippy::too_many_arguments, reason = "Python has them by name")]
    fn from_entries(
        py: Python<'_>,
        name: String,
        shape: [usize; 2],
        rows: &Array<'_, i64>,
        columns: &Array<'_, i64>,
        values: &Array<'_, f64>,
        form: &str,
        threads: Option<usize>,
    ) -> PyResult<Graph> {
        let form = match form {
            "auto" => None,
            "adjacency" => Some(GraphForm::Adjacency),
            "laplacian" => Some(GraphForm::Laplacian),
            "signed" => Some(GraphForm::Signed),
            other => {
                let text = format!("form: expected auto, adjacency or laplacian, found `{other}`");
                return Err(PyValueError::new_err(text));
            }
        };
        let (rows, columns, values) = (Lent::new(rows)?, Lent::new(columns)?, Lent::new(values)?);
        let file = run(py, threads, values.len().max(shape[0]), move |_| {
            if rows.len() != values.len() || columns.len() != values.len() {
                return Err(value("expected as many rows and columns as values"));
            }
            let narrow = |&x: &i64| u32::try_from(x).unwrap_or(u32::MAX);
            let places = rows.iter().map(narrow).zip(columns.iter().map(narrow));
            let entries = places.zip(values.iter()).map(|((i, j), &w)| (i, j, w));
            graph_of_matrix(&name, shape, entries, form).map_err(value)
        })?;
        Ok(Graph { file: Arc::new(file) })
    }

    /// A built-in shape.
    #[staticmethod]
    fn generate(
        py: Python<'_>,
        shape: &str,
        weights: &str,
        seed: u64,
        threads: Option<usize>,
    ) -> PyResult<Graph> {
        let shape: GraphShape = parsed(shape)?;
        let weights: Weights = parsed(weights)?;
        let file = run(py, threads, usize::MAX, move |_| {
            let made = generate(shape, weights, seed).map_err(value)?;
            Ok(GraphFile::of(&shape.to_string(), made.graph))
        })?;
        Ok(Graph { file: Arc::new(file) })
    }

    /// From a file.
    #[staticmethod]
    fn read(
        py: Python<'_>,
        path: PathBuf,
        format: Option<&str>,
        raster: Option<RasterOptions>,
        threads: Option<usize>,
    ) -> PyResult<Graph> {
        let given = raster.is_some();
        let raster = raster.map(|options| options.params()).transpose()?.unwrap_or_default();
        let format = format.map(parsed).transpose()?;
        let params = GraphReadParams { format, raster, ..Default::default() };
        let file = run(py, threads, usize::MAX, move |_| Ok(read_graph(&path, &params)?))?;
        if given && file.landscape.is_none() {
            let text = format!("{}: neighbours, cells and mean are for rasters", file.name);
            return Err(PyValueError::new_err(text));
        }
        Ok(Graph { file: Arc::new(file) })
    }

    fn __len__(&self) -> usize {
        self.file.graph.len()
    }

    /// The rows of the matrix of weights.
    fn rows<'py>(&self, py: Python<'py>) -> Rows<'py> {
        rows(py, &self.file.graph)
    }

    /// By vertex, its conductance to ground, if there is any.
    fn ground<'py>(&self, py: Python<'py>) -> Option<Array<'py, f64>> {
        self.file.ground.as_deref().map(|ground| PyArray1::from_slice(py, ground))
    }

    /// The currents of a netlist.
    fn currents<'py>(&self, py: Python<'py>) -> Option<Array<'py, f64>> {
        let netlist = self.file.netlist.as_ref()?;
        Some(PyArray1::from_slice(py, &netlist.currents))
    }

    /// What current sources put in.
    fn loads<'py>(&self, py: Python<'py>) -> Option<Array<'py, f64>> {
        let netlist = self.file.netlist.as_ref()?;
        Some(PyArray1::from_slice(py, &netlist.loads))
    }

    /// What voltage sources put in.
    fn supplies<'py>(&self, py: Python<'py>) -> Option<Array<'py, f64>> {
        let netlist = self.file.netlist.as_ref()?;
        Some(PyArray1::from_slice(py, &netlist.supplies))
    }

    /// What was treated as rounding on the diagonal of a Laplacian: rows, the largest part, and
    /// whether it is more than sums of doubles round.
    #[getter]
    fn rounding(&self) -> Option<(usize, f64, bool)> {
        self.file.rounding.map(|Rounding { rows, largest, few_digits }| (rows, largest, few_digits))
    }

    /// The names of the nodes of a netlist.
    fn nodes(&self) -> Option<Vec<String>> {
        let nodes = &self.file.netlist.as_ref()?.nodes;
        Some((0..nodes.len() as u32).map(|node| nodes.get(node).into_owned()).collect())
    }

    /// By node of a netlist, its voltage, from potentials by vertex.
    fn voltages<'py>(
        &self,
        py: Python<'py>,
        potentials: &Array<'py, f64>,
    ) -> PyResult<Array<'py, f64>> {
        let Some(netlist) = &self.file.netlist else {
            return Err(PyValueError::new_err("this graph is not a netlist and has no nodes"));
        };
        let x = Lent::new(potentials)?;
        let expected = self.file.graph.len();
        if x.len() != expected {
            let text = format!("{} entries for {expected} vertices", x.len());
            return Err(PyValueError::new_err(text));
        }
        Ok(PyArray1::from_vec(py, netlist.potentials(&x)))
    }

    /// The number of a node of a netlist.
    fn node(&self, label: &str) -> PyResult<u32> {
        let labels = self.file.query_labels();
        Ok(self.file.query(&labels, label).map_err(Failure::from)?)
    }

    /// The edges of the skeleton.
    #[expect(clippy::too_many_arguments, reason = "Python has them by name")]
    fn sparsify<'py>(
        &self,
        py: Python<'py>,
        rule: &str,
        budget: Option<&str>,
        engine: Option<&str>,
        beta_cap: Option<u32>,
        condition: Option<f64>,
        threads: Option<usize>,
    ) -> PyResult<Edges<'py>> {
        let params = SparsifyParams {
            rule: parsed(rule)?,
            engine: engine.map_or(Ok(Default::default()), parsed)?,
            budget: budget.map_or(Ok(Budget::Rule), parsed)?,
            beta_cap,
            condition,
        };
        if params.rule != Rule::Spectral && condition.is_some() {
            return Err(PyValueError::new_err("condition applies to rule spectral only"));
        }
        if params.rule != Rule::Contest && (engine.is_some() || beta_cap.is_some()) {
            let text = "engine and beta_cap apply to rule contest only";
            return Err(PyValueError::new_err(text));
        }
        let file = self.file.clone();
        let size = file.graph.edge_count() + file.graph.len();
        let found = run(py, threads, size, move |_| sparsify(&file.graph, &params).map_err(value))?;
        let ends = |edges: &[(u32, u32)]| {
            let ends = edges.iter().flat_map(|&(a, b)| [i64::from(a), b.into()]).collect();
            PyArray1::from_vec(py, ends)
        };
        Ok((ends(&found.tree), ends(&found.recovered), found.non_crossing))
    }

    /// The graph on the same vertices with some of the edges, given by their ends, all of which
    /// a skeleton named.
    fn subgraph(&self, py: Python<'_>, ends: &Array<'_, i64>) -> PyResult<Graph> {
        let ends = Lent::new(ends)?;
        let file = self.file.clone();
        let found = run(py, None, ends.len(), move |_| {
            let graph = &file.graph;
            let named = vertices("edges", &ends, graph.len())?;
            let edges: Vec<(u32, u32)> = named.chunks_exact(2).map(|e| (e[0], e[1])).collect();
            if let Some((a, b)) = edges.iter().find(|e| graph.weight(e.0, e.1).is_none()) {
                return Err(value(format!("({a}, {b}) is not an edge of the graph")));
            }
            Ok(GraphFile { graph: graph.subgraph(&edges), ..(*file).clone() })
        })?;
        Ok(Graph { file: Arc::new(found) })
    }

    /// Effective resistances between pairs of vertices, in a netlist of nodes.
    fn resistance<'py>(
        &self,
        py: Python<'py>,
        u: &Array<'py, i64>,
        v: &Array<'py, i64>,
        options: SolveOptions,
    ) -> PyResult<Array<'py, f64>> {
        let (u, v) = (Lent::new(u)?, Lent::new(v)?);
        let params = options.params()?;
        let file = self.file.clone();
        let found = run(py, options.threads, usize::MAX, move |cancel| {
            let params = SolveParams { cancel: Some(cancel.clone()), ..params };
            let count = file.netlist.as_ref().map_or(file.graph.len(), |n| n.nodes.len());
            Ok(node_resistances(&file, &pairs(&u, &v, count)?, &params)?)
        })?;
        Ok(PyArray1::from_vec(py, found))
    }

    /// By edge, its ends, weights, and the effective resistance across it; and a relative error.
    fn edge_resistances<'py>(
        &self,
        py: Python<'py>,
        projections: Option<usize>,
        options: SolveOptions,
    ) -> PyResult<AcrossEdges<'py>> {
        let params = options.params()?;
        let file = self.file.clone();
        let found = run(py, options.threads, usize::MAX, move |cancel| {
            let params = SolveParams { cancel: Some(cancel.clone()), ..params };
            let laplacian = Laplacian::new(&file.graph, file.ground.as_deref());
            Ok(match projections {
                Some(count) => projected_resistances(&laplacian, count, &params)?,
                None => edge_resistances(&laplacian, &params)?,
            })
        })?;
        let graph = &self.file.graph;
        let ends = graph.edges().flat_map(|(a, b, _)| [i64::from(a), b.into()]).collect();
        let weights = graph.edges().map(|edge| edge.2).collect();
        let (ends, weights) = (PyArray1::from_vec(py, ends), PyArray1::from_vec(py, weights));
        Ok((ends, weights, PyArray1::from_vec(py, found.values), found.error))
    }
}

fn rows<'py>(py: Python<'py>, graph: &palmette::Graph) -> Rows<'py> {
    let offsets = graph.offsets().iter().map(|&x| x as i64).collect();
    let neighbours = graph.all_neighbours().iter().map(|&x| i64::from(x)).collect();
    let weights = PyArray1::from_slice(py, graph.all_weights());
    (PyArray1::from_vec(py, offsets), PyArray1::from_vec(py, neighbours), weights)
}

/// How systems are solved.
#[derive(Debug, Clone, FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct SolveOptions {
    preconditioner: String,
    tolerance: f64,
    max_iterations: Option<usize>,
    seed: u64,
    memory: Option<u64>,
    work: Option<u64>,
    stop: Option<String>,
    right_hand_sides: usize,
    pub(crate) threads: Option<usize>,
}

impl SolveOptions {
    pub(crate) fn params(&self) -> PyResult<SolveParams> {
        let SolveOptions { tolerance, seed, memory, work, right_hand_sides, .. } = *self;
        let preconditioner = parsed(&self.preconditioner)?;
        let defaults = SolveParams::default();
        let max_iterations = self.max_iterations.unwrap_or(defaults.max_iterations);
        let stop = self.stop.as_deref().map_or(Ok(defaults.stop), parsed)?;
        let params = SolveParams {
            preconditioner,
            tolerance,
            max_iterations,
            seed,
            memory,
            work,
            stop,
            right_hand_sides,
            ..defaults
        };
        params.check().map_err(value_error)?;
        Ok(params)
    }
}
