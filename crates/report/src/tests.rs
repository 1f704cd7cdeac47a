//! Every picture, checked as a reader of SVG would see it.

use palmette_core::generate::{Shape, generate, lengths};
use palmette_core::{NONE, Tree};
use roxmltree::{Document, Node};
use std::time::{Duration, Instant};

mod convergence;
mod fields;
mod graphs;
mod grids;
mod meshes;
mod reports;
mod runs;
mod scatters;
mod sweeps;

use crate::*;

/// How long this thread was busy with some work: other work on the machine does not count where
/// the system tells them apart.
pub(crate) fn timed<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let busy = || -> Option<u64> {
        let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
        text.split(' ').next()?.parse().ok()
    };
    let (before, start) = (busy(), Instant::now());
    let answer = work();
    let wall = start.elapsed();
    let both = before.zip(busy()).map(|(before, after)| Duration::from_nanos(after - before));
    (answer, both.filter(|busy| !busy.is_zero()).unwrap_or(wall))
}

fn attribute(node: Node<'_, '_>, name: &str) -> f64 {
    node.attribute(name).unwrap_or("0").parse().expect("a number")
}

/// How far an element lies below where it was drawn, because the heading has several lines.
fn down(node: Node<'_, '_>) -> f64 {
    let moved = node.ancestors().find_map(|n| n.attribute("transform"));
    let by = moved.and_then(|text| text.strip_prefix("translate(0 ")?.strip_suffix(')'));
    by.map_or(0.0, |by| by.parse().expect("a number"))
}

/// Left, top, right and bottom of a text, as far as they can be known.
fn text_box(node: Node<'_, '_>) -> [f64; 4] {
    let size = match node.attribute("class").unwrap_or("") {
        "title" => 17.6,
        "panel" => 14.3,
        _ => paper::SMALL,
    };
    let (x, y) = (attribute(node, "x"), attribute(node, "y") + down(node));
    let is_shown = |n: &Node<'_, '_>| !n.parent().is_some_and(|p| p.has_tag_name("title"));
    let letters = node.descendants().filter(|n| n.is_text() && is_shown(n));
    let width = letters.filter_map(|n| n.text()).map(|t| text::width(t, size)).sum::<f64>();
    let left = match node.attribute("text-anchor") {
        Some("middle") => x - width / 2.0,
        Some("end") => x - width,
        _ => x,
    };
    [left, y - 0.76 * size, left + width, y + 0.22 * size]
}

/// Well-formed, as wide as all pictures, all coordinates inside the view box, and no text over
/// another.
fn check(picture: &str) {
    let document = Document::parse(picture).expect("well-formed");
    let root = document.root_element();
    let (width, height) = (attribute(root, "width"), attribute(root, "height"));
    assert_eq!(root.attribute("viewBox"), Some(format!("0 0 {width} {height}").as_str()));
    assert_eq!(width, paper::WIDTH);
    let titles = root.children().filter(|n| n.has_tag_name("title") || n.has_tag_name("desc"));
    assert!(titles.count() == 2);
    let inside = |x: f64, y: f64| {
        assert!((0.0..=width).contains(&x) && (0.0..=height).contains(&y), "({x}, {y})");
    };
    let mut boxes: Vec<[f64; 4]> = Vec::new();
    for node in root.descendants().filter(Node::is_element) {
        match node.tag_name().name() {
            "line" => {
                inside(attribute(node, "x1"), attribute(node, "y1") + down(node));
                inside(attribute(node, "x2"), attribute(node, "y2") + down(node));
            }
            "rect" | "image" => {
                let (x, y) = (attribute(node, "x"), attribute(node, "y") + down(node));
                let size = (attribute(node, "width"), attribute(node, "height"));
                assert!(size.0 >= 0.0 && size.1 >= 0.0);
                inside(x, y);
                inside(x + size.0, y + size.1);
            }
            "circle" => inside(attribute(node, "cx"), attribute(node, "cy") + down(node)),
            "polyline" | "polygon" => {
                for pair in node.attribute("points").unwrap_or("").split_whitespace() {
                    let (x, y) = pair.split_once(',').expect("a pair");
                    let y: f64 = y.parse().expect("a number");
                    inside(x.parse().expect("a number"), y + down(node));
                }
            }
            "text" => {
                let new = text_box(node);
                inside(new[0], new[1]);
                inside(new[2], new[3]);
                for old in &boxes {
                    let apart = new[0] >= old[2]
                        || old[0] >= new[2]
                        || new[1] >= old[3]
                        || old[1] >= new[3];
                    assert!(apart, "{:?} overlaps another text", node.text());
                }
                boxes.push(new);
            }
            _ => {}
        }
    }
}

