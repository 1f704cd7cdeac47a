//! Work for a graphics processor.
//!
//! The types are always there. Without the feature `gpu` there is no device to run on, and
//! asking for one is the error [`AggregateError::NoDevices`].

use crate::aggregate::{AggregateError, AggregateParams, Answer, Direction, Operator, PathParams};
use crate::measures::Measure;
use palmette_core::{Tree, named};
use palmette_io::ValueSlice;
use serde::Serialize;

named! {
    /// An engine on a device.
    #[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
    #[non_exhaustive]
    pub enum DeviceEngine("engine") {
        /// Packets for many small trees; else the scan for integers with inverses, and contraction
        /// for everything else, because the scan loses digits of floats.
        #[default]
        Auto = "gpu",
        /// Write, scan, read over the Euler tour; needs a group.
        Euler = "gpu-euler",
        /// Level by level.
        Levels = "gpu-levels",
        /// Rake and compress.
        Contract = "gpu-contract",
        /// A workgroup for every few trees of a forest; they have at most 1,024 vertices each.
        Trees = "gpu-trees",
    }
}

/// Whether this build knows devices.
pub const HAS_DEVICES: bool = cfg!(feature = "gpu");

/// Which device, and how much of it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DeviceChoice {
    /// A number, a part of a name, or a kind; the fastest by default.
    pub device: Option<String>,
    /// Bytes of its memory to use at most.
    pub memory: Option<u64>,
}

/// What a device is asked to compute on a tree. Values, pairs and answers are by vertex.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
#[expect(missing_docs, reason = "fields are the arguments of the functions that are named")]
pub enum DeviceJob<'a> {
    /// As [`aggregate`](crate::aggregate()). An operator that takes one column also takes several,
    /// and has as many answers, in order.
    Treefix {
        direction: Direction,
        operator: Operator,
        values: &'a [ValueSlice<'a>],
        params: &'a AggregateParams,
        engine: DeviceEngine,
    },
    /// As [`aggregate_paths`](crate::aggregate_paths).
    Paths {
        pairs: &'a [(u32, u32)],
        operator: Operator,
        values: &'a [ValueSlice<'a>],
        params: &'a PathParams,
    },
    /// As [`Measure::by_vertex`].
    Measure(Measure),
    /// The lowest common ancestor of each pair.
    Lca(&'a [(u32, u32)]),
    /// The number of edges between each pair.
    EdgeDistances(&'a [(u32, u32)]),
}

/// What a device computed, and what that took.
#[derive(Debug, Clone, PartialEq)]
pub struct DeviceRun {
    /// The answers.
    pub answer: Answer,
    /// The engine that ran.
    pub engine: DeviceEngine,
    /// Sums of f32 that left their range: infinite, or not a number.
    pub not_finite: usize,
    /// Seconds to the device, on it, and back. The tree's form is part of the first.
    pub seconds: [(&'static str, f64); 3],
    /// The device's name.
    pub device: String,
    /// What kind of device it is.
    pub device_kind: &'static str,
}

/// What is known of a device before it is opened.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct DeviceFigures {
    /// Its number, by which it can be chosen.
    pub number: usize,
    /// What its driver calls it.
    pub device: String,
    /// What kind of device it is.
    pub kind: &'static str,
    /// The interface: vulkan, metal or dx12.
    pub interface: String,
    /// The driver and its version.
    pub driver: String,
    /// The largest array that a kernel can bind, in bytes.
    pub binding_bytes: u64,
    /// The largest buffer, in bytes.
    pub buffer_bytes: u64,
    /// Workgroups per dimension of a dispatch.
    pub workgroups: u32,
}

/// Opens a device and lets it compute.
///
/// # Errors
/// As [`aggregate`](crate::aggregate()); what the device says; [`AggregateError::NoDevices`]
/// without the feature `gpu`.
///
/// # Panics
/// When a pair names a vertex that does not exist.
pub fn run_on_device(
    choice: &DeviceChoice,
    tree: &Tree,
    job: DeviceJob<'_>,
) -> Result<DeviceRun, AggregateError> {
    with_feature::run(choice, tree, job)
}

/// The devices of this machine.
///
/// # Errors
/// [`AggregateError::NoDevices`] without the feature `gpu`.
pub fn list_devices() -> Result<Vec<DeviceFigures>, AggregateError> {
    with_feature::list()
}

#[cfg(not(feature = "gpu"))]
mod with_feature {
    use super::*;

    pub(super) fn run(
        _: &DeviceChoice,
        _: &Tree,
        _: DeviceJob<'_>,
    ) -> Result<DeviceRun, AggregateError> {
        Err(AggregateError::NoDevices)
    }

    pub(super) fn list() -> Result<Vec<DeviceFigures>, AggregateError> {
        Err(AggregateError::NoDevices)
    }
}

#[cfg(feature = "gpu")]
mod with_feature {
    use super::*;
    use crate::aggregate::{
        DeviceAggregate, device_aggregate, device_aggregate_paths, device_measure,
    };
    use crate::device_queries::{device_edge_distances, device_lca};
    use palmette_gpu::{Device, DeviceParams, Seconds, devices};

    pub(super) fn run(
        choice: &DeviceChoice,
        tree: &Tree,
        job: DeviceJob<'_>,
    ) -> Result<DeviceRun, AggregateError> {
        let DeviceChoice { device, memory } = choice.clone();
        let params = DeviceParams { choice: device, memory, ..DeviceParams::default() };
        let device = Device::open(&params)?;
        let found = match job {
            DeviceJob::Treefix { direction, operator, values, params, engine } => {
                device_aggregate(&device, tree, direction, operator, values, params, engine)?
            }
            DeviceJob::Paths { pairs, operator, values, params } => {
                device_aggregate_paths(&device, tree, pairs, operator, values, params)?
            }
            DeviceJob::Measure(measure) => device_measure(&device, tree, measure)?,
            DeviceJob::Lca(pairs) => device_lca(&device, tree, pairs)?,
            DeviceJob::EdgeDistances(pairs) => device_edge_distances(&device, tree, pairs)?,
        };
        let DeviceAggregate { answer, engine, not_finite, seconds } = found;
        let Seconds { upload, compute, download } = seconds;
        let seconds = [("upload", upload), ("compute", compute), ("download", download)];
        let info = device.info();
        let (device, device_kind) = (info.name.clone(), info.kind.name());
        Ok(DeviceRun { answer, engine, not_finite, seconds, device, device_kind })
    }

    pub(super) fn list() -> Result<Vec<DeviceFigures>, AggregateError> {
        let figures = devices().into_iter().map(|info| DeviceFigures {
            number: info.index,
            device: info.name,
            kind: info.kind.name(),
            interface: info.backend,
            driver: info.driver,
            binding_bytes: info.binding_bytes,
            buffer_bytes: info.buffer_bytes,
            workgroups: info.workgroups,
        });
        Ok(figures.collect())
    }
}
