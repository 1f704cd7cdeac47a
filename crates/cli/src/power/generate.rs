//! `palmette power generate`.

use super::feeder::write_feeder;
use crate::prelude::*;
use palmette::io::FeederFormat;
use palmette::power::generate::{PowerShape, shaped_feeder, write_netlist};

#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// grid:ROWSxCOLUMNS: a chip's grid of two layers, as a SPICE netlist; feeder:BUSES and
    /// feeder3:BUSES: a radial feeder, balanced or of three phases.
    #[arg(value_name = "SHAPE")]
    shape: PowerShape,
    /// Seed for every random choice.
    #[arg(long, value_name = "S", default_value_t = DEFAULT_SEED)]
    seed: u64,
    /// Output network, optionally gz or zst; of a feeder, a folder of tables, or power-grid-model's
    /// JSON by the name.
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

pub(crate) fn run(arguments: &Arguments, run: &RunOptions) -> Result<()> {
    let &Arguments { shape, seed, .. } = arguments;
    let output = arguments.output.as_deref();
    if let PowerShape::Feeder { .. } = shape {
        return feeder(arguments, run);
    }
    let files = Files::made(&shape.to_string()).writes("-o", output, Kind::NETLIST);
    let mut session = Session::open("power generate", files, run)?;
    session.parameter("shape", shape.to_string()).parameter("seed", seed);
    session.record.figure("nodes", shape.nodes() as u64);
    if let Some(path) = session.destination(output) {
        session.write(&path, |out| write_netlist(shape, seed, out))?;
    }
    session.finish()
}

fn feeder(arguments: &Arguments, run: &RunOptions) -> Result<()> {
    let &Arguments { shape, seed, .. } = arguments;
    let Some(output) = arguments.output.as_deref() else {
        bail!("a feeder is a folder of tables; give its name with -o");
    };
    let (files, format) = super::feeder::output(Files::made(&shape.to_string()), output, None)?;
    let mut session = Session::open("power generate", files, run)?;
    session.parameter("shape", shape.to_string()).parameter("seed", seed);
    let made = session.phase("generate", || shaped_feeder(shape, seed))?;
    let made = made.context("no feeder")?;
    let written = if format == FeederFormat::Tables { "tables" } else { format.name() };
    session.record.figure("buses", made.bus_names().len()).figure("format", written);
    write_feeder(&mut session, output, format, &made)?;
    session.finish()
}
