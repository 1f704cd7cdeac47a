//! What a picture would cost to draw, before it is drawn.
//!
//! **Problem.** A picture of a few hundred bytes can ask for a circle of 10^38 pixels in dashes of
//! 10^-30, for thousands of layers as large as the page, or for a raster image of gigabytes: the
//! rasteriser panics, or is busy for minutes.
//!
//! **Method.** Two looks. The text, before styles and transformations are applied to it: rules
//! of styles times elements, which are all compared; letters, each of which may be looked for in
//! every font; numbers, because arcs become the more pieces the larger they are. The parsed
//! picture, where styles, units and transformations have been applied: every shape within
//! [`REACH`], and sums of what the rasteriser does:
//! - dashes: the length of a path over that of its pattern;
//! - pixels: the box of what is filled, the length times the width of what is stroked, layers,
//!   raster images and what they cover;
//! - edges: a filled path (a stroke becomes one) walks down its edges row by row and keeps them
//!   in order. Edges that cross are swapped once, so that swaps are at most the pairs of edges
//!   that meet in one of [`BANDS`] bands of rows.
//!
//! All are estimates from above, up to constants. Our own pictures pass, the largest of them
//! too, and what passes is drawn in seconds.
//!
//! **Cost.** Linear in the shapes.

use super::{MOST_PIXELS, RenderError};
use resvg::tiny_skia::{PathSegment, Point, Rect};
use resvg::usvg::{Fill, Group, Image, ImageKind, Node, Paint, Path, Stroke, Transform, Tree};
use roxmltree::Document;

/// How far shapes may reach outside, in pixels: the rasteriser's numbers overflow somewhere
/// beyond.
const REACH: u64 = 1_000_000;
/// Dashes of all paths.
const MOST_DASHES: f64 = 2e5;
/// Pixels that are written, again and again, by all shapes.
const MOST_WRITTEN: f64 = 4e9;
/// Steps along edges and swaps of edges.
const MOST_EDGE_STEPS: f64 = 4e9;
/// Rules of styles times elements.
const MOST_MATCHES: f64 = 5e7;
/// Numbers in attributes and styles.
const MOST_NUMBER: f64 = 1e6;
/// Sizes of letters relative to those around, which multiply from element to element.
const MOST_RELATIVE: f64 = 4.0;
/// Attributes whose numbers draw nothing; those that begin with `data-` and `aria-` are others.
const TEXTS: [&str; 7] = ["id", "class", "href", "role", "lang", "font-family", "title"];
/// Letters in one line of text, which is laid out in quadratic time.
const MOST_IN_TEXT: f64 = 4e3;
/// Letters that not every font has.
const MOST_LETTERS: f64 = 2e4;
/// Bands of rows in which edges are counted.
const BANDS: usize = 256;
/// The rasteriser's rows for one of pixels.
const ROWS: f64 = 4.0;
/// Straight pieces that a curve becomes in a stroke.
const PIECES: f64 = 16.0;

/// What the text says before it is parsed.
pub(super) fn check_text(svg: &str) -> Result<(), RenderError> {
    let count = |sign: char| svg.matches(sign).count() as f64;
    within("matches of styles", (count('{') + 1.0) * count('<'), MOST_MATCHES)?;
    let letters = svg.chars().filter(|c| !c.is_ascii()).count() as f64;
    // An escaped letter is one, too.
    within("letters beyond ASCII", letters + svg.matches("&#").count() as f64, MOST_LETTERS)?;
    let document = Document::parse(svg).map_err(|error| RenderError::Svg(error.to_string()))?;
    for node in document.descendants().filter(roxmltree::Node::is_element) {
        for attribute in node.attributes() {
            let name = attribute.name();
            if !(TEXTS.contains(&name) || name.starts_with("data-") || name.starts_with("aria-")) {
                numbers(attribute.value(), name == "d", name == "font-size")?;
            }
        }
        if node.tag_name().name() == "text" {
            let letters = |node: roxmltree::Node<'_, '_>| node.text().map_or(0, str::len);
            let all: usize = node.descendants().filter(|n| n.is_text()).map(letters).sum();
            within("letters in a text", all as f64, MOST_IN_TEXT)?;
        }
        if node.tag_name().name() == "style" {
            numbers(node.text().unwrap_or(""), false, false)?;
        }
    }
    Ok(())
}

/// Checks the numbers of an attribute or a style. In paths letters stand before numbers; elsewhere
/// what follows a letter, a dash after one, or `#` is a name or a colour.
fn numbers(text: &str, path: bool, font_size: bool) -> Result<(), RenderError> {
    let bytes = text.as_bytes();
    let mut font_size = font_size;
    let mut at = 0;
    while at < bytes.len() {
        let word = !path && (bytes[at].is_ascii_alphabetic() || matches!(bytes[at], b'#' | b'_'));
        if word {
            let length = name_length(&bytes[at..]);
            if text[at..].starts_with("font") {
                font_size = true;
            }
            at += length;
            continue;
        }
        if bytes[at] == b';' || bytes[at] == b'}' {
            font_size = false;
        }
        let length = number_length(&bytes[at..]);
        if length == 0 {
            at += 1;
            continue;
        }
        let found: f64 = text[at..at + length].parse().unwrap_or(f64::INFINITY);
        at += length;
        let unit = &text[at..];
        let relative = font_size && ["em", "ex", "%"].iter().any(|name| unit.starts_with(name));
        let found = if relative && unit.starts_with('%') { found / 100.0 } else { found };
        let most = if relative { MOST_RELATIVE } else { MOST_NUMBER };
        if found > most {
            return Err(RenderError::Number { found, most });
        }
    }
    Ok(())
}

