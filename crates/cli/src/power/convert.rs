//! `palmette power convert`.

use super::feeder::{self, FeederInput, output, read_input, write_feeder};
use crate::prelude::*;
use palmette::figures::FeederInfo;
use palmette::io::FeederFormat;
use palmette_vocabulary::one_of;

#[derive(Debug, Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    input: FeederInput,
    /// Format of the output: tables or power-grid-model (default: from the name).
    #[arg(long, value_name = "FORMAT", value_parser = one_of(FeederFormat::WRITTEN))]
    to: Option<FeederFormat>,
    /// Output feeder: a folder of tables, or power-grid-model's JSON by the name.
    #[arg(short, long, value_name = "FOLDER|FILE")]
    output: PathBuf,
}

pub(crate) fn run(arguments: &Arguments, run: &RunOptions) -> Result<()> {
    let path = &arguments.output;
    let (files, format) = output(Files::of(&arguments.input.file), path, arguments.to)?;
    let mut session = Session::open("power convert", files, run)?;
    session.parameter("to", format.name());
    // Limits that a file states are in what is written, too.
    let file = read_input(&mut session, &arguments.input, true)?;
    session.figures(&FeederInfo(&file));
    write_feeder(&mut session, path, format, &file.feeder)?;
    feeder::tell(&session, &file);
    session.finish()
}
