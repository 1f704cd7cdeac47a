//! PhyloXML.
//!
//! **Problem.** Elements `clade` in each other, with names, branch lengths, confidences, taxonomies
//! and properties, to parents, labels, lengths, support and annotations.
//! **Method.** The document is parsed as a whole; its clades are taken from a stack, in the order of
//! the text. A clade without a name is called by its scientific name, or else by its code. The
//! first type of confidence is support; others are annotations by their types, as are `taxonomy_id`,
//! `taxonomy_code`, `scientific_name`, `common_name`, `rank` and properties by their references.
//! Several phylogenies are several trees. All other elements are left out, and counted by name: what is
//! inside of them is not.
//! **Cost.** Linear; besides the text about 200 bytes per clade.
//! **Reference.** Han, Zmasek, phyloXML, BMC Bioinformatics 10 (2009).

use crate::IoError;
use crate::annotation::Annotation;
use crate::labels::Labels;
use crate::lines::Lines;
use crate::names::Names;
use crate::number::float;
use crate::quote::shown;
use crate::source::Source;
use crate::texts::Texts;
use crate::tree_file::{ReadParams, Rooting, SupportLabels, TreeChoice, TreeFacts, TreeFile};
use palmette_core::{MAX_VERTICES, NONE};
use roxmltree::{Document, Node, ParsingOptions};
use std::collections::BTreeMap;

/// What is read so far.
struct Reader<'a> {
    source: Source<'a>,
    params: &'a ReadParams,
    parents: Vec<u32>,
    labels: Texts,
    lengths: Vec<f64>,
    measured: bool,
    /// Where the first clade without a length begins.
    unmeasured: Option<usize>,
    keys: Names,
    texts: Vec<Vec<(u32, String)>>,
    /// The type of confidence that is support.
    confidence: Option<String>,
    support: Vec<(u32, f64)>,
    trees: Vec<TreeFacts>,
    left_out: BTreeMap<String, usize>,
    lines: Lines,
    line: u64,
    at: usize,
}

pub(crate) fn read(source: &Source<'_>, params: &ReadParams) -> Result<TreeFile, IoError> {
    let options = ParsingOptions { allow_dtd: true, ..ParsingOptions::default() };
    let document = Document::parse_with_options(source.text, options).map_err(|error| {
        source.on_line(error.pos().row.into(), "an XML document", error.to_string())
    })?;
    let top = document.root_element();
    if top.tag_name().name() != "phyloxml" {
        let found = format!("`<{}>`", crate::quote::short(top.tag_name().name()));
        return Err(source.at(top.range().start, "an element `<phyloxml>`", found));
    }
    let mut reader = Reader::new(*source, params);
    reader.phylogenies(top)?;
    reader.finish()
}

fn children<'a, 'd>(
    of: Node<'a, 'd>,
    name: &'static str,
) -> impl DoubleEndedIterator<Item = Node<'a, 'd>> {
    of.children().filter(move |child| child.is_element() && child.tag_name().name() == name)
}

fn text<'a>(of: Node<'a, '_>) -> &'a str {
    of.text().unwrap_or_default().trim()
}

