//! Patterns of matrices and drawings of graphs: what is drawn is counted.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use super::grids::{below, check_grid, has_class, path_points};
use crate::*;
use roxmltree::Document;

type Edge = (u32, u32);

/// A path through all vertices, random edges, and some of those recovered.
fn skeleton(n: u32, extra: usize) -> (Vec<Edge>, Vec<Edge>, Vec<Edge>) {
    let tree: Vec<Edge> = (1..n).map(|v| (v - 1, v)).collect();
    let mut state = 5;
    let mut found = BTreeSet::new();
    for _ in 0..if n < 3 { 0 } else { extra } {
        let mut end = || below(&mut state, n.into()) as u32;
        let (a, b) = (end(), end());
        if a.abs_diff(b) > 1 {
            found.insert((a.min(b), a.max(b)));
        }
    }
    let others: Vec<Edge> = found.into_iter().collect();
    let recovered = others.iter().copied().step_by(3).collect();
    (tree.iter().copied().chain(others).collect(), tree, recovered)
}

/// The corners of all subpaths with these classes: each a list of points.
fn subpaths(picture: &str, classes: &[&str]) -> Vec<Vec<(f64, f64)>> {
    let document = Document::parse(picture).expect("well-formed");
    let paths = document.descendants().filter(|n| n.has_tag_name("path"));
    paths
        .filter(|n| classes.iter().all(|c| has_class(*n, c)))
        .flat_map(|n| n.attribute("d").expect("data").split('M').skip(1))
        .map(|part| path_points(&format!("M{part}")))
        .collect()
}

