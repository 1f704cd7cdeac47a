//! `palmette power info`.

use super::netlist::tell_notes;
use crate::limit::read_netlist;
use crate::prelude::*;

#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// Network to read: a SPICE netlist, optionally gz or zst; `-` is stdin.
    #[arg(value_name = "FILE")]
    file: PathBuf,
}

pub(crate) fn run(arguments: &Arguments, run: &RunOptions) -> Result<()> {
    let mut session = Session::open("power info", Files::of(&arguments.file), run)?;
    let file = session.phase("read", || read_netlist(&arguments.file))?;
    session.figures(&file);
    let grid = session.phase("build", || palmette::power::PowerGrid::new(file))?;
    session.figures(&grid);
    tell_notes(&session, &grid.file, false);
    session.finish()
}
