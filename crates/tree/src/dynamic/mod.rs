//! Forests whose edges come and go.
//!
//! **Problem.** Vertices with values, and a forest on them. Edges are [linked](DynamicForest::link) and
//! [cut](DynamicForest::cut); in between one asks whether two vertices are in one tree, for the root of a
//! tree, the lowest common ancestor of two vertices, and the product of the values on the path between
//! them, in the order of the path.
//!
//! **Method.** Link-cut trees: the forest is cut into paths, each a splay tree in the order of depth. A
//! vertex that is asked for gets the path to its root to itself. Products are kept in both directions,
//! so that a path may be turned around without the operator being commutative. The path between two
//! vertices is put together at their lowest common ancestor, which leaves the root where it is.
//!
//! **Cost.** Of order `log n` steps per operation, amortised; each step waits for memory once the forest
//! does not fit into the cache. 24 bytes per vertex and three elements.
//!
//! **Determinism.** Answers depend on the operations alone; there is no chance in it.
//!
//! **Reference.** Sleator and Tarjan, *A data structure for dynamic trees*, 1983; *Self-adjusting binary
//! search trees*, 1985.
//!
//! **When not to use.** For forests that do not change: [`Lca`](crate::lca::Lca) and
//! [`paths`](crate::paths) answer in a tenth of the time, and on all threads. For sums over subtrees.

#[cfg(test)]
mod tests;

use palmette_core::{Monoid, NONE};
use thiserror::Error;

/// Why a forest cannot be changed as asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum DynamicForestError {
    /// The edge would close a cycle.
    #[error("vertices {a} and {b} are in one tree already")]
    Cycle { a: u32, b: u32 },
    /// The edge to cut is not there.
    #[error("there is no edge between {a} and {b}")]
    Missing { a: u32, b: u32 },
    /// Not a vertex.
    #[error("vertex {vertex} does not exist: there are {vertices}")]
    Vertex { vertex: u32, vertices: usize },
}

/// A place in the splay tree of a path.
#[derive(Debug, Clone, Copy)]
struct Node<E> {
    /// Those of smaller and of larger depth.
    children: [u32; 2],
    /// In the splay tree; at its top, the vertex that the path hangs from.
    parent: u32,
    /// Whether everything below is to be turned around.
    turned: bool,
    value: E,
    /// The products of the splay tree, from the top of the path down and from its end up.
    products: [E; 2],
}

/// A forest whose edges come and go.
///
/// ```
/// use palmette_core::operator::Max;
/// use palmette_tree::dynamic::DynamicForest;
/// let mut forest = DynamicForest::new(Max::<i64>::new(), &[5, 3, 8, 1]);
/// forest.link(1, 0)?;
/// forest.link(2, 0)?;
/// forest.link(3, 1)?;
/// assert_eq!((forest.path(3, 0)?, forest.path(3, 2)?), (Some(5), Some(8)));
/// assert_eq!((forest.lca(3, 2)?, forest.root(3)?), (Some(0), 0));
/// forest.cut(0, 1)?;
/// assert_eq!((forest.path(3, 2)?, forest.root(3)?), (None, 1));
/// # Ok::<(), palmette_tree::dynamic::DynamicForestError>(())
/// ```
#[derive(Debug, Clone)]
pub struct DynamicForest<M: Monoid> {
    monoid: M,
    nodes: Vec<Node<M::Elem>>,
    /// Vertices above one, while it is splayed.
    above: Vec<u32>,
}

impl<M: Monoid> DynamicForest<M> {
    /// Vertices with values and no edges.
    ///
    /// # Panics
    /// When there are more vertices than [`palmette_core::MAX_VERTICES`].
    pub fn new(monoid: M, values: &[M::Elem]) -> Self {
        assert!(values.len() <= palmette_core::MAX_VERTICES, "too many vertices");
        let node = |&value: &M::Elem| {
            let children = [NONE; 2];
            Node { children, parent: NONE, turned: false, value, products: [value; 2] }
        };
        let nodes = values.iter().map(node).collect();
        DynamicForest { monoid, nodes, above: Vec::new() }
    }

    /// The number of vertices.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The value of a vertex.
    ///
    /// # Errors
    /// [`DynamicForestError::Vertex`].
    pub fn value(&self, v: u32) -> Result<M::Elem, DynamicForestError> {
        self.check(v)?;
        Ok(self.nodes[v as usize].value)
    }

