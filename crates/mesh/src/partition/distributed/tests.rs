//! Ranks are threads here.

use super::*;
use crate::element::node_graph;
use crate::partition::goals::limit;
use crate::partition::partition;
use crate::shapes::generate;
use palmette_core::Graph;
use palmette_core::random::{Purpose, Random};
use palmette_core::ranks::{Mail, Slices, on_threads};

/// A whole graph, which ranks share.
#[derive(Clone)]
struct Whole {
    graph: Graph,
    points: Vec<Point>,
    weights: Vec<u32>,
}

impl Whole {
    fn of(shape: &str) -> Whole {
        let mesh = generate(shape.parse().unwrap(), 1).unwrap();
        let points = mesh.points().to_vec();
        Whole { graph: node_graph(&mesh), points, weights: Vec::new() }
    }

    fn without_points(self) -> Whole {
        Whole { points: Vec::new(), ..self }
    }

    fn slice(&self, of: std::ops::Range<u64>) -> GraphSlice {
        let (a, b) = (of.start as usize, of.end as usize);
        let offsets = &self.graph.offsets()[a..=b];
        let entries = offsets[0]..offsets[b - a];
        let some = |of: &[u32]| of.get(a..b).map(<[u32]>::to_vec).unwrap_or_default();
        let weights = &self.graph.all_weights()[entries.clone()];
        let even = self.graph.all_weights().iter().all(|&w| w == 1.0);
        GraphSlice {
            offsets: offsets.iter().map(|end| end - offsets[0]).collect(),
            neighbours: self.graph.all_neighbours()[entries].to_vec(),
            edge_weights: if even { Vec::new() } else { weights.to_vec() },
            weights: some(&self.weights),
            points: self.points.get(a..b).map(<[Point]>::to_vec).unwrap_or_default(),
        }
    }

    fn outcomes(
        &self,
        slices: &Slices,
        params: &RanksPartitionParams,
    ) -> Vec<Result<RanksPartition, RanksPartitionError>> {
        on_threads(slices.ranks(), |rank| {
            let mut ranks = Metered::new(rank);
            let own = slices.of(ranks.rank());
            partition_on_ranks(&mut ranks, self.slice(own), params)
        })
    }

    /// The parts of all vertices, and what the ranks say of the whole.
    fn parts(&self, slices: &Slices, params: &RanksPartitionParams) -> (Vec<u32>, RanksPartition) {
        let found: Vec<_> =
            self.outcomes(slices, params).into_iter().map(|found| found.unwrap()).collect();
        let part = found.iter().flat_map(|found| found.part.clone()).collect();
        let mut first = found[0].clone();
        first.part = Vec::new();
        for other in &found {
            assert_eq!((other.cut, &other.weights), (first.cut, &first.weights));
        }
        (part, first)
    }

    fn cut(&self, part: &[u32]) -> f64 {
        let edges = self.graph.edges();
        edges.filter(|e| part[e.0 as usize] != part[e.1 as usize]).map(|e| e.2).sum()
    }

    /// Checks parts against the graph; their cut.
    fn check(&self, part: &[u32], found: &RanksPartition, params: &RanksPartitionParams) -> f64 {
        let mut weights = vec![0u64; params.parts as usize];
        for (v, &p) in part.iter().enumerate() {
            weights[p as usize] += self.weights.get(v).map_or(1, |&w| u64::from(w));
            assert!(p < params.parts);
        }
        let mut counts = vec![0; params.parts as usize];
        part.iter().for_each(|&p| counts[p as usize] += 1);
        assert!(counts.iter().all(|&count| count > 0), "no part is empty");
        assert_eq!(weights, found.weights);
        let total: u64 = weights.iter().sum();
        let limit = limit(total as i64, &params.on_one());
        assert!(weights.iter().all(|&weight| weight as i64 <= limit), "{weights:?} {limit}");
        let cut = self.cut(part);
        assert_eq!(cut, found.cut);
        cut
    }
}

