//! **Problem.** The square [-1, 1]² with a crack from the middle of its left side to its
//! centre, the tip. Elements at the tip are hundreds of times smaller than at the edge, as
//! the strain near a tip demands.
//!
//! **Method.** The wanted length of edges at distance r from the tip is
//! `s √(tip² + growth² r²)`; `s` is chosen for the number of nodes. Sides and crack are
//! divided so that each piece has this length; for this law that is equal steps of an inverse
//! hyperbolic sine. Inside, points lie on circles around the tip, turned against each other
//! by half a step, and those too close to sides and crack are left out. A few times all is
//! triangulated and each inner point moves towards the mean of its neighbours.
//!
//! **Cost.** Some triangulations: `n log n`, on one thread.
//!
//! **Determinism.** No chance; distances use the platform's `sinh` and `asinh`.

use super::triangulate::triangulate;
use super::{MeshShape, MeshShapeError};
use palmette_core::Mesh;
use palmette_core::mesh::{Cells, ElementKind, Group, Point};

/// What the cracked plate is like.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CrackPlateParams {
    /// About how many nodes.
    pub nodes: usize,
    /// Whether the two faces of the crack have nodes of their own, at the same places. The
    /// tip is one node always.
    pub doubled: bool,
}

impl CrackPlateParams {
    /// With fewer nodes the crack is not resolved.
    pub const LEAST_NODES: usize = 300;
}

impl Default for CrackPlateParams {
    fn default() -> Self {
        CrackPlateParams { nodes: 5000, doubled: false }
    }
}

/// The length of edges at the tip, and its growth with the distance, before scaling.
const TIP: f64 = 0.0004;
const GROWTH: f64 = 0.0965;
/// The least distance of inner points from sides and crack, in lengths of edges.
const CLEAR: f64 = 0.6;
/// How often the mesh is triangulated, and how often points move in between.
const ROUNDS: usize = 5;
const MOVES: usize = 2;

/// Tags of the physical groups.
const PLATE: i32 = 1;
const CRACK: i32 = 2;
const LOWER_CRACK: i32 = 3;
const SIDES: [(i32, &str); 4] = [(4, "bottom"), (5, "right"), (6, "top"), (7, "left")];
const TIP_POINT: i32 = 8;

/// The cracked plate; see the file. Its groups are `plate`, `crack` (the upper face if there
/// are two, and then `lower crack`), `bottom`, `right`, `top`, `left` and the point `tip`.
///
/// # Errors
/// Too few nodes or too many.
pub fn crack_plate(params: &CrackPlateParams) -> Result<Mesh, MeshShapeError> {
    let CrackPlateParams { nodes, doubled } = *params;
    if nodes < CrackPlateParams::LEAST_NODES {
        let shape = MeshShape::CrackPlate { nodes, doubled };
        return Err(MeshShapeError::Few { shape, least: CrackPlateParams::LEAST_NODES });
    }
    let size = Size { scale: (unscaled_nodes() / nodes as f64).sqrt() };
    let mut plate = Outline::new(&size);
    let fixed = plate.points.len();
    inner_points(&size, &mut plate.points);
    let edges: Vec<[u32; 2]> = plate.lines.iter().map(|line| line.0).collect();
    let mut triangles = triangulate(&plate.points, &edges);
    for _ in 0..ROUNDS {
        for _ in 0..MOVES {
            relax(&mut plate.points, fixed, &triangles);
        }
        triangles = triangulate(&plate.points, &edges);
    }
    if doubled {
        plate.double(&mut triangles);
    }
    plate.mesh(triangles)
}

/// The wanted length of edges.
struct Size {
    scale: f64,
}

impl Size {
    fn at(&self, p: Point) -> f64 {
        self.scale * TIP.hypot(GROWTH * p[0].hypot(p[1]))
    }