    /// Gives a vertex another value.
    ///
    /// # Errors
    /// [`DynamicForestError::Vertex`].
    pub fn set(&mut self, v: u32, value: M::Elem) -> Result<(), DynamicForestError> {
        self.check(v)?;
        self.splay(v);
        self.nodes[v as usize].value = value;
        self.renew(v);
        Ok(())
    }

    /// Makes `v`, which becomes the root of its tree, a child of `parent`.
    ///
    /// # Errors
    /// [`DynamicForestError::Cycle`], [`DynamicForestError::Vertex`].
    pub fn link(&mut self, v: u32, parent: u32) -> Result<(), DynamicForestError> {
        if self.joined(v, parent)? {
            return Err(DynamicForestError::Cycle { a: v, b: parent });
        }
        self.turn_to(v);
        self.nodes[v as usize].parent = parent;
        Ok(())
    }

    /// Cuts the edge between two vertices: the one below becomes a root.
    ///
    /// # Errors
    /// [`DynamicForestError::Missing`], [`DynamicForestError::Vertex`].
    pub fn cut(&mut self, a: u32, b: u32) -> Result<(), DynamicForestError> {
        let missing = DynamicForestError::Missing { a, b };
        let below = match (self.parent(a)?, self.parent(b)?) {
            (above, _) if above == Some(b) => a,
            (_, above) if above == Some(a) => b,
            _ => return Err(missing),
        };
        self.access(below);
        let above = std::mem::replace(&mut self.nodes[below as usize].children[0], NONE);
        self.nodes[above as usize].parent = NONE;
        self.renew(below);
        Ok(())
    }

    /// Makes a vertex the root of its tree.
    ///
    /// # Errors
    /// [`DynamicForestError::Vertex`].
    pub fn reroot(&mut self, v: u32) -> Result<(), DynamicForestError> {
        self.check(v)?;
        self.turn_to(v);
        Ok(())
    }

    /// The root of a vertex's tree.
    ///
    /// # Errors
    /// [`DynamicForestError::Vertex`].
    pub fn root(&mut self, v: u32) -> Result<u32, DynamicForestError> {
        self.check(v)?;
        self.access(v);
        let mut top = v;
        loop {
            self.settle(top);
            match self.nodes[top as usize].children[0] {
                NONE => break,
                next => top = next,
            }
        }
        // What was deep comes up, which pays for the way there.
        self.splay(top);
        Ok(top)
    }

    /// The parent of a vertex; none of a root.
    ///
    /// # Errors
    /// [`DynamicForestError::Vertex`].
    pub fn parent(&mut self, v: u32) -> Result<Option<u32>, DynamicForestError> {
        self.check(v)?;
        self.access(v);
        let mut last = self.nodes[v as usize].children[0];
        if last == NONE {
            return Ok(None);
        }
        loop {
            self.settle(last);
            match self.nodes[last as usize].children[1] {
                NONE => break,
                next => last = next,
            }
        }
        self.splay(last);
        Ok(Some(last))
    }

    /// Whether two vertices are in one tree.
    ///
    /// # Errors
    /// [`DynamicForestError::Vertex`].
    pub fn joined(&mut self, a: u32, b: u32) -> Result<bool, DynamicForestError> {
        Ok(self.lca(a, b)?.is_some())
    }

    /// The lowest common ancestor of two vertices; none if they are in different trees.
    ///
    /// # Errors
    /// [`DynamicForestError::Vertex`].
    pub fn lca(&mut self, a: u32, b: u32) -> Result<Option<u32>, DynamicForestError> {
        self.check(a)?;
        self.check(b)?;
        if a == b {
            return Ok(Some(a));
        }
        self.access(a);
        let last = self.access(b);
        // It was the top of all until `b` came, unless that is in another tree.
        Ok((self.nodes[a as usize].parent != NONE).then_some(last))
    }

    /// The product of the values on the path from `a` to `b`, both included; none if they are in
    /// different trees.
    ///
    /// # Errors
    /// [`DynamicForestError::Vertex`].
    pub fn path(&mut self, a: u32, b: u32) -> Result<Option<M::Elem>, DynamicForestError> {
        let Some(top) = self.lca(a, b)? else { return Ok(None) };
        if a == b {
            return Ok(Some(self.nodes[a as usize].value));
        }
        // The path to `b` lies in one splay tree now, and what is left of that to `a` hangs from it.
        self.splay(top);
        let Node { children, value, .. } = self.nodes[top as usize];
        let mut product = value;
        if children[1] != NONE {
            let below = self.products(children[1])[0];
            product = self.monoid.combine(product, below);
        }
        if a != top {
            self.splay(a);
            let above = self.nodes[a as usize].products[1];
            product = self.monoid.combine(above, product);
        }
        Ok(Some(product))
    }