/// How many bytes a name or colour has.
fn name_length(bytes: &[u8]) -> usize {
    let inside = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'#' | b'_' | b'-');
    bytes.iter().position(|byte| !inside(byte)).unwrap_or(bytes.len())
}

/// How many bytes per number without sign has; 0 where there is none. An `e` belongs to it only
/// before an exponent: `2em` is a 2.
fn number_length(bytes: &[u8]) -> usize {
    let digits = |from: usize| bytes[from..].iter().take_while(|b| b.is_ascii_digit()).count();
    let mut end = digits(0);
    let mut any = end > 0;
    if bytes.get(end) == Some(&b'.') {
        let more = digits(end + 1);
        any |= more > 0;
        end += 1 + more;
    }
    if !any {
        return 0;
    }
    if matches!(bytes.get(end), Some(b'e' | b'E')) {
        let sign = usize::from(matches!(bytes.get(end + 1), Some(b'+' | b'-')));
        let exponent = if end + 1 + sign <= bytes.len() { digits(end + 1 + sign) } else { 0 };
        if exponent > 0 {
            end += 1 + sign + exponent;
        }
    }
    end
}

/// What the parsed picture says: `scale` pixels for one of its own, `size` pixels in all.
pub(super) fn check(tree: &Tree, scale: f32, size: [f64; 2]) -> Result<(), RenderError> {
    let mut costs = Costs { scale: f64::from(scale), size, dashes: 0.0, written: 0.0, edges: 0.0 };
    costs.group(tree.root(), 1)
}

fn within(what: &'static str, found: f64, most: f64) -> Result<(), RenderError> {
    // NaN is too much as well.
    if found <= most { Ok(()) } else { Err(RenderError::Budget { what, found, most }) }
}

struct Costs {
    scale: f64,
    size: [f64; 2],
    dashes: f64,
    written: f64,
    edges: f64,
}

impl Costs {
    /// A group on so many layers, the page among them.
    fn group(&mut self, group: &Group, layers: usize) -> Result<(), RenderError> {
        if !group.filters().is_empty() {
            return Err(RenderError::Feature("filters"));
        }
        if group.mask().is_some() {
            return Err(RenderError::Feature("masks"));
        }
        let mut layers = layers;
        if group.should_isolate() {
            self.reaches(group.abs_layer_bounding_box().to_rect())?;
            layers += 1 + usize::from(group.clip_path().is_some());
            let page = self.size[0] * self.size[1];
            // A layer is at most as large as the page with its surroundings.
            within("pixels in all its layers", layers as f64 * page, MOST_PIXELS * 2.0)?;
            self.write(4.0 * self.area(group.abs_layer_bounding_box().to_rect()))?;
        }
        if let Some(clip) = group.clip_path() {
            self.group(clip.root(), layers)?;
        }
        for node in group.children() {
            match node {
                Node::Group(group) => self.group(group, layers)?,
                Node::Path(path) => self.path(path)?,
                Node::Image(image) => self.image(image)?,
                Node::Text(text) => self.group(text.flattened(), layers)?,
            }
        }
        Ok(())
    }

    fn path(&mut self, path: &Path) -> Result<(), RenderError> {
        self.reaches(path.abs_bounding_box())?;
        self.reaches(path.abs_stroke_bounding_box())?;
        if !path.is_visible() {
            return Ok(());
        }
        let paints = [path.fill().map(Fill::paint), path.stroke().map(Stroke::paint)];
        if paints.into_iter().flatten().any(|paint| matches!(paint, Paint::Pattern(_))) {
            return Err(RenderError::Feature("patterns"));
        }
        let shape = Shape::of(path);
        if path.fill().is_some() {
            self.write(self.area(path.abs_bounding_box()))?;
            self.walk(&shape.edges, 1.0)?;
        }
        if let Some(stroke) = path.stroke() {
            // A dash has two ends and two sides.
            let mut pieces = shape.pieces;
            if let Some(pattern) = stroke.dasharray() {
                let whole: f64 = pattern.iter().map(|part| f64::from(*part)).sum();
                let dashes = shape.length / whole * pattern.len() as f64;
                self.dashes += dashes + shape.contours;
                within("dashes", self.dashes, MOST_DASHES)?;
                pieces += dashes;
            }
            let broad = f64::from(stroke.width().get()) * stretch(path.abs_transform());
            let covered = shape.drawn_length * (broad * self.scale + 2.0) * self.scale;
            self.write(covered.min(self.area(path.abs_stroke_bounding_box())) + pieces)?;
            self.walk(&shape.edges, 2.0 * pieces / (shape.edges.len().max(1) as f64))?;
        }
        Ok(())
    }

