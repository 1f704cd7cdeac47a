//! Against Stoer and Wagner's algorithm, written plainly, and against all bipartitions.

use super::*;
use palmette_core::graph::generate::{Weights, generate};
use palmette_core::random::{Purpose, Random};

/// The minimum cut by Stoer and Wagner, cubic.
fn stoer_wagner(graph: &Graph) -> f64 {
    let n = graph.len();
    let mut w = vec![vec![0.0; n]; n];
    for (a, b, weight) in graph.edges() {
        (w[a as usize][b as usize], w[b as usize][a as usize]) = (weight, weight);
    }
    let mut left: Vec<usize> = (0..n).collect();
    let mut best = f64::INFINITY;
    while left.len() > 1 {
        let mut joined = vec![0.0; n];
        let mut waiting = left.clone();
        let (mut last, mut before) = (0, 0);
        while !waiting.is_empty() {
            let most = (0..waiting.len())
                .max_by(|&a, &b| joined[waiting[a]].partial_cmp(&joined[waiting[b]]).unwrap());
            (before, last) = (last, waiting.swap_remove(most.unwrap()));
            waiting.iter().for_each(|&v| joined[v] += w[last][v]);
        }
        best = best.min(joined[last]);
        (0..n).for_each(|v| {
            let sum = w[before][v] + w[last][v];
            (w[before][v], w[v][before]) = (sum, sum);
        });
        left.retain(|&v| v != last);
    }
    best
}

/// By bipartition without vertex 0, as bits, its weight.
fn every_cut(graph: &Graph) -> impl Iterator<Item = (u32, f64)> {
    let n = graph.len() as u32;
    (1..1u32 << (n - 1)).map(move |half| {
        let side = half << 1;
        let inside = |v: u32| side >> v & 1 == 1;
        (side, graph.edges().filter(|e| inside(e.0) != inside(e.1)).map(|e| e.2).sum())
    })
}

fn random_graph(random: &mut Random, most: u32, weight: impl Fn(&mut Random) -> f64) -> Graph {
    let n = 2 + random.below(most - 1);
    let m = random.below(3 * n + 1);
    let mut edges: Vec<(u32, u32, f64)> = match random.below(4) {
        // Sometimes two crowds, to have cuts that are not degrees.
        0 => Vec::new(),
        _ => (1..n).map(|v| (v, random.below(v), weight(random))).collect(),
    };
    let half = n / 2;
    let crowds = random.below(2) == 1 && half > 0;
    for _ in 0..m {
        let (a, b) = (random.below(n), random.below(n));
        if a != b && !(crowds && (a < half) != (b < half)) {
            edges.push((a, b, weight(random)));
        }
    }
    Graph::from_edges(n as usize, &edges).unwrap()
}

fn check(graph: &Graph, cut: &MinCut, expected: f64) {
    assert_eq!(cut.value, expected, "{graph:?}");
    assert!(!cut.side.is_empty() && cut.side.len() < graph.len());
    let inside = |v: u32| cut.side.binary_search(&v).is_ok();
    let edges: Vec<_> = graph.edges().filter(|e| inside(e.0) != inside(e.1)).collect();
    assert_eq!(cut.edges, edges);
    assert_eq!(edges.iter().map(|e| e.2).sum::<f64>(), cut.value);
}

#[test]
fn ten_thousand_graphs_as_stoer_and_wagner() {
    let mut random = Random::new(1, Purpose::Samples);
    for k in 0..10_000 {
        let graph = match k % 4 {
            0 => random_graph(&mut random, 10, |_| 1.0),
            1 => random_graph(&mut random, 24, |r| f64::from(1 + r.below(3))),
            2 => random_graph(&mut random, 16, |r| f64::from(1 + r.below(1000)) / 64.0),
            _ => random_graph(&mut random, 12, |r| f64::from(1 + r.below(100)) * 1e17),
        };
        let cut = minimum_cut(&graph, &Default::default()).unwrap();
        assert_eq!(cut.error, 0.0);
        check(&graph, &cut, stoer_wagner(&graph));
    }
}

/// The search without shrinking: all is left to trees.
fn by_trees(graph: &Graph, doubly: bool) -> u64 {
    let units = Units::of(graph, f64::INFINITY);
    let kernel = Kernel::new(graph.offsets(), graph.all_neighbours(), units.weights);
    let edges = packing::Edges::of(&kernel);
    let mut trees = packing::Packing::new(&edges, kernel.len(), 5);
    let mut best = u64::MAX;
    for known in 1..1000 {
        let tree = packing::rooted(kernel.len(), &edges, &trees.next_tree());
        best = best.min(one::lightest(&kernel, &edges, &tree).0);
        if doubly {
            let subtrees = one::subtrees(&kernel, &edges, &tree);
            best = two::lightest(&kernel, &tree, &subtrees).map_or(best, |pair| best.min(pair.cut));
        }
        if known * if doubly { 3 } else { 2 } >= trees.needed(best) {
            break;
        }
    }
    best
}

