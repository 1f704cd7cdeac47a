//! Calls of devices, and the way back to the host.

use super::{DeviceOptions, EngineName, INSTEAD, Wish};
use crate::session::Session;
use palmette::gpu::{Device, DeviceParams, GpuError, Seconds};
use palmette::{
    AggregateError, AggregateParams, Answer, DeviceAggregate, DeviceAnswers, DeviceEngine,
    Direction, Measure, OperatorName, PathParams, Tree, Values, device_aggregate,
    device_aggregate_paths, device_edge_distances, device_lca, device_measure,
};
use palmette_report::{Cell, Table};
use std::time::Instant;

/// The aggregate, where a device was asked for and can.
pub(crate) fn aggregate(
    session: &mut Session,
    options: &DeviceOptions,
    engine: EngineName,
    tree: &Tree,
    (direction, operator): (Direction, OperatorName),
    values: &[Values],
    params: &AggregateParams,
) -> anyhow::Result<Option<Answer>> {
    let done = attempt(session, options, engine, |device, name| {
        let engine = DeviceEngine::ALL.into_iter().find(|e| e.name() == name).unwrap_or_default();
        let run = device_aggregate(device, tree, direction, operator, values, params, engine)?;
        Ok((run.seconds, run))
    })?;
    Ok(done.map(|run| noted(session, run)))
}

/// The products along paths, where a device was asked for and can.
pub(crate) fn paths(
    session: &mut Session,
    options: &DeviceOptions,
    engine: EngineName,
    tree: &Tree,
    pairs: &[(u32, u32)],
    (operator, values, params): (OperatorName, &[Values], &PathParams),
) -> anyhow::Result<Option<Answer>> {
    let done = attempt(session, options, engine, |device, _| {
        let run = device_aggregate_paths(device, tree, pairs, operator, values, params)?;
        Ok((run.seconds, run))
    })?;
    Ok(done.map(|run| noted(session, run)))
}

fn noted(session: &mut Session, run: DeviceAggregate) -> Answer {
    session.record.figure("engine", run.engine.name());
    if run.not_finite > 0 {
        session.record.figure("not_finite", run.not_finite);
        session.note(&format!("{} sums left the range of f32", run.not_finite));
    }
    run.answer
}

/// The measure, where a device was asked for and can.
pub(crate) fn measure(
    session: &mut Session,
    options: &DeviceOptions,
    engine: EngineName,
    tree: &Tree,
    measure: Measure,
) -> anyhow::Result<Option<Values>> {
    let done = attempt(session, options, engine, |device, _| {
        let found = device_measure(device, tree, measure)?;
        Ok((found.seconds, found.values))
    })?;
    if done.is_some() {
        session.record.figure("engine", DeviceEngine::Auto.name());
    }
    Ok(done)
}

/// Whether to go on with a device.
pub(crate) fn is_wanted(
    _: &Session,
    options: &DeviceOptions,
    engine: EngineName,
) -> anyhow::Result<bool> {
    Ok(options.wish(engine)? != Wish::Nothing)
}

pub(crate) fn lca(
    session: &mut Session,
    options: &DeviceOptions,
    engine: EngineName,
    tree: &Tree,
    pairs: &[(u32, u32)],
) -> anyhow::Result<Option<Vec<u32>>> {
    queries(session, options, engine, |device| device_lca(device, tree, pairs))
}

pub(crate) fn edge_distances(
    session: &mut Session,
    options: &DeviceOptions,
    engine: EngineName,
    tree: &Tree,
    pairs: &[(u32, u32)],
) -> anyhow::Result<Option<Vec<u32>>> {
    queries(session, options, engine, |device| device_edge_distances(device, tree, pairs))
}

fn queries(
    session: &mut Session,
    options: &DeviceOptions,
    engine: EngineName,
    ask: impl FnOnce(&Device) -> Result<DeviceAnswers, GpuError>,
) -> anyhow::Result<Option<Vec<u32>>> {
    let done = attempt(session, options, engine, |device, _| {
        let found = ask(device)?;
        Ok((found.seconds, found.answers))
    })?;
    if done.is_some() {
        session.record.figure("engine", DeviceEngine::Auto.name());
    }
    Ok(done)
}

/// Opens the device and does the work, where a device was asked for. What the device cannot do
/// is an error, or a note where the host may do it instead.
fn attempt<T>(
    session: &mut Session,
    options: &DeviceOptions,
    engine: EngineName,
    work: impl FnOnce(&Device, &str) -> Result<(Seconds, T), AggregateError>,
) -> anyhow::Result<Option<T>> {
    let (name, must) = match options.wish(engine)? {
        Wish::Nothing => return Ok(None),
        Wish::Try(name) => (name, false),
        Wish::Must(name) => (name, true),
    };
    let start = Instant::now();
    let (choice, memory) = (options.device.clone(), options.device_memory);
    let params = DeviceParams { choice, memory, ..DeviceParams::default() };
    let done = Device::open(&params).map_err(AggregateError::from).and_then(|device| {
        let (seconds, answer) = work(&device, name)?;
        Ok((device.info().clone(), seconds, answer))
    });
    let (info, seconds, answer) = match done {
        Ok(done) => done,
        Err(error) if !must && is_the_devices(&error) => {
            session.note(&format!("{error}; {INSTEAD}"));
            return Ok(None);
        }
        Err(error) => return Err(error.into()),
    };
    let Seconds { upload, compute, download } = seconds;
    let prepare = (start.elapsed().as_secs_f64() - upload - compute - download).max(0.0);
    for (phase, seconds) in
        [("prepare", prepare), ("upload", upload), ("compute", compute), ("download", download)]
    {
        session.record.seconds.insert(phase.to_string(), seconds.into());
    }
    session.record.figure("device", info.name).figure("device_kind", info.kind.name());
    Ok(Some(answer))
}

/// Whether the host may succeed where this went wrong.
fn is_the_devices(error: &AggregateError) -> bool {
    matches!(
        error,
        AggregateError::Device(_)
            | AggregateError::NoKernel { .. }
            | AggregateError::NotFinite { .. }
            | AggregateError::NoMeasure
            | AggregateError::HostSums
    )
}

/// Lists the devices.
pub(crate) fn devices(session: &mut Session) -> anyhow::Result<()> {
    let all = session.phase("find", palmette::gpu::devices);
    let mut table = Table::new(&["number", "device", "kind", "interface", "driver", "binding"]);
    for info in &all {
        table.row([
            Cell::from(info.index as u64),
            Cell::from(info.name.as_str()),
            Cell::from(info.kind.name()),
            Cell::from(info.backend.as_str()),
            Cell::from(info.driver.as_str()),
            Cell::from(info.binding_bytes),
        ]);
    }
    let list: Vec<serde_json::Value> = all
        .iter()
        .map(|info| {
            serde_json::json!({
                "number": info.index,
                "device": info.name,
                "kind": info.kind.name(),
                "interface": info.backend,
                "driver": info.driver,
                "binding_bytes": info.binding_bytes,
                "buffer_bytes": info.buffer_bytes,
                "workgroups": info.workgroups,
            })
        })
        .collect();
    session.record.figure("count", all.len()).figure("devices", list);
    let text = if all.is_empty() { format!("{}\n", GpuError::NoDevice) } else { table.to_string() };
    session.end_with(text, &["count", "devices"]);
    Ok(())
}
