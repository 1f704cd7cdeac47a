//! File extensions and the formats they promise. No output is written in a format that contradicts
//! its name.

use anyhow::bail;
use palmette::io::{FilePlace, ending};
use palmette::spatial::machine::TraceFormat;
use std::path::Path;

/// What an output is.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Kind {
    /// Suitable extensions, the usual ones first.
    endings: &'static [&'static str],
    rule: Rule,
    /// A hint for users who want another format.
    hint: &'static str,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Rule {
    /// The extension decides the format.
    ByName,
    /// The format is fixed; an extension of another format is refused.
    Known,
    /// The format is given elsewhere; the name may be anything.
    Said,
}

/// How many of its extensions a message names.
const USUAL: usize = 5;

/// Extensions with a well-known meaning.
const MEANINGFUL: &[&str] = &[
    "7z", "arrow", "asc", "avif", "bmp", "br", "bz2", "c", "cdf", "cir", "csv", "db", "doc",
    "docx", "dot", "edgelist", "edges", "el", "emf", "eps", "fa", "faa", "fas", "fasta", "feather",
    "fna", "gexf", "gif", "gml", "goal", "gpkg", "graph", "graphml", "gv", "h5", "hdf5", "heic",
    "htm", "html", "inp", "ipynb", "jpeg", "jpg", "json", "jsonl", "lz4", "mat", "md", "medit",
    "mesh", "meshb", "metis", "mm", "mp4", "msh", "mtx", "nc", "net", "newick", "nex", "nexus",
    "nhx", "npy", "npz", "nw", "nwk", "nxs", "obj", "ods", "off", "pal", "parquet", "pdb", "pdf",
    "phyloxml", "pickle", "pkl", "ply", "png", "pptx", "ps", "pvd", "pvtu", "rar", "rds", "sp",
    "spice", "sqlite", "stl", "su2", "svg", "tab", "tar", "tex", "tgz", "tif", "tiff", "toml",
    "tre", "tree", "treefile", "tsv", "txt", "vtk", "vtp", "vtu", "webp", "xls", "xlsx", "xml",
    "xyz", "xz", "yaml", "zarr", "zip",
];

