//! The contest rule as it is defined, step by step: an oracle for the other engines.
//!
//! **Method.** Plain loops and nothing shared with the other engines: stable sorts by
//! comparison, Kruskal, depths and resistances by walking, lowest common ancestors by
//! climbing, neighbourhoods by breadth-first search in the tree, and every later edge is
//! looked at for every recovered one.
//!
//! **Cost.** Recovered edges times (off-tree edges + vertices): quadratic.
//!
//! **When not to use.** For anything but small graphs; a million off-tree edges are taken.

use super::{Budget, Sparsifier, SparsifyError, SparsifyParams};
use palmette_core::{Graph, NONE};
use std::collections::VecDeque;

/// The most off-tree edges that are taken.
const MOST: usize = 1_000_000;

struct Plain {
    parent: Vec<u32>,
    depth: Vec<u32>,
    /// Resistance to the root.
    rho: Vec<f64>,
    links: Vec<Vec<u32>>,
}

pub(super) fn sparsify(
    graph: &Graph,
    params: &SparsifyParams,
) -> Result<Sparsifier, SparsifyError> {
    let n = graph.len();
    let roots = roots(graph);
    let distance = distances(n, &roots, |v| graph.neighbours(v));
    let effective = |&(a, b, w): &(u32, u32, f64)| {
        let degree = graph.degree(a).max(graph.degree(b)) as f64;
        w * degree.ln() / f64::from(distance[a as usize] + distance[b as usize])
    };
    let mut edges: Vec<(u32, u32, f64)> = graph.edges().collect();
    edges.sort_by(|x, y| effective(y).total_cmp(&effective(x)));
    let (forest, mut off) = kruskal(n, &edges);
    if off.len() > MOST {
        return Err(SparsifyError::TooLarge { edges: off.len(), most: MOST });
    }
    let tree = Plain::new(n, &forest, &roots);
    if let Some(v) = tree.rho.iter().position(|r| r.is_infinite()) {
        return Err(SparsifyError::Resistance { vertex: v as u32 });
    }
    off.sort_by(|x, y| tree.criticality(y).total_cmp(&tree.criticality(x)));
    let budget = params.budget.count(params.rule, off.len(), n);
    let ends = |edges: &[(u32, u32, f64)]| edges.iter().map(|e| (e.0, e.1)).collect();
    let mut answer = Sparsifier { tree: ends(&forest), roots, ..Sparsifier::default() };
    let mut marked = vec![false; off.len()];
    for i in 0..off.len() {
        if answer.recovered.len() == budget {
            break;
        }
        if marked[i] {
            continue;
        }
        let (a, b, _) = off[i];
        answer.recovered.push((a, b));
        let top = tree.lca(a, b);
        answer.non_crossing += usize::from(top == a || top == b);
        let depth = |v: u32| tree.depth[v as usize];
        let beta = (depth(a).min(depth(b)) - depth(top)).max(1);
        let beta = beta.min(params.beta_cap.unwrap_or(u32::MAX).max(1));
        let (first, second) = (tree.ball(a, beta), tree.ball(b, beta));
        for (edge, mark) in off[i + 1..].iter().zip(&mut marked[i + 1..]) {
            let (x, y) = (edge.0 as usize, edge.1 as usize);
            *mark |= (first[x] && second[y]) || (first[y] && second[x]);
        }
    }
    Ok(answer)
}

/// The vertex of largest volume in each component; the lowest index on ties.
fn roots(graph: &Graph) -> Vec<u32> {
    let components = graph.components();
    let volume = |v: u32| graph.weights(v).iter().sum::<f64>();
    let mut roots = vec![NONE; components.count()];
    for v in 0..graph.len() as u32 {
        let root = &mut roots[components.of[v as usize] as usize];
        if *root == NONE || volume(v) > volume(*root) {
            *root = v;
        }
    }
    roots
}

