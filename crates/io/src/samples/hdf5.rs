//! Counts in BIOM 2.1: HDF5.
//!
//! **Method.** The counts are there twice, by tip and by sample, each as a compressed sparse matrix. What is by sample
//! (or, where tips are said to be in columns, by tip) is taken as it is; the other one is not looked at.
//!
//! **Reference.** biom-format.org, version 2.1.

use super::{SampleTable, TipSide, table_error};
use crate::IoError;
use crate::hdf5::Hdf5;
use crate::labels::Labels;
use crate::quote::shown;

pub(super) fn read(name: &str, data: &[u8], tips: Option<TipSide>) -> Result<SampleTable, IoError> {
    let file = Hdf5::open(name, data)?;
    let (of_samples, of_tips) = match tips {
        Some(TipSide::Columns) => ("observation", "sample"),
        _ => ("sample", "observation"),
    };
    let ids = |group| -> Result<Labels, IoError> {
        let found = file.dataset(&format!("{group}/ids"))?;
        Ok(Labels::from_texts(found.texts()?))
    };
    let (samples, tips) = (ids(of_samples)?, ids(of_tips)?);
    let matrix = |part| file.dataset(&format!("{of_samples}/matrix/{part}"));
    let (starts, entries, counts) = (matrix("indptr")?, matrix("indices")?, matrix("data")?);
    let wrong = |expected: String, found: String| Err(table_error(name, expected, found));
    if entries.len() != counts.len() {
        let found = format!("{} and {}", entries.len(), counts.len());
        return wrong(format!("as many indices as data in {of_samples}/matrix"), found);
    }
    if starts.len() != samples.len() + 1 {
        let expected = format!("{} numbers in {of_samples}/matrix/indptr", samples.len() + 1);
        return wrong(expected, starts.len().to_string());
    }
    let starts = starts.places(counts.len() as u64)?;
    let ends = (starts.first(), starts.last());
    if !starts.is_sorted() || ends != (Some(&0), Some(&(counts.len() as u64))) {
        let expected = format!("numbers from 0 to {} in {of_samples}/matrix/indptr", counts.len());
        return wrong(expected, "others".to_string());
    }
    let starts: Vec<usize> = starts.into_iter().map(|start| start as usize).collect();
    let entries: Vec<u32> = match (tips.len() as u64).checked_sub(1) {
        Some(most) => entries.places(most)?.into_iter().map(|tip| tip as u32).collect(),
        None if entries.len() > 0 => return wrong("names of tips".into(), "none".into()),
        None => Vec::new(),
    };
    let counts = counts.floats()?;
    if let Some(k) = counts.iter().position(|&count| !(count.is_finite() && count >= 0.0)) {
        let sample = starts.partition_point(|&start| start <= k) as u32 - 1;
        let (tip, sample) = (shown(&tips.label(entries[k])), shown(&samples.label(sample)));
        return wrong(format!("a count of 0 or more of {tip} in {sample}"), counts[k].to_string());
    }
    let name = name.to_string();
    let mut table = SampleTable { name, samples, tips, starts, entries, counts, left_out: None };
    table.drop_zeros();
    Ok(table)
}

impl SampleTable {
    fn drop_zeros(&mut self) {
        if !self.counts.contains(&0.0) {
            return;
        }
        let (mut kept, mut from) = (0, 0);
        for end in self.starts.iter_mut().skip(1) {
            for k in from..*end {
                if self.counts[k] != 0.0 {
                    (self.entries[kept], self.counts[kept]) = (self.entries[k], self.counts[k]);
                    kept += 1;
                }
            }
            from = std::mem::replace(end, kept);
        }
        self.entries.truncate(kept);
        self.counts.truncate(kept);
    }
}
