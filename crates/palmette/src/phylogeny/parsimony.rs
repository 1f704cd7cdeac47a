//! Parsimony of an alignment on a tree, by the names of sequences and tips.

use palmette_core::{NONE, Tree};
use palmette_io::{Alignment, CostFile, IoError, Labels, Values, short};
use palmette_phylo::parsimony::{
    self, CostMatrix, Parsimony, ParsimonyError, ParsimonyParams, TipSets,
};
use std::collections::HashMap;
use thiserror::Error;

/// How many names a message has.
pub(super) const NAMED: usize = 3;

/// What is wanted of parsimony.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct AlignedParams {
    /// Costs by branch, states of vertices.
    pub wanted: ParsimonyParams,
    /// Tips without a sequence may have any state, and sequences without a tip are left out, instead of
    /// an error.
    pub ignore_missing: bool,
}

/// Costs and states of an alignment on a tree.
#[derive(Debug, Clone)]
pub struct AlignedParsimony {
    /// Costs and states, by position.
    pub found: Parsimony,
    /// Tips of the tree.
    pub tips: usize,
    /// Tips without a sequence.
    pub unknown_tips: usize,
    /// Sequences without a tip.
    pub left_out: usize,
    /// Sites of the alignment.
    pub sites: usize,
    /// States of a site.
    pub states: usize,
}

/// Why there is no answer.
#[derive(Debug, Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum AlignedError {
    /// Sequences that no tip is called by.
    #[error("{file}: {count} of {sequences} sequences {} of the tree: {names}", if *.count == 1 { "is no tip" } else { "are no tips" })]
    NoTip { file: String, count: usize, sequences: usize, names: String },
    /// Tips that no sequence is called by.
    #[error("{file}: no sequence for {count} of {tips} tips: {names}")]
    NoSequence { file: String, count: usize, tips: usize, names: String },
    /// Several tips with the name of one sequence.
    #[error("{file}: {count} {} with another tip of the tree: {names}", if *.count == 1 { "tip shares its name" } else { "tips share their names" })]
    SharedName { file: String, count: usize, names: String },
    /// No sequence is called as a tip is.
    #[error("{file}: none of the {sequences} sequences is a tip of the tree")]
    Nothing { file: String, sequences: usize },
    /// States or costs.
    #[error("{file}: {source}")]
    Parsimony { file: String, source: ParsimonyError },
    /// A file.
    #[error(transparent)]
    Io(#[from] IoError),
}

/// The costs of a file for the states of an alignment.
///
/// # Errors
/// When the states are not the same, or an entry is no cost.
pub fn cost_matrix(costs: &CostFile, alignment: &Alignment) -> Result<CostMatrix, AlignedError> {
    let ordered = costs.ordered(&alignment.symbols)?;
    matrix(&ordered, alignment)
}

/// Costs in the order of the alignment's states, row after row.
///
/// # Errors
/// Another number of entries, or an entry that is no cost.
pub fn matrix(costs: &[f64], alignment: &Alignment) -> Result<CostMatrix, AlignedError> {
    let file = alignment.name.clone();
    CostMatrix::new(alignment.symbols.states().len(), costs)
        .map_err(|source| AlignedError::Parsimony { file, source })
}

