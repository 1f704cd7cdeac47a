use roxmltree::{Document, Node, ParsingOptions};

use super::{attribute, check};
use crate::*;

fn series(name: &str, points: &[(f64, f64)]) -> Series {
    Series { name: name.to_string(), points: points.to_vec() }
}

fn on_law(law: Law, factor: f64) -> Vec<(f64, f64)> {
    (8..=18).map(|k| f64::from(1 << k)).map(|n| (n, factor * law.at(n))).collect()
}

fn plot(law: Law, series: Vec<Series>) -> TheoremPlot {
    TheoremPlot {
        name: "Theorem 5".into(),
        claim: "list ranking takes O(n^1.5) energy".into(),
        quantity: "energy".into(),
        law,
        series,
        baseline: None,
    }
}

/// The centres of the signs with hints, in order: points, not the legend's signs.
fn signs(picture: &Document<'_>) -> Vec<(f64, f64)> {
    let hinted = |n: &Node<'_, '_>| n.children().any(|c| c.has_tag_name("title"));
    let found = picture
        .descendants()
        .filter(|n| (n.has_tag_name("circle") || n.has_tag_name("path")) && hinted(n));
    found
        .map(|n| match n.attribute("d") {
            None => (attribute(n, "cx"), attribute(n, "cy")),
            Some(data) => {
                let pairs = data.trim_end_matches('z').split(['M', 'L']).skip(1);
                let numbers: Vec<f64> = pairs
                    .flat_map(|p| p.split(' ').map(|v| v.parse().expect("a number")))
                    .collect();
                let middle = |i: usize| {
                    let (low, high) = scale::range(numbers.iter().skip(i).step_by(2).copied());
                    (low + high) / 2.0
                };
                (middle(0), middle(1))
            }
        })
        .collect()
}

fn polyline(picture: &Document<'_>, class: &str) -> Vec<(f64, f64)> {
    let of_class =
        |n: &Node<'_, '_>| n.has_tag_name("polyline") && n.attribute("class") == Some(class);
    let line = picture.descendants().find(of_class).expect("a polyline");
    let pairs = line.attribute("points").expect("points").split(' ');
    let number = |text: &str| text.parse::<f64>().expect("a number");
    pairs.filter_map(|p| p.split_once(',')).map(|(x, y)| (number(x), number(y))).collect()
}

fn texts<'a>(picture: &'a Document<'_>) -> Vec<&'a str> {
    picture.descendants().filter(|n| n.has_tag_name("text")).filter_map(|n| n.text()).collect()
}

#[test]
fn points_lie_where_their_numbers_say() {
    let law = Law::ThreeHalves;
    let picture = plot(law, vec![series("a", &on_law(law, 2.0))]).to_svg();
    check(&picture);
    let document = Document::parse(&picture).expect("well-formed");
    let signs = signs(&document);
    assert_eq!(signs.len(), 11);
    let step = (signs[1].0 - signs[0].0, signs[1].1 - signs[0].1);
    assert!(step.0 > 30.0 && step.1 < 0.0);
    for (i, sign) in signs.iter().enumerate() {
        let expected = (signs[0].0 + step.0 * i as f64, signs[0].1 + step.1 * i as f64);
        assert!((sign.0 - expected.0).abs() < 0.2 && (sign.1 - expected.1).abs() < 0.2);
    }
    // All points are on the law, so its curve goes from the first to the last.
    let curve = polyline(&document, "law");
    for (end, sign) in [(curve[0], signs[0]), (curve[curve.len() - 1], signs[10])] {
        assert!((end.0 - sign.0).abs() < 0.02 && (end.1 - sign.1).abs() < 0.02);
    }
    // The number under a sign is its size.
    let mut numbers = document.descendants().filter(|n| n.attribute("class") == Some("power"));
    let number = numbers.next_back().expect("numbers");
    assert!((attribute(number, "x") - signs[10].0).abs() < 0.02);
    let exponent = number.children().find(|n| n.has_tag_name("tspan")).and_then(|n| n.text());
    assert_eq!((number.text(), exponent), (Some("2"), Some("18")));
}

#[test]
fn every_sign_of_a_series_is_centred_on_its_point() {
    let points = on_law(Law::Linear, 3.0);
    let names: Vec<String> = (0..14).map(|i| format!("shape {i}")).collect();
    let all = names.iter().map(|name| series(name, &points)).collect();
    let picture = plot(Law::Linear, all).to_svg();
    check(&picture);
    let document = Document::parse(&picture).expect("well-formed");
    let signs = signs(&document);
    assert_eq!(signs.len(), 14 * 11);
    for (i, sign) in signs.iter().enumerate() {
        let first = signs[i % 11];
        assert!((sign.0 - first.0).abs() < 0.02 && (sign.1 - first.1).abs() < 0.02, "sign {i}");
    }
    // Filled or hollow, no two series have the same class and shape.
    let classes = document.descendants().filter_map(|n| n.attribute("class"));
    let mut classes: Vec<&str> =
        classes.filter(|c| c.starts_with("point ") || c.starts_with("hollow ")).collect();
    classes.sort_unstable();
    classes.dedup();
    assert_eq!(classes.len(), 14);
}

