//! `palmette power info`.

use super::feeder::{self, FeederInput, read_input};
use super::netlist::tell_notes;
use crate::limit::read_netlist;
use crate::prelude::*;
use palmette::figures::FeederInfo;
use palmette::io::FeederFormat;

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
        let input = FeederInput { file: path.clone(), format: *format };
        let file = read_input(&mut session, &input, false)?;
        session.figures(&FeederInfo(&file));
        feeder::tell(&session, &file);
        return session.finish();
    }
    let file = session.phase("read", || read_netlist(path))?;
    session.figures(&file);
    let grid = session.phase("build", || palmette::power::PowerGrid::new(file))?;
    session.figures(&grid);
    tell_notes(&session, &grid.file, false);
    session.finish()
}
