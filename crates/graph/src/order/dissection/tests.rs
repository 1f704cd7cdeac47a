//! Separators against all that there are, and coarse nets against what they stand for.

use super::coarsen::{Coarser, coarsen};
use super::flow::Band;
use super::moves::Search;
use super::net::Net;
use super::sides::{BETWEEN, Sides};
use super::*;
use palmette_core::Graph;
use palmette_core::graph::generate::{Weights, generate};

fn net(graph: &Graph, weights: &[u32]) -> Net {
    Net {
        offsets: graph.offsets().iter().map(|&offset| offset as u32).collect(),
        neighbours: graph.all_neighbours().to_vec(),
        ties: vec![1; graph.all_neighbours().len()],
        weights: weights.to_vec(),
    }
}

fn made(shape: &str, seed: u64) -> Graph {
    generate(shape.parse().unwrap(), Weights::Unit, seed).unwrap().graph
}

fn check(net: &Net, sides: &Sides) {
    for v in 0..net.len() as u32 {
        let side = sides.of[v as usize];
        let other = |&w: &u32| sides.of[w as usize] == 1 - side;
        assert!(side == BETWEEN || !net.row(v).iter().any(other), "vertex {v}");
    }
    let counted = Sides::new(net, sides.of.clone());
    assert_eq!(counted.weights, sides.weights);
    let mut listed = sides.separator.clone();
    listed.sort_unstable();
    assert_eq!(counted.separator, listed);
}

/// The lightest separator in which the first vertex stays on side 0, the last on side 1, of all.
fn lightest(net: &Net) -> u64 {
    let n = net.len() as u32;
    let inner = n - 2;
    let weigh = |set: u32| -> u64 {
        (0..inner)
            .filter(|v| set >> v & 1 == 1)
            .map(|v| u64::from(net.weights[v as usize + 1]))
            .sum()
    };
    let separates = |set: u32| {
        let mut seen = vec![false; n as usize];
        let mut stack = vec![0u32];
        seen[0] = true;
        while let Some(v) = stack.pop() {
            for &w in net.row(v) {
                let out = w > 0 && w < n - 1 && set >> (w - 1) & 1 == 1;
                if !out && !std::mem::replace(&mut seen[w as usize], true) {
                    stack.push(w);
                }
            }
        }
        !seen[n as usize - 1]
    };
    (0..1u32 << inner).filter(|&set| separates(set)).map(weigh).min().unwrap()
}

#[test]
fn flows_find_the_lightest_separator_of_all() {
    let mut random = Random::new(5, Purpose::Samples);
    let mut better = 0;
    for seed in 0..300 {
        let graph = made("random:14:3", seed);
        let n = graph.len();
        if n != 14 || graph.neighbours(0).contains(&(n as u32 - 1)) {
            continue;
        }
        let mut weights: Vec<u32> = (0..n).map(|_| 1 + random.below(4)).collect();
        // The ends are heavy: they are not in the band, which takes half of a side at most.
        (weights[0], weights[n - 1]) = (1000, 1000);
        let net = net(&graph, &weights);
        // All but the ends is a separator; then some joins a side where it may.
        let mut of = vec![BETWEEN; n];
        (of[0], of[n - 1]) = (0, 1);
        for v in 1..n as u32 - 1 {
            let side = random.below(3) as u8;
            let other = |&w: &u32| of[w as usize] == 1 - side;
            if side != BETWEEN && !net.row(v).iter().any(other) {
                of[v as usize] = side;
            }
        }
        let mut sides = Sides::new(&net, of);
        let before = sides.weights[2];
        Band::new(n).improve(&net, &mut sides, 2000, 100);
        check(&net, &sides);
        assert_eq!(sides.weights[2], lightest(&net), "seed {seed}");
        better += u32::from(sides.weights[2] < before);
    }
    assert!(better > 50, "{better}");
}

#[test]
fn moves_keep_sides_apart_and_never_make_them_worse() {
    for (shape, seed) in [("grid:20x20", 1), ("random:300:5", 2), ("geometric:500:9", 3)] {
        let graph = made(shape, seed);
        let n = graph.len();
        let net = net(&graph, &vec![1; n]);
        let mut of = vec![0; n];
        for v in 0..n as u32 {
            if v as usize >= n / 2 {
                let first = |&w: &u32| (w as usize) < n / 2;
                of[v as usize] = if net.row(v).iter().any(first) { BETWEEN } else { 1 };
            }
        }
        let mut sides = Sides::new(&net, of);
        let limit = n as u64 * 6 / 10;
        let before = sides.score(limit);
        Search::new(n).improve(&net, &mut sides, limit, 8);
        check(&net, &sides);
        assert!(sides.score(limit) <= before, "{shape}");
        let most = Effort { growths: 6, ways: 2, from: 1000 };
        if let Some(found) = separate(&net, &most, &mut Random::new(1, Purpose::Elimination)) {
            check(&net, &found);
        }
    }
}

#[test]
fn a_coarse_net_has_the_weights_and_ties_of_the_fine_one() {
    for shape in ["grid:30x30", "star:200", "random:500:6"] {
        let graph = made(shape, 1);
        let fine = net(&graph, &vec![1; graph.len()]);
        let mut random = Random::new(1, Purpose::Elimination);
        let Coarser { net, map } = coarsen(&fine, 5, &mut random);
        assert!(net.len() < fine.len(), "{shape}");
        assert_eq!(net.weight(), fine.weight());
        for a in 0..net.len() as u32 {
            for (&b, &tie) in net.row(a).iter().zip(net.ties(a)) {
                let joins = |&(v, w, _): &(u32, u32, f64)| {
                    let ends = [map[v as usize], map[w as usize]];
                    ends == [a, b] || ends == [b, a]
                };
                assert_eq!(tie as usize, graph.edges().filter(joins).count(), "{shape}");
            }
        }
    }
}
