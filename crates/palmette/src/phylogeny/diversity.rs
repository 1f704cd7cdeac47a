//! Diversity of samples by the names of tips: a table of counts meets a tree.
//!
//! ```
//! use palmette::io::{read_samples_bytes, read_tree_bytes};
//! use palmette::phylo::diversity::{Distance, DiversityParams};
//! use palmette::phylogeny::diversity::{Community, TipNames};
//! use palmette::{ReadParams, TreeParams};
//! let params = ReadParams { lengths: true, ..ReadParams::default() };
//! let file = read_tree_bytes("t.nwk", b"((a:1,b:1):1,c:2);", &params)?;
//! let tree = file.tree(TreeParams::default())?;
//! let tips = TipNames::of(&tree, &file.labels);
//! let table = read_samples_bytes("t.csv", b"tip,S1,S2\na,1,0\nb,1,0\nc,0,5\n", None, &tips.labels)?;
//! let community = Community::new(table, &file.name, &tips, false)?;
//! assert_eq!(community.faith_pd(&file, &tree, DiversityParams::default())?, [3.0, 2.0]);
//! let far = community.distances(&file, &tree, Distance::Unweighted, DiversityParams::default())?;
//! assert_eq!(far.get(0, 1), 1.0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use palmette_core::{NONE, Tree};
use palmette_io::{IoError, Labels, Lookup, SampleTable, TreeFile, shown};
use palmette_phylo::diversity::{
    self, Condensed, Distance, DiversityError, DiversityParams, Samples,
};
use thiserror::Error;

/// How many names a message has.
const NAMED: usize = 5;

/// The tips of a tree by name.
#[derive(Debug, Clone)]
pub struct TipNames {
    /// Their names.
    pub labels: Labels,
    /// Their vertices.
    pub vertices: Vec<u32>,
}

impl TipNames {
    /// The tips in preorder; one without a label is called `#` and its number.
    pub fn of(tree: &Tree, labels: &Labels) -> TipNames {
        let positions = 0..tree.len() as u32;
        let tips = positions.filter(|&p| tree.is_leaf(p)).map(|p| tree.vertices()[p as usize]);
        let vertices: Vec<u32> = tips.collect();
        if vertices.iter().all(|&v| labels.is_labelled(v)) {
            return TipNames { labels: labels.chosen(&vertices), vertices };
        }
        let names = vertices.iter().map(|&v| match labels.label(v) {
            label if label.is_empty() => labels.get(v),
            label => label,
        });
        TipNames { labels: Labels::texts(names), vertices }
    }
}

