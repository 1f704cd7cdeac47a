//! Demands on random graphs: checked here by other code than that which keeps them.

use super::*;
use palmette_core::graph::generate::{GraphShape, Weights, generate};
use palmette_core::random::{Purpose, Random};
use proptest::prelude::*;

fn loads(part: &[u32], weights: &[u32], parts: u32) -> Vec<u64> {
    let mut loads = vec![0; parts as usize];
    part.iter().zip(weights).for_each(|(&p, &w)| loads[p as usize] += u64::from(w));
    loads
}

/// How many pieces the parts have, by union and find.
fn pieces(graph: &Graph, part: &[u32]) -> usize {
    let mut root: Vec<usize> = (0..graph.len()).collect();
    fn find(root: &mut [usize], mut v: usize) -> usize {
        while root[v] != v {
            root[v] = root[root[v]];
            v = root[v];
        }
        v
    }
    for (a, b, _) in graph.edges().filter(|e| part[e.0 as usize] == part[e.1 as usize]) {
        let (a, b) = (find(&mut root, a as usize), find(&mut root, b as usize));
        root[a] = b;
    }
    (0..graph.len()).filter(|&v| root[v] == v).count()
}

fn cut(graph: &Graph, part: &[u32]) -> f64 {
    graph.edges().filter(|e| part[e.0 as usize] != part[e.1 as usize]).map(|e| e.2).sum()
}

fn grid(rows: usize, columns: usize) -> Graph {
    let shape = GraphShape::Grid { rows, columns };
    generate(shape, Weights::Unit, 1).unwrap().graph
}

fn random_graph(n: u32, ends: &[(u32, u32)]) -> Graph {
    let edges: Vec<_> = ends.iter().map(|&(a, b)| (a % n, b % n, 1.0)).collect();
    Graph::from_edges(n as usize, &edges).unwrap()
}

