//! Plots of residuals over iterations.

use super::{attribute, check};
use crate::scale::Spread;
use crate::*;
use roxmltree::{Document, Node};

fn curve(name: &str, residuals: impl IntoIterator<Item = f64>) -> ConvergenceCurve {
    let residuals = residuals.into_iter().collect();
    ConvergenceCurve { name: name.to_string(), residuals, ..ConvergenceCurve::default() }
}

fn plot(curves: Vec<ConvergenceCurve>) -> ConvergencePlot {
    let title = "residuals < 1".to_string();
    ConvergencePlot { title, tolerance: Some(1e-6), curves, ..ConvergencePlot::default() }
}

/// As every picture, on both kinds of axes.
fn checked(mut plot: ConvergencePlot) -> String {
    plot.iterations = Spread::Log;
    let logarithmic = plot.to_svg();
    plot.iterations = Spread::Linear;
    let linear = plot.to_svg();
    for picture in [&logarithmic, &linear] {
        check(picture);
        assert!(!picture.contains("NaN"));
    }
    assert!(logarithmic.contains("iterations, log scale"));
    linear
}

fn lines<'a>(document: &'a Document<'a>) -> Vec<Vec<(f64, f64)>> {
    let is_curve = |n: &Node<'_, '_>| {
        n.has_tag_name("polyline") && n.attribute("class").is_some_and(|c| c.starts_with("line "))
    };
    let points = |n: Node<'_, '_>| -> Vec<(f64, f64)> {
        let pairs = n.attribute("points").unwrap_or("").split_whitespace();
        pairs
            .filter_map(|p| p.split_once(','))
            .map(|(x, y)| (x.parse().expect("a number"), y.parse().expect("a number")))
            .collect()
    };
    document.descendants().filter(is_curve).map(points).collect()
}

#[test]
fn curves_have_looks_of_their_own() {
    let curves = (0..16).map(|i| curve(&format!("solver {i}"), (0..9).map(|k| 0.1f64.powi(k))));
    let picture = checked(plot(curves.collect()));
    let document = Document::parse(&picture).expect("well-formed");
    let mut looks: Vec<&str> = document
        .descendants()
        .filter(|n| n.has_tag_name("polyline"))
        .filter_map(|n| n.attribute("class"))
        .filter(|c| c.starts_with("line "))
        .collect();
    assert_eq!(looks.len(), 16);
    looks.sort_unstable();
    looks.dedup();
    assert_eq!(looks.len(), 16);
    assert_eq!(super::baselines(&picture, "solver ").len(), 16);
    assert!(
        picture.contains(">tolerance 10⁻⁶<") && picture.contains("relative residual, log scale")
    );
}

#[test]
fn the_tolerance_lies_between_its_decades() {
    let picture = checked(plot(vec![curve("falls", (0..13).map(|k| 0.1f64.powi(k)))]));
    let document = Document::parse(&picture).expect("well-formed");
    let limit = document.descendants().find(|n| n.attribute("class") == Some("limit"));
    let y = attribute(limit.expect("a line"), "y1");
    let line = &lines(&document)[0];
    assert_eq!(line.len(), 13);
    assert!((line[6].1 - y).abs() < 0.02 && line[5].1 < y && y < line[7].1);
}

#[test]
fn long_curves_keep_their_shape() {
    let wave = |i: usize| (-(i as f64) / 20_000.0 + 2.0 * (i as f64 * 0.7).sin()).exp();
    let mut residuals: Vec<f64> = (0..200_000).map(wave).collect();
    residuals[123_456] = 1e-9;
    let picture = checked(plot(vec![curve("long", residuals)]));
    assert!(picture.len() < 60_000, "{}", picture.len());
    let document = Document::parse(&picture).expect("well-formed");
    let found = lines(&document);
    // The one deep residual is the lowest point of the frame but the axis below it.
    let lowest = found[0].iter().map(|p| p.1).fold(0.0, f64::max);
    let second = found[0].iter().map(|p| p.1).filter(|&y| y < lowest).fold(0.0, f64::max);
    assert!(lowest - second > 20.0, "{lowest} {second}");
}

#[test]
fn direct_solvers_are_signs() {
    let picture = checked(plot(vec![curve("direct", [1.0, 1e-15]), curve("given", [1e-12])]));
    let document = Document::parse(&picture).expect("well-formed");
    assert!(lines(&document).is_empty());
    assert!(picture.contains("direct: residual 10⁻¹⁵ after 1 iteration<"));
    assert!(picture.contains("given: residual 10⁻¹² after 0 iterations<"));
}

