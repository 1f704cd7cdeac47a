//! Parts on the nodes of a network, and the loads of its links.
//!
//! **Problem.** Points, some of them nodes with parts and some switches; links with loads.
//!
//! **Method.** Nodes are on a circle, in an order in which near ones are near each other; switches
//! lie inside, towards the nodes that they join. A link is a line, as wide as its larger load of
//! both directions over its capacity.
//!
//! **Cost.** Linear in links; at most [`MAX_LINKS`] lines, those with most.

use crate::board::heat::{BAR_HEIGHT, Heat};
use crate::board::keys::{Keys, Sign};
use crate::board::{some, start};
use crate::number::{counted, thousands};
use crate::paper::{INSIDE, MARGIN};
use crate::svg::{Anchor, Svg};

const TOP: f64 = 88.0;
/// A [`NetworkDrawing`] draws at most this many lines.
pub const MAX_LINKS: usize = 10_000;
/// Pixels around the circle, and of the widest line.
const AROUND: f64 = 26.0;
const WIDEST: f64 = 5.0;
/// Up to so many nodes have numbers.
const NUMBERED: usize = 64;
/// A hint names so many parts.
const MOST_NAMED: usize = 32;

/// Parts on a network.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NetworkDrawing<'a> {
    /// The heading.
    pub title: &'a str,
    /// One line below the heading; may be empty.
    pub subtitle: &'a str,
    /// By point, its parts.
    pub nodes: &'a [Vec<u32>],
    /// By point, its name; empty where points have numbers only.
    pub names: &'a [String],
    /// The points on the circle, in order.
    pub order: &'a [u32],
    /// Ends, the larger load of both directions, and the capacity.
    pub links: &'a [(u32, u32, u64, u32)],
}

