//! Many links, cuts, values and queries at once.
//!
//! **Method.** All edges of a batch change the shape one after another, then one repair contracts what
//! differs, on all threads. Whether links close cycles is found by joining trees, known by their last
//! clusters; roots after cuts by walking from the old root over the edges that were cut.

use super::{DynamicForest, DynamicForestError};
use palmette_core::{Commutative, Monoid, NONE};
use rayon::prelude::*;
use rustc_hash::FxHashMap;

/// Trees by numbers, joined as edges come; with their roots.
struct Trees {
    above: Vec<u32>,
    roots: Vec<u32>,
}

impl Trees {
    fn find(&mut self, mut tree: u32) -> u32 {
        while self.above[tree as usize] != tree {
            let above = self.above[tree as usize];
            self.above[tree as usize] = self.above[above as usize];
            tree = above;
        }
        tree
    }
}

impl<M: Monoid> DynamicForest<M> {
    /// [Links](Self::link) pairs of a vertex and its parent, in their order. When one of them cannot be,
    /// nothing has changed.
    ///
    /// # Errors
    /// As [`link`](Self::link).
    pub fn link_all(&mut self, pairs: &[(u32, u32)]) -> Result<(), DynamicForestError> {
        self.check_all(pairs)?;
        let tops = self.each(pairs, |(v, parent)| [v, parent].map(|v| self.inner.top(v)));
        let mut numbers: FxHashMap<u32, u32> = FxHashMap::default();
        let mut trees = Trees { above: Vec::new(), roots: Vec::new() };
        for (&(a, b), ends) in pairs.iter().zip(&tops) {
            let [below, above] = ends.map(|top| {
                let next = numbers.len() as u32;
                let number = *numbers.entry(top).or_insert(next);
                if number == next {
                    trees.above.push(next);
                    trees.roots.push(self.inner.clusters[top as usize].root);
                }
                trees.find(number)
            });
            if below == above {
                return Err(DynamicForestError::Cycle { a, b });
            }
            trees.above[below as usize] = above;
        }
        self.inner.shape.reserve(pairs.len());
        pairs.iter().for_each(|&(v, parent)| self.inner.shape.link(v, parent));
        self.inner.repair();
        let is_last = |&tree: &u32| trees.above[tree as usize] == tree;
        let last: Vec<u32> = (0..trees.above.len() as u32).filter(is_last).collect();
        for tree in last {
            self.make_root(trees.roots[tree as usize]);
        }
        Ok(())
    }

    /// [Cuts](Self::cut) edges. When one of them is not there, or twice, nothing has changed.
    ///
    /// # Errors
    /// As [`cut`](Self::cut).
    pub fn cut_all(&mut self, edges: &[(u32, u32)]) -> Result<(), DynamicForestError> {
        self.check_all(edges)?;
        let missing = |&(a, b): &(u32, u32)| DynamicForestError::Missing { a, b };
        let mut seen: FxHashMap<(u32, u32), ()> = FxHashMap::default();
        for edge @ &(a, b) in edges {
            let is_there = self.inner.shape.ends(a, b).is_some();
            if !is_there || seen.insert((a.min(b), a.max(b)), ()).is_some() {
                return Err(missing(edge));
            }
        }
        let mut roots = self.each(edges, |(a, _)| self.inner.root(a));
        roots.sort_unstable();
        roots.dedup();
        for &(a, b) in edges {
            self.inner.shape.cut(a, b);
        }
        self.inner.repair();
        // Parts and the edges that joined them are trees.
        let tops = self.each(edges, |(a, b)| [a, b].map(|v| self.inner.top(v)));
        let mut around: FxHashMap<u32, Vec<(u32, u32)>> = FxHashMap::default();
        for (&(a, b), &[at_a, at_b]) in edges.iter().zip(&tops) {
            around.entry(at_a).or_default().push((at_b, b));
            around.entry(at_b).or_default().push((at_a, a));
        }
        let mut waiting = Vec::new();
        for root in roots {
            waiting.push((NONE, self.inner.top(root), root));
            while let Some((from, part, root)) = waiting.pop() {
                self.inner.clusters[part as usize].root = root;
                let others = around.get(&part).into_iter().flatten();
                waiting.extend(
                    others.filter(|(to, _)| *to != from).map(|&(to, root)| (part, to, root)),
                );
            }
        }
        Ok(())
    }

    /// Gives vertices other values; of several for one vertex the last counts.
    ///
    /// # Errors
    /// [`DynamicForestError::Vertex`]; then nothing has changed.
    pub fn set_all(&mut self, values: &[(u32, M::Elem)]) -> Result<(), DynamicForestError> {
        values.iter().try_for_each(|&(v, _)| self.check(v))?;
        values.iter().for_each(|&(v, value)| self.inner.values[v as usize] = value);
        let nodes = self.each(values, |(v, _)| self.inner.last_of(v));
        self.inner.add_up(nodes.into_iter());
        Ok(())
    }

    /// The [roots](Self::root) of vertices.
    ///
    /// # Errors
    /// [`DynamicForestError::Vertex`].
    pub fn roots(&self, vertices: &[u32]) -> Result<Vec<u32>, DynamicForestError> {
        vertices.iter().try_for_each(|&v| self.check(v))?;
        Ok(self.each(vertices, |v| self.inner.root(v)))
    }

    /// The [parents](Self::parent) of vertices.
    ///
    /// # Errors
    /// [`DynamicForestError::Vertex`].
    pub fn parents(&self, vertices: &[u32]) -> Result<Vec<Option<u32>>, DynamicForestError> {
        self.each(vertices, |v| self.parent(v)).into_iter().collect()
    }

    /// The [lowest common ancestors](Self::lca) of pairs.
    ///
    /// # Errors
    /// [`DynamicForestError::Vertex`].
    pub fn lcas(&self, pairs: &[(u32, u32)]) -> Result<Vec<Option<u32>>, DynamicForestError> {
        self.each(pairs, |(a, b)| self.lca(a, b)).into_iter().collect()
    }

    /// The products of the [paths](Self::path) between pairs.
    ///
    /// # Errors
    /// [`DynamicForestError::Vertex`].
    pub fn paths(&self, pairs: &[(u32, u32)]) -> Result<Vec<Option<M::Elem>>, DynamicForestError> {
        self.each(pairs, |(a, b)| self.path(a, b)).into_iter().collect()
    }

    fn check_all(&self, pairs: &[(u32, u32)]) -> Result<(), DynamicForestError> {
        pairs.iter().try_for_each(|&(a, b)| self.check(a).and(self.check(b)))
    }

    /// Asks for all of a list, on all threads if it is long.
    fn each<T: Copy + Sync, A: Send>(
        &self,
        list: &[T],
        ask: impl Fn(T) -> A + Sync + Send,
    ) -> Vec<A> {
        const PIECE: usize = 256;
        match list.len() <= PIECE || rayon::current_num_threads() == 1 {
            true => list.iter().map(|&item| ask(item)).collect(),
            false => list.par_iter().with_min_len(PIECE).map(|&item| ask(item)).collect(),
        }
    }
}

impl<M: Commutative> DynamicForest<M> {
    /// The products of [subtrees](Self::subtree).
    ///
    /// # Errors
    /// [`DynamicForestError::Vertex`].
    pub fn subtrees(&self, vertices: &[u32]) -> Result<Vec<M::Elem>, DynamicForestError> {
        self.each(vertices, |v| self.subtree(v)).into_iter().collect()
    }
}
