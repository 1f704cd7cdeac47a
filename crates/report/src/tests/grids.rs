//! Pictures of grids: what is drawn is counted, and what is written is recomputed.

mod links;

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use super::{attribute, check, down, text_box};
use crate::*;
use palmette_core::NONE;
use palmette_core::generate::{Shape, generate};
use roxmltree::{Document, Node};

/// A pseudo-random number below a bound.
pub(super) fn below(state: &mut u64, bound: u64) -> u64 {
    *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    (*state >> 33) % bound
}

fn row_by_row(n: usize, width: u32) -> Vec<(u32, u32)> {
    (0..n as u32).map(|i| (i % width, i / width)).collect()
}

fn shuffled(n: usize, width: u32) -> Vec<(u32, u32)> {
    let mut cells = row_by_row(n, width);
    let mut state = 1;
    (1..n).for_each(|i| cells.swap(i, below(&mut state, i as u64 + 1) as usize));
    cells
}

fn distance(a: (u32, u32), b: (u32, u32)) -> u64 {
    u64::from(a.0.abs_diff(b.0)) + u64::from(a.1.abs_diff(b.1))
}

/// Every point a path names, inner points of curves included.
pub(super) fn path_points(data: &str) -> Vec<(f64, f64)> {
    let mut points = Vec::new();
    let mut at = (0.0, 0.0);
    let is_command = |c: char| c.is_ascii_alphabetic();
    let mut rest = data;
    while let Some(command) = rest.chars().next() {
        let end = rest[1..].find(is_command).map_or(rest.len(), |i| i + 1);
        let numbers: Vec<f64> = rest[1..end]
            .replace('-', " -")
            .split_whitespace()
            .map(|n| n.parse().expect("a number"))
            .collect();
        let start = at;
        match command {
            'h' => points.push((at.0 + numbers[0], at.1)),
            'v' => points.push((at.0, at.1 + numbers[0])),
            'M' | 'L' | 'C' => points.extend(numbers.chunks(2).map(|p| (p[0], p[1]))),
            'c' | 'l' => points.extend(numbers.chunks(2).map(|p| (start.0 + p[0], start.1 + p[1]))),
            'z' => {}
            _ => panic!("no command {command}"),
        }
        at = *points.last().expect("a path starts with a point");
        rest = &rest[end..];
    }
    points
}

pub(super) fn has_class(node: Node<'_, '_>, class: &str) -> bool {
    node.attribute("class").is_some_and(|c| c.split(' ').any(|c| c == class))
}

/// As every picture, and all paths inside.
pub(super) fn check_grid(picture: &str) {
    check(picture);
    assert!(picture.len() < 1_500_000, "{}", picture.len());
    let document = Document::parse(picture).expect("well-formed");
    let root = document.root_element();
    let (width, height) = (attribute(root, "width"), attribute(root, "height"));
    for node in document.descendants().filter(|n| n.has_tag_name("path")) {
        for (x, y) in path_points(node.attribute("d").expect("data")) {
            let y = y + down(node);
            assert!((0.0..=width).contains(&x) && (0.0..=height).contains(&y), "({x}, {y})");
        }
    }
}

/// How often paths of a class of style begin.
fn paths(picture: &str, class: &str) -> usize {
    let document = Document::parse(picture).expect("well-formed");
    let found = document.descendants().filter(|n| n.has_tag_name("path") && has_class(*n, class));
    found.map(|n| n.attribute("d").expect("data").matches('M').count()).sum()
}

fn discs(picture: &str, class: &str) -> usize {
    let document = Document::parse(picture).expect("well-formed");
    let found = document.descendants();
    found.filter(|n| n.has_tag_name("circle") && has_class(*n, class)).count()
}

/// The rows of the table: each text that begins a row, and those right of it.
fn table(picture: &str) -> BTreeMap<String, Vec<String>> {
    let document = Document::parse(picture).expect("well-formed");
    let texts: Vec<Node<'_, '_>> =
        document.descendants().filter(|n| n.has_tag_name("text")).collect();
    let head = texts.iter().find(|n| n.text().is_some_and(|t| t.starts_with("share of")));
    let Some(head) = head else { return BTreeMap::new() };
    let (left, top) = (attribute(*head, "x"), attribute(*head, "y"));
    let below = |n: &&Node<'_, '_>| attribute(**n, "y") > top;
    let mut rows = BTreeMap::new();
    for label in texts.iter().filter(below).filter(|n| {
        n.attribute("text-anchor") == Some("end") && (attribute(**n, "x") - left + 10.0).abs() < 0.1
    }) {
        let beside = texts.iter().filter(|n| {
            attribute(**n, "y") == attribute(*label, "y") && attribute(**n, "x") >= left
        });
        let shares = beside.map(|n| n.text().unwrap_or("").to_string()).collect();
        rows.insert(label.text().unwrap_or("").to_string(), shares);
    }
    rows
}

