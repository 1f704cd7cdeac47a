//! Writes one picture of every kind into a directory:
//! `cargo run -p palmette-report --example gallery -- pictures`.

mod feeders;
mod fields;
mod graphs;
mod grids;
mod meshes;
mod phylograms;
mod scatters;
mod sweeps;

use std::path::Path;

use palmette_core::generate::{Shape, generate, lengths};
use palmette_core::{NONE, Tree};
use palmette_report::{AxisSpec, BarChart, Dendrogram, LineChart, Series, TreeSummary};

type Outcome = Result<(), Box<dyn std::error::Error>>;

fn main() -> Outcome {
    let directory = std::env::args().nth(1).ok_or("usage: gallery DIRECTORY")?;
    let directory = Path::new(&directory);
    std::fs::create_dir_all(directory)?;
    dendrograms(directory)?;
    summaries(directory)?;
    charts(directory)?;
    fields::draw(directory)?;
    graphs::draw(directory)?;
    grids::draw(directory)?;
    meshes::draw(directory)?;
    feeders::draw(directory)?;
    scatters::draw(directory)?;
    phylograms::draw(directory)?;
    sweeps::draw(directory)
}

fn dendrograms(directory: &Path) -> Outcome {
    const NAMES: [&str; 10] = [
        "apes",
        "African apes",
        "",
        "Pan",
        "Pan troglodytes",
        "Pan paniscus",
        "Homo",
        "Gorilla",
        "Pongo",
        "x<y & \"z\"",
    ];
    let apes = [NONE, 0, 1, 2, 3, 3, 2, 1, 0, 0];
    // Roughly in millions of years.
    let times = [0.0, 5.0, 2.5, 4.5, 2.0, 2.0, 6.5, 9.0, 14.0, 5.0];
    let picture = Dendrogram {
        title: "Great apes, with a guest",
        parents: &apes,
        labels: &|i| NAMES[i as usize].to_string(),
        lengths: Some(&times),
        values: None,
    };
    std::fs::write(directory.join("dendrogram-apes.svg"), picture.to_svg())?;

    for (name, shape, n) in [
        ("phylogeny", Shape::Phylogeny, 79),
        ("large", Shape::Phylogeny, 599),
        ("random", Shape::Random, 60),
        ("path", Shape::Path, 40),
        ("star", Shape::Star, 25),
        ("single", Shape::Path, 1),
    ] {
        let parents = generate(shape, n, 7)?;
        let tree = Tree::from_parents(&parents)?;
        let by_length = lengths(&parents, 7);
        let sizes: Vec<f64> = tree.sizes().iter().map(|&s| f64::from(s)).collect();
        let phylogeny = shape == Shape::Phylogeny;
        let label = |i: u32| match (tree.is_leaf(i), i % 9) {
            (true, 4) => format!("taxon {i} with a rather long name, isolate B-{i}"),
            (true, _) => format!("taxon {i}"),
            _ => format!("v{i}"),
        };
        let picture = Dendrogram {
            title: &format!("A tree of shape {shape}"),
            parents: tree.parents(),
            labels: &label,
            lengths: phylogeny.then_some(&by_length),
            values: (name != "star").then_some(("subtree size", &sizes)),
        };
        std::fs::write(directory.join(format!("dendrogram-{name}.svg")), picture.to_svg())?;
    }
    Ok(())
}

fn summaries(directory: &Path) -> Outcome {
    for (text, n) in [
        ("profile:af_shell9", 504_855),
        ("preferential", 1_000_000),
        ("random", 1_000_000),
        ("binary", 1_000_000),
        ("perfect", 1_000_000),
        ("path", 1_000_000),
        ("star", 1000),
        ("broom", 1000),
        ("path", 1),
    ] {
        let tree = Tree::from_parents(&generate(text.parse()?, n, 7)?)?;
        let levels = tree.levels();
        let counts: Vec<u64> =
            (0..levels.len() as u32).map(|d| levels.of(d).len() as u64).collect();
        let mut degrees = std::collections::BTreeMap::new();
        for children in tree.child_counts() {
            *degrees.entry(children).or_insert(0u64) += 1;
        }
        let degrees: Vec<(u32, u64)> = degrees.into_iter().collect();
        let picture = TreeSummary {
            title: &format!("Tree of shape {text}"),
            leaves: tree.leaves() as u64,
            levels: &counts,
            degrees: &degrees,
        };
        let name = format!("summary-{}-{n}.svg", text.replace(':', "-"));
        std::fs::write(directory.join(name), picture.to_svg())?;
    }
    Ok(())
}

fn charts(directory: &Path) -> Outcome {
    let line = |name: &str, factor: f64, power: f64| Series {
        name: name.to_string(),
        points: (3..=8).map(|d| 10f64.powi(d)).map(|n| (n, factor * n.powf(power))).collect(),
    };
    let chart = LineChart {
        title: "An invented measurement".to_string(),
        note: "made-up numbers that show the drawing, not a program".to_string(),
        x: AxisSpec::log("vertices"),
        y: AxisSpec::log("time (s)"),
        series: vec![
            line("sequential", 1e-8, 1.0),
            line("threads", 6e-8, 0.85),
            line("a peer with a long name & version", 3e-8, 0.9),
            line("quadratic", 1e-10, 1.5),
            line("twin of sequential", 1.1e-8, 1.0),
        ],
        dashed: vec![Vec::new(), line("", 4e-7, 0.85).points],
        ..LineChart::default()
    };
    std::fs::write(directory.join("lines-log.svg"), chart.to_svg())?;
    let chart = LineChart {
        x: AxisSpec::linear("threads"),
        y: AxisSpec::linear("speed-up"),
        series: vec![
            Series {
                name: "ideal".into(),
                points: (1..=8).map(|t| (t.into(), t.into())).collect(),
            },
            Series {
                name: "measured".into(),
                points: (1..=8).map(|t| (t.into(), f64::from(t).powf(0.8))).collect(),
            },
        ],
        dashed: Vec::new(),
        ..chart
    };
    std::fs::write(directory.join("lines-linear.svg"), chart.to_svg())?;
    let chart = BarChart {
        title: "Another invented measurement".to_string(),
        note: "made-up numbers that show the drawing, not a program".to_string(),
        value: "time (s)".to_string(),
        groups: ["random, 10M", "path, 10M", "star, 10M", "profile:nlpkkt200"]
            .map(String::from)
            .into(),
        series: vec![
            ("peer".to_string(), vec![1.234, 0.5, 0.031, f64::NAN]),
            ("sequential".to_string(), vec![0.41, 0.12, 0.052, 0.93]),
            ("threads".to_string(), vec![0.22, 0.11, 0.0212, 0.5]),
        ],
    };
    std::fs::write(directory.join("bars.svg"), chart.to_svg())?;
    Ok(())
}