#[test]
fn zeros_lie_on_the_lower_edge() {
    let picture = checked(plot(vec![curve("exact", [1.0, 0.1, 0.01, 0.0])]));
    assert!(picture.contains("1 residual is 0 and drawn at the bottom"));
    let document = Document::parse(&picture).expect("well-formed");
    let line = &lines(&document)[0];
    let axis = document.descendants().find(|n| {
        n.attribute("class") == Some("axis") && attribute(*n, "y1") == attribute(*n, "y2")
    });
    let bottom = attribute(axis.expect("the base line"), "y1");
    assert_eq!(line[3].1, bottom);
    // The tolerance is a decade or more above.
    let limit = document.descendants().find(|n| n.attribute("class") == Some("limit"));
    assert!(attribute(limit.expect("a line"), "y1") < bottom - 20.0);
}

#[test]
fn odd_residuals_are_stated() {
    let odd =
        [1.0, f64::NAN, 0.1, f64::NEG_INFINITY, f64::INFINITY, 1e300, 1e-310, f64::MAX, 5e-324];
    let picture = checked(plot(vec![curve("odd", odd), curve("empty", [])]));
    assert!(picture.contains("3 residuals are not finite and not drawn"));
    checked(plot(vec![curve("zeros", [0.0; 5])]));
    checked(plot(vec![curve("ones", [1.0; 5])]));
    checked(plot(Vec::new()));
    for tolerance in [None, Some(0.0), Some(f64::NAN), Some(f64::INFINITY), Some(-1.0)] {
        let curves = vec![curve(&"a long name ".repeat(9), [1.0, 0.5, 0.2])];
        let picture = checked(ConvergencePlot { tolerance, ..plot(curves) });
        assert!(!picture.contains("\"limit\""));
    }
    for tolerance in [f64::MAX, 5e-324, 1.0] {
        checked(ConvergencePlot { tolerance: Some(tolerance), ..plot(vec![curve("a", [1.0; 3])]) });
    }
}

/// The heights of lines of a class.
fn heights(picture: &str, class: &str) -> Vec<f64> {
    let document = Document::parse(picture).expect("well-formed");
    let found = document.descendants().filter(|n| n.attribute("class") == Some(class));
    let y = |n: Node<'_, '_>| -> Option<f64> {
        n.attribute("points")?.split_once(' ')?.0.split_once(',')?.1.parse().ok()
    };
    found.filter_map(y).collect()
}

#[test]
fn curves_have_bounds_of_their_own() {
    let mut curves =
        vec![curve("one", (0..9).map(|k| 0.1f64.powi(k))), curve("two", [4.0, 2.0, 1.0, 0.5])];
    curves[0].bound = Some(1e-5);
    curves[1].bound = Some(1.0);
    let plot = ConvergencePlot { quantity: "a < b".into(), tolerance: None, ..plot(curves) };
    let picture = checked(plot);
    assert!(picture.contains("a &lt; b, log scale") && picture.contains(">bound<"));
    let document = Document::parse(&picture).expect("well-formed");
    let found = lines(&document);
    // Each bound lies at the height of the curve's point of this value.
    let bounds = [heights(&picture, "line thin l0 d2"), heights(&picture, "line thin l1 d2")];
    let found: Vec<&Vec<(f64, f64)>> = found.iter().filter(|line| line.len() > 2).collect();
    assert_eq!(bounds, [[found[0][5].1], [found[1][2].1]]);
    assert!(picture.contains("one: value 10⁻⁸ after 8 iterations"));
}

#[test]
fn negative_values_have_a_linear_axis() {
    let mut falling = curve("energy", (0..=10).map(|k| 5.0 - f64::from(k)));
    falling.iterations = Some((0..=10).map(|k| 100 * k).collect());
    falling.bound = Some(-5.0);
    let plot =
        ConvergencePlot { quantity: "energy".into(), tolerance: None, ..plot(vec![falling]) };
    let picture = checked(plot);
    assert!(picture.contains(">energy<") && !picture.contains("energy, log scale"));
    assert!(!picture.contains("at the bottom"));
    let document = Document::parse(&picture).expect("well-formed");
    let line = lines(&document).into_iter().find(|line| line.len() > 2).expect("a line");
    let steps: Vec<f64> = line.windows(2).map(|w| w[1].1 - w[0].1).collect();
    assert!(line.len() == 11 && steps.iter().all(|s| (s - steps[0]).abs() < 0.02), "{steps:?}");
    assert_eq!(heights(&picture, "line thin l0 d2"), [line[10].1]);
    assert!(picture.contains("after 1,000 iterations") && picture.contains(">1k<"));
}
