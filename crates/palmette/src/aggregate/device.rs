//! Aggregates on a graphics processor, with operators chosen at run time.
//!
//! | operator | types with a kernel |
//! |---|---|
//! | count, sum | i64, u64, f32 |
//! | min, max | i64, u64, f64, f32 |
//! | xor, and, or | i64, u64 |
//!
//! Whether a sum fits is decided as on the host, so that answers and errors are the same.

use super::problem::{Problem, Treefix, wrong_length};
use super::{AggregateError, AggregateParams, Answer, AnswerColumn, Direction, OperatorName};
use palmette_core::operator::{And, Max, Min, Number, Operator, Or, Sum, Xor};
use palmette_core::{Monoid, Tree};
use palmette_gpu::{
    Device, DeviceTree, DeviceValues, Element, Form, GpuError, GroupKernel, Kernel, Seconds,
    leaffix, rootfix,
};
use palmette_io::Values;
use palmette_tree::TreefixError;
use std::fmt;

/// An engine on a device.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum DeviceEngine {
    /// The scan for integers with inverses; contraction for everything else, because the scan
    /// loses digits of floats.
    #[default]
    Auto,
    /// Write, scan, read over the Euler tour; needs a group.
    Euler,
    /// Level by level.
    Levels,
    /// Rake and compress.
    Contract,
}

impl DeviceEngine {
    /// Every engine, `auto` first.
    pub const ALL: [DeviceEngine; 4] =
        [DeviceEngine::Auto, DeviceEngine::Euler, DeviceEngine::Levels, DeviceEngine::Contract];

    /// The name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            DeviceEngine::Auto => "gpu",
            DeviceEngine::Euler => "gpu-euler",
            DeviceEngine::Levels => "gpu-levels",
            DeviceEngine::Contract => "gpu-contract",
        }
    }

    const fn form(self) -> Form {
        match self {
            DeviceEngine::Auto | DeviceEngine::Euler => Form::Tour,
            DeviceEngine::Levels => Form::Levels,
            DeviceEngine::Contract => Form::Contraction,
        }
    }
}

impl fmt::Display for DeviceEngine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// An aggregate from a device.
#[derive(Debug, Clone, PartialEq)]
pub struct DeviceAggregate {
    /// The answers, as [`aggregate`](super::aggregate) gives them.
    pub answer: Answer,
    /// The engine that ran.
    pub engine: DeviceEngine,
    /// What it took. The tree's form is part of the upload.
    pub seconds: Seconds,
    /// Answers that are infinite or not a number: sums of f32 that left their range.
    pub not_finite: usize,
}

/// As [`aggregate`](super::aggregate), on a device.
///
/// # Errors
/// As [`aggregate`](super::aggregate); also for operators and types without a kernel, for
/// values that are infinite or not a number where kernels add, and for what the device says.
pub fn device_aggregate(
    device: &Device,
    tree: &Tree,
    direction: Direction,
    operator: OperatorName,
    values: &[Values],
    params: &AggregateParams,
    engine: DeviceEngine,
) -> Result<DeviceAggregate, AggregateError> {
    let &AggregateParams { wrapping, modulus, seed, .. } = params;
    let settings = super::dispatch::Settings { wrapping, modulus, seed };
    super::dispatch::check(tree.len(), operator, values, settings)?;
    let host = Treefix { tree, direction, scope: params.scope, engine: params.engine };
    let job = Job { on: DeviceTree::new(device, tree)?, host, engine, name: operator.name() };
    let none = |values: Option<&Values>| AggregateError::NoKernel {
        operator,
        actual: values.map(Values::value_type),
    };
    use OperatorName as O;
    match (operator, values) {
        (O::Count, _) => job.sum(&vec![1u64; tree.len()], true),
        (O::Sum, [Values::I64(x)]) => job.sum(x, wrapping),
        (O::Sum, [Values::U64(x)]) => job.sum(x, wrapping),
        (O::Sum, [Values::F32(x)]) => job.sum(x, wrapping),
        (O::Min, [Values::I64(x)]) => job.monoid(&Min::new(), x),
        (O::Min, [Values::U64(x)]) => job.monoid(&Min::new(), x),
        (O::Min, [Values::F64(x)]) => job.monoid(&Min::new(), x),
        (O::Min, [Values::F32(x)]) => job.monoid(&Min::new(), x),
        (O::Max, [Values::I64(x)]) => job.monoid(&Max::new(), x),
        (O::Max, [Values::U64(x)]) => job.monoid(&Max::new(), x),
        (O::Max, [Values::F64(x)]) => job.monoid(&Max::new(), x),
        (O::Max, [Values::F32(x)]) => job.monoid(&Max::new(), x),
        (O::Xor, [Values::I64(x)]) => job.group(&Xor::new(), x),
        (O::Xor, [Values::U64(x)]) => job.group(&Xor::new(), x),
        (O::And, [Values::I64(x)]) => job.monoid(&And::new(), x),
        (O::And, [Values::U64(x)]) => job.monoid(&And::new(), x),
        (O::Or, [Values::I64(x)]) => job.monoid(&Or::new(), x),
        (O::Or, [Values::U64(x)]) => job.monoid(&Or::new(), x),
        (_, values) => Err(none(values.first())),
    }
}

