//! A feeder as input.

use crate::limit::limit;
use crate::prelude::*;
use palmette::core::feeder::Feeder;
use palmette::io::{
    FeederFile, FeederFormat, FeederParams, pgm_note, read_feeder, tables_into, write_pgm,
};
use std::io::Write;

/// Which feeder to read.
#[derive(Debug, Args)]
pub(crate) struct FeederInput {
    /// Feeder to read: a folder of tables, JSON of power-grid-model or pandapower, a MATPOWER case, an
    /// OpenDSS script; `-` is stdin.
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// Format of the feeder (default: from the name or the content).
    #[arg(long, value_name = "FORMAT", value_parser = named::<FeederFormat>())]
    pub(crate) format: Option<FeederFormat>,
}

/// Which feeder to solve.
#[derive(Debug, Args)]
pub(crate) struct FeederOptions {
    #[command(flatten)]
    pub(crate) input: FeederInput,
    /// Keep generators within their limits of reactive power.
    #[arg(long)]
    pub(crate) q_limits: bool,
}

/// Reads the feeder; [`tell`] says what a user should know of it.
pub(crate) fn read(session: &mut Session, options: &FeederOptions) -> Result<FeederFile> {
    let FeederOptions { input, q_limits } = options;
    if *q_limits {
        session.parameter("q_limits", true);
    }
    read_input(session, input, *q_limits)
}

/// As [`read`]; whether limits of reactive power are kept is the caller's choice.
pub(crate) fn read_input(
    session: &mut Session,
    FeederInput { file, format }: &FeederInput,
    reactive_limits: bool,
) -> Result<FeederFile> {
    let params = FeederParams { format: *format, limit: limit(), reactive_limits };
    let found = session.phase("read", || read_feeder(file, &params))?;
    session.record.figure("buses", found.feeder.bus_names().len());
    Ok(found)
}

/// Says what a user should know of a feeder, once there is an answer: errors stand alone.
pub(crate) fn tell(session: &Session, file: &FeederFile) {
    file.notes.iter().for_each(|note| session.note(note));
}

/// Where a feeder goes: a file of power-grid-model by its name, or else a folder of tables.
pub(crate) fn output(
    files: Files,
    path: &Path,
    said: Option<FeederFormat>,
) -> Result<(Files, FeederFormat)> {
    let is_json = path.to_string_lossy().trim_end_matches(".gz").ends_with(".json");
    let by_name = if is_json { FeederFormat::PowerGridModel } else { FeederFormat::Tables };
    let format = said.unwrap_or(by_name);
    match format {
        FeederFormat::Tables => Ok((files.writes_into("-o", Some(path)), format)),
        FeederFormat::PowerGridModel => Ok((files.writes("-o", Some(path), Kind::JSON), format)),
        other => bail!("{other} is read only; feeders are written as tables or power-grid-model"),
    }
}

/// Writes a feeder; a folder appears with all its tables.
pub(crate) fn write_feeder(
    session: &mut Session,
    path: &Path,
    format: FeederFormat,
    feeder: &Feeder,
) -> Result<()> {
    if format == FeederFormat::PowerGridModel {
        session.parameter("output", name_of(path));
        session.write(path, |out| write_pgm(feeder, out))?;
        if let Some(note) = pgm_note(feeder) {
            session.note(&note);
        }
        return Ok(());
    }
    session.parameter("output", name_of(path));
    let tables = tables_into(path, feeder)?;
    session.writer.make_folder(path)?;
    for (name, bytes) in tables {
        session.write(&path.join(name), |out| out.write_all(&bytes))?;
    }
    Ok(())
}
