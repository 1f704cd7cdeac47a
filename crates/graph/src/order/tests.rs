//! Orders against elimination by definition, and the separators that they are made of.

use super::*;
use palmette_core::graph::generate::{Weights, generate};

fn made(shape: &str) -> Graph {
    generate(shape.parse().unwrap(), Weights::Unit, 3).unwrap().graph
}

const SHAPES: [&str; 11] = [
    "path:1000",
    "star:400",
    "clique:120",
    "grid:30x40",
    "grid:11x11x11",
    "random:900:3",
    "random:600:12",
    "geometric:2000:8",
    "road:1500",
    "path:1",
    "random:1200:1",
];

/// Entries, operations and height, by making every fill.
fn by_definition(graph: &Graph, order: &[u32]) -> (u64, f64, u32) {
    let n = order.len();
    let mut place = vec![0; n];
    order.iter().enumerate().for_each(|(k, &v)| place[v as usize] = k);
    let mut below: Vec<std::collections::BTreeSet<usize>> = vec![Default::default(); n];
    for (a, b, _) in graph.edges() {
        let (a, b) = (place[a as usize], place[b as usize]);
        below[a.min(b)].insert(a.max(b));
    }
    let (mut entries, mut operations) = (0, 0.0);
    let mut heights = vec![1; n];
    for k in 0..n {
        let count = below[k].len() + 1;
        entries += count as u64;
        operations += (count * count) as f64;
        let rest = below[k].clone();
        if let Some(&parent) = rest.first() {
            below[parent].extend(rest.iter().skip(1));
            heights[parent] = heights[parent].max(heights[k] + 1);
        }
    }
    (entries, operations, heights.into_iter().max().unwrap_or(0))
}

#[test]
fn orders_have_every_vertex_once_and_their_figures_are_those_of_elimination() {
    for shape in SHAPES {
        let graph = made(shape);
        for method in OrderMethod::ALL {
            let params = OrderParams { method, ..OrderParams::default() };
            let found = order(&graph, &params).unwrap();
            let mut sorted = found.vertices.clone();
            sorted.sort_unstable();
            assert!(sorted.iter().copied().eq(0..graph.len() as u32), "{shape} {method}");
            let expected = by_definition(&graph, &found.vertices);
            assert_eq!((found.entries, found.operations, found.height), expected, "{shape}");
            let again = evaluate(&graph, found.vertices.clone()).unwrap();
            assert_eq!((again.entries, again.operations, again.height), expected, "{shape}");
        }
    }
}

#[test]
fn auto_has_the_fewer_operations_and_dissection_pays_in_space() {
    let operations = |graph: &Graph, method| {
        order(graph, &OrderParams { method, ..OrderParams::default() }).unwrap().operations
    };
    for shape in SHAPES {
        let graph = made(shape);
        let least = operations(&graph, OrderMethod::MinimumDegree)
            .min(operations(&graph, OrderMethod::NestedDissection));
        assert_eq!(operations(&graph, OrderMethod::Auto), least, "{shape}");
    }
    // Measured: 0.89 and 0.57.
    for (shape, most) in [("grid:150x150", 0.95), ("grid:28x28x28", 0.65)] {
        let graph = made(shape);
        let part = operations(&graph, OrderMethod::NestedDissection)
            / operations(&graph, OrderMethod::MinimumDegree);
        assert!(part < most, "{shape}: {part}");
    }
}

/// What comes before a separator falls apart without it, and is the smaller for it.
#[test]
fn separators_of_grids_are_rows_of_them() {
    let found = order(
        &made("grid:64x64"),
        &OrderParams { method: OrderMethod::NestedDissection, ..OrderParams::default() },
    )
    .unwrap();
    let first = found.separators[0];
    assert_eq!(first.count, 1);
    assert!((48..=64).contains(&first.largest), "{first:?}");
    assert!(found.separators.len() >= 4);
}

#[test]
fn vertices_with_equal_neighbours_stay_together() {
    // Every vertex of a grid three times.
    let grid = made("grid:25x25");
    let copies = |v: u32| [3 * v, 3 * v + 1, 3 * v + 2];
    let mut edges = Vec::new();
    for v in 0..grid.len() as u32 {
        let [a, b, c] = copies(v);
        edges.extend([(a, b, 1.0), (a, c, 1.0), (b, c, 1.0)]);
    }
    for (v, w, _) in grid.edges() {
        for a in copies(v) {
            edges.extend(copies(w).map(|b| (a, b, 1.0)));
        }
    }
    let graph = Graph::from_edges(3 * grid.len(), &edges).unwrap();
    let params = OrderParams { method: OrderMethod::NestedDissection, ..OrderParams::default() };
    let found = order(&graph, &params).unwrap();
    let expected = by_definition(&graph, &found.vertices);
    assert_eq!((found.entries, found.operations, found.height), expected);
    let names = |place: usize| found.vertices[3 * place..3 * place + 3].iter().map(|v| v / 3);
    assert!((0..grid.len()).all(|place| names(place).all(|v| v == names(place).next().unwrap())));
    assert!(found.separators[0].largest.is_multiple_of(3));
}

#[test]
fn any_number_of_threads_gives_the_same_order() {
    let graph = made("geometric:20000:8");
    let on = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| order(&graph, &OrderParams::default()).unwrap())
    };
    assert_eq!(on(1), on(3));
    let other = order(&graph, &OrderParams { seed: 2, ..OrderParams::default() }).unwrap();
    assert_ne!(other.vertices, on(1).vertices);
}

#[test]
fn no_vertices_no_order() {
    let empty = Graph::from_edges(0, &[]).unwrap();
    for method in OrderMethod::ALL {
        let found = order(&empty, &OrderParams { method, ..OrderParams::default() }).unwrap();
        assert_eq!((found.vertices.len(), found.entries, found.height), (0, 0, 0));
    }
}

#[test]
fn many_components_are_ordered_one_after_another() {
    let path = made("path:40");
    let mut edges = Vec::new();
    for copy in 0..2000u32 {
        edges.extend(path.edges().map(|(a, b, w)| (40 * copy + a, 40 * copy + b, w)));
    }
    let graph = Graph::from_edges(40 * 2000, &edges).unwrap();
    let params = OrderParams { method: OrderMethod::NestedDissection, ..OrderParams::default() };
    let found = order(&graph, &params).unwrap();
    // A path fills in nothing.
    assert_eq!(found.entries, 2000 * (40 + 39));
}

#[test]
fn what_is_no_order_is_refused() {
    let graph = made("path:4");
    let refused = |vertices: &[u32]| evaluate(&graph, vertices.to_vec()).unwrap_err();
    assert_eq!(refused(&[0, 1, 2]), OrderError::Length { found: 3, vertices: 4 });
    assert_eq!(refused(&[0, 1, 2, 4]), OrderError::Vertex { place: 3, vertex: 4, vertices: 4 });
    assert_eq!(refused(&[0, 1, 2, 1]), OrderError::Twice { place: 3, vertex: 1, before: 1 });
    let cancel = Cancel::new();
    cancel.raise();
    let params = OrderParams { cancel: Some(cancel), ..OrderParams::default() };
    assert_eq!(order(&made("grid:60x60"), &params).unwrap_err(), OrderError::Cancelled);
}