struct Job<'a> {
    on: DeviceTree<'a>,
    host: Treefix<'a>,
    engine: DeviceEngine,
    name: &'static str,
}

impl Job<'_> {
    /// Sums, with the recount of the [module](super) above.
    fn sum<T: Number + Element>(
        &self,
        x: &[T],
        wrapping: bool,
    ) -> Result<DeviceAggregate, AggregateError>
    where
        Sum<T>: GroupKernel + Monoid<Elem = T>,
        Values: From<Vec<T>>,
    {
        let op = Sum::<T>::new();
        let recount = !wrapping && op.may_overflow(x);
        let (answers, run) = self.group_answers(&op, x)?;
        if recount {
            let exact: Vec<i128> = x.iter().map(|v| v.exact().unwrap_or(0)).collect();
            let exact = self.host.exact_sums(&exact)?;
            let wrong = |(sum, &exact): (&T, &i128)| sum.exact() != Some(exact);
            if let Some(row) = answers.iter().zip(&exact).position(wrong) {
                return Err(self.host.overflow(row, exact[row]));
            }
        }
        Ok(self.finish(answers, run))
    }

    fn group<G: GroupKernel>(
        &self,
        op: &G,
        x: &[G::Elem],
    ) -> Result<DeviceAggregate, AggregateError>
    where
        Values: From<Vec<G::Elem>>,
    {
        let (answers, run) = self.group_answers(op, x)?;
        Ok(self.finish(answers, run))
    }

    fn group_answers<G: GroupKernel>(
        &self,
        op: &G,
        x: &[G::Elem],
    ) -> Result<(Vec<G::Elem>, Run), AggregateError> {
        let exact = op.takes_infinity();
        match self.engine {
            DeviceEngine::Auto if !exact => self.monoid_answers(op, x),
            DeviceEngine::Auto | DeviceEngine::Euler => {
                self.run(DeviceEngine::Euler, x, |values| match self.host.direction {
                    Direction::Rootfix => rootfix::euler(&self.on, values, op, self.host.scope),
                    Direction::Leaffix => leaffix::euler(&self.on, values, op, self.host.scope),
                })
            }
            DeviceEngine::Levels | DeviceEngine::Contract => self.monoid_answers(op, x),
        }
    }

    fn monoid<K: Kernel>(&self, op: &K, x: &[K::Elem]) -> Result<DeviceAggregate, AggregateError>
    where
        Values: From<Vec<K::Elem>>,
    {
        let (answers, run) = self.monoid_answers(op, x)?;
        Ok(self.finish(answers, run))
    }

    fn monoid_answers<K: Kernel>(
        &self,
        op: &K,
        x: &[K::Elem],
    ) -> Result<(Vec<K::Elem>, Run), AggregateError> {
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

    /// To positions and to the device, through an engine, and back.
    fn run<E: Element>(
        &self,
        engine: DeviceEngine,
        x: &[E],
        pass: impl FnOnce(&DeviceValues<E>) -> Result<DeviceValues<E>, GpuError>,
    ) -> Result<(Vec<E>, Run), AggregateError> {
        let tree = self.on.tree();
        let values = tree.to_positions(x).map_err(wrong_length)?;
        self.on.prepare(engine.form())?;
        let form = self.on.transfer_seconds(engine.form()).unwrap_or(0.0);
        let up = self.on.upload(&values)?;
        let computed = pass(&up).map_err(|error| self.by_vertex(error))?;
        let (answers, download) = computed.download()?;
        let not_finite = answers.iter().filter(|x| !x.is_finite()).count();
        let answers = tree.to_vertices(&answers).map_err(wrong_length)?;
        let seconds =
            Seconds { upload: form + up.seconds(), compute: computed.seconds(), download };
        Ok((answers, Run { engine, seconds, not_finite }))
    }

    /// Places in messages are the user's vertices.
    fn by_vertex(&self, error: GpuError) -> AggregateError {
        match error {
            GpuError::NotFinite { position, nan } => {
                let vertex = self.on.tree().vertices()[position];
                AggregateError::NotFinite { vertex, nan }
            }
            other => other.into(),
        }
    }

    fn finish<T>(&self, answers: Vec<T>, run: Run) -> DeviceAggregate
    where
        Values: From<Vec<T>>,
    {
        let columns = vec![AnswerColumn::numbers(self.name, answers)];
        let answer = Answer { columns, present: None, engine: None, findings: None };
        let Run { engine, seconds, not_finite } = run;
        DeviceAggregate { answer, engine, seconds, not_finite }
    }
}

struct Run {
    engine: DeviceEngine,
    seconds: Seconds,
    not_finite: usize,
}