    /// The number of edges from 0 to `t` along a line whose least distance from the tip is
    /// `away`, and the `t` that is so many edges away.
    fn steps(&self, away: f64, t: f64) -> f64 {
        let least = TIP.hypot(GROWTH * away);
        (GROWTH * t / least).asinh() / (self.scale * GROWTH)
    }

    fn place(&self, away: f64, steps: f64) -> f64 {
        let least = TIP.hypot(GROWTH * away);
        least / GROWTH * (self.scale * GROWTH * steps).sinh()
    }

    /// Cuts the way from `from` to `to` on such a line into edges; the ends are exact.
    fn cut(&self, away: f64, from: f64, to: f64) -> Vec<f64> {
        let (first, last) = (self.steps(away, from), self.steps(away, to));
        let count = (last - first).abs().round().max(1.0) as usize;
        let step = (last - first) / count as f64;
        let between = (1..count).map(|i| self.place(away, first + step * i as f64));
        std::iter::once(from).chain(between).chain([to]).collect()
    }
}

/// The number of nodes with a scale of 1: equilateral triangles have 2/√3 nodes per squared length,
/// integrated by angle over an eighth of the plate.
fn unscaled_nodes() -> f64 {
    const STEPS: usize = 256;
    let angle = |i: usize| std::f64::consts::FRAC_PI_4 * (i as f64 + 0.5) / STEPS as f64;
    let log = |reach: f64| (1.0 + (GROWTH * reach / TIP).powi(2)).ln() / (2.0 * GROWTH * GROWTH);
    let mean = (0..STEPS).map(|i| log(1.0 / angle(i).cos())).sum::<f64>() / STEPS as f64;
    2.0 / 3.0f64.sqrt() * std::f64::consts::TAU * mean
}

/// Points on circles around the tip.
fn inner_points(size: &Size, points: &mut Vec<Point>) {
    let mut ring = 1;
    loop {
        let radius = size.place(0.0, ring as f64 * 3.0f64.sqrt() / 2.0);
        if radius > std::f64::consts::SQRT_2 {
            return;
        }
        let length = size.at([radius, 0.0, 0.0]);
        let count = (std::f64::consts::TAU * radius / length).round().max(6.0);
        for i in 0..count as usize {
            let turn = (i as f64 + 0.5 * (ring % 2) as f64) / count;
            let (sin, cos) = (std::f64::consts::TAU * turn).sin_cos();
            let p = [radius * cos, radius * sin, 0.0];
            let clear = CLEAR * size.at(p);
            let near_crack = p[0] < 0.0 && p[1].abs() < clear;
            if p[0].abs().max(p[1].abs()) < 1.0 - clear && !near_crack {
                points.push(p);
            }
        }
        ring += 1;
    }
}

/// Moves all points but the first `fixed` to the mean of their neighbours.
fn relax(points: &mut [Point], fixed: usize, triangles: &[u32]) {
    let mut sums = vec![[0.0; 3]; points.len()];
    for t in triangles.chunks_exact(3) {
        // Each neighbour of an inner point comes twice, once from either side.
        for (a, b) in [(0, 1), (1, 2), (2, 0)] {
            let (a, b) = (t[a] as usize, t[b] as usize);
            for (to, from) in [(a, b), (b, a)] {
                sums[to][0] += points[from][0];
                sums[to][1] += points[from][1];
                sums[to][2] += 1.0;
            }
        }
    }
    for (point, sum) in points.iter_mut().zip(&sums).skip(fixed) {
        *point = [sum[0] / sum[2], sum[1] / sum[2], 0.0];
    }
}

/// The points and lines of sides and crack, then more points.
struct Outline {
    points: Vec<Point>,
    lines: Vec<([u32; 2], i32)>,
    /// The nodes on the crack, the tip last.
    crack: Vec<u32>,
}

