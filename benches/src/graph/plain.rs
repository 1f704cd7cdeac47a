//! The contest rule as a careful programmer writes it: one thread, sorts of the standard
//! library, neighbourhoods by breadth-first search, marks by walking the off-tree edges of
//! one neighbourhood against stamps of the other.
//!
//! It shares nothing with the engines it is compared with. Connected graphs only.

use palmette_core::Graph;

/// Edges of the tree, then recovered edges; smaller ends first.
pub type Kept = (Vec<(u32, u32)>, Vec<(u32, u32)>);

type Edge = (u32, u32, f64);

/// For each vertex, the edges of a list that end there.
struct Links {
    starts: Vec<u32>,
    /// The other end, and which edge of the list.
    ends: Vec<(u32, u32)>,
}

impl Links {
    fn new(n: usize, edges: &[Edge]) -> Links {
        let mut starts = vec![0; n + 2];
        for &(a, b, _) in edges {
            starts[a as usize + 2] += 1;
            starts[b as usize + 2] += 1;
        }
        for v in 2..n + 2 {
            starts[v] += starts[v - 1];
        }
        let mut ends = vec![(0, 0); 2 * edges.len()];
        for (number, &(a, b, _)) in edges.iter().enumerate() {
            for (from, to) in [(a, b), (b, a)] {
                let place = &mut starts[from as usize + 1];
                ends[*place as usize] = (to, number as u32);
                *place += 1;
            }
        }
        Links { starts, ends }
    }

    fn of(&self, v: u32) -> &[(u32, u32)] {
        &self.ends[self.starts[v as usize] as usize..self.starts[v as usize + 1] as usize]
    }
}

struct Tree {
    links: Links,
    parent: Vec<u32>,
    depth: Vec<u32>,
    /// Resistance to the root.
    rho: Vec<f64>,
}

/// The edges that are kept.
///
/// # Panics
/// When the graph is empty or not connected.
pub fn sparsify(graph: &Graph) -> Kept {
    let n = graph.len();
    let volume: Vec<f64> = (0..n as u32).map(|v| graph.weights(v).iter().sum()).collect();
    let mut root = 0;
    for v in 1..n {
        if volume[v] > volume[root] {
            root = v;
        }
    }
    let distance = distances(graph, root as u32);
    let edges: Vec<Edge> = graph.edges().collect();
    let sorted = descending(&edges, |&(a, b, w)| {
        let degree = graph.degree(a).max(graph.degree(b)) as f64;
        w * degree.ln() / f64::from(distance[a as usize] + distance[b as usize])
    });
    let (forest, off) = kruskal(n, &sorted);
    assert_eq!(forest.len(), n - 1, "the graph is connected");
    let tree = Tree::new(n, &forest, root as u32);
    let off = descending(&off, |&(a, b, w)| {
        let rho = |v: u32| tree.rho[v as usize];
        w * (rho(a) + rho(b) - 2.0 * rho(tree.lca(a, b)))
    });
    let ends = |edges: &[Edge]| edges.iter().map(|e| (e.0, e.1)).collect();
    (ends(&forest), ends(&recover(&tree, &off, (off.len() / 25).max(2))))
}

fn distances(graph: &Graph, root: u32) -> Vec<u32> {
    let mut distance = vec![u32::MAX; graph.len()];
    distance[root as usize] = 0;
    let mut queue = vec![root];
    let mut next = 0;
    while let Some(&v) = queue.get(next) {
        next += 1;
        for &u in graph.neighbours(v) {
            if distance[u as usize] == u32::MAX {
                distance[u as usize] = distance[v as usize] + 1;
                queue.push(u);
            }
        }
    }
    distance
}

/// Edges by falling key; equal ones stay as they were.
fn descending(edges: &[Edge], key: impl Fn(&Edge) -> f64) -> Vec<Edge> {
    let mut keys: Vec<(f64, u32)> = edges.iter().zip(0..).map(|(e, i)| (key(e), i)).collect();
    keys.sort_by(|x, y| y.0.total_cmp(&x.0));
    keys.iter().map(|&(_, i)| edges[i as usize]).collect()
}

