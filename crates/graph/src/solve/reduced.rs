//! The Laplacian of a graph with few cycles, factored exactly: chains first.
//!
//! **Problem.** A graph with hardly more edges than vertices, such as a
//! [skeleton](crate::sparsify); out come potentials for balanced currents, several right-hand sides
//! at a time.
//!
//! **Method.** Vertices with one or two neighbours are eliminated as long as there are any: a leaf
//! passes its current on, and a vertex between two others becomes one edge between them, of weight
//! `a b / (a + b)`. Weights stay positive, and nothing is subtracted. What is left has at most twice as
//! many vertices as there are edges beyond a forest, and is [factored](Factor).
//!
//! **Cost.** Linear for the chains, 40 bytes per vertex; then as [`Factor`] of what is left, which is a
//! fifth of the vertices of a skeleton with a tenth of them in recovered edges.
//!
//! **Determinism.** Vertices are eliminated in an order that the edges fix.
//!
//! **Reference.** Spielman and Teng, *Solving sparse, symmetric, diagonally-dominant linear systems*,
//! 2004, section 4: partial Cholesky factors of augmented trees.
//!
//! **When not to use.** With conductances to ground; on graphs with many cycles: factor them.

use super::{Factor, FactorLimits, SolveError};
use crate::Laplacian;
use palmette_core::{Graph, LinOp, NONE};

/// A vertex that was eliminated.
#[derive(Debug, Clone, Copy)]
struct Step {
    vertex: u32,
    /// Its neighbours, [`NONE`] where there was but one.
    ends: [u32; 2],
    /// The parts of its current that they get, and of their potentials that it has.
    parts: [f64; 2],
    /// One over the sum of its weights.
    inverse: f64,
}

/// The factor.
#[derive(Debug)]
pub(crate) struct Reduced {
    steps: Vec<Step>,
    /// Vertices that are left, and their factor.
    core: Vec<u32>,
    factor: Option<Factor>,
    size: usize,
    /// Vertices at potential 0: the last of components that are gone.
    held: Vec<u32>,
}

/// Neighbours looked at for an edge that is there already.
const FEW: usize = 8;

impl Reduced {
    /// Factors the Laplacian of edges between `n` vertices, by at most `work` operations beside the
    /// chains.
    ///
    /// # Errors
    /// As [`Factor::within`], of what is left after the chains.
    pub(crate) fn new(
        n: usize,
        edges: &[(u32, u32, f64)],
        work: Option<u64>,
    ) -> Result<Self, SolveError> {
        let mut links = Links::new(n, edges);
        let mut steps = Vec::with_capacity(n);
        let mut held = Vec::new();
        let mut gone = vec![false; n];
        let mut ready: Vec<u32> = Vec::new();
        for v in 0..n as u32 {
            ready.push(v);
            while let Some(v) = ready.pop() {
                if gone[v as usize] || links.degree(v) > 2 {
                    continue;
                }
                gone[v as usize] = true;
                match links.degree(v) {
                    0 => held.push(v),
                    _ => {
                        let step = links.eliminate(v);
                        steps.push(step);
                        ready.extend(step.ends.iter().filter(|&&u| u != NONE));
                    }
                }
            }
        }
        let core: Vec<u32> = (0..n as u32).filter(|&v| !gone[v as usize]).collect();
        let factor = if core.is_empty() { None } else { Some(links.factor(&core, work)?) };
        Ok(Reduced { steps, core, factor, size: n, held })
    }

    /// Puts potentials in place of currents that add up to 0 on each component.
    pub(crate) fn solve<const L: usize>(&self, x: &mut [[f64; L]]) {
        for step in &self.steps {
            let own = x[step.vertex as usize];
            for (end, part) in step.ends.into_iter().zip(step.parts) {
                if end != NONE {
                    x[end as usize].iter_mut().zip(own).for_each(|(x, own)| *x += part * own);
                }
            }
        }
        if let Some(factor) = &self.factor {
            let currents: Vec<[f64; L]> = self.core.iter().map(|&v| x[v as usize]).collect();
            let mut potentials = vec![[0.0; L]; currents.len()];
            factor.apply_lanes(&currents, &mut potentials);
            self.core.iter().zip(potentials).for_each(|(&v, p)| x[v as usize] = p);
        }
        self.held.iter().for_each(|&v| x[v as usize] = [0.0; L]);
        for step in self.steps.iter().rev() {
            let mut own = x[step.vertex as usize].map(|x| x * step.inverse);
            for (end, part) in step.ends.into_iter().zip(step.parts) {
                if end != NONE {
                    own.iter_mut().zip(x[end as usize]).for_each(|(own, x)| *own += part * x);
                }
            }
            x[step.vertex as usize] = own;
        }
    }
}

