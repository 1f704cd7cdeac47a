//! A phylogeny to look around in: one page that pans, zooms, searches, collapses.
//!
//! **Problem.** A tree of up to some 10^6 tips; one file of HTML that opens within two seconds and
//! fetches nothing.
//!
//! **Method.** Columns in preorder, each as small as it is easy: the number of children per vertex
//! (which says the whole shape), the lengths of branches as `f32`, those of names in bytes and the names
//! in one piece, supports and values if there are any. Numbers of more than one byte lie byte plane by
//! byte plane, so that their equal first bytes are together. All is packed by gzip and written as
//! base64. The script unpacks it (`DecompressionStream`), makes sums in typed arrays, and draws
//! only what has a pixel of its own: a subtree of less than a row of pixels is one stroke.
//!
//! **Cost.** Linear; a tree of 10^6 tips with names of 7 letters takes about 10 MB.

use super::BranchColours;
use crate::base64::base64;
use crate::colour::viridis;
use crate::page::head;
use crate::scale::{Spread, range};
use crate::svg::escape;
use flate2::Compression;
use flate2::write::GzEncoder;
use palmette_core::NONE;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::borrow::Cow;
use std::fmt::Write as _;
use std::io::Write as _;

const STYLE: &str = include_str!("assets/tree.css");
/// One module, in files by what they do; the first two are those of reports.
const SCRIPT: &str = concat!(
    include_str!("../report_page/assets/theme.js"),
    include_str!("../report_page/assets/hint.js"),
    include_str!("assets/data.js"),
    include_str!("assets/layout.js"),
    include_str!("assets/paint.js"),
    include_str!("assets/round.js"),
    include_str!("assets/search.js"),
    include_str!("assets/panel.js"),
    include_str!("assets/tree.js"),
);
/// Steps of the scale of colours.
const STEPS: usize = 32;

/// A page of a phylogeny. Slices are indexed by position in preorder.
///
/// ```
/// use palmette_core::NONE;
/// use palmette_report::TreePage;
/// let names = ["", "Gorilla", "", "Homo", "Pan"];
/// let labels = |position: u32| names[position as usize].into();
/// let page = TreePage::new("Great apes", &[NONE, 0, 0, 2, 2], &labels).to_html();
/// assert!(page.starts_with("<!DOCTYPE html>"));
/// ```
pub struct TreePage<'a> {
    /// The heading.
    pub title: &'a str,
    /// The parent of every position, which comes before it; [`NONE`] for a root.
    pub parents: &'a [u32],
    /// The name of a position; empty where it has none.
    pub labels: &'a dyn Fn(u32) -> Cow<'a, str>,
    /// The length of the edge to the parent; what is not finite counts as 0.
    pub lengths: Option<&'a [f64]>,
    /// The unit of lengths; may be empty.
    pub unit: &'a str,
    /// Support by position, NaN for none.
    pub support: Option<&'a [f64]>,
    /// What colours branches.
    pub colours: Option<BranchColours<'a>>,
    /// What the key says of them beside.
    pub colour_note: &'a str,
    /// A still picture for those without a script; may be empty.
    pub still: &'a str,
    /// Whether the page opens with the tree on a circle; a button changes it.
    pub circular: bool,
}

impl<'a> TreePage<'a> {
    /// A page of a tree by depth.
    pub fn new(
        title: &'a str,
        parents: &'a [u32],
        labels: &'a dyn Fn(u32) -> Cow<'a, str>,
    ) -> Self {
        TreePage {
            title,
            parents,
            labels,
            lengths: None,
            unit: "",
            support: None,
            colours: None,
            colour_note: "",
            still: "",
            circular: false,
        }
    }

    /// The page.
    ///
    /// # Panics
    /// When the slices have different lengths or the parents are not in preorder.
    pub fn to_html(&self) -> String {
        let n = self.parents.len();
        let mut columns = Columns::default();
        columns.add("children", child_counts(self.parents));
        let (lengths, names) = self.names();
        columns.add("name_lengths", lengths);
        columns.add("names", names);
        for (name, numbers) in [("lengths", self.lengths), ("support", self.support)] {
            if let Some(numbers) = numbers {
                assert_eq!(numbers.len(), n, "one of {name} per position");
                columns.add(name, planes(numbers));
            }
        }
        let facts = json!({
            "vertices": n,
            "unit": self.unit,
            "circular": self.circular,
            "colours": self.colours.as_ref().map(|colours| self.colours(colours, &mut columns)),
            "columns": columns.list,
        });
        // Only strings can hold a `<`, and there an escape means the same.
        let facts = facts.to_string().replace('<', "\\u003c");
        let (packing, packed) = columns.packed();
        let title = escape(self.title);
        let mut page = head(&title, &policy(), &[STYLE]);
        page.reserve(packed.len() * 4 / 3 + 100_000);
        let _ = write!(
            page,
            "<header>\n<h1>{title}</h1>\n<div id=\"tools\"></div>\n</header>\n\
             <main><div id=\"stage\" tabindex=\"0\" role=\"application\" aria-label=\"{title}\">\
             </div><aside id=\"side\"></aside></main>\n<noscript>{}</noscript>\n\
             <script type=\"application/json\" id=\"facts\">{facts}</script>\n\
             <script type=\"text/plain\" id=\"data\" data-packing=\"{packing}\">{}</script>\n\
             <script type=\"module\">{SCRIPT}</script>\n</body>\n</html>\n",
            self.still,
            base64(&packed),
        );
        page
    }