#[test]
fn trees_alone_prove_the_value() {
    let mut random = Random::new(2, Purpose::Samples);
    for k in 0..600 {
        let graph = random_graph(&mut random, 14, |r| f64::from(1 + r.below(1 + k % 5)));
        if graph.components().count() == 1 {
            let unit = units::Units::of(&graph, f64::INFINITY).weights[0] as f64;
            let expected = stoer_wagner(&graph) / (graph.all_weights()[0] / unit);
            assert_eq!(by_trees(&graph, true) as f64, expected, "{graph:?}");
            if k % 5 == 0 {
                assert_eq!(by_trees(&graph, false) as f64, expected, "{graph:?}");
            }
        }
    }
}

/// Cuts of one and two edges of a tree, by definition.
#[test]
fn the_lightest_cuts_of_a_tree() {
    let mut random = Random::new(3, Purpose::Samples);
    let mut compared = 0;
    for _ in 0..300 {
        let graph = random_graph(&mut random, 11, |r| f64::from(1 + r.below(9)));
        if graph.components().count() > 1 || graph.len() < 3 {
            continue;
        }
        let weights = graph.all_weights().iter().map(|&w| w as u64).collect();
        let kernel = Kernel::new(graph.offsets(), graph.all_neighbours(), weights);
        let edges = packing::Edges::of(&kernel);
        let chosen = packing::Packing::new(&edges, kernel.len(), 7).next_tree();
        let tree = packing::rooted(kernel.len(), &edges, &chosen);
        let crossing = |side: u32| {
            let ends = chosen.iter().map(|&e| edges.ends[e as usize]);
            ends.filter(|e| (side >> e.0 ^ side >> e.1) & 1 == 1).count()
        };
        let least = |edges: usize| {
            let some = every_cut(&graph).filter(|cut| crossing(cut.0) == edges);
            some.map(|cut| cut.1).fold(f64::INFINITY, f64::min)
        };
        let subtrees = one::subtrees(&kernel, &edges, &tree);
        assert_eq!(one::lightest(&kernel, &edges, &tree).0 as f64, least(1));
        let pair = two::lightest(&kernel, &tree, &subtrees).unwrap();
        assert_eq!(pair.cut as f64, least(2), "{graph:?}");
        compared += 1;
    }
    assert!(compared > 150, "{compared}");
}

#[test]
fn all_cuts_as_by_definition() {
    let mut random = Random::new(4, Purpose::Samples);
    for k in 0..1500 {
        let graph = random_graph(&mut random, 9, |r| f64::from(1 + r.below(1 + k % 3)));
        let components = graph.components().count();
        if components > 2 {
            let error = all_minimum_cuts(&graph, &Default::default()).unwrap_err();
            assert_eq!(error, MinCutError::Disconnected { components });
            continue;
        }
        let found = all_minimum_cuts(&graph, &Default::default()).unwrap();
        let least = every_cut(&graph).map(|cut| cut.1).fold(f64::INFINITY, f64::min);
        assert_eq!(found.cut.value, least);
        let mut expected: Vec<Vec<u32>> = every_cut(&graph)
            .filter(|cut| cut.1 == least)
            .map(|cut| {
                let side: Vec<bool> = (0..graph.len()).map(|v| cut.0 >> v & 1 == 1).collect();
                smaller(&side)
            })
            .collect();
        expected.sort_by(|a, b| a.len().cmp(&b.len()).then_with(|| a.cmp(b)));
        assert_eq!(found.sides, expected, "{graph:?}");
    }
}

#[test]
fn flows_and_their_tree() {
    let mut random = Random::new(5, Purpose::Samples);
    for _ in 0..200 {
        let graph = random_graph(&mut random, 9, |r| f64::from(1 + r.below(5)));
        let n = graph.len() as u32;
        let pairs: Vec<(u32, u32)> = (0..n).flat_map(|u| (0..u).map(move |v| (u, v))).collect();
        let found = separate(&graph, &pairs, &Default::default()).unwrap();
        let tree = gomory_hu(&graph, &Default::default()).unwrap();
        for (&(u, v), &value) in pairs.iter().zip(&found) {
            let apart = every_cut(&graph).filter(|cut| (cut.0 >> u ^ cut.0 >> v) & 1 == 1);
            assert_eq!(value, apart.map(|cut| cut.1).fold(f64::INFINITY, f64::min));
            let up = |mut x: u32| {
                let mut way = vec![x];
                while x != 0 {
                    x = tree.parents[x as usize];
                    way.push(x);
                }
                way
            };
            let (ways, other) = (up(u), up(v));
            let apart = |a: &[u32], b: &[u32]| {
                let alone = a.iter().filter(|x| !b.contains(x));
                alone.map(|&x| tree.values[x as usize]).fold(f64::INFINITY, f64::min)
            };
            assert_eq!(value, apart(&ways, &other).min(apart(&other, &ways)));
        }
    }
}