impl<'a> Reader<'a> {
    fn new(source: Source<'a>, params: &'a ReadParams) -> Reader<'a> {
        Reader {
            source,
            params,
            parents: Vec::new(),
            labels: Texts::default(),
            lengths: Vec::new(),
            measured: false,
            unmeasured: None,
            keys: Names::new(),
            texts: Vec::new(),
            confidence: None,
            support: Vec::new(),
            trees: Vec::new(),
            left_out: BTreeMap::new(),
            lines: Lines::by_run(),
            line: 1,
            at: 0,
        }
    }

    fn phylogenies(&mut self, top: Node<'_, '_>) -> Result<(), IoError> {
        let choice = self.params.tree;
        let mut count = 0;
        for phylogeny in children(top, "phylogeny") {
            for clade in children(phylogeny, "clade").take(1) {
                count += 1;
                match choice {
                    TreeChoice::Only if count > 1 => {
                        return Err(self.source.another_tree(clade.range().start));
                    }
                    TreeChoice::Index(index) if count != index + 1 => continue,
                    TreeChoice::Marked => continue,
                    _ => {}
                }
                let name = children(phylogeny, "name").next().map(text).unwrap_or_default();
                let rooting = match phylogeny.attribute("rooted") {
                    Some("true" | "1") => Rooting::Rooted,
                    Some("false" | "0") => Rooting::Unrooted,
                    _ => Rooting::Unstated,
                };
                let name = name.to_string();
                self.trees.push(TreeFacts { name, rooting, ..TreeFacts::default() });
                let known = |of: &Node<'_, '_>| matches!(of.tag_name().name(), "name" | "clade");
                for other in phylogeny.children().filter(|of| of.is_element() && !known(of)) {
                    self.leave_out(other.tag_name().name());
                }
                self.clades(clade)?;
            }
        }
        let start = top.range().start;
        match choice {
            TreeChoice::Marked => Err(self.source.at(start, "a tree marked with `*`", "PhyloXML")),
            TreeChoice::Index(index) if index >= count => {
                let found = format!("{count} trees in the file");
                Err(self.source.at(start, format!("a tree with index {index}"), found))
            }
            _ if count == 0 => {
                let found = "a file without trees";
                Err(self.source.at(start, "a `<phylogeny>` with a `<clade>`", found))
            }
            _ => Ok(()),
        }
    }

    /// Reads the clades below one, without recursion: trees may be deep.
    fn clades(&mut self, root: Node<'_, '_>) -> Result<(), IoError> {
        let mut open = vec![(root, NONE)];
        while let Some((clade, parent)) = open.pop() {
            let vertex = self.parents.len() as u32;
            let start = clade.range().start;
            if vertex as usize >= MAX_VERTICES {
                let expected = format!("at most {MAX_VERTICES} vertices");
                return Err(self.source.at(start, expected, "more"));
            }
            // Clades of other trees that are skipped are before this one.
            let passed = self.at.min(start)..start;
            self.line += memchr::memchr_iter(b'\n', &self.source.bytes()[passed]).count() as u64;
            self.at = start;
            self.lines.push(vertex, self.line);
            self.parents.push(parent);
            self.clade(clade, vertex)?;
            open.extend(children(clade, "clade").rev().map(|child| (child, vertex)));
        }
        Ok(())
    }

    fn clade(&mut self, clade: Node<'_, '_>, vertex: u32) -> Result<(), IoError> {
        let (mut name, mut length) = ("", clade.attribute("branch_length"));
        let (mut scientific, mut code) = ("", "");
        for child in clade.children().filter(Node::is_element) {
            match child.tag_name().name() {
                "name" => name = text(child),
                "branch_length" => length = Some(text(child)),
                "confidence" => self.confidence(child, vertex)?,
                "property" => {
                    let key = child.attribute("ref").unwrap_or("property");
                    self.note(key, vertex, text(child));
                }
                "taxonomy" => {
                    for part in child.children().filter(Node::is_element) {
                        let key = match part.tag_name().name() {
                            "id" => "taxonomy_id",
                            "code" => "taxonomy_code",
                            "scientific_name" => "scientific_name",
                            "common_name" => "common_name",
                            "rank" => "rank",
                            other => {
                                self.leave_out(other);
                                continue;
                            }
                        };
                        match key {
                            "scientific_name" => scientific = text(part),
                            "taxonomy_code" => code = text(part),
                            _ => {}
                        }
                        self.note(key, vertex, text(part));
                    }
                }
                "clade" => {}
                other => self.leave_out(other),
            }
        }
        let named = [name, scientific, code].into_iter().find(|text| !text.is_empty());
        self.labels.push(named.unwrap_or_default());
        if !self.params.lengths {
            return Ok(());
        }
        let is_root = self.parents[vertex as usize] == NONE;
        let Some(length) = length else {
            let given = self.params.missing_length.unwrap_or(0.0);
            self.lengths.push(if is_root { 0.0 } else { given });
            if !is_root {
                self.unmeasured.get_or_insert(clade.range().start);
            }
            return Ok(());
        };
        match float(length.trim().as_bytes()).filter(|length| length.is_finite()) {
            Some(length) => self.lengths.push(length),
            None => {
                let expected = "a finite number as the branch length";
                return Err(self.source.at(clade.range().start, expected, shown(length)));
            }
        }
        self.measured = true;
        Ok(())
    }

    fn leave_out(&mut self, element: &str) {
        *self.left_out.entry(element.to_string()).or_default() += 1;
    }

    fn confidence(&mut self, element: Node<'_, '_>, vertex: u32) -> Result<(), IoError> {
        let kind = element.attribute("type").unwrap_or("confidence");
        let first = self.confidence.get_or_insert_with(|| kind.to_string()).as_str();
        if first != kind || self.params.support == SupportLabels::No {
            self.note(kind, vertex, text(element));
            return Ok(());
        }
        match float(text(element).as_bytes()).filter(|value| value.is_finite()) {
            Some(value) => self.support.push((vertex, value)),
            None => {
                let at = element.range().start;
                return Err(self.source.at(at, "a number as confidence", shown(text(element))));
            }
        }
        Ok(())
    }

    fn note(&mut self, key: &str, vertex: u32, text: &str) {
        if text.is_empty() {
            return;
        }
        let (number, is_new) = self.keys.number(key);
        if is_new {
            self.texts.push(Vec::new());
        }
        self.texts[number as usize].push((vertex, text.to_string()));
    }

    fn finish(self) -> Result<TreeFile, IoError> {
        let params = self.params;
        let lengths = self.measured.then_some(self.lengths);
        if lengths.is_some()
            && params.missing_length.is_none()
            && let Some(at) = self.unmeasured
        {
            return Err(self.source.without_length(at));
        }
        let n = self.parents.len();
        let mut support = (!self.support.is_empty()).then(|| vec![f64::NAN; n]);
        for (vertex, value) in self.support {
            support.iter_mut().for_each(|all| all[vertex as usize] = value);
        }
        let labels = match params.labels {
            true => Labels::from_texts(self.labels),
            false => Labels::numbers(n),
        };
        let keys = &self.keys;
        let annotation = |(k, texts): (u32, &Vec<(u32, String)>)| {
            let texts = texts.iter().map(|(v, text)| (*v, text.as_str()));
            Annotation::of_some(keys.get(k).to_string(), n, texts)
        };
        let annotations = (0..).zip(&self.texts).map(annotation).collect();
        let file = TreeFile::new(self.source.name, self.parents, labels);
        let (trees, lines) = (self.trees, self.lines);
        let elements = self.left_out.into_iter().collect();
        let mut file = TreeFile { lengths, support, annotations, trees, elements, lines, ..file };
        file.take_columns(params)?;
        Ok(file)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read_tree_bytes;

    fn read(text: &str) -> Result<TreeFile, IoError> {
        let params = ReadParams { lengths: true, annotations: true, ..Default::default() };
        read_tree_bytes("t.xml", text.as_bytes(), &params)
    }

    #[test]
    fn deep_trees_need_no_stack() {
        let depth = 200_000;
        let text = format!(
            "<phyloxml><phylogeny>{}<name>tip</name>{}</phylogeny></phyloxml>",
            "<clade>".repeat(depth),
            "</clade>".repeat(depth)
        );
        let file = read(&text).expect("a path");
        assert_eq!((file.len(), file.labels.label(depth as u32 - 1)), (depth, "tip".into()));
    }

    #[test]
    fn what_is_not_kept_is_counted() {
        let inner = "<description/><clade><events/><clade><sequence><name>s</name></sequence></clade>\
            <clade><sequence/><taxonomy><synonym>x</synonym></taxonomy></clade></clade>";
        let text = format!("<phyloxml><phylogeny>{inner}</phylogeny></phyloxml>");
        let note = read(&text).expect("a tree").left_out().expect("a note");
        let parts = "1 `<description>`, 1 `<events>`, 2 `<sequence>`, 1 `<synonym>`";
        assert_eq!(note, format!("t.xml: elements were left out: {parts}"));
    }

    #[test]
    fn what_is_wrong_is_said_with_its_place() {
        let tree = |inner: &str| format!("<phyloxml>\n<phylogeny>{inner}</phylogeny></phyloxml>");
        for (text, parts) in [
            ("<phyloxml>".to_string(), ["line 1", "an XML document"]),
            ("<nexml/>".to_string(), ["line 1", "`<nexml>`"]),
            (tree(""), ["line 1", "a file without trees"]),
            (tree("<clade branch_length='x'/>"), ["line 2", "branch length"]),
            (
                tree("<clade><confidence>?</confidence></clade>"),
                ["line 2", "a number as confidence"],
            ),
            (
                tree("<clade><clade branch_length='1'/><clade/></clade>"),
                ["line 2", "without a branch"],
            ),
        ] {
            let error = read(&text).expect_err("it is refused").to_string();
            assert!(parts.iter().all(|part| error.contains(part)), "{error}");
        }
    }
}
