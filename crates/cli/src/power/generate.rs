//! `palmette power generate`.

use crate::prelude::*;
use palmette::power::generate::{PowerShape, write_netlist};

#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// grid:ROWSxCOLUMNS: a chip's grid of two layers, as a SPICE netlist.
    #[arg(value_name = "SHAPE")]
    shape: PowerShape,
    /// Seed for every random choice.
    #[arg(long, value_name = "S", default_value_t = DEFAULT_SEED)]
    seed: u64,
    /// Output network, optionally gz or zst.
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

pub(crate) fn run(arguments: &Arguments, run: &RunOptions) -> Result<()> {
    let &Arguments { shape, seed, .. } = arguments;
    let output = arguments.output.as_deref();
    let files = Files::made(&shape.to_string()).writes("-o", output, Kind::NETLIST);
    let mut session = Session::open("power generate", files, run)?;
    session.parameter("shape", shape.to_string()).parameter("seed", seed);
    session.record.figure("nodes", shape.nodes() as u64);
    if let Some(path) = session.destination(output) {
        session.write(&path, |out| write_netlist(shape, seed, out))?;
    }
    session.finish()
}
