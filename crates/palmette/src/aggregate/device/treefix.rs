//! Rootfix and leaffix.

use super::{DeviceProblem, Run, by_vertex};
use crate::aggregate::problem::{Problem, Solved, Treefix, wrong_length};
use crate::aggregate::{AggregateError, Direction};
use crate::device::DeviceEngine;
use palmette_gpu::{
    DeviceTree, DeviceValues, Element, GpuError, GroupKernel, Kernel, Seconds, leaffix, rootfix,
};
use palmette_tree::TreefixError;

pub(super) struct Job<'a> {
    pub(super) on: DeviceTree<'a>,
    pub(super) host: Treefix<'a>,
    pub(super) engine: DeviceEngine,
}

impl DeviceProblem for Job<'_> {
    fn group<G: GroupKernel>(&self, op: &G, x: &[G::Elem]) -> Result<Run<G::Elem>, AggregateError> {
        let scans = match self.engine {
            // The scan would lose digits of floats.
            DeviceEngine::Auto => op.takes_infinity(),
            engine => engine == DeviceEngine::Euler,
        };
        if !scans {
            return self.monoid(op, x);
        }
        self.run(DeviceEngine::Euler, x, |values| match self.host.direction {
            Direction::Rootfix => rootfix::euler(&self.on, values, op, self.host.scope),
            Direction::Leaffix => leaffix::euler(&self.on, values, op, self.host.scope),
        })
    }

    fn monoid<K: Kernel>(&self, op: &K, x: &[K::Elem]) -> Result<Run<K::Elem>, AggregateError> {
        let (on, scope) = (&self.on, self.host.scope);
        match (self.engine, self.host.direction) {
            (DeviceEngine::Euler, _) => Err(TreefixError::NeedsInverse.into()),
            (DeviceEngine::Levels, direction) => {
                self.run(DeviceEngine::Levels, x, |values| match direction {
                    Direction::Rootfix => rootfix::levels(on, values, op, scope),
                    Direction::Leaffix => leaffix::levels(on, values, op, scope),
                })
            }
            (DeviceEngine::Auto | DeviceEngine::Contract, direction) => {
                self.run(DeviceEngine::Contract, x, |values| match direction {
                    Direction::Rootfix => rootfix::contract(on, values, op, scope),
                    Direction::Leaffix => leaffix::contract(on, values, op, scope),
                })
            }
        }
    }

    fn exact_sums(&self, x: &[i128]) -> Result<Vec<i128>, AggregateError> {
        self.host.exact_sums(x)
    }

    fn overflow(&self, row: usize, exact: i128) -> AggregateError {
        self.host.overflow(row, exact)
    }
}

impl Job<'_> {
    /// To positions and to the device, through an engine, and back.
    fn run<E: Element>(
        &self,
        engine: DeviceEngine,
        x: &[E],
        pass: impl FnOnce(&DeviceValues<E>) -> Result<DeviceValues<E>, GpuError>,
    ) -> Result<Run<E>, AggregateError> {
        let tree = self.on.tree();
        let values = tree.to_positions(x).map_err(wrong_length)?;
        self.on.prepare(engine.form())?;
        let form = self.on.transfer_seconds(engine.form()).unwrap_or(0.0);
        let up = self.on.upload(&values)?;
        let computed = pass(&up).map_err(|error| by_vertex(tree, error))?;
        let (answers, download) = computed.download()?;
        let answers = tree.to_vertices(&answers).map_err(wrong_length)?;
        let seconds =
            Seconds { upload: form + up.seconds(), compute: computed.seconds(), download };
        Ok(Run { solved: Solved { answers, present: None, engine: None }, engine, seconds })
    }
}
