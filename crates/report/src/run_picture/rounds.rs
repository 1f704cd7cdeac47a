//! How many vertices each round of a contraction took away, as bars.
//!
//! More than 100 rounds are joined into bins, which the axis states: a bar is the mean of its
//! bin, and a line the largest round. The axis is logarithmic when the largest count is more
//! than a thousand times the smallest one above 0, or fifty times the middle one; a round
//! without vertices then has no bar.

use crate::chart::bins::Bins;
use crate::chart::{AxisSpec, Frame, whole};
use crate::number::{counted, short, thousands};
use crate::paper::SMALL;
use crate::scale::{Scale, Spread, range};
use crate::svg::{Anchor, Svg};
use crate::text;

const MAX_BARS: usize = 100;
const MAX_BAR: f64 = 44.0;
/// Room above the highest bar for its number.
const LABEL: f64 = 14.0;
/// Above these ratios of the largest count to the smallest and to the middle one the axis is
/// logarithmic.
const SPAN: f64 = 1000.0;
const TOWER: f64 = 50.0;

/// The bars and their axes.
pub(super) fn draw(svg: &mut Svg, frame: Frame, rounds: &[u64]) {
    let bins = Bins::new(rounds, MAX_BARS);
    let mut sorted: Vec<f64> = bins.mean.iter().copied().filter(|&m| m > 0.0).collect();
    sorted.sort_by(f64::total_cmp);
    let least = sorted.first().copied().unwrap_or(0.0);
    let middle = sorted.get(sorted.len() / 2).copied().unwrap_or(0.0);
    let most = range(bins.largest.iter().copied()).1;
    let is_wide = most > SPAN * least || most > TOWER * middle;
    let spread = if is_wide && least > 0.0 { Spread::Log } else { Spread::Linear };
    let pixels = (frame.bottom, frame.top + LABEL);
    let y = match spread {
        Spread::Linear => Scale::nice(spread, (0.0, most.max(1.0)), pixels),
        // Room below the smallest, so that it has a bar.
        Spread::Log => {
            let low = 0.6 * 10f64.powf((least.log10() + 1e-9).floor());
            let high = 10f64.powf((most.log10() - 1e-9).ceil());
            Scale::new(spread, (low, high), pixels)
        }
    };
    let ticks = frame.y_ticks(&y);
    let ticks = if least >= 1.0 || spread == Spread::Linear { whole(ticks) } else { ticks };
    frame.draw_y(svg, &y, &ticks, &caption(&bins, spread));

    let end = rounds.len() as f64 + 0.5;
    let x = Scale::new(Spread::Linear, (0.5, end), frame.horizontal());
    let edge = |bin: usize| x.at(((bin * bins.width) as f64 + 0.5).min(end));
    let slot = edge(1) - edge(0);
    let bar = if bins.width > 1 { 1.0 } else { (MAX_BAR / slot).min(0.8) };
    let labels: Vec<String> = bins.mean.iter().map(|&m| thousands(m as u64)).collect();
    let is_labelled = bins.width == 1 && labels.iter().all(|l| text::width(l, SMALL) + 6.0 <= slot);
    for (i, &mean) in bins.mean.iter().enumerate() {
        let (left, right) = (edge(i), edge(i + 1));
        let room = (right - left) * (1.0 - bar) / 2.0;
        let top = if mean > 0.0 { y.at(mean) } else { frame.bottom };
        let size = (right - left - 2.0 * room, frame.bottom - top);
        svg.rect((left + room, top), size, "f0", &hint(rounds, &bins, i));
        if is_labelled {
            let at = ((left + right) / 2.0, top - 5.0);
            svg.text(at, Anchor::Middle, "note halo", &labels[i], "");
        }
    }
    if bins.mean != bins.largest {
        let ends = |(i, &h): (usize, &f64)| {
            let top = if h > 0.0 { y.at(h) } else { frame.bottom };
            [(edge(i), top), (edge(i + 1), top)]
        };
        let steps: Vec<_> = bins.largest.iter().enumerate().flat_map(ends).collect();
        svg.polyline(&steps, "line thin l1");
    }
    frame.draw_x(svg, &x, &x_ticks(&frame, &x, rounds.len()), "round");
}

/// Every round while their numbers fit, round numbers otherwise.
fn x_ticks(frame: &Frame, x: &Scale, count: usize) -> Vec<f64> {
    if count as f64 * 26.0 <= frame.right - frame.left {
        return (1..=count).map(|r| r as f64).collect();
    }
    whole(frame.x_ticks(x)).into_iter().filter(|&t| t >= 1.0).collect()
}

/// What the bars are, and what a logarithm hides.
fn caption(bins: &Bins, spread: Spread) -> String {
    let name = match bins.width {
        1 => "vertices contracted per round".to_string(),
        width => {
            let width = thousands(width as u64);
            format!("vertices per round; bars: means of {width} rounds, line: most")
        }
    };
    let caption = AxisSpec { name, spread }.caption();
    let has_gaps = spread == Spread::Log && bins.mean.contains(&0.0);
    if has_gaps { caption + ", no bar for 0" } else { caption }
}

fn hint(rounds: &[u64], bins: &Bins, i: usize) -> String {
    let (first, end) = (i * bins.width, ((i + 1) * bins.width).min(rounds.len()));
    if end - first == 1 {
        let count = counted(rounds[first], "vertex", "vertices");
        return format!("round {}: {count}", thousands(end as u64));
    }
    let (mean, largest) = (short(bins.mean[i]), short(bins.largest[i]));
    let (from, to) = (thousands(first as u64 + 1), thousands(end as u64));
    format!("rounds {from} to {to}: {mean} vertices on average, {largest} at most")
}

/// Rounds and vertices, in one line.
pub(super) fn facts(rounds: &[u64]) -> String {
    let all: u64 = rounds.iter().fold(0, |a, &b| a.saturating_add(b));
    let mut facts = counted(rounds.len() as u64, "round", "rounds");
    if all > 0 {
        let most = rounds.iter().enumerate().rev().max_by_key(|r| r.1);
        let (round, most) = most.map_or((0, 0), |(i, &c)| (i as u64 + 1, c));
        facts += &format!(
            " · {} contracted · most in round {}: {}",
            counted(all, "vertex", "vertices"),
            thousands(round),
            thousands(most)
        );
    }
    facts
}
