//! Trees from arrays, texts and files.

use super::{Tree, TreeData, parents};
use crate::error::advised;
use crate::prelude::*;
use palmette::core::generate::{GenerateParams, Shape, lengths};
use palmette::io::{InputLimit, SupportLabels, TreeChoice, TreeInput, take_support};
use palmette::{IoError, Labels, ReadParams, TreeError, TreeFile, TreeParams};

#[pymethods]
impl Tree {
    /// From parents of 32 bits, where all bits set is a root; `signed` is how to name them.
    #[staticmethod]
    fn from_parents32(
        py: Python<'_>,
        parents: &Array<'_, u32>,
        signed: bool,
        self_root: bool,
        forest: bool,
        threads: Option<usize>,
    ) -> PyResult<Tree> {
        let parents = Lent::new(parents)?;
        Tree::made(py, threads, parents.len(), move || {
            if self_root {
                let own = (0..).zip(parents.iter());
                let parents: Vec<u32> =
                    own.map(|(v, &parent)| if parent == v { NONE } else { parent }).collect();
                return build(&parents, forest, signed);
            }
            build(&parents, forest, signed)
        })
    }

    /// From parents of 64 bits, where −1 is a root.
    #[staticmethod]
    fn from_parents64(
        py: Python<'_>,
        parents: &Array<'_, i64>,
        self_root: bool,
        forest: bool,
        threads: Option<usize>,
    ) -> PyResult<Tree> {
        let parents = Lent::new(parents)?;
        Tree::made(py, threads, parents.len(), move || {
            let narrow = |(vertex, &parent): (usize, &i64)| match u32::try_from(parent) {
                _ if parent == -1 || (self_root && parent == vertex as i64) => Ok(NONE),
                Ok(parent) if parent != NONE => Ok(parent),
                _ => Err(no_parent(vertex as u32, parent, parents.len())),
            };
            let narrowed: Vec<u32> =
                parents.iter().enumerate().map(narrow).collect::<Result<_, _>>()?;
            build(&narrowed, forest, true)
        })
    }

    /// A built-in shape.
    #[staticmethod]
    fn generate(
        py: Python<'_>,
        shape: &str,
        seed: u64,
        shuffle: bool,
        with_lengths: bool,
        threads: Option<usize>,
    ) -> PyResult<Tree> {
        let name = shape.to_string();
        let (shape, n) = Shape::with_size(shape).map_err(value_error)?;
        let data = run(py, threads, n, move |_| {
            let params = GenerateParams { shape, n: Some(n), seed, shuffle };
            let parents = params.generate().map_err(value)?;
            let lengths = with_lengths.then(|| lengths(&parents, seed));
            Ok(TreeData { name, lengths, ..build(&parents, false, true)? })
        })?;
        Ok(Tree { data: Arc::new(data) })
    }

    /// The same tree with a label for every vertex; which of them are support, a rule says.
    #[pyo3(signature = (labels, lengths, support=None, rule=None))]
    fn with_labels(
        &self,
        mut labels: Vec<String>,
        lengths: Option<Vec<f64>>,
        support: Option<Vec<f64>>,
        rule: Option<&str>,
    ) -> PyResult<Tree> {
        let tree = &self.data.tree;
        let expected = tree.len();
        let found = [Some(&lengths), Some(&support)].into_iter().flatten();
        let found = found.map(|some| some.as_ref().map(Vec::len)).chain([Some(labels.len())]);
        if let Some(actual) = found.into_iter().flatten().find(|&actual| actual != expected) {
            let text = format!("expected {expected} labels and lengths, found {actual}");
            return Err(PyValueError::new_err(text));
        }
        let name = self.data.name.clone();
        let parents = parents(tree);
        let rule = rule.map_or(Ok(SupportLabels::No), parsed)?;
        let support = support.or_else(|| take_support(&parents, &mut labels, rule));
        let mut file = TreeFile::new(name.as_str(), parents, Labels::texts(labels));
        (file.lengths, file.support) = (lengths, support);
        let data = TreeData::new(tree.clone(), name, Some(file));
        Ok(Tree { data: Arc::new(data) })
    }