#[test]
fn the_legend_names_all_and_covers_no_point() {
    for count in [1, 3, 7, 12, 20] {
        let all = (0..count).map(|i| {
            let name = format!("shape number {i} with a name that is too long for a legend");
            series(&name, &on_law(Law::LinearLog, 1.0 + i as f64))
        });
        let mut plot = plot(Law::LinearLog, all.collect());
        plot.baseline = Some(series("PRAM simulation", &on_law(Law::ThreeHalvesLog, 4.0)));
        let picture = plot.to_svg();
        check(&picture);
        let document = Document::parse(&picture).expect("well-formed");
        let signs = signs(&document);
        assert_eq!(signs.len(), 11 * (count + 1));
        let lowest = signs.iter().map(|s| s.1).fold(0.0, f64::max);
        let named = |n: &Node<'_, '_>| {
            n.text().is_some_and(|t| t.starts_with("shape number") || t.starts_with("PRAM"))
        };
        let names: Vec<f64> = document
            .descendants()
            .filter(|n| n.has_tag_name("text") && named(n))
            .map(|n| attribute(n, "y"))
            .collect();
        assert_eq!(names.len(), count + 1);
        assert!(names.iter().all(|&y| y > lowest + 30.0), "{count}");
        // The first series has the constant 1, whatever the others have.
        assert_eq!(texts(&document).iter().filter(|&&t| t == "1.00").count(), 2);
    }
}

#[test]
fn constants_are_fitted_and_stated() {
    let both = vec![
        series("low", &[(4.0, 4.0), (16.0, 16.0)]),
        series("high", &[(4.0, 16.0), (64.0, 256.0)]),
    ];
    let mut plot = plot(Law::Linear, both);
    plot.baseline = Some(series("far", &[(4.0, 4000.0)]));
    let fit = plot.fit().expect("points");
    assert!((fit.constant - 2.0).abs() < 1e-12, "the baseline is not part of the fit");
    assert_eq!((fit.largest, fit.points), (4.0, 4));
    let picture = plot.to_svg();
    check(&picture);
    let document = Document::parse(&picture).expect("well-formed");
    let texts = texts(&document);
    assert!(texts.contains(&"2.00 n") && texts.contains(&"times n"), "{texts:?}");
    assert!(texts.contains(&"List ranking takes O(n¹·⁵) energy"));
    let sentence =
        "Fit over 4 points: 2.00 n, the geometric mean of the ratios; largest ratio 4.00 ";
    assert!(picture.contains(sentence), "{texts:?}");
    assert!(picture.contains("(high, n = 2⁶)"));
    assert!(picture.contains("<title>high, n = 2⁶: energy 256 = 4.00 n</title>"));
}

#[test]
fn odd_points_are_counted_not_drawn() {
    let odd = [(0.0, 1.0), (8.0, 0.0), (8.0, f64::NAN), (f64::INFINITY, 2.0), (16.0, 5.0)];
    let picture = plot(Law::Log, vec![series("a", &odd), series("b", &[])]).to_svg();
    check(&picture);
    assert!(picture.contains(">4 points cannot be drawn on logarithmic axes<"));
    assert_eq!(signs(&Document::parse(&picture).expect("well-formed")).len(), 1);

    for points in [&[][..], &[(f64::NAN, 1.0)], &[(1.0, 7.0)], &[(1000.0, 3.0), (1500.0, 3.1)]] {
        for law in Law::ALL {
            check(&plot(law, vec![series("a", points)]).to_svg());
            let mut only = plot(law, vec![]);
            only.baseline = Some(series("b", points));
            check(&only.to_svg());
        }
    }
    let none = plot(Law::Log, vec![]).to_svg();
    assert!(none.contains(">no point was measured<") && none.contains("No point can be compared"));
    let extreme = [(1.0, 1e-300), (1e15, 1e300)];
    check(&plot(Law::Constant, vec![series("a", &extreme)]).to_svg());
    check(&TheoremPlot::default().to_svg());
}

