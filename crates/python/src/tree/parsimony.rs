//! Parsimony of alignments.

use super::Tree;
use crate::error::advised;
use crate::prelude::*;
use palmette::Labels;
use palmette::io::{
    Alignment, AlignmentParams, CostFile, Gaps, InputLimit, SequenceType, read_alignment,
    read_bytes,
};
use palmette::phylo::parsimony::{ParsimonyParams, StateKind};
use palmette::phylogeny::parsimony::{
    AlignedError, AlignedParams, AlignedParsimony, cost_matrix, matrix, parsimony,
};

/// Costs as the caller has them.
enum Costs {
    /// A file.
    File(PathBuf),
    /// A matrix, row after row.
    Matrix(Vec<f64>),
}

/// Scores by site, costs by vertex, sets by vertex and site, the same as texts, the states, and figures.
type Found<'py> = (
    Array<'py, f64>,
    Option<Array<'py, f64>>,
    Option<(Array<'py, u32>, Vec<String>)>,
    String,
    String,
);

#[pymethods]
impl Tree {
    /// The parsimony of an alignment: a file, or names and sequences.
    #[expect(clippy::too_many_arguments, reason = "Python has them by name")]
    fn parsimony<'py>(
        &self,
        py: Python<'py>,
        path: Option<PathBuf>,
        names: Vec<String>,
        sequences: Vec<Vec<u8>>,
        cost_file: Option<PathBuf>,
        cost: Option<Vec<f64>>,
        kind: Option<&str>,
        alphabet: Option<String>,
        gaps: &str,
        states: Option<&str>,
        ignore_missing: bool,
        threads: Option<usize>,
    ) -> PyResult<Found<'py>> {
        let kind: Option<SequenceType> = kind.map(parsed).transpose()?;
        let states: Option<StateKind> = states.map(parsed).transpose()?;
        let gaps: Gaps = parsed(gaps)?;
        let costs = cost_file.map(Costs::File).or(cost.map(Costs::Matrix));
        let data = self.data.clone();
        let (answer, texts, sets, symbols) = run(py, threads, usize::MAX, move |_| {
            let file = match &costs {
                Some(Costs::File(path)) => {
                    let name = path.display().to_string();
                    Some(CostFile::read(&name, &read_bytes(path)?)?)
                }
                _ => None,
            };
            let standard = kind == Some(SequenceType::Standard);
            let of_costs = file.as_ref().filter(|_| standard).map(|file| file.alphabet(gaps));
            let alphabet = alphabet.or(of_costs);
            let params = AlignmentParams { format: None, kind, alphabet, gaps };
            let alignment = match &path {
                Some(path) => read_alignment(path, InputLimit::default(), &params)?,
                None => Alignment::from_sequences("alignment", names, &sequences, &params)?,
            };
            let costs = match (&costs, &file) {
                (_, Some(file)) => Some(cost_matrix(file, &alignment).map_err(failure)?),
                (Some(Costs::Matrix(costs)), _) => {
                    Some(matrix(costs, &alignment).map_err(failure)?)
                }
                _ => None,
            };
            let wanted = ParsimonyParams { branches: true, states };
            let params = AlignedParams { wanted, ignore_missing };
            let numbers = Labels::numbers(data.tree.len());
            let labels = data.labels().unwrap_or(&numbers);
            let tree = &data.tree;
            let mut answer =
                parsimony(tree, labels, &alignment, costs.as_ref(), &params).map_err(failure)?;
            let branches = answer.found.branch_scores.take();
            answer.found.branch_scores = branches.map(|b| tree.to_vertices(&b)).transpose()?;
            let (texts, sets) = by_vertex(&data.tree, &alignment, &answer);
            Ok((answer, texts, sets, alignment.symbols.alphabet()))
        })?;
        let figures = crate::record::figures(&[&answer]);
        let found = answer.found;
        let branches = found.branch_scores.map(|scores| PyArray1::from_vec(py, scores));
        let sets = found.states.map(|_| (PyArray1::from_vec(py, sets), texts));
        Ok((PyArray1::from_vec(py, found.site_scores), branches, sets, symbols, figures))
    }
}

/// States by vertex, as texts and as sets.
fn by_vertex(
    tree: &palmette::Tree,
    alignment: &Alignment,
    answer: &AlignedParsimony,
) -> (Vec<String>, Vec<u32>) {
    let (mut texts, mut sets) = (Vec::new(), Vec::new());
    let Some(states) = &answer.found.states else { return (texts, sets) };
    for &position in tree.positions() {
        let start = sets.len();
        sets.extend(states.row(position));
        let mut text = Vec::with_capacity(alignment.sites);
        sets[start..].iter().for_each(|&set| alignment.symbols.push(set, &mut text));
        texts.push(String::from_utf8_lossy(&text).into_owned());
    }
    (texts, sets)
}

fn failure(error: AlignedError) -> Failure {
    let advice = match &error {
        AlignedError::NoTip { .. } => "; pass ignore_missing=True to leave them out",
        AlignedError::NoSequence { .. } => "; pass ignore_missing=True to allow them any state",
        AlignedError::Io(error) => return Failure::Value(advised(error)),
        _ => "",
    };
    Failure::Value(format!("{error}{advice}"))
}
