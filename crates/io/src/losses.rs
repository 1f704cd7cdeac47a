//! What a format cannot hold of a tree.

use crate::labels::Labels;
use crate::values::Column;
use crate::{Format, Lookup};
use palmette_core::NONE;

/// What is lost when a tree is written in a format, in words for a message; nothing where what
/// is written reads back as the same tree. The numbers of vertices are not kept but for tables
/// and arrays, whose rows they are.
pub fn losses(
    format: Format,
    parents: &[u32],
    labels: &Labels,
    lengths: Option<&[f64]>,
    columns: &[Column],
) -> Vec<&'static str> {
    let vertices = 0..labels.len() as u32;
    let numbers = || {
        let own = |v: u32| labels.find_integer(v.into()) == Lookup::Vertex(v);
        labels.are_integers() && labels.are_names() && vertices.clone().all(own)
    };
    let (table, newick) = (format.is_table(), matches!(format, Format::Newick | Format::Nexus));
    let edges = format == Format::Edges;
    let lost = [
        ("labels", format == Format::Npy && !numbers()),
        (
            "labels that some vertices lack, share or have in addition to an id",
            edges && !labels.are_names(),
        ),
        ("ids in addition to labels", newick && labels.have_ids()),
        ("the order of children", edges && reorders(parents, labels)),
        ("branch lengths", !table && !newick && lengths.is_some()),
        ("columns", !table && !columns.is_empty()),
    ];
    lost.iter().filter(|l| l.1).map(|l| l.0).collect()
}

/// Whether reading an edge list puts siblings, or roots, in another order: labels that are
/// exactly `0..n` become the numbers of their vertices.
fn reorders(parents: &[u32], labels: &Labels) -> bool {
    let n = parents.len();
    let within = |v: usize| usize::try_from(labels.integer(v)).is_ok_and(|id| id < n);
    if !labels.are_integers() || !labels.are_unique() || !(0..n).all(within) {
        return false;
    }
    let mut last = vec![i64::MIN; n + 1];
    !(0..n).all(|v| {
        let place = if parents[v] == NONE { n } else { parents[v] as usize };
        std::mem::replace(&mut last[place], labels.integer(v)) < labels.integer(v)
    })
}
