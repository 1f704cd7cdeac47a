//! A feeder as one line: a tree from the source on the left, coloured by voltage.
//!
//! **Method.** Columns are steps from the source. The largest child of a bus goes on in its row, the
//! others hang below it in rows of their own: no two lines cross. Lines have the colour of the bus
//! that they lead to, in [`SHADES`] steps of viridis, one path for each; a bus without supply is grey.
//! Ends have their names where rows have room.
//!
//! **Cost.** Linear in the buses; no recursion.

use super::add_line;
use crate::colour::{PLOT_STYLE, viridis};
use crate::number::{counted, short};
use crate::paper::{INSIDE, MARGIN, SMALL, WIDTH, heading};
use crate::scale::range;
use crate::svg::{Anchor, Svg};
use crate::text;

const TOP: f64 = 84.0;
/// Rows are this far apart where they fit.
const ROW: f64 = 15.0;
/// The tree is at most that high.
const HIGHEST: f64 = 760.0;
const SHADES: usize = 48;
/// Room for names at the right.
const NAMES: f64 = 70.0;

/// No bus: the parent of a source.
const NONE: u32 = u32::MAX;

/// A feeder as one line.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct OneLine {
    /// The heading.
    pub title: String,
    /// One line below the heading; may be empty.
    pub note: String,
    /// Names of buses.
    pub names: Vec<String>,
    /// By bus, the one before it on the way from a source; `u32::MAX` for sources.
    pub parents: Vec<u32>,
    /// By bus, its voltage per unit; NaN without supply.
    pub voltages: Vec<f64>,
}

/// Where buses are: column and row.
struct Places {
    column: Vec<u32>,
    row: Vec<u32>,
    columns: u32,
    rows: u32,
    is_end: Vec<bool>,
}

impl OneLine {
    fn places(&self) -> Places {
        let n = self.parents.len();
        let mut first = vec![0u32; n + 1];
        for &parent in self.parents.iter().filter(|&&parent| parent != NONE) {
            first[parent as usize + 1] += 1;
        }
        let is_end = first[1..].iter().map(|&count| count == 0).collect();
        for k in 0..n {
            first[k + 1] += first[k];
        }
        let (mut next, mut children) = (first.clone(), vec![0u32; first[n] as usize]);
        let mut roots = Vec::new();
        for (bus, &parent) in self.parents.iter().enumerate() {
            if parent == NONE {
                roots.push(bus as u32);
            } else {
                children[next[parent as usize] as usize] = bus as u32;
                next[parent as usize] += 1;
            }
        }
        // Top down, then sizes bottom up.
        let mut order = roots.clone();
        let mut at = 0;
        while at < order.len() {
            let bus = order[at] as usize;
            order.extend(&children[first[bus] as usize..first[bus + 1] as usize]);
            at += 1;
        }
        let mut size = vec![1u32; n];
        for &bus in order.iter().rev() {
            let parent = self.parents[bus as usize];
            if parent != NONE {
                size[parent as usize] += size[bus as usize];
            }
        }
        let (mut column, mut row) = (vec![0u32; n], vec![0u32; n]);
        let (mut rows, mut columns) = (0, 1);
        let mut stack: Vec<(u32, bool)> = roots.iter().rev().map(|&root| (root, true)).collect();
        while let Some((bus, starts)) = stack.pop() {
            let at = bus as usize;
            let parent = self.parents[at];
            if parent != NONE {
                column[at] = column[parent as usize] + 1;
                columns = columns.max(column[at] + 1);
            }
            if starts {
                row[at] = rows;
                rows += 1;
            } else {
                row[at] = row[parent as usize];
            }
            let mut below = children[first[at] as usize..first[at + 1] as usize].to_vec();
            below.sort_by_key(|&child| (std::cmp::Reverse(size[child as usize]), child));
            // The largest is taken first, and so pushed last.
            for (k, &child) in below.iter().enumerate().rev() {
                stack.push((child, k > 0));
            }
        }
        Places { column, row, columns, rows, is_end }
    }

