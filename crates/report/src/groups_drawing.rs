//! Parts in the groups of a hierarchy, and what leaves the groups.
//!
//! **Problem.** For each processor its part; by level, groups of consecutive processors, and the
//! values that leave each.
//!
//! **Method.** Processors are squares, a group is a frame around its members, near a square
//! itself. The colour of a frame, and its width, show the values that leave the group. Groups of a
//! level have the room of the largest.
//!
//! **Cost.** Linear. Not for more than [`MAX_PROCESSORS`](crate::MAX_PROCESSORS) processors.

use crate::board::heat::{BAR_HEIGHT, Heat};
use crate::board::keys::{Keys, Sign};
use crate::board::{some, start};
use crate::number::{counted, thousands};
use crate::paper::{INSIDE, MARGIN};
use crate::svg::{Anchor, Svg};
use palmette_core::NONE;

const TOP: f64 = 88.0;
/// Room around the members of a group, in processors.
const AROUND: f64 = 0.26;
/// One processor takes at most so many pixels, and from so many on has room for a number.
const MAX_CELL: f64 = 46.0;
const NUMBERED: f64 = 24.0;
/// Widths of frames.
const WIDEST: f64 = 4.0;

/// Parts on a hierarchy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GroupsDrawing<'a> {
    /// The heading.
    pub title: &'a str,
    /// One line below the heading; may be empty.
    pub subtitle: &'a str,
    /// By processor, its part, or `NONE`.
    pub parts: &'a [u32],
    /// From the outermost level in: by group, its first processor and the values that leave it.
    /// Single processors and the whole are no level.
    pub levels: &'a [Vec<(u32, u64)>],
}

/// How the members of a group are arranged, and its size in processors.
#[derive(Clone, Copy)]
struct Shape {
    columns: usize,
    size: (f64, f64),
}