impl LinOp for Reduced {
    fn size(&self) -> usize {
        self.size
    }

    fn apply(&self, x: &[f64], y: &mut [f64]) {
        let mut lanes: Vec<[f64; 1]> = x.iter().map(|&x| [x]).collect();
        self.solve(&mut lanes);
        y.iter_mut().zip(lanes).for_each(|(y, [x])| *y = x);
    }
}

/// Lists of edges that shrink.
struct Links {
    /// By vertex, where its list starts; how long it is.
    starts: Vec<u32>,
    lengths: Vec<u32>,
    /// Sides of edges, two times the number of the edge, one more at its second end.
    lists: Vec<u32>,
    /// By side: its end, and where it is in the list of that end.
    ends: Vec<u32>,
    places: Vec<u32>,
    weights: Vec<f64>,
}

impl Links {
    fn new(n: usize, edges: &[(u32, u32, f64)]) -> Links {
        let mut starts = vec![0u32; n + 1];
        edges.iter().for_each(|&(a, b, _)| {
            starts[a as usize + 1] += 1;
            starts[b as usize + 1] += 1;
        });
        (0..n).for_each(|v| starts[v + 1] += starts[v]);
        let mut lengths = vec![0u32; n];
        let sides = 2 * edges.len();
        let (mut lists, mut places) = (vec![0; sides], vec![0; sides]);
        let ends: Vec<u32> = edges.iter().flat_map(|&(a, b, _)| [a, b]).collect();
        for (side, &end) in (0u32..).zip(&ends) {
            let place = starts[end as usize] + lengths[end as usize];
            lengths[end as usize] += 1;
            lists[place as usize] = side;
            places[side as usize] = place;
        }
        Links { starts, lengths, lists, ends, places, weights: edges.iter().map(|e| e.2).collect() }
    }

    fn degree(&self, v: u32) -> u32 {
        self.lengths[v as usize]
    }

    /// The sides at a vertex.
    fn of(&self, v: u32) -> &[u32] {
        let start = self.starts[v as usize] as usize;
        &self.lists[start..start + self.lengths[v as usize] as usize]
    }

    /// Takes a side out of the list of its end.
    fn remove(&mut self, side: u32) {
        let end = self.ends[side as usize] as usize;
        self.lengths[end] -= 1;
        let (place, last) = (self.places[side as usize], self.starts[end] + self.lengths[end]);
        let moved = self.lists[last as usize];
        self.lists[place as usize] = moved;
        self.places[moved as usize] = place;
    }

    /// Takes out a vertex with one or two edges.
    fn eliminate(&mut self, v: u32) -> Step {
        let start = self.starts[v as usize] as usize;
        let first = self.lists[start] ^ 1;
        let (a, wa) = (self.ends[first as usize], self.weights[first as usize / 2]);
        if self.degree(v) == 1 {
            self.remove(first);
            return Step { vertex: v, ends: [a, NONE], parts: [1.0, 0.0], inverse: 1.0 / wa };
        }
        let second = self.lists[start + 1] ^ 1;
        let (b, wb) = (self.ends[second as usize], self.weights[second as usize / 2]);
        let sum = wa + wb;
        let parts = [wa / sum, wb / sum];
        let step = Step { vertex: v, ends: [a, b], parts, inverse: 1.0 / sum };
        if a == b {
            self.remove(first);
            self.remove(second);
            return step;
        }
        let weight = wa * parts[1];
        let fewer = if self.degree(a) <= self.degree(b) { (a, b) } else { (b, a) };
        let there = self.of(fewer.0).iter().take(FEW).copied();
        if let Some(side) = there.into_iter().find(|&s| self.ends[(s ^ 1) as usize] == fewer.1) {
            self.weights[side as usize / 2] += weight;
            self.remove(first);
            self.remove(second);
            return step;
        }
        // The first edge goes on to `b`, in place of the second.
        let (own, place) = (first ^ 1, self.places[second as usize]);
        self.weights[first as usize / 2] = weight;
        self.ends[own as usize] = b;
        self.places[own as usize] = place;
        self.lists[place as usize] = own;
        step
    }

