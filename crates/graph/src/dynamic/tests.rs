//! Random updates against a plain list of edges.

use super::*;
use palmette_core::graph::generate::{Weights, generate};
use palmette_core::random::{Purpose, Random};
use std::collections::BTreeMap;

type Edges = BTreeMap<(u32, u32), f64>;

fn made(shape: &str) -> Graph {
    generate(shape.parse().unwrap(), Weights::LogUniform(0.1, 10.0), 1).unwrap().graph
}

fn check(skeleton: &DynamicSparsifier, edges: &Edges) {
    let all: Vec<(u32, u32, f64)> = edges.iter().map(|(&(a, b), &w)| (a, b, w)).collect();
    let graph = Graph::from_edges(skeleton.vertices(), &all).unwrap();
    assert_eq!(skeleton.graph(), graph);
    let components = graph.components().count();
    assert_eq!(skeleton.tree().count(), graph.len() - components);
    let tree: Vec<(u32, u32)> = skeleton.tree().collect();
    assert_eq!(graph.subgraph(&tree).components().count(), components);
    let kept: Vec<(u32, u32)> = tree.into_iter().chain(skeleton.recovered()).collect();
    assert_eq!(skeleton.skeleton(), graph.subgraph(&kept));
    assert_eq!(skeleton.sparsifier().graph(&graph), skeleton.skeleton());
    assert_eq!(skeleton.sparsifier().roots.len(), components);
}

#[test]
fn random_updates_leave_a_skeleton() {
    for (shape, deletions) in [("grid:12x12", 4), ("random:150:1.2", 5), ("path:40", 6)] {
        let graph = made(shape);
        let mut edges: Edges = graph.edges().map(|(a, b, w)| ((a, b), w)).collect();
        let params = DynamicParams { refresh: 0.3, ..Default::default() };
        let mut skeleton = DynamicSparsifier::new(&graph, &params).unwrap();
        let mut random = Random::new(5, Purpose::Samples);
        let n = graph.len() as u32;
        for round in 0..300 {
            let (a, b) = (random.below(n), random.below(n));
            let weight = 0.1 + random.unit();
            let ends = (a.min(b), a.max(b));
            if random.below(10) < deletions && !edges.is_empty() {
                let place = random.below(edges.len() as u32) as usize;
                let (&(a, b), _) = edges.iter().nth(place).unwrap();
                edges.remove(&(a, b));
                skeleton.apply(&Update::Delete { a: b, b: a }).unwrap();
            } else if a != b && edges.insert(ends, weight).is_some() {
                assert_eq!(
                    skeleton.apply(&Update::Insert { a, b, weight }),
                    Err(DynamicError::Exists { a, b })
                );
                skeleton.apply(&Update::Weight { a, b, weight }).unwrap();
            } else if a != b {
                skeleton.apply(&Update::Insert { a, b, weight }).unwrap();
            }
            if round % 20 == 0 {
                check(&skeleton, &edges);
            }
        }
        check(&skeleton, &edges);
        assert!(skeleton.refreshes() > 0);
    }
}

#[test]
fn a_lost_edge_is_replaced_by_the_best_one() {
    // A path of five with two ways around its third edge; the heavier one is shorter.
    let path = [(0, 1, 1.0), (1, 2, 1.0), (2, 3, 1.0), (3, 4, 1.0)];
    let edges = [&path[..], &[(0, 4, 0.1), (1, 3, 0.5)]].concat();
    let graph = Graph::from_edges(5, &edges).unwrap();
    let mut skeleton = DynamicSparsifier::new(&graph, &DynamicParams::default()).unwrap();
    skeleton.network = Network::new(
        &graph,
        &Sparsifier { tree: path.map(|e| (e.0, e.1)).to_vec(), ..Default::default() },
    );
    skeleton.apply(&Update::Delete { a: 2, b: 3 }).unwrap();
    let mut tree: Vec<_> = skeleton.tree().collect();
    tree.sort_unstable();
    assert_eq!(tree, [(0, 1), (1, 2), (1, 3), (3, 4)]);
    // Without any other, it falls apart, and an edge joins it again.
    for (a, b) in [(1, 3), (0, 4)] {
        skeleton.apply(&Update::Delete { a, b }).unwrap();
    }
    assert_eq!((skeleton.components, skeleton.tree().count()), (2, 3));
    skeleton.apply(&Update::Insert { a: 4, b: 0, weight: 2.0 }).unwrap();
    assert_eq!((skeleton.components, skeleton.tree().count()), (1, 4));
}