/// The edges that link parts, and the others.
fn kruskal(n: usize, edges: &[Edge]) -> (Vec<Edge>, Vec<Edge>) {
    let mut above: Vec<u32> = (0..n as u32).collect();
    edges.iter().partition(|&&(a, b, _)| {
        let (x, y) = (top(&mut above, a), top(&mut above, b));
        above[x as usize] = y;
        x != y
    })
}

/// The vertex that stands for the part of `v`; paths are halved on the way.
fn top(above: &mut [u32], mut v: u32) -> u32 {
    while above[v as usize] != v {
        above[v as usize] = above[above[v as usize] as usize];
        v = above[v as usize];
    }
    v
}

impl Tree {
    fn new(n: usize, edges: &[Edge], root: u32) -> Tree {
        let links = Links::new(n, edges);
        let (mut parent, mut depth, mut rho) = (vec![root; n], vec![0; n], vec![0.0; n]);
        let mut queue = vec![root];
        let mut next = 0;
        while let Some(&v) = queue.get(next) {
            next += 1;
            for &(u, number) in links.of(v) {
                if u != parent[v as usize] {
                    parent[u as usize] = v;
                    depth[u as usize] = depth[v as usize] + 1;
                    rho[u as usize] = rho[v as usize] + 1.0 / edges[number as usize].2;
                    queue.push(u);
                }
            }
        }
        Tree { links, parent, depth, rho }
    }

    fn lca(&self, mut a: u32, mut b: u32) -> u32 {
        while a != b {
            let deeper =
                if self.depth[a as usize] >= self.depth[b as usize] { &mut a } else { &mut b };
            *deeper = self.parent[*deeper as usize];
        }
        a
    }

    /// Puts the vertices within `radius` tree edges into `ball` and stamps them.
    fn ball(&self, centre: u32, radius: u32, stamps: &mut [u32], stamp: u32, ball: &mut Vec<u32>) {
        ball.clear();
        ball.push(centre);
        stamps[centre as usize] = stamp;
        let mut level = 0..1;
        for _ in 0..radius {
            for i in level.clone() {
                for &(u, _) in self.links.of(ball[i]) {
                    if stamps[u as usize] != stamp {
                        stamps[u as usize] = stamp;
                        ball.push(u);
                    }
                }
            }
            level = level.end..ball.len();
            if level.is_empty() {
                break;
            }
        }
    }
}

/// Off-tree edges, by falling criticality, that no recovered edge before them marks.
fn recover(tree: &Tree, off: &[Edge], budget: usize) -> Vec<Edge> {
    let n = tree.depth.len();
    let beside = Links::new(n, off);
    let mut marked = vec![false; off.len()];
    let (mut stamps, mut balls) = ([vec![0; n], vec![0; n]], [Vec::new(), Vec::new()]);
    let mut recovered = Vec::with_capacity(budget);
    for (i, &edge) in off.iter().enumerate() {
        if marked[i] {
            continue;
        }
        recovered.push(edge);
        if recovered.len() == budget {
            break;
        }
        let (a, b, _) = edge;
        let depth = |v: u32| tree.depth[v as usize];
        let radius = (depth(a).min(depth(b)) - depth(tree.lca(a, b))).max(1);
        let stamp = recovered.len() as u32;
        for (k, centre) in [a, b].into_iter().enumerate() {
            tree.ball(centre, radius, &mut stamps[k], stamp, &mut balls[k]);
        }
        // Each marked edge has an end in either neighbourhood: the smaller one will do.
        let walked = usize::from(balls[1].len() < balls[0].len());
        for &v in &balls[walked] {
            for &(u, number) in beside.of(v) {
                marked[number as usize] |= stamps[1 - walked][u as usize] == stamp;
            }
        }
    }
    recovered
}
