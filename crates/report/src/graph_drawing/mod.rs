//! A graph whose vertices have coordinates, with the skeleton that was kept of it.
//!
//! **Problem.** Points, the edges of a graph, and of these a spanning tree and further
//! recovered edges. The picture shows where the skeleton runs.
//!
//! **Method.** Edges that are in neither part are pale and thin; the tree lies over them and
//! recovered edges, thicker, over the tree. Lengths along x and y have one scale, and y goes
//! upwards. Points with different z are drawn in an oblique projection. More than
//! [`MAX_EDGES`] edges are thinned by an even sample: first the pale ones, then the tree,
//! recovered edges last; the key says how many of how many are drawn. Where vertices crowd, an
//! inset shows that part larger (`inset.rs`).
//!
//! **Cost.** `m log k` for `m` edges with `k` of them in the skeleton, which are looked up in a
//! sorted list; the picture has at most [`MAX_EDGES`] edges.
//!
//! **Determinism.** The sample has a fixed seed.

pub(crate) mod places;
pub(crate) mod thinning;

use palmette_core::lists::offsets;

use self::places::{Places, WIDTHS};
use self::thinning::{sample, shares};
use crate::board::keys::{Keys, Sign};
use crate::board::{some, start};
use crate::inset::{Inset, LEGIBLE};
use crate::number::{counted, thousands};
use crate::svg::{Svg, through};

/// A [`GraphDrawing`] draws at most this many edges.
pub const MAX_EDGES: usize = 40_000;
/// Above this many vertices they are not drawn.
const MAX_DISCS: usize = 500;
const TOP: f64 = 88.0;

type Edge = (u32, u32);

/// A graph in the plane or in space.
///
/// ```
/// use palmette_report::GraphDrawing;
/// let drawing = GraphDrawing {
///     title: "A square with a diagonal",
///     subtitle: "",
///     points: &[[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.0]],
///     edges: &[(0, 1), (1, 2), (2, 3), (3, 0), (0, 2)],
///     tree: &[(0, 1), (1, 2), (2, 3)],
///     recovered: &[(2, 0)],
///     names: palmette_report::SKELETON,
/// };
/// let picture = drawing.to_svg();
/// assert!(picture.contains("tree: 3 edges") && picture.contains("not kept: 1 edge"));
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GraphDrawing<'a> {
    /// The heading.
    pub title: &'a str,
    /// One line below the heading; may be empty.
    pub subtitle: &'a str,
    /// By vertex, its x, y and z. Vertices with a coordinate that is not finite have no place;
    /// the picture states how many edges are missing for it.
    pub points: &'a [[f64; 3]],
    /// The edges of the graph. Those that are in the tree or recovered may be among them, in
    /// any direction.
    pub edges: &'a [Edge],
    /// A spanning tree or forest.
    pub tree: &'a [Edge],
    /// Edges kept besides the tree.
    pub recovered: &'a [Edge],
    /// What the key calls the other edges, those of the tree, and those besides.
    pub names: [&'static str; 3],
}

/// The names of edges where a skeleton is drawn.
pub const SKELETON: [&str; 3] = ["not kept", "tree", "recovered"];

/// Edges of one kind: how many there are, and those that are drawn.
struct Part {
    name: &'static str,
    count: usize,
    drawn: Vec<Edge>,
}

