//! Where the entries of a symmetric matrix are: the matrix of a graph, and of what is left
//! of it below.
//!
//! **Problem.** Vertices and, for each panel, edges; an edge is two entries, one on each side
//! of the diagonal. The picture shows where entries lie and how many there are.
//!
//! **Method.** Up to 200 vertices every entry is a square, and the entries of a spanning tree
//! and of recovered edges have colours of their own. Larger matrices become a map of at most
//! 200 × 200 cells; a cell's colour is its number of entries, on one scale for all panels,
//! logarithmic where numbers are many. The diagonal is left out, because it says nothing:
//! in a Laplacian it is full.
//!
//! **Cost.** Linear in the edges; the picture has at most 40,000 cells per panel.

mod panel;

use self::panel::{Cells, LEGEND_GAP, PanelSlot};
use crate::board::heat::{BAR_HEIGHT, Heat};
use crate::board::keys::{Keys, Sign};
use crate::board::{some, start};
use crate::number::{counted, thousands};
use crate::paper::MARGIN;

/// Where panels would end if there were none.
const NO_PANEL: f64 = 70.0;
/// Up to this many rows each has its own.
const MAX_CELLS: usize = 200;

/// The entries of one panel. Loops are part of the diagonal, which is not drawn; an edge that
/// comes twice counts twice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SpyEdges<'a> {
    /// Edges of one kind.
    All(&'a [(u32, u32)]),
    /// What is left of a graph.
    Skeleton {
        /// A spanning tree or forest.
        tree: &'a [(u32, u32)],
        /// Further edges.
        recovered: &'a [(u32, u32)],
    },
}

/// One matrix.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SpyPanel<'a> {
    /// The name over the panel, such as `before`.
    pub title: &'a str,
    /// Its entries.
    pub edges: SpyEdges<'a>,
}

/// Patterns of symmetric matrices of one size, one above the other.
///
/// ```
/// use palmette_report::{SpyEdges, SpyPanel, SpyPlot};
/// let ring = [(0, 1), (1, 2), (2, 3), (3, 0)];
/// let skeleton = SpyEdges::Skeleton { tree: &ring[..3], recovered: &[] };
/// let plot = SpyPlot {
///     title: "A ring of four",
///     subtitle: "",
///     vertices: 4,
///     panels: &[
///         SpyPanel { title: "before", edges: SpyEdges::All(&ring) },
///         SpyPanel { title: "after", edges: skeleton },
///     ],
/// };
/// assert!(plot.to_svg().contains("4 vertices · 3 edges"));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SpyPlot<'a> {
    /// The heading.
    pub title: &'a str,
    /// One line below the heading; may be empty.
    pub subtitle: &'a str,
    /// The number of rows of each matrix.
    pub vertices: usize,
    /// The matrices, from the top: one, or one before and one after.
    pub panels: &'a [SpyPanel<'a>],
}

/// What an edge is; also its place among the colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    Plain,
    Tree,
    Recovered,
}

impl Kind {
    const ALL: [Kind; 3] = [Kind::Plain, Kind::Tree, Kind::Recovered];

    /// The class of style of its squares, and what they are.
    fn look(self) -> (&'static str, &'static str) {
        match self {
            Kind::Plain => ("entry vertex", "entry of an edge"),
            Kind::Tree => ("entry f0", "entry of a tree edge"),
            Kind::Recovered => ("entry f1", "entry of a recovered edge"),
        }
    }
}