impl GroupsDrawing<'_> {
    /// The picture.
    ///
    /// # Panics
    /// When there are more processors than [`MAX_PROCESSORS`](crate::MAX_PROCESSORS), or none.
    pub fn to_svg(&self) -> String {
        let count = self.parts.len();
        assert!((1..=crate::MAX_PROCESSORS).contains(&count), "{count} processors");
        let shapes = self.shapes();
        let whole = shapes[0];
        let cell = (INSIDE / whole.size.0).min(MAX_CELL);
        let heat = Heat::of_whole_numbers(self.values().map(|values| values as f64));
        let most = self.values().max().unwrap_or(0);
        let parts = self.parts.iter().filter(|&&part| part != NONE).count() as u64;
        let facts = format!(
            "{} · {} · at most {} out of a group",
            counted(count as u64, "processor", "processors"),
            some(parts, "part", "parts"),
            counted(most, "value", "values"),
        );
        let mut keys = Keys::default();
        let words = match cell >= NUMBERED {
            true => "processor, with the number of its part",
            false => "processor",
        };
        keys.push(Sign::Field("zero"), words);
        keys.push_if(!self.levels.is_empty(), Sign::Remark, "frames: groups within groups");
        let below = TOP + whole.size.1 * cell + 10.0;
        let bar = if most > 0 { BAR_HEIGHT + 10.0 } else { 0.0 };
        let mut svg = start(
            below + bar + keys.height(),
            (self.title, self.subtitle, &facts),
            &format!("Parts on the processors of a hierarchy: {facts}."),
        );
        let room = (0, count as u32);
        self.draw(&mut svg, (0, room), (MARGIN, TOP), (&shapes, cell), (&heat, most));
        if most > 0 {
            heat.draw_bar(&mut svg, (MARGIN, below), ["Values out of a group", "once each"]);
        }
        keys.draw(&mut svg, (MARGIN, below + bar));
        svg.finish()
    }

    fn values(&self) -> impl Iterator<Item = u64> + Clone + '_ {
        self.levels.iter().flatten().map(|group| group.1)
    }

    /// Where the members of a group begin: groups of the next level, or processors.
    fn members(&self, level: usize, (first, end): (u32, u32)) -> Vec<u32> {
        match self.levels.get(level) {
            None => (first..end).collect(),
            Some(groups) => {
                let from = groups.partition_point(|group| group.0 < first);
                groups[from..].iter().map(|g| g.0).take_while(|&at| at < end).collect()
            }
        }
    }

    /// By level, the shape of its groups; the first is that of the whole.
    fn shapes(&self) -> Vec<Shape> {
        let count = self.parts.len() as u32;
        let mut shapes = Vec::new();
        let mut member = (1.0, 1.0);
        for level in (0..=self.levels.len()).rev() {
            let outer: Vec<u32> = match level {
                0 => vec![0],
                _ => self.levels[level - 1].iter().map(|group| group.0).collect(),
            };
            let ends = outer.iter().copied().skip(1).chain([count]);
            let sizes = outer.iter().zip(ends).map(|(&a, b)| self.members(level, (a, b)).len());
            let most = sizes.max().unwrap_or(1).max(1);
            let shape_of = |columns: usize| {
                let rows = most.div_ceil(columns) as f64;
                (columns as f64 * member.0 + 2.0 * AROUND, rows * member.1 + 2.0 * AROUND)
            };
            // The most nearly square one; wide rather than high.
            let apart = |&columns: &usize| {
                let (wide, high) = shape_of(columns);
                (wide.max(high) / wide.min(high) * 1000.0) as u64 * 2 + u64::from(high > wide)
            };
            let columns = (1..=most).min_by_key(apart).unwrap_or(1);
            member = shape_of(columns);
            shapes.push(Shape { columns, size: member });
        }
        shapes.reverse();
        shapes
    }

    fn draw(
        &self,
        svg: &mut Svg,
        (level, room): (usize, (u32, u32)),
        corner: (f64, f64),
        (shapes, cell): (&[Shape], f64),
        (heat, most): (&Heat, u64),
    ) {
        let members = self.members(level, room);
        let inner = shapes.get(level + 1).map_or((1.0, 1.0), |shape| shape.size);
        let ends = members.iter().copied().skip(1).chain([room.1]);
        for (k, (&first, end)) in members.iter().zip(ends.collect::<Vec<u32>>()).enumerate() {
            let columns = shapes[level].columns;
            let (column, row) = ((k % columns) as f64, (k / columns) as f64);
            let x = corner.0 + (AROUND + column * inner.0) * cell;
            let y = corner.1 + (AROUND + row * inner.1) * cell;
            let Some(groups) = self.levels.get(level) else {
                self.draw_processor(svg, first, (x, y), cell);
                continue;
            };
            let at = groups.partition_point(|group| group.0 < first);
            let values = groups[at].1;
            let class = match heat.step(values as f64) {
                Some(step) if values > 0 => format!("edge h{step}"),
                _ => "strand pale".to_string(),
            };
            let thin = 0.11 * cell;
            let [left, right] = [x + thin, x + inner.0 * cell - thin];
            let [top, bottom] = [y + thin, y + inner.1 * cell - thin];
            let frame = [(left, top), (right, top), (right, bottom), (left, bottom), (left, top)];
            let wide = (WIDEST * values as f64 / most.max(1) as f64).max(0.6);
            let out = thousands(values);
            let hint = format!("processors {first} to {}: {out} values leave", end - 1);
            svg.wide_line(&frame, wide, &class, &hint);
            self.draw(svg, (level + 1, (first, end)), (x, y), (shapes, cell), (heat, most));
        }
    }

    fn draw_processor(&self, svg: &mut Svg, processor: u32, (x, y): (f64, f64), cell: f64) {
        let (part, side) = (self.parts[processor as usize], 0.8 * cell);
        let words = match part {
            NONE => format!("processor {processor} without a part"),
            _ => format!("processor {processor}: part {part}"),
        };
        svg.rect((x + 0.1 * cell, y + 0.1 * cell), (side, side), "zero", &words);
        if part != NONE && cell >= NUMBERED {
            let at = (x + 0.5 * cell, y + 0.5 * cell + 4.3);
            svg.text(at, Anchor::Middle, "", &part.to_string(), "");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_within_groups() {
        for (count, sizes) in
            [(1u32, &[][..]), (7, &[]), (192, &[32, 4]), (4096, &[64]), (12, &[5])]
        {
            let parts: Vec<u32> = (0..count).map(|p| if p == 3 { NONE } else { p }).collect();
            let level = |&size: &u32| -> Vec<(u32, u64)> {
                (0..count.div_ceil(size)).map(|g| (g * size, u64::from(g * 13 % 7))).collect()
            };
            let levels: Vec<Vec<(u32, u64)>> = sizes.iter().map(level).collect();
            let drawing =
                GroupsDrawing { title: "a < b", subtitle: "", parts: &parts, levels: &levels };
            let text = drawing.to_svg();
            assert_eq!(text.matches("<title>processor ").count(), count as usize);
            let groups: usize = levels.iter().map(Vec::len).sum();
            assert_eq!(text.matches("values leave").count(), groups);
            assert!(text.contains("width=\"470\""));
        }
    }
}