    fn image(&mut self, image: &Image) -> Result<(), RenderError> {
        self.reaches(image.abs_bounding_box())?;
        if matches!(image.kind(), ImageKind::SVG(_)) {
            return Err(RenderError::Feature("pictures in it"));
        }
        let pixels = f64::from(image.size().width()) * f64::from(image.size().height());
        within("pixels of a raster image", pixels, MOST_PIXELS)?;
        self.write(16.0 * pixels + 4.0 * self.area(image.abs_bounding_box()))
    }

    /// Adds to the pixels.
    fn write(&mut self, pixels: f64) -> Result<(), RenderError> {
        self.written += pixels;
        within("pixels drawn again and again", self.written, MOST_WRITTEN)
    }

    /// Adds the way down edges, each of which stands for `many`.
    fn walk(&mut self, edges: &[[f64; 2]], many: f64) -> Result<(), RenderError> {
        let (height, band) = (self.size[1], self.size[1] / BANDS as f64);
        // Differences, so that an edge is two additions.
        let mut starts = [0.0; BANDS + 1];
        let mut rows = 0.0;
        for [top, bottom] in edges {
            let [top, bottom] = [top, bottom].map(|y| (y * self.scale).clamp(0.0, height));
            rows += (bottom - top) * ROWS + 1.0;
            starts[((top / band) as usize).min(BANDS - 1)] += many;
            starts[((bottom / band) as usize).min(BANDS - 1) + 1] -= many;
        }
        let mut meeting = 0.0;
        let mut pairs = 0.0;
        for change in starts {
            meeting += change;
            pairs += meeting * meeting / 2.0;
        }
        let all = edges.len() as f64 * many;
        self.edges += rows * many + pairs.min(all * all / 2.0);
        within("steps along edges", self.edges, MOST_EDGE_STEPS)
    }

    /// How many pixels of the picture a box covers.
    fn area(&self, found: Rect) -> f64 {
        let side = |from: f32, to: f32, size: f64| {
            let [from, to] = [from, to].map(|x| (f64::from(x) * self.scale).clamp(0.0, size));
            to - from + 1.0
        };
        side(found.left(), found.right(), self.size[0])
            * side(found.top(), found.bottom(), self.size[1])
    }

    fn reaches(&self, found: Rect) -> Result<(), RenderError> {
        let sides = [found.left(), found.top(), found.right(), found.bottom()];
        let far = |x: &f32| !(f64::from(*x) * self.scale).abs().le(&(REACH as f64));
        match sides.iter().find(|x| far(x)) {
            Some(x) => Err(RenderError::Reach { found: f64::from(*x) * self.scale, most: REACH }),
            None => Ok(()),
        }
    }
}

/// The lines of a path; curves by the lines between their points, which are longer.
struct Shape {
    /// In the path's own units, which dashes have.
    length: f64,
    /// In those of the picture.
    drawn_length: f64,
    contours: f64,
    /// Straight pieces of its stroke.
    pieces: f64,
    /// By line, its upper and lower end in units of the picture.
    edges: Vec<[f64; 2]>,
}

impl Shape {
    fn of(path: &Path) -> Shape {
        let mut shape = Shape {
            length: 0.0,
            drawn_length: 0.0,
            contours: 0.0,
            pieces: 0.0,
            edges: Vec::with_capacity(path.data().len()),
        };
        let transform = path.abs_transform();
        let (mut start, mut last) = (Point::zero(), Point::zero());
        for segment in path.data().segments() {
            let points: &[Point] = match &segment {
                PathSegment::MoveTo(p) => {
                    shape.contours += 1.0;
                    (start, last) = (*p, *p);
                    continue;
                }
                PathSegment::LineTo(p) => &[*p],
                PathSegment::QuadTo(p, q) => &[*p, *q],
                PathSegment::CubicTo(p, q, r) => &[*p, *q, *r],
                PathSegment::Close => &[start],
            };
            shape.pieces += if points.len() > 1 { PIECES } else { 1.0 };
            for &point in points {
                shape.line(transform, last, point);
                last = point;
            }
        }
        shape
    }

    fn line(&mut self, transform: Transform, from: Point, to: Point) {
        let mut ends = [from, to];
        self.length += distance(ends);
        transform.map_points(&mut ends);
        self.drawn_length += distance(ends);
        let [a, b] = ends.map(|point| f64::from(point.y));
        self.edges.push([a.min(b), a.max(b)]);
    }
}

fn distance([a, b]: [Point; 2]) -> f64 {
    (f64::from(a.x) - f64::from(b.x)).hypot(f64::from(a.y) - f64::from(b.y))
}

/// How much longer a transformation makes anything.
fn stretch(transform: Transform) -> f64 {
    let side = |x: f32, y: f32| f64::from(x).hypot(f64::from(y));
    side(transform.sx, transform.ky).hypot(side(transform.kx, transform.sy))
}
