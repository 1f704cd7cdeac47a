//! Trees in NEXUS files.
//!
//! **Problem.** `#NEXUS begin trees; translate 1 Homo, 2 Pan; tree t = [&R] (1,2); end;` to what
//! the same Newick trees would be, with the labels that the file translates.
//! **Method.** Commands end with `;`, outside of quotes and comments. In blocks `trees` the tree
//! after the `=` of a command `tree` or `utree` is read as Newick, where it stands; labels of tips
//! are looked up in the last `translate` of the block, or else among the numbers of the taxa, and
//! must be taxa where there is a block of those (`taxa.rs`). Labels of inner vertices are translated
//! unless they are numbers, which are support. All other blocks and commands are skipped.
//! **Cost.** As Newick; a lookup per label where there is a translation.

use super::{Class, Parser, unquoted};
use crate::IoError;
use crate::text_index::TextIndex;
use crate::texts::Texts;
use crate::tree_file::{Rooting, TreeFacts};
use palmette_core::NONE;

/// Where the scan for the next tree is.
#[derive(Default)]
pub(super) struct Nexus {
    in_trees: bool,
    in_taxa: bool,
    started: bool,
}

/// Labels for keys.
pub(super) struct Translation {
    pub(super) keys: Texts,
    pub(super) index: TextIndex,
    pub(super) labels: Texts,
}

impl Translation {
    pub(super) fn get(&self, key: &str) -> Option<&str> {
        match self.index.find(&self.keys, key.as_bytes()) {
            NONE => None,
            number => Some(self.labels.get(number as usize)),
        }
    }
}

/// Whether a file is NEXUS, and where that is said.
pub(crate) fn nexus_at(data: &[u8]) -> Option<usize> {
    const WORD: &[u8] = b"#nexus";
    let text = data.strip_prefix(b"\xef\xbb\xbf").unwrap_or(data).trim_ascii_start();
    let word = text.get(..WORD.len()).filter(|word| word.eq_ignore_ascii_case(WORD));
    let ends = text.get(WORD.len()).is_none_or(|&b| b.is_ascii_whitespace() || b == b'[');
    word.filter(|_| ends).map(|_| data.len() - text.len())
}

impl Parser<'_> {
    /// Where the next tree of a NEXUS file begins; the end of the file after the last one.
    pub(super) fn next_in_nexus(
        &mut self,
        mut at: usize,
        nexus: &mut Nexus,
    ) -> Result<usize, IoError> {
        if !std::mem::replace(&mut nexus.started, true) {
            let text = self.source.text;
            // The first word, which was looked at.
            at = text.len() - text.trim_ascii_start().len();
            self.line += memchr::memchr_iter(b'\n', &self.data[..at]).count() as u64;
            at += b"#nexus".len();
        }
        loop {
            at = self.skip(at)?;
            if at >= self.data.len() {
                return Ok(at);
            }
            let (word, after) = self.word(at);
            let is = |names: &[&str]| names.iter().any(|name| word.eq_ignore_ascii_case(name));
            at = match () {
                () if is(&["begin"]) => {
                    let start = self.skip(after)?;
                    let (name, after) = self.word(start);
                    nexus.in_trees = name.eq_ignore_ascii_case("trees");
                    nexus.in_taxa = name.eq_ignore_ascii_case("taxa");
                    self.translation = self.by_number().filter(|_| nexus.in_trees);
                    self.end_of_command(after)?
                }
                () if is(&["end", "endblock"]) => {
                    (nexus.in_trees, nexus.in_taxa) = (false, false);
                    self.end_of_command(after)?
                }
                () if nexus.in_taxa && is(&["taxlabels"]) => self.read_taxa(after)?,
                () if nexus.in_trees && is(&["translate"]) => self.translate(after)?,
                () if nexus.in_trees && is(&["tree", "utree"]) => {
                    let unrooted = is(&["utree"]);
                    return self.tree_command(after, unrooted);
                }
                () => self.end_of_command(after)?,
            };
        }
    }

    /// Reads `* name =` and the comments around, up to the tree.
    fn tree_command(&mut self, at: usize, unrooted: bool) -> Result<usize, IoError> {
        let rooting = if unrooted { Rooting::Unrooted } else { Rooting::Unstated };
        self.head = TreeFacts { rooting, ..TreeFacts::default() };
        self.owner = NONE;
        let mut at = self.skip(at)?;
        if self.data.get(at) == Some(&b'*') {
            self.head.is_marked = true;
            at = self.skip(at + 1)?;
        }
        let start = at;
        at = match self.data.get(at) {
            Some(b'\'') => self.quoted(at)?,
            _ => {
                let ends = |b: &u8| b.is_ascii_whitespace() || b"=[;".contains(b);
                let length = self.data[at..].iter().position(ends);
                length.map_or(self.data.len(), |length| at + length)
            }
        };
        self.head.name = unquoted(&self.source.text[start..at]).into_owned();
        let at = self.find(at, b'=', "`=` and a tree")?;
        self.skip(at + 1)
    }

    /// The letters from `at` on, and where they end.
    fn word(&self, at: usize) -> (&str, usize) {
        let length = self.data[at..].iter().take_while(|b| b.is_ascii_alphabetic()).count();
        (&self.source.text[at..at + length], at + length)
    }

    fn end_of_command(&mut self, at: usize) -> Result<usize, IoError> {
        self.find(at, b';', "`;` at the end of the command").map(|at| at + 1)
    }

    /// Where a byte is, outside of quotes and comments, in the same command.
    fn find(&mut self, mut at: usize, byte: u8, expected: &str) -> Result<usize, IoError> {
        let start = at;
        loop {
            at = match self.data.get(at) {
                Some(&found) if found == byte => return Ok(at),
                None | Some(b';') => {
                    let found = self.shown(at);
                    return Err(self.source.at(start.min(at), expected, found));
                }
                Some(b'[') => self.skip_comment(at)?,
                Some(b'\'') => self.quoted(at)?,
                Some(found) => {
                    self.line += u64::from(*found == b'\n');
                    at + 1
                }
            };
        }
    }

    /// Reads `key label, key label;` after the word `translate`.
    fn translate(&mut self, mut at: usize) -> Result<usize, IoError> {
        let (mut keys, mut labels) = (Texts::default(), Texts::default());
        loop {
            at = self.skip(at)?;
            // A comma may come before the end.
            if self.data.get(at) == Some(&b';') {
                break;
            }
            for texts in [&mut keys, &mut labels] {
                let start = self.skip(at)?;
                at = match self.class(start) {
                    Class::Label => self.token(start),
                    Class::Quote => self.quoted(start)?,
                    _ => {
                        let found = self.shown(start);
                        return Err(self.source.at(start, "a key and its label", found));
                    }
                };
                texts.push(&unquoted(&self.source.text[start..at]));
            }
            at = self.skip(at)?;
            match self.data.get(at) {
                Some(b',') => at += 1,
                Some(b';') => break,
                _ => {
                    let found = self.shown(at);
                    return Err(self.source.at(at, "`,` or `;` after a label", found));
                }
            }
        }
        let (index, again) = TextIndex::new(&keys);
        if let Some(&second) = again.values().min() {
            let expected = "a label for each key";
            let found = format!("{} twice", crate::quote::shown(keys.get(second as usize)));
            return Err(self.source.at(at, expected, found));
        }
        self.translation = Some(Translation { keys, index, labels });
        Ok(at + 1)
    }
}