fn spy<'a>(vertices: usize, panels: &'a [SpyPanel<'a>]) -> SpyPlot<'a> {
    SpyPlot { title: "a < b", subtitle: "sub", vertices, panels }
}

#[test]
fn patterns_of_every_size() {
    for n in [0, 1, 2, 3, 17, 90, 200, 201, 401, 3000] {
        let (all, tree, recovered) = skeleton(n, 3 * n as usize);
        let panels = [
            SpyPanel { title: "before", edges: SpyEdges::All(&all) },
            SpyPanel {
                title: "after",
                edges: SpyEdges::Skeleton { tree: &tree, recovered: &recovered },
            },
        ];
        for count in [0, 1, 2] {
            let picture = spy(n as usize, &panels[..count]).to_svg();
            check_grid(&picture);
            assert!(!picture.contains("NaN") && picture.contains("no diagonal"));
            let columns = picture.matches(">column<").count();
            assert_eq!((columns, picture.matches(">row<").count()), (count, count));
            let is_map = n > 200 && count > 0;
            assert_eq!(picture.contains(">Entries per cell<"), is_map, "{n} {count}");
        }
        let picture = spy(n as usize, &panels).to_svg();
        if n <= 90 {
            let squares = |class| subpaths(&picture, &["entry", class]).len();
            assert_eq!(squares("vertex"), 2 * all.len(), "{n}");
            assert_eq!(squares("f0"), 2 * tree.len(), "{n}");
            assert_eq!(squares("f1"), 2 * recovered.len(), "{n}");
        }
        if n > 3 {
            let kept = number::thousands((tree.len() + recovered.len()) as u64);
            let words = format!("{} vertices · {kept} edges: ", number::thousands(n.into()));
            assert!(picture.contains(&words), "{words}");
        }
    }
}

#[test]
fn entries_lie_where_they_belong() {
    let panels = [SpyPanel { title: "one", edges: SpyEdges::All(&[(1, 3), (2, 2)]) }];
    let found = subpaths(&spy(4, &panels).to_svg(), &["entry"]);
    let corner = |points: &[(f64, f64)]| (points[0].0, points[0].1);
    let [upper, lower] = [corner(&found[0]), corner(&found[1])];
    assert_eq!(found.len(), 2);
    // Cells of 95 pixels: entry (1, 3) is two columns right of (3, 1) and two rows above.
    assert_eq!((upper.0 - lower.0, lower.1 - upper.1), (190.0, 190.0));
}

#[test]
fn a_map_covers_its_entries() {
    // A full matrix has no cell without an entry, whether or not rows divide evenly.
    let all: Vec<Edge> = (0..405).flat_map(|b| (0..b).map(move |a| (a, b))).collect();
    let panels = [SpyPanel { title: "full", edges: SpyEdges::All(&all) }];
    let picture = spy(405, &panels).to_svg();
    check_grid(&picture);
    let area = |points: &Vec<(f64, f64)>| {
        let (low, high) = scale::range(points.iter().map(|p| p.0));
        let (top, bottom) = scale::range(points.iter().map(|p| p.1));
        (high - low) * (bottom - top)
    };
    let covered: f64 = subpaths(&picture, &["heat"]).iter().map(area).sum();
    assert!((covered / (380.0 * 380.0) - 1.0).abs() < 0.01, "{covered}");
    assert!(picture.contains("cells of 3 × 3 entries, from 6 to 9"));
}

#[test]
fn huge_patterns_are_small_pictures() {
    let n = 1_000_000u32;
    let mut state = 1;
    let mut end = || below(&mut state, n.into()) as u32;
    let edges: Vec<Edge> = (0..3_000_000).map(|_| (end(), end())).collect();
    let panels = [SpyPanel { title: "random", edges: SpyEdges::All(&edges) }; 2];
    let start = Instant::now();
    let picture = spy(n as usize, &panels).to_svg();
    assert!(start.elapsed() < Duration::from_secs(20));
    assert!(picture.len() < 3_000_000, "{}", picture.len());
    super::check(&picture);
}

#[test]
#[should_panic(expected = "edge (0, 3) of 3 vertices")]
fn an_entry_outside() {
    let panels = [SpyPanel { title: "", edges: SpyEdges::All(&[(0, 3)]) }];
    spy(3, &panels).to_svg();
}

fn drawing<'a>(points: &'a [[f64; 3]], edges: &'a [Edge]) -> GraphDrawing<'a> {
    let names = crate::SKELETON;
    GraphDrawing { title: "a < b", subtitle: "", points, edges, tree: &[], recovered: &[], names }
}

#[test]
fn parts_of_a_graph_are_told_apart() {
    for n in [0, 1, 2, 3, 40, 600, 9000] {
        let (all, tree, recovered) = skeleton(n, 2 * n as usize);
        let mut state = 9;
        let mut unit = || below(&mut state, 1 << 20) as f64;
        for is_deep in [false, true] {
            let mut point = || [unit(), unit(), if is_deep { unit() } else { 3.0 }];
            let points: Vec<[f64; 3]> = (0..n).map(|_| point()).collect();
            let picture =
                GraphDrawing { tree: &tree, recovered: &recovered, ..drawing(&points, &all) };
            let picture = picture.to_svg();
            check_grid(&picture);
            assert!(!picture.contains("NaN"));
            let lines = |class| subpaths(&picture, &["strand", class]).len();
            assert_eq!((lines("l0"), lines("l1")), (tree.len(), recovered.len()), "{n}");
            assert_eq!(lines("pale"), all.len() - tree.len() - recovered.len(), "{n}");
            assert_eq!(picture.contains("oblique projection"), is_deep && n > 1, "{n}");
            let discs = picture.matches("<title>vertex ").count();
            assert_eq!(discs, if n <= 500 { n as usize } else { 0 });
        }
    }
}

#[test]
fn recovered_edges_lie_over_the_tree() {
    let points = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [1.0, 1.0, 0.0]];
    let all = [(0, 1), (1, 3), (2, 3), (0, 2)];
    let picture =
        GraphDrawing { tree: &all[..2], recovered: &[(3, 2)], ..drawing(&points, &all) }.to_svg();
    let place = |class: &str| picture.find(&format!("<path class=\"strand {class} ")).expect(class);
    assert!(place("pale") < place("l0") && place("l0") < place("l1"));
    let lowest = |class| subpaths(&picture, &["strand", class])[0][0].1;
    // The tree begins at y = 0, the recovered edge lies at y = 1: above.
    assert!((lowest("l0") - lowest("l1") - 430.0).abs() < 0.02);
}

