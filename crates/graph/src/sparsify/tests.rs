//! Engines against the definition, and what every sparsifier has to be.

use super::*;
use crate::{QualityParams, quality};
use palmette_core::graph::generate::{Weights, generate};
use proptest::prelude::*;
use spade::{DelaunayTriangulation, Point2, Triangulation};

const ENGINES: [Engine; 2] = [Engine::Linear, Engine::Parallel];

/// Compares all engines with the definition; returns its answer.
fn agree(graph: &Graph, params: SparsifyParams) -> Sparsifier {
    let with = |engine| SparsifyParams { engine, ..params };
    let reference = sparsify(graph, &with(Engine::Reference)).unwrap();
    for engine in ENGINES {
        let ours = sparsify(graph, &with(engine)).unwrap();
        assert_eq!(ours.tree, reference.tree, "{engine:?}");
        assert_eq!(ours.recovered, reference.recovered, "{engine:?}");
        assert_eq!(ours.non_crossing, reference.non_crossing, "{engine:?}");
        assert_eq!(ours.parents(), reference.parents(), "{engine:?}");
    }
    reference
}

fn shape(text: &str, weights: Weights, seed: u64) -> Graph {
    generate(text.parse().unwrap(), weights, seed).unwrap().graph
}

/// The triangulation of random points.
fn delaunay(n: usize, weights: Weights, seed: u64) -> Graph {
    let points = generate(format!("geometric:{n}:1").parse().unwrap(), Weights::Unit, seed);
    let points = points.unwrap().points.unwrap();
    let mut triangulation: DelaunayTriangulation<Point2<f64>> = DelaunayTriangulation::new();
    for p in points {
        triangulation.insert(Point2::new(p[0], p[1])).unwrap();
    }
    let drawn = shape(&format!("path:{}", 4 * n), weights, seed);
    let weights = drawn.edges().map(|e| e.2);
    let edges: Vec<(u32, u32, f64)> = triangulation
        .undirected_edges()
        .zip(weights)
        .map(|(edge, w)| {
            let [a, b] = edge.vertices().map(|v| v.fix().index() as u32);
            (a, b, w)
        })
        .collect();
    Graph::from_edges(n, &edges).unwrap()
}

#[test]
fn engines_agree_on_shapes() {
    let shapes = ["grid:20x30", "geometric:700:8", "random:500:10", "clique:60", "star:50"];
    for text in shapes.iter().chain(&["road:900", "grid:6x7x8", "path:40", "random:400:1.5"]) {
        for weights in [Weights::Unit, Weights::LogUniform(1e-2, 1e2)] {
            for seed in 1..4 {
                agree(&shape(text, weights, seed), SparsifyParams::default());
            }
        }
    }
}

/// Meshes recover edges between a vertex and an ancestor of it, which marks of other pairs
/// depend on; with large budgets several batches are needed.
#[test]
fn engines_agree_on_meshes_with_non_crossing_edges() {
    let mut non_crossing = 0;
    for seed in 1..5 {
        for weights in [Weights::Unit, Weights::Uniform(1.0, 2.0), Weights::LogUniform(1e-3, 1e3)] {
            let graph = delaunay(600, weights, seed);
            for budget in [Budget::Rule, Budget::OffTree(20.0), Budget::OffTree(100.0)] {
                for beta_cap in [None, Some(1), Some(3)] {
                    let params = SparsifyParams { budget, beta_cap, ..Default::default() };
                    non_crossing += agree(&graph, params).non_crossing;
                }
            }
        }
    }
    assert!(non_crossing > 1000, "{non_crossing}");
}

/// Batches beyond the size from which on work is shared and sorted by digits.
#[test]
fn engines_agree_on_larger_meshes() {
    let graph = delaunay(20_000, Weights::LogUniform(1e-2, 1e2), 1);
    let params = SparsifyParams { budget: Budget::OffTree(10.0), ..Default::default() };
    let answer = agree(&graph, params);
    assert_eq!(answer.recovered.len(), (graph.edge_count() - 19_999) / 10);
    assert!(answer.non_crossing > 100, "{}", answer.non_crossing);
}