impl NetworkDrawing<'_> {
    /// The picture.
    ///
    /// # Panics
    /// When an end is no point.
    pub fn to_svg(&self) -> String {
        let places = self.places();
        let time = |link: &(u32, u32, u64, u32)| link.2 as f64 / f64::from(link.3.max(1));
        let mut links = self.links.to_vec();
        links.sort_by(|a, b| time(b).total_cmp(&time(a)).then(a.cmp(b)));
        let left_out = links.len().saturating_sub(MAX_LINKS);
        links.truncate(MAX_LINKS);
        let even = links.windows(2).all(|pair| pair[0].3 == pair[1].3);
        let heat = Heat::new(links.iter().map(time));
        let most = links.first().map_or(0.0, time);
        let (parts, on_circle) = (self.nodes.iter().map(Vec::len).sum::<usize>(), self.order.len());
        let facts = format!(
            "{} · {} · {} · {}",
            counted(on_circle as u64, "node", "nodes"),
            some(
                (self.nodes.len() - on_circle) as u64,
                "switch or dead node",
                "switches or dead nodes"
            ),
            some(self.links.len() as u64, "link", "links"),
            some(parts as u64, "part", "parts"),
        );
        let mut keys = Keys::default();
        let words = match on_circle < self.nodes.len() {
            true => "node; smaller, inside: switches",
            false => "node",
        };
        keys.push(Sign::Vertex, words);
        keys.push(Sign::Remark, "a line is as wide as its fuller direction");
        if left_out > 0 {
            keys.remark(&format!("{} emptier links are not drawn", thousands(left_out as u64)));
        }
        let below = TOP + INSIDE + 6.0;
        let bar = if most > 0.0 { BAR_HEIGHT + 10.0 } else { 0.0 };
        let mut svg = start(
            below + bar + keys.height(),
            (self.title, self.subtitle, &facts),
            &format!("Parts on the nodes of a network: {facts}."),
        );
        // Emptier ones first, so that fuller ones lie over them.
        for link in links.iter().rev() {
            let class = match heat.step(time(link)) {
                Some(step) if link.2 > 0 => format!("edge h{step}"),
                _ => "strand pale".to_string(),
            };
            let wide = (WIDEST * time(link) / most.max(f64::MIN_POSITIVE)).max(0.4);
            let (a, b) = (self.name(link.0), self.name(link.1));
            let hint = format!("between {a} and {b}: {}", counted(link.2, "value", "values"));
            let ends = [places[link.0 as usize], places[link.1 as usize]];
            svg.wide_line(&ends, wide, &class, &hint);
        }
        self.draw_points(&mut svg, &places);
        if most > 0.0 {
            let words = if even { "Values over a link" } else { "Values over capacity of a link" };
            heat.draw_bar(&mut svg, (MARGIN, below), [words, "the fuller direction"]);
        }
        keys.draw(&mut svg, (MARGIN, below + bar));
        svg.finish()
    }

    fn name(&self, point: u32) -> String {
        self.names.get(point as usize).cloned().unwrap_or_else(|| point.to_string())
    }

    /// Nodes on the circle; switches between what they join, nearer to the middle.
    fn places(&self) -> Vec<(f64, f64)> {
        let middle = (MARGIN + INSIDE / 2.0, TOP + INSIDE / 2.0);
        let radius = INSIDE / 2.0 - AROUND;
        let mut places: Vec<Option<(f64, f64)>> = vec![None; self.nodes.len()];
        for (k, &point) in self.order.iter().enumerate() {
            let turn = k as f64 / self.order.len() as f64 * std::f64::consts::TAU;
            let (x, y) = (middle.0 + radius * turn.sin(), middle.1 - radius * turn.cos());
            places[point as usize] = Some((x, y));
        }
        loop {
            let mut sums = vec![(0.0, 0.0, 0.0); places.len()];
            let mut missing = false;
            for &(a, b, ..) in self.links {
                for (own, other) in [(a as usize, b as usize), (b as usize, a as usize)] {
                    if let (None, Some((x, y))) = (places[own], places[other]) {
                        let sum = &mut sums[own];
                        *sum = (sum.0 + x, sum.1 + y, sum.2 + 1.0);
                        missing = true;
                    }
                }
            }
            if !missing {
                return places.into_iter().map(|place| place.unwrap_or(middle)).collect();
            }
            for (place, (x, y, count)) in places.iter_mut().zip(sums) {
                if place.is_none() && count > 0.0 {
                    let towards = |sum: f64, middle: f64| middle + 0.72 * (sum / count - middle);
                    *place = Some((towards(x, middle.0), towards(y, middle.1)));
                }
            }
        }
    }

    fn draw_points(&self, svg: &mut Svg, places: &[(f64, f64)]) {
        let mut on_circle = vec![false; places.len()];
        self.order.iter().for_each(|&point| on_circle[point as usize] = true);
        let middle = (MARGIN + INSIDE / 2.0, TOP + INSIDE / 2.0);
        let large = (400.0 / self.order.len().max(1) as f64).clamp(1.5, 5.0);
        for (point, &(x, y)) in (0u32..).zip(places) {
            let parts = &self.nodes[point as usize];
            let shown: Vec<String> = parts.iter().take(MOST_NAMED).map(u32::to_string).collect();
            let more = if parts.len() > MOST_NAMED { " …" } else { "" };
            let hint = match parts.len() {
                0 => format!("{} without a part", self.name(point)),
                1 => format!("{}: part {}", self.name(point), parts[0]),
                _ => format!("{}: parts {}{more}", self.name(point), shown.join(" ")),
            };
            let is_node = on_circle[point as usize];
            svg.disc((x, y), if is_node { large } else { 0.6 * large }, "vertex", "", &hint);
            if is_node && self.order.len() <= NUMBERED {
                let out = 1.0 + 14.0 / (INSIDE / 2.0 - AROUND);
                let at = (middle.0 + out * (x - middle.0), middle.1 + out * (y - middle.1) + 4.0);
                svg.text(at, Anchor::Middle, "note", &point.to_string(), "");
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn switches_lie_inside() {
        let nodes = vec![vec![0], vec![1], vec![2, 3], vec![], vec![]];
        let links = [(0, 3, 5, 1), (1, 3, 0, 1), (2, 4, 9, 1), (3, 4, 7, 10)];
        let drawing = NetworkDrawing {
            title: "a < b",
            subtitle: "",
            nodes: &nodes,
            names: &[],
            order: &[0, 1, 2],
            links: &links,
        };
        let places = drawing.places();
        let middle = (MARGIN + INSIDE / 2.0, TOP + INSIDE / 2.0);
        let far = |p: usize| (places[p].0 - middle.0).hypot(places[p].1 - middle.1);
        assert!(far(3) < far(0) && far(4) < far(2));
        let text = drawing.to_svg();
        assert!(text.contains("between 3 and 4: 7 values") && text.contains("2: parts 2 3"));
        assert!(text.contains("Values over capacity"));
    }
}