#[test]
fn many_edges_are_thinned() {
    let n = 150_000u32;
    let points: Vec<[f64; 3]> =
        (0..n).map(|v| [f64::from(v % 400) + 0.123, f64::from(v / 400), 0.0]).collect();
    let right = (0..n).filter(|v| v % 400 < 399).map(|v| (v, v + 1));
    let all: Vec<Edge> = right.chain((400..n).map(|v| (v - 400, v))).collect();
    let picture = GraphDrawing { tree: &all[..30_000], ..drawing(&points, &all) };
    let picture = GraphDrawing { recovered: &all[149_000..150_000], ..picture };
    let text = picture.to_svg();
    super::check(&text);
    assert!(text.len() < 5_000_000, "{}", text.len());
    let others = number::thousands(all.len() as u64 - 31_000);
    assert!(text.contains(&format!("not kept: 9,000 of {others} edges drawn")), "{others}");
    assert!(text.contains(">tree: 30,000 edges<") && text.contains(">recovered: 1,000 edges<"));
    assert_eq!(subpaths(&text, &["strand"]).len(), MAX_EDGES);
    assert_eq!(text, picture.to_svg());
    let trees = GraphDrawing { tree: &all, recovered: &[], ..picture }.to_svg();
    assert!(trees.contains(">tree: 40,000 of "));
    assert_eq!(subpaths(&trees, &["strand"]).len(), MAX_EDGES);
}

#[test]
fn odd_points_are_drawn() {
    let same = [[2.0, 3.0, 4.0]; 3];
    let line = [[0.0, 5.0, 0.0], [1.0, 5.0, 0.0], [9.0, 5.0, 0.0]];
    let up = line.map(|[x, y, z]| [y, x, z]);
    let far = [[f64::MAX, f64::MIN, 0.0], [f64::MIN, f64::MAX, f64::MAX], [0.0; 3]];
    for points in [same, line, up, far] {
        let picture = drawing(&points, &[(0, 1), (1, 2), (2, 2)]).to_svg();
        check_grid(&picture);
        assert!(!picture.contains("NaN") && !picture.contains("inf"), "{points:?}");
        assert_eq!(subpaths(&picture, &["strand"]).len(), 3);
    }
    let points = [[0.0; 3], [f64::NAN, 0.0, 0.0], [1.0, 2.0, f64::INFINITY], [1.0; 3]];
    let picture = drawing(&points, &[(0, 1), (1, 2), (0, 3)]).to_svg();
    check_grid(&picture);
    assert!(picture.contains("2 edges end without coordinates"));
    assert!(picture.contains("not kept: 1 of 3 edges drawn"));
}

#[test]
#[should_panic(expected = "edge (1, 0) of 1 vertices")]
fn an_edge_to_nowhere() {
    drawing(&[[0.0; 3]], &[(1, 0)]).to_svg();
}

#[test]
fn crowded_vertices_are_drawn_again_larger() {
    // A path that winds in a tiny square, and a far vertex.
    let near = |v: u32| [f64::from(v % 30) * 1e-3, f64::from(v / 30) * 1e-3, 0.0];
    let mut points: Vec<[f64; 3]> = (0..900).map(near).collect();
    points.push([9.0, 5.0, 0.0]);
    let tree: Vec<Edge> = (1..901).map(|v| (v - 1, v)).collect();
    let drawing = GraphDrawing {
        title: "a < b",
        subtitle: "",
        points: &points,
        edges: &tree,
        tree: &tree,
        recovered: &[],
        names: crate::SKELETON,
    };
    let picture = drawing.to_svg();
    check_grid(&picture);
    assert!(picture.contains("of 901 vertices, drawn again") && picture.contains("times larger"));
    let again = subpaths(&picture, &["l0"]).len() - tree.len();
    assert!(again > 800, "{again}");
    let even =
        GraphDrawing { points: &points[..900], edges: &tree[..899], tree: &tree[..899], ..drawing };
    assert!(!even.to_svg().contains("times larger"));
}