impl GraphDrawing<'_> {
    /// The picture.
    ///
    /// # Panics
    /// When an edge ends at no vertex.
    pub fn to_svg(&self) -> String {
        for &(a, b) in self.edges.iter().chain(self.tree).chain(self.recovered) {
            let most = self.points.len();
            assert!((a.max(b) as usize) < most, "edge ({a}, {b}) of {most} vertices");
        }
        let places = Places::new(self.points, TOP);
        let lists = [self.others(), self.tree.to_vec(), self.recovered.to_vec()];
        let total = lists.iter().map(Vec::len).sum::<usize>();
        let can_be_drawn = |&(a, b): &Edge| places.has(a) && places.has(b);
        let kept: Vec<Vec<Edge>> =
            lists.iter().map(|l| l.iter().copied().filter(can_be_drawn).collect()).collect();
        let drawable = kept.iter().map(Vec::len).sum::<usize>();
        let most = shares([kept[0].len(), kept[1].len(), kept[2].len()], MAX_EDGES);
        let parts: Vec<Part> = (0..3)
            .map(|i| Part {
                name: self.names[i],
                count: lists[i].len(),
                drawn: sample(&kept[i], most[i]),
            })
            .collect();

        let mut keys = Keys::default();
        // Lines that are thin in the drawing would not show their colour in the key.
        for (part, class) in parts.iter().zip(WIDTHS[0]).rev().filter(|p| p.0.count > 0) {
            keys.push(Sign::Line(class), part.words());
        }
        let has_discs = self.points.len() <= MAX_DISCS && places.count() > 0;
        keys.push_if(has_discs, Sign::Vertex, "vertex");
        let hidden = (total - drawable) as u64;
        if hidden > 0 {
            let words = counted(hidden, "edge ends", "edges end") + " without coordinates";
            keys.push(Sign::Remark, words);
        }
        places.explain(&mut keys);

        let facts = format!(
            "{} · {}",
            some(self.points.len() as u64, "vertex", "vertices"),
            some(total as u64, "edge", "edges")
        );
        let key = places.below();
        let mut inset = Inset::of(&places, LEGIBLE);
        let end = Inset::put_below(&mut inset, &mut keys, key, ["vertex", "vertices"]);
        let mut svg = start(
            end,
            (self.title, self.subtitle, &facts),
            &describe(&facts, &parts, places.is_deep),
        );
        for (part, class) in parts.iter().zip(places.widths()) {
            draw_edges(&mut svg, &places, &part.drawn, class);
        }
        if has_discs {
            self.draw_vertices(&mut svg, &places);
        }
        keys.draw(&mut svg, key);
        if let Some(inset) = &inset {
            let near = inset.places(&places);
            for (part, class) in parts.iter().zip(near.widths()) {
                draw_edges(&mut svg, &near, &part.drawn, class);
            }
            inset.draw_frames(&mut svg);
        }
        svg.finish()
    }

    /// The edges that are neither in the tree nor recovered.
    fn others(&self) -> Vec<Edge> {
        let ordered = |&(a, b): &Edge| (a.min(b), a.max(b));
        let mut kept: Vec<Edge> = self.tree.iter().chain(self.recovered).map(ordered).collect();
        kept.sort_unstable();
        // Where the edges of each smaller end begin: a search among few is near in memory.
        let starts = offsets(self.points.len(), kept.iter().map(|edge| edge.0));
        let is_other = |edge: &&Edge| {
            let (a, b) = ordered(edge);
            let same = &kept[starts[a as usize]..starts[a as usize + 1]];
            same.binary_search_by_key(&b, |edge| edge.1).is_err()
        };
        self.edges.iter().filter(is_other).copied().collect()
    }

    fn draw_vertices(&self, svg: &mut Svg, places: &Places) {
        let radius = (0.16 * places.apart()).clamp(1.4, 4.0);
        for v in (0..self.points.len() as u32).filter(|&v| places.has(v)) {
            let [x, y, z] = self.points[v as usize];
            let hint = format!("vertex {v} at ({x}, {y}, {z})");
            svg.disc(places.at(v), radius, "vertex", "", &hint);
        }
    }
}

impl Part {
    /// `tree: 20 edges`, or how many of them are drawn.
    fn words(&self) -> String {
        let (name, drawn) = (self.name, self.drawn.len());
        let count = counted(self.count as u64, "edge", "edges");
        match drawn == self.count {
            true => format!("{name}: {count}"),
            false => format!("{name}: {} of {count} drawn", thousands(drawn as u64)),
        }
    }
}

/// One path for all edges of a kind; a viewer takes it faster than many lines.
/// Nothing leaves the rectangle of the places.
fn draw_edges(svg: &mut Svg, places: &Places, edges: &[Edge], class: &str) {
    let mut data = String::new();
    for &(a, b) in edges {
        let ends = places.rect().clip(vec![places.at(a), places.at(b)]);
        if ends.len() == 2 {
            data += &through(ends);
        }
    }
    if !data.is_empty() {
        svg.path(&data, class, "");
    }
}

/// What the picture shows, for those who cannot see it.
fn describe(facts: &str, parts: &[Part], is_deep: bool) -> String {
    let words: Vec<String> = parts.iter().map(Part::words).collect();
    let how = if is_deep { "in an oblique projection of space" } else { "in the plane" };
    format!("A graph drawn {how}: {facts}. Edges {}.", words.join("; "))
}
