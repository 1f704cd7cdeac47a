use super::*;
use palmette_core::graph::generate::{GraphShape, Weights, generate};
use palmette_core::random::{Purpose, Random};
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
        method in 0..Method::ALL.len(),
        preset in 0..Preset::ALL.len(),
        located: bool,
        refine: bool,
        contiguous: bool,
        seed: u64,
    ) {
        let n = points.len() as u32;
        let edges: Vec<_> = ends.into_iter().map(|(a, b)| (a % n, b % n, 1.0)).collect();
        let graph = Graph::from_edges(n as usize, &edges).unwrap();
        let method = Method::ALL[method];
        let preset = Preset::ALL[preset];
        let params = PartitionParams {
            parts, preset, bisection: method, refine, contiguous, seed, ..PartitionParams::default()
        };
        let known = if located { &points[..] } else { &[] };
        let found = partition(&graph, known, None, &params);
        if !located && method.needs_points() {
            prop_assert_eq!(found, Err(PartitionError::NoPoints(method)));
            return Ok(());
        }
        if parts > n {
            let expected = PartitionError::TooManyParts { parts, vertices: n as usize };
            prop_assert_eq!(found, Err(expected));
            return Ok(());
        }
        if let (true, Err(error)) = (contiguous, &found) {
            let known = matches!(
                error,
                PartitionError::Components { .. } | PartitionError::NotConnected { .. }
            );
            prop_assert!(known, "{error}");
            return Ok(());
        }
        let part = found.unwrap().part;
        let sizes = sizes(&part, parts);
        prop_assert!(sizes.iter().all(|&s| s > 0), "{sizes:?}");
        let mean = f64::from(n) / f64::from(parts);
        let most = (1.03 * mean).floor().max(mean.ceil());
        prop_assert!(sizes.iter().all(|&s| s as f64 <= most), "{sizes:?} of {most}");
        prop_assert!(!contiguous || (0..parts).all(|p| is_whole(&graph, &part, p)));
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

/// The smallest cut into two parts of at most six of ten vertices, by trying all.
fn smallest_cut(graph: &Graph) -> f64 {
    let cut = |sides: u32| -> f64 {
        graph.edges().filter(|e| (sides >> e.0 ^ sides >> e.1) & 1 == 1).map(|e| e.2).sum()
    };
    let even = |sides: &u32| (4..=6).contains(&sides.count_ones());
    (0..1 << 10).filter(even).map(cut).fold(f64::INFINITY, f64::min)
}

#[test]
fn small_graphs_are_cut_as_well_as_can_be() {
    let mut random = Random::new(3, Purpose::Samples);
    for _ in 0..60 {
        let ends: Vec<_> =
            (0..8 + random.below(20)).map(|_| (random.below(10), random.below(10), 1.0)).collect();
        let graph = Graph::from_edges(10, &ends).unwrap();
        let best = smallest_cut(&graph);
        for preset in Preset::ALL {
            let params = PartitionParams { preset, imbalance: 0.2, ..PartitionParams::default() };
            let part = partition(&graph, &[], None, &params).unwrap().part;
            assert!(sizes(&part, 2).iter().all(|size| (4..=6).contains(size)));
            assert_eq!(cut(&graph, &part), best, "{preset} {ends:?}");
        }
    }
}

fn cut(graph: &Graph, part: &[u32]) -> f64 {
    graph.edges().filter(|e| part[e.0 as usize] != part[e.1 as usize]).map(|e| e.2).sum()
}

/// Graphs that matching, growing or balancing could fail on.
#[test]
fn hostile_graphs_have_balanced_parts() {
    let n = 3000u32;
    let star: Vec<_> = (1..n).map(|v| (0, v, 1.0)).collect();
    let hubs: Vec<_> = (10..n).map(|v| (v % 10, v, 1.0)).collect();
    let path: Vec<_> = (1..n).map(|v| (v - 1, v, f64::from(v).exp2().min(1e300))).collect();
    let cliques: Vec<_> = (0..n).flat_map(|v| (v - v % 6..v).map(move |w| (v, w, 1.0))).collect();
    let complete: Vec<_> = (0..200).flat_map(|v| (0..v).map(move |w| (v, w, 1.0))).collect();
    let cases = [("star", n, star), ("hubs", n, hubs), ("path", n, path), ("cliques", n, cliques)];
    let more = [("complete", 200, complete), ("nothing", n, Vec::new())];
    for (name, n, edges) in cases.into_iter().chain(more) {
        let graph = Graph::from_edges(n as usize, &edges).unwrap();
        for preset in Preset::ALL {
            for parts in [2, 7, 64] {
                // Slow, and it starts as the others do.
                if preset == Preset::Strong && (parts == 7 || name == "complete") {
                    continue;
                }
                let params = PartitionParams { parts, preset, ..PartitionParams::default() };
                let part = partition(&graph, &[], None, &params).unwrap().part;
                let sizes = sizes(&part, parts);
                let mean = f64::from(n) / f64::from(parts);
                let most = (1.03 * mean).floor().max(mean.ceil());
                assert!(
                    sizes.iter().all(|&s| s > 0 && s as f64 <= most),
                    "{name} {preset} {sizes:?}"
                );
                if name == "cliques" && parts < 64 {
                    assert_eq!(cut(&graph, &part), 0.0, "{preset} {parts}");
                }
            }
        }
    }
}

/// The largest weights there are, one vertex as heavy as all others, and none that weighs.
#[test]
fn extreme_weights_of_vertices() {
    let (graph, _) = grid();
    let n = graph.len();
    let mut heavy = vec![1; n];
    heavy[17] = n as u32;
    for (weights, parts) in [(vec![u32::MAX; n], 7), (heavy, 2), (vec![0; n], 5)] {
        for preset in Preset::ALL {
            let params = PartitionParams { parts, preset, ..PartitionParams::default() };
            let part = partition(&graph, &[], Some(&weights), &params).unwrap().part;
            assert!(sizes(&part, parts).iter().all(|&s| s > 0));
            let mut loads = vec![0u64; parts as usize];
            part.iter().zip(&weights).for_each(|(&p, &w)| loads[p as usize] += u64::from(w));
            let mean = loads.iter().sum::<u64>() as f64 / f64::from(parts);
            let largest = *loads.iter().max().unwrap() as f64;
            assert!(largest <= 1.03 * mean, "{preset} {loads:?}");
        }
    }
}

/// FNV-1a of the parts.
fn hash(part: &[u32]) -> u64 {
    let bytes = part.iter().flat_map(|p| p.to_le_bytes());
    bytes.fold(0xcbf2_9ce4_8422_2325, |h, b| (h ^ u64::from(b)).wrapping_mul(0x0100_0000_01b3))
}

/// The same parts on every platform and any number of threads: whoever changes these numbers
/// changes what users get for their seeds, and says so in the changelog.
#[test]
fn parts_of_fixed_seeds() {
    let (graph, points) = grid();
    let mut found = Vec::new();
    for preset in Preset::ALL {
        for known in [&points[..], &[]] {
            for (parts, seed) in [(2, 1), (13, 5)] {
                let params = PartitionParams { parts, preset, seed, ..PartitionParams::default() };
                let on = |threads: usize| {
                    let pool =
                        rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
                    pool.install(|| partition(&graph, known, None, &params).unwrap().part)
                };
                let part = on(1);
                assert_eq!(part, on(3));
                found.push(hash(&part));
            }
        }
    }
    assert_eq!(found, HASHES, "{found:#x?}");
}

const HASHES: [u64; 12] = [
    0x2f09_ba11_4e53_bc94,
    0xfe83_a2f6_6b67_1911,
    0x2f09_ba11_4e53_bc94,
    0xfe83_a2f6_6b67_1911,
    0x51f1_18f0_ac3c_f5a5,
    0x7d9f_bac7_ca2c_b15b,
    0x51f1_18f0_ac3c_f5a5,
    0xc713_16b4_c332_79cf,
    0x51f1_18f0_ac3c_f5a5,
    0xaccb_0dd5_75e9_a7b1,
    0xffc4_c945_320e_0da5,
    0x8b80_fbf0_e7db_7607,
];

fn grid() -> (Graph, Vec<Point>) {
    let shape = GraphShape::Grid { rows: 40, columns: 50 };
    let made = generate(shape, Weights::Unit, 1).unwrap();
    (made.graph, made.points.unwrap())
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
    assert_eq!(cut(&graph, &part), 40.0);
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
    let circles = PartitionParams { tries: Some(3), ..parts(2) };
    assert_eq!(partition(&graph, &[], None, &circles), Err(PartitionError::NoCircles));
    let unrefined = PartitionParams { refine: false, cycles: Some(1), ..parts(2) };
    assert_eq!(with(unrefined), Err(PartitionError::NoRefinement));
    let few = partition(&graph, &points[1..], None, &parts(2));
    assert_eq!(few, Err(PartitionError::Count { what: "points", found: 1999, vertices: 2000 }));
    let mut far = points.clone();
    far[3][1] = f64::INFINITY;
    let infinite = partition(&graph, &far, None, &parts(2));
    assert!(matches!(infinite, Err(PartitionError::Coordinate { vertex: 3, .. })));
}
