//! Regions of a graph as single vertices.

use palmette_core::graph::{Graph, GraphError, Sets};

/// The graph in which each region is one vertex, and by vertex its number there. Regions that
/// share a vertex become one.
pub(super) fn merge(graph: &Graph, regions: &[&[u32]]) -> Result<(Graph, Vec<u32>), GraphError> {
    let n = graph.len();
    let mut sets = Sets::new(n);
    for region in regions {
        region.windows(2).for_each(|pair| {
            sets.link(pair[0], pair[1]);
        });
    }
    let tops = sets.settled();
    let mut names = vec![palmette_core::NONE; n];
    let mut count = 0;
    for v in 0..n {
        let top = tops[v] as usize;
        if names[top] == palmette_core::NONE {
            names[top] = count;
            count += 1;
        }
        names[v] = names[top];
    }
    let name = |v: u32| names[v as usize];
    let edges: Vec<(u32, u32, f64)> =
        graph.edges().map(|(a, b, w)| (name(a), name(b), w)).filter(|e| e.0 != e.1).collect();
    Ok((Graph::from_edges(count as usize, &edges)?, names))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn regions_become_vertices() {
        let edges = [(0, 1, 1.0), (1, 2, 2.0), (2, 3, 3.0), (3, 4, 4.0), (0, 4, 5.0)];
        let ring = Graph::from_edges(5, &edges).unwrap();
        let (merged, names) = merge(&ring, &[&[1, 4], &[2]]).unwrap();
        assert_eq!(names, [0, 1, 2, 3, 1]);
        let found: Vec<_> = merged.edges().collect();
        assert_eq!(found, [(0, 1, 6.0), (1, 2, 2.0), (1, 3, 4.0), (2, 3, 3.0)]);
        let (one, names) = merge(&ring, &[&[0, 1], &[1, 2]]).unwrap();
        assert_eq!((one.len(), names[0], names[2]), (3, 0, 0));
    }
}
