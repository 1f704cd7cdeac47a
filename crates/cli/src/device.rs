//! Engines on devices as options, and the way back to the host. A build without the feature
//! `gpu` has the options, too; using them says which build has devices.

use crate::prelude::*;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use palmette::{
    Answer, DeviceChoice, DeviceEngine, DeviceRun, Engine, list_devices, run_on_device,
};
use std::time::Instant;

/// Whether this command knows devices. The façade may have the kernels all the same, so that one build
/// of it serves commands of both kinds: where this is false nothing calls them, and the linker leaves
/// them out.
const HAS_DEVICES: bool = cfg!(feature = "gpu");

/// What `--engine` names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum AnyEngine {
    Host(Engine),
    Device(DeviceEngine),
}

impl AnyEngine {
    pub(crate) fn name(self) -> &'static str {
        match self {
            AnyEngine::Host(engine) => engine.name(),
            AnyEngine::Device(engine) => engine.name(),
        }
    }

    /// Whether queries and measures can use the engine.
    pub(crate) fn suits_queries(self) -> bool {
        QUERY_ENGINES.contains(&self)
    }

    /// The host's engine, unless a device was requested.
    pub(crate) fn host(self) -> Engine {
        match self {
            AnyEngine::Host(engine) => engine,
            AnyEngine::Device(_) => Engine::Auto,
        }
    }
}

const QUERY_ENGINES: [AnyEngine; 2] =
    [AnyEngine::Host(Engine::Auto), AnyEngine::Device(DeviceEngine::Auto)];

/// Any engine for rootfix and leaffix.
pub(crate) fn engine() -> impl TypedValueParser<Value = AnyEngine> {
    let host = Engine::ALL.map(AnyEngine::Host).into_iter();
    one_of(host.chain(DeviceEngine::ALL.map(AnyEngine::Device)))
}

/// An engine for queries: `auto` is the host.
pub(crate) fn query_engine() -> impl TypedValueParser<Value = AnyEngine> {
    one_of(QUERY_ENGINES.into_iter())
}

fn one_of(engines: impl Iterator<Item = AnyEngine>) -> impl TypedValueParser<Value = AnyEngine> {
    PossibleValuesParser::new(engines.map(AnyEngine::name)).try_map(|text| {
        let host = || text.parse().map(AnyEngine::Host);
        text.parse().map(AnyEngine::Device).or_else(|_| host())
    })
}

/// Which device.
#[derive(Debug, Args)]
pub(crate) struct DeviceOptions {
    /// Device for `--engine gpu`: a number, part of a name, or a kind, as listed by `palmette tree
    /// devices`. With `--engine auto` the device is tried first, then the host's threads.
    #[arg(long, value_name = "DEVICE")]
    pub(crate) device: Option<String>,
    /// Limit on device memory, such as 500M or 8G.
    #[arg(long, value_name = "BYTES", value_parser = palmette_vocabulary::bytes)]
    pub(crate) device_memory: Option<u64>,
}

/// What the options ask of devices.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Wish {
    Nothing,
    /// An engine, if the device can.
    Try(DeviceEngine),
    /// An engine, or an error.
    Must(DeviceEngine),
}

const MISSING: &str = "this build has no device support; rebuild with \
     `cargo build --release -p palmette-cli --features gpu`";

const INSTEAD: &str = "using the host's threads instead";

impl DeviceOptions {
    fn wish(&self, engine: AnyEngine) -> Result<Wish> {
        match (engine, &self.device) {
            (AnyEngine::Device(engine), _) => Ok(Wish::Must(engine)),
            (AnyEngine::Host(_), None) if self.device_memory.is_some() => {
                bail!("--device-memory needs --engine gpu or --device")
            }
            (AnyEngine::Host(_), None) => Ok(Wish::Nothing),
            (AnyEngine::Host(Engine::Auto), Some(_)) => Ok(Wish::Try(DeviceEngine::Auto)),
            (AnyEngine::Host(engine), Some(_)) => {
                bail!("--device works with --engine auto or gpu, not {engine}")
            }
        }
    }

    /// Reports what no device can do: as an error if a device is required, as a note if the host
    /// may take over.
    pub(crate) fn refuse(&self, session: &Session, engine: AnyEngine, why: &str) -> Result<()> {
        match self.wish(engine)? {
            Wish::Nothing => (),
            Wish::Try(_) => session.note(&format!("{why}; {INSTEAD}")),
            Wish::Must(name) => bail!("--engine {name}: {why}"),
        }
        Ok(())
    }

    /// Whether to go on with a device.
    pub(crate) fn is_wanted(&self, session: &Session, engine: AnyEngine) -> Result<bool> {
        if !HAS_DEVICES {
            self.refuse(session, engine, MISSING)?;
        }
        Ok(HAS_DEVICES && self.wish(engine)? != Wish::Nothing)
    }

    /// Does the work, where a device was asked for. What the device cannot do is an error, or a
    /// note where the host may do it instead.
    pub(crate) fn run<'a>(
        &self,
        session: &mut Session,
        engine: AnyEngine,
        tree: &Tree,
        job: impl FnOnce(DeviceEngine) -> DeviceJob<'a>,
    ) -> Result<Option<Answer>> {
        if !self.is_wanted(session, engine)? || !HAS_DEVICES {
            return Ok(None);
        }
        let (engine, must) = match self.wish(engine)? {
            Wish::Must(engine) => (engine, true),
            Wish::Try(engine) => (engine, false),
            Wish::Nothing => return Ok(None),
        };
        let start = Instant::now();
        let choice = DeviceChoice { device: self.device.clone(), memory: self.device_memory };
        let run = match run_on_device(&choice, tree, job(engine)) {
            Ok(run) => run,
            Err(error) if !must && error.is_of_devices() => {
                session.note(&format!("{error}; {INSTEAD}"));
                return Ok(None);
            }
            Err(error) => return Err(error.into()),
        };
        session.figures(&run);
        let DeviceRun { answer, not_finite, seconds, .. } = run;
        let there: f64 = seconds.iter().map(|(_, seconds)| seconds).sum();
        let prepare = ("prepare", (start.elapsed().as_secs_f64() - there).max(0.0));
        for (phase, seconds) in [prepare].into_iter().chain(seconds) {
            session.record.seconds.insert(phase.to_string(), seconds.into());
        }
        if not_finite > 0 {
            session.note(&format!("{not_finite} sums overflowed f32"));
        }
        Ok(Some(answer))
    }
}

#[derive(Debug, Args)]
#[command(arg = not_in_place())]
pub(crate) struct Arguments {}

/// `palmette tree devices`.
pub(crate) fn list(_: &Arguments, run: &RunOptions) -> Result<()> {
    if !HAS_DEVICES {
        bail!(MISSING);
    }
    let mut session = Session::open("tree devices", Files::default(), run)?;
    let all = session.phase("find", list_devices)?;
    let mut table = Table::new(&["number", "device", "kind", "interface", "driver", "binding"]);
    for found in &all {
        table.row([
            Cell::from(found.number as u64),
            Cell::from(found.device.as_str()),
            Cell::from(found.kind),
            Cell::from(found.interface.as_str()),
            Cell::from(found.driver.as_str()),
            Cell::from(found.binding_bytes),
        ]);
    }
    session.figures(&all);
    let text = if all.is_empty() { NO_DEVICE.to_string() } else { table.to_string() };
    session.end_with(text, all.lists());
    session.finish()
}

const NO_DEVICE: &str = "no device that computes was found\n";
