//! This build knows no devices.

use super::{DeviceOptions, EngineName, INSTEAD, Wish};
use crate::session::Session;
use palmette::{
    AggregateParams, Answer, Direction, Measure, OperatorName, PathParams, Tree, Values,
};

const MISSING: &str = "this palmette was built without devices; build it with \
     `cargo build --release -p palmette-cli --features gpu`";

fn nothing<T>(
    session: &Session,
    options: &DeviceOptions,
    engine: EngineName,
) -> anyhow::Result<Option<T>> {
    match options.wish(engine)? {
        Wish::Nothing => Ok(None),
        Wish::Try(_) => {
            session.note(&format!("{MISSING}; {INSTEAD}"));
            Ok(None)
        }
        Wish::Must(_) => anyhow::bail!("{MISSING}"),
    }
}

pub(crate) fn aggregate(
    session: &mut Session,
    options: &DeviceOptions,
    engine: EngineName,
    _: &Tree,
    _: (Direction, OperatorName),
    _: &[Values],
    _: &AggregateParams,
) -> anyhow::Result<Option<Answer>> {
    nothing(session, options, engine)
}

pub(crate) fn paths(
    session: &mut Session,
    options: &DeviceOptions,
    engine: EngineName,
    _: &Tree,
    _: &[(u32, u32)],
    _: (OperatorName, &[Values], &PathParams),
) -> anyhow::Result<Option<Answer>> {
    nothing(session, options, engine)
}

pub(crate) fn measure(
    session: &mut Session,
    options: &DeviceOptions,
    engine: EngineName,
    _: &Tree,
    _: Measure,
) -> anyhow::Result<Option<Values>> {
    nothing(session, options, engine)
}

/// Whether to go on with a device: never.
pub(crate) fn is_wanted(
    session: &Session,
    options: &DeviceOptions,
    engine: EngineName,
) -> anyhow::Result<bool> {
    Ok(nothing::<()>(session, options, engine)?.is_some())
}

pub(crate) fn lca(
    session: &mut Session,
    options: &DeviceOptions,
    engine: EngineName,
    _: &Tree,
    _: &[(u32, u32)],
) -> anyhow::Result<Option<Vec<u32>>> {
    nothing(session, options, engine)
}

pub(crate) fn edge_distances(
    session: &mut Session,
    options: &DeviceOptions,
    engine: EngineName,
    _: &Tree,
    _: &[(u32, u32)],
) -> anyhow::Result<Option<Vec<u32>>> {
    nothing(session, options, engine)
}

pub(crate) fn devices(_: &mut Session) -> anyhow::Result<()> {
    anyhow::bail!("{MISSING}")
}