/// The table's rows, computed another way: by doubling a bound.
fn expected(values: &[u64]) -> BTreeMap<String, Vec<String>> {
    let mut rows = BTreeMap::new();
    let (count, sum) = (values.len() as u64, values.iter().sum::<u64>());
    let mut add = |low: u64, high: u64| {
        let inside: Vec<u64> =
            values.iter().copied().filter(|v| (low..=high).contains(v)).collect();
        if !inside.is_empty() {
            let name = match low == high {
                true => low.to_string(),
                false => format!("{}–{}", number::thousands(low), number::thousands(high)),
            };
            let share = |part: u64, whole: u64| format!("{} %", number::percent(part, whole));
            let shares = vec![share(inside.len() as u64, count), share(inside.iter().sum(), sum)];
            rows.insert(name, shares);
        }
    };
    add(0, 0);
    add(1, 1);
    (0..16).for_each(|k| add((1 << k) + 1, 2 << k));
    rows.insert("all".to_string(), vec![number::thousands(count), number::thousands(sum)]);
    rows
}

#[test]
fn small_grids_of_every_shape() {
    for shape in Shape::FREE {
        for (width, height, n) in [
            (1, 1, 1),
            (2, 1, 2),
            (1, 40, 40),
            (40, 1, 33),
            (7, 5, 35),
            (64, 64, 4096),
            (2, 64, 99),
        ] {
            let parents = generate(shape, n, 5).expect("the parameters are good");
            for cells in [row_by_row(n, width), shuffled(n, width)] {
                let title = format!("{shape} on {width} × {height}");
                let curve = Some(&row_by_row((width * height) as usize, width)[..]);
                let layout = GridLayout {
                    title: &title,
                    subtitle: "",
                    width,
                    height,
                    cells: &cells,
                    parents: &parents,
                    curve,
                };
                let picture = layout.to_svg();
                check_grid(&picture);
                let edges = parents.iter().filter(|&&p| p != NONE).count();
                assert_eq!(paths(&picture, "edge"), edges, "{title}");
                // One more of each in the key.
                assert_eq!(discs(&picture, "vertex"), edges + usize::from(edges > 0), "{title}");
                assert_eq!(discs(&picture, "halo"), n - edges + 1, "{title}");
                let lengths: Vec<u64> = (0..n)
                    .filter(|&i| parents[i] != NONE)
                    .map(|i| distance(cells[i], cells[parents[i] as usize]))
                    .collect();
                let mut found = table(&picture);
                found.retain(|_, shares| shares[0] != "0.0 %");
                if edges > 0 {
                    assert_eq!(found, expected(&lengths), "{title}");
                    let energy = number::thousands(lengths.iter().sum());
                    assert!(
                        picture.contains(&format!("· energy of all edges {energy} ·")),
                        "{title}"
                    );
                }
            }
        }
    }
}

#[test]
fn a_small_layout_in_words() {
    let picture = GridLayout {
        title: "x < y",
        subtitle: "by hand & eye",
        width: 4,
        height: 3,
        cells: &[(0, 0), (2, 0), (2, 1), (3, 2), (3, 2)],
        parents: &[NONE, 0, 1, 2, 3],
        curve: None,
    }
    .to_svg();
    check_grid(&picture);
    for text in [
        ">by hand &amp; eye<",
        "5 vertices · 4 × 3 processors · energy of all edges 5 · mean edge 1.25 · longest 2",
        ">2 at (2, 1), parent 1 at (2, 0), length 1<",
        ">root 0 at (0, 0)<",
        ">Edges by length<",
        "length 2: 50.0 % of edges, 80.0 % of energy",
    ] {
        assert!(picture.contains(text), "{text}");
    }
    assert!(!picture.contains(">curve<"));
    assert_eq!(table(&picture).keys().collect::<Vec<_>>(), ["0", "1", "2", "all"]);
}

#[test]
fn layouts_of_nothing() {
    for (width, height) in [(0, 0), (0, 9), (1, 1), (5, 3), (1, 1000), (1000, 1000)] {
        let layout = GridLayout {
            title: "none",
            subtitle: "nothing",
            width,
            height,
            cells: &[],
            parents: &[],
            curve: Some(&[]),
        };
        let picture = layout.to_svg();
        check_grid(&picture);
        assert!(picture.contains(">no vertex · ") && picture.contains(">none<"));
        if width * height > 0 {
            let one = GridLayout { cells: &[(width - 1, height - 1)], parents: &[NONE], ..layout };
            let picture = one.to_svg();
            check_grid(&picture);
            assert!(picture.contains(">1 vertex · ") && picture.contains(">root<"));
        }
    }
}

