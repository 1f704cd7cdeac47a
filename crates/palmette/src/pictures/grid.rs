//! Chips' grids: drops on the plane, waveforms.

use super::*;
use crate::power::PowerGrid;
use palmette_report::number::counted;
use palmette_report::{AxisSpec, FieldDrawing, LineChart, Series};

/// Cells of a map along each axis, at most.
const MOST_CELLS: usize = 72;
/// Waveforms in one picture, and stretches of time of which the extremes are drawn.
const MOST_WAVES: usize = 4;
const MOST_STRETCHES: usize = 400;
/// Drops below this part of the highest nominal voltage are rounding of solvers.
const ROUNDING: f64 = 1e-9;

/// The largest drop in each cell of the plane; nothing where no node has coordinates. `what` says
/// of what: `Drop`, `Worst drop`.
pub fn drop_map(grid: &PowerGrid, drops: &[f64], what: &str) -> Option<Picture> {
    let known: Vec<(usize, [f64; 2])> = grid
        .plane
        .points
        .iter()
        .copied()
        .enumerate()
        .filter(|(node, point)| !point[0].is_nan() && drops[*node].is_finite())
        .collect();
    let mut places: Vec<[u64; 2]> = known.iter().map(|(_, p)| p.map(f64::to_bits)).collect();
    places.sort_unstable();
    places.dedup();
    if places.len() < 2 {
        return None;
    }
    let side = |axis: usize| {
        let low = known.iter().map(|(_, p)| p[axis]).fold(f64::INFINITY, f64::min);
        let high = known.iter().map(|(_, p)| p[axis]).fold(f64::NEG_INFINITY, f64::max);
        (low, high)
    };
    let ends = [side(0), side(1)];
    // About one place per cell.
    let wide = [0, 1].map(|axis| ends[axis].1 - ends[axis].0);
    let shape = if wide[0] > 0.0 && wide[1] > 0.0 { wide[0] / wide[1] } else { 1.0 };
    let count = places.len() as f64;
    let cells = [(count * shape).sqrt(), (count / shape).sqrt()]
        .map(|cells| (cells.round() as usize).clamp(1, MOST_CELLS));
    let step = [0, 1].map(|axis| match cells[axis] {
        1 => wide[axis].max(1.0),
        count => wide[axis] / (count - 1) as f64,
    });
    let step = step.map(|step| if step > 0.0 { step } else { step_of(&wide) });
    let cell = |point: [f64; 2]| {
        [0, 1].map(|axis| ((point[axis] - ends[axis].0) / step[axis]).round() as usize)
    };
    let highest = grid.nets.nets.iter().map(|net| net.nominal.abs()).fold(0.0, f64::max);
    let mut worst = std::collections::BTreeMap::<[usize; 2], f64>::new();
    for (node, point) in known {
        let value = worst.entry(cell(point)).or_insert(f64::NEG_INFINITY);
        let drop = if drops[node].abs() < ROUNDING * highest { 0.0 } else { drops[node] };
        *value = value.max(1e3 * drop);
    }
    let (mut points, mut shapes, mut values) = (Vec::new(), Vec::new(), Vec::new());
    for ([i, j], value) in worst {
        let first = points.len() as u32;
        for (a, b) in [(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)] {
            let x = ends[0].0 + (i as f64 + a) * step[0];
            let y = ends[1].0 + (j as f64 + b) * step[1];
            points.push([x, y, 0.0]);
            values.push(value);
        }
        shapes.push([first, first + 1, first + 2, first + 3]);
    }
    let drawing = FieldDrawing {
        title: &format!("{what} of {}", title(&grid.file.name)),
        subtitle: &format!(
            "the largest in each cell · {}",
            counted(places.len() as u64, "place", "places")
        ),
        name: &format!("{what} (mV)"),
        points: &points,
        shapes: &shapes,
        values: &values,
        components: 1,
        cells: true,
    };
    Some(still("drop-map", what, drawing.to_svg()))
}

fn step_of(wide: &[f64; 2]) -> f64 {
    wide[0].max(wide[1]).max(1.0)
}

/// Waveforms of up to four probes, from their values at the start: times in seconds, values by probe
/// and time.
pub fn waveforms(name: &str, times: &[f64], probes: &[(String, Vec<f64>)]) -> Picture {
    let every = times.len().div_ceil(MOST_STRETCHES).max(1);
    let scale = [(1e-9, "ns"), (1e-6, "µs"), (1e-3, "ms"), (1.0, "s")];
    let last = times.last().copied().unwrap_or(0.0);
    let (second, word) =
        scale.into_iter().find(|(second, _)| last <= 1000.0 * second).unwrap_or((1.0, "s"));
    let line = |(name, values): &(String, Vec<f64>)| Series {
        name: name.clone(),
        points: extremes(values, every)
            .into_iter()
            .map(|k| (times[k] / second, 1e3 * (values[k] - values[0])))
            .collect(),
    };
    let left_out = probes.len().saturating_sub(MOST_WAVES);
    let chart = LineChart {
        title: format!("Waveforms of {}", title(name)),
        note: match left_out {
            0 => String::new(),
            more => format!("the first {MOST_WAVES} of {}", MOST_WAVES + more),
        },
        x: AxisSpec::linear(&format!("time ({word})")),
        y: AxisSpec::linear("change since the start (mV, mA)"),
        series: probes.iter().take(MOST_WAVES).map(line).collect(),
        unmarked: true,
        ..LineChart::default()
    };
    still("waveforms", "Waveforms", chart.to_svg())
}

/// Of every so many values the places of the least and the largest, in order, and both ends: no peak
/// is left out.
fn extremes(values: &[f64], every: usize) -> Vec<usize> {
    let mut places = Vec::new();
    for (part, stretch) in values.chunks(every).enumerate() {
        let by_value = |a: &(usize, &f64), b: &(usize, &f64)| a.1.total_cmp(b.1);
        let least = stretch.iter().enumerate().min_by(by_value);
        let most = stretch.iter().enumerate().max_by(by_value);
        places.extend([least, most].into_iter().flatten().map(|found| part * every + found.0));
    }
    places.extend([0, values.len().saturating_sub(1)]);
    places.retain(|&place| place < values.len());
    places.sort_unstable();
    places.dedup();
    places
}