    /// The factor of what is left.
    fn factor(&self, core: &[u32], work: Option<u64>) -> Result<Factor, SolveError> {
        let mut places = vec![NONE; self.lengths.len()];
        (0u32..).zip(core).for_each(|(place, &v)| places[v as usize] = place);
        let mut edges = Vec::new();
        for &v in core {
            for &side in self.of(v) {
                if side & 1 == 0 {
                    let other = self.ends[(side ^ 1) as usize];
                    let weight = self.weights[side as usize / 2];
                    edges.push((places[v as usize], places[other as usize], weight));
                }
            }
        }
        let graph = Graph::from_edges(core.len(), &edges)?;
        let limits = FactorLimits { work, ..Default::default() };
        Factor::within(&Laplacian::new(&graph, None), &limits, None)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sparsify::{Budget, Rule, SparsifyParams, sparsify};
    use palmette_core::graph::generate::{Weights, generate};

    #[test]
    fn potentials_give_the_currents_back() {
        let weights = Weights::LogUniform(1e-3, 1e3);
        // Trees, a cycle, hubs, several components, a skeleton and a graph that fills in.
        for (shape, budget) in [
            ("path:60", 0.0),
            ("star:50", 0.0),
            ("random:300:2", 50.0),
            ("grid:20x20", 15.0),
            ("clique:30", 400.0),
        ] {
            let graph = generate(shape.parse().unwrap(), weights, 1).unwrap().graph;
            let budget = Budget::Vertices(budget);
            let params = SparsifyParams { rule: Rule::Fegrass, budget, ..Default::default() };
            let kept = sparsify(&graph, &params).unwrap().graph(&graph);
            let edges: Vec<_> = kept.edges().collect();
            let factor = Reduced::new(kept.len(), &edges, None).unwrap();
            let laplacian = Laplacian::new(&kept, None);
            let mut lanes: Vec<[f64; 3]> = vec![[0.0; 3]; kept.len()];
            for lane in 0..3 {
                let value = |v: usize| ((v * 7 + lane * 3) % 11) as f64;
                let mut b: Vec<f64> = (0..kept.len()).map(value).collect();
                laplacian.balance(&mut b);
                lanes.iter_mut().zip(b).for_each(|(lanes, b)| lanes[lane] = b);
            }
            let currents = lanes.clone();
            factor.solve(&mut lanes);
            let mut back = lanes.clone();
            laplacian.apply_lanes(&lanes, &mut back);
            for (b, back) in currents.iter().zip(&back) {
                for (b, back) in b.iter().zip(back) {
                    assert!((b - back).abs() < 1e-8, "{shape}: {b} {back}");
                }
            }
            let mut one = vec![0.0; kept.len()];
            factor.apply(&currents.iter().map(|b| b[1]).collect::<Vec<f64>>(), &mut one);
            assert!(one.iter().zip(&lanes).all(|(one, lanes)| *one == lanes[1]), "{shape}");
        }
    }

    #[test]
    fn a_cycle_has_no_core() {
        let edges: Vec<(u32, u32, f64)> = (0..9).map(|v| (v, (v + 1) % 9, 1.0)).collect();
        let factor = Reduced::new(9, &edges, Some(0)).unwrap();
        assert!(factor.core.is_empty());
        let mut x = vec![[0.0]; 9];
        (x[0], x[3]) = ([1.0], [-1.0]);
        factor.solve(&mut x);
        // Three edges beside six: a resistance of 2.
        assert!((x[0][0] - x[3][0] - 2.0).abs() < 1e-14);
    }
}