/// The same parts on all these numbers of ranks; their cut.
fn same_everywhere(whole: &Whole, params: &RanksPartitionParams) -> f64 {
    let n = whole.graph.len() as u64;
    let (first, found) = whole.parts(&Slices::even(n, 1), params);
    for ranks in [2, 3, 4, 7] {
        let (part, _) = whole.parts(&Slices::even(n, ranks), params);
        assert!(part == first, "{ranks} ranks");
    }
    let skewed = Slices::of_lengths([0, n / 5, 1, 0, n - n / 5 - 1]);
    assert!(whole.parts(&skewed, params).0 == first, "skewed slices");
    assert!(found.coarsest <= n / 2 || found.coarsest <= params.smallest());
    whole.check(&first, &found, params)
}

fn params(parts: u32, coarsest: usize) -> RanksPartitionParams {
    RanksPartitionParams { parts, coarsest, ..Default::default() }
}

fn on_one(whole: &Whole, params: &RanksPartitionParams) -> f64 {
    let found = partition(&whole.graph, &whole.points, None, &params.on_one()).unwrap();
    whole.cut(&found.part)
}

#[test]
fn any_number_of_ranks_finds_the_same_parts() {
    // Points in no order, points in the file's order, and three dimensions.
    for (shape, parts) in [("delaunay:12000", 2), ("delaunay:12000", 40), ("crack-plate:9000", 7)] {
        let whole = Whole::of(shape);
        let cut = same_everywhere(&whole, &params(parts, 1500));
        let one = on_one(&whole, &params(parts, 1500));
        assert!(cut <= 1.05 * one, "{shape} {parts}: {cut} {one}");
    }
    let solid = Whole::of("tetrahedra:20x20x20");
    let cut = same_everywhere(&solid, &params(8, 1000));
    assert!(cut <= 1.05 * on_one(&solid, &params(8, 1000)), "{cut}");
}

#[test]
fn graphs_need_no_points() {
    let whole = Whole::of("triangles:90x90").without_points();
    let cut = same_everywhere(&whole, &params(5, 1000));
    assert!(cut <= 1.05 * on_one(&whole, &params(5, 1000)), "{cut}");
}

#[test]
fn vertices_and_edges_may_have_weights() {
    let mut whole = Whole::of("delaunay:6000");
    let mut random = Random::new(4, Purpose::Weights);
    whole.weights = (0..6000).map(|_| 1 + random.below(9)).collect();
    let edges: Vec<_> = whole.graph.edges().collect();
    let edges: Vec<_> =
        edges.into_iter().map(|(a, b, _)| (a, b, f64::from(1 + random.below(5)))).collect();
    whole.graph = Graph::from_edges(6000, &edges).unwrap();
    same_everywhere(&whole, &params(6, 800));
    // Weights that are no whole numbers are scaled; cuts are told within the rounding of that.
    let halves: Vec<_> = edges.iter().map(|&(a, b, w)| (a, b, w / 3.0)).collect();
    whole.graph = Graph::from_edges(6000, &halves).unwrap();
    let one = whole.parts(&Slices::even(6000, 1), &params(6, 800));
    let many = whole.parts(&Slices::even(6000, 3), &params(6, 800));
    assert!(one.0 == many.0);
    assert!((whole.cut(&one.0) / one.1.cut - 1.0).abs() < 1e-3);
}

#[test]
fn hubs_islands_and_many_parts() {
    // A star; many pieces; vertices without neighbours; parts of a few vertices.
    let star: Vec<_> = (1..5000).map(|v| (0, v, 1.0)).collect();
    let paths: Vec<_> = (1..5000).filter(|v| v % 7 != 0).map(|v| (v - 1, v, 1.0)).collect();
    let few: Vec<_> = (1..300).map(|v| (v - 1, v, 1.0)).collect();
    for (edges, parts) in [(star, 3), (paths, 4), (few, 9), (Vec::new(), 5)] {
        let graph = Graph::from_edges(5000, &edges).unwrap();
        let whole = Whole { graph, points: Vec::new(), weights: Vec::new() };
        let n = whole.graph.len() as u64;
        let (first, found) = whole.parts(&Slices::even(n, 1), &params(parts, 500));
        whole.check(&first, &found, &params(parts, 500));
        assert!(whole.parts(&Slices::even(n, 4), &params(parts, 500)).0 == first);
    }
    let whole = Whole::of("delaunay:3000");
    for parts in [1, 700, 3000] {
        let (first, found) = whole.parts(&Slices::even(3000, 3), &params(parts, 10));
        whole.check(&first, &found, &params(parts, 10));
    }
}

