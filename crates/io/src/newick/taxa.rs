//! The taxa of a NEXUS file.
//!
//! **Problem.** `begin taxa; taxlabels Homo 'Pan p'; end;` says which tips its trees may have, and
//! numbers them from 1 for trees that have no `translate`.
//! **Method.** A tip must be a taxon: the same text, or the same but for case and for underscores
//! that stand for blanks, as NEXUS compares. Where taxa are called by numbers themselves, numbers
//! are only names.
//! **Cost.** A lookup per tip.

use super::nexus::Translation;
use super::{Class, Parser, unquoted};
use crate::IoError;
use crate::number::canonical;
use crate::text_index::TextIndex;
use crate::texts::Texts;
use palmette_core::NONE;
use std::collections::HashSet;

pub(super) struct Taxa {
    labels: Texts,
    index: TextIndex,
    /// As NEXUS compares them; made when a tip is none as it is.
    alike: Option<HashSet<String>>,
}

/// A label as NEXUS compares it.
fn alike(label: &str) -> String {
    label.to_lowercase().replace('_', " ")
}

impl Parser<'_> {
    /// Reads the labels after `taxlabels`, up to `;`.
    pub(super) fn read_taxa(&mut self, mut at: usize) -> Result<usize, IoError> {
        let mut labels = Texts::default();
        loop {
            let start = self.skip(at)?;
            at = match self.class(start) {
                Class::Label => self.token(start),
                Class::Quote => self.quoted(start)?,
                _ if self.data.get(start) == Some(&b';') => {
                    at = start;
                    break;
                }
                _ => {
                    let found = self.shown(start);
                    return Err(self.source.at(start, "a taxon, or `;` after the last", found));
                }
            };
            labels.push(&unquoted(&self.source.text[start..at]));
        }
        let (index, _) = TextIndex::new(&labels);
        self.taxa = Some(Taxa { labels, index, alike: None });
        Ok(at + 1)
    }

    /// Numbers of taxa as keys, for trees without other keys.
    pub(super) fn by_number(&self) -> Option<Translation> {
        let labels = &self.taxa.as_ref()?.labels;
        let number = |v: usize| canonical(labels.get(v).as_bytes()).is_some();
        if (0..labels.len()).any(number) {
            return None;
        }
        let mut keys = Texts::default();
        (1..=labels.len()).for_each(|key| keys.push(&key.to_string()));
        let (index, _) = TextIndex::new(&keys);
        Some(Translation { keys, index, labels: labels.clone() })
    }

    /// Refuses a tip that is no taxon, from a vertex on.
    pub(super) fn check_taxa(&mut self, first: usize) -> Result<(), IoError> {
        let Some(taxa) = self.taxa.as_mut().filter(|_| self.keep_labels) else { return Ok(()) };
        let n = self.parents.len();
        for v in first..n {
            let label = self.label_of[v];
            let is_tip = v + 1 == n || self.parents[v + 1] != v as u32;
            if !is_tip || label == NONE {
                continue;
            }
            let text = self.labels.get(label as usize);
            if text.is_empty() || taxa.index.find(&taxa.labels, text) != NONE {
                continue;
            }
            let all = || (0..taxa.labels.len()).map(|k| alike(taxa.labels.get(k))).collect();
            let known: &HashSet<String> = taxa.alike.get_or_insert_with(all);
            let text = String::from_utf8_lossy(text);
            if !known.contains(&alike(&text)) {
                let line = self.lines.line_of(v as u32).unwrap_or(1);
                let (file, label) = (self.source.name.to_string(), text.into_owned());
                return Err(IoError::NoTaxon { file, line, label });
            }
        }
        Ok(())
    }
}
