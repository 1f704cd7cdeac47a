//! **Problem.** A mesh; out comes the graph of elements that share a face: all corners of a
//! face of a solid element, of an edge of a plane one. Where more than two elements share a
//! face, each pair of them is joined.
//!
//! **Method.** Faces are put into lists by that of their nodes which the fewest elements use,
//! the lowest of several. So lists are short, even in a mesh where one node touches all
//! elements. Each element looks up its faces there and takes the others that have the same
//! nodes.
//!
//! **Cost.** Linear in plane meshes, and in all where the least used node of a face has
//! boundedly many elements; 16 bytes per face beside the graph. Listing runs on one thread,
//! looking up in parallel.
//!
//! **Determinism.** The answer does not depend on the number of threads.
//!
//! **Reference.** Chiba and Nishizeki, *Arboricity and subgraph listing algorithms*, 1985:
//! the sum over edges of the lesser degree is linear in planar graphs.

use super::lists::graph_of;
use palmette_core::mesh::Cells;
use palmette_core::{Graph, Lists, Mesh, NONE};

/// The node whose list a face is in, its other nodes in ascending order, then `NONE`.
type Face = (u32, [u32; 3]);

/// The graph of elements that share a face; see the file.
pub fn dual_graph(mesh: &Mesh) -> Graph {
    let cells = mesh.elements();
    let mut uses = vec![0u32; mesh.points().len()];
    cells.all_nodes().iter().for_each(|&node| uses[node as usize] += 1);
    let (cells, uses) = (&cells, &uses[..]);
    let faces = (0..cells.len()).flat_map(|element| {
        faces_of(cells, uses, element).map(move |(key, others)| (key, (others, element as u32)))
    });
    let faces = Lists::by_key(uses.len(), faces);
    graph_of(cells.len(), |element, row| {
        for (key, others) in faces_of(cells, uses, element as usize) {
            row.extend(faces.of(key).iter().filter(|face| face.0 == others).map(|face| face.1));
        }
    })
}

#[inline]
fn faces_of<'a>(
    cells: &'a Cells,
    uses: &'a [u32],
    element: usize,
) -> impl Iterator<Item = Face> + Clone + 'a {
    let nodes = cells.nodes(element);
    cells.kind(element).faces().iter().map(move |face| {
        let mut named = [NONE; 4];
        for (to, &corner) in named.iter_mut().zip(*face) {
            *to = nodes[corner as usize];
        }
        named.sort_unstable();
        let rarest = (0..face.len()).min_by_key(|&i| uses[named[i] as usize]).unwrap_or(0);
        named[..=rarest].rotate_right(1);
        (named[0], [named[1], named[2], named[3]])
    })
}
