use super::*;
use palmette_core::graph::generate::{GraphShape, Weights, generate};
use proptest::prelude::*;

fn sizes(part: &[u32], parts: u32) -> Vec<usize> {
    let mut sizes = vec![0; parts as usize];
    part.iter().for_each(|&p| sizes[p as usize] += 1);
    sizes
}

fn is_whole(graph: &Graph, part: &[u32], p: u32) -> bool {
    let inside = |v: u32| part[v as usize] == p;
    let Some(start) = (0..graph.len() as u32).find(|&v| inside(v)) else { return true };
    let mut seen = vec![false; graph.len()];
    seen[start as usize] = true;
    let mut stack = vec![start];
    let mut count = 1;
    while let Some(v) = stack.pop() {
        for &w in graph.neighbours(v).iter().filter(|&&w| inside(w)) {
            if !std::mem::replace(&mut seen[w as usize], true) {
                count += 1;
                stack.push(w);
            }
        }
    }
    count == part.iter().filter(|&&q| q == p).count()
}

fn points() -> impl Strategy<Value = Vec<Point>> {
    let coordinate = prop_oneof![Just(0.0), Just(1.0), -1e3..1e3];
    let point = (coordinate.clone(), coordinate.clone(), coordinate);
    prop::collection::vec(point.prop_map(|(x, y, z)| [x, y, z]), 1..60)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    /// Graphs of any kind: disconnected, isolated vertices, points that coincide or lie on a
    /// line, weights of 0.
    #[test]
    fn parts_are_balanced_and_none_is_empty(
        points in points(),
        ends in prop::collection::vec((0u32..60, 0u32..60), 0..150),
        parts in 1u32..12,
        method in 0usize..4,
        refine: bool,
        contiguous: bool,
        seed: u64,
    ) {
        let n = points.len() as u32;
        let edges: Vec<_> = ends.into_iter().map(|(a, b)| (a % n, b % n, 1.0)).collect();
        let graph = Graph::from_edges(n as usize, &edges).unwrap();
        let method = Method::ALL[method];
        let params = PartitionParams {
            parts, bisection: method, refine, contiguous, seed, ..PartitionParams::default()
        };
        let found = partition(&graph, &points, None, &params);
        if parts > n {
            let expected = PartitionError::TooManyParts { parts, vertices: n as usize };
            prop_assert_eq!(found, Err(expected));
            return Ok(());
        }
        let sizes = sizes(&found.unwrap().part, parts);
        prop_assert!(sizes.iter().all(|&s| s > 0), "{sizes:?}");
        let mean = f64::from(n) / f64::from(parts);
        let most = (1.03 * mean).floor().max(mean.ceil());
        if !contiguous {
            prop_assert!(sizes.iter().all(|&s| s as f64 <= most), "{sizes:?} of {most}");
        }
    }

    #[test]
    fn weights_count(
        points in points(),
        weights in prop::collection::vec(0u32..9, 60),
        parts in 1u32..6,
        seed: u64,
    ) {
        let n = points.len();
        prop_assume!(parts as usize <= n);
        let edges: Vec<_> = (1..n as u32).map(|v| (v / 2, v, 1.0)).collect();
        let graph = Graph::from_edges(n, &edges).unwrap();
        let weights = &weights[..n];
        let params = PartitionParams { parts, seed, ..PartitionParams::default() };
        let part = partition(&graph, &points, Some(weights), &params).unwrap().part;
        prop_assert!(sizes(&part, parts).iter().all(|&s| s > 0));
        let mut loads = vec![0; parts as usize];
        part.iter().zip(weights).for_each(|(&p, &w)| loads[p as usize] += w);
        // Vertices cannot be split: a part may be above the limit by less than the heaviest.
        let mean = f64::from(weights.iter().sum::<u32>()) / f64::from(parts);
        let heaviest = f64::from(*weights.iter().max().unwrap());
        let largest = f64::from(*loads.iter().max().unwrap());
        prop_assert!(largest <= (1.03 * mean).max(mean.ceil()) + heaviest, "{loads:?}");
    }
}

fn grid() -> (Graph, Vec<Point>) {
    let shape = GraphShape::Grid { rows: 40, columns: 50 };
    let made = generate(shape, Weights::Unit, 1).unwrap();
    (made.graph, made.points.unwrap())
}

#[test]
fn the_same_seed_gives_the_same_parts_on_any_number_of_threads() {
    let (graph, points) = grid();
    let params = PartitionParams { parts: 13, seed: 5, ..PartitionParams::default() };
    let on = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| partition(&graph, &points, None, &params).unwrap())
    };
    assert_eq!(on(1), on(3));
}

#[test]
fn contiguous_parts_are_in_one_piece_and_balanced() {
    let (graph, points) = grid();
    for (parts, method) in [(7, Method::Geometric), (32, Method::Geometric), (30, Method::Hilbert)]
    {
        let params = PartitionParams {
            parts,
            bisection: method,
            contiguous: true,
            ..PartitionParams::default()
        };
        let part = partition(&graph, &points, None, &params).unwrap().part;
        assert!((0..parts).all(|p| is_whole(&graph, &part, p)));
        let most = (1.03 * 2000.0 / f64::from(parts)).floor();
        assert!(sizes(&part, parts).iter().all(|&s| s as f64 <= most));
    }
}

#[test]
fn a_grid_is_halved_along_its_short_side() {
    let (graph, points) = grid();
    let part = partition(&graph, &points, None, &PartitionParams::default()).unwrap().part;
    let cut = graph.edges().filter(|e| part[e.0 as usize] != part[e.1 as usize]).count();
    assert_eq!(cut, 40);
}

#[test]
fn what_cannot_be_partitioned() {
    let (graph, points) = grid();
    let with = |params: PartitionParams| partition(&graph, &points, None, &params);
    let parts = |parts| PartitionParams { parts, ..PartitionParams::default() };
    assert_eq!(with(parts(0)), Err(PartitionError::NoParts));
    let imbalance = PartitionParams { imbalance: -0.1, ..PartitionParams::default() };
    assert_eq!(with(imbalance), Err(PartitionError::Imbalance(-0.1)));
    for tries in [0, PartitionParams::MOST_TRIES + 1] {
        let params = PartitionParams { tries: Some(tries), ..parts(2) };
        assert_eq!(with(params), Err(PartitionError::Tries { tries }));
    }
    let sample = PartitionParams { sample: Some(0), ..parts(2) };
    assert_eq!(with(sample), Err(PartitionError::NoSample));
    let hilbert = PartitionParams { bisection: Method::Hilbert, tries: Some(3), ..parts(2) };
    assert_eq!(with(hilbert), Err(PartitionError::NotGeometric(Method::Hilbert)));
    let unrefined = PartitionParams { refine: false, cycles: Some(1), ..parts(2) };
    assert_eq!(with(unrefined), Err(PartitionError::NoRefinement));
    let few = partition(&graph, &points[1..], None, &parts(2));
    assert_eq!(few, Err(PartitionError::Count { what: "points", found: 1999, vertices: 2000 }));
    let mut far = points.clone();
    far[3][1] = f64::INFINITY;
    let infinite = partition(&graph, &far, None, &parts(2));
    assert!(matches!(infinite, Err(PartitionError::Coordinate { vertex: 3, .. })));
}
