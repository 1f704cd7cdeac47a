//! Whether the first row of a table is a header.
//!
//! **Problem.** `person id` above `person name` is an edge, though `id` is a word that headers
//! have: a header taken for a row adds vertices, and a row taken for a header is lost.
//! **Method.** The words that headers have for a vertex, a child and a parent are listed below.
//! - A row with a word for the vertex and one for its parent is a header, unless it could be a
//!   row as well: in an edge list when one of its first two fields stands below, in a parent
//!   table when the parent it would have is a row and the vertex is none. That is an error.
//! - A row of words above rows of integers only is a header.
//! - A row with one of those words only is a row if it is linked to others (or a root, or
//!   alone); otherwise it is an error.
//! - All other first rows are rows.
//!
//! The caller may say which it is, and does so by asking for a column by its name.
//! **Cost.** A search for a word through the bytes, much faster than reading rows; where a word
//! is found, or words stand above integers, a pass over the rows.

use crate::IoError;
use crate::fast::{Cell, means_no_parent};
use crate::labels::Labels;
use crate::number::canonical;
use crate::quote::{listed, shown};
use crate::rows::Rows;
use crate::source::Source;
use memchr::memmem;

/// The first of these that the header has is taken.
pub(crate) const VERTEX_NAMES: [&str; 8] =
    ["id", "node", "vertex", "taxid", "tax_id", "node_id", "name", "label"];
pub(crate) const CHILD_NAMES: [&str; 5] = ["child", "child_id", "target", "to", "dst"];
pub(crate) const PARENT_NAMES: [&str; 11] = [
    "parent",
    "parent_id",
    "parent id",
    "parentid",
    "parent_taxid",
    "parent_tax_id",
    "parent tax_id",
    "ancestor",
    "source",
    "from",
    "src",
];

/// Where a first row has a word that headers have.
#[derive(Debug, Clone, Copy)]
pub(crate) struct HeaderWords {
    pub(crate) vertex: Option<usize>,
    pub(crate) child: Option<usize>,
    pub(crate) parent: Option<usize>,
}

impl HeaderWords {
    /// Finds them among fields in lower case.
    pub(crate) fn of(first: &[String]) -> HeaderWords {
        let find =
            |names: &[&str]| names.iter().find_map(|name| first.iter().position(|f| f == name));
        HeaderWords {
            vertex: find(&VERTEX_NAMES),
            child: find(&CHILD_NAMES),
            parent: find(&PARENT_NAMES),
        }
    }
}

/// Whether a text is a word that headers have for a vertex or a parent.
pub(crate) fn is_word(text: &str) -> bool {
    let text = text.to_lowercase();
    [&VERTEX_NAMES[..], &CHILD_NAMES, &PARENT_NAMES].concat().contains(&text.as_str())
}

/// A word for the parent that leaves no doubt that `id` and it are a header: no name, unless
/// `id` is one too, which could then be no row.
pub(crate) fn parent_word(labels: &Labels) -> String {
    free_word(&PARENT_NAMES, |word| is_name(labels, word) && !is_name(labels, "id"))
}

/// Words for the two ends of an edge that are no names.
pub(crate) fn edge_words(labels: &Labels) -> [String; 2] {
    [&PARENT_NAMES[..], &CHILD_NAMES].map(|names| free_word(names, |word| is_name(labels, word)))
}

/// The first word, or else the first in capitals, that is not taken.
fn free_word(words: &[&str], taken: impl Fn(&str) -> bool) -> String {
    let capitals = words.iter().map(|word| word.to_uppercase());
    let mut all = words.iter().map(ToString::to_string).chain(capitals);
    all.find(|word| !taken(word)).unwrap_or_else(|| words[0].to_string())
}

fn is_name(labels: &Labels, word: &str) -> bool {
    let named = |v: u32| labels.text(v) == Some(word) && !labels.is_numbered(v);
    !labels.are_integers() && (0..labels.len() as u32).any(named)
}

/// Whether the first row is a header; `below` are the rows after it. See the module.
pub(crate) fn is_header(
    source: &Source<'_>,
    line: u64,
    first: &[String],
    words: HeaderWords,
    below: &Rows<'_>,
    edges: bool,
) -> Result<bool, IoError> {
    let below =
        Below { source, rows: below, vertex: usize::from(edges), parent: usize::from(!edges) };
    let (vertex, parent) = (first[below.vertex].as_str(), first[below.parent].as_str());
    let unclear = || {
        let found = shown(&listed(first));
        Err(IoError::Header { file: source.name.to_string(), line, found })
    };
    if means_no_parent(parent) {
        return Ok(false);
    }
    let (child, above) = (words.vertex.or(words.child).is_some(), words.parent.is_some());
    if child && above {
        let row = match edges {
            true => below.has(&[0, 1], vertex) || below.has(&[0, 1], parent),
            false => below.has(&[0], parent) && !below.has(&[0], vertex),
        };
        return if row { unclear() } else { Ok(true) };
    }
    let number = |text: &str| canonical(text.as_bytes()).is_some();
    if !number(vertex) && !number(parent) && below.are_integers() {
        return Ok(true);
    }
    if !child && !above {
        return Ok(false);
    }
    let linked = match edges {
        true => below.has(&[0, 1], vertex) || below.has(&[0, 1], parent),
        false => below.has(&[0], parent),
    };
    if linked || below.is_empty() { Ok(false) } else { unclear() }
}

