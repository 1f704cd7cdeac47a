use super::selection::{Drawn, Kind, Wanted, select};
use super::shape::Shape;
use super::*;
use crate::paper::WIDTH;
use palmette_core::generate::{Shape as TreeShape, generate, lengths};
use palmette_core::{NONE, Tree};
use roxmltree::{Document, Node};

fn tree(shape: TreeShape, n: usize) -> Tree {
    Tree::from_parents(&generate(shape, n, 5).expect("good parameters")).expect("a tree")
}

fn selected(tree: &Tree, limit: usize, collapsed: &[u32], shown: &[u32]) -> Vec<Drawn> {
    let shape = Shape::new(tree.parents(), None);
    select(&shape, &Wanted { limit, collapsed, shown, is_named: &|p| p % 7 == 0 })
}

fn is_leaf(drawn: &&Drawn) -> bool {
    drawn.kind != Kind::Inner
}

#[test]
fn every_tip_is_drawn_once() {
    for shape in TreeShape::FREE {
        for n in [1, 2, 3, 50, 1000, 20_000] {
            let tree = tree(shape, n);
            for limit in [2, 10, 60] {
                let drawn = selected(&tree, limit, &[], &[]);
                let leaves: Vec<&Drawn> = drawn.iter().filter(is_leaf).collect();
                assert!(leaves.len() <= limit, "{shape} {n} {limit}: {}", leaves.len());
                let tips: u64 = leaves.iter().map(|d| d.tips).sum();
                assert_eq!(tips as usize, tree.leaves(), "{shape} {n} {limit}");
                let few = tree.leaves() <= limit;
                assert_eq!(few, leaves.iter().all(|d| d.kind == Kind::Tip), "{shape} {n} {limit}");
                for (i, d) in drawn.iter().enumerate() {
                    assert!(d.parent == NONE || (d.parent as usize) < i);
                    assert!(d.parent == NONE || drawn[d.parent as usize].kind == Kind::Inner);
                }
            }
        }
    }
}

#[test]
fn named_clades_are_seen_and_collapsed() {
    let tree = tree(TreeShape::Phylogeny, 4001);
    let inner = |p: &u32| !tree.is_leaf(*p);
    for p in (1..4001).filter(inner).step_by(97) {
        let drawn = selected(&tree, 40, &[p], &[]);
        let found = drawn.iter().find(|d| d.position == p).expect("the clade is drawn");
        assert_eq!(found.kind, Kind::Clade);
        assert!(!drawn.iter().any(|d| d.position > p && d.position < tree.end(p)));
        let shown = selected(&tree, 40, &[], &[p]);
        assert!(shown.iter().any(|d| (p..tree.end(p)).contains(&d.position)), "{p}");
        // A group never mixes what is inside of a clade with what is not.
        for drawn in [&drawn, &shown] {
            let tips: u64 = drawn.iter().filter(is_leaf).map(|d| d.tips).sum();
            assert_eq!(tips as usize, tree.leaves());
        }
        let inside = |d: &&Drawn| (p..tree.end(p)).contains(&d.position);
        let tips: u64 = shown.iter().filter(is_leaf).filter(inside).map(|d| d.tips).sum();
        let below = (p..tree.end(p)).filter(|&q| tree.is_leaf(q)).count();
        assert_eq!(tips as usize, below, "{p}");
    }
}

#[test]
fn deep_and_wide_trees_are_drawn() {
    let n = 400_000;
    // A ladder: each inner vertex has a tip and the rest.
    let ladder: Vec<u32> = (0..n).map(|i| if i == 0 { NONE } else { (i - 1) / 2 * 2 }).collect();
    let star: Vec<u32> = (0..n).map(|i| if i == 0 { NONE } else { 0 }).collect();
    let path: Vec<u32> = (0..n).map(|i: u32| i.wrapping_sub(1)).collect();
    let forest = vec![NONE; n as usize];
    for parents in [ladder, star, path, forest] {
        let labels = |p: u32| format!("v{p}");
        for form in TreeForm::ALL {
            let drawn = Phylogram { form, ..Phylogram::new("deep", &parents, &labels) }.draw();
            assert!(drawn.rows <= 60 && drawn.svg.len() < 100_000, "{}", drawn.svg.len());
            inside(&drawn.svg);
        }
    }
}

fn number(node: Node<'_, '_>, name: &str) -> f64 {
    node.attribute(name).unwrap_or("0").parse().expect("a number")
}

/// Numbers in SVG's commands of paths.
fn numbers(data: &str) -> Vec<f64> {
    let split = data.split(|c: char| c.is_ascii_alphabetic() || c == ' ');
    split.filter(|t| !t.is_empty()).map(|t| t.parse().expect("a number")).collect()
}

