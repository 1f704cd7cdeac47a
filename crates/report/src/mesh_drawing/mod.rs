//! A mesh, or its parts in colours.
//!
//! **Problem.** Shapes between points: the elements of a plane mesh, the surface of a solid
//! one, or the edges of a graph; perhaps a part for each shape.
//!
//! **Method.** Without parts shapes are outlines. With parts they are filled; parts that
//! touch have different colours (`colouring.rs`), all from a palette that colour-blind
//! readers can tell apart. Points with different z are drawn in an oblique projection, what
//! is nearer over what is farther. More than [`MAX_SHAPES`] filled shapes become a map of
//! square dots (`raster.rs`); of as many outlines or edges the larger ones and an even sample
//! of those a few pixels wide are drawn, and the key says how many of how many. Parts have their
//! numbers where these can be read (`numbers.rs`). Where nodes crowd, an inset shows that
//! part larger (`inset.rs`).
//!
//! **Cost.** `n log n` for sorting; the picture has at most [`MAX_SHAPES`] shapes or 102,400
//! dots.
//!
//! **Determinism.** The sample has a fixed seed.

pub(crate) mod colouring;
mod numbers;
mod raster;

use self::colouring::Colours;
use crate::board::keys::{Keys, Sign};
use crate::board::start;
use crate::graph_drawing::places::Places;
use crate::graph_drawing::thinning::sample;
use crate::inset::{Inset, LEGIBLE, Rect};
use crate::number::{counted, thousands};
use crate::part_numbers::Numbers;
use crate::scale::range;
use crate::svg::{Svg, through};
use palmette_core::NONE;

/// A [`MeshDrawing`] draws at most this many shapes one by one.
pub const MAX_SHAPES: usize = 30_000;
const TOP: f64 = 88.0;
/// Towards the reader of the oblique projection.
const NEARER: [f64; 3] = [0.433_012_701_892_219_3, 0.25, 1.0];

/// The corners of a shape in order, `NONE` after the last: two are an edge, three or four a
/// polygon.
pub type Shape = [u32; 4];

/// A mesh in the plane or in space.
///
/// ```
/// use palmette_core::NONE;
/// use palmette_report::MeshDrawing;
/// let picture = MeshDrawing {
///     title: "Two triangles",
///     subtitle: "",
///     points: &[[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.0]],
///     shapes: &[[0, 1, 2, NONE], [0, 2, 3, NONE]],
///     what: ["element", "elements"],
///     parts: Some(&[0, 1]),
/// };
/// assert!(picture.to_svg().contains("2 elements · 2 parts drawn"));
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MeshDrawing<'a> {
    /// The heading.
    pub title: &'a str,
    /// One line below the heading; may be empty.
    pub subtitle: &'a str,
    /// The points; all finite.
    pub points: &'a [[f64; 3]],
    /// What lies between them.
    pub shapes: &'a [Shape],
    /// What shapes are called: one, several.
    pub what: [&'a str; 2],
    /// By shape, its part; `NONE` for an edge between two.
    pub parts: Option<&'a [u32]>,
}

