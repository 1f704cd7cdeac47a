//! Newick trees.
//!
//! **Problem.** `((a:1,b:2)c,'it''s':3e-1)d;` to parents, labels and branch lengths,
//! the vertices numbered in the preorder of the text.
//! **Method.** One pass over the bytes with a table of byte classes, `stops.rs` ahead of it. A vertex is
//! numbered at its opening parenthesis or its label; the parents so far are the
//! stack of open vertices, so no depth of nesting needs memory of its own. Labels
//! are kept in the order of the text, because those of inner vertices come after
//! their subtrees, with the place of each vertex's label.
//! **Accepted.** Quoted labels with doubled quotes, comments `[…]` (nested) and
//! white space anywhere, any number of children, labels on inner vertices, of which some are
//! support (`support.rs`), missing labels and lengths, several trees. Comments that begin with `&`
//! are annotations of the vertex whose label, colon or length they follow (`notes.rs`). Underscores
//! stay underscores. Each tree ends with `;`. NEXUS files have such trees in them (`nexus.rs`).
//! Networks (labels `x#H1`) are refused.
//! **Cost.** Linear, sequential; memory besides the text 4 bytes per vertex, 8 more
//! for lengths, 8 and their bytes more for labels.

mod finish;
mod label;
mod nexus;
mod notes;
mod stops;
mod support;
mod taxa;
mod write;
mod wrong;

pub(crate) use label::unquoted;
pub(crate) use nexus::nexus_at;
pub use support::take_support;
pub(crate) use write::{put_newick, put_nexus};

use crate::IoError;
use crate::lines::Lines;
use crate::number::{float_prefix, one_before_the_point};
use crate::quote::shown;
use crate::source::Source;
use crate::texts::Excerpts;
use crate::tree_file::{ReadParams, SupportLabels, TreeChoice, TreeFacts, TreeFile};
use memchr::{memchr, memchr_iter};
use nexus::{Nexus, Translation};
use notes::{NOBODY, Note};
use palmette_core::{MAX_VERTICES, NONE};
use std::ops::Range;
use stops::Stops;
use taxa::Taxa;

/// What a byte may be part of.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Label,
    Quote,
    /// Ends a label or a number: `( ) , : ; ]` and the end of the text (0).
    Stop,
    /// White space or the start of a comment.
    Gap,
}

const CLASSES: [Class; 256] = {
    let mut classes = [Class::Label; 256];
    let mut i = 0;
    while i < 256 {
        classes[i] = match i as u8 {
            b'(' | b')' | b',' | b':' | b';' | b']' | 0 => Class::Stop,
            b' ' | b'\t' | b'\n' | b'\r' | b'[' => Class::Gap,
            b'\'' => Class::Quote,
            _ => Class::Label,
        };
        i += 1;
    }
    classes
};

/// More open parentheses than can be closed are read up to here, for a message about the first
/// place that is wrong; then they are a flood.
const MOST_UNCLOSED: usize = 1 << 24;

struct Parser<'a> {
    source: Source<'a>,
    data: &'a [u8],
    stops: Stops,
    keep_labels: bool,
    keep_lengths: bool,
    parents: Vec<u32>,
    /// The labels in the order of the text, and which one each vertex has.
    labels: Excerpts,
    label_of: Vec<u32>,
    /// A bit for each label that has quotes.
    quoted: Vec<u64>,
    /// What labels stand for, in NEXUS, and which ones tips may have.
    translation: Option<Translation>,
    taxa: Option<Taxa>,
    lengths: Vec<f64>,
    /// The length of a vertex without one that is not a root.
    default_length: f64,
    lines: Lines,
    line: u64,
    /// The line of the last vertex.
    stated: u64,
    /// How many lengths there are, and where the first vertex without one ends.
    measured: usize,
    unmeasured: Option<usize>,
    comments: usize,
    /// Comments that are annotations, where they are kept.
    notes: Vec<Note>,
    keep_notes: bool,
    /// Whom a comment is about: a vertex, the next tree ([`NONE`]) or nobody.
    owner: u32,
    /// What is said of the trees so far, and of the next one.
    trees: Vec<TreeFacts>,
    head: TreeFacts,
    /// How many `(` were read, and how many may be.
    opened: usize,
    most_opened: usize,
}

