//! Trees compared with each other, and measures of one.

use super::{Tree, TreeData};
use crate::prelude::*;
use palmette::core::memory::huge_zeroed;
use palmette::io::Values;
use palmette::phylo::compare::{Collection, Consensus, Pair, Quartets, Rooting};
use palmette::phylo::measures::lineages_through_time;
use palmette::phylogeny::{
    Clock, Given, MeasureFigures, TreeMetric, TreeSet, distance_table, tips_of, tree_distances,
};
use palmette::{Figures, Labels, Record, TreeFile};
use std::collections::BTreeMap;

/// Lengths, distances, the line as figures, and the number of tips without dates.
type Rows<'py> = (Array<'py, f64>, Array<'py, i64>);

fn figures(of: &impl Figures) -> String {
    let mut record = Record::new("", "");
    of.figures(&mut record);
    text(record)
}

fn text(record: Record) -> String {
    serde_json::Value::Object(record.result).to_string()
}

fn given(data: &TreeData) -> Result<Given<'_>, Failure> {
    let labels =
        data.labels().ok_or_else(|| value("this tree has no labels, which tips are matched by"))?;
    let support = data.file.as_ref().and_then(|file| file.support.as_deref());
    let (name, tree, lengths) = (data.name.as_str(), &data.tree, data.lengths.as_deref());
    let facts = data.file.as_ref().map_or(&[][..], |file| &file.trees);
    Ok(Given { name, tree, labels, lengths, support, facts })
}

/// As asked for, or else as the files say.
fn rooting(set: &TreeSet<'_>, rooted: Option<bool>) -> Rooting {
    match rooted {
        Some(true) => Rooting::Rooted,
        Some(false) => Rooting::Unrooted,
        None => set.stated_rooting().default_rooting(),
    }
}

fn with_set<T>(
    trees: &[Arc<TreeData>],
    shared: bool,
    work: impl FnOnce(&TreeSet<'_>) -> Result<T, Failure>,
) -> Result<T, Failure> {
    let given = trees.iter().map(|data| given(data)).collect::<Result<Vec<_>, _>>()?;
    work(&TreeSet::new(given, shared).map_err(value)?)
}

fn all_data(trees: &[PyRef<'_, Tree>]) -> (Vec<Arc<TreeData>>, usize) {
    let data: Vec<Arc<TreeData>> = trees.iter().map(|tree| tree.data.clone()).collect();
    let size = data.iter().map(|data| data.tree.len()).sum();
    (data, size)
}

/// Distances of two trees, as JSON.
#[pyfunction]
pub(crate) fn compare_pair(
    py: Python<'_>,
    trees: Vec<PyRef<'_, Tree>>,
    rooted: Option<bool>,
    shared: bool,
    quartets: bool,
) -> PyResult<String> {
    let (data, size) = all_data(&trees);
    run(py, None, size, move |_| {
        with_set(&data, shared, |set| {
            let trees = set.trees().map_err(value)?;
            let [a, b] = &trees[..] else { return Err(value("expected two trees")) };
            let mut record = Record::new("", "");
            Pair::new(a, b, rooting(set, rooted)).distance().figures(&mut record);
            if quartets {
                Quartets::new(a, b).map_err(value)?.figures(&mut record);
            }
            Ok(text(record))
        })
    })
}

/// Distances of all pairs, condensed.
#[pyfunction]
pub(crate) fn compare_many<'py>(
    py: Python<'py>,
    trees: Vec<PyRef<'py, Tree>>,
    distance: &str,
    rooted: Option<bool>,
    shared: bool,
    threads: Option<usize>,
) -> PyResult<Array<'py, f64>> {
    let metric: TreeMetric = parsed(distance)?;
    let (data, size) = all_data(&trees);
    let found = run(py, threads, size, move |_| {
        with_set(&data, shared, |set| {
            let found = tree_distances(set, metric, rooting(set, rooted)).map_err(value)?;
            Ok(match found {
                Values::F64(x) => x,
                Values::U64(x) => x.into_iter().map(|x| x as f64).collect(),
                _ => Vec::new(),
            })
        })
    })?;
    Ok(PyArray1::from_vec(py, found))
}

