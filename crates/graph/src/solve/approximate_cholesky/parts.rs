//! Parts of a graph that share no edge, and the vertices between them.
//!
//! **Problem.** A graph and a number of parts; each vertex gets a part or is in the
//! separator, so that no edge joins two parts.
//!
//! **Method.** Breadth-first search, component by component; a level separates what is
//! before from what is after. Near each place where a part should end, the smallest level
//! is taken, and of it only the vertices with a neighbour in the next level. Where levels
//! are large, as in random graphs, there is one part.
//!
//! **Cost.** Linear, one thread.

use palmette_core::graph::Graph;
use palmette_core::{NONE, memory::prefetch};

/// The part of vertices that separate.
pub(super) const SEPARATOR: u32 = NONE;
/// A separator of more than this share of the vertices is not worth it.
const LARGEST_SHARE: usize = 32;

/// By vertex, its part; `None` when the graph stays in one piece.
pub(super) fn split(graph: &Graph, parts: usize) -> Option<Vec<u32>> {
    let n = graph.len();
    if parts < 2 || n < parts {
        return None;
    }
    let levels = Levels::new(graph);
    let window = n / (4 * parts);
    let mut part_of = vec![0; n];
    let mut separators = 0;
    let mut from = 0;
    for part in 1..parts {
        let aim = part * n / parts;
        let near = |&level: &usize| levels.starts[level].abs_diff(aim) <= window;
        let first = levels.starts.partition_point(|&start| start + window < aim);
        let level = (first..levels.sizes()).take_while(near).min_by_key(|&l| levels.cut(l))?;
        separators += levels.cut(level);
        let range = levels.starts[level]..levels.starts[level] + levels.cut(level);
        for &v in &levels.order[from..range.start] {
            part_of[v as usize] = part as u32 - 1;
        }
        for &v in &levels.order[range.clone()] {
            part_of[v as usize] = SEPARATOR;
        }
        for &v in &levels.order[range.end..] {
            part_of[v as usize] = part as u32;
        }
        for &v in &levels.order[range.clone()] {
            let after = |&u: &u32| part_of[u as usize] == part as u32;
            if !graph.neighbours(v).iter().any(after) {
                part_of[v as usize] = part as u32 - 1;
            }
        }
        from = range.end;
    }
    (separators * LARGEST_SHARE <= n).then_some(part_of)
}

/// Vertices in the order of the search, and where levels begin.
struct Levels {
    order: Vec<u32>,
    starts: Vec<usize>,
    /// By level, whether a component begins with it.
    opens: Vec<bool>,
}

impl Levels {
    fn new(graph: &Graph) -> Self {
        let n = graph.len();
        let mut seen = vec![false; n];
        let mut levels =
            Levels { order: Vec::with_capacity(n), starts: Vec::new(), opens: Vec::new() };
        let order = &mut levels.order;
        for root in 0..n {
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

    /// The number of levels.
    fn sizes(&self) -> usize {
        self.opens.len()
    }

    /// How many vertices must go to separate what is before a level from what is after.
    fn cut(&self, level: usize) -> usize {
        if self.opens[level] { 0 } else { self.starts[level + 1] - self.starts[level] }
    }
}