    /// The picture.
    ///
    /// # Panics
    /// When there is not one parent and one voltage for each name.
    pub fn to_svg(&self) -> String {
        let n = self.names.len();
        assert!(self.parents.len() == n && self.voltages.len() == n, "a row per bus");
        let places = self.places();
        let apart = (HIGHEST / f64::from(places.rows.max(1))).min(ROW);
        let tree = (apart * f64::from(places.rows)).max(ROW);
        let has_names = apart >= ROW;
        let left = MARGIN + 6.0;
        let room = INSIDE - 12.0 - if has_names { NAMES } else { 0.0 };
        let step = (room / f64::from(places.columns.saturating_sub(1).max(1))).min(60.0);
        let at = |bus: usize| {
            let x = left + step * f64::from(places.column[bus]);
            (x, TOP + apart * (f64::from(places.row[bus]) + 0.5))
        };
        let live = || self.voltages.iter().copied().filter(|v| v.is_finite());
        let (low, high) = range(live());
        let span = if high > low { high - low } else { 1.0 };
        let shade = |bus: usize| {
            let share = (self.voltages[bus] - low) / span;
            share.is_finite().then(|| ((share * SHADES as f64) as usize).min(SHADES - 1))
        };
        let height = TOP + tree + 64.0;
        let description = format!(
            "{} from the source on the left, coloured by voltage from {} to {} per unit.",
            counted(n as u64, "bus", "buses"),
            short(low),
            short(high)
        );
        let mut svg = Svg::new(WIDTH, height, &self.title, &description);
        svg.add_style(PLOT_STYLE.to_string());
        heading(&mut svg, &self.title, &[&self.note]);
        let mut paths = vec![String::new(); SHADES + 1];
        for bus in 0..n {
            let parent = self.parents[bus];
            if parent == NONE {
                continue;
            }
            let (from, to) = (at(parent as usize), at(bus));
            let data = &mut paths[shade(bus).unwrap_or(SHADES)];
            if from.1 != to.1 {
                add_line(data, from, (from.0, to.1));
            }
            add_line(data, (from.0, to.1), to);
        }
        for (k, data) in paths.iter().enumerate().filter(|(_, data)| !data.is_empty()) {
            let share = (k as f64 + 0.5) / SHADES as f64;
            let colour = if k < SHADES { viridis(share) } else { "#888888".to_string() };
            svg.painted(data, "line", "stroke", &colour, "");
        }
        // Dots of single buses where they can be told apart.
        let dots = step >= 7.0 && apart >= 7.0;
        for bus in 0..n {
            let is_source = self.parents[bus] == NONE && !places.is_end[bus];
            if dots || is_source {
                let v = self.voltages[bus];
                let known = if v.is_finite() { short(v) } else { "no supply".to_string() };
                let colour = match shade(bus) {
                    Some(k) => viridis((k as f64 + 0.5) / SHADES as f64),
                    None => "#888888".to_string(),
                };
                let size = if is_source { 5.0 } else { 2.6 };
                let hint = format!("{}: {known}", self.names[bus]);
                svg.disc(at(bus), size, "point", &colour, &hint);
            }
            if has_names && places.is_end[bus] {
                let (x, y) = at(bus);
                let words = text::fit(&self.names[bus], SMALL, WIDTH - MARGIN - x - 6.0);
                svg.text((x + 6.0, y + 4.0), Anchor::Start, "tick", &words, &self.names[bus]);
            }
        }
        self.draw_scale(&mut svg, TOP + tree + 14.0, (low, high));
        svg.finish()
    }

    /// The colours of voltages.
    fn draw_scale(&self, svg: &mut Svg, top: f64, (low, high): (f64, f64)) {
        let stops: Vec<String> = (0..9).map(|k| viridis(f64::from(k) / 8.0)).collect();
        svg.gradient((MARGIN, top), (220.0, 12.0), "voltages", &stops);
        svg.text((MARGIN, top + 28.0), Anchor::Start, "tick", &short(low), "");
        svg.text((MARGIN + 220.0, top + 28.0), Anchor::End, "tick", &short(high), "");
        let words = "voltage (p.u.)";
        svg.text((MARGIN + 230.0, top + 11.0), Anchor::Start, "note", words, "");
        if self.voltages.iter().any(|v| !v.is_finite()) {
            let at = (MARGIN + 230.0, top + 28.0);
            svg.text(at, Anchor::Start, "note", "grey: no supply", "");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn laterals_hang_below_the_trunk() {
        //  0 ─ 1 ─ 2 ─ 3
        //      └ 4
        let picture = OneLine {
            title: "Feeder".into(),
            names: (0..5).map(|k| format!("b{k}")).collect(),
            parents: vec![NONE, 0, 1, 2, 1],
            voltages: vec![1.0, 0.99, 0.98, 0.97, f64::NAN],
            ..OneLine::default()
        };
        let places = picture.places();
        assert_eq!(places.row, [0, 0, 0, 0, 1]);
        assert_eq!(places.column, [0, 1, 2, 3, 2]);
        let svg = picture.to_svg();
        assert!(svg.contains("b4: no supply") && svg.contains("grey: no supply"));
    }

    /// Depth is no recursion, and size is no quadratic work.
    #[test]
    fn long_feeders() {
        let n = 50_000;
        let parents: Vec<u32> = (0..n).map(|k| if k == 0 { NONE } else { k - 1 }).collect();
        let names = (0..n).map(|k| k.to_string()).collect();
        let voltages = (0..n).map(|k| 1.0 - f64::from(k) * 1e-6).collect();
        let svg = OneLine { names, parents, voltages, ..OneLine::default() }.to_svg();
        assert!(svg.len() < 5_000_000);
    }
}
