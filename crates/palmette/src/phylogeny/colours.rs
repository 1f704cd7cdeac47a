//! What colours the branches of a drawing, by position: a quantity, or classes.
//!
//! **Problem.** Values of some vertices, often of tips only; a value for every branch that can have one.
//!
//! **Method.** A leaffix: an inner vertex without a value has the mean of the tips below that have
//! one; without a class, that of its tips if all that have one have the same.
//!
//! **Cost.** One pass over the preorder.

use palmette_core::{NONE, Tree, TreeError};
use palmette_io::VertexColumn;
use std::collections::HashMap;

/// A quantity or classes by position.
#[derive(Debug, Clone, PartialEq)]
pub struct ColourColumn {
    /// What it is called.
    pub name: String,
    /// The values themselves.
    pub kind: ColourKind,
    /// Whether inner vertices got theirs from the tips below.
    pub filled: bool,
}

/// See [`ColourColumn`].
#[derive(Debug, Clone, PartialEq)]
pub enum ColourKind {
    /// By position; NaN where there is none.
    Numbers(Vec<f64>),
    /// The class by position ([`NONE`] where there is none) and the names of classes, the most common
    /// first.
    Classes(Vec<u32>, Vec<String>),
}

impl ColourColumn {
    /// Values by vertex; inner vertices without one get theirs from tips.
    ///
    /// # Errors
    /// Not as many values as vertices.
    pub fn new(name: &str, tree: &Tree, column: &VertexColumn) -> Result<Self, TreeError> {
        let (kind, filled) = match column {
            VertexColumn::Numbers(numbers) => {
                let mut values = tree.to_positions(numbers)?;
                let filled = fill_means(tree, &mut values);
                (ColourKind::Numbers(values), filled)
            }
            VertexColumn::Words(words) => {
                let (classes, names) = classes(words);
                let mut classes = tree.to_positions(&classes)?;
                let filled = fill_classes(tree, &mut classes);
                (ColourKind::Classes(classes, names), filled)
            }
        };
        Ok(ColourColumn { name: name.to_string(), kind, filled })
    }

    /// Values by vertex as they are.
    ///
    /// # Errors
    /// Not as many values as vertices.
    pub fn of_branches(name: &str, tree: &Tree, values: &[f64]) -> Result<Self, TreeError> {
        let kind = ColourKind::Numbers(tree.to_positions(values)?);
        Ok(ColourColumn { name: name.to_string(), kind, filled: false })
    }

    /// What a reader must know beside the colours.
    pub fn note(&self) -> &'static str {
        match (self.filled, &self.kind) {
            (false, _) => "",
            (true, ColourKind::Numbers(_)) => "Inner branches: the mean of the tips below.",
            (true, ColourKind::Classes(..)) => {
                "Inner branches have a colour where all tips below have the same."
            }
        }
    }

    /// The value of a position as text; empty where there is none.
    pub fn text(&self, position: u32) -> String {
        match &self.kind {
            ColourKind::Numbers(values) => match values[position as usize] {
                value if value.is_finite() => value.to_string(),
                _ => String::new(),
            },
            ColourKind::Classes(classes, names) => {
                names.get(classes[position as usize] as usize).cloned().unwrap_or_default()
            }
        }
    }
}

/// The class of every word, and the words by how common they are, then by their letters.
fn classes(words: &[Option<String>]) -> (Vec<u32>, Vec<String>) {
    let mut counts: HashMap<&str, usize> = HashMap::new();
    words.iter().flatten().for_each(|word| *counts.entry(word).or_default() += 1);
    let mut names: Vec<(&str, usize)> = counts.into_iter().collect();
    names.sort_unstable_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(b.0)));
    let number: HashMap<&str, u32> =
        names.iter().enumerate().map(|(k, name)| (name.0, k as u32)).collect();
    let class = |word: &Option<String>| word.as_ref().map_or(NONE, |word| number[word.as_str()]);
    let classes = words.iter().map(class).collect();
    (classes, names.into_iter().map(|name| name.0.to_string()).collect())
}

fn fill_means(tree: &Tree, values: &mut [f64]) -> bool {
    let n = tree.len();
    let (mut sums, mut counts) = (vec![0.0; n], vec![0u32; n]);
    let mut filled = false;
    for i in (0..n).rev() {
        if tree.is_leaf(i as u32) {
            if values[i].is_finite() {
                (sums[i], counts[i]) = (values[i], 1);
            }
        } else if !values[i].is_finite() && counts[i] > 0 {
            values[i] = sums[i] / f64::from(counts[i]);
            filled = true;
        }
        if let Some(parent) = tree.parent(i as u32) {
            sums[parent as usize] += sums[i];
            counts[parent as usize] += counts[i];
        }
    }
    filled
}

fn fill_classes(tree: &Tree, classes: &mut [u32]) -> bool {
    const SEVERAL: u32 = NONE - 1;
    let mut below: Vec<u32> = vec![NONE; tree.len()];
    let mut filled = false;
    for i in (0..tree.len()).rev() {
        if tree.is_leaf(i as u32) {
            below[i] = classes[i];
        } else if classes[i] == NONE && below[i] != NONE && below[i] != SEVERAL {
            classes[i] = below[i];
            filled = true;
        }
        if let Some(parent) = tree.parent(i as u32) {
            let parent = parent as usize;
            below[parent] = match (below[parent], below[i]) {
                (a, NONE) => a,
                (NONE, b) => b,
                (a, b) if a == b => a,
                _ => SEVERAL,
            };
        }
    }
    filled
}