/// The baselines of texts that begin so, from the top.
fn baselines(picture: &str, start: &str) -> Vec<f64> {
    let document = Document::parse(picture).expect("well-formed");
    let texts = document.descendants().filter(|n| n.has_tag_name("text"));
    let mut found: Vec<f64> = texts
        .filter(|n| n.text().is_some_and(|t| t.starts_with(start)))
        .map(|n| attribute(n, "y"))
        .collect();
    found.sort_by(f64::total_cmp);
    found
}

#[test]
fn dendrograms_of_every_shape_are_legible() {
    for shape in Shape::FREE {
        for n in [1, 2, 3, 10, 121, 300] {
            let parents = generate(shape, n, 5).expect("the parameters are good");
            let tree = Tree::from_parents(&parents).expect("a tree");
            let by_length = lengths(&parents, 1);
            let mut sizes: Vec<f64> = tree.sizes().iter().map(|&s| f64::from(s)).collect();
            sizes[n - 1] = f64::NAN;
            for (lengths, values) in
                [(None, None), (Some(&by_length[..]), Some(("subtree size", &sizes[..])))]
            {
                let label = |i: u32| match (tree.is_leaf(i), i % 3) {
                    (true, 0) => format!("leaf {i} {}", "has a long name ".repeat(9)),
                    (true, _) => format!("leaf {i}"),
                    _ => format!("inner {i}"),
                };
                let title = &shape.to_string();
                let parents = tree.parents();
                let picture =
                    Dendrogram { title, parents, labels: &label, lengths, values }.to_svg();
                check(&picture);
                let rows = baselines(&picture, "leaf ");
                assert_eq!(rows.len(), tree.leaves());
                assert!(rows.windows(2).all(|w| w[1] - w[0] >= 12.0), "{shape} {n}");
            }
        }
    }
}

#[test]
fn a_small_dendrogram_in_numbers() {
    let names = ["r", "a<b", "in&out", "\"c\"", "'d'"];
    let picture = Dendrogram {
        title: "x < y & z",
        parents: &[NONE, 0, 0, 2, 2],
        labels: &|i| names[i as usize].to_string(),
        lengths: None,
        values: None,
    }
    .to_svg();
    check(&picture);
    let document = Document::parse(&picture).expect("well-formed");
    let discs: Vec<(f64, f64)> = document
        .descendants()
        .filter(|n| n.has_tag_name("circle"))
        .map(|n| (attribute(n, "cx"), attribute(n, "cy")))
        .collect();
    let rows: Vec<f64> = discs.iter().map(|d| d.1).collect();
    assert_eq!(rows, [88.5, 75.0, 102.0, 93.0, 111.0]);
    assert_eq!(discs[0].0, 26.0);
    assert!((discs[3].0 - 26.0 - 2.0 * (discs[1].0 - 26.0)).abs() < 0.02);
    for text in ["x &lt; y &amp; z", ">a&lt;b<", ">in&amp;out<", ">&quot;c&quot;<", ">&#39;d&#39;<"]
    {
        assert!(picture.contains(text), "{text}");
    }
    assert!(picture.contains("5 vertices · 3 leaves · height 2"));
}

#[test]
fn forests_and_odd_lengths_are_drawn() {
    let labels = |i: u32| format!("leaf {i}");
    let odd = [f64::NAN, -2.0, 1.0, f64::INFINITY, 0.0];
    for parents in [&[NONE, 0, 0, NONE, NONE][..], &[NONE; 5], &[NONE, 0, 1, 2, 3]] {
        for lengths in [None, Some(&odd[..])] {
            let values = Some(("a value with a name that does not end soon", &odd[..]));
            let picture =
                Dendrogram { title: "", parents, labels: &labels, lengths, values }.to_svg();
            check(&picture);
        }
    }
    let empty =
        Dendrogram { title: "none", parents: &[], labels: &labels, lengths: None, values: None };
    check(&empty.to_svg());
}

#[test]
fn summaries_of_every_shape_are_legible() {
    for shape in Shape::FREE {
        for n in [1, 2, 3, 50, 2000, 30_000] {
            let parents = generate(shape, n, 5).expect("the parameters are good");
            let tree = Tree::from_parents(&parents).expect("a tree");
            let mut levels = vec![0u64; n];
            tree.depths().iter().for_each(|&d| levels[d as usize] += 1);
            levels.retain(|&l| l > 0);
            let mut degrees = vec![0u64; n];
            tree.child_counts().iter().for_each(|&c| degrees[c as usize] += 1);
            let degrees: Vec<(u32, u64)> = (0u32..).zip(degrees).collect();
            let leaves = tree.leaves() as u64;
            let title = &format!("{shape} {n}");
            let picture =
                TreeSummary { title, leaves, levels: &levels, degrees: &degrees }.to_svg();
            check(&picture);
            let binned = picture.contains("in bins of");
            assert_eq!(binned, levels.len() > 500, "{shape} {n}");
        }
    }
    check(&TreeSummary { title: "", leaves: 0, levels: &[], degrees: &[] }.to_svg());
}

