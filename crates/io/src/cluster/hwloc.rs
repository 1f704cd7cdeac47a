//! hwloc's XML: the cores of a node, in groups within groups.
//!
//! **Problem.** Elements `object` within each other, as `lstopo` writes them, to the sizes
//! of groups: packages of dies of shared caches of cores.
//! **Method.** Cores are processors; hardware threads (`PU`) are where there are no cores. Their
//! groups are the objects around them. A level whose groups have different numbers of cores is
//! left out, with a note; so is, without one, a level with one group, or with one core each.
//! **Cost.** Linear in cores times levels, besides the document.
//! **Reference.** hwloc 2.10, `hwloc2.dtd`; version 1 (`Socket`) is read too.

use crate::IoError;
use crate::quote::short;
use crate::source::{Source, plain};
use roxmltree::{Document, Node, ParsingOptions};

/// A node as a file states it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NodeFile {
    /// How many groups each group has, from the outermost in; the last are cores. Nothing for a
    /// single core.
    pub branches: Vec<u32>,
    /// What a user should know: one sentence each.
    pub notes: Vec<String>,
}

/// Reads hwloc's XML; `name` is for messages.
///
/// # Errors
/// What is no such document, or has no cores.
pub fn read_hwloc_bytes(name: &str, bytes: &[u8]) -> Result<NodeFile, IoError> {
    let data = plain(name, bytes)?;
    let source = Source::new(name, &data)?;
    let options = ParsingOptions { allow_dtd: true, ..ParsingOptions::default() };
    let document = Document::parse_with_options(source.text, options).map_err(|error| {
        source.on_line(error.pos().row.into(), "an XML document", error.to_string())
    })?;
    let top = document.root_element();
    if top.tag_name().name() != "topology" {
        let found = format!("`<{}>`", short(top.tag_name().name()));
        return Err(source.at(top.range().start, "an element `<topology>` of hwloc", found));
    }
    let of_type = |kind: &'static str| -> Vec<Node<'_, '_>> {
        top.descendants().filter(|node| kind_of(node) == Some(kind)).collect()
    };
    let mut cores = of_type("Core");
    if cores.is_empty() {
        cores = of_type("PU");
    }
    if cores.is_empty() {
        return Err(source.at(top.range().start, "objects of type Core or PU", "none"));
    }
    // By core, the objects around it, the outermost first: they come in the order of the text.
    let around = |core: &Node<'_, '_>| -> Vec<(usize, String)> {
        let outer = core.ancestors().skip(1).filter_map(|node| {
            let kind = kind_of(&node).filter(|&kind| kind != "Machine")?;
            Some((node.range().start, kind.to_string()))
        });
        let mut outer: Vec<(usize, String)> = outer.collect();
        outer.reverse();
        outer
    };
    let around: Vec<Vec<(usize, String)>> = cores.iter().map(around).collect();
    let depth = around.iter().map(Vec::len).max().unwrap_or(0);
    let mut notes = Vec::new();
    let mut sizes = vec![cores.len()];
    for level in 0..depth {
        let group = |of: &Vec<(usize, String)>| of.get(level).map(|object| object.0);
        let counts: Vec<usize> =
            around.chunk_by(|a, b| group(a) == group(b)).map(<[_]>::len).collect();
        let all_there = around.iter().all(|of| of.len() > level);
        if !all_there || counts.iter().any(|&count| count != counts[0]) {
            let kind = around.iter().find_map(|of| of.get(level)).map_or("", |object| &object.1);
            let (least, most) = (counts.iter().min(), counts.iter().max());
            let (least, most) = (least.unwrap_or(&0), most.unwrap_or(&0));
            notes.push(format!(
                "level {kind} is left out: its groups have between {least} and {most} cores"
            ));
        } else if counts[0] < sizes[sizes.len() - 1] {
            sizes.push(counts[0]);
        }
    }
    if sizes[sizes.len() - 1] > 1 {
        sizes.push(1);
    }
    let branches = sizes.windows(2).map(|pair| (pair[0] / pair[1]) as u32).collect();
    Ok(NodeFile { branches, notes })
}

/// The type of an object.
fn kind_of<'a>(node: &Node<'a, '_>) -> Option<&'a str> {
    if node.tag_name().name() == "object" { node.attribute("type") } else { None }
}