fn known(error: &PartitionError) -> bool {
    matches!(error, PartitionError::Components { .. } | PartitionError::NotConnected { .. })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, ..ProptestConfig::default() })]

    /// Vertices of weight 1 always fit: every part keeps to its size.
    #[test]
    fn sizes_are_kept(
        n in 1u32..80,
        ends in prop::collection::vec((0u32..80, 0u32..80), 0..200),
        sizes in prop::collection::vec(1u32..9, 1..8),
        preset in 0..Preset::ALL.len(),
        method in 0..Method::ALL.len(),
        refine: bool,
        contiguous: bool,
        seed: u64,
    ) {
        let parts = sizes.len() as u32;
        prop_assume!(parts <= n);
        let graph = random_graph(n, &ends);
        let preset = Preset::ALL[preset];
        let bisection = Method::ALL[method];
        let points: Vec<Point> = (0..n).map(|v| [f64::from(v % 9), f64::from(v / 9), 0.0]).collect();
        let params = PartitionParams {
            parts, preset, bisection, refine, contiguous, seed, ..PartitionParams::default()
        };
        let demands = Demands {
            sizes: sizes.iter().map(|&s| f64::from(s)).collect(), ..Demands::default()
        };
        let found = partition_as(&graph, &points, None, &params, &demands);
        if let (true, Err(error)) = (contiguous, &found) {
            prop_assert!(known(error), "{error}");
            return Ok(());
        }
        let part = found.unwrap().part;
        let total: u32 = sizes.iter().sum();
        for (p, &load) in loads(&part, &vec![1; n as usize], parts).iter().enumerate() {
            let exact = f64::from(n) * f64::from(sizes[p]) / f64::from(total);
            let up = u64::from((n * sizes[p]).div_ceil(total));
            prop_assert!(load > 0);
            // A part smaller than a vertex has one.
            let forced = sizes.iter().any(|&s| n * s < total);
            if refine && !forced {
                prop_assert!(load <= up.max((1.03 * exact) as u64), "part {p}: {load} of {exact}");
            }
        }
        prop_assert!(!contiguous || pieces(&graph, &part) == parts as usize);
    }

    /// Fixed vertices stay, no part is empty, and balance holds where weights are 1.
    #[test]
    fn fixed_vertices_stay(
        n in 2u32..120,
        ends in prop::collection::vec((0u32..120, 0u32..120), 0..300),
        fixed in prop::collection::vec((0u32..120, 0u32..9), 0..60),
        parts in 2u32..9,
        preset in 0..Preset::ALL.len(),
        located: bool,
        seed: u64,
    ) {
        prop_assume!(parts <= n);
        let graph = random_graph(n, &ends);
        let mut fixed: Vec<_> = fixed.into_iter().map(|(v, p)| (v % n, p % parts)).collect();
        fixed.sort_unstable();
        fixed.dedup_by_key(|fixed| fixed.0);
        let params = PartitionParams {
            parts, preset: Preset::ALL[preset], seed, ..PartitionParams::default()
        };
        let points: Vec<Point> = (0..n).map(|v| [f64::from(v % 9), f64::from(v / 9), 0.0]).collect();
        let demands = Demands { fixed: fixed.clone(), ..Demands::default() };
        let points = if located { &points[..] } else { &[] };
        let found = partition_as(&graph, points, None, &params, &demands);
        let most = ((1.03 * f64::from(n) / f64::from(parts)) as u64).max(u64::from(n.div_ceil(parts)));
        let held = loads(&fixed.iter().map(|f| f.1).collect::<Vec<_>>(), &vec![1; fixed.len()], parts);
        let bare = held.iter().filter(|&&count| count == 0).count();
        match found {
            Err(PartitionError::FixedTooHeavy { .. }) => {
                prop_assert!(held.iter().any(|&count| count > most));
            }
            Err(PartitionError::FixedLeaveNone { .. }) => {
                prop_assert!(bare > n as usize - fixed.len());
            }
            found => {
                let part = found.unwrap().part;
                prop_assert!(fixed.iter().all(|&(v, p)| part[v as usize] == p));
                let loads = loads(&part, &vec![1; n as usize], parts);
                prop_assert!(loads.iter().all(|&load| load > 0), "{loads:?}");
                prop_assert!(loads.iter().all(|&load| load <= most), "{loads:?} of {most}");
            }
        }
    }

    /// Weights that are awkward, parts that are many: none is empty, all are there.
    #[test]
    fn no_part_is_empty(
        weights in prop::collection::vec(
            prop_oneof![Just(0u32), 1u32..5, Just(1000u32), Just(u32::MAX)], 1..60),
        more in prop::collection::vec(0u32..3, 60),
        ends in prop::collection::vec((0u32..60, 0u32..60), 0..150),
        share in 1usize..=100,
        preset in 0..Preset::ALL.len(),
        several: bool,
        refine: bool,
        seed: u64,
    ) {
        let n = weights.len();
        let parts = (n * share).div_ceil(100) as u32;
        let graph = random_graph(n as u32, &ends);
        let params = PartitionParams {
            parts, preset: Preset::ALL[preset], refine, seed, ..PartitionParams::default()
        };
        let further = if several && refine { vec![more[..n].to_vec()] } else { Vec::new() };
        let demands = Demands { further, ..Demands::default() };
        let part = partition_as(&graph, &[], Some(&weights), &params, &demands).unwrap().part;
        let counts = loads(&part, &vec![1; n], parts);
        prop_assert!(counts.iter().all(|&count| count > 0), "{counts:?}");
    }

    /// On trees of small weights: parts are connected, or there are none that are light enough.
    #[test]
    fn trees_have_connected_parts_if_any(
        parents in prop::collection::vec(0u32..1000, 1..12),
        parts in 2u32..5,
        seed: u64,
    ) {
        let n = parents.len() + 1;
        prop_assume!(parts as usize <= n);
        let edge = |(v, p): (usize, &u32)| (v as u32 + 1, p % (v as u32 + 1), 1.0);
        let edges: Vec<_> = parents.iter().enumerate().map(edge).collect();
        let graph = Graph::from_edges(n, &edges).unwrap();
        let params = PartitionParams { parts, contiguous: true, seed, ..PartitionParams::default() };
        let most = n.div_ceil(parts as usize) as u64;
        // All ways to leave out parts − 1 edges.
        let possible = (0u32..1 << edges.len()).filter(|cut| cut.count_ones() == parts - 1).any(|cut| {
            let mut part = vec![0; n];
            let mut next = 0;
            for v in 1..n {
                part[v] = part[edges[v - 1].1 as usize];
                if cut >> (v - 1) & 1 == 1 {
                    next += 1;
                    part[v] = next;
                }
            }
            loads(&part, &vec![1; n], parts).iter().all(|&load| load <= most)
        });
        match partition(&graph, &[], None, &params) {
            Ok(found) => {
                prop_assert_eq!(pieces(&graph, &found.part), parts as usize);
                prop_assert!(loads(&found.part, &vec![1; n], parts).iter().all(|&load| load <= most));
                prop_assert!(possible);
            }
            Err(error) => {
                prop_assert_eq!(error, PartitionError::NotConnected { proved: true });
                prop_assert!(!possible);
            }
        }
    }
}