#[test]
fn ten_million_levels_become_few_steps() {
    let levels = vec![1u64; 10_000_000];
    let degrees = [(0, 1), (1, 9_999_999)];
    let picture =
        TreeSummary { title: "path", leaves: 1, levels: &levels, degrees: &degrees }.to_svg();
    check(&picture);
    assert!(picture.contains("in bins of 20,000 levels"));
    assert!(picture.contains("1 leaf (&lt; 0.1 %)"));
    assert!(picture.len() < 60_000, "{}", picture.len());
}

#[test]
fn line_charts() {
    let mut chart = LineChart {
        title: "time & <space>".to_string(),
        note: "measured".to_string(),
        x: AxisSpec::log("vertices"),
        y: AxisSpec::log("time (s)"),
        ..LineChart::default()
    };
    check(&chart.to_svg());
    for i in 0..12 {
        let points = (0..7).map(|d| (10f64.powi(d), 1e-6 * 10f64.powi(d) + 1e-7 * f64::from(i)));
        chart.series.push(Series { name: format!("engine {i}"), points: points.collect() });
    }
    let picture = chart.to_svg();
    check(&picture);
    let names = baselines(&picture, "engine ");
    assert_eq!(names.len(), 12);
    assert!(names.windows(2).all(|w| w[1] - w[0] >= 14.0));
    assert!(picture.contains("vertices, log scale"));
    let dashed = |picture: &str| picture.matches("\"line thin dashed l1\"").count();
    assert_eq!(dashed(&picture), 0);
    chart.dashed = vec![Vec::new(), vec![(1.0, 1.0), (1e6, 1e9)]];
    let compared = chart.to_svg();
    check(&compared);
    assert_eq!(dashed(&compared), 1);
    // Which powers of ten have a number depends on the room.
    let far = |picture: &str| {
        [">10M<", ">100M<", ">1G<", ">10G<"].iter().any(|tick| picture.contains(tick))
    };
    assert!(far(&compared) && !far(&picture), "the axis reaches dashed lines");
    chart.dashed.clear();

    chart.series.truncate(1);
    chart.series[0].points = vec![(0.0, 1.0), (f64::NAN, 2.0), (5.0, 3.0)];
    let picture = chart.to_svg();
    check(&picture);
    assert!(picture.contains("2 points cannot be drawn"));
    chart.x.spread = scale::Spread::Linear;
    chart.y.spread = scale::Spread::Linear;
    check(&chart.to_svg());
}

#[test]
fn stacked_charts() {
    let mut chart = StackedChart {
        title: "one & <two>".to_string(),
        note: "measured".to_string(),
        x: AxisSpec::linear("updates"),
        panels: Vec::new(),
    };
    check(&chart.to_svg());
    let points = |n: u32, of: fn(f64) -> f64| (0..n).map(f64::from).map(|x| (x, of(x))).collect();
    chart.panels = vec![
        (AxisSpec::linear("first"), points(20, |x| 1.0 + x)),
        (AxisSpec::log("second"), points(9, |x| x * x)),
        (AxisSpec::linear("none"), Vec::new()),
    ];
    let picture = chart.to_svg();
    check(&picture);
    assert_eq!(picture.matches("<polyline class=\"line l").count(), 3);
    // The zero on the logarithmic axis is left out.
    assert_eq!(picture.matches("<circle").count(), 20 + 8);
    assert!(picture.contains("second, log scale") && picture.matches(">updates<").count() == 1);
    // All panels have the same horizontal scale.
    let nineteen = baselines(&picture, "first");
    assert!(nineteen.len() == 1 && nineteen < baselines(&picture, "second"));
}

#[test]
fn bar_charts() {
    let mut chart = BarChart {
        title: "time".to_string(),
        value: "time (s)".to_string(),
        groups: vec!["small".to_string(), "a group with a very long name indeed".to_string()],
        series: vec![
            ("peer".to_string(), vec![2.0, f64::NAN]),
            ("ours".to_string(), vec![0.5, 0.1]),
        ],
        ..BarChart::default()
    };
    let picture = chart.to_svg();
    check(&picture);
    assert!(picture.contains(">0.5<") && picture.contains(">no value<"));
    for i in 0..9 {
        chart.series.push((format!("engine number {i}"), vec![0.0, 1e9]));
    }
    check(&chart.to_svg());
    check(&BarChart::default().to_svg());
}

#[test]
fn both_themes_have_a_ground() {
    let picture = svg::Svg::new(10.0, 10.0, "t", "d").finish();
    assert!(picture.contains("@media (prefers-color-scheme:dark)"));
    assert!(picture.contains(r#"<rect class="ground" x="0" y="0" width="10" height="10"/>"#));
}
