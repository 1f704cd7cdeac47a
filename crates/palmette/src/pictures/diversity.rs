//! Samples by their principal coordinates.

use super::{still, title};
use palmette_core::Picture;
use palmette_io::Labels;
use palmette_phylo::diversity::{Metric, Pcoa};
use palmette_report::{AxisSpec, MAX_GROUPS, Scatter, ScatterColours};
use std::collections::BTreeSet;

/// A column that is known about samples: its name and its words.
pub type Coloured<'a> = (&'a str, &'a [String]);

/// The first two principal coordinates of samples, with the share of each axis, coloured by a column: numbers by
/// a scale where they are many, words by group. `name` is that of the table.
pub fn coordinates(
    name: &str,
    metric: Metric,
    samples: &Labels,
    found: &Pcoa,
    colour: Option<Coloured<'_>>,
) -> Picture {
    let axis = |k: usize| {
        let share = found.proportions.get(k).map_or(0.0, |share| 100.0 * share);
        AxisSpec::linear(&format!("PC{} ({share:.1} %)", k + 1))
    };
    let n = samples.len();
    let along = |k: usize, i: usize| found.axes.get(k).map_or(0.0, |axis| axis[i]);
    let negative = match found.negative {
        Some((count @ 1.., sum)) => {
            let share = if found.total > 0.0 { -100.0 * sum / found.total } else { 0.0 };
            format!(" · {count} negative eigenvalues ({share:.1} % of the positive)")
        }
        _ => String::new(),
    };
    let what = match metric {
        Metric::Kr => "Kantorovich–Rubinstein distances".to_string(),
        other => format!("{} UniFrac", other.name().replace('-', " ")),
    };
    let picture = Scatter {
        title: format!("Principal coordinates of {}", title(name)),
        note: format!("{what} · {n} samples{negative}"),
        x: axis(0),
        y: axis(1),
        points: (0..n).map(|i| (along(0, i), along(1, i))).collect(),
        names: (0..n as u32).map(|i| samples.label(i).into_owned()).collect(),
        colour_by: colour.map_or(String::new(), |(name, _)| name.to_string()),
        colours: colour.map_or(ScatterColours::None, |(_, words)| colours(words)),
    };
    still("pcoa", "Principal coordinates", picture.to_svg())
}

/// Many different numbers are numbers; all else are groups.
fn colours(words: &[String]) -> ScatterColours {
    let numbers: Option<Vec<f64>> = words
        .iter()
        .map(|word| if word.is_empty() { Some(f64::NAN) } else { word.parse().ok() })
        .collect();
    let different: BTreeSet<&String> = words.iter().collect();
    match numbers {
        Some(numbers) if different.len() > MAX_GROUPS => ScatterColours::Numbers(numbers),
        _ => ScatterColours::Groups(words.to_vec()),
    }
}