/// Several weights on a grid, of which each alone would lead to other parts; METIS leaves some of
/// these above the limit.
#[test]
fn several_weights_are_balanced() {
    let graph = grid(60, 60);
    let n = graph.len();
    let mut random = Random::new(7, Purpose::Samples);
    let place = |v: usize| (v / 60, v % 60);
    let corner: Vec<u32> = (0..n).map(|v| u32::from(place(v).0 < 20 && place(v).1 < 20)).collect();
    let left: Vec<u32> = (0..n).map(|v| u32::from(place(v).1 < 30)).collect();
    let right: Vec<u32> = left.iter().map(|&w| 1 - w).collect();
    let rough: Vec<u32> = (0..n).map(|_| 1 + random.below(9)).collect();
    let slope: Vec<u32> = (0..n).map(|v| place(v).0 as u32).collect();
    let ones = vec![1; n];
    let cases: [(&str, Vec<&Vec<u32>>); 5] = [
        ("corner", vec![&ones, &corner]),
        ("halves", vec![&left, &right]),
        ("rough", vec![&ones, &rough]),
        ("slope", vec![&ones, &slope, &rough]),
        ("all", vec![&ones, &left, &slope, &rough]),
    ];
    for (name, weights) in cases {
        for preset in [Preset::Fast, Preset::Default] {
            for parts in [2, 7, 16] {
                let params = PartitionParams { parts, preset, ..PartitionParams::default() };
                let further = weights[1..].iter().map(|w| w.to_vec()).collect();
                let demands = Demands { further, ..Demands::default() };
                let found =
                    partition_as(&graph, &[], Some(weights[0]), &params, &demands).unwrap().part;
                for weights in &weights {
                    let total: u64 = weights.iter().map(|&w| u64::from(w)).sum();
                    let mean = total as f64 / f64::from(parts);
                    let most = (1.03 * mean).floor().max(mean.ceil());
                    let loads = loads(&found, weights, parts);
                    assert!(
                        loads.iter().all(|&load| load as f64 <= most),
                        "{name} {preset} {parts}: {loads:?} of {most}"
                    );
                }
                // Not as if parts were drawn by lot.
                assert!(cut(&graph, &found) < 0.45 * graph.edge_count() as f64, "{name} {parts}");
            }
        }
    }
}

/// Several weights, connected parts and fixed vertices together: an answer or an error, in time.
#[test]
fn several_weights_of_connected_parts_end() {
    let graph = grid(40, 45);
    let n = graph.len() as u32;
    let mut random = Random::new(38, Purpose::Samples);
    for seed in 0..12 {
        let weights = |random: &mut Random| (0..n).map(|_| random.below(6)).collect::<Vec<u32>>();
        let (first, second) = (weights(&mut random), weights(&mut random));
        let third = weights(&mut random);
        let parts = 13;
        let fixed = (0..parts).map(|p| (random.below(n), p)).collect::<Vec<_>>();
        let mut fixed = fixed;
        fixed.sort_unstable();
        fixed.dedup_by_key(|fixed| fixed.0);
        let sizes = (0..parts).map(|_| f64::from(1 + random.below(9))).collect();
        let demands = Demands { sizes, further: vec![second, third], fixed, ..Demands::default() };
        let preset = Preset::Fast;
        let params =
            PartitionParams { parts, preset, contiguous: true, seed, ..PartitionParams::default() };
        match partition_as(&graph, &[], Some(&first), &params, &demands) {
            Ok(found) => assert_eq!(pieces(&graph, &found.part), parts as usize),
            Err(error) => assert!(known(&error), "{error}"),
        }
    }
}

/// Fewer values than without that objective, and less for the part that sends most.
#[test]
fn objectives_are_met() {
    let graph = grid(60, 60);
    let sent = |objective| {
        let params = PartitionParams { parts: 16, ..PartitionParams::default() };
        let demands = Demands { objective: Some(objective), ..Demands::default() };
        let part = partition_as(&graph, &[], None, &params, &demands).unwrap().part;
        let quotient = crate::Quotient::of(&graph, &part, 16);
        let sums: Vec<u64> = (0..16).map(|p| quotient.sends(p).iter().sum()).collect();
        (sums.iter().sum::<u64>(), sums.into_iter().max().unwrap_or(0))
    };
    let (cut, volume, most) =
        (sent(Objective::Cut), sent(Objective::Volume), sent(Objective::Bottleneck));
    assert!(volume.0 < cut.0, "{volume:?} {cut:?}");
    assert!(most.1 < cut.1, "{most:?} {cut:?}");
}