pub(crate) fn read(source: &Source<'_>, params: &ReadParams) -> Result<TreeFile, IoError> {
    let most = expected_vertices(source.bytes());
    let mut parser = Parser {
        source: *source,
        data: source.bytes(),
        stops: Stops::new(),
        keep_labels: params.labels,
        keep_lengths: params.lengths,
        parents: Vec::with_capacity(most),
        // Most labels are less than half of a text; memory that is not used is not taken.
        labels: match params.labels {
            true => Excerpts::with_capacity(most, source.text.len() / 2),
            false => Excerpts::default(),
        },
        label_of: Vec::with_capacity(if params.labels { most } else { 0 }),
        quoted: Vec::new(),
        translation: None,
        taxa: None,
        lengths: Vec::with_capacity(if params.lengths { most } else { 0 }),
        default_length: params.missing_length.unwrap_or(0.0),
        lines: Lines::by_run(),
        line: 1,
        stated: 0,
        measured: 0,
        unmeasured: None,
        comments: 0,
        notes: Vec::new(),
        keep_notes: params.annotations
            || !params.columns.is_empty()
            || params.support != SupportLabels::No,
        owner: NONE,
        trees: Vec::new(),
        head: TreeFacts::default(),
        opened: 0,
        most_opened: MOST_UNCLOSED,
    };
    let nexus = nexus_at(source.bytes()).map(|_| Nexus::default());
    parser.trees(params.tree, nexus)?;
    parser.finish(params)
}

impl<'a> Parser<'a> {
    fn trees(&mut self, choice: TreeChoice, mut nexus: Option<Nexus>) -> Result<(), IoError> {
        let (mut at, mut trees) = (0, 0);
        loop {
            self.owner = if nexus.is_some() { NOBODY } else { NONE };
            at = match &mut nexus {
                None => self.skip(at)?,
                Some(nexus) => self.next_in_nexus(at, nexus)?,
            };
            if at >= self.data.len() {
                break;
            }
            if choice == TreeChoice::Only && trees == 1 {
                return Err(self.source.another_tree(at));
            }
            let facts = std::mem::take(&mut self.head);
            let (first, marked) = (self.parents.len(), facts.is_marked);
            self.trees.push(facts);
            at = self.tree(at)?;
            trees += 1;
            match choice {
                TreeChoice::Index(index) if trees != index + 1 => self.clear(),
                TreeChoice::Marked if !marked => self.clear(),
                _ => self.check_taxa(first)?,
            }
            match choice {
                TreeChoice::Index(index) if trees == index + 1 => return Ok(()),
                TreeChoice::Marked if marked => return Ok(()),
                _ => {}
            }
        }
        match choice {
            TreeChoice::Marked => {
                let found = format!("{trees} trees without `*`");
                Err(self.source.at(at, "a tree marked with `*`, as NEXUS has it", found))
            }
            TreeChoice::Index(index) => Err(self.source.at(
                at,
                format!("a tree with index {index}"),
                format!("{trees} trees in the file"),
            )),
            _ if trees == 0 && nexus.is_some() => {
                let found = "a NEXUS file without trees";
                Err(self.source.at(at, "a tree in a block `trees`", found))
            }
            _ if trees == 0 => Err(self.source.at(at, "a tree", "an empty file")),
            _ => Ok(()),
        }
    }

    /// Reads one tree and its `;`.
    fn tree(&mut self, mut at: usize) -> Result<usize, IoError> {
        let data = self.data;
        let mut open = NONE;
        loop {
            self.owner = self.parents.len() as u32;
            at = self.skip(at)?;
            let mut vertex = self.parents.len() as u32;
            if vertex as usize >= MAX_VERTICES {
                return Err(self.source.at(at, format!("at most {MAX_VERTICES} vertices"), "more"));
            }
            self.parents.push(open);
            if self.keep_labels {
                self.label_of.push(NONE);
            }
            if self.keep_lengths {
                self.lengths.push(if open == NONE { 0.0 } else { self.default_length });
            }
            if self.line != self.stated {
                self.stated = self.line;
                self.lines.push(vertex, self.line);
            }
            if data.get(at) == Some(&b'(') {
                self.opened += 1;
                if self.opened > self.most_opened {
                    self.check_opened(at)?;
                }
                open = vertex;
                at += 1;
                continue;
            }
            loop {
                self.owner = vertex;
                at = self.label(at, vertex)?;
                at = self.length(at, vertex)?;
                match data.get(at) {
                    Some(b',') if open != NONE => break,
                    Some(b')') if open != NONE => {
                        vertex = open;
                        open = self.parents[vertex as usize];
                    }
                    Some(b';') if open == NONE => return Ok(at + 1),
                    _ => return Err(self.unexpected(at, open)),
                }
                at += 1;
            }
            at += 1;
        }
    }

    #[inline(always)]
    fn class(&self, at: usize) -> Class {
        CLASSES[self.data.get(at).copied().unwrap_or(0) as usize]
    }

    #[inline(always)]
    fn skip(&mut self, at: usize) -> Result<usize, IoError> {
        if self.class(at) == Class::Gap { self.skip_gap(at) } else { Ok(at) }
    }

