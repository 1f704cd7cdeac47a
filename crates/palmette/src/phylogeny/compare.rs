//! Several trees over the same tips, by name.
//!
//! **Problem.** Trees from files, perhaps many in one, become [`TipTree`]s: tips of one name have one number.
//! **Method.** Numbers are those of the first tree's tips, looked up for all others at once. Names of inner vertices play no
//! part. With `shared`, tips that some tree lacks lose their numbers, which leaves them out.
//! **Cost.** Linear expected work; 4 bytes per vertex.

use super::rooting::StatedRooting;
use palmette_core::{NONE, Tree};
use palmette_io::{Labels, TreeFacts, short, shown};
use palmette_phylo::compare::{CompareError, TipTree};
use thiserror::Error;

/// A tree or forest with what it is called.
#[derive(Debug, Clone, Copy)]
pub struct Given<'a> {
    /// The file's name, for messages.
    pub name: &'a str,
    /// The tree, or several.
    pub tree: &'a Tree,
    /// Labels by vertex.
    pub labels: &'a Labels,
    /// Lengths by vertex.
    pub lengths: Option<&'a [f64]>,
    /// Supports by vertex.
    pub support: Option<&'a [f64]>,
    /// What the file says of each tree; nothing where it says nothing.
    pub facts: &'a [TreeFacts],
}

/// Why trees cannot be compared.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum CompareInputError {
    /// Trees have different tips.
    #[error("{tree}: {}", different_text(.other, *.lacking, .names, *.extra, .extra_names))]
    Different {
        tree: String,
        other: String,
        lacking: usize,
        names: String,
        extra: usize,
        extra_names: String,
    },
    /// Two tips of a tree have one name.
    #[error("{tree}: two tips are called {}", shown(.name))]
    Twice { tree: String, name: String },
    /// A tip has no name.
    #[error("{tree}: a tip has no name ({vertex})")]
    Unnamed { tree: String, vertex: String },
    /// No tip is in all trees.
    #[error("the trees have no tip in common")]
    NothingShared,
    /// One tree where there should be more.
    #[error("{name}: {found} tree(s), expected {expected}")]
    Few { name: String, found: usize, expected: &'static str },
    /// Lengths are asked for where a tree has none.
    #[error("{tree}: the tree has no branch lengths")]
    NoLengths { tree: String },
    /// More tips than a distance can be computed for.
    #[error(transparent)]
    Compare(#[from] CompareError),
}

fn different_text(other: &str, lacking: usize, names: &str, extra: usize, more: &str) -> String {
    let tips = |count: usize| if count == 1 { "tip" } else { "tips" };
    let mut parts = Vec::new();
    if lacking > 0 {
        parts.push(format!("lacks {lacking} {} of {other}: {names}", tips(lacking)));
    }
    if extra > 0 {
        parts.push(format!("has {extra} {} that {other} lacks: {more}", tips(extra)));
    }
    parts.join("; it ")
}

/// Names that a message lists.
const MOST_NAMES: usize = 5;

fn listed(labels: &Labels, some: impl Iterator<Item = u32>) -> (usize, String) {
    let (mut count, mut names) = (0, Vec::new());
    for v in some {
        count += 1;
        if names.len() < MOST_NAMES {
            names.push(short(&labels.label(v)).into_owned());
        }
    }
    if count > names.len() {
        names.push("…".to_string());
    }
    (count, names.join(", "))
}

/// Trees over the same tips.
#[derive(Debug)]
pub struct TreeSet<'a> {
    given: Vec<Given<'a>>,
    /// The names of the tips, by number.
    pub tips: Labels,
    /// Tips that are left out because not all trees have them.
    pub left_out: usize,
    /// By tree: which one was given, and its root's position there.
    trees: Vec<(u32, u32)>,
    /// Of each that was given: by position, the number of a tip; lengths by position.
    numbers: Vec<Vec<u32>>,
    lengths: Vec<Option<Vec<f64>>>,
}

