//! Parts of a graph that share no edge, and the vertices between them.
//!
//! **Problem.** A graph and a number of parts; each vertex gets a part or is in the
//! separator, so that no edge joins two parts.
//!
//! **Method.** Breadth-first search, component by component; a level separates what is
//! before from what is after. Near each place where a part should end, the smallest level
//! is taken, and of it only the vertices with a neighbour in the next part. Where levels
//! are large there are fewer parts: one in random graphs.
//!
//! **Cost.** Linear, one thread.

use palmette_core::graph::Graph;
use palmette_core::{NONE, memory::prefetch};

/// The part of vertices that separate.
pub(super) const SEPARATOR: u32 = NONE;
/// Separators of more than one vertex in this many are not worth it.
const SPARSE: usize = 32;
/// Parts of fewer vertices are not worth a thread.
const SMALLEST_PART: usize = 1 << 12;

/// By vertex, its part, and the number of parts: at most `most`, halved until the graph
/// can be cut well.
pub(super) fn split(graph: &Graph, most: usize) -> (Vec<u32>, usize) {
    let n = graph.len();
    let most = most.min(n / SMALLEST_PART);
    if most < 2 {
        return (vec![0; n], 1);
    }
    let mut levels = Levels::new(graph, 0);
    let mut found = levels.narrow_cuts(most);
    if found.is_none() {
        // The first vertex may lie in the middle; the last one of the search does not.
        levels = Levels::new(graph, levels.order[n - 1]);
        found = levels.narrow_cuts(most);
    }
    match found {
        Some(cuts) => (levels.label(graph, &cuts), cuts.len() + 1),
        None => (vec![0; n], 1),
    }
}

/// Vertices in the order of the search, and where levels begin.
struct Levels {
    order: Vec<u32>,
    starts: Vec<usize>,
    /// By level, whether a component begins with it.
    opens: Vec<bool>,
}

impl Levels {
    /// Of a search that begins at a vertex.
    fn new(graph: &Graph, first: u32) -> Self {
        let n = graph.len();
        let mut seen = vec![false; n];
        let mut levels =
            Levels { order: Vec::with_capacity(n), starts: Vec::new(), opens: Vec::new() };
        let order = &mut levels.order;
        for root in std::iter::once(first as usize).chain(0..n) {
            if seen[root] {
                continue;
            }
            seen[root] = true;
            let mut level = order.len()..order.len() + 1;
            order.push(root as u32);
            levels.opens.push(true);
            levels.starts.push(level.start);
            loop {
                for i in level.clone() {
                    if let Some(&soon) = order.get(i + 8) {
                        prefetch(graph.offsets(), soon as usize);
                    }
                    for &u in graph.neighbours(order[i]) {
                        if !seen[u as usize] {
                            seen[u as usize] = true;
                            order.push(u);
                        }
                    }
                }
                level = level.end..order.len();
                if level.is_empty() {
                    break;
                }
                levels.opens.push(false);
                levels.starts.push(level.start);
            }
        }
        levels.starts.push(n);
        levels
    }

    /// How many vertices must go to separate what is before a level from what is after.
    fn size(&self, level: usize) -> usize {
        if self.opens[level] { 0 } else { self.starts[level + 1] - self.starts[level] }
    }

    /// The levels between as many parts as can be cut well, of at most `most`.
    fn narrow_cuts(&self, most: usize) -> Option<Vec<usize>> {
        let counts = std::iter::successors(Some(most), |parts| Some(parts.div_ceil(2)));
        counts.take_while(|&parts| parts > 1).find_map(|parts| self.cuts(parts))
    }

