//! Trees from tables of other libraries.

use super::{Tree, TreeData};
use crate::arrow::Imported;
use crate::prelude::*;
use palmette::io::{TableNames, read_tree_table};
use palmette::{ReadParams, TreeParams};
use pyo3::exceptions::PyTypeError;

/// How messages call a table.
const NAME: &str = "table";

#[pymethods]
impl Tree {
    /// From a table with a row per vertex.
    #[staticmethod]
    #[expect(clippy::too_many_arguments, reason = "Python has them by name")]
    fn from_arrow(
        py: Python<'_>,
        table: &Bound<'_, PyAny>,
        id: Option<String>,
        parent: Option<String>,
        self_root: bool,
        forest: bool,
        missing_length: Option<f64>,
        threads: Option<usize>,
    ) -> PyResult<Tree> {
        let imported = Imported::new(table)?.filter(Imported::is_table).ok_or_else(|| {
            let found = table.get_type();
            PyTypeError::new_err(format!(
                "table: expected a table of pyarrow, polars, pandas, DuckDB or another library with \
                the Arrow PyCapsule interface, found {found}"
            ))
        })?;
        let names = TableNames { id, parent };
        let params = ReadParams { lengths: true, annotations: true, ..Default::default() };
        let params = ReadParams { self_root, missing_length, ..params };
        Tree::made(py, threads, imported.rows(), move || {
            let file = read_tree_table(&imported.table(NAME)?, &names, &params)?;
            let tree = file.tree(TreeParams { forest, ..TreeParams::default() })?;
            Ok(TreeData::new(tree, NAME.to_string(), Some(file)))
        })
    }
}