impl Kind {
    const fn by_name(endings: &'static [&'static str]) -> Kind {
        Kind { endings, rule: Rule::ByName, hint: "" }
    }

    const fn known(endings: &'static [&'static str]) -> Kind {
        Kind { endings, rule: Rule::Known, hint: "" }
    }

    /// Answers by row.
    pub(crate) const TABLE: Kind = Kind::by_name(&[
        "csv", "tsv", "npy", "parquet", "arrow", "feather", "ipc", "pq", "tab", "txt",
    ]);
    /// Answers by row that are no single column of numbers.
    pub(crate) const COLUMNS: Kind =
        Kind::by_name(&["csv", "tsv", "parquet", "arrow", "feather", "ipc", "pq", "tab", "txt"]);
    /// Answers by row, as text.
    pub(crate) const COLUMNS_OF_TEXT: Kind = Kind::by_name(&["csv", "tsv", "tab", "txt"]);
    /// Numbers by cell of a raster, or by vertex.
    pub(crate) const CELLS: Kind = Kind::by_name(&[
        "asc", "csv", "tsv", "npy", "parquet", "arrow", "feather", "ipc", "pq", "tab", "txt",
    ]);
    /// A raster.
    pub(crate) const RASTER: Kind = Kind::by_name(&["asc"]);
    /// Numbers of all pairs.
    pub(crate) const SQUARE: Kind = Kind::by_name(&["csv", "tsv", "npy", "tab", "txt"]);
    /// Sequences, or a table of them.
    pub(crate) const SEQUENCES: Kind =
        Kind::by_name(&["fasta", "csv", "tsv", "fa", "fas", "fna", "faa", "tab", "txt"]);
    /// Columns of numbers.
    pub(crate) const VECTORS: Kind =
        Kind::by_name(&["csv", "tsv", "npy", "mtx", "mm", "tab", "txt"]);
    /// A table of parents.
    pub(crate) const PARENTS: Kind = Kind::by_name(&["csv", "tsv", "npy", "tab"]);
    /// A picture.
    pub(crate) const SVG: Kind = Kind { hint: "; use --png FILE for PNG", ..Kind::known(&["svg"]) };
    /// A picture of pixels.
    pub(crate) const PNG: Kind =
        Kind { hint: "; use --svg FILE for SVG", ..Kind::by_name(&["png"]) };
    /// A page for browsers.
    pub(crate) const PAGE: Kind = Kind::known(&["html", "htm"]);
    /// A record, a placement, routes.
    pub(crate) const JSON: Kind = Kind::known(&["json"]);
    /// A whole number per line.
    pub(crate) const NUMBERS: Kind = Kind::known(&["txt", "csv"]);
    /// A netlist.
    pub(crate) const NETLIST: Kind = Kind::known(&["spice", "sp", "cir", "net"]);
    /// Coordinates, a point per line.
    pub(crate) const POINTS: Kind = Kind::known(&["xyz", "txt"]);
    /// Edges, one per line, or a graph by its name.
    pub(crate) const EDGES: Kind =
        Kind::known(&["txt", "mtx", "graph", "edges", "edgelist", "el", "mm", "metis"]);
    /// A dataset for iTOL.
    pub(crate) const ITOL: Kind = Kind::known(&["txt"]);
    /// A tree for Taxonium.
    pub(crate) const TAXONIUM: Kind = Kind::by_name(&["jsonl"]);
    /// A mesh with fields for ParaView.
    pub(crate) const VTU: Kind = Kind::known(&["vtu"]);
    /// Which rank runs where.
    pub(crate) const RANKFILE: Kind = Kind::known(&["txt"]);
    /// A header of C.
    pub(crate) const HEADER: Kind = Kind::known(&["h"]);
    /// A trace for LogGOPSim or Perfetto, by its name unless the format is given.
    pub(crate) const fn trace(said: bool) -> Kind {
        Kind::unless(said, &TraceFormat::ENDINGS)
    }

    /// A folder, whose files have fixed names.
    pub(crate) const OF_FOLDER: Kind = Kind { endings: &[], rule: Rule::Said, hint: "" };

    /// A tree, by its name unless the format is said.
    pub(crate) const fn tree(said: bool) -> Kind {
        Kind::unless(
            said,
            &[
                "csv", "tsv", "npy", "nwk", "edges", "parquet", "arrow", "feather", "ipc", "pq",
                "nex", "nexus", "nxs", "tab", "newick", "nw", "tree", "tre", "treefile",
                "edgelist", "el",
            ],
        )
    }

    /// A mesh, by its name unless the format is given.
    pub(crate) const fn mesh(said: bool) -> Kind {
        Kind::unless(said, &["msh", "mesh", "vtu", "vtk"])
    }

    /// A graph, by its name unless the format is said.
    pub(crate) const fn graph(said: bool) -> Kind {
        Kind::unless(said, &["mtx", "graph", "mm", "metis"])
    }

    const fn unless(said: bool, endings: &'static [&'static str]) -> Kind {
        let rule = if said { Rule::Said } else { Rule::ByName };
        Kind { endings, rule, hint: ", or --to FORMAT" }
    }

    /// Refuses a name that promises another format; `option` is the option it was given with.
    pub(crate) fn check(&self, path: &Path, option: &str) -> anyhow::Result<()> {
        let ending = ending(path);
        let found = ending.as_deref().unwrap_or("");
        let suits = self.endings.contains(&found)
            || match self.rule {
                // Pipes and devices may have any name.
                Rule::ByName => ending.is_none() && FilePlace::of(path).is_none(),
                Rule::Known => !MEANINGFUL.contains(&found),
                Rule::Said => true,
            };
        if suits {
            return Ok(());
        }
        let usual = &self.endings[..self.endings.len().min(USUAL)];
        bail!(
            "{}: wrong extension; use {} after {option}{}",
            path.display(),
            listed(usual),
            self.hint
        )
    }
}

/// `a, b or c`.
fn listed(words: &[&str]) -> String {
    match words {
        [] => String::new(),
        [one] => one.to_string(),
        [all @ .., last] => format!("{} or {last}", all.join(", ")),
    }
}
