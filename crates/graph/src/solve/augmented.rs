//! Ground as one more vertex.
//!
//! **Problem.** Preconditioners that work on graphs (trees, skeletons, random elimination)
//! know Laplacians only. `L + D` with conductances `g` to ground is what is left of the
//! Laplacian of a larger graph when the potential of its last vertex is held at 0: ground,
//! with an edge of weight `g(v)` to each `v` that has one.
//!
//! **Method.** An approximate inverse `M` of the larger Laplacian is used on `L + D` by
//! `z' = M (r, −Σ r)`, `z = z' − z'(ground)`.
//!
//! **Cost.** Without ground the graph is used as it is. With ground it is copied: 24 bytes per
//! edge; an application reads and writes its vectors once more. Ground may have a degree of
//! millions: users must not be quadratic in a degree.
//!
//! **Determinism.** Sums run over fixed blocks.

use super::scratch::Scratch;
use super::vectors::{BLOCK, square_and_sum};
use super::{SolveError, check_ground};
use crate::Laplacian;
use palmette_core::Graph;
use rayon::prelude::*;
use std::borrow::Cow;

/// A graph with ground as its last vertex, where anything is grounded.
#[derive(Debug)]
pub struct Augmented<'a> {
    graph: Cow<'a, Graph>,
    ground: Option<u32>,
    currents: Scratch,
    potentials: Scratch,
}

impl<'a> Augmented<'a> {
    /// The graph of a Laplacian, with ground as vertex `n` when there is any conductance to
    /// ground.
    ///
    /// # Errors
    /// A conductance to ground that no edge can have; too many vertices or edges.
    pub fn new(laplacian: &Laplacian<'a>) -> Result<Self, SolveError> {
        let graph = laplacian.graph();
        let n = graph.len();
        check_ground(laplacian)?;
        let to_ground: Vec<(u32, u32, f64)> = match laplacian.ground() {
            Some(ground) => {
                let some = ground.iter().enumerate().filter(|(_, g)| **g > 0.0);
                some.map(|(v, &g)| (v as u32, n as u32, g)).collect()
            }
            None => Vec::new(),
        };
        if to_ground.is_empty() {
            let (currents, potentials) = (Scratch::new(0), Scratch::new(0));
            return Ok(Augmented {
                graph: Cow::Borrowed(graph),
                ground: None,
                currents,
                potentials,
            });
        }
        let edges: Vec<(u32, u32, f64)> = graph.edges().chain(to_ground).collect();
        let graph = Cow::Owned(Graph::from_edges(n + 1, &edges)?);
        let (currents, potentials) = (Scratch::new(n + 1), Scratch::new(n + 1));
        Ok(Augmented { graph, ground: Some(n as u32), currents, potentials })
    }

    /// The graph, ground included.
    pub fn graph(&self) -> &Graph {
        &self.graph
    }

    /// The vertex that is ground: the last one, or there is none.
    pub fn ground(&self) -> Option<u32> {
        self.ground
    }

    /// Takes ground out of a graph on the same vertices: the graph that is left and the
    /// conductances to ground.
    ///
    /// # Errors
    /// When the graph has another number of vertices.
    pub fn without_ground(
        &self,
        skeleton: &Graph,
    ) -> Result<(Graph, Option<Vec<f64>>), SolveError> {
        if skeleton.len() != self.graph.len() {
            let (expected, actual) = (self.graph.len(), skeleton.len());
            return Err(SolveError::Length { expected, actual });
        }
        let Some(ground) = self.ground else { return Ok((skeleton.clone(), None)) };
        let mut conductances = vec![0.0; ground as usize];
        for (&v, &g) in skeleton.neighbours(ground).iter().zip(skeleton.weights(ground)) {
            conductances[v as usize] = g;
        }
        // Ground is the larger end of its edges.
        let edges: Vec<_> = skeleton.edges().filter(|e| e.1 != ground).collect();
        Ok((Graph::from_edges(ground as usize, &edges)?, Some(conductances)))
    }

    /// Applies an approximate inverse of the Laplacian of [`Augmented::graph`] to currents
    /// `r` on the vertices without ground, and writes potentials against ground to `z`.
    pub fn apply(&self, r: &[f64], z: &mut [f64], inverse: impl FnOnce(&[f64], &mut [f64])) {
        let Some(ground) = self.ground else { return inverse(r, z) };
        let n = ground as usize;
        let (mut currents, mut potentials) = (self.currents.take(), self.potentials.take());
        let copy = currents[..n].par_chunks_mut(BLOCK).zip(r.par_chunks(BLOCK));
        copy.for_each(|(to, from)| to.copy_from_slice(from));
        currents[n] = -square_and_sum(r)[1];
        inverse(&currents, &mut potentials);
        let zero = potentials[n];
        z.par_chunks_mut(BLOCK).zip(potentials[..n].par_chunks(BLOCK)).for_each(|(to, from)| {
            to.iter_mut().zip(from).for_each(|(to, from)| *to = from - zero);
        });
        self.currents.give(currents);
        self.potentials.give(potentials);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ground_goes_in_and_out() {
        let graph = Graph::from_edges(3, &[(0, 1, 2.0), (1, 2, 3.0)]).unwrap();
        let ground = [0.5, 0.0, 4.0];
        let augmented = Augmented::new(&Laplacian::new(&graph, Some(&ground))).unwrap();
        assert_eq!(augmented.ground(), Some(3));
        let edges: Vec<_> = augmented.graph().edges().collect();
        assert_eq!(edges, [(0, 1, 2.0), (1, 2, 3.0), (0, 3, 0.5), (2, 3, 4.0)]);
        let (left, conductances) = augmented.without_ground(augmented.graph()).unwrap();
        assert_eq!((left, conductances), (graph.clone(), Some(ground.to_vec())));
        assert!(augmented.without_ground(&graph).is_err());

        // The copy to ground carries what the currents leave over.
        let mut z = [0.0; 3];
        augmented.apply(&[1.0, 2.0, 4.0], &mut z, |r, z| z.copy_from_slice(r));
        assert_eq!(z, [8.0, 9.0, 11.0]);

        let nothing = [0.0; 3];
        let augmented = Augmented::new(&Laplacian::new(&graph, Some(&nothing))).unwrap();
        assert_eq!((augmented.ground(), augmented.graph()), (None, &graph));
    }
}