impl<'a> SpyEdges<'a> {
    fn kinds(self) -> [(Kind, &'a [(u32, u32)]); 2] {
        match self {
            SpyEdges::All(edges) => [(Kind::Plain, edges), (Kind::Recovered, &[])],
            SpyEdges::Skeleton { tree, recovered } => {
                [(Kind::Tree, tree), (Kind::Recovered, recovered)]
            }
        }
    }

    /// Edges of a kind, loops left out.
    fn count(self, kind: Kind) -> u64 {
        let of = |part: &(Kind, &[(u32, u32)])| {
            if part.0 == kind { part.1.iter().filter(|e| e.0 != e.1).count() } else { 0 }
        };
        self.kinds().iter().map(of).sum::<usize>() as u64
    }

    /// `98,274 edges`, or those of a tree and the recovered ones.
    fn facts(self) -> String {
        let [plain, tree, recovered] = Kind::ALL.map(|kind| self.count(kind));
        let all = some(plain + tree + recovered, "edge", "edges");
        match self {
            SpyEdges::All(_) => all,
            SpyEdges::Skeleton { .. } => {
                let (tree, recovered) = (thousands(tree), thousands(recovered));
                format!("{all}: {tree} of a tree, {recovered} recovered")
            }
        }
    }
}

impl SpyPlot<'_> {
    /// The picture.
    ///
    /// # Panics
    /// When an edge ends at no vertex.
    pub fn to_svg(&self) -> String {
        let cells: Vec<Cells> =
            self.panels.iter().map(|p| Cells::new(self.vertices, p.edges)).collect();
        let is_map = self.vertices > MAX_CELLS;
        let counts = || cells.iter().flat_map(Cells::counts).filter(|&c| c > 0.0);
        let heat = (is_map && counts().next().is_some()).then(|| Heat::of_counts(counts()));
        let places: Vec<PanelSlot> =
            (0..self.panels.len()).map(|i| PanelSlot::new(self.vertices, i)).collect();
        let keys = self.keys();

        let bottom = places.last().map_or(NO_PANEL, PanelSlot::bottom);
        let bar = (MARGIN, bottom + LEGEND_GAP);
        let key = (bar.0, bar.1 + if heat.is_some() { BAR_HEIGHT + 6.0 } else { 0.0 });
        let size = some(self.vertices as u64, "vertex", "vertices");
        let mut svg = start(
            key.1 + keys.height(),
            (self.title, self.subtitle, &self.shape()),
            &self.describe(&size),
        );
        for ((place, panel), cells) in places.iter().zip(self.panels).zip(&cells) {
            match &heat {
                Some(heat) => cells.draw_map(&mut svg, place, heat),
                None => cells.draw_entries(&mut svg, place),
            }
            let facts = format!("{size} · {}", panel.edges.facts());
            place.draw(&mut svg, self.vertices, panel.title, &facts);
        }
        if let Some(heat) = &heat {
            heat.draw_bar(&mut svg, bar, ["Entries per cell", &self.cell_text()]);
        }
        keys.draw(&mut svg, key);
        svg.finish()
    }

    fn shape(&self) -> String {
        let side = thousands(self.vertices as u64);
        format!("symmetric, {side} × {side} entries")
    }

    fn cell_text(&self) -> String {
        let side = thousands(panel::rows_a_cell(self.vertices) as u64);
        format!("cells of {side} × {side} entries")
    }

    fn keys(&self) -> Keys {
        let mut keys = Keys::default();
        let count = |kind| self.panels.iter().map(|p| p.edges.count(kind)).sum::<u64>();
        let kinds = Kind::ALL.into_iter().filter(|&kind| count(kind) > 0);
        if self.vertices > MAX_CELLS {
            keys.push(Sign::Field("ring missing"), "no entry");
        } else {
            kinds.map(Kind::look).for_each(|(class, name)| keys.push(Sign::Field(class), name));
        }
        keys.push(Sign::Remark, "two entries per edge; no diagonal");
        keys
    }

    /// What the picture shows, for those who cannot see it.
    fn describe(&self, size: &str) -> String {
        let panels: Vec<String> =
            self.panels.iter().map(|p| format!("{}: {}", p.title, p.edges.facts())).collect();
        let shown = if self.vertices > MAX_CELLS {
            format!("Colours show the number of entries in {}", self.cell_text())
        } else {
            "Every entry is a square".to_string()
        };
        let count = counted(self.panels.len() as u64, "pattern", "patterns");
        format!(
            "{count} of a symmetric matrix of side {size}, row 0 at the top, column 0 at the \
             left, without its diagonal. {shown}. {}.",
            panels.join("; ")
        )
    }
}