/// Why a table and a tree do not fit.
#[derive(Debug, Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum CommunityError {
    /// Tips of the table that the tree lacks.
    #[error("{file}: {missing} of {tips} tips are not in {tree}: {names}")]
    MissingTips { file: String, tree: String, missing: usize, tips: usize, names: String },
    /// A name of the table that several tips of the tree have.
    #[error("{tree}: two tips are called {name}, which {file} counts")]
    TwiceInTree { file: String, tree: String, name: String },
    /// A name that the table has twice.
    #[error("{file}: expected each tip once, found {name} twice")]
    TwiceInTable { file: String, name: String },
    /// A tree without branch lengths.
    #[error("{tree}: the tree has no branch lengths")]
    NoLengths { tree: String },
    /// A branch length that is no length.
    #[error(
        "{tree}{line}: {name} has the branch length {length}; expected a finite one, at least 0"
    )]
    Length { tree: String, line: String, name: String, length: f64 },
    /// Counts or parameters out of their range.
    #[error(transparent)]
    Diversity(#[from] DiversityError),
    /// A file that cannot be read.
    #[error(transparent)]
    Io(#[from] IoError),
}

/// Samples of the tips of a tree.
#[derive(Debug, Clone)]
pub struct Community {
    /// The counts.
    pub samples: Samples,
    /// The names of the samples.
    pub names: Labels,
    /// How many tips the samples have, of the tree's.
    pub tips: usize,
    /// How many tips of the table are left out, because the tree lacks them.
    pub missing: usize,
    /// How many samples have no counts: of those that are left.
    pub empty: usize,
}

impl Community {
    /// The samples of a table, by vertex of a tree. Tips that the tree lacks are left out if so asked.
    ///
    /// # Errors
    /// Tips that the tree lacks, names that are there twice.
    pub fn new(
        table: SampleTable,
        tree: &str,
        known: &TipNames,
        ignore_missing: bool,
    ) -> Result<Community, CommunityError> {
        let found = table.find_tips(&known.labels);
        let file = || table.name.clone();
        let name = |i: usize| shown(&table.tips.label(i as u32));
        let mut missing = Vec::new();
        let mut seen = vec![false; known.vertices.len()];
        // Names are looked up as if each were one tip's.
        let unique = known.labels.are_unique();
        let is_shared = |i: usize| {
            let label = table.tips.label(i as u32);
            !unique && matches!(known.labels.find(&label), Lookup::Ambiguous(..))
        };
        for (i, &tip) in found.iter().enumerate() {
            if is_shared(i) {
                let (file, tree) = (file(), tree.to_string());
                return Err(CommunityError::TwiceInTree { file, tree, name: name(i) });
            }
            if tip != NONE {
                if std::mem::replace(&mut seen[tip as usize], true) {
                    return Err(CommunityError::TwiceInTable { file: file(), name: name(i) });
                }
            } else {
                missing.push(i);
            }
        }
        if !missing.is_empty() && !ignore_missing {
            let names: Vec<String> = missing.iter().take(NAMED).map(|&i| name(i)).collect();
            let more = if missing.len() > NAMED { ", …" } else { "" };
            return Err(CommunityError::MissingTips {
                file: file(),
                tree: tree.to_string(),
                missing: missing.len(),
                tips: table.tips.len(),
                names: names.join(", ") + more,
            });
        }
        let missing = missing.len();
        let SampleTable { samples: names, mut starts, mut entries, mut counts, .. } = table;
        if missing > 0 {
            drop_missing(&found, &mut starts, &mut entries, &mut counts);
        }
        let vertex = |tip: &mut u32| *tip = known.vertices[found[*tip as usize] as usize];
        entries.iter_mut().for_each(vertex);
        let samples = Samples::new(starts, entries, counts)?;
        let empty = samples.empty().into_iter().filter(|&empty| empty).count();
        let tips = found.len() - missing;
        Ok(Community { samples, names, tips, missing, empty })
    }

    /// The length of all branches above the tips of each sample.
    ///
    /// # Errors
    /// A tree without lengths, or with one that is negative or not finite.
    pub fn faith_pd(
        &self,
        file: &TreeFile,
        tree: &Tree,
        params: DiversityParams,
    ) -> Result<Vec<f64>, CommunityError> {
        let lengths = lengths(file)?;
        let found = diversity::faith_pd(tree, lengths, &self.samples, params);
        found.map_err(|error| explain(file, error))
    }

    /// The distances between all pairs of samples.
    ///
    /// # Errors
    /// As [`Community::faith_pd`], and parameters out of their range.
    pub fn distances(
        &self,
        file: &TreeFile,
        tree: &Tree,
        distance: Distance,
        params: DiversityParams,
    ) -> Result<Condensed, CommunityError> {
        let lengths = lengths(file)?;
        let found = diversity::distances(tree, lengths, &self.samples, distance, params);
        found.map_err(|error| explain(file, error))
    }
}

fn lengths(file: &TreeFile) -> Result<&[f64], CommunityError> {
    let none = || CommunityError::NoLengths { tree: file.name.clone() };
    file.lengths.as_deref().ok_or_else(none)
}

/// Puts labels and lines into an error that names vertices.
fn explain(file: &TreeFile, error: DiversityError) -> CommunityError {
    match error {
        DiversityError::Length { vertex, length } => {
            let line = file.line_of(vertex).map_or(String::new(), |line| format!(", line {line}"));
            let (tree, name) = (file.name.clone(), shown(&file.labels.get(vertex)));
            CommunityError::Length { tree, line, name, length }
        }
        other => other.into(),
    }
}

/// Drops the counts of tips that were not found.
fn drop_missing(
    found: &[u32],
    starts: &mut [usize],
    entries: &mut Vec<u32>,
    counts: &mut Vec<f64>,
) {
    let mut kept = 0;
    let mut from = 0;
    for end in starts.iter_mut().skip(1) {
        for k in from..*end {
            if found[entries[k] as usize] != NONE {
                (entries[kept], counts[kept]) = (entries[k], counts[k]);
                kept += 1;
            }
        }
        from = *end;
        *end = kept;
    }
    entries.truncate(kept);
    counts.truncate(kept);
}