/// Well-formed, and all of it on the sheet; returns boxes of texts that are not turned.
fn inside(picture: &str) -> Vec<[f64; 4]> {
    let document = Document::parse(picture).expect("well-formed");
    let root = document.root_element();
    let (wide, high) = (number(root, "width"), number(root, "height"));
    assert_eq!(wide, WIDTH);
    let mut boxes = Vec::new();
    for node in root.descendants().filter(Node::is_element) {
        if let ("path", Some(data)) = (node.tag_name().name(), node.attribute("d")) {
            // Arcs have radii and flags among their numbers.
            let pairs = if data.contains('A') { Vec::new() } else { numbers(data) };
            for at in pairs.chunks(2) {
                assert!((-0.01..=wide + 0.01).contains(&at[0]), "{data}");
                assert!((-0.01..=high + 0.01).contains(&at[1]), "{data}");
            }
        }
        let turn = node.parent().and_then(|p| p.attribute("transform"));
        let turn =
            turn.and_then(|t| t.strip_prefix("rotate(")).map(|t| numbers(&t.replace(')', ""))[0]);
        if node.has_tag_name("text") {
            let size = if node.attribute("class") == Some("title") { 17.6 } else { 12.0 };
            let words = node.text().unwrap_or("");
            let width = crate::text::width(words, size);
            let (x, y) = (number(node, "x"), number(node, "y"));
            let (cos, sin) = turn.unwrap_or(0.0).to_radians().sin_cos();
            let (cos, sin) = (sin, cos);
            let from = match node.attribute("text-anchor") {
                Some("end") => -width,
                Some("middle") => -width / 2.0,
                _ => 0.0,
            };
            for along in [from, from + width] {
                let at = (x + along * cos, y + along * sin);
                assert!((-1.0..=wide + 1.0).contains(&at.0), "{words} {at:?}");
                assert!((-1.0..=high + 1.0).contains(&at.1), "{words} {at:?}");
            }
            if turn.is_none() {
                boxes.push([x + from, y - 9.0, x + from + width, y + 2.6]);
            }
        }
    }
    boxes
}

#[test]
fn drawings_of_every_shape_are_legible() {
    for shape in TreeShape::FREE {
        for n in [1, 2, 40, 3000] {
            let tree = tree(shape, n);
            let by_length = lengths(tree.parents(), 1);
            let values: Vec<f64> = tree.sizes().iter().map(|&s| f64::from(s)).collect();
            let classes: Vec<u32> =
                (0..n as u32).map(|i| if i % 9 == 8 { NONE } else { i % 9 }).collect();
            let names: Vec<String> = (0..9).map(|k| format!("class {k}")).collect();
            let labels = |p: u32| match (tree.is_leaf(p), p % 3) {
                (true, 0) => format!("tip {p} {}", "has a long name ".repeat(9)),
                (true, _) => format!("tip {p}"),
                (_, 0) => format!("Clade {p}"),
                _ => String::new(),
            };
            let highlights = [(0, "all of it".to_string()), (n as u32 / 2, String::new())];
            for form in TreeForm::ALL {
                for colours in [
                    None,
                    Some(BranchColours::Values { name: "subtree size", values: &values }),
                    Some(BranchColours::Classes { name: "kind", classes: &classes, names: &names }),
                ] {
                    let plain = Phylogram::new("A title", tree.parents(), &labels);
                    let drawn = Phylogram {
                        lengths: colours.is_some().then_some(&by_length[..]),
                        unit: "substitutions per site",
                        highlights: if colours.is_some() { &highlights } else { &[] },
                        support: Some((&values, 5.0)),
                        form,
                        colours,
                        ..plain
                    }
                    .draw();
                    let boxes = inside(&drawn.svg);
                    for (i, a) in boxes.iter().enumerate() {
                        for b in &boxes[..i] {
                            let apart =
                                a[0] >= b[2] || b[0] >= a[2] || a[1] >= b[3] || b[1] >= a[3];
                            assert!(apart, "{shape} {n} {form}: {a:?} {b:?}");
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn odd_lengths_and_hostile_names_are_drawn() {
    const RUN: &str = "</script><script>window.broken=1</script>\"'&\u{1}\n\u{202e}";
    let labels = |_: u32| RUN.to_string();
    let odd = [f64::NAN, -2.0, 1e308, f64::INFINITY, 1e308];
    for parents in [&[NONE, 0, 0, NONE, NONE][..], &[NONE; 5], &[NONE, 0, 1, 2, 3]] {
        for form in TreeForm::ALL {
            let highlights = [(0, RUN.to_string())];
            let drawn = Phylogram {
                lengths: Some(&odd),
                unit: RUN,
                form,
                highlights: &highlights,
                colours: Some(BranchColours::Values { name: RUN, values: &odd }),
                support: Some((&odd, 0.5)),
                ..Phylogram::new(RUN, parents, &labels)
            }
            .draw();
            inside(&drawn.svg);
            assert!(!drawn.svg.contains("<script"));
        }
        let names = |_: u32| RUN.into();
        let colours = Some(BranchColours::Values { name: RUN, values: &odd });
        let page = TreePage { unit: RUN, colours, ..TreePage::new(RUN, parents, &names) };
        assert_eq!(page.to_html().matches("window.broken").count(), page_texts());
    }
    let empty = Phylogram::new("none", &[], &labels).draw();
    assert_eq!((empty.rows, empty.clades), (0, 0));
    TreePage::new("none", &[], &|_| "".into()).to_html();
}

/// The title twice, as text and as a label, and the heading; the unit and the name of values as strings
/// of JSON.
fn page_texts() -> usize {
    5
}
