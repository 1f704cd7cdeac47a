//! Engines on devices as options. Without the feature `gpu` the options are there, and say so.

#[cfg(not(feature = "gpu"))]
mod off;
#[cfg(feature = "gpu")]
mod on;

#[cfg(not(feature = "gpu"))]
pub(crate) use off::{aggregate, devices, edge_distances, is_wanted, lca, measure, paths};
#[cfg(feature = "gpu")]
pub(crate) use on::{aggregate, devices, edge_distances, is_wanted, lca, measure, paths};

use crate::session::Session;
use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use palmette::Engine;

/// What `--engine` names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum EngineName {
    Host(Engine),
    Device(&'static str),
}

/// As `palmette::DeviceEngine` has them; that is only there with the feature.
const DEVICE_ENGINES: [&str; 4] = ["gpu", "gpu-euler", "gpu-levels", "gpu-contract"];

impl EngineName {
    pub(crate) fn name(self) -> &'static str {
        match self {
            EngineName::Host(engine) => engine.name(),
            EngineName::Device(name) => name,
        }
    }

    /// Whether it is an engine for queries and measures, where nothing else is to choose.
    pub(crate) fn suits_queries(self) -> bool {
        [EngineName::Host(Engine::Auto), EngineName::Device(DEVICE_ENGINES[0])].contains(&self)
    }

    /// The host's engine, where a device's is not what was asked for.
    pub(crate) fn host(self) -> Engine {
        match self {
            EngineName::Host(engine) => engine,
            EngineName::Device(_) => Engine::Auto,
        }
    }
}

/// Any engine for rootfix and leaffix.
pub(crate) fn engine() -> impl TypedValueParser<Value = EngineName> {
    named(Engine::ALL.map(Engine::name).into_iter().chain(DEVICE_ENGINES))
}

/// An engine for queries: `auto` is the host.
pub(crate) fn query_engine() -> impl TypedValueParser<Value = EngineName> {
    named([Engine::Auto.name(), DEVICE_ENGINES[0]].into_iter())
}

fn named(names: impl Iterator<Item = &'static str>) -> impl TypedValueParser<Value = EngineName> {
    PossibleValuesParser::new(names.collect::<Vec<_>>()).try_map(|text| {
        match DEVICE_ENGINES.into_iter().find(|&name| name == text) {
            Some(name) => Ok(EngineName::Device(name)),
            None => text.parse::<Engine>().map(EngineName::Host),
        }
    })
}

/// Which device.
#[derive(Debug, Args)]
pub(crate) struct DeviceOptions {
    /// The device for `--engine gpu`: a number, a part of a name, or a kind, as `palmette tree
    /// devices` lists them. With `--engine auto` the device is tried first, and the host's
    /// threads where it cannot.
    #[arg(long, value_name = "DEVICE")]
    pub(crate) device: Option<String>,
    /// The most device memory to use: bytes, or 500M, 8G.
    #[arg(long, value_name = "BYTES", value_parser = crate::graph::options::bytes)]
    pub(crate) device_memory: Option<u64>,
}

/// What the options ask of devices.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Wish {
    Nothing,
    /// An engine, if the device can.
    Try(&'static str),
    /// An engine, or an error.
    Must(&'static str),
}

impl DeviceOptions {
    fn wish(&self, engine: EngineName) -> anyhow::Result<Wish> {
        match (engine, &self.device) {
            (EngineName::Device(name), _) => Ok(Wish::Must(name)),
            (EngineName::Host(_), None) if self.device_memory.is_some() => {
                anyhow::bail!("--device-memory: expected --engine gpu, or --device")
            }
            (EngineName::Host(_), None) => Ok(Wish::Nothing),
            (EngineName::Host(Engine::Auto), Some(_)) => Ok(Wish::Try(DEVICE_ENGINES[0])),
            (EngineName::Host(engine), Some(_)) => {
                anyhow::bail!("--device: expected --engine auto or gpu, found {engine}")
            }
        }
    }

    /// What no device does: an error where one must, a note where the host may.
    pub(crate) fn refuse(
        &self,
        session: &Session,
        engine: EngineName,
        why: &str,
    ) -> anyhow::Result<()> {
        match self.wish(engine)? {
            Wish::Nothing => (),
            Wish::Try(_) => session.note(&format!("{why}; {INSTEAD}")),
            Wish::Must(name) => anyhow::bail!("--engine {name}: {why}"),
        }
        Ok(())
    }
}

const INSTEAD: &str = "the host's threads run instead";