fn page() -> SweepPage {
    let mut table = Table::new(&["shape", "n", "energy/n^1.5"]);
    table.row(["path".into(), 1024u64.into(), 1.83.into()]);
    table.row(["<star>".into(), 1024u64.into()]);
    let mut second = plot(Law::Log, vec![series("a<b", &[(8.0, 3.0)])]);
    second.quantity = "depth & \"more\"".into();
    second.claim = "it's <b>".into();
    SweepPage {
        title: "Sweep <1> & more".into(),
        introduction: vec!["of n^1.5 & </main>".into()],
        facts: vec![("command".into(), "palmette --sizes 2^8..2^18 > \"x\"".into())],
        figures: vec![("times <of> n^2".into(), LineChart::default().to_svg())],
        plots: vec![plot(Law::Linear, vec![series("path", &on_law(Law::Linear, 2.0))]), second],
        tables: vec![("tree'fix".into(), table)],
        notes: vec!["<script>alert(1)</script>".into()],
    }
}

fn parse(page: &str) -> Document<'_> {
    let options = ParsingOptions { allow_dtd: true, ..ParsingOptions::default() };
    Document::parse_with_options(page, options).expect("balanced tags")
}

fn all<'a, 'i>(document: &'a Document<'i>, tag: &'a str) -> Vec<Node<'a, 'i>> {
    document.descendants().filter(|n| n.has_tag_name(tag)).collect()
}

#[test]
fn a_page_has_its_parts() {
    let html = page().to_html();
    assert!(html.starts_with("<!DOCTYPE html>\n<html lang=\"en\">"));
    let document = parse(&html);
    let head = document.root_element().first_element_child().expect("a head");
    let title = head.children().find(|n| n.has_tag_name("title")).expect("a title");
    assert_eq!(title.text(), Some("Sweep <1> & more"));
    assert_eq!(all(&document, "h1")[0].text(), Some("Sweep <1> & more"));
    assert_eq!(all(&document, "p")[0].text(), Some("of n¹·⁵ & </main>"));
    assert_eq!(all(&document, "code")[0].text(), Some("palmette --sizes 2^8..2^18 > \"x\""));
    assert_eq!(all(&document, "li")[0].text(), Some("<script>alert(1)</script>"));

    let figures = all(&document, "figure");
    assert_eq!(figures.len(), 3, "a chart and two plots");
    for figure in figures {
        let parts: Vec<&str> =
            figure.children().filter(Node::is_element).map(|n| n.tag_name().name()).collect();
        assert_eq!(parts, ["figcaption", "svg"]);
    }
    let strong = all(&document, "strong");
    assert_eq!(strong[1].text(), Some("Theorem 5: depth & \"more\""));
    assert!(html.contains(" It&#39;s &lt;b&gt;. Fit over 1 point: 1.00 log n"));
}

#[test]
fn tables_of_a_page_can_be_read_aloud() {
    let html = page().to_html();
    let document = parse(&html);
    let tables = all(&document, "table");
    assert_eq!(tables.len(), 2, "the constants and one program");
    for table in &tables {
        let first = table.first_element_child().expect("a caption");
        assert!(first.has_tag_name("caption"));
        let rows: Vec<_> = table.descendants().filter(|n| n.has_tag_name("tr")).collect();
        let width = |row: &Node<'_, '_>| row.children().filter(Node::is_element).count();
        assert!(rows.iter().all(|row| width(row) == width(&rows[0])));
    }
    for th in all(&document, "th") {
        let is_head = th.ancestors().any(|n| n.has_tag_name("thead"));
        assert_eq!(th.attribute("scope"), Some(if is_head { "col" } else { "row" }));
    }
    let cells: Vec<_> =
        tables[1].descendants().filter(|n| n.has_tag_name("td") || n.has_tag_name("th")).collect();
    let text = |cell: &Node<'_, '_>| -> String {
        cell.descendants().filter(Node::is_text).filter_map(|n| n.text()).collect()
    };
    let texts: Vec<String> = cells.iter().map(text).collect();
    let expected = ["shape", "n", "energy/n¹·⁵", "path", "1,024", "1.830", "<star>", "1,024", ""];
    assert_eq!(texts, expected);
    assert_eq!(cells[4].attribute("class"), Some("number"));
    let constants: Vec<&str> =
        tables[0].descendants().filter(|n| n.has_tag_name("td")).filter_map(|n| n.text()).collect();
    assert_eq!(constants[..5], ["energy", "n", "2.00", "2.00", "11"]);
}

#[test]
fn a_page_needs_nothing_else() {
    for html in [page().to_html(), SweepPage::default().to_html()] {
        let document = parse(&html);
        for tag in ["script", "link", "img", "iframe", "object"] {
            assert!(all(&document, tag).is_empty(), "{tag}");
        }
        assert_eq!(all(&document, "style").len(), 1, "the pictures' style stands in the head");
        assert!(!html.contains("http") && !html.contains("url(") && !html.contains("@import"));
        for wanted in ["@media print", "@media (prefers-color-scheme:dark)", "charset=\"utf-8\""] {
            assert!(html.contains(wanted), "{wanted}");
        }
    }
}