#[test]
fn shapes_with_known_values() {
    for (shape, value) in [
        ("grid:40x50", 2.0),
        ("grid:9x9x9", 3.0),
        ("clique:60", 59.0),
        ("path:5000", 1.0),
        ("star:9", 1.0),
    ] {
        let graph = generate(shape.parse().unwrap(), Weights::Unit, 1).unwrap().graph;
        check(&graph, &minimum_cut(&graph, &Default::default()).unwrap(), value);
    }
}

/// A union of random cycles: every vertex has degree `2 d`.
fn regular(n: u32, d: u32, random: &mut Random) -> Vec<(u32, u32, f64)> {
    let mut edges = Vec::new();
    for _ in 0..d {
        let mut cycle: Vec<u32> = (0..n).collect();
        random.shuffle(&mut cycle);
        edges.extend((0..n as usize).map(|k| (cycle[k], cycle[(k + 1) % n as usize], 1.0)));
    }
    edges
}

#[test]
fn expanders_with_and_without_a_planted_cut() {
    let mut random = Random::new(6, Purpose::Samples);
    let graph = Graph::from_edges(2000, &regular(2000, 4, &mut random)).unwrap();
    let plain = minimum_cut(&graph, &Default::default()).unwrap();
    check(&graph, &plain, 8.0);
    assert!(plain.trees > 0 && plain.trees <= 256, "{}", plain.trees);
    let mut edges = regular(1000, 6, &mut random);
    let moved = |(a, b, w): (u32, u32, f64)| (a + 1000, b + 1000, w);
    edges.extend(regular(1000, 6, &mut random).into_iter().map(moved));
    edges.extend((0..5).map(|k| (k * 31, 1000 + k * 57, 1.0)));
    let planted = Graph::from_edges(2000, &edges).unwrap();
    let cut = minimum_cut(&planted, &Default::default()).unwrap();
    check(&planted, &cut, 5.0);
    assert_eq!(cut.side.len(), 1000);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(3).build().unwrap();
    assert_eq!(pool.install(|| minimum_cut(&graph, &Default::default())).unwrap(), plain);
}

#[test]
fn weights_that_are_no_whole_numbers() {
    let mut random = Random::new(7, Purpose::Samples);
    for _ in 0..300 {
        let graph = random_graph(&mut random, 12, |r| 0.1 + r.unit());
        let cut = minimum_cut(&graph, &Default::default()).unwrap();
        let expected = stoer_wagner(&graph);
        assert!((cut.value - expected).abs() <= cut.error + 1e-14 * expected, "{cut:?}");
        assert!(cut.error < 1e-9);
    }
}

#[test]
fn what_cannot_be_cut() {
    let of = |n, edges: &[(u32, u32, f64)]| Graph::from_edges(n, edges).unwrap();
    let params = MinCutParams::default();
    assert_eq!(minimum_cut(&of(1, &[]), &params), Err(MinCutError::TooFew { vertices: 1 }));
    let apart = of(5, &[(0, 1, 1.0), (2, 3, 1.0), (3, 4, 1.0)]);
    let cut = minimum_cut(&apart, &params).unwrap();
    assert_eq!((cut.value, cut.side, cut.edges), (0.0, vec![0, 1], vec![]));
    assert_eq!(separate(&apart, &[(0, 4)], &params), Ok(vec![0.0]));
    let error = separate(&apart, &[(0, 9)], &params);
    assert_eq!(error, Err(MinCutError::Vertex { vertex: 9, vertices: 5 }));
    assert_eq!(separate(&apart, &[(3, 3)], &params), Err(MinCutError::Same { vertex: 3 }));
    let cycle = of(9, &(0..9).map(|v| (v, (v + 1) % 9, 1.0)).collect::<Vec<_>>());
    assert_eq!(all_minimum_cuts(&cycle, &params).unwrap().sides.len(), 36);
    let few = MinCutParams { most: 35, ..params.clone() };
    assert_eq!(all_minimum_cuts(&cycle, &few), Err(MinCutError::TooMany { most: 35 }));
    let cancel = Cancel::new();
    cancel.raise();
    let ended = MinCutParams { cancel: Some(cancel), ..params };
    assert_eq!(minimum_cut(&cycle, &ended), Err(MinCutError::Cancelled));
}