    fn check(&self, vertex: u32) -> Result<(), DynamicForestError> {
        let vertices = self.len();
        match (vertex as usize) < vertices {
            true => Ok(()),
            false => Err(DynamicForestError::Vertex { vertex, vertices }),
        }
    }

    fn turn_to(&mut self, v: u32) {
        self.access(v);
        self.nodes[v as usize].turned ^= true;
        self.settle(v);
    }

    /// Gives `v` the path to its root, which ends with it; returns where it met the last other path,
    /// or `v`. Then `v` is the top of its splay tree.
    fn access(&mut self, v: u32) -> u32 {
        let (mut at, mut below, mut met) = (v, NONE, v);
        while at != NONE {
            self.splay(at);
            self.nodes[at as usize].children[1] = below;
            self.renew(at);
            (below, met) = (at, at);
            at = self.nodes[at as usize].parent;
        }
        self.splay(v);
        met
    }

    /// Whether a vertex is the top of its splay tree.
    fn is_top(&self, v: u32) -> bool {
        let parent = self.nodes[v as usize].parent;
        parent == NONE || !self.nodes[parent as usize].children.contains(&v)
    }

    /// The products of a splay tree, which may be still to be turned around.
    fn products(&self, v: u32) -> [M::Elem; 2] {
        let Node { products: [down, up], turned, .. } = self.nodes[v as usize];
        if turned { [up, down] } else { [down, up] }
    }

    /// Adds up a vertex that is not to be turned around.
    fn renew(&mut self, v: u32) {
        let Node { children, value, .. } = self.nodes[v as usize];
        let mut products = [value; 2];
        if children[0] != NONE {
            let [down, up] = self.products(children[0]);
            products[0] = self.monoid.combine(down, products[0]);
            products[1] = self.monoid.combine(products[1], up);
        }
        if children[1] != NONE {
            let [down, up] = self.products(children[1]);
            products[0] = self.monoid.combine(products[0], down);
            products[1] = self.monoid.combine(up, products[1]);
        }
        self.nodes[v as usize].products = products;
    }

    /// Turns a vertex around if it is to be, and leaves that to its children.
    fn settle(&mut self, v: u32) {
        let node = &mut self.nodes[v as usize];
        if !std::mem::replace(&mut node.turned, false) {
            return;
        }
        node.children.swap(0, 1);
        node.products.swap(0, 1);
        let children = node.children;
        for child in children.into_iter().filter(|&child| child != NONE) {
            self.nodes[child as usize].turned ^= true;
        }
    }

    /// Brings a vertex to the top of its splay tree.
    fn splay(&mut self, v: u32) {
        let mut above = std::mem::take(&mut self.above);
        above.clear();
        above.push(v);
        let mut at = v;
        while !self.is_top(at) {
            at = self.nodes[at as usize].parent;
            above.push(at);
        }
        above.iter().rev().for_each(|&at| self.settle(at));
        self.above = above;
        while !self.is_top(v) {
            let parent = self.nodes[v as usize].parent;
            if !self.is_top(parent) {
                let same = self.side(parent) == self.side(v);
                self.rotate(if same { parent } else { v });
            }
            self.rotate(v);
        }
        self.renew(v);
    }

    /// Which child of its parent a vertex is.
    fn side(&self, v: u32) -> usize {
        usize::from(self.nodes[self.nodes[v as usize].parent as usize].children[1] == v)
    }

    fn rotate(&mut self, v: u32) {
        let parent = self.nodes[v as usize].parent;
        let above = self.nodes[parent as usize].parent;
        let side = self.side(v);
        if !self.is_top(parent) {
            let parents_side = self.side(parent);
            self.nodes[above as usize].children[parents_side] = v;
        }
        let inner = self.nodes[v as usize].children[1 - side];
        self.nodes[parent as usize].children[side] = inner;
        if inner != NONE {
            self.nodes[inner as usize].parent = parent;
        }
        self.nodes[v as usize].children[1 - side] = parent;
        self.nodes[parent as usize].parent = v;
        self.nodes[v as usize].parent = above;
        self.renew(parent);
    }
}