/// The consensus; no share is the strict one.
#[pyfunction]
pub(crate) fn consensus_of(
    py: Python<'_>,
    trees: Vec<PyRef<'_, Tree>>,
    share: Option<f64>,
    rooted: Option<bool>,
    shared: bool,
) -> PyResult<Tree> {
    let which = match share {
        None => Consensus::Strict,
        Some(share) if (0.5..1.0).contains(&share) => Consensus::Majority(share),
        Some(_) => return Err(value_error("expected a share from 0.5 to below 1")),
    };
    let (data, size) = all_data(&trees);
    Tree::made(py, None, size, move || {
        with_set(&data, shared, |set| {
            let trees = set.trees().map_err(value)?;
            let found = Collection::new(&trees, rooting(set, rooted)).consensus(which);
            let share = |count: u32| (1e4 * f64::from(count) / set.len() as f64).round() / 100.0;
            let each = found.tips.iter().zip(&found.counts).zip(&found.parents);
            let labels = Labels::texts(each.map(|((&tip, &count), &parent)| match tip {
                NONE if parent == NONE => String::new(),
                NONE => share(count).to_string(),
                tip => set.tips.label(tip).into_owned(),
            }));
            let tree = palmette::Tree::from_parents(&found.parents)?;
            let mut file = TreeFile::new("consensus", found.parents, labels);
            file.lengths = found.lengths;
            Ok(TreeData::new(tree, "consensus".to_string(), Some(file)))
        })
    })
}

#[pymethods]
impl Tree {
    /// Measures, as JSON.
    fn shape_measures(&self, py: Python<'_>) -> PyResult<String> {
        let data = self.data.clone();
        run(py, None, data.tree.len(), move |_| {
            Ok(figures(&MeasureFigures::of(&data.tree, data.lengths.as_deref())))
        })
    }

    /// Distances from the root at which the number of lineages changes, and the number from there on.
    fn lineages<'py>(&self, py: Python<'py>) -> PyResult<Rows<'py>> {
        let data = self.data.clone();
        let rows = run(py, None, data.tree.len(), move |_| {
            let lengths = data.tree.to_positions(data.lengths()?)?;
            Ok(lineages_through_time(&data.tree, &lengths))
        })?;
        let (distances, counts): (Vec<f64>, Vec<i64>) = rows.into_iter().unzip();
        Ok((PyArray1::from_vec(py, distances), PyArray1::from_vec(py, counts)))
    }

    /// The line through dates of vertices, as JSON.
    fn clock_line(&self, py: Python<'_>, dates: BTreeMap<u32, f64>) -> PyResult<String> {
        let data = self.data.clone();
        let count = data.tree.len();
        if let Some(v) = dates.keys().find(|&&v| v as usize >= count) {
            return Err(value_error(format!("{v} is not a vertex")));
        }
        run(py, None, count, move |_| {
            let dates: Vec<(u32, f64)> = dates.into_iter().collect();
            Ok(figures(&Clock::new(&data.tree, data.lengths()?, &dates).map_err(value)?))
        })
    }

    /// Distances of vertices to each other, row by row; of all tips without any.
    fn distance_rows<'py>(
        &self,
        py: Python<'py>,
        chosen: Option<&Array<'py, i64>>,
        by_lengths: bool,
        threads: Option<usize>,
    ) -> PyResult<Array<'py, f64>> {
        let chosen = match chosen {
            Some(chosen) => vertices("tips", &Lent::new(chosen)?, self.data.tree.len())?,
            None => tips_of(&self.data.tree),
        };
        let data = self.data.clone();
        let found = run(py, threads, usize::MAX, move |_| {
            let lengths = if by_lengths { Some(data.lengths()?) } else { None };
            let rows = distance_table(&data.tree, lengths, &chosen);
            let n = rows.len();
            let mut found = huge_zeroed(n * n);
            palmette::core::parallel::chunks_mut(&mut found, n.max(1), |start, row| {
                rows.row(start / n, row)
            });
            Ok(found)
        })?;
        Ok(PyArray1::from_vec(py, found))
    }
}