/// The parsimony of an alignment whose sequences are called as the tips are. Without costs every change
/// costs 1.
///
/// ```
/// use palmette::io::{AlignmentParams, read_alignment_bytes};
/// use palmette::phylogeny::parsimony::{AlignedParams, parsimony};
/// use palmette::{ReadParams, TreeParams, io::read_tree_bytes};
/// let file = read_tree_bytes("t.nwk", b"((a,b),(c,d));", &ReadParams::default())?;
/// let tree = file.tree(TreeParams::default())?;
/// let text = b">a\nAC\n>b\nAG\n>c\nTC\n>d\nTG\n";
/// let alignment = read_alignment_bytes("a.fa", text, &AlignmentParams::default())?;
/// let answer = parsimony(&tree, &file.labels, &alignment, None, &AlignedParams::default())?;
/// assert_eq!(answer.found.site_scores, [1.0, 2.0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Sequences without a tip, tips without a sequence or with a name that others have, and what
/// [`parsimony::parsimony`] says.
pub fn parsimony(
    tree: &Tree,
    labels: &Labels,
    alignment: &Alignment,
    costs: Option<&CostMatrix>,
    params: &AlignedParams,
) -> Result<AlignedParsimony, AlignedError> {
    let rows = rows_of(tree, labels, alignment, params.ignore_missing)?;
    let file = &alignment.name;
    let explain = |source| AlignedError::Parsimony { file: file.clone(), source };
    let states = alignment.symbols.states().len();
    let tips = TipSets::new(states, alignment.sites, &alignment.rows, &rows.row_of);
    let tips = tips.map_err(explain)?;
    let found = parsimony::parsimony(tree, &tips, costs, params.wanted).map_err(explain)?;
    Ok(AlignedParsimony {
        found,
        tips: rows.tips,
        unknown_tips: rows.unknown,
        left_out: rows.left_out,
        sites: alignment.sites,
        states,
    })
}

/// Scores as whole numbers where all are.
pub fn score_values(scores: &[f64]) -> Values {
    match scores.iter().all(|score| score.fract() == 0.0) {
        true => Values::U64(scores.iter().map(|&score| score as u64).collect()),
        false => Values::F64(scores.to_vec()),
    }
}

/// Which sequence each tip has.
struct TipRows {
    /// By position.
    row_of: Vec<u32>,
    tips: usize,
    unknown: usize,
    left_out: usize,
}

fn rows_of(
    tree: &Tree,
    labels: &Labels,
    alignment: &Alignment,
    ignore_missing: bool,
) -> Result<TipRows, AlignedError> {
    let (file, sequences) = (alignment.name.clone(), alignment.names.len());
    let tips: Vec<u32> = (0..tree.len() as u32).filter(|&p| tree.is_leaf(p)).collect();
    // Tips without a label are called by their number.
    let label = |position: u32| {
        let vertex = tree.vertices()[position as usize];
        let label = labels.label(vertex);
        if label.is_empty() { labels.get(vertex) } else { label }
    };
    let mut by_name: HashMap<String, u32> = HashMap::with_capacity(tips.len());
    let mut shared = Vec::new();
    for &tip in &tips {
        let name = label(tip).into_owned();
        if by_name.insert(name, tip).is_some() {
            shared.push(tip);
        }
    }
    let listed = |names: Vec<String>| {
        let more = if names.len() > NAMED { ", …" } else { "" };
        let some: Vec<String> =
            names.iter().take(NAMED).map(|n| format!("`{}`", short(n))).collect();
        some.join(", ") + more
    };
    if !shared.is_empty() {
        let names = listed(shared.iter().map(|&tip| label(tip).into_owned()).collect());
        return Err(AlignedError::SharedName { file, count: shared.len(), names });
    }
    let mut row_of = vec![NONE; tree.len()];
    let mut strangers = Vec::new();
    for (row, name) in alignment.names.iter().enumerate() {
        match by_name.get(name).or_else(|| by_name.get(alignment.header(row))) {
            Some(&tip) if row_of[tip as usize] == NONE => row_of[tip as usize] = row as u32,
            _ => strangers.push(name.clone()),
        }
    }
    let (count, left_out) = (strangers.len(), strangers.len());
    if count == sequences {
        return Err(AlignedError::Nothing { file, sequences });
    }
    if count > 0 && !ignore_missing {
        return Err(AlignedError::NoTip { file, count, sequences, names: listed(strangers) });
    }
    let alone: Vec<u32> = tips.iter().copied().filter(|&t| row_of[t as usize] == NONE).collect();
    let (tips, unknown) = (tips.len(), alone.len());
    if unknown > 0 && !ignore_missing {
        let names = listed(alone.iter().map(|&tip| label(tip).into_owned()).collect());
        return Err(AlignedError::NoSequence { file, count: unknown, tips, names });
    }
    Ok(TipRows { row_of, tips, unknown, left_out })
}
