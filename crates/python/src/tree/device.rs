//! Many trees as one forest, and aggregates on a graphics processor.

use super::{Tree, TreeData};
use crate::prelude::*;
use palmette::{
    AggregateParams, DeviceChoice, DeviceEngine, DeviceJob, Direction, Engine, run_on_device,
};

/// The columns of an answer, and how many sums left the range of their type.
type Answer<'py> = (Vec<Bound<'py, PyAny>>, usize);

#[pymethods]
impl Tree {
    /// A forest of trees, one after the other; with lengths where all have them.
    #[staticmethod]
    fn join(py: Python<'_>, trees: Vec<PyRef<'_, Tree>>) -> PyResult<Tree> {
        let parts: Vec<Arc<TreeData>> = trees.iter().map(|tree| tree.data.clone()).collect();
        let vertices = parts.iter().map(|part| part.tree.len()).sum();
        let data = run(py, None, vertices, move |_| {
            let has = |part: &TreeData| part.lengths.is_some();
            let some = parts.iter().position(|part| has(part));
            let none = parts.iter().position(|part| !has(part));
            if let (Some(some), Some(none)) = (some, none) {
                let text = format!("tree {none} has no branch lengths, and tree {some} has them");
                return Err(Failure::Value(text));
            }
            let all: Vec<&palmette::Tree> = parts.iter().map(|part| &part.tree).collect();
            let lengths = parts.iter().flat_map(|part| part.lengths.iter().flatten().copied());
            let lengths = some.map(|_| lengths.collect());
            let joined = TreeData::new(palmette::Tree::join(&all)?, "joined trees".into(), None);
            Ok(TreeData { lengths, ..joined })
        })?;
        Ok(Tree { data: Arc::new(data) })
    }

    /// As `treefix`, on a device; an operator of one column takes several.
    #[expect(clippy::too_many_arguments, reason = "Python has them by name")]
    fn device_treefix<'py>(
        &self,
        py: Python<'py>,
        way: &str,
        operator: &str,
        columns: Vec<Bound<'py, PyAny>>,
        scope: &str,
        engine: &str,
        wrapping: bool,
        modulus: Option<u64>,
        seed: u64,
        sum: &str,
        error_bound: bool,
        threads: Option<usize>,
    ) -> PyResult<Answer<'py>> {
        let direction: Direction = parsed(way)?;
        let engine: DeviceEngine = parsed(engine)?;
        let operator = crate::operator::operator(operator, wrapping, modulus, seed)?;
        let params = AggregateParams {
            scope: parsed(scope)?,
            engine: Engine::Auto,
            summation: parsed(sum)?,
            error_bound,
            preorder: false,
        };
        let columns = Column::all(&columns)?;
        let data = self.data.clone();
        let found = run(py, threads, data.tree.len(), move |_| {
            let values: Vec<_> = columns.iter().map(Column::as_slice).collect();
            let (values, params) = (&values[..], &params);
            let job = DeviceJob::Treefix { direction, operator, values, params, engine };
            run_on_device(&DeviceChoice::default(), &data.tree, job).map_err(value)
        })?;
        let answers = found.answer.columns.into_iter().map(|column| cells(py, column.cells));
        Ok((answers.collect::<PyResult<_>>()?, found.not_finite))
    }
}