impl MeshDrawing<'_> {
    /// The picture.
    ///
    /// # Panics
    /// If a corner is not a point, or there is not one part per shape.
    pub fn to_svg(&self) -> String {
        if let Some(parts) = self.parts {
            assert_eq!(parts.len(), self.shapes.len(), "a part per shape");
        }
        let places = Places::new(self.points, TOP);
        let colours = self.parts.map(|parts| Colours::new(self.points.len(), self.shapes, parts));
        let mut inset = Inset::of(&places, LEGIBLE);
        let mut near = inset.as_ref().map(|inset| self.layer(inset.places(&places), None));
        let whole = self.layer(places, inset.as_ref().map(Inset::mark));

        let places = &whole.places;
        let mut keys = self.keys(&whole, colours.as_ref());
        let numbers: Vec<&Numbers> =
            [Some(&whole), near.as_ref()].into_iter().flatten().map(|l| &l.numbers).collect();
        Numbers::explain(&mut keys, self.parts_drawn(), &numbers);
        let facts = self.facts();
        let key = places.below();
        let end = Inset::put_below(&mut inset, &mut keys, key, ["node", "nodes"]);
        let how = if places.is_deep { "an oblique projection of space" } else { "the plane" };
        let mut svg = start(
            end,
            (self.title, self.subtitle, &facts),
            &format!("A mesh drawn in {how}: {facts}."),
        );
        self.draw(&mut svg, &whole, colours.as_ref());
        keys.draw(&mut svg, key);
        if let (Some(inset), Some(near)) = (&inset, &mut near) {
            near.places.move_by(inset.corner());
            self.draw(&mut svg, near, colours.as_ref());
            inset.draw_frames(&mut svg);
        }
        svg.finish()
    }

    /// Which shapes are seen at these places, how they are drawn, and where numbers stand around a
    /// frame.
    fn layer(&self, places: Places, frame: Option<Rect>) -> Layer {
        let seen = |shape: &u32| !self.clipped(&places, *shape).is_empty();
        let all: Vec<u32> = (0..self.shapes.len() as u32).filter(seen).collect();
        let filled = self.parts.is_some() && self.shapes.iter().any(|shape| shape[2] != NONE);
        let as_dots = filled && all.len() > MAX_SHAPES;
        let mut shapes = if as_dots { all } else { self.thinned(&places, &all) };
        if places.is_deep {
            shapes.sort_by(|&a, &b| self.depth(a).total_cmp(&self.depth(b)));
        } else if let Some(parts) = self.parts {
            shapes.sort_by_key(|&shape| parts[shape as usize]);
        }
        let parts = self.parts.unwrap_or_default();
        let order = if parts.is_empty() { &[] } else { &shapes[..] };
        let numbers = numbers::find(&places, frame, (self.shapes, parts), order);
        Layer { places, shapes, as_dots, numbers }
    }

    /// The corners of what lies of a shape in the drawing.
    fn clipped(&self, places: &Places, shape: u32) -> Vec<(f64, f64)> {
        let corners = self.shapes[shape as usize].into_iter().filter(|&c| c != NONE);
        places.rect().clip(corners.map(|c| places.at(c)).collect())
    }

    /// At most [`MAX_SHAPES`]. A large one that is left out would be a hole in the mesh.
    fn thinned(&self, places: &Places, all: &[u32]) -> Vec<u32> {
        let small = |&shape: &u32| is_small(places, &self.shapes[shape as usize]);
        let (small, large): (Vec<u32>, Vec<u32>) = all.iter().partition(|&shape| small(shape));
        let mut drawn = sample(&large, MAX_SHAPES);
        drawn.extend(sample(&small, MAX_SHAPES - drawn.len()));
        drawn.sort_unstable();
        drawn
    }

    fn facts(&self) -> String {
        let [one, many] = self.what;
        let mut facts = format!(
            "{} · {}",
            counted(self.points.len() as u64, "node", "nodes"),
            counted(self.shapes.len() as u64, one, many)
        );
        if self.parts.is_some() {
            let count = self.parts_drawn().len() as u64;
            facts += &format!(" · {}", counted(count, "part drawn", "parts drawn"));
        }
        facts
    }

    /// The parts that have shapes, ascending.
    fn parts_drawn(&self) -> Vec<u32> {
        let parts = self.parts.unwrap_or_default().iter().copied();
        let mut parts: Vec<u32> = parts.filter(|&p| p != NONE).collect();
        parts.sort_unstable();
        parts.dedup();
        parts
    }

    fn keys(&self, whole: &Layer, colours: Option<&Colours>) -> Keys {
        let mut keys = Keys::default();
        let (all, drawn, dots) = (self.shapes.len(), whole.shapes.len(), whole.as_dots);
        if dots {
            keys.push(Sign::Remark, format!("drawn as dots of {} pixels", raster::DOT));
        } else if drawn < all {
            let (some, many) = (thousands(drawn as u64), self.what[1]);
            keys.push(Sign::Remark, format!("{some} of {} {many} drawn", thousands(all as u64)));
        }
        if let Some(colours) = colours {
            keys.push(Sign::Remark, format!("{} colours: parts that touch differ", colours.used));
        }
        let between = self.parts.is_some_and(|parts| parts.contains(&NONE));
        keys.push_if(between, Sign::Line("strand pale fine"), "edge between two parts");
        whole.places.explain(&mut keys);
        keys
    }

    /// How near the reader the middle of a shape is.
    fn depth(&self, shape: u32) -> f64 {
        let corners = || self.shapes[shape as usize].into_iter().filter(|&c| c != NONE);
        let near = |c: u32| {
            let point = self.points[c as usize];
            (0..3).map(|axis| point[axis] * NEARER[axis]).sum::<f64>()
        };
        corners().map(near).sum::<f64>() / corners().count().max(1) as f64
    }

    /// One path for shapes of one part that follow each other; outlines of small ones would
    /// hide them. Nothing leaves the drawing. Numbers of parts lie over all.
    fn draw(&self, svg: &mut Svg, layer: &Layer, colours: Option<&Colours>) {
        let Layer { places, shapes, as_dots, numbers } = layer;
        match (colours, self.parts) {
            (Some(colours), Some(parts)) if *as_dots => {
                let (dot, of) = (f64::from(raster::DOT), (self.shapes, parts));
                raster::Dots::new(places, None, dot, of, shapes).draw(svg, colours);
            }
            _ => self.draw_shapes(svg, layer, colours),
        }
        numbers.draw(svg, places);
    }

    fn draw_shapes(&self, svg: &mut Svg, layer: &Layer, colours: Option<&Colours>) {
        let Layer { places, shapes: drawn, .. } = layer;
        let part = |shape: u32| self.parts.map_or(NONE, |parts| parts[shape as usize]);
        for run in drawn.chunk_by(|&a, &b| part(a) == part(b)) {
            let (mut large, mut small) = (String::new(), String::new());
            for &shape in run {
                let is_small = is_small(places, &self.shapes[shape as usize]);
                let data = if is_small { &mut small } else { &mut large };
                let corners = self.clipped(places, shape);
                let end = if corners.len() > 2 { "z" } else { "" };
                *data += &(through(corners) + end);
            }
            let part = part(run[0]);
            let is_line = self.shapes[run[0] as usize][2] == NONE;
            let (class, hint) = match colours {
                Some(colours) if part != NONE => {
                    (colours.class(part, is_line), format!("part {part}"))
                }
                _ if is_line => ("strand pale slim".to_string(), String::new()),
                _ => ("wire".to_string(), String::new()),
            };
            for (data, size) in [(large, ""), (small, " bare")] {
                if !data.is_empty() {
                    svg.path(&data, &(class.clone() + size), &hint);
                }
            }
        }
    }
}

/// Shapes that are drawn at some places, the farthest first: one by one, or as dots.
struct Layer {
    places: Places,
    shapes: Vec<u32>,
    as_dots: bool,
    numbers: Numbers,
}

/// Whether a shape is at most a few pixels wide.
fn is_small(places: &Places, shape: &Shape) -> bool {
    const SMALL: f64 = 5.0;
    let corners = || shape.iter().filter(|&&c| c != NONE).map(|&c| places.at(c));
    let x = range(corners().map(|p| p.0));
    let y = range(corners().map(|p| p.1));
    (x.1 - x.0).max(y.1 - y.0) < SMALL
}