    /// From a file; or from `bytes`, for which the path stands in messages.
    #[staticmethod]
    #[pyo3(signature = (path, bytes, format, tree, header, self_root, forest, missing_length, support, threads))]
    #[expect(clippy::too_many_arguments, reason = "Python has them by name")]
    fn read(
        py: Python<'_>,
        path: PathBuf,
        bytes: Option<Vec<u8>>,
        format: Option<&str>,
        tree: Option<&str>,
        header: Option<bool>,
        self_root: bool,
        forest: bool,
        missing_length: Option<f64>,
        support: &str,
        threads: Option<usize>,
    ) -> PyResult<Tree> {
        let params = read_params(format, tree, header, self_root, missing_length)?;
        let params = ReadParams { support: parsed(support)?, annotations: true, ..params };
        let size = bytes.as_ref().map_or(usize::MAX, Vec::len);
        Tree::made(py, threads, size, move || {
            let input = match bytes {
                Some(bytes) => TreeInput::of_bytes(path.display().to_string(), bytes),
                None => TreeInput::open(&path, InputLimit::default(), &params)?,
            };
            from_content(&path.display().to_string(), &input, &params, forest)
        })
    }
}

impl Tree {
    /// The tree that work makes.
    pub(super) fn made(
        py: Python<'_>,
        threads: Option<usize>,
        size: usize,
        work: impl FnOnce() -> Result<TreeData, Failure> + Send + 'static,
    ) -> PyResult<Tree> {
        Ok(Tree { data: Arc::new(run(py, threads, size, |_| work())?) })
    }
}

fn no_parent(vertex: u32, parent: i64, vertices: usize) -> Failure {
    Failure::Value(format!(
        "vertex {vertex} has parent {parent}; expected a vertex below {vertices}, or -1 for a root"
    ))
}

/// What is wrong with parents of 32 bits.
pub(super) fn wrong_parents(error: TreeError, signed: bool) -> Failure {
    match error {
        TreeError::ParentOutOfRange { vertex, parent, vertices } => {
            let parent = if signed { i64::from(parent as i32) } else { parent.into() };
            no_parent(vertex, parent, vertices)
        }
        other => other.into(),
    }
}

fn build(parents: &[u32], forest: bool, signed: bool) -> Result<TreeData, Failure> {
    let params = TreeParams { forest, ..TreeParams::default() };
    let tree = palmette::Tree::with_params(parents, params);
    let tree = tree.map_err(|error| wrong_parents(error, signed))?;
    Ok(TreeData::new(tree, "parents".to_string(), None))
}

fn read_params(
    format: Option<&str>,
    tree: Option<&str>,
    header: Option<bool>,
    self_root: bool,
    missing_length: Option<f64>,
) -> PyResult<ReadParams> {
    let format = format.map(parsed).transpose()?;
    let wrong = || value_error("tree: expected a number from 0, `marked` or `all`");
    let tree = match tree {
        None => TreeChoice::Only,
        Some("all") => TreeChoice::All,
        Some("marked") => TreeChoice::Marked,
        Some(number) => TreeChoice::Index(number.parse().map_err(|_| wrong())?),
    };
    let lengths = true;
    let params = ReadParams { format, tree, header, ..Default::default() };
    Ok(ReadParams { self_root, missing_length, lengths, ..params })
}

/// Lengths are kept where all vertices have one; a file where only some have is read without.
fn from_content(
    name: &str,
    input: &TreeInput,
    params: &ReadParams,
    forest: bool,
) -> Result<TreeData, Failure> {
    let (file, without_lengths) = match input.read(params) {
        Err(error @ IoError::MissingLength { .. }) => {
            let params = ReadParams { missing_length: Some(0.0), ..params.clone() };
            let mut file = input.read(&params)?;
            file.lengths = None;
            (file, Some(advised(&error)))
        }
        other => (other?, None),
    };
    let forest = forest || params.tree == TreeChoice::All;
    let tree = file.tree(TreeParams { forest, ..TreeParams::default() });
    let data = TreeData::new(tree?, name.to_string(), Some(file));
    Ok(TreeData { without_lengths, ..data })
}
