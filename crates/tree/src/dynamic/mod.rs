//! Forests whose edges come and go.
//!
//! **Problem.** Vertices with values, and a forest on them, each tree with a root. Edges are
//! [linked](DynamicForest::link) and [cut](DynamicForest::cut), one at a time or in batches; in between
//! one asks for roots, parents and lowest common ancestors, for the product of the values on the path
//! between two vertices, in the order of the path, and for the product of those in a subtree.
//!
//! **Method.** Rake and compress: the forest is contracted in rounds, leaves into their neighbours and
//! vertices between two others into edges, and what is contracted is kept as a hierarchy of clusters
//! (`contract.rs`). After links and cuts only what differs is contracted again, for a whole batch at once.
//! Queries climb through clusters and write nothing (`climb.rs`). Vertices of more than three edges are
//! spread over several nodes (`shape.rs`).
//!
//! **Cost.** Of order `log n` expected per query or change of a value; `k log(1 + n/k)` for `k` links or
//! cuts at once. At 10^6 vertices and with elements of 8 bytes 370 bytes per vertex, 560 in a star.
//! Batches go to all threads of the current pool.
//!
//! **Determinism.** Which nodes are compressed is decided by a fixed hash. Answers depend on the
//! operations alone; only sums of floats also depend, in their last bits, on the order in which edges came.
//! Products of subtrees have no order, so their operator must be [`Commutative`].
//!
//! **Reference.** Miller and Reif, *Parallel tree contraction and its application*, 1985; Acar, Anderson,
//! Blelloch, Dhulipala and Westrick, *Parallel batch-dynamic trees via change propagation*, 2020.
//!
//! **When not to use.** For forests that do not change: [`Lca`](crate::lca::Lca) and
//! [`paths`](crate::paths) answer in a fraction of the time. For a long series of single links and cuts on
//! one thread, with paths only, link-cut trees are faster: docs/benchmarks.md.

mod batch;
mod climb;
mod cluster;
mod contract;
mod error;
mod shape;
#[cfg(test)]
mod tests;

pub use error::DynamicForestError;

use contract::Contraction;
use palmette_core::{Commutative, Monoid};
use std::fmt;

/// A forest whose edges come and go.
///
/// ```
/// use palmette_core::operator::Max;
/// use palmette_tree::dynamic::DynamicForest;
/// let mut forest = DynamicForest::new(Max::<i64>::new(), &[5, 3, 8, 1]);
/// forest.link_all(&[(1, 0), (2, 0), (3, 1)])?;
/// assert_eq!((forest.path(3, 0)?, forest.path(3, 2)?), (Some(5), Some(8)));
/// assert_eq!((forest.lca(3, 2)?, forest.root(3)?), (Some(0), 0));
/// assert_eq!((forest.subtree(1)?, forest.subtree(0)?), (3, 8));
/// forest.cut(0, 1)?;
/// assert_eq!((forest.path(3, 2)?, forest.root(3)?), (None, 1));
/// # Ok::<(), palmette_tree::dynamic::DynamicForestError>(())
/// ```
#[derive(Clone)]
pub struct DynamicForest<M: Monoid> {
    inner: Contraction<M>,
}

impl<M: Monoid> fmt::Debug for DynamicForest<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "DynamicForest of {} vertices and {} edges", self.len(), self.edge_count())
    }
}

impl<M: Monoid> DynamicForest<M> {
    /// Vertices with values and no edges.
    ///
    /// # Panics
    /// When there are more vertices than a third of [`palmette_core::MAX_VERTICES`].
    pub fn new(monoid: M, values: &[M::Elem]) -> Self {
        assert!(values.len() <= palmette_core::MAX_VERTICES / 3, "too many vertices");
        DynamicForest { inner: Contraction::new(monoid, values) }
    }