/// With demands, threads do not show either.
#[test]
fn demands_are_met_the_same_on_any_number_of_threads() {
    let graph = grid(50, 60);
    let n = graph.len() as u32;
    let params = PartitionParams { parts: 5, ..PartitionParams::default() };
    let demands = Demands {
        sizes: vec![1.0, 2.0, 3.0, 2.0, 1.0],
        further: vec![(0..n).map(|v| v % 3).collect()],
        fixed: vec![(0, 4), (n - 1, 0), (n / 2, 2)],
        ..Demands::default()
    };
    let on = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| partition_as(&graph, &[], None, &params, &demands).unwrap().part)
    };
    let part = on(1);
    assert_eq!(part, on(3));
    assert!(demands.fixed.iter().all(|&(v, p)| part[v as usize] == p));
}

/// Pieces of many sizes: parts are dealt out to them.
#[test]
fn graphs_in_pieces_have_connected_parts() {
    let sizes = [400u32, 130, 70, 30, 12, 1, 1];
    let (mut edges, mut first) = (Vec::new(), 0);
    for size in sizes {
        edges.extend((1..size).map(|v| (first + v - 1, first + v, 1.0)));
        edges.extend((20..size).map(|v| (first + v - 20, first + v, 1.0)));
        first += size;
    }
    let graph = Graph::from_edges(first as usize, &edges).unwrap();
    for parts in [7, 8, 12, 30] {
        let imbalance = if parts < 12 { 4.0 } else { 0.5 };
        let params =
            PartitionParams { parts, imbalance, contiguous: true, ..PartitionParams::default() };
        let found = partition(&graph, &[], None, &params).unwrap().part;
        assert_eq!(pieces(&graph, &found), parts as usize);
        let most = (1.0 + imbalance) * f64::from(first) / f64::from(parts);
        let loads = loads(&found, &vec![1; graph.len()], parts);
        assert!(loads.iter().all(|&load| load > 0 && load as f64 <= most), "{parts}: {loads:?}");
    }
    let few = PartitionParams { parts: 6, contiguous: true, ..PartitionParams::default() };
    let expected = PartitionError::Components { components: 7, parts: 6 };
    assert_eq!(partition(&graph, &[], None, &few), Err(expected));
    let one = PartitionParams { parts: 1, contiguous: true, ..PartitionParams::default() };
    assert!(matches!(partition(&graph, &[], None, &one), Err(PartitionError::Components { .. })));
}

#[test]
fn demands_that_cannot_be() {
    let graph = grid(5, 6);
    let params = PartitionParams { parts: 3, ..PartitionParams::default() };
    let with = |demands: Demands| partition_as(&graph, &[], None, &params, &demands).unwrap_err();
    let sizes = |sizes: &[f64]| with(Demands { sizes: sizes.to_vec(), ..Demands::default() });
    assert_eq!(sizes(&[1.0, 2.0]), PartitionError::Sizes { found: 2, parts: 3 });
    assert_eq!(sizes(&[1.0, 0.0, 1.0]), PartitionError::Size { part: 1, size: 0.0 });
    assert_eq!(sizes(&[1.0, 1.0, -1.0]), PartitionError::Size { part: 2, size: -1.0 });
    assert_eq!(sizes(&[0.5, 0.25, 0.5]), PartitionError::SizesSum { sum: 1.25 });
    let fixed =
        |fixed: &[(u32, u32)]| with(Demands { fixed: fixed.to_vec(), ..Demands::default() });
    assert!(matches!(fixed(&[(0, 0), (30, 1)]), PartitionError::FixedVertex { at: 1, .. }));
    assert!(matches!(fixed(&[(0, 3)]), PartitionError::FixedPart { part: 3, .. }));
    let twice = PartitionError::FixedTwice { at: 1, vertex: 4, first: 0, second: 2 };
    assert_eq!(fixed(&[(4, 0), (4, 2)]), twice);
    let many: Vec<_> = (0..12).map(|v| (v, 1)).collect();
    let heavy = PartitionError::FixedTooHeavy { at: 10, part: 1, weight: 11, limit: 10 };
    assert_eq!(fixed(&many), heavy);
    let all: Vec<_> = (0..30).map(|v| (v, v % 2)).collect();
    let loose = PartitionParams { imbalance: 1.0, ..params };
    let demands = Demands { fixed: all, ..Demands::default() };
    let none = PartitionError::FixedLeaveNone { part: 2, free: 0, bare: 1 };
    assert_eq!(partition_as(&graph, &[], None, &loose, &demands), Err(none));
    let alone = PartitionParams { refine: false, ..params };
    let demands = Demands { fixed: vec![(0, 0)], ..Demands::default() };
    let needs = PartitionError::NeedsRefinement("fixed vertices");
    assert_eq!(partition_as(&graph, &[], None, &alone, &demands), Err(needs));
}