#[test]
fn what_is_no_update() {
    let graph = made("grid:5x5");
    let new = |params| DynamicSparsifier::new(&graph, &params).unwrap();
    let mut skeleton = new(DynamicParams::default());
    let before = (skeleton.graph(), skeleton.skeleton());
    for weight in [0.0, -1.0, f64::NAN, f64::INFINITY, 1e-310] {
        let (a, b) = (0, 24);
        for update in [Update::Insert { a, b, weight }, Update::Weight { a: 0, b: 1, weight }] {
            assert!(matches!(skeleton.apply(&update), Err(DynamicError::Weight { .. })));
        }
    }
    for (update, expected) in [
        (Update::Delete { a: 0, b: 2 }, DynamicError::Missing { a: 0, b: 2 }),
        (Update::Weight { a: 2, b: 0, weight: 1.0 }, DynamicError::Missing { a: 2, b: 0 }),
        (Update::Delete { a: 0, b: 25 }, DynamicError::Vertex { vertex: 25, vertices: 25 }),
        (Update::Insert { a: 3, b: 3, weight: 1.0 }, DynamicError::Loop { vertex: 3 }),
    ] {
        assert_eq!(skeleton.apply(&update), Err(expected));
    }
    assert_eq!(
        (skeleton.graph(), skeleton.skeleton(), skeleton.updates()),
        (before.0, before.1, 0)
    );
    let all = [Update::Delete { a: 0, b: 1 }, Update::Delete { a: 0, b: 1 }];
    assert_eq!(skeleton.apply_all(&all), Err((1, DynamicError::Missing { a: 0, b: 1 })));
    assert_eq!(skeleton.updates(), 1);

    let mut lenient = new(DynamicParams { upsert: true, ..Default::default() });
    lenient.apply_all(&all).unwrap();
    lenient.apply(&Update::Weight { a: 0, b: 1, weight: 3.0 }).unwrap();
    lenient.apply(&Update::Insert { a: 1, b: 0, weight: 4.0 }).unwrap();
    assert_eq!(lenient.graph().weight(0, 1), Some(4.0));
    let params = DynamicParams { share: 2.0, ..Default::default() };
    assert!(DynamicSparsifier::new(&graph, &params).is_err());
}

#[test]
fn condition_numbers_stay_low() {
    let graph = made("grid:40x40");
    let n = graph.len() as u32;
    let mut random = Random::new(3, Purpose::Samples);
    let mut inserted = Vec::new();
    while inserted.len() < 480 {
        let (a, b) = (random.below(n), random.below(n));
        let is_new = graph.weight(a, b).is_none() && a != b;
        if is_new && !inserted.contains(&(a, b)) && !inserted.contains(&(b, a)) {
            inserted.push((a, b));
        }
    }
    let update = |&(a, b): &(u32, u32)| Update::Insert { a, b, weight: 1.0 };
    let updates: Vec<Update> = inserted.iter().map(update).collect();
    let run = |params: DynamicParams| {
        let mut skeleton = DynamicSparsifier::new(&graph, &params).unwrap();
        skeleton.apply_all(&updates).unwrap();
        (skeleton.condition().unwrap(), skeleton.density())
    };
    let (followed, density) = run(DynamicParams::default());
    let (ignored, _) = run(DynamicParams { share: 0.0, refresh: 0.0, ..Default::default() });
    assert!(density <= 0.13 && followed * 2.0 < ignored, "{followed} at {density}, {ignored}");
    let most = Budget::Vertices(100.0);
    let (condition, more) =
        run(DynamicParams { condition: Some(20.0), most, ..Default::default() });
    assert!(condition < 30.0 && more > density, "{condition} at {more}");
}