#[test]
fn delays_change_nothing() {
    let whole = Whole::of("delaunay:4000");
    let (params, slices) = (params(6, 500), Slices::even(4000, 4));
    let (expected, _) = whole.parts(&slices, &params);
    for seed in 0..4 {
        let found = on_threads(4, |rank| {
            let own = slices.of(rank.rank());
            let random = Random::numbered(seed, Purpose::Samples, rank.rank() as u64);
            let mut ranks = Metered::new(Late { rank, random });
            partition_on_ranks(&mut ranks, whole.slice(own), &params).unwrap().part
        });
        assert!(found.concat() == expected, "{seed}");
    }
}

/// A rank that comes late to many calls.
struct Late<R> {
    rank: R,
    random: Random,
}

impl<R: Ranks> Late<R> {
    fn wait(&mut self) -> &mut R {
        if self.random.below(4) == 0 {
            std::thread::sleep(std::time::Duration::from_micros(self.random.below(2000).into()));
        }
        &mut self.rank
    }
}

impl<R: Ranks> Ranks for Late<R> {
    fn rank(&self) -> usize {
        self.rank.rank()
    }
    fn ranks(&self) -> usize {
        self.rank.ranks()
    }
    fn exchange(&mut self, words: &[u64], counts: &[usize]) -> Result<Mail, RanksError> {
        self.wait().exchange(words, counts)
    }
    fn gather(&mut self, own: &[u64]) -> Result<Mail, RanksError> {
        self.wait().gather(own)
    }
    fn sum(&mut self, own: u64) -> Result<u64, RanksError> {
        self.wait().sum(own)
    }
    fn sum_before(&mut self, own: u64) -> Result<u64, RanksError> {
        self.wait().sum_before(own)
    }
}

#[test]
fn mistakes_are_told_by_one_rank() {
    let whole = Whole::of("delaunay:200");
    let slices = Slices::even(200, 3);
    let told = |change: &(dyn Fn(usize, &mut GraphSlice) + Sync), params: &RanksPartitionParams| {
        let outcomes = on_threads(3, |rank| {
            let mut ranks = Metered::new(rank);
            let rank = ranks.rank();
            let mut slice = whole.slice(slices.of(rank));
            change(rank, &mut slice);
            partition_on_ranks(&mut ranks, slice, params)
        });
        let elsewhere = |e: &RanksPartitionError| {
            matches!(e, RanksPartitionError::Ranks(RanksError::Elsewhere { .. }))
        };
        let errors: Vec<_> = outcomes.into_iter().map(|outcome| outcome.unwrap_err()).collect();
        let own: Vec<_> = errors.iter().filter(|e| !elsewhere(e)).collect();
        assert_eq!(own.len(), 1, "{errors:?}");
        own[0].to_string()
    };
    let two = params(2, 100);
    let nan = |rank: usize, slice: &mut GraphSlice| {
        if rank == 1 {
            slice.points[3][1] = f64::NAN;
        }
    };
    assert_eq!(told(&nan, &two), "vertex 69 has coordinate NaN; coordinates must be finite");
    let unknown = |rank: usize, slice: &mut GraphSlice| {
        if rank == 2 {
            slice.neighbours[0] = 200;
        }
    };
    let expected = "vertex 133 has neighbour 200, but there are only 200 vertices";
    assert_eq!(told(&unknown, &two), expected);
    let one_sided = |rank: usize, slice: &mut GraphSlice| {
        if rank == 0 {
            let missing =
                (0..200).find(|v| !slice.neighbours[..slice.offsets[1]].contains(v) && *v > 0);
            slice.neighbours[0] = missing.unwrap();
        }
    };
    assert!(told(&one_sided, &two).contains("lists its neighbour"));
    let short = |rank: usize, slice: &mut GraphSlice| {
        if rank == 1 {
            slice.points.pop();
        }
    };
    assert_eq!(told(&short, &two), "66 points for 67 vertices");
    let same = |_: usize, _: &mut GraphSlice| {};
    let expected = "201 parts are too many; at most 200 can be non-empty";
    assert_eq!(told(&same, &params(201, 100)), expected);
    assert_eq!(told(&same, &params(0, 100)), "expected at least one part");
    let bare = |_: usize, slice: &mut GraphSlice| slice.points.clear();
    let geometric = RanksPartitionParams { bisection: Method::Geometric, ..two };
    let expected = "the geometric bisection needs coordinates, and the graph has none";
    assert_eq!(told(&bare, &geometric), expected);
}