#[test]
fn maps_of_large_grids() {
    for (width, height, n) in
        [(65, 65, 4225), (300, 200, 50_000), (5000, 1, 5000), (1, 129, 129), (129, 4, 400)]
    {
        for (shape, cells) in
            [(Shape::Random, row_by_row(n, width)), (Shape::Path, shuffled(n, width))]
        {
            let parents = generate(shape, n, 5).expect("the parameters are good");
            let picture = GridLayout {
                title: "map",
                subtitle: "",
                width,
                height,
                cells: &cells,
                parents: &parents,
                curve: None,
            }
            .to_svg();
            check_grid(&picture);
            let lengths: Vec<u64> =
                (1..n).map(|i| distance(cells[i], cells[parents[i] as usize])).collect();
            let mut found = table(&picture);
            found.retain(|_, shares| shares[0] != "0.0 %");
            assert_eq!(found, expected(&lengths), "{width} {height}");
            assert_eq!(paths(&picture, "edge"), 0);
            let stretched = picture.contains("is stretched<");
            assert_eq!(stretched, width.min(height) < 5, "{width} {height}");
        }
    }
    let bins = |width, height| {
        let parents = [NONE];
        let layout = GridLayout {
            title: "",
            subtitle: "",
            width,
            height,
            cells: &[(0, 0)],
            parents: &parents,
            curve: None,
        };
        layout.to_svg()
    };
    assert!(bins(128, 128).contains("A map in one processor per bin"));
    assert!(bins(129, 128).contains("A map in bins of 2 × 2 processors"));
    assert!(bins(4096, 1).contains("A map in bins of 32 × 1 processors"));
}

#[test]
fn the_longest_edges_lie_over_the_map() {
    let n = 10_000;
    let cells = row_by_row(n, 100);
    // A path row by row, but for three vertices whose parent is the root.
    let mut parents: Vec<u32> = (0..n as u32).map(|i| i.wrapping_sub(1)).collect();
    [5050, 7777, 9999].into_iter().for_each(|i| parents[i] = 0);
    let layout = GridLayout {
        title: "far",
        subtitle: "",
        width: 100,
        height: 100,
        cells: &cells,
        parents: &parents,
        curve: None,
    };
    let picture = layout.to_svg();
    check_grid(&picture);
    // A step from the end of a row to the next row is 100 long, so the bound is the power of
    // two above; (77, 77) and (99, 99) lie further from the root than that, (50, 50) does not.
    assert!(picture.contains(">2 edges longer than 128<"));
    let document = Document::parse(&picture).expect("well-formed");
    let far = document.descendants().filter(|n| has_class(*n, "far")).count();
    assert_eq!(far, 2 + 1, "and one in the key");
}

#[test]
fn many_vertices_a_processor() {
    let parents: Vec<u32> = (0..60u32).map(|i| if i == 0 { NONE } else { (i - 1) / 2 }).collect();
    let cells: Vec<(u32, u32)> = (0..60).map(|i| (i % 2, i / 2 % 2)).collect();
    let layout = GridLayout {
        title: "t",
        subtitle: "",
        width: 2,
        height: 2,
        cells: &cells,
        parents: &parents,
        curve: None,
    };
    let picture = layout.to_svg();
    check_grid(&picture);
    assert_eq!(paths(&picture, "edge"), 59);
    let n = 50_000;
    let cells: Vec<(u32, u32)> = (0..n).map(|i| (i % 9, i / 9 % 9)).collect();
    let parents: Vec<u32> = (0..n).map(|i| if i < 40 { NONE } else { i - 40 }).collect();
    let picture =
        GridLayout { width: 9, height: 9, cells: &cells, parents: &parents, ..layout }.to_svg();
    check_grid(&picture);
    assert!(picture.contains("40 roots, not marked") && picture.contains("one processor per bin"));
}

#[test]
fn ten_million_vertices_become_few_bins() {
    let (n, side) = (10_000_000, 3163);
    let cells = shuffled(n, side);
    let mut state = 7;
    let parent = |i: usize| if i == 0 { NONE } else { below(&mut state, i as u64) as u32 };
    let parents: Vec<u32> = (0..n).map(parent).collect();
    let start = Instant::now();
    let picture = GridLayout {
        title: "ten million",
        subtitle: "",
        width: side,
        height: side,
        cells: &cells,
        parents: &parents,
        curve: None,
    }
    .to_svg();
    // One to two seconds, for parents in random order; the bound leaves room for a busy machine.
    assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
    check_grid(&picture);
    assert!(picture.contains("10,000,000 vertices · 3,163 × 3,163 processors · "));
    assert!(picture.contains(">bins of 25 × 25 processors, "));
}

#[test]
#[should_panic(expected = "a vertex at (3, 0) is not on the grid")]
fn a_vertex_outside() {
    let cells = [(0, 0), (3, 0)];
    let layout = GridLayout {
        title: "",
        subtitle: "",
        width: 3,
        height: 3,
        cells: &cells,
        parents: &[NONE, 0],
        curve: None,
    };
    layout.to_svg();
}