#[test]
fn degenerate_graphs() {
    for n in [0, 1, 5] {
        let empty = Graph::from_edges(n, &[]).unwrap();
        let found = agree(&empty, SparsifyParams::default());
        assert_eq!((found.tree.len(), found.recovered.len(), found.roots.len()), (0, 0, n));
    }
    // All edges are in the tree.
    let path = shape("path:10", Weights::Unit, 1);
    assert_eq!(agree(&path, SparsifyParams::default()).tree.len(), 9);
    // A triangle: one edge beside the tree, of at most two to recover.
    let triangle = shape("clique:3", Weights::Unit, 1);
    assert_eq!(agree(&triangle, SparsifyParams::default()).recovered.len(), 1);
}

#[test]
fn budgets_are_kept() {
    let graph = shape("grid:40x40", Weights::LogUniform(0.1, 10.0), 3);
    let off = graph.edge_count() - 1599;
    for rule in Rule::ALL {
        for (budget, most) in [
            (Budget::Count(7), 7),
            (Budget::Count(0), 0),
            (Budget::OffTree(10.0), off / 10),
            (Budget::Vertices(5.0), 80),
        ] {
            let params = SparsifyParams { rule, budget, ..Default::default() };
            assert_eq!(sparsify(&graph, &params).unwrap().recovered.len(), most, "{budget}");
        }
    }
    let params = SparsifyParams { rule: Rule::Fegrass, ..Default::default() };
    assert_eq!(sparsify(&graph, &params).unwrap().recovered.len(), 160);
    let all = SparsifyParams { budget: Budget::Count(9999), ..params };
    assert_eq!(sparsify(&graph, &all).unwrap().recovered.len(), off);
}

#[test]
fn budgets_are_read_and_written() {
    for text in ["1000", "4%", "10%V", "2.5%V"] {
        assert_eq!(text.parse::<Budget>().unwrap().to_string(), text);
    }
    for text in ["", "-1", "1.5", "-4%", "nan%", "inf%V", "10%v", "V"] {
        assert!(text.parse::<Budget>().is_err(), "{text}");
    }
}

/// A hub's marks rise with every edge: its edges must not take a pass each.
#[test]
fn fegrass_spreads_edges_and_copes_with_hubs() {
    let n = 20_000u32;
    let spokes = (1..n).map(|v| (0, v, 1.0 + f64::from(v % 7)));
    let rim = (1..n).map(|v| (v, v % (n - 1) + 1, 1.0));
    let wheel = Graph::from_edges(n as usize, &spokes.chain(rim).collect::<Vec<_>>()).unwrap();
    let params = SparsifyParams { rule: Rule::Fegrass, ..Default::default() };
    assert_eq!(sparsify(&wheel, &params).unwrap().recovered.len(), 2000);

    let grid = shape("grid:100x100", Weights::LogUniform(1e-2, 1e2), 1);
    let most_at_a_vertex = |rule| {
        let params = SparsifyParams { rule, budget: Budget::Vertices(5.0), ..Default::default() };
        let mut count = vec![0; grid.len()];
        for (a, b) in sparsify(&grid, &params).unwrap().recovered {
            count[a as usize] += 1;
            count[b as usize] += 1;
        }
        count.into_iter().max().unwrap()
    };
    assert_eq!(most_at_a_vertex(Rule::Fegrass), 1);
}

#[test]
fn resistances_that_overflow_are_an_error() {
    let w = f64::MIN_POSITIVE;
    let edges: Vec<(u32, u32, f64)> = (1..20).map(|v| (v - 1, v, w)).collect();
    let path = Graph::from_edges(20, &edges).unwrap();
    for engine in [Engine::Reference, Engine::Linear, Engine::Parallel] {
        let error = sparsify(&path, &SparsifyParams { engine, ..Default::default() });
        assert!(matches!(error, Err(SparsifyError::Resistance { .. })), "{error:?}");
    }
}

#[test]
fn the_same_edges_on_any_number_of_threads() {
    let graph = shape("geometric:20000:9", Weights::LogUniform(0.1, 10.0), 2);
    for rule in Rule::ALL {
        let run = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| sparsify(&graph, &SparsifyParams { rule, ..Default::default() }))
        };
        assert_eq!(run(1), run(2));
        assert_eq!(run(1), run(5));
    }
}

