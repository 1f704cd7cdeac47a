//! Writes Newick and NEXUS.
//!
//! **Method.** A leaf ends itself and every ancestor whose interval ends with it, so that each
//! position is written by itself, in parallel.
//! **Support** is the label of an inner vertex that has no other. Where that would not read back
//! (support of a tip, or beside a label; beyond 0 to 100; on fewer vertices than labels) it is a
//! comment `[&support=95]`. Numbers that are names of inner vertices get quotes.
//! **NEXUS.** Taxa, and trees whose tips are their numbers, by `translate`.
//! **Cost.** Linear; for NEXUS 4 bytes per vertex, and the names of tips in a table.

use super::finish::SUPPORT_KEY;
use super::support::{is_more, is_usual, number};
use crate::annotation::{self, AnnotationStyle};
use crate::names::Names;
use crate::parts::TreeParts;
use crate::tree_file::{Rooting, TreeFacts};
use crate::write::{blocks, put_float, put_number, put_quoted};
use palmette_core::{NONE, Tree};
use std::io::{self, Write};

/// A tree as it is written.
struct Text<'a> {
    tree: &'a Tree,
    parts: &'a TreeParts<'a>,
    style: AnnotationStyle,
    /// Support is a label; otherwise a comment.
    labels_support: bool,
    /// For NEXUS: by position, the number of a tip's name.
    keys: Option<Vec<u32>>,
    /// What is said of each tree, by position of its root; empty where nothing is.
    facts: Vec<(u32, &'a TreeFacts)>,
}

impl<'a> Text<'a> {
    fn new(tree: &'a Tree, parts: &'a TreeParts<'a>, style: AnnotationStyle) -> io::Result<Self> {
        annotation::check(style, parts.annotations)?;
        let labels_support = support_is_label(tree, parts);
        let facts = match parts.trees.len() == tree.roots() {
            true => tree.root_positions().zip(parts.trees).collect(),
            false => Vec::new(),
        };
        Ok(Text { tree, parts, style, labels_support, keys: None, facts })
    }

