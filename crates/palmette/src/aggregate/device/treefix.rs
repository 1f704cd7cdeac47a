//! Rootfix and leaffix.

use super::{DeviceProblem, Run, by_vertex};
use crate::aggregate::AggregateError;
use crate::aggregate::problem::{Problem, Solved, Treefix};
use crate::device::DeviceEngine;
use palmette_gpu::{Columns, DeviceTree, Element, Form, GpuError, GroupKernel, Kernel, Seconds};
use palmette_tree::TreefixError;

pub(super) struct Job<'a> {
    pub(super) on: DeviceTree<'a>,
    pub(super) host: Treefix<'a>,
    pub(super) engine: DeviceEngine,
}

impl DeviceProblem for Job<'_> {
    fn group<G: GroupKernel>(
        &self,
        op: &G,
        x: &[&[G::Elem]],
    ) -> Result<Run<G::Elem>, AggregateError> {
        let scans = match self.engine {
            // The scan would lose digits of floats.
            DeviceEngine::Auto => op.takes_infinity() && !self.on.has_small_trees(),
            engine => engine == DeviceEngine::Euler,
        };
        if !scans {
            return self.monoid(op, x);
        }
        self.run(DeviceEngine::Euler, |passes| passes.euler(op, x))
    }

    fn monoid<K: Kernel>(&self, op: &K, x: &[&[K::Elem]]) -> Result<Run<K::Elem>, AggregateError> {
        let contract = || self.run(DeviceEngine::Contract, |passes| passes.contract(op, x));
        let trees = || self.run(DeviceEngine::Trees, |passes| passes.trees(op, x));
        match self.engine {
            DeviceEngine::Euler => Err(TreefixError::NeedsInverse.into()),
            DeviceEngine::Levels => self.run(DeviceEngine::Levels, |passes| passes.levels(op, x)),
            DeviceEngine::Contract => contract(),
            DeviceEngine::Trees => trees(),
            DeviceEngine::Auto if self.on.has_small_trees() => match trees() {
                // Too much for one thread is not too much for many.
                Err(AggregateError::Device(GpuError::LongKernel { .. })) => contract(),
                found => found,
            },
            DeviceEngine::Auto => contract(),
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
    /// Through an engine, with the tree's form counted when it goes up.
    fn run<E: Element>(
        &self,
        engine: DeviceEngine,
        pass: impl FnOnce(&Columns<'_, '_>) -> Result<(Vec<Vec<E>>, Seconds), GpuError>,
    ) -> Result<Run<E>, AggregateError> {
        let (on, form) = (&self.on, engine.form());
        let is_new = on.transfer_seconds(form).is_none();
        // Packets go up while others are computed.
        if form != Form::Packets {
            on.prepare(form)?;
        }
        let passes = Columns::new(on, self.host.direction, self.host.scope);
        let found = pass(&passes).map_err(|error| by_vertex(on.tree(), error));
        let (answers, mut seconds) = found?;
        if is_new {
            seconds.upload += on.transfer_seconds(form).unwrap_or(0.0);
        }
        let solved = |answers| Solved { answers, present: None, engine: None };
        Ok(Run { solved: answers.into_iter().map(solved).collect(), engine, seconds })
    }
}