/// A graph of up to 40 vertices with parallel edges, ties and several components.
fn multigraph() -> impl Strategy<Value = Graph> {
    (2usize..40).prop_flat_map(|n| {
        let end = 0..n as u32;
        let edge = (end.clone(), end, prop_oneof![Just(1.0), Just(2.0), 0.01..100f64]);
        prop::collection::vec(edge, 0..150)
            .prop_map(move |edges| Graph::from_edges(n, &edges).unwrap())
    })
}

/// A tree of up to 60 vertices, deep or wide, with edges of no weight to speak of beside it:
/// depths, radii and ancestors of all kinds.
fn tree_with_chords() -> impl Strategy<Value = Graph> {
    (4usize..60, 1u32..60).prop_flat_map(|(n, reach)| {
        let parents: Vec<_> = (1..n as u32).map(|v| v.saturating_sub(reach)..v).collect();
        let chord = (0..n as u32, 0..n as u32, 1e-6..1e-4f64);
        (parents, prop::collection::vec(chord, 1..200)).prop_map(move |(parents, chords)| {
            let tree = parents.iter().zip(1..).map(|(&p, v)| (p, v, 100.0));
            Graph::from_edges(n, &tree.chain(chords).collect::<Vec<_>>()).unwrap()
        })
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn engines_agree_on_multigraphs(
        graph in multigraph(),
        percent in prop_oneof![Just(4.0), Just(30.0), Just(100.0)],
        cap in prop_oneof![Just(None), (1u32..5).prop_map(Some)],
    ) {
        let budget = Budget::OffTree(percent);
        agree(&graph, SparsifyParams { budget, beta_cap: cap, ..Default::default() });
    }

    #[test]
    fn engines_agree_on_trees_with_chords(
        graph in tree_with_chords(),
        percent in prop_oneof![Just(10.0), Just(100.0)],
    ) {
        let budget = Budget::OffTree(percent);
        agree(&graph, SparsifyParams { budget, ..Default::default() });
    }

    #[test]
    fn a_sparsifier_is_a_spanning_part(graph in multigraph(), contest in any::<bool>()) {
        let rule = if contest { Rule::Contest } else { Rule::Fegrass };
        let params = SparsifyParams { rule, budget: Budget::OffTree(50.0), ..Default::default() };
        let answer = sparsify(&graph, &params).unwrap();
        let part = answer.graph(&graph);
        let edges = answer.tree.len() + answer.recovered.len();
        prop_assert_eq!(part.edge_count(), edges);
        prop_assert_eq!(part.components().of, graph.components().of);
        let components = graph.components().count();
        prop_assert_eq!(answer.tree.len(), graph.len() - components);
        let ordered = answer.tree.iter().chain(&answer.recovered).all(|&(a, b)| a < b);
        prop_assert!(ordered);
    }
}

#[test]
fn the_spectral_rule_is_better_conditioned_and_meets_a_target() {
    for shape in ["geometric:4000:7", "grid:60x60"] {
        let graph = generate(shape.parse().unwrap(), Weights::Unit, 1).unwrap().graph;
        let with = |rule, condition| {
            let params = SparsifyParams { rule, condition, ..Default::default() };
            let skeleton = sparsify(&graph, &params).unwrap();
            let found = quality(&graph, &skeleton.graph(&graph), &QualityParams::default());
            (skeleton.recovered.len(), found.unwrap().condition)
        };
        let (count, ours) = with(Rule::Spectral, None);
        let (same, theirs) = with(Rule::Fegrass, None);
        assert_eq!(count, same);
        assert!(ours < theirs, "{shape} {ours} {theirs}");
        let (few, met) = with(Rule::Spectral, Some(1.5 * ours));
        let (more, met_too) = with(Rule::Spectral, Some(0.75 * ours));
        assert!(few < more && met <= 1.55 * ours && met_too <= 0.78 * ours, "{shape} {few} {more}");
    }
    let graph = generate("grid:3x3".parse().unwrap(), Weights::Unit, 1).unwrap().graph;
    let params =
        SparsifyParams { rule: Rule::Spectral, condition: Some(0.5), ..Default::default() };
    assert_eq!(sparsify(&graph, &params), Err(SparsifyError::Condition { condition: 0.5 }));
}