    fn facts(&self, root: u32) -> Option<&'a TreeFacts> {
        let place = self.facts.binary_search_by_key(&root, |(position, _)| *position);
        place.ok().map(|place| self.facts[place].1)
    }

    /// Appends what a position adds to the text.
    fn put(&self, position: u32, out: &mut Vec<u8>) {
        if self.tree.parent(position).is_none() {
            self.put_head(position, out);
        }
        if !self.tree.is_leaf(position) {
            out.push(b'(');
            return;
        }
        // The leaf ends itself and every ancestor whose interval ends with it.
        let mut done = position;
        loop {
            self.put_vertex(done, out);
            match self.tree.parent(done) {
                None => out.extend_from_slice(b";\n"),
                Some(parent) if self.tree.end(parent) == position + 1 => {
                    out.push(b')');
                    done = parent;
                    continue;
                }
                Some(_) => out.push(b','),
            }
            return;
        }
    }

    /// What stands before a tree.
    fn put_head(&self, root: u32, out: &mut Vec<u8>) {
        let facts = self.facts(root);
        let nexus = self.keys.is_some();
        if nexus {
            out.extend_from_slice(b"\ttree ");
            if facts.is_some_and(|facts| facts.is_marked) {
                out.extend_from_slice(b"* ");
            }
            match facts.map(|facts| facts.name.as_str()).filter(|name| !name.is_empty()) {
                Some(name) => put_label(out, name, nexus),
                None => {
                    out.extend_from_slice(b"tree");
                    put_number(
                        out,
                        self.tree.root_positions().position(|r| r == root).unwrap_or(0) + 1,
                    );
                }
            }
        }
        let Some(facts) = facts else {
            out.extend_from_slice(if nexus { b" = " } else { b"" });
            return;
        };
        let start = out.len();
        let items = facts.annotations.iter().map(|(key, text)| (key.as_str(), text.as_str()));
        if nexus {
            out.push(b' ');
        }
        annotation::put(out, self.style, items);
        match nexus {
            true if out.len() == start + 1 => out.extend_from_slice(b"= "),
            true => out.extend_from_slice(b" = "),
            false if out.len() > start => out.push(b' '),
            false => {}
        }
        if nexus || self.style != AnnotationStyle::None {
            out.extend_from_slice(match facts.rooting {
                Rooting::Unstated => b"",
                Rooting::Rooted => b"[&R] ",
                Rooting::Unrooted => b"[&U] ",
            });
        }
    }

    fn put_vertex(&self, position: u32, out: &mut Vec<u8>) {
        let vertex = self.tree.vertices()[position as usize];
        let inner = !self.tree.is_leaf(position);
        let key = self.keys.as_ref().map_or(NONE, |keys| keys[position as usize]);
        let support = self.parts.support.map(|support| support[vertex as usize]);
        let support = support.filter(|support| !support.is_nan());
        match (self.parts.labels.label_bytes(vertex), support) {
            _ if key != NONE => put_number(out, key + 1),
            // A comment with nothing before it would be about the tree.
            (Some(b""), _) if !inner && self.tree.parent(position).is_none() => {
                out.extend_from_slice(if self.parts.is_bare() { b"" } else { b"''" });
            }
            (Some(b""), Some(support)) if self.labels_support => put_float(out, support),
            (None, _) if inner => {
                out.push(b'\'');
                put_number(out, self.parts.labels.integer(vertex as usize));
                out.push(b'\'');
            }
            (None, _) => put_number(out, self.parts.labels.integer(vertex as usize)),
            (Some(text), _) if inner && number(text).is_some() => {
                put_quoted(out, b'\'', self.parts.labels.label_text(vertex).unwrap_or(""));
            }
            (Some(text), _) if is_plain(text, self.keys.is_some()) => out.extend_from_slice(text),
            _ => put_quoted(out, b'\'', self.parts.labels.label_text(vertex).unwrap_or("")),
        }
        let comment = support.filter(|_| !self.labels_support);
        if self.style != AnnotationStyle::Nhx {
            self.put_comment(vertex, comment, out);
        }
        if let Some(&length) = self.parts.lengths.and_then(|lengths| lengths.get(vertex as usize))
            && (self.tree.parent(position).is_some()
                || length != 0.0
                || self.tree.roots() == self.tree.len())
        {
            out.push(b':');
            put_float(out, length);
        }
        if self.style == AnnotationStyle::Nhx {
            self.put_comment(vertex, comment, out);
        }
    }

    #[inline]
    fn put_comment(&self, vertex: u32, support: Option<f64>, out: &mut Vec<u8>) {
        let wanted = self.style != AnnotationStyle::None;
        if support.is_some() || (wanted && !self.parts.annotations.is_empty()) {
            self.put_some_comment(vertex, support, wanted, out);
        }
    }

    #[inline(never)]
    fn put_some_comment(&self, vertex: u32, support: Option<f64>, wanted: bool, out: &mut Vec<u8>) {
        let style = if wanted { self.style } else { AnnotationStyle::Beast };
        let support = support.map(|support| {
            let mut text = Vec::new();
            put_float(&mut text, support);
            String::from_utf8(text).unwrap_or_default()
        });
        let first = support.iter().map(|text| (SUPPORT_KEY, text.as_str()));
        let rest = self.parts.annotations.iter().filter(|_| wanted);
        let rest = rest.map(|one| (one.name.as_str(), one.get(vertex)));
        annotation::put(out, style, first.chain(rest.filter(|(_, text)| !text.is_empty())));
    }
}

/// Whether support, as labels of inner vertices, is read back as such.
fn support_is_label(tree: &Tree, parts: &TreeParts<'_>) -> bool {
    let Some(support) = parts.support else { return false };
    let (mut supported, mut labelled, mut more) = (0usize, 0usize, 0usize);
    for (position, &vertex) in (0..).zip(tree.vertices()) {
        let (value, inner) = (support[vertex as usize], !tree.is_leaf(position));
        let has_label = parts.labels.is_labelled(vertex);
        if !value.is_nan() {
            if !inner || has_label || !is_usual(value) {
                return false;
            }
            supported += 1;
        }
        labelled += usize::from(inner && has_label);
        let label = parts.labels.label_text(vertex).filter(|_| inner);
        more += usize::from(label.is_some_and(|label| is_more(label.as_bytes())));
    }
    supported > 0 && 2 * (supported + more) > supported + labelled
}