    /// The number of bytes of each name, and all names.
    fn names(&self) -> (Vec<u8>, Vec<u8>) {
        let (mut lengths, mut names) = (Vec::new(), Vec::new());
        for position in 0..self.parents.len() as u32 {
            let name = (self.labels)(position);
            push_number(&mut lengths, name.len() as u32);
            names.extend_from_slice(name.as_bytes());
        }
        (lengths, names)
    }

    /// What the script must know of colours, whose column it adds.
    fn colours(&self, colours: &BranchColours<'_>, columns: &mut Columns) -> Value {
        match colours {
            BranchColours::Values { name, values } => {
                assert_eq!(values.len(), self.parents.len(), "one value per position");
                columns.add("values", planes(values));
                let finite = || values.iter().copied().filter(|v| v.is_finite());
                let log = Spread::by_range(finite(), 50.0) == Spread::Log;
                let (low, high) = range(finite());
                let stops: Vec<String> =
                    (0..STEPS).map(|i| viridis(i as f64 / (STEPS - 1) as f64)).collect();
                json!({ "name": name, "low": low, "high": high, "log": log, "stops": stops,
                    "note": self.colour_note })
            }
            BranchColours::Classes { name, classes, names } => {
                assert_eq!(classes.len(), self.parents.len(), "one class per position");
                let byte = |&class: &u32| match class {
                    NONE => 255,
                    class => class.min(super::colours::CLASSES as u32) as u8,
                };
                columns.add("classes", classes.iter().map(byte).collect());
                let names = &names[..names.len().min(super::colours::CLASSES)];
                json!({ "name": name, "classes": names, "note": self.colour_note })
            }
        }
    }
}

/// Columns one after the other, with their names and sizes.
#[derive(Default)]
struct Columns {
    list: Vec<Value>,
    bytes: Vec<u8>,
}

impl Columns {
    fn add(&mut self, name: &str, mut bytes: Vec<u8>) {
        self.list.push(json!([name, bytes.len()]));
        self.bytes.append(&mut bytes);
    }

    /// Packed where that is smaller.
    fn packed(self) -> (&'static str, Vec<u8>) {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::new(5));
        let packed = encoder.write_all(&self.bytes).and_then(|()| encoder.finish());
        match packed {
            Ok(packed) if packed.len() < self.bytes.len() => ("gzip", packed),
            _ => ("none", self.bytes),
        }
    }
}

/// The number of children by position; parents come before their children.
fn child_counts(parents: &[u32]) -> Vec<u8> {
    let mut counts = vec![0u32; parents.len()];
    for (i, &parent) in parents.iter().enumerate().filter(|(_, p)| **p != NONE) {
        assert!((parent as usize) < i, "position {i} comes before its parent {parent}");
        counts[parent as usize] += 1;
    }
    let mut bytes = Vec::with_capacity(parents.len());
    counts.into_iter().for_each(|count| push_number(&mut bytes, count));
    bytes
}

/// Seven bits per byte, the lowest first; all bytes but the last have the highest bit.
fn push_number(bytes: &mut Vec<u8>, mut number: u32) {
    while number >= 128 {
        bytes.push(number as u8 | 128);
        number >>= 7;
    }
    bytes.push(number as u8);
}

/// Numbers as `f32`, byte plane by byte plane, the highest last.
fn planes(numbers: &[f64]) -> Vec<u8> {
    let n = numbers.len();
    let mut bytes = vec![0; 4 * n];
    for (i, &number) in numbers.iter().enumerate() {
        for (k, byte) in (number as f32).to_le_bytes().into_iter().enumerate() {
            bytes[k * n + i] = byte;
        }
    }
    bytes
}

/// Nothing may be fetched, and only our script may run.
fn policy() -> String {
    let hash = base64(&Sha256::digest(SCRIPT.as_bytes()));
    format!(
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; \
         style-src 'unsafe-inline'; img-src data: blob:; script-src 'sha256-{hash}'; \
         base-uri 'none'; form-action 'none'\"/>\n"
    )
}
