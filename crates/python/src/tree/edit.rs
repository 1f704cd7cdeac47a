//! Trees from trees: edits.

use super::{Tree, TreeData};
use crate::prelude::*;
use palmette::phylo::edit::{
    CollapsedLength, EditError, Edited, GraftPlace, LadderOrder, Resolution, RootPlace, collapse,
    common_ancestor, graft, ladderize, midpoint, min_variance, outgroup, prune, reroot, resolve,
    shorter_than, sort, subtree, support_below, unroot,
};
use palmette::phylogeny::edit::{
    EditProblem, apply, both, join_supports, problem, ranks_by_name, tips_below,
};
use palmette::{Labels, TreeFile, TreeParams};
use pyo3::exceptions::PyUserWarning;
use std::ffi::CString;

/// The file of a tree, or what stands for one: its numbers are its names.
fn file_of(data: &TreeData) -> TreeFile {
    let n = data.tree.len();
    data.file
        .clone()
        .unwrap_or_else(|| TreeFile::new(data.name.clone(), vec![NONE; n], Labels::numbers(n)))
}

fn failure(data: &TreeData, error: EditError) -> Failure {
    let name = |v: u32| match data.labels() {
        Some(labels) => format!("`{}`", labels.get(v)),
        None => format!("vertex {v}"),
    };
    from_problem(problem(&data.name, &name, error))
}

fn from_problem(problem: EditProblem) -> Failure {
    match problem {
        EditProblem::Io(error) => error.into(),
        EditProblem::Edit { source: EditError::NoRoom(_), .. } => {
            Failure::Memory(problem.to_string())
        }
        problem => value(problem),
    }
}

/// The tree that an edit made, with the names and supports of a file.
fn made(name: &str, file: Option<TreeFile>, edited: Edited) -> Result<TreeData, Failure> {
    let params = TreeParams { forest: true, ..TreeParams::default() };
    let tree = palmette::Tree::with_params(&edited.parents, params)?;
    let origin = Some(edited.origin.clone());
    let (file, lengths) = match file {
        Some(file) => {
            let mut file = apply(file, edited);
            let lengths = file.lengths.take();
            (Some(file), lengths)
        }
        None => (None, edited.lengths),
    };
    Ok(TreeData { lengths, origin, ..TreeData::new(tree, name.to_string(), file) })
}

impl Tree {
    /// What an edit makes of this tree.
    fn edited(
        &self,
        py: Python<'_>,
        edit: impl FnOnce(&TreeData) -> Result<Edited, EditError> + Send + 'static,
    ) -> PyResult<Tree> {
        let data = self.data.clone();
        Tree::made(py, None, data.tree.len(), move || {
            let edited = edit(&data).map_err(|error| failure(&data, error))?;
            made(&data.name, data.file.clone(), edited)
        })
    }

    fn vertices(&self, given: &Array<'_, i64>) -> PyResult<Vec<u32>> {
        Ok(vertices("vertices", &Lent::new(given)?, self.data.tree.len())?)
    }
}

