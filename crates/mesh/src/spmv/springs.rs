//! The matrix of springs between the nodes of each element: the pattern of a finite-element matrix
//! without its geometry, for tests and benchmarks.

use super::Csr;
use palmette_core::{Lists, Mesh, NONE};

/// The matrix of springs between every two nodes of an element, as far as some elements
/// contribute to it; row and column `i` are node `nodes[i]` of the mesh, and all nodes of the
/// elements must be among them. `stiffness(e)` is that of the springs of
/// element `e`. Each element also ties its nodes to the ground, by `ground` times its
/// stiffness. Components do not feel each other. Symmetric; positive definite when stiffness
/// and ground are positive.
///
/// It has the pattern of a finite-element matrix, and serves where only that matters.
pub fn springs(
    mesh: &Mesh,
    nodes: &[u32],
    elements: &[u32],
    components: usize,
    stiffness: impl Fn(u32) -> f64,
    ground: f64,
) -> Csr {
    let mut numbers = vec![NONE; mesh.points().len()];
    (0..).zip(nodes).for_each(|(local, &node)| numbers[node as usize] = local);
    let corners = elements.iter().flat_map(|&element| {
        let named = mesh.elements().nodes(element as usize);
        named.iter().map(move |&node| (node, element))
    });
    let local = corners.map(|(node, element)| (numbers[node as usize], element));
    let elements = Lists::by_key(nodes.len(), local);
    let (mut offsets, mut columns, mut values) = (vec![0], Vec::new(), Vec::new());
    let mut row: Vec<(u32, f64)> = Vec::new();
    for node in 0..nodes.len() as u32 {
        row.clear();
        for &element in elements.of(node) {
            let k = stiffness(element);
            for &other in mesh.elements().nodes(element as usize) {
                let other = numbers[other as usize];
                if other != node {
                    row.push((other, -k));
                    row.push((node, k));
                }
            }
            row.push((node, k * ground));
        }
        // Stable: contributions are added in the order of elements.
        row.sort_by_key(|entry| entry.0);
        row.dedup_by(|next, kept| {
            let same = next.0 == kept.0;
            kept.1 += if same { next.1 } else { 0.0 };
            same
        });
        for c in 0..components as u32 {
            columns.extend(row.iter().map(|entry| entry.0 * components as u32 + c));
            values.extend(row.iter().map(|entry| entry.1));
            offsets.push(columns.len());
        }
    }
    Csr::new(offsets, columns, values)
}