impl<'a> TreeSet<'a> {
    /// The trees of files, or of one, with their tips numbered. `shared` leaves out tips that not all have;
    /// otherwise those are an error.
    ///
    /// # Errors
    /// Tips without names, two of one name, trees with different tips, or no tips in common.
    pub fn new(given: Vec<Given<'a>>, shared: bool) -> Result<TreeSet<'a>, CompareInputError> {
        let roots = |k: usize, of: &Given<'a>| -> Vec<(u32, u32)> {
            of.tree.root_positions().map(|root| (k as u32, root)).collect()
        };
        let trees: Vec<(u32, u32)> =
            given.iter().enumerate().flat_map(|(k, of)| roots(k, of)).collect();
        let mut set = TreeSet {
            lengths: given.iter().map(by_position).collect(),
            given,
            tips: Labels::numbers(0),
            left_out: 0,
            trees,
            numbers: Vec::new(),
        };
        let Some(&(k, root)) = set.trees.first() else {
            return Err(CompareInputError::NothingShared);
        };
        let of = set.given[k as usize];
        let leaves = leaves(of.tree, root..of.tree.end(root));
        let vertices: Vec<u32> = leaves.iter().map(|&i| of.tree.vertices()[i as usize]).collect();
        if let Some(&v) = vertices.iter().find(|&&v| !of.labels.is_labelled(v)) {
            return Err(set.unnamed(0, v));
        }
        set.tips = of.labels.chosen(&vertices);
        if !set.tips.are_unique() {
            return Err(set.twice(0, &vertices));
        }
        set.number();
        set.check(shared)?;
        Ok(set)
    }

    /// Looks all tips up.
    fn number(&mut self) {
        for of in &self.given {
            let leaves = leaves(of.tree, 0..of.tree.len() as u32);
            let vertices: Vec<u32> =
                leaves.iter().map(|&i| of.tree.vertices()[i as usize]).collect();
            let mut numbers = vec![NONE; of.tree.len()];
            for (i, found) in leaves.into_iter().zip(self.tips.find_labels(of.labels, &vertices)) {
                numbers[i as usize] = found;
            }
            self.numbers.push(numbers);
        }
    }

    /// Checks that tips are there once, and renumbers those that all trees have where not all have all.
    fn check(&mut self, shared: bool) -> Result<(), CompareInputError> {
        let count = self.tips.len();
        let mut last = vec![NONE; count];
        let mut holders = vec![0u32; count];
        let mut extra = 0;
        for (t, &(k, root)) in self.trees.iter().enumerate() {
            let of = &self.given[k as usize];
            let range = root as usize..of.tree.end(root) as usize;
            let numbers = &self.numbers[k as usize][range.clone()];
            let (mut found, mut unknown) = (0, 0);
            for (i, &number) in numbers.iter().enumerate() {
                let Some(last) = last.get_mut(number as usize) else {
                    if !of.tree.is_leaf(root + i as u32) {
                        continue;
                    }
                    let vertex = of.tree.vertices()[range.start + i];
                    if !of.labels.is_labelled(vertex) {
                        return Err(self.unnamed(t, vertex));
                    }
                    unknown += 1;
                    continue;
                };
                if std::mem::replace(last, t as u32) == t as u32 {
                    let name = of.labels.label(of.tree.vertices()[range.start + i]).into_owned();
                    return Err(CompareInputError::Twice { tree: self.name(t), name });
                }
                holders[number as usize] += 1;
                found += 1;
            }
            if !shared && (found < count || unknown > 0) {
                return Err(self.different(t, &last));
            }
            extra += unknown;
        }
        let everywhere: Vec<u32> =
            (0..count as u32).filter(|&tip| holders[tip as usize] as usize == self.len()).collect();
        if everywhere.is_empty() {
            return Err(CompareInputError::NothingShared);
        }
        if everywhere.len() == count {
            self.left_out = extra;
            return Ok(());
        }
        self.left_out = count - everywhere.len() + extra;
        let mut renumbered = vec![NONE; count];
        everywhere.iter().zip(0..).for_each(|(&tip, new)| renumbered[tip as usize] = new);
        for number in self.numbers.iter_mut().flatten() {
            *number = renumbered.get(*number as usize).copied().unwrap_or(NONE);
        }
        self.tips = self.tips.chosen(&everywhere);
        Ok(())
    }

