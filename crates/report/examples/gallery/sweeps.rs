//! Theorems over sizes, and single runs. All numbers are invented; they show the drawing.

use std::path::Path;

use palmette_core::Tree;
use palmette_core::generate::{Shape, generate};
use palmette_report::{Law, LinkLoads, RunPicture, Series, SweepPage, Table, TheoremPlot};

use crate::Outcome;
use crate::grids::{hilbert, light_first, loads};

pub(crate) fn draw(directory: &Path) -> Outcome {
    for count in [1, 3, 7, 12] {
        let plot = plot(Law::LinearLog, "energy", 1.83, count, true);
        std::fs::write(directory.join(format!("theorem-{count}.svg")), plot.to_svg())?;
    }
    let mut one = plot(Law::Log, "depth", 2.4, 2, false);
    one.series.iter_mut().for_each(|s| s.points.truncate(1));
    one.series[0].points.push((512.0, 0.0));
    std::fs::write(directory.join("theorem-one-size.svg"), one.to_svg())?;
    one.series.clear();
    std::fs::write(directory.join("theorem-empty.svg"), one.to_svg())?;
    std::fs::write(directory.join("sweep.html"), page(5).to_html())?;
    runs(directory)
}

/// Points a little off a law, one series per shape.
fn plot(law: Law, quantity: &str, factor: f64, count: usize, baseline: bool) -> TheoremPlot {
    let sizes = || (8..=18).map(|k| f64::from(1 << k));
    let wobble = |i: usize, n: f64| 1.0 + 0.3 * (1.7 * i as f64 + n.log2() / 3.0).sin();
    let points = |i: usize| sizes().map(move |n| (n, (factor * law.at(n) * wobble(i, n)).round()));
    let series = Shape::FREE.iter().take(count).enumerate();
    TheoremPlot {
        name: "Theorem 5".into(),
        claim: format!("an invented program takes O({law}) {quantity}"),
        quantity: quantity.into(),
        law,
        series: series
            .map(|(i, shape)| Series { name: shape.to_string(), points: points(i).collect() })
            .collect(),
        baseline: baseline.then(|| Series {
            name: "PRAM simulation".into(),
            points: sizes().map(|n| (n, 3.1 * n.sqrt() * law.at(n))).collect(),
        }),
    }
}

fn page(count: usize) -> SweepPage {
    let head = [
        "shape",
        "n",
        "energy/n",
        "energy/(n log n)",
        "energy/n^1.5",
        "depth/log n",
        "depth/log^2 n",
        "distance/√n",
        "words",
    ];
    let mut table = Table::new(&head);
    for shape in Shape::FREE.iter().take(count) {
        for k in (8..=18).step_by(2) {
            let (n, log) = (f64::from(1 << k), f64::from(k));
            let energy = 1.83 * n * log;
            let mut row = vec![shape.to_string().into(), (1u64 << k).into()];
            let ratios =
                [energy / n, energy / (n * log), energy / n.powf(1.5), 2.4, 2.4 / log, 7.9];
            row.extend(ratios.map(Into::into));
            row.push(14u64.into());
            table.row(row);
        }
    }
    SweepPage {
        title: "Sweep of an invented program".into(),
        introduction: vec!["Made-up numbers that show the page, not a program.".into()],
        facts: [
            ("command", "palmette spatial sweep --program treefix --sizes 2^8..2^18 -o sweep.html"),
            ("seed", "1"),
            ("curve", "hilbert"),
        ]
        .map(|(name, value)| (name.into(), value.into()))
        .into(),
        plots: vec![
            plot(Law::LinearLog, "energy", 1.83, count, true),
            plot(Law::Log, "depth", 2.4, count, true),
            plot(Law::LogSquared, "depth", 0.31, 3, false),
            plot(Law::Root, "distance", 7.9, 1, false),
        ],
        figures: Vec::new(),
        tables: vec![("treefix".into(), table)],
        notes: vec!["n log n is larger than n√n up to n = 2^16; & other <remarks>.".into()],
    }
}

fn runs(directory: &Path) -> Outcome {
    let halves: Vec<u64> = (0..18).map(|i| (40_000.0 * 0.55f64.powi(i)) as u64 + 1).collect();
    let flat: Vec<u64> = (0..58).map(|i| 900 + 37 * (i * i % 11)).collect();
    let path: Vec<u64> = (0..5000u64).map(|i| 20 + 3000 / (1 + i) + i % 7).collect();
    let write = |name: &str, picture: RunPicture<'_>| {
        std::fs::write(directory.join(format!("run-{name}.svg")), picture.to_svg())
    };
    for (side, n, rounds) in [(16, 256, &flat), (32, 1024, &halves), (512, 1 << 18, &path)] {
        let tree = Tree::from_parents(&generate(Shape::Random, n, 7)?)?;
        let curve: Vec<(u32, u32)> = (0..side * side).map(|i| hilbert(side, i)).collect();
        let cells: Vec<_> = light_first(&tree).into_iter().map(|i| curve[i as usize]).collect();
        let (horizontal, vertical) = loads(side, &cells, tree.parents());
        let picture = RunPicture {
            title: "An invented run on a random tree",
            subtitle: "light-first order on a Hilbert curve, seed 7",
            loads: Some(LinkLoads {
                title: "Where the energy went",
                subtitle: "routes go along rows, then along columns",
                width: side,
                height: side,
                horizontal: &horizontal,
                vertical: &vertical,
            }),
            rounds,
        };
        write(&side.to_string(), picture)?;
    }
    let bars = |rounds| RunPicture {
        title: "An invented run",
        subtitle: "list ranking, seed 7",
        loads: None,
        rounds,
    };
    write("rounds", bars(&halves[..12]))?;
    write("flat", bars(&flat))?;
    write("long", bars(&path))?;
    write("none", bars(&[]))?;
    Ok(())
}