    /// The number of vertices.
    pub fn len(&self) -> usize {
        self.inner.values.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The number of edges.
    pub fn edge_count(&self) -> usize {
        self.inner.shape.edge_count()
    }

    /// Whether there is an edge between two vertices.
    ///
    /// # Errors
    /// [`DynamicForestError::Vertex`].
    pub fn has_edge(&self, a: u32, b: u32) -> Result<bool, DynamicForestError> {
        self.check(a)?;
        self.check(b)?;
        Ok(self.inner.shape.ends(a, b).is_some())
    }

    /// The value of a vertex.
    ///
    /// # Errors
    /// [`DynamicForestError::Vertex`].
    pub fn value(&self, v: u32) -> Result<M::Elem, DynamicForestError> {
        self.check(v)?;
        Ok(self.inner.values[v as usize])
    }

    /// Gives a vertex another value.
    ///
    /// # Errors
    /// [`DynamicForestError::Vertex`].
    pub fn set(&mut self, v: u32, value: M::Elem) -> Result<(), DynamicForestError> {
        self.check(v)?;
        self.inner.values[v as usize] = value;
        let node = self.inner.last_of(v);
        self.inner.add_up(std::iter::once(node));
        Ok(())
    }

    /// Makes `v`, which becomes the root of its tree, a child of `parent`.
    ///
    /// # Errors
    /// [`DynamicForestError::Cycle`], [`DynamicForestError::Vertex`].
    pub fn link(&mut self, v: u32, parent: u32) -> Result<(), DynamicForestError> {
        self.check(v)?;
        self.check(parent)?;
        let [below, above] = [v, parent].map(|v| self.inner.top(v));
        if below == above {
            return Err(DynamicForestError::Cycle { a: v, b: parent });
        }
        let root = self.inner.clusters[above as usize].root;
        self.inner.shape.link(v, parent);
        self.inner.repair();
        self.make_root(root);
        Ok(())
    }

    /// Cuts the edge between two vertices: the one below becomes a root.
    ///
    /// # Errors
    /// [`DynamicForestError::Missing`], [`DynamicForestError::Vertex`].
    pub fn cut(&mut self, a: u32, b: u32) -> Result<(), DynamicForestError> {
        if !self.has_edge(a, b)? {
            return Err(DynamicForestError::Missing { a, b });
        }
        let root = self.inner.root(a);
        self.inner.shape.cut(a, b);
        self.inner.repair();
        self.make_root(root);
        let is_above = self.inner.top(a) == self.inner.top(root);
        self.make_root(if is_above { b } else { a });
        Ok(())
    }

    /// Makes a vertex the root of its tree.
    ///
    /// # Errors
    /// [`DynamicForestError::Vertex`].
    pub fn reroot(&mut self, v: u32) -> Result<(), DynamicForestError> {
        self.check(v)?;
        self.make_root(v);
        Ok(())
    }

    /// The root of a vertex's tree.
    ///
    /// # Errors
    /// [`DynamicForestError::Vertex`].
    pub fn root(&self, v: u32) -> Result<u32, DynamicForestError> {
        self.check(v)?;
        Ok(self.inner.root(v))
    }

    /// The parent of a vertex; none of a root.
    ///
    /// # Errors
    /// [`DynamicForestError::Vertex`].
    pub fn parent(&self, v: u32) -> Result<Option<u32>, DynamicForestError> {
        let root = self.root(v)?;
        Ok((root != v).then(|| self.inner.neighbour_towards(v, root)))
    }

    /// Whether two vertices are in one tree.
    ///
    /// # Errors
    /// [`DynamicForestError::Vertex`].
    pub fn joined(&self, a: u32, b: u32) -> Result<bool, DynamicForestError> {
        self.check(a)?;
        self.check(b)?;
        Ok(self.inner.top(a) == self.inner.top(b))
    }

    /// The lowest common ancestor of two vertices; none if they are in different trees.
    ///
    /// # Errors
    /// [`DynamicForestError::Vertex`].
    pub fn lca(&self, a: u32, b: u32) -> Result<Option<u32>, DynamicForestError> {
        let joined = self.joined(a, b)?;
        Ok(joined.then(|| self.inner.median([a, b, self.inner.root(a)])))
    }

    /// The lowest common ancestor of two vertices if their tree had this root; none if the three are
    /// not in one tree.
    ///
    /// # Errors
    /// [`DynamicForestError::Vertex`].
    pub fn lca_from(&self, root: u32, a: u32, b: u32) -> Result<Option<u32>, DynamicForestError> {
        let joined = self.joined(a, b)? && self.joined(a, root)?;
        Ok(joined.then(|| self.inner.median([a, b, root])))
    }

    /// The product of the values on the path from `a` to `b`, both included; none if they are in
    /// different trees.
    ///
    /// # Errors
    /// [`DynamicForestError::Vertex`].
    pub fn path(&self, a: u32, b: u32) -> Result<Option<M::Elem>, DynamicForestError> {
        self.check(a)?;
        self.check(b)?;
        Ok(self.inner.path(a, b))
    }

    fn check(&self, vertex: u32) -> Result<(), DynamicForestError> {
        let vertices = self.len();
        match (vertex as usize) < vertices {
            true => Ok(()),
            false => Err(DynamicForestError::Vertex { vertex, vertices }),
        }
    }

    /// Notes the root of a tree at its last cluster.
    fn make_root(&mut self, v: u32) {
        let top = self.inner.top(v);
        self.inner.clusters[top as usize].root = v;
    }
}

impl<M: Commutative> DynamicForest<M> {
    /// The product of the values of a vertex and all below it.
    ///
    /// # Errors
    /// [`DynamicForestError::Vertex`].
    pub fn subtree(&self, v: u32) -> Result<M::Elem, DynamicForestError> {
        let root = self.root(v)?;
        self.subtree_from(root, v)
    }

    /// The product of the values of a vertex and all below it if its tree had this root.
    ///
    /// # Errors
    /// [`DynamicForestError::Vertex`]; [`DynamicForestError::Apart`] if they are in different trees.
    pub fn subtree_from(&self, root: u32, v: u32) -> Result<M::Elem, DynamicForestError> {
        if !self.joined(root, v)? {
            return Err(DynamicForestError::Apart { a: root, b: v });
        }
        if root == v {
            return Ok(self.inner.clusters[self.inner.top(v) as usize].total);
        }
        let parent = self.inner.neighbour_towards(v, root);
        self.inner.side(v, parent).ok_or(DynamicForestError::Missing { a: v, b: parent })
    }
}
