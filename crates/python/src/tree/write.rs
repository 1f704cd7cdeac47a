//! Trees to texts, files and what other packages build theirs from.

use super::{Tree, TreeData, parents};
use crate::array;
use crate::prelude::*;
use palmette::io::{AnnotationStyle, Format, Output, TreeParts, write_tree};
use palmette::{IoError, Labels};
use std::collections::BTreeMap;
use std::io::Write;

impl TreeData {
    /// Writes the tree with all that is known of it.
    fn write(
        &self,
        out: &mut impl Write,
        format: Format,
        style: AnnotationStyle,
    ) -> std::io::Result<()> {
        let (parents, numbers) = (parents(&self.tree), Labels::numbers(self.tree.len()));
        let labels = self.labels().unwrap_or(&numbers);
        let file = self.file.as_ref();
        let parts = TreeParts {
            lengths: self.lengths.as_deref(),
            support: file.and_then(|file| file.support.as_deref()),
            annotations: file.map_or(&[], |file| &file.annotations),
            trees: file.map_or(&[], |file| &file.trees),
            ..TreeParts::new(&parents, labels)
        };
        write_tree(out, format, &self.tree, &parts, style)
    }
}

#[pymethods]
impl Tree {
    /// The tree as a text: Newick, NEXUS, a table.
    fn to_text(&self, py: Python<'_>, format: &str, annotations: &str) -> PyResult<String> {
        let (format, style) = (parsed(format)?, parsed(annotations)?);
        let data = self.data.clone();
        run(py, None, data.tree.len(), move |_| {
            let mut bytes = Vec::new();
            data.write(&mut bytes, format, style).map_err(value)?;
            String::from_utf8(bytes).map_err(value)
        })
    }

    /// Writes a file; the format is that of its name unless it is said.
    fn write(
        &self,
        py: Python<'_>,
        path: PathBuf,
        format: Option<&str>,
        annotations: &str,
    ) -> PyResult<()> {
        let style = parsed(annotations)?;
        let name = path.display().to_string();
        let format = match format {
            Some(format) => parsed(format)?,
            None => Format::from_name(&name)
                .ok_or_else(|| value_error(format!("{name}: unknown extension; pass format")))?,
        };
        let data = self.data.clone();
        run(py, None, data.tree.len(), move |_| {
            let failed = |source| IoError::Write { file: name.clone(), source };
            let mut out = Output::create(&path)?;
            data.write(&mut out, format, style).map_err(|error| match error.kind() {
                std::io::ErrorKind::InvalidInput => value(error),
                _ => failed(error).into(),
            })?;
            Ok(out.finish()?)
        })
    }

    /// Support by vertex, NaN where there is none; nothing where no vertex has any.
    fn support<'py>(&self, py: Python<'py>) -> Option<Array<'py, f64>> {
        let support = self.data.file.as_ref().and_then(|file| file.support.as_deref());
        support.map(|support| PyArray1::from_slice(py, support))
    }

    /// Annotations: texts by vertex for each key.
    fn annotations(&self) -> BTreeMap<String, Vec<String>> {
        let all = self.data.file.iter().flat_map(|file| &file.annotations);
        let texts = |one: &palmette::io::Annotation| {
            (0..one.len() as u32).map(|v| one.get(v).to_string()).collect()
        };
        all.map(|one| (one.name.clone(), texts(one))).collect()
    }

    /// The name of every vertex, which no other has.
    fn names(&self) -> Vec<String> {
        let n = self.data.tree.len();
        let numbers = Labels::numbers(n);
        let labels = self.data.labels().unwrap_or(&numbers);
        (0..n as u32).map(|v| labels.get(v).into_owned()).collect()
    }

    /// The label of every vertex; empty where it has none.
    fn own_labels(&self) -> Vec<String> {
        let n = self.data.tree.len();
        let numbers = Labels::numbers(n);
        let labels = self.data.labels().unwrap_or(&numbers);
        (0..n as u32).map(|v| labels.label(v).into_owned()).collect()
    }

    /// The vertices without children, in ascending order.
    fn tips<'py>(&self, py: Python<'py>) -> Array<'py, i64> {
        let tree = &self.data.tree;
        let tips = (0..tree.len() as u32).filter(|&p| tree.is_leaf(p));
        let mut tips: Vec<i64> = tips.map(|p| tree.vertices()[p as usize].into()).collect();
        tips.sort_unstable();
        PyArray1::from_vec(py, tips)
    }

    /// The children of a vertex, in their order.
    fn children<'py>(&self, py: Python<'py>, vertex: i64) -> PyResult<Array<'py, i64>> {
        let tree = &self.data.tree;
        let vertex = array::vertices("vertex", &[vertex], tree.len())?[0];
        let position = tree.positions()[vertex as usize];
        let (mut children, mut child) = (Vec::new(), position + 1);
        while child < tree.end(position) {
            children.push(tree.vertices()[child as usize].into());
            child = tree.end(child);
        }
        Ok(PyArray1::from_vec(py, children))
    }
}
