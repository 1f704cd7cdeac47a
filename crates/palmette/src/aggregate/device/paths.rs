//! Products along paths.

use super::{DeviceProblem, Run, by_vertex};
use crate::aggregate::AggregateError;
use crate::aggregate::problem::{Paths, Problem, Solved, wrong_length};
use crate::device::DeviceEngine;
use palmette_gpu::paths::{DevicePaths, On};
use palmette_gpu::{DeviceTree, Kernel};
use palmette_tree::paths::HeavyPaths;

pub(super) struct Job<'a> {
    pub(super) on: DeviceTree<'a>,
    pub(super) paths: DevicePaths,
    /// By position.
    pub(super) pairs: Vec<(u32, u32)>,
    pub(super) on_edges: bool,
}

impl DeviceProblem for Job<'_> {
    fn monoid<K: Kernel>(&self, op: &K, x: &[&[K::Elem]]) -> Result<Run<K::Elem>, AggregateError> {
        let tree = self.on.tree();
        let on = if self.on_edges { On::Edges } else { On::Vertices };
        let mut seconds = self.paths.seconds();
        let mut column = |x: &&[K::Elem]| {
            let values = tree.to_positions(x).map_err(wrong_length)?;
            let up = self.on.upload(&values)?;
            let found = self.paths.products(&up, op, on, &self.pairs);
            let (products, asked) = found.map_err(|error| by_vertex(tree, error))?;
            seconds.upload += up.seconds() + asked.upload;
            seconds.compute += asked.compute;
            seconds.download += asked.download;
            Ok::<_, AggregateError>(Solved::of_pairs(products, op.identity()))
        };
        let solved = x.iter().map(&mut column).collect::<Result<_, _>>()?;
        Ok(Run { solved, engine: DeviceEngine::Auto, seconds })
    }

    fn exact_sums(&self, x: &[i128]) -> Result<Vec<i128>, AggregateError> {
        let heavy = HeavyPaths::new(self.on.tree());
        let (tree, pairs, on_edges) = (self.on.tree(), &self.pairs[..], self.on_edges);
        Paths { tree, heavy: &heavy, pairs, on_edges }.exact_sums(x)
    }

    fn overflow(&self, row: usize, exact: i128) -> AggregateError {
        AggregateError::PathOverflow { pair: row, exact }
    }
}
