//! Diversity of samples of tips.

use super::Tree;
use crate::array::numbers;
use crate::prelude::*;
use palmette::Values;
use palmette::io::Lookup;
use palmette::phylo::diversity::{
    Condensed, Distance, DiversityError, DiversityParams, Metric, PcoaParams, Samples, distances,
    faith_pd, pcoa as principal_coordinates,
};
use palmette::phylogeny::diversity::TipNames;

/// Axes, eigenvalues, proportions, and the number and sum of negative eigenvalues if known.
type Axes<'py> = (Vec<Array<'py, f64>>, Vec<f64>, Vec<f64>, Option<(usize, f64)>);

#[pymethods]
impl Tree {
    /// The vertices of the tips, in preorder.
    fn tip_vertices<'py>(&self, py: Python<'py>) -> Array<'py, i64> {
        let tree = &self.data.tree;
        let tips = (0..tree.len() as u32).filter(|&p| tree.is_leaf(p));
        PyArray1::from_vec(py, tips.map(|p| i64::from(tree.vertices()[p as usize])).collect())
    }

    /// The tips with these names; −1 where there is none. Inner vertices are none.
    fn find_tips<'py>(&self, py: Python<'py>, names: Vec<String>) -> PyResult<Array<'py, i64>> {
        let data = self.data.clone();
        let found = run(py, None, data.tree.len(), move |_| {
            let Some(labels) = data.labels() else {
                let text = "this tree has no labels; use vertex numbers";
                return Err(Failure::Type(text.to_string()));
            };
            let known = TipNames::of(&data.tree, labels);
            let vertex = |name: &String| match known.labels.find(name) {
                Lookup::Vertex(tip) => Ok(i64::from(known.vertices[tip as usize])),
                Lookup::Unknown => Ok(-1),
                Lookup::Ambiguous(..) => {
                    Err(value(format!("{}: two tips are called `{name}`", data.name)))
                }
            };
            names.iter().map(vertex).collect::<Result<Vec<i64>, Failure>>()
        })?;
        Ok(PyArray1::from_vec(py, found))
    }

    /// Faith PD by sample, or distances in condensed form.
    #[expect(clippy::too_many_arguments, reason = "Python has them by position")]
    fn diversity<'py>(
        &self,
        py: Python<'py>,
        metric: &str,
        starts: &Array<'py, i64>,
        tips: &Array<'py, i64>,
        counts: &Array<'py, f64>,
        lengths: Option<&Array<'py, f64>>,
        alpha: f64,
        order: f64,
        root_length: bool,
        threads: Option<usize>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let metric: Metric = parsed(metric)?;
        let lengths = lengths.map(Lent::new).transpose()?;
        let (starts, tips, counts) = (Lent::new(starts)?, Lent::new(tips)?, Lent::new(counts)?);
        let data = self.data.clone();
        let samples = starts.len().saturating_sub(1);
        let size = data.tree.len().max(counts.len()).max(samples * samples);
        let found = run(py, threads, size, move |_| {
            let lengths = match &lengths {
                Some(lengths) => &lengths[..],
                None => data.lengths()?,
            };
            let starts = starts.iter().map(|&start| start as usize).collect();
            let tips = vertices("tips", &tips, data.tree.len())?;
            let samples = Samples::new(starts, tips, counts.to_vec()).map_err(value)?;
            let params = DiversityParams { root_length };
            let found = match Distance::of(metric, alpha, order) {
                None => faith_pd(&data.tree, lengths, &samples, params),
                Some(distance) => distances(&data.tree, lengths, &samples, distance, params)
                    .map(Condensed::into_values),
            };
            found.map_err(|error| named(&data, error))
        })?;
        numbers(py, Values::F64(found))
    }
}

/// An error about a vertex calls it by its label.
fn named(data: &super::TreeData, error: DiversityError) -> Failure {
    match (&error, data.labels()) {
        (DiversityError::Length { vertex, length }, Some(labels)) => value(format!(
            "{} has the branch length {length}; expected a finite one, at least 0",
            super::label(labels, *vertex)
        )),
        _ => value(error),
    }
}

/// Principal coordinates of `n` samples, whose distances are in condensed form.
#[pyfunction]
pub(crate) fn pcoa<'py>(
    py: Python<'py>,
    distances: &Array<'py, f64>,
    n: usize,
    axes: usize,
    seed: u64,
    threads: Option<usize>,
) -> PyResult<Axes<'py>> {
    let distances = Lent::new(distances)?;
    let found = run(py, threads, n * n, move |_| {
        let given = Condensed::new(n, distances.to_vec());
        let params = PcoaParams { axes, seed, ..PcoaParams::default() };
        principal_coordinates(&given, params).map_err(value)
    })?;
    let axes = found.axes.into_iter().map(|axis| PyArray1::from_vec(py, axis)).collect();
    Ok((axes, found.eigenvalues, found.proportions, found.negative))
}

/// A map of the distances of rows with names, which are in condensed form, as SVG.
#[pyfunction]
pub(crate) fn distance_map<'py>(
    py: Python<'py>,
    distances: &Array<'py, f64>,
    names: Vec<String>,
    title: String,
    quantity: String,
) -> PyResult<String> {
    let distances = Lent::new(distances)?;
    run(py, None, distances.len(), move |_| {
        let given = Condensed::new(names.len(), distances.to_vec());
        Ok(pictures::distance_map(&title, &quantity, &names, &given).svg)
    })
}
