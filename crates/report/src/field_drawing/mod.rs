//! A field over a plane mesh, in colours.
//!
//! **Problem.** Values at the nodes of triangles and quadrilaterals: numbers, or vectors, of
//! which the lengths are drawn.
//!
//! **Method.** Each dot of a raster has the field at its middle, linear in triangles and
//! bilinear in quadrilaterals (`patch.rs`, `raster.rs`). The raster is a PNG inside of the SVG,
//! transparent where there is no element; it has three dots per pixel along each axis, one if the
//! file would be large. Over it lie the outline of the mesh, lines of equal value at the
//! numbers of the colour bar, or arrows for vectors of the plane, and signs at the greatest
//! and the least value. An element with a value that is not finite has a colour of its own.
//! Lines that would take more than [`MAX_FIELD_POINTS`] points are left out, and the key says so.
//! Where nodes crowd, an inset shows that part larger (`inset.rs`).
//!
//! **Cost.** `n log n` for the outline, and linear in elements and dots otherwise. The picture
//! of any mesh has less than 2 MB.
//!
//! **When not to use.** Surfaces in space and solids are not drawn: see
//! [`FieldDrawing::is_plane`].

mod arrows;
mod axes;
mod isolines;
pub(crate) mod lines;
pub(crate) mod outline;
mod patch;
mod raster;
mod values;

use self::axes::Bar;
use self::raster::Raster;
use self::values::Values;
use crate::base64::base64;
use crate::board::keys::{Keys, Sign, draw_peak};
use crate::board::start;
use crate::colour::FIELD_STYLE;
use crate::graph_drawing::places::Places;
use crate::inset::{Inset, LEGIBLE, Rect};
use crate::mesh_drawing::Shape;
use crate::number::{among, counted, thousands};
use crate::paper::{INSIDE, PANEL};
use crate::scale::range;
use crate::svg::{Anchor, Svg};
use crate::text;
use palmette_core::NONE;

/// A [`FieldDrawing`] draws outlines, and lines of equal value, of at most this many points.
pub const MAX_FIELD_POINTS: usize = 30_000;
const TOP: f64 = 88.0;
/// The pixels below a mesh that its axis takes, and at most those left of it.
const AXIS: f64 = 38.0;
const MOST_BESIDE: f64 = 90.0;
/// A file of more bytes is made again with fewer dots.
const MAX_FILE: usize = 700_000;

/// A field over a plane mesh.
///
/// ```
/// use palmette_core::NONE;
/// use palmette_report::FieldDrawing;
/// let picture = FieldDrawing {
///     title: "A slope",
///     subtitle: "",
///     name: "height (m)",
///     points: &[[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.0]],
///     shapes: &[[0, 1, 2, NONE], [0, 2, 3, NONE]],
///     values: &[0.0, 1.0, 3.0, 2.0],
///     components: 1,
///     cells: false,
/// };
/// assert!(picture.to_svg().contains("maximum 3 at (1, 1)"));
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FieldDrawing<'a> {
    /// The heading.
    pub title: &'a str,
    /// One line below the heading; may be empty.
    pub subtitle: &'a str,
    /// The field and its unit.
    pub name: &'a str,
    /// The nodes; all finite, all with the same z: see [`FieldDrawing::is_plane`].
    pub points: &'a [[f64; 3]],
    /// Triangles and quadrilaterals between them.
    pub shapes: &'a [Shape],
    /// The values of node 0, of node 1, and so on.
    pub values: &'a [f64],
    /// How many values a node has. Of several the length of the vector is drawn, of two also
    /// its direction.
    pub components: usize,
    /// Whether each shape is a cell with one value: there are no outlines then, and nothing is
    /// said of nodes and elements.
    pub cells: bool,
}

