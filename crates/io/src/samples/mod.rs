//! Tables of counts: how often each sample has each tip.
//!
//! **Problem.** Samples × tips or tips × samples from CSV or TSV with names in the first row and the
//! first column, or from BIOM 1.0 (JSON, sparse or dense) and 2.1 (HDF5). Which side the tips are on is asked for or
//! found: the side of which more names are tips of the tree. BIOM has them in rows.
//!
//! **Method.** `text.rs` and `biom.rs` give entries row after row; rows of tips are turned around.
//! `hdf5.rs` takes them by sample, as that file has them. Zeros are not kept.
//!
//! **Cost.** Linear in the text, in parallel. 12 bytes per count, twice while rows are turned around,
//! and the names.

mod biom;
mod hdf5;
mod json;
mod metadata;
#[cfg(test)]
mod tests;
mod text;

pub use metadata::read_metadata_bytes;

use crate::hdf5::SIGNATURE;
use crate::labels::Labels;
use crate::quote::listed;
use crate::source::{Source, plain};
use crate::{IoError, Lookup};
use palmette_core::NONE;
use std::borrow::Cow;

palmette_core::named! {
    /// Where a table of counts has tips.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    pub enum TipSide("side of the tips") {
        /// A row per tip, a column per sample.
        Rows = "rows",
        /// A column per tip, a row per sample.
        Columns = "columns",
    }
}

/// Counts of tips by sample, sparse.
#[derive(Debug, Clone, PartialEq)]
pub struct SampleTable {
    /// The file's name, for messages.
    pub name: String,
    /// The names of the samples; no two are the same.
    pub samples: Labels,
    /// The names of the tips, whether or not a tree has them.
    pub tips: Labels,
    /// Where the counts of a sample begin; one more than there are samples.
    pub starts: Vec<usize>,
    /// By count, the number of its tip among `tips`.
    pub entries: Vec<u32>,
    /// The counts, all above 0 and finite.
    pub counts: Vec<f64>,
    /// A last column that is no sample, such as `taxonomy`, and was not read.
    pub left_out: Option<String>,
}

impl SampleTable {
    /// By tip of the table, its number among `known`; [`NONE`] where it is not there, or twice.
    pub fn find_tips(&self, known: &Labels) -> Vec<u32> {
        let mut found = vec![NONE; self.tips.len()];
        let name = |i: usize| match self.tips.label(i as u32) {
            Cow::Borrowed(text) => Cow::Borrowed(text.as_bytes()),
            Cow::Owned(text) => Cow::Owned(text.into_bytes()),
        };
        known.find_each(name, &mut found);
        found
    }
}

/// Entries row after row, as files have them.
struct Entries {
    rows: Labels,
    columns: Labels,
    /// `(row, column, count)`; rows ascend.
    entries: Vec<(u32, u32, f64)>,
    left_out: Option<String>,
    /// Rows are tips, whatever their names.
    rows_are_tips: bool,
}

/// Names of a side that are looked up to tell which side has tips.
const LOOKED_UP: usize = 1000;

/// Reads a table of counts; `known` are the tips of the tree.
///
/// ```
/// use palmette_io::{Labels, read_samples_bytes};
/// let table = b"tip,S1,S2\na,1,0\nb,0.5,3\n";
/// let found = read_samples_bytes("table.csv", table, None, &Labels::texts(["b", "a", "c"]))?;
/// assert_eq!((found.starts, found.counts), (vec![0, 2, 3], vec![1.0, 0.5, 3.0]));
/// # Ok::<(), palmette_io::IoError>(())
/// ```
///
/// # Errors
/// Text where a count belongs, a negative count or one that is not finite, rows of unequal length, with the line or row and
/// the column; two samples of one name; tips on both sides or on none.
pub fn read_samples_bytes(
    name: &str,
    data: &[u8],
    tips: Option<TipSide>,
    known: &Labels,
) -> Result<SampleTable, IoError> {
    let data = plain(name, data)?;
    if data.starts_with(SIGNATURE) {
        return checked(hdf5::read(name, &data, tips)?);
    }
    let source = Source::new(name, &data)?;
    let found = match source.text.trim_start().starts_with('{') {
        true => biom::read(&source)?,
        false => text::read(&source)?,
    };
    let side = match tips {
        Some(side) => side,
        None if found.rows_are_tips => TipSide::Rows,
        None => side_of(name, &found, known)?,
    };
    checked(turned(name, found, side))
}

/// No two samples have one name.
fn checked(table: SampleTable) -> Result<SampleTable, IoError> {
    if table.samples.are_unique() {
        return Ok(table);
    }
    let twice = (0..table.samples.len() as u32)
        .map(|i| table.samples.label(i))
        .find(|label| matches!(table.samples.find(label), Lookup::Ambiguous(..)));
    let found = format!("two samples {}", listed(twice));
    Err(table_error(&table.name, "samples with different names", found))
}

fn table_error(name: &str, expected: impl Into<String>, found: impl Into<String>) -> IoError {
    IoError::Table { file: name.to_string(), expected: expected.into(), found: found.into() }
}

/// The side of which the larger share of names are tips.
fn side_of(name: &str, found: &Entries, known: &Labels) -> Result<TipSide, IoError> {
    let share = |names: &Labels| {
        let count = names.len().min(LOOKED_UP);
        let is_tip = |&i: &u32| !matches!(known.find(&names.label(i)), Lookup::Unknown);
        (0..count as u32).filter(is_tip).count() as f64 / count.max(1) as f64
    };
    let (rows, columns) = (share(&found.rows), share(&found.columns));
    if rows != columns {
        return Ok(if rows > columns { TipSide::Rows } else { TipSide::Columns });
    }
    let some = |names: &Labels| listed((0..names.len().min(3) as u32).map(|i| names.label(i)));
    let found = format!("`{}` in the header, `{}` below", some(&found.columns), some(&found.rows));
    let file = name.to_string();
    Err(IoError::TipSide { file, both: rows > 0.0, found })
}

/// By sample.
fn turned(name: &str, found: Entries, side: TipSide) -> SampleTable {
    let Entries { rows, columns, entries, left_out, .. } = found;
    let (samples, tips) = match side {
        TipSide::Rows => (columns, rows),
        TipSide::Columns => (rows, columns),
    };
    let by_sample = |&(row, column, count): &(u32, u32, f64)| match side {
        TipSide::Rows => (column, row, count),
        TipSide::Columns => (row, column, count),
    };
    let mut starts = vec![0usize; samples.len() + 1];
    for entry in &entries {
        starts[by_sample(entry).0 as usize + 1] += 1;
    }
    for i in 0..samples.len() {
        starts[i + 1] += starts[i];
    }
    let mut next = starts.clone();
    let (mut of_tip, mut counts) = (vec![0; entries.len()], vec![0.0; entries.len()]);
    for entry in &entries {
        let (sample, tip, count) = by_sample(entry);
        let slot = &mut next[sample as usize];
        (of_tip[*slot], counts[*slot]) = (tip, count);
        *slot += 1;
    }
    SampleTable { name: name.to_string(), samples, tips, starts, entries: of_tip, counts, left_out }
}