/// Appends a label, in quotes where a reader would take it apart.
#[inline]
fn put_label(out: &mut Vec<u8>, text: &str, nexus: bool) {
    match is_plain(text.as_bytes(), nexus) {
        true => out.extend_from_slice(text.as_bytes()),
        false => put_quoted(out, b'\'', text),
    }
}

/// Whether a label needs no quotes.
#[inline]
fn is_plain(text: &[u8], nexus: bool) -> bool {
    let plain = &PLAIN[usize::from(nexus)];
    text.iter().all(|&b| plain[b as usize]) && !text.starts_with("\u{feff}".as_bytes())
}

/// Which bytes need no quotes in Newick, and in NEXUS, which gives a meaning to most marks and reads
/// underscores as blanks.
const PLAIN: [[bool; 256]; 2] = {
    let mut plain = [[false; 256]; 2];
    let mut byte = 0;
    while byte < 256 {
        let b = byte as u8;
        let mark = matches!(b, b'_' | b'-' | b'|' | b'/' | b'+' | b'*' | b'@');
        plain[1][byte] = b.is_ascii_alphanumeric() || b == b'.' || b >= 0x80;
        plain[0][byte] = plain[1][byte] || mark;
        byte += 1;
    }
    plain
};

/// Writes Newick. See [`crate::write_tree`].
pub(crate) fn put_newick(
    out: &mut dyn Write,
    tree: &Tree,
    parts: &TreeParts<'_>,
    style: AnnotationStyle,
) -> io::Result<()> {
    let text = Text::new(tree, parts, style)?;
    blocks(out, tree.len(), |position, bytes| text.put(position as u32, bytes))
}

/// Writes NEXUS. See [`crate::write_tree`].
pub(crate) fn put_nexus(
    out: &mut dyn Write,
    tree: &Tree,
    parts: &TreeParts<'_>,
    style: AnnotationStyle,
) -> io::Result<()> {
    let mut text = Text::new(tree, parts, style)?;
    let (mut names, mut keys) = (Names::new(), vec![NONE; tree.len()]);
    for (position, &vertex) in (0..).zip(tree.vertices()) {
        if tree.is_leaf(position) && parts.labels.is_labelled(vertex) {
            keys[position as usize] = names.number(&parts.labels.label(vertex)).0;
        }
    }
    text.keys = Some(keys);
    let count = names.len();
    out.write_all(b"#NEXUS\n")?;
    let list = |out: &mut dyn Write, put: &(dyn Fn(u32, &mut Vec<u8>) + Sync)| {
        blocks(out, count, |key, bytes| put(key as u32, bytes))
    };
    if count > 0 {
        write!(out, "begin taxa;\n\tdimensions ntax={count};\n\ttaxlabels\n")?;
        list(out, &|key, bytes| {
            bytes.extend_from_slice(b"\t\t");
            put_label(bytes, names.get(key), true);
            bytes.push(b'\n');
        })?;
        out.write_all(b"\t;\nend;\n")?;
    }
    out.write_all(b"begin trees;\n")?;
    if count > 0 {
        out.write_all(b"\ttranslate\n")?;
        list(out, &|key, bytes| {
            bytes.extend_from_slice(b"\t\t");
            put_number(bytes, key + 1);
            bytes.push(b' ');
            put_label(bytes, names.get(key), true);
            bytes.extend_from_slice(if key as usize + 1 < count { b",\n" } else { b"\n" });
        })?;
        out.write_all(b"\t;\n")?;
    }
    blocks(out, tree.len(), |position, bytes| text.put(position as u32, bytes))?;
    out.write_all(b"end;\n")
}
