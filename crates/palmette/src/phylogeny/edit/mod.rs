//! Edits of trees from files: tips by name, and names, supports and columns that follow.
//!
//! ```
//! use palmette::io::read_tree_bytes;
//! use palmette::phylo::edit::{Unifurcations, prune};
//! use palmette::phylogeny::edit::{TipList, apply, problem};
//! use palmette::{ReadParams, TreeParams};
//! let params = ReadParams { lengths: true, ..ReadParams::default() };
//! let file = read_tree_bytes("apes.nwk", b"((Homo:6,Pan:6):2,Gorilla:8);", &params)?;
//! let tree = file.tree(TreeParams::default())?;
//! let keep = TipList::names(["Homo", "Gorilla"]).choose(&file, &tree)?.chosen;
//! let edited = prune(&tree, file.lengths.as_deref(), &keep, Unifurcations::Suppress);
//! let pruned = apply(file, edited.map_err(|error| problem("apes.nwk", &|v| v.to_string(), error))?);
//! assert_eq!(pruned.labels.get(1), "Homo");
//! assert_eq!(pruned.lengths, Some(vec![0.0, 8.0, 8.0]));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod joined;
mod problem;
mod rename;
mod tips;

pub use joined::both;
pub use problem::{EditProblem, problem};
pub use rename::{Renamed, read_renames, rename};
pub use tips::{ChosenTips, TipList, ranks_by_name, tips_below};

use palmette_core::{NONE, Tree};
use palmette_io::{Column, Rooting, TreeFile, Values};
use palmette_phylo::edit::{Edited, one_support_at_root};

/// The file of a tree that an edit made: names and columns go with vertices, supports with branches.
pub fn apply(file: TreeFile, edited: Edited) -> TreeFile {
    let Edited { parents, lengths, origin, branch } = edited;
    let mut new = TreeFile::new(file.name, parents, file.labels.gathered(&origin));
    new.lengths = lengths;
    new.support = file.support.map(|support| gathered(&support, &branch));
    new.columns = file.columns.into_iter().map(|column| column_of(column, &origin)).collect();
    new.annotations = file.annotations.iter().map(|one| one.gathered(&origin)).collect();
    (new.comments, new.elements, new.unread) = (file.comments, file.elements, file.unread);
    if file.trees.len() <= 1 {
        new.trees = file.trees;
    }
    new
}

/// Numbers that others had; NaN for [`NONE`].
fn gathered(old: &[f64], from: &[u32]) -> Vec<f64> {
    from.iter().map(|&v| old.get(v as usize).copied().unwrap_or(f64::NAN)).collect()
}

/// A column by new vertex. Where some vertices are new its numbers become floats, since these have
/// NaN.
fn column_of(Column { name, values }: Column, origin: &[u32]) -> Column {
    fn some<T: Copy>(old: &[T], from: &[u32]) -> Vec<T> {
        from.iter().map(|&v| old[v as usize]).collect()
    }
    let all = origin.iter().all(|&v| v != NONE);
    let values = match values {
        Values::I64(x) if all => Values::I64(some(&x, origin)),
        Values::U64(x) if all => Values::U64(some(&x, origin)),
        Values::F32(x) if all => Values::F32(some(&x, origin)),
        Values::F64(x) => Values::F64(gathered(&x, origin)),
        Values::I64(x) => float(x.iter().map(|&x| x as f64), origin),
        Values::U64(x) => float(x.iter().map(|&x| x as f64), origin),
        Values::F32(x) => float(x.iter().map(|&x| x.into()), origin),
    };
    Column { name, values }
}

fn float(old: impl Iterator<Item = f64>, origin: &[u32]) -> Values {
    Values::F64(gathered(&old.collect::<Vec<f64>>(), origin))
}

/// Notes whether the tree of a file is rooted from now on, where the file says anything of that.
pub fn set_rooted(file: &mut TreeFile, rooted: bool) {
    for facts in file.trees.iter_mut().filter(|facts| facts.rooting != Rooting::Unstated) {
        facts.rooting = if rooted { Rooting::Rooted } else { Rooting::Unrooted };
    }
}

/// Makes the supports of the two branches at a root one, as an edit that moves the root needs it, and
/// says so where they differ.
pub fn join_supports(support: &mut Option<Vec<f64>>, tree: &Tree) -> Option<String> {
    let (one, other) = one_support_at_root(tree, support.as_mut()?)?;
    Some(format!(
        "the two branches at the root are one branch without it, but have supports {one} and \
        {other}; the smaller one holds"
    ))
}
