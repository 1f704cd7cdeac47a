//! `palmette power info`.

use crate::limit::read_graph;
use crate::prelude::*;
use palmette::GraphReadParams;
use palmette::figures::GraphInfo;
use palmette::io::GraphFormat;

#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// Network to read: a SPICE netlist, optionally gz or zst; `-` is stdin.
    #[arg(value_name = "FILE")]
    file: PathBuf,
}

pub(crate) fn run(arguments: &Arguments, run: &RunOptions) -> Result<()> {
    let mut session = Session::open("power info", Files::of(&arguments.file), run)?;
    let params = GraphReadParams { format: Some(GraphFormat::Spice) };
    let file = session.phase("read", || read_graph(&arguments.file, &params))?;
    session.figures(&GraphInfo::of(&file));
    session.finish()
}
