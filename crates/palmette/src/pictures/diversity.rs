//! Samples by their principal coordinates, and distances as maps.

use super::{still, title};
use palmette_core::Picture;
use palmette_io::Labels;
use palmette_phylo::diversity::{Condensed, Metric, Pcoa, cluster_order};
use palmette_report::{AxisSpec, DistanceMap, MAX_GROUPS, Scatter, ScatterColours};
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
    let what = words_of(metric);
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

/// What a metric is called.
fn words_of(metric: Metric) -> String {
    match metric {
        Metric::Kr => "Kantorovich–Rubinstein distances".to_string(),
        Metric::Faith => "Faith PD".to_string(),
        other => format!("{} UniFrac", other.name().replace('-', " ")),
    }
}

/// Beyond this many rows their order is that of the file: clustering takes quadratic time and memory.
const MOST_CLUSTERED: usize = 5_000;

/// The distances of samples, near ones beside each other. `name` is that of the table.
pub fn sample_distances(
    name: &str,
    metric: Metric,
    samples: &Labels,
    found: &Condensed,
) -> Picture {
    let names: Vec<String> =
        (0..samples.len() as u32).map(|i| samples.label(i).into_owned()).collect();
    distance_map(&format!("Distances in {}", title(name)), &words_of(metric), &names, found)
}

/// The distances of trees, near ones beside each other. `name` is that of the files, `quantity` the distance.
pub fn tree_distance_map(name: &str, quantity: &str, found: &Condensed) -> Picture {
    let names: Vec<String> = (0..found.len()).map(|i| i.to_string()).collect();
    distance_map(&format!("Trees of {}", title(name)), quantity, &names, found)
}

/// The distances of whatever has these names, near ones beside each other.
///
/// # Panics
/// When there is not one name for each row.
pub fn distance_map(heading: &str, quantity: &str, names: &[String], found: &Condensed) -> Picture {
    assert_eq!(names.len(), found.len(), "a name for each row");
    let clustered = found.len() <= MOST_CLUSTERED;
    let order = match clustered {
        true => cluster_order(found),
        false => (0..found.len() as u32).collect(),
    };
    let picture = DistanceMap {
        title: heading.to_string(),
        note: if clustered { "rows by clustering (UPGMA)" } else { "rows as in the file" }.into(),
        names: order.iter().map(|&i| names[i as usize].clone()).collect(),
        quantity: quantity.to_string(),
        distance: &|i, j| found.get(order[i] as usize, order[j] as usize),
    };
    still("distances", "Distances", picture.to_svg())
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