fn distances<'a>(n: usize, roots: &[u32], links: impl Fn(u32) -> &'a [u32]) -> Vec<u32> {
    let mut distance = vec![NONE; n];
    let mut queue: VecDeque<u32> = roots.iter().copied().collect();
    roots.iter().for_each(|&r| distance[r as usize] = 0);
    while let Some(v) = queue.pop_front() {
        for &u in links(v) {
            if distance[u as usize] == NONE {
                distance[u as usize] = distance[v as usize] + 1;
                queue.push_back(u);
            }
        }
    }
    distance
}

type Edges = Vec<(u32, u32, f64)>;

/// The edges that link parts, and the others.
fn kruskal(n: usize, edges: &Edges) -> (Edges, Edges) {
    let mut part: Vec<usize> = (0..n).collect();
    let find = |part: &[usize], mut v: usize| {
        while part[v] != v {
            v = part[v];
        }
        v
    };
    let mut size = vec![1; n];
    edges.iter().partition(|&&(a, b, _)| {
        let (x, y) = (find(&part, a as usize), find(&part, b as usize));
        if x == y {
            return false;
        }
        let (small, large) = if size[x] < size[y] { (x, y) } else { (y, x) };
        part[small] = large;
        size[large] += size[small];
        true
    })
}

impl Plain {
    fn new(n: usize, forest: &Edges, roots: &[u32]) -> Plain {
        let mut links = vec![Vec::new(); n];
        let mut weighted = vec![Vec::new(); n];
        for &(a, b, w) in forest {
            for (from, to) in [(a, b), (b, a)] {
                links[from as usize].push(to);
                weighted[from as usize].push((to, w));
            }
        }
        let depth = distances(n, roots, |v| &links[v as usize]);
        let mut parent = vec![NONE; n];
        let mut rho = vec![0.0; n];
        let mut order: Vec<u32> = (0..n as u32).collect();
        order.sort_by_key(|&v| depth[v as usize]);
        for v in order {
            for &(u, w) in &weighted[v as usize] {
                if depth[u as usize] > depth[v as usize] {
                    parent[u as usize] = v;
                    rho[u as usize] = rho[v as usize] + 1.0 / w;
                }
            }
        }
        Plain { parent, depth, rho, links }
    }

    fn lca(&self, mut a: u32, mut b: u32) -> u32 {
        while a != b {
            let deeper =
                if self.depth[a as usize] >= self.depth[b as usize] { &mut a } else { &mut b };
            *deeper = self.parent[*deeper as usize];
        }
        a
    }

    fn criticality(&self, &(a, b, w): &(u32, u32, f64)) -> f64 {
        let rho = |v: u32| self.rho[v as usize];
        w * (rho(a) + rho(b) - 2.0 * rho(self.lca(a, b)))
    }

    /// By vertex, whether it is within `radius` tree edges.
    fn ball(&self, centre: u32, radius: u32) -> Vec<bool> {
        let mut inside = vec![false; self.parent.len()];
        inside[centre as usize] = true;
        let mut level = vec![centre];
        for _ in 0..radius {
            let mut next = Vec::new();
            for v in level {
                for &u in &self.links[v as usize] {
                    if !std::mem::replace(&mut inside[u as usize], true) {
                        next.push(u);
                    }
                }
            }
            if next.is_empty() {
                break;
            }
            level = next;
        }
        inside
    }
}

impl Budget {
    /// The number of edges to recover at most.
    pub(crate) fn count(self, rule: super::Rule, off: usize, vertices: usize) -> usize {
        let part = |percent: f64, of: usize| (percent / 100.0 * of as f64).floor() as usize;
        match (self, rule) {
            (Budget::Rule, super::Rule::Contest) => (off / 25).max(2),
            (Budget::Rule, super::Rule::Fegrass | super::Rule::Spectral) => vertices / 10,
            (Budget::Count(count), _) => count,
            (Budget::OffTree(percent), _) => part(percent, off),
            (Budget::Vertices(percent), _) => part(percent, vertices),
        }
        .min(off)
    }
}