    fn unnamed(&self, tree: usize, vertex: u32) -> CompareInputError {
        let of = self.given[self.trees[tree].0 as usize];
        CompareInputError::Unnamed {
            tree: self.name(tree),
            vertex: of.labels.get(vertex).into_owned(),
        }
    }

    fn twice(&self, tree: usize, vertices: &[u32]) -> CompareInputError {
        let mut seen = std::collections::BTreeSet::new();
        let labels = self.given[self.trees[tree].0 as usize].labels;
        let again = vertices.iter().find(|&&v| !seen.insert(labels.label(v)));
        let name = again.map_or(String::new(), |&v| labels.label(v).into_owned());
        CompareInputError::Twice { tree: self.name(tree), name }
    }

    fn different(&self, t: usize, last: &[u32]) -> CompareInputError {
        let absent = (0..last.len() as u32).filter(|&tip| last[tip as usize] != t as u32);
        let (lacking, names) = listed(&self.tips, absent);
        let (k, root) = self.trees[t];
        let of = &self.given[k as usize];
        let unknown = leaves(of.tree, root..of.tree.end(root))
            .into_iter()
            .filter(|&i| self.numbers[k as usize][i as usize] == NONE)
            .map(|i| of.tree.vertices()[i as usize]);
        let (extra, extra_names) = listed(of.labels, unknown);
        let (tree, other) = (self.name(t), self.name(0));
        CompareInputError::Different { tree, other, lacking, names, extra, extra_names }
    }

    /// How many trees there are.
    pub fn len(&self) -> usize {
        self.trees.len()
    }

    /// Never: there is at least one.
    pub fn is_empty(&self) -> bool {
        self.trees.is_empty()
    }

    /// What a tree is called: its file, with its number there if it is not alone.
    pub fn name(&self, tree: usize) -> String {
        let (k, _) = self.trees[tree];
        let of = &self.given[k as usize];
        let first = self.trees.iter().position(|tree| tree.0 == k).unwrap_or(tree);
        match of.tree.roots() {
            1 => of.name.to_string(),
            _ => format!("{}, tree {}", of.name, tree - first),
        }
    }

    /// Whether the files say that the trees are rooted.
    pub fn stated_rooting(&self) -> StatedRooting {
        StatedRooting::of(self.given.iter().map(|of| (of.tree.roots(), of.facts)))
    }

    /// Whether all trees have lengths.
    ///
    /// # Errors
    /// The first that has none.
    pub fn check_lengths(&self) -> Result<(), CompareInputError> {
        let without = |&t: &usize| self.lengths[self.trees[t].0 as usize].is_none();
        match (0..self.len()).find(without) {
            Some(tree) => Err(CompareInputError::NoLengths { tree: self.name(tree) }),
            None => Ok(()),
        }
    }

    /// The trees, for [`crate::phylo::compare`].
    ///
    /// # Errors
    /// None: tips were checked.
    pub fn trees(&self) -> Result<Vec<TipTree<'_>>, CompareError> {
        let make = |&(k, root): &(u32, u32)| {
            let k = k as usize;
            let lengths = self.lengths[k].as_deref();
            TipTree::new(self.given[k].tree, root, self.tips.len(), &self.numbers[k], lengths)
        };
        self.trees.iter().map(make).collect()
    }

    /// What a tree was given as, and the position of its root there.
    pub(super) fn origin(&self, tree: usize) -> (&Given<'a>, u32) {
        let (k, root) = self.trees[tree];
        (&self.given[k as usize], root)
    }

    /// By position of what was given, the number of a tip.
    pub(super) fn numbers(&self, tree: usize) -> &[u32] {
        &self.numbers[self.trees[tree].0 as usize]
    }
}

fn by_position(of: &Given<'_>) -> Option<Vec<f64>> {
    of.lengths.and_then(|lengths| of.tree.to_positions(lengths).ok())
}

fn leaves(tree: &Tree, range: std::ops::Range<u32>) -> Vec<u32> {
    range.filter(|&i| tree.is_leaf(i)).collect()
}