/// The rows after the first, and which fields have the vertex and its parent without a header.
struct Below<'a, 'b> {
    source: &'a Source<'b>,
    rows: &'a Rows<'b>,
    vertex: usize,
    parent: usize,
}

impl Below<'_, '_> {
    fn bytes(&self) -> &[u8] {
        &self.source.bytes()[self.rows.at..]
    }

    /// Whether no row is there. An error in a row is reported when it is read as data.
    fn is_empty(&self) -> bool {
        matches!(self.rows.clone().next(&mut Vec::new()), Ok(None))
    }

    /// Whether a row has the text in one of the columns.
    fn has(&self, columns: &[usize], text: &str) -> bool {
        // Quotes are written twice; all else stands in the file as it is.
        if !text.contains('"') && memmem::find(self.bytes(), text.as_bytes()).is_none() {
            return false;
        }
        let (mut rows, mut fields) = (self.rows.clone(), Vec::new());
        while let Ok(Some(_)) = rows.next(&mut fields) {
            let has =
                |&column: &usize| fields.get(column).is_some_and(|f| f.text(self.source) == text);
            if columns.iter().any(has) {
                return true;
            }
        }
        false
    }

    /// Whether there are rows, and all have integers for the vertex and its parent.
    fn are_integers(&self) -> bool {
        let mut rows = self.rows.clone();
        let mut fields = Vec::new();
        let integers = |fields: &[crate::rows::Field]| {
            let text = |column: usize| fields.get(column).map(|field| field.text(self.source));
            let number = |text: &str| canonical(text.as_bytes()).is_some();
            text(self.vertex).is_some_and(|id| number(&id))
                && text(self.parent).is_some_and(|id| number(&id) || means_no_parent(&id))
        };
        // Mostly the next row decides.
        if !matches!(rows.next(&mut fields), Ok(Some(_))) || !integers(&fields) {
            return false;
        }
        let mut cells = vec![Cell::Skip; fields.len()];
        (cells[self.vertex], cells[self.parent]) = (Cell::Key, Cell::Parent);
        if self.rows.numbers(&cells).is_some() {
            return true;
        }
        while let Ok(Some(_)) = rows.next(&mut fields) {
            if !integers(&fields) {
                return false;
            }
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use crate::{Format, IoError, ReadParams, TreeFile, read_tree_bytes};

    fn read(format: Format, text: &str) -> Result<TreeFile, IoError> {
        let params = ReadParams { format: Some(format), ..ReadParams::default() };
        read_tree_bytes("t", text.as_bytes(), &params)
    }

    fn vertices(format: Format, text: &str) -> Option<usize> {
        match read(format, text) {
            Ok(file) => Some(file.len()),
            Err(IoError::Header { line: 1, .. }) => None,
            Err(other) => panic!("{text}: {other}"),
        }
    }

    #[test]
    fn edge_lists() {
        for (text, expected) in [
            // An edge, though it has a word of headers: it is linked to others, or alone.
            ("person id\nperson name\nname first\n", Some(4)),
            ("name id\n", Some(2)),
            ("a to\n", Some(2)),
            // Words for both ends, none of them below.
            ("source target\na b\na c\n", Some(3)),
            ("Parent Child weight\na b 1\na c 2\n", Some(3)),
            ("child,parent\nb,a\nc,a\n", Some(3)),
            // Words above integers.
            ("x y\n1 2\n1 3\n", Some(3)),
            ("x id\n1 2\n1 3\n", Some(3)),
            // Not all are integers: a second tree.
            ("x y\n1 2\na b\n", Some(6)),
            // Either is possible.
            ("source target\ntarget a\n", None),
            ("name first\na b\n", None),
            // A root is stated.
            ("\"\" id\nid a\n", Some(2)),
        ] {
            assert_eq!(vertices(Format::Edges, text), expected, "{text}");
        }
    }

    #[test]
    fn parent_tables() {
        for (text, expected) in [
            ("id,parent\na,\nb,a\n", Some(2)),
            ("mass,id,parent,note\n1,a,,x\n2,b,a,id\n", Some(2)),
            ("id,up\n1,\n2,1\n", Some(2)),
            // `id` is a row's label, and cannot be two rows'.
            ("id,parent\nid,\nb,id\n", Some(2)),
            ("id,parent\nid,\nparent,id\n", Some(2)),
            ("id,parent\nparent,\nb,parent\n", None),
            // A row: its parent is one, or it has none.
            ("name,first\nfirst,\n", Some(2)),
            ("name,\nfirst,name\n", Some(2)),
            ("id,NA\nb,id\n", Some(2)),
            ("\"id\",\"\"\n", Some(1)),
            // A typo in the parent does not make a header.
            ("name,frist\nfirst,\nlast,first\n", None),
            ("taxon,parent\na,\nb,a\n", None),
        ] {
            assert_eq!(vertices(Format::Csv, text), expected, "{text}");
        }
        let asked = ReadParams {
            format: Some(Format::Csv),
            columns: vec![("kg".into(), crate::ValueType::F64.into())],
            ..ReadParams::default()
        };
        assert_eq!(read_tree_bytes("t", b"part,of,kg\na,,1\nb,a,2\n", &asked).unwrap().len(), 2);
    }
}