    fn skip_gap(&mut self, mut at: usize) -> Result<usize, IoError> {
        while self.class(at) == Class::Gap {
            match self.data[at] {
                b'[' => at = self.skip_comment(at)?,
                byte => {
                    self.line += u64::from(byte == b'\n');
                    at += 1;
                }
            }
        }
        Ok(at)
    }

    /// Reads the label of a vertex, if there is one, and what follows up to a stop.
    #[inline(always)]
    fn label(&mut self, at: usize, vertex: u32) -> Result<usize, IoError> {
        let start = self.skip(at)?;
        let end = match self.class(start) {
            Class::Stop | Class::Gap => return Ok(start),
            Class::Quote => self.quoted(start)?,
            Class::Label => self.token(start),
        };
        if self.keep_labels {
            self.label_of[vertex as usize] = self.labels.len() as u32;
            match self.data[start] != b'\'' && self.translation.is_none() {
                true => self.labels.take(self.data, start..end),
                false => self.push_label(start..end, vertex),
            }
        }
        self.skip(end)
    }

    /// Where the label or number at `at` ends. A quote inside is part of it.
    #[inline(always)]
    fn token(&mut self, at: usize) -> usize {
        self.stops.after(self.data, at)
    }

    fn quoted(&mut self, start: usize) -> Result<usize, IoError> {
        let mut at = start + 1;
        loop {
            let Some(next) = memchr(b'\'', &self.data[at..]) else {
                let found = "the end of the file";
                return Err(self.source.at(start, "a closing quote `'` for this label", found));
            };
            at += next + 1;
            if self.data.get(at) != Some(&b'\'') {
                self.line += memchr_iter(b'\n', &self.data[start..at]).count() as u64;
                return Ok(at);
            }
            at += 1;
        }
    }

    /// Reads the branch length of a vertex, if there is one.
    #[inline(always)]
    fn length(&mut self, at: usize, vertex: u32) -> Result<usize, IoError> {
        if self.data.get(at) != Some(&b':') {
            if self.unmeasured.is_none()
                && self.keep_lengths
                && self.parents[vertex as usize] != NONE
            {
                self.unmeasured = Some(at);
            }
            return Ok(at);
        }
        let start = self.skip(at + 1)?;
        // Known before the number is: what follows need not wait for it.
        let end = self.token(start);
        if !self.keep_lengths && is_decimal(self.data, start..end) {
            return self.skip(end);
        }
        match float_prefix(&self.data[start..]) {
            Some((length, used)) if length.is_finite() && start + used == end => {
                if self.keep_lengths {
                    self.lengths[vertex as usize] = length;
                    self.measured += 1;
                }
                self.skip(end)
            }
            // The next byte is none that may follow.
            Some((length, used)) if length.is_finite() => Ok(start + used),
            _ => {
                let token = &self.source.text[start..end];
                let found = if token.is_empty() { self.shown(start) } else { shown(token) };
                Err(self.source.at(start, "a finite number as the branch length after `:`", found))
            }
        }
    }

    fn clear(&mut self) {
        self.parents.clear();
        self.label_of.clear();
        self.labels = Excerpts::default();
        self.lengths.clear();
        self.lines.clear();
        self.quoted.clear();
        self.notes.clear();
        self.trees.clear();
        (self.stated, self.measured, self.unmeasured, self.comments) = (0, 0, None, 0);
    }
}

/// Whether a range is digits with a point among them: a number, whichever it is.
#[inline(always)]
fn is_decimal(data: &[u8], range: Range<usize>) -> bool {
    if let Some((_, used)) = one_before_the_point(&data[range.start..])
        && used == range.len()
    {
        return true;
    }
    let text = &data[range];
    let (mut digits, mut points) = (0, 0);
    for byte in text {
        digits += usize::from(byte.is_ascii_digit());
        points += usize::from(*byte == b'.');
    }
    digits > 0 && points < 2 && digits + points == text.len() && text.len() < 100
}

/// About how many vertices a text has, from its beginning: each but a root has a comma or a
/// parenthesis before it.
fn expected_vertices(text: &[u8]) -> usize {
    const SAMPLE: usize = 1 << 20;
    let sample = &text[..text.len().min(SAMPLE)];
    let marks = |byte: u8| memchr_iter(byte, sample).count();
    let count = (marks(b')') + marks(b',') + 1) as f64 / sample.len().max(1) as f64;
    // Where there is more to come, a little more than expected.
    let more = if sample.len() < text.len() { 1.05 } else { 1.0 };
    ((count * text.len() as f64 * more) as usize + 1).min(text.len() / 3 + 1)
}
