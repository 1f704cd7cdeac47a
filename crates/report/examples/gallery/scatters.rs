//! Samples by their principal coordinates.

use std::path::Path;

use crate::Outcome;
use palmette_report::{AxisSpec, DistanceMap, Scatter, ScatterColours};

pub(crate) fn draw(directory: &Path) -> Outcome {
    let n = 60;
    // Three clouds along a spiral.
    let place = |i: usize| {
        let (cloud, turn) = ((i % 3) as f64, i as f64 * 2.399);
        (1.2 * cloud + 0.07 * i as f64 * turn.cos() / 4.0, cloud * (2.0 - cloud) + turn.sin() / 3.0)
    };
    let groups = (0..n).map(|i| ["sea", "soil", "gut"][i % 3].to_string()).collect();
    let depths = (0..n).map(|i| i as f64 * 1.7).collect();
    for (name, by, colours) in [
        ("groups", "place", ScatterColours::Groups(groups)),
        ("numbers", "depth (m)", ScatterColours::Numbers(depths)),
    ] {
        let picture = Scatter {
            title: "Principal coordinates of table.tsv".into(),
            note: "unweighted UniFrac · 60 samples".into(),
            x: AxisSpec::linear("PC1 (41.2 %)"),
            y: AxisSpec::linear("PC2 (12.0 %)"),
            points: (0..n).map(place).collect(),
            names: (0..n).map(|i| format!("S{i:02}")).collect(),
            colour_by: by.into(),
            colours,
        };
        std::fs::write(directory.join(format!("scatter-{name}.svg")), picture.to_svg())?;
    }
    for n in [24, 150] {
        let distance = |i: usize, j: usize| {
            let (a, b) = (place(i * 3 % n), place(j * 3 % n));
            (a.0 - b.0).hypot(a.1 - b.1)
        };
        let picture = DistanceMap {
            title: "Distances of table.tsv".into(),
            note: "unweighted UniFrac".into(),
            names: (0..n).map(|i| format!("S{i:02}")).collect(),
            quantity: "distance".into(),
            distance: &distance,
        };
        std::fs::write(directory.join(format!("distances-{n}.svg")), picture.to_svg())?;
    }
    Ok(())
}
