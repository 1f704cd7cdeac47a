//! What is wrong at a place of a Newick text.

use super::{Class, MOST_UNCLOSED, Parser};
use crate::IoError;
use crate::quote::shown;
use memchr::memchr_iter;

impl Parser<'_> {
    /// Checks that so many `(` can be closed; those in labels and comments may count, too.
    #[cold]
    pub(super) fn check_opened(&mut self, at: usize) -> Result<(), IoError> {
        let closing = memchr_iter(b')', self.data).count();
        self.most_opened = closing + MOST_UNCLOSED;
        if self.opened <= self.most_opened {
            return Ok(());
        }
        let found = format!("{} `(` so far, and {closing} `)` in all of the file", self.opened);
        Err(self.source.at(at, "a `)` for each `(`", found))
    }

    pub(super) fn shown(&self, at: usize) -> String {
        match self.source.text.get(at..).and_then(|rest| rest.chars().next()) {
            Some(c) => shown(c.encode_utf8(&mut [0; 4])),
            None => "the end of the file".to_string(),
        }
    }

    #[cold]
    pub(super) fn unexpected(&self, at: usize, open: u32) -> IoError {
        if let Some(network) = self.network_before(at) {
            return network;
        }
        let depth = std::iter::successors(Some(open), |&v| self.parents.get(v as usize).copied())
            .count()
            - 1;
        let after_label = self.class(at) != Class::Stop || self.data.get(at) == Some(&b'(');
        let quotes = if after_label { " (labels with spaces or brackets need quotes)" } else { "" };
        let found = match self.data.get(at) {
            Some(b')') => "`)`, which closes no parenthesis".to_string(),
            _ => format!("{}{quotes}", self.shown(at)),
        };
        if depth == 0 {
            return self.source.at(at, "`;` at the end of the tree", found);
        }
        let expected =
            format!("`,` or `)` ({depth} parenthes{} open)", if depth == 1 { "is" } else { "es" });
        self.source.at(at, expected, found)
    }
}