impl FieldDrawing<'_> {
    /// Whether points have the same z, up to a 10⁹th of their extent, so that what lies between
    /// them can be drawn.
    pub fn is_plane(points: &[[f64; 3]]) -> bool {
        let wide = |axis: usize| {
            let (low, high) = range(points.iter().map(|p| p[axis]));
            high - low
        };
        wide(2) <= 1e-9 * wide(0).max(wide(1))
    }

    /// The picture.
    ///
    /// # Panics
    /// When there are not `components` values per point, a shape has less than three corners or
    /// one that is not a point, or points do not lie in a plane.
    pub fn to_svg(&self) -> String {
        assert!(self.components > 0, "at least one component");
        assert_eq!(self.values.len(), self.components * self.points.len(), "values per point");
        assert!(self.shapes.iter().all(|shape| shape[2] != NONE), "triangles or quadrilaterals");
        assert!(Self::is_plane(self.points), "points of one plane");
        let values = Values::new(self.values, self.components, self.shapes);
        let numbers = |places: &Places| axes::axes(self.points, places)[1].width() + 12.0;
        let beside = numbers(&Places::new(self.points, TOP)).min(MOST_BESIDE);
        let mut places = Places::within(self.points, TOP, INSIDE - beside);
        places.move_by((beside, 0.0));
        let bar = Bar::new(&values);
        let (lines, mut keys) = self.lines(&places, &values, &bar);

        let facts = if self.cells { String::new() } else { self.facts() };
        let key = (places.below().0, places.below().1 + AXIS);
        let name = text::fit(&self.quantity(), PANEL, INSIDE);
        let mut inset = Inset::of(&places, LEGIBLE);
        let below = (key.0, key.1 + axes::BAR_HEIGHT);
        let end = Inset::put_below(&mut inset, &mut keys, below, ["node", "nodes"]);
        let mut svg =
            start(end, (self.title, self.subtitle, &facts), &self.describe(&values, &facts));
        svg.add_style(FIELD_STYLE.to_string());
        self.draw(&mut svg, &places, &values, &lines);
        axes::draw(&mut svg, &axes::axes(self.points, &places), &places);
        svg.text((key.0, key.1 + 10.0), Anchor::Start, "panel", &name, &self.quantity());
        if values.ends.is_some() {
            bar.draw(&mut svg, (key.0 + axes::BAR_ROOM, key.1 + 20.0));
        }
        keys.draw(&mut svg, below);
        if let Some(inset) = &inset {
            let near = inset.places(&places);
            let seen: Vec<Shape> =
                self.shapes.iter().filter(|shape| is_seen(shape, &near)).copied().collect();
            let part = FieldDrawing { shapes: &seen, ..*self };
            let (lines, _) = part.lines(&near, &values, &bar);
            part.draw(&mut svg, &near, &values, &lines);
            inset.draw_frames(&mut svg);
        }
        svg.finish()
    }

    /// The field, lines and arrows over it, and signs where it is greatest and least.
    fn draw(&self, svg: &mut Svg, places: &Places, values: &Values, lines: &[Line]) {
        self.draw_raster(svg, places, values);
        lines.iter().for_each(|(data, class, hint)| svg.path(data, class, hint));
        if self.has_arrows(values) {
            arrows::draw(svg, places, self.shapes, self.values, values.range().1);
        }
        for (node, up) in values.peaks().filter(|&(node, _)| places.rect().holds(places.at(node))) {
            let value = among(values.at(node), values.range());
            let corners = self.corners(node);
            let count = corners.len() as f64;
            let middle = corners.iter().fold((0.0, 0.0), |(x, y), &corner| {
                let at = places.at(corner);
                (x + at.0 / count, y + at.1 / count)
            });
            let what = if self.cells { "cell".to_string() } else { format!("node {node}") };
            draw_peak(svg, middle, up, &format!("{what}: {value}"));
        }
    }

    /// Vectors of the plane, not all zero.
    fn has_arrows(&self, values: &Values) -> bool {
        self.components == 2 && values.range().1 > 0.0
    }

    /// What colours show.
    fn quantity(&self) -> String {
        let what = if self.components > 1 { ", length" } else { "" };
        format!("{}{what}", self.name)
    }

    /// Lines over the colours, with their classes and hints; and the key, which says what they
    /// are and what was left out.
    fn lines(&self, places: &Places, values: &Values, bar: &Bar) -> (Vec<Line>, Keys) {
        let mut lines = Vec::new();
        let mut keys = self.peaks(values);
        if values.odd > 0 {
            let words = counted(values.odd as u64, "node", "nodes");
            keys.push(Sign::Field("f1"), format!("value not finite: {words}"));
        }
        let levels = bar.levels();
        if self.has_arrows(values) {
            keys.remark("arrows: direction and relative length; short ones omitted");
        } else if self.cells {
            return (lines, keys);
        } else if let Some(iso) = self.isolines(places, values, &levels) {
            keys.push_if(!iso.is_empty(), Sign::Remark, "contours at the colour-bar ticks");
            lines.extend(iso);
        } else {
            keys.push(Sign::Remark, "too many contours to draw");
        }
        let outline = outline::outline(places.rect(), self.shapes, |node| places.at(node));
        let joined = outline.joined();
        if joined.iter().map(Vec::len).sum::<usize>() <= MAX_FIELD_POINTS {
            lines.push((lines::path(&joined), "outline", String::new()));
        } else {
            let count = thousands(outline.len() as u64);
            keys.push(Sign::Remark, format!("outline not drawn: {count} sides"));
        }
        lines.retain(|(data, ..)| !data.is_empty());
        (lines, keys)
    }

    /// Lines of equal value, if they are few enough.
    fn isolines(&self, places: &Places, values: &Values, levels: &[f64]) -> Option<Vec<Line>> {
        let shares: Vec<f64> = levels.iter().map(|&level| values.share(level)).collect();
        let at = |node| places.at(node);
        let found = isolines::isolines(&shares, places.rect(), at, self.shapes, &values.shares())?;
        let (mut lines, mut points) = (Vec::new(), 0);
        for ((pieces, &level), &share) in found.iter().zip(levels).zip(&shares) {
            let joined = pieces.joined();
            points += joined.iter().map(Vec::len).sum::<usize>();
            if points > MAX_FIELD_POINTS {
                return None;
            }
            let class = if share > 0.55 { "iso bright" } else { "iso" };
            let hint = format!("{} = {}", self.quantity(), among(level, values.range()));
            lines.push((lines::path(&joined), class, hint));
        }
        lines.retain(|line| !line.0.is_empty());
        Some(lines)
    }

    /// The field itself, with fewer dots where it is rough.
    fn draw_raster(&self, svg: &mut Svg, places: &Places, values: &Values) {
        if self.shapes.is_empty() {
            return;
        }
        let (corner, size) = places.drawn();
        let shares = values.shares();
        let file = |dots: f64| {
            let count = |pixels: f64| (pixels * dots).ceil().max(1.0) as usize;
            let counts = (count(size.0), count(size.1));
            let at = |node| places.at(node);
            Raster::new(counts, (corner, size), at, self.shapes, &shares).to_png()
        };
        let fine = file(3.0);
        let bytes = if fine.len() <= MAX_FILE { fine } else { file(1.0) };
        svg.image(corner, size, &format!("data:image/png;base64,{}", base64(&bytes)));
    }

    fn facts(&self) -> String {
        let nodes = counted(self.points.len() as u64, "node", "nodes");
        format!("{nodes} · {}", counted(self.shapes.len() as u64, "element", "elements"))
    }

    /// The greatest and the least value, and where they are.
    fn peaks(&self, values: &Values) -> Keys {
        let mut keys = Keys::default();
        for (node, up) in values.peaks() {
            let (what, sign) =
                if up { ("maximum", Sign::Highest) } else { ("minimum", Sign::Lowest) };
            keys.push(sign, self.peak(values, node, what));
        }
        if values.is_constant() && values.ends.is_some() {
            keys.push(Sign::Remark, "the same everywhere");
        }
        keys.push_if(values.ends.is_none(), Sign::Remark, "no value");
        keys
    }

    /// A node, or the corners of its cell.
    fn corners(&self, node: u32) -> Vec<u32> {
        let cell = self.shapes.iter().find(|shape| self.cells && shape.contains(&node));
        cell.map_or(vec![node], |shape| shape.iter().copied().filter(|c| *c != NONE).collect())
    }

    fn peak(&self, values: &Values, node: u32, what: &str) -> String {
        let value = among(values.at(node), values.range());
        let corners = self.corners(node);
        let mean = |axis: usize| {
            let sum: f64 = corners.iter().map(|&corner| self.points[corner as usize][axis]).sum();
            sum / corners.len() as f64
        };
        let (x, y) = (mean(0), mean(1));
        let ends = |axis: usize| range(self.points.iter().map(|p| p[axis]));
        format!("{what} {value} at ({}, {})", among(x, ends(0)), among(y, ends(1)))
    }

    /// What the picture shows, for those who cannot see it.
    fn describe(&self, values: &Values, facts: &str) -> String {
        let mut words = format!("{} over a plane mesh in colours: {facts}", self.quantity());
        for (node, up) in values.peaks() {
            let what = if up { "maximum" } else { "minimum" };
            words += &format!("; {}", self.peak(values, node, what));
        }
        if values.odd > 0 {
            let nodes = counted(values.odd as u64, "node", "nodes");
            words += &format!("; not finite at {nodes}");
        }
        words + "."
    }
}

/// The commands of a path, its class and its hint.
type Line = (String, &'static str, String);

/// Whether the rectangle around a shape meets the drawing.
fn is_seen(shape: &Shape, places: &Places) -> bool {
    let ends = |of: fn((f64, f64)) -> f64| range(nodes(shape).iter().map(|&c| of(places.at(c))));
    let ((left, right), (top, bottom)) = (ends(|p| p.0), ends(|p| p.1));
    places.rect().meets(&Rect { low: (left, top), high: (right, bottom) })
}

/// The corners of a triangle or a quadrilateral.
fn nodes(shape: &Shape) -> &[u32] {
    if shape[3] == NONE { &shape[..3] } else { &shape[..] }
}

/// Something of each corner; after the last of three nothing that counts.
fn four<T: Default>(nodes: &[u32], of: impl Fn(u32) -> T) -> [T; 4] {
    std::array::from_fn(|i| nodes.get(i).map_or_else(T::default, |&node| of(node)))
}
