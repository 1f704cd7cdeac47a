//! Trees.

mod arrow;
mod device;
mod diversity;
mod draw;
mod edit;
mod layout;
mod make;
mod once;
mod parsimony;
mod phylogeny;
mod queries;
mod treefix;
mod write;

pub(crate) use diversity::{distance_map, pcoa};
pub(crate) use layout::{Layout, grid};
pub(crate) use once::treefix_once;
pub(crate) use phylogeny::{compare_many, compare_pair, consensus_of};

use crate::array::{self, numbers};
use crate::prelude::*;
use palmette::{Labels, Lca, Measure, TreeFile};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

/// A tree with what the user calls its vertices.
pub(crate) struct TreeData {
    pub(crate) tree: palmette::Tree,
    /// What was read: a file's name or where an array came from.
    pub(crate) name: String,
    /// Labels and lines, where there is a file.
    pub(crate) file: Option<TreeFile>,
    pub(crate) lengths: Option<Vec<f64>>,
    /// Which vertex of another tree each one was, where an edit made this one.
    origin: Option<Vec<u32>>,
    /// Why lengths that the file has are not here.
    without_lengths: Option<String>,
    /// Whether a label was looked up.
    asked: AtomicBool,
    index: OnceLock<Lca>,
    /// Distances to the root by the lengths of the file.
    depths: OnceLock<Vec<f64>>,
}

impl TreeData {
    fn new(tree: palmette::Tree, name: String, mut file: Option<TreeFile>) -> TreeData {
        let lengths = file.as_mut().and_then(|file| {
            // The tree has its own.
            file.parents = Vec::new();
            file.lengths.take()
        });
        TreeData {
            tree,
            name,
            file,
            lengths,
            origin: None,
            without_lengths: None,
            asked: AtomicBool::new(false),
            index: OnceLock::new(),
            depths: OnceLock::new(),
        }
    }

    /// The index of lowest common ancestors, made when first asked for.
    fn index(&self) -> &Lca {
        self.index.get_or_init(|| Lca::by_vertex(&self.tree))
    }

    /// The branch lengths of the file.
    fn lengths(&self) -> Result<&[f64], Failure> {
        self.lengths.as_deref().ok_or_else(|| {
            let none = || {
                let name = &self.name;
                format!("{name}: the tree has no branch lengths; pass lengths, one per vertex")
            };
            Failure::Value(self.without_lengths.clone().unwrap_or_else(none))
        })
    }

    /// The labels, where vertices have any but their numbers.
    pub(crate) fn labels(&self) -> Option<&Labels> {
        self.file.as_ref().map(|file| &file.labels)
    }
}

/// The label of a vertex; its name where it has none.
fn label(labels: &Labels, vertex: u32) -> String {
    let label = labels.label(vertex);
    if label.is_empty() { labels.get(vertex).into_owned() } else { label.into_owned() }
}

/// By vertex, its parent.
fn parents(tree: &palmette::Tree) -> Vec<u32> {
    let mut parents = vec![palmette::NONE; tree.len()];
    for (p, &parent) in tree.parents().iter().enumerate() {
        if let Some(&above) = tree.vertices().get(parent as usize) {
            parents[tree.vertices()[p] as usize] = above;
        }
    }
    parents
}

/// A tree; `palmette.Tree` wraps it.
#[pyclass(frozen, module = "palmette._palmette")]
pub(crate) struct Tree {
    pub(crate) data: Arc<TreeData>,
}

getters! { Tree:
    name: &str = |of| &of.data.name;
    root_count: usize = |of| of.data.tree.roots();
    has_labels: bool = |of| of.data.file.is_some();
}

#[pymethods]
impl Tree {
    fn __len__(&self) -> usize {
        self.data.tree.len()
    }

    /// The roots by vertex.
    fn roots<'py>(&self, py: Python<'py>) -> Array<'py, i64> {
        let tree = &self.data.tree;
        let roots = tree.root_positions().map(|p| i64::from(tree.vertices()[p as usize]));
        PyArray1::from_vec(py, roots.collect())
    }

    /// By vertex, its parent; −1 for a root.
    fn parents<'py>(&self, py: Python<'py>) -> PyResult<Array<'py, i64>> {
        let data = self.data.clone();
        let found = run(py, None, data.tree.len(), move |_| Ok(signed(&parents(&data.tree))))?;
        Ok(PyArray1::from_vec(py, found))
    }

    /// The vertices in preorder.
    fn preorder<'py>(&self, py: Python<'py>) -> Array<'py, i64> {
        PyArray1::from_vec(py, signed(self.data.tree.vertices()))
    }

    /// A measure by vertex: depth, height, size, leaves or weighted-depth.
    #[pyo3(signature = (name, lengths, threads))]
    fn measure<'py>(
        &self,
        py: Python<'py>,
        name: &str,
        lengths: Option<&Array<'py, f64>>,
        threads: Option<usize>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let measure: Measure = parsed(name)?;
        let lengths = lengths.map(Lent::new).transpose()?;
        let data = self.data.clone();
        let found = run(py, threads, data.tree.len(), move |_| {
            let lengths = match (&lengths, measure) {
                (Some(lengths), _) => Some(&lengths[..]),
                (None, Measure::WeightedDepth) => Some(data.lengths()?),
                (None, _) => None,
            };
            measure.by_vertex(&data.tree, lengths).map_err(crate::error::value)
        })?;
        Ok(match found {
            palmette::Values::U64(x) => {
                PyArray1::from_vec(py, x.into_iter().map(|x| x as i64).collect()).into_any()
            }
            other => numbers(py, other)?,
        })
    }

    /// Branch lengths by vertex, if the file had some.
    fn lengths<'py>(&self, py: Python<'py>) -> Option<Array<'py, f64>> {
        self.data.lengths.as_deref().map(|lengths| PyArray1::from_slice(py, lengths))
    }

    /// Whether the file has branch lengths, on all vertices or on some.
    #[getter]
    fn has_lengths(&self) -> bool {
        self.data.lengths.is_some() || self.data.without_lengths.is_some()
    }

    /// The label of every vertex.
    fn labels(&self) -> Vec<String> {
        match self.data.labels() {
            Some(labels) => (0..labels.len() as u32).map(|v| label(labels, v)).collect(),
            None => (0..self.data.tree.len()).map(|v| v.to_string()).collect(),
        }
    }

    /// The label of a vertex.
    fn label(&self, vertex: i64) -> PyResult<String> {
        let found = array::vertices("vertex", &[vertex], self.data.tree.len())?;
        Ok(self.data.labels().map_or(found[0].to_string(), |labels| label(labels, found[0])))
    }

    /// The vertices that labels name.
    fn find<'py>(&self, py: Python<'py>, labels: Vec<String>) -> PyResult<Array<'py, i64>> {
        let data = self.data.clone();
        // The first lookup makes an index of all labels.
        let all = if data.asked.swap(true, Ordering::Relaxed) { 0 } else { data.tree.len() };
        let found = run(py, None, all.max(labels.len()), move |_| match &data.file {
            Some(file) => {
                let vertex = |label: &String| file.vertex(label).map(i64::from);
                Ok(labels.iter().map(vertex).collect::<Result<Vec<i64>, _>>()?)
            }
            None => {
                let text = "this tree has no labels; use vertex numbers";
                Err(Failure::Type(text.to_string()))
            }
        })?;
        Ok(PyArray1::from_vec(py, found))
    }
}