impl Outline {
    fn new(size: &Size) -> Outline {
        let mut outline = Outline { points: Vec::new(), lines: Vec::new(), crack: Vec::new() };
        // Around the plate from the mouth of the crack.
        let down = size.cut(1.0, 0.0, -1.0).into_iter().map(|y| [-1.0, y, 0.0]);
        let bottom = size.cut(1.0, -1.0, 1.0).into_iter().map(|x| [x, -1.0, 0.0]);
        let right = size.cut(1.0, -1.0, 1.0).into_iter().map(|y| [1.0, y, 0.0]);
        let top = size.cut(1.0, 1.0, -1.0).into_iter().map(|x| [x, 1.0, 0.0]);
        let back = size.cut(1.0, 1.0, 0.0).into_iter().map(|y| [-1.0, y, 0.0]);
        let [bottom_tag, right_tag, top_tag, left_tag] = SIDES.map(|side| side.0);
        outline.points.push([-1.0, 0.0, 0.0]);
        outline.side(down, left_tag);
        outline.side(bottom, bottom_tag);
        outline.side(right, right_tag);
        outline.side(top, top_tag);
        outline.side(back, left_tag);
        // The last point is the mouth again.
        outline.points.pop();
        if let Some(last) = outline.lines.last_mut() {
            last.0[1] = 0;
        }
        let first = outline.points.len() as u32;
        let inside = size.cut(0.0, -1.0, 0.0).into_iter().skip(1).map(|x| [x, 0.0, 0.0]);
        outline.points.extend(inside);
        outline.crack = std::iter::once(0).chain(first..outline.points.len() as u32).collect();
        outline.lines.extend(outline.crack.windows(2).map(|w| ([w[0], w[1]], CRACK)));
        outline
    }

    /// Adds a side that starts at the last point.
    fn side(&mut self, places: impl Iterator<Item = Point>, tag: i32) {
        for place in places.skip(1) {
            let last = self.points.len() as u32;
            self.points.push(place);
            self.lines.push(([last - 1, last], tag));
        }
    }

    /// Gives the elements below the crack nodes of their own on it.
    fn double(&mut self, triangles: &mut [u32]) {
        let tip = self.crack.len() - 1;
        let first = self.points.len() as u32;
        let places: Vec<Point> =
            self.crack[..tip].iter().map(|&v| self.points[v as usize]).collect();
        let mut copy: Vec<u32> = (0..first).collect();
        (0..tip).for_each(|i| copy[self.crack[i] as usize] = first + i as u32);
        for t in triangles.chunks_exact_mut(3) {
            if t.iter().map(|&v| self.points[v as usize][1]).sum::<f64>() < 0.0 {
                t.iter_mut().for_each(|v| *v = copy[*v as usize]);
            }
        }
        for (line, _) in &mut self.lines {
            if line.iter().map(|&v| self.points[v as usize][1]).sum::<f64>() < 0.0 {
                line.iter_mut().for_each(|v| *v = copy[*v as usize]);
            }
        }
        let lower = self
            .crack
            .windows(2)
            .map(|w| ([copy[w[0] as usize], copy[w[1] as usize]], LOWER_CRACK));
        self.lines.extend(lower);
        self.points.extend(places);
    }

    fn mesh(self, triangles: Vec<u32>) -> Result<Mesh, MeshShapeError> {
        let mut boundary = Cells::default();
        for (line, tag) in &self.lines {
            boundary.push(ElementKind::Line, line, *tag);
        }
        boundary.push(ElementKind::Point, &self.crack[self.crack.len() - 1..], TIP_POINT);
        let group = |dimension, tag, name: &str| Group { dimension, tag, name: name.to_string() };
        let mut groups = vec![group(2, PLATE, "plate"), group(1, CRACK, "crack")];
        if self.lines.iter().any(|line| line.1 == LOWER_CRACK) {
            groups.push(group(1, LOWER_CRACK, "lower crack"));
        }
        groups.extend(SIDES.map(|(tag, name)| group(1, tag, name)));
        groups.push(group(0, TIP_POINT, "tip"));
        let elements = Cells::of_kind(ElementKind::Triangle, triangles, PLATE);
        Ok(Mesh::new(self.points, elements)?.with_groups(boundary, groups)?)
    }
}