#[pymethods]
impl Tree {
    /// By vertex, what it was before an edit.
    fn origin<'py>(&self, py: Python<'py>) -> Option<Array<'py, i64>> {
        self.data.origin.as_deref().map(|origin| PyArray1::from_vec(py, signed(origin)))
    }

    /// The tree below the lowest common ancestor of some vertices.
    fn subtree(&self, py: Python<'_>, vertices: &Array<'_, i64>) -> PyResult<Tree> {
        let vertices = self.vertices(vertices)?;
        self.edited(py, move |data| {
            let top = common_ancestor(&data.tree, &vertices)?;
            subtree(&data.tree, data.lengths.as_deref(), top)
        })
    }

    /// The tree of some tips, or of all others.
    fn prune(
        &self,
        py: Python<'_>,
        vertices: &Array<'_, i64>,
        keep: bool,
        unifurcations: &str,
    ) -> PyResult<Tree> {
        let (vertices, unifurcations) = (self.vertices(vertices)?, parsed(unifurcations)?);
        self.edited(py, move |data| {
            let mut kept = tips_below(&data.tree, &vertices);
            kept.iter_mut().for_each(|chosen| *chosen = *chosen == keep);
            prune(&data.tree, data.lengths.as_deref(), &kept, unifurcations)
        })
    }

    /// The tree with its root elsewhere.
    fn reroot(
        &self,
        py: Python<'_>,
        way: &str,
        vertices: &Array<'_, i64>,
        fraction: f64,
    ) -> PyResult<Tree> {
        let (way, vertices) = (way.to_string(), self.vertices(vertices)?);
        let data = self.data.clone();
        let mut support = data.file.as_ref().and_then(|file| file.support.clone());
        let note = join_supports(&mut support, &data.tree);
        let found = Tree::made(py, None, data.tree.len(), move || {
            let (tree, lengths) = (&data.tree, data.lengths.as_deref());
            let edited = match (&way[..], &vertices[..]) {
                ("midpoint", _) => midpoint(tree, lengths).map(|found| found.edited),
                ("min-variance", _) => min_variance(tree, lengths).map(|found| found.edited),
                ("unroot", _) => unroot(tree, lengths),
                ("at", &[vertex]) => {
                    reroot(tree, lengths, RootPlace::Share { vertex, share: fraction })
                }
                ("at", _) => return Err(value("at: expected one vertex")),
                _ => {
                    let out = tips_below(tree, &vertices);
                    outgroup(tree, lengths, &out, fraction).map(|found| found.edited)
                }
            };
            let edited = edited.map_err(|error| failure(&data, error))?;
            let mut file = data.file.clone();
            if let Some(file) = &mut file {
                join_supports(&mut file.support, tree);
            }
            made(&data.name, file, edited)
        })?;
        if let Some(note) = note {
            let note = CString::new(format!("{}: {note}", self.data.name)).unwrap_or_default();
            PyErr::warn(py, &py.get_type::<PyUserWarning>(), &note, 2)?;
        }
        Ok(found)
    }

    /// The tree with children in another order.
    fn reordered(&self, py: Python<'_>, order: &str) -> PyResult<Tree> {
        let order = match order {
            "sort" => None,
            order => Some(parsed::<LadderOrder>(order)?),
        };
        self.edited(py, move |data| match order {
            Some(order) => ladderize(&data.tree, data.lengths.as_deref(), order),
            None => {
                let ranks = ranks_by_name(&file_of(data), &data.tree);
                sort(&data.tree, data.lengths.as_deref(), &ranks)
            }
        })
    }

    /// The tree without branches that are short or have little support.
    #[pyo3(signature = (shorter, below, lengths))]
    fn collapse(
        &self,
        py: Python<'_>,
        shorter: Option<f64>,
        below: Option<f64>,
        lengths: &str,
    ) -> PyResult<Tree> {
        let rule: CollapsedLength = parsed(lengths)?;
        let support = self.data.file.as_ref().and_then(|file| file.support.clone());
        if below.is_some() && support.is_none() {
            let text = format!("{}: no branch has support", self.data.name);
            return Err(PyValueError::new_err(text));
        }
        self.edited(py, move |data| {
            let (tree, lengths) = (&data.tree, data.lengths.as_deref());
            let mut gone = vec![false; tree.len()];
            if let Some(limit) = shorter {
                gone = shorter_than(tree, lengths.ok_or(EditError::NoLengths)?, limit)?;
            }
            if let (Some(limit), Some(support)) = (below, &support) {
                let weak = support_below(tree, support, limit)?;
                gone.iter_mut().zip(weak).for_each(|(gone, weak)| *gone |= weak);
            }
            collapse(tree, lengths, &gone, rule)
        })
    }

    /// The tree with at most two children everywhere.
    fn resolve(&self, py: Python<'_>, method: &str, seed: u64) -> PyResult<Tree> {
        let method: Resolution = parsed(method)?;
        self.edited(py, move |data| resolve(&data.tree, data.lengths.as_deref(), method, seed))
    }

    /// The tree with other labels for some vertices.
    fn renamed(
        &self,
        py: Python<'_>,
        vertices: &Array<'_, i64>,
        names: Vec<String>,
    ) -> PyResult<Tree> {
        let vertices = self.vertices(vertices)?;
        let data = self.data.clone();
        Tree::made(py, None, data.tree.len(), move || {
            let mut new = vec![NONE; data.tree.len()];
            (0..).zip(&vertices).for_each(|(k, &v): (u32, _)| new[v as usize] = k);
            let mut file = file_of(&data);
            let name = |v: u32| names.get(new[v as usize] as usize).map(String::as_str);
            file.labels = file.labels.replaced(name);
            let origin = Some((0..data.tree.len() as u32).collect());
            let lengths = data.lengths.clone();
            let made = TreeData::new(data.tree.clone(), data.name.clone(), Some(file));
            Ok(TreeData { lengths, origin, ..made })
        })
    }

    /// The tree with another one hung into it.
    fn graft(
        &self,
        py: Python<'_>,
        other: &Tree,
        vertex: i64,
        above: bool,
        fraction: f64,
    ) -> PyResult<Tree> {
        let vertex = vertices("vertices", &[vertex], self.data.tree.len())?[0];
        let (data, other) = (self.data.clone(), other.data.clone());
        Tree::made(py, None, data.tree.len() + other.tree.len(), move || {
            let place = match above {
                true => GraftPlace::Above { vertex, share: fraction },
                false => GraftPlace::Below(vertex),
            };
            let (lengths, more) = (data.lengths.as_deref(), other.lengths.as_deref());
            let edited = graft(&data.tree, lengths, &other.tree, more, place)
                .map_err(|error| failure(&data, error))?;
            let named = data.file.is_some() || other.file.is_some();
            let file = named.then(|| both(file_of(&data), &file_of(&other)));
            made(&data.name, file, edited)
        })
    }
}
