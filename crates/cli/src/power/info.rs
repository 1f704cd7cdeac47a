//! `palmette power info`.

use super::feeder::{FeederOptions, read};
use crate::limit::read_graph;
use crate::prelude::*;
use palmette::GraphReadParams;
use palmette::figures::{FeederInfo, GraphInfo};
use palmette::io::{FeederFormat, GraphFormat};

#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// Network to read: a SPICE netlist or a feeder (a folder of tables, JSON of power-grid-model or
    /// pandapower, a MATPOWER case, an OpenDSS script), optionally gz or zst; `-` is stdin, a netlist.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Format of a feeder (default: from the name).
    #[arg(long, value_name = "FORMAT", value_parser = named::<FeederFormat>())]
    format: Option<FeederFormat>,
}

pub(crate) fn run(arguments: &Arguments, run: &RunOptions) -> Result<()> {
    let Arguments { file: path, format } = arguments;
    let mut session = Session::open("power info", Files::of(path), run)?;
    if format.is_some() || path.is_dir() || FeederFormat::by_ending(&name_of(path)) {
        let options = FeederOptions { file: path.clone(), format: *format, q_limits: false };
        let file = read(&mut session, &options)?;
        session.figures(&FeederInfo(&file));
        return session.finish();
    }
    let params = GraphReadParams { format: Some(GraphFormat::Spice) };
    let file = session.phase("read", || read_graph(path, &params))?;
    session.figures(&GraphInfo::of(&file));
    session.finish()
}