    /// The levels between parts, if they are small.
    fn cuts(&self, parts: usize) -> Option<Vec<usize>> {
        let n = self.order.len();
        let window = n / (4 * parts);
        let cut = |part: usize| {
            let aim = part * n / parts;
            let first = self.starts.partition_point(|&start| start + window < aim);
            let near = |&level: &usize| self.starts[level] <= aim + window;
            (first..self.opens.len()).take_while(near).min_by_key(|&level| self.size(level))
        };
        let cuts: Vec<usize> = (1..parts).map(cut).collect::<Option<_>>()?;
        let vertices: usize = cuts.iter().map(|&level| self.size(level)).sum();
        (vertices * SPARSE <= n).then_some(cuts)
    }

    /// By vertex, its part.
    fn label(&self, graph: &Graph, cuts: &[usize]) -> Vec<u32> {
        let mut part_of = vec![0; self.order.len()];
        let mut from = 0;
        for (part, &cut) in cuts.iter().enumerate() {
            let start = self.starts[cut];
            let end = start + self.size(cut);
            self.order[from..start].iter().for_each(|&v| part_of[v as usize] = part as u32);
            self.order[start..end].iter().for_each(|&v| part_of[v as usize] = SEPARATOR);
            from = end;
        }
        self.order[from..].iter().for_each(|&v| part_of[v as usize] = cuts.len() as u32);
        for (part, &cut) in cuts.iter().enumerate() {
            let next = part as u32 + 1;
            for &v in &self.order[self.starts[cut]..self.starts[cut] + self.size(cut)] {
                if !graph.neighbours(v).iter().any(|&u| part_of[u as usize] == next) {
                    part_of[v as usize] = part as u32;
                }
            }
        }
        part_of
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use palmette_core::graph::generate::{Weights, generate};

    /// The number of parts and of vertices between them, after a check that parts share
    /// no edge and none is tiny.
    fn check(shape: &str, most: usize) -> (usize, usize) {
        let graph = generate(shape.parse().unwrap(), Weights::Unit, 1).unwrap().graph;
        let (part_of, parts) = split(&graph, most);
        for (a, b, _) in graph.edges() {
            let (a, b) = (part_of[a as usize], part_of[b as usize]);
            assert!(a == b || a == SEPARATOR || b == SEPARATOR, "{shape}: {a} {b}");
        }
        let mut sizes = vec![0; parts];
        let mut separator = 0;
        for part in part_of {
            *sizes.get_mut(part as usize).unwrap_or(&mut separator) += 1;
        }
        assert!(sizes.iter().all(|size| size * parts * 3 >= graph.len()), "{shape}: {sizes:?}");
        (parts, separator)
    }

    #[test]
    fn parts_share_no_edge() {
        let (parts, separator) = check("grid:200x200", 4);
        assert!(parts == 4 && separator <= 600, "{separator}");
        assert_eq!(check("path:100000", 8), (8, 7));
        assert_eq!(check("road:30000", 4).0, 4);
        // Vertices without edges are separate as they are.
        assert_eq!(check("random:100000:0", 4), (4, 0));
        // Levels of a cube are larger: fewer parts have to do.
        assert_eq!(check("grid:30x30x30", 4).0, 2);
    }

    #[test]
    fn a_search_may_begin_in_the_middle() {
        // Levels around the middle of a cube are wide, those from a corner are not.
        let cube = generate("grid:25x25x25".parse().unwrap(), Weights::Unit, 1).unwrap().graph;
        let middle = (cube.len() / 2) as u32;
        let swapped = |v: u32| match v {
            0 => middle,
            v if v == middle => 0,
            v => v,
        };
        let edges: Vec<_> = cube.edges().map(|(a, b, w)| (swapped(a), swapped(b), w)).collect();
        let graph = Graph::from_edges(cube.len(), &edges).unwrap();
        assert_eq!(Levels::new(&graph, 0).narrow_cuts(3), None);
        assert_eq!(split(&graph, 8).1, 2);
    }

    #[test]
    fn what_cannot_be_cut_stays_whole() {
        for shape in ["random:20000:10", "star:20000", "clique:100", "path:1"] {
            assert_eq!(check(shape, 8), (1, 0), "{shape}");
        }
        assert_eq!(check("path:100000", 0), (1, 0));
    }
}
