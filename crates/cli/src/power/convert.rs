//! `palmette power convert`.

use super::feeder::{self, FeederOptions, output, read, write_feeder};
use crate::prelude::*;
use palmette::figures::FeederInfo;
use palmette::io::FeederFormat;

#[derive(Debug, Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    input: FeederOptions,
    /// Format of the output: tables or power-grid-model (default: from the name).
    #[arg(long, value_name = "FORMAT", value_parser = named::<FeederFormat>())]
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
    let file = read(&mut session, &arguments.input)?;
    session.figures(&FeederInfo(&file));
    write_feeder(&mut session, path, format, &file.feeder)?;
    feeder::tell(&session, &file);
    session.finish()
}