#[test]
fn graphs_of_meshes_are_those_of_one_machine() {
    for shape in ["delaunay:300", "box:4x3x5", "tetrahedra:3x3x3", "grid:9x7"] {
        let mesh = generate(shape.parse().unwrap(), 1).unwrap();
        let (cells, points) = (mesh.elements(), mesh.points());
        let expected = [node_graph(&mesh), crate::element::dual_graph(&mesh)];
        for ranks in [1, 3, 4] {
            let of_elements = Slices::even(cells.len() as u64, ranks);
            let of_nodes = Slices::even(points.len() as u64, ranks);
            let found = on_threads(ranks, |rank| {
                let mut ranks = Metered::new(rank);
                let own = of_elements.of(ranks.rank());
                let own = own.start as usize..own.end as usize;
                let mut slice = ElementSlice { offsets: vec![0], nodes: Vec::new() };
                for element in own.clone() {
                    slice.nodes.extend_from_slice(cells.nodes(element));
                    slice.offsets.push(slice.nodes.len());
                }
                let kinds: Vec<_> = own.clone().map(|element| cells.kind(element)).collect();
                let of = of_nodes.of(ranks.rank());
                let near = points[of.start as usize..of.end as usize].to_vec();
                let dual = dual_graph_on_ranks(&mut ranks, &slice, &kinds, &near).unwrap();
                let part: Vec<u32> = own.map(|element| element as u32 % 3).collect();
                let copies = copies_on_ranks(&mut ranks, &slice, &part).unwrap();
                let nodes = node_graph_on_ranks(&mut ranks, &slice, near).unwrap();
                (nodes, dual, copies)
            });
            for (k, expected) in expected.iter().enumerate() {
                let of = |found: &(GraphSlice, GraphSlice, u64)| match k {
                    0 => found.0.clone(),
                    _ => found.1.clone(),
                };
                let all: Vec<GraphSlice> = found.iter().map(of).collect();
                let neighbours: Vec<u32> = all.iter().flat_map(|s| s.neighbours.clone()).collect();
                assert_eq!(neighbours, expected.all_neighbours(), "{shape} {ranks} {k}");
                let lengths = all.iter().flat_map(|s| s.offsets.windows(2).map(|w| w[1] - w[0]));
                let lengths: Vec<usize> = lengths.collect();
                let degrees: Vec<usize> =
                    expected.offsets().windows(2).map(|w| w[1] - w[0]).collect();
                assert_eq!(lengths, degrees);
            }
            let middles: Vec<Point> = found.iter().flat_map(|f| f.1.points.clone()).collect();
            let centroids: Vec<Point> = (0..cells.len()).map(|e| mesh.centroid(e)).collect();
            assert_eq!(middles, centroids);
            let mut holders = vec![std::collections::BTreeSet::new(); points.len()];
            for element in 0..cells.len() {
                for &node in cells.nodes(element) {
                    holders[node as usize].insert(element % 3);
                }
            }
            let copies = holders.iter().map(|h| h.len().saturating_sub(1) as u64).sum::<u64>();
            assert!(found.iter().all(|f| f.2 == copies));
        }
    }
}
