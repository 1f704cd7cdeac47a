//! What a rank has of the input, and how mistakes in it are told.

use super::*;
use palmette::AggregateError;
use palmette::io::TableSlice;

/// What this rank has of the tree and its values.
pub(crate) struct Slice {
    pub(crate) file: String,
    /// The parent of each vertex; [`NO_VERTEX`] for roots.
    pub(crate) parents: Vec<u64>,
    /// The first vertex of the slice.
    pub(crate) first: u64,
    /// The columns of values.
    pub(crate) values: Vec<Values>,
    /// Where vertices have ids, those of the slice.
    pub(crate) names: Option<(TableSlice, Names)>,
}

impl Slice {
    /// The id of a vertex of the slice.
    pub(crate) fn id(&self, k: usize) -> i64 {
        self.names.as_ref().map_or((self.first + k as u64) as i64, |(table, _)| table.ids[k])
    }

    /// Names the file in what is wrong with a tree, and the line where this rank has it.
    pub(crate) fn explain(&self, error: DistributedError) -> Box<dyn Error> {
        match error {
            DistributedError::Ranks(_) => error.into(),
            DistributedError::Cycle { vertex } => {
                let (place, id) = self.place(vertex);
                let file = &self.file;
                format!("{file}{place}: the parents form a cycle above `{id}` or through it").into()
            }
            DistributedError::ManyRoots { first, second, count } => {
                let named = self.names.as_ref().map(|(table, _)| ("rows", table.first_row()));
                let (what, from) = named.unwrap_or(("vertices", 0));
                format!(
                    "{}: expected one root, found {count}: {what} {} and {} have no parent; pass \
                     --forest to allow several roots",
                    self.file,
                    first + from,
                    second + from
                )
                .into()
            }
            other => format!("{}: {other}", self.file).into(),
        }
    }

    pub(crate) fn explain_sum(&self, error: AggregateError) -> Box<dyn Error> {
        match error {
            AggregateError::SliceOverflow { vertex, exact } => {
                let (place, id) = self.place(vertex);
                let file = &self.file;
                format!(
                    "{file}{place}: the sum at `{id}` overflows its type: {exact} \
                     (pass --wrapping for modulo 2^64, or --type f64 to round)"
                )
                .into()
            }
            other => other.into(),
        }
    }

    fn place(&self, vertex: u64) -> (String, String) {
        let own = vertex.checked_sub(self.first).map(|k| k as usize);
        match (&self.names, own.filter(|&k| k < self.parents.len())) {
            (Some((table, _)), Some(k)) => {
                (format!(", {}", table.place_of(k)), table.ids[k].to_string())
            }
            _ => (String::new(), vertex.to_string()),
        }
    }
}
