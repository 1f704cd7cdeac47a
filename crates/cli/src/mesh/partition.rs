//! `palmette mesh partition`.

use super::figures::note_parts;
use super::files::{self, check_vtu, signed};
use super::options::{CutOptions, InputOptions, cut};
use super::picture;
use crate::arguments::RunOptions;
use crate::input::name_of;
use crate::output::{check_early, check_two_files, destination, finish, unfinished};
use crate::session::Session;
use clap::Args;
use palmette::io::write_integers;
use palmette::mesh::{Method, Quotient};
use std::path::{Path, PathBuf};

#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// How many parts.
    #[arg(long, value_name = "K")]
    parts: u32,
    /// How to cut in two: geometric (circles and lines), coordinate, inertial or hilbert.
    #[arg(long, value_name = "METHOD", default_value_t)]
    method: Method,
    /// Where to write the part of each vertex, a number a line, from 0; gz or zst too; `-` is
    /// stdout.
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Write the mesh with the field `part` for ParaView.
    #[arg(long, value_name = "FILE")]
    vtu: Option<PathBuf>,
    /// Draw the parts.
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Draw which parts exchange how many values.
    #[arg(long, value_name = "FILE")]
    quotient_svg: Option<PathBuf>,
    #[command(flatten)]
    input: InputOptions,
    #[command(flatten)]
    cut: CutOptions,
    #[command(flatten)]
    pub(crate) run: RunOptions,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let file = &arguments.input.file;
    let mut session = Session::new("mesh partition", &name_of(file), &arguments.run);
    check_files(&session, arguments)?;
    let params = arguments.cut.params(&mut session, arguments.method, arguments.parts);
    let mut input = arguments.input.load(&mut session)?;
    check_vtu(&input, arguments.vtu.as_deref())?;
    arguments.cut.load_weights(&mut session, &mut input)?;
    let partition = cut(&mut session, &input, &params)?;
    let (part, parts) = (&partition.part, params.parts as usize);
    note_parts(&mut session, &input, part, parts);
    let mut outputs = Vec::new();
    if let Some(path) = &arguments.vtu {
        session.record.parameter("vtu", path.display().to_string());
        outputs.push(files::vtu(&mut session, path, &input, &vec![("part", signed(part))])?);
    }
    if let Some(path) = &arguments.svg {
        session.record.parameter("svg", path.display().to_string());
        outputs.push(picture::parts(&mut session, path, &input, part, parts)?);
    }
    if let Some(path) = &arguments.quotient_svg {
        session.record.parameter("quotient_svg", path.display().to_string());
        let quotient = Quotient::of(&input.graph, part, parts);
        outputs.push(picture::quotient(&mut session, path, &input, part, &quotient)?);
    }
    write(&mut session, arguments.output.as_deref(), part)?;
    outputs.into_iter().try_for_each(|output| finish(Some(output)))?;
    Ok(session.finish()?)
}

/// Refuses, before any work, files that are one or cannot be.
fn check_files(session: &Session, arguments: &Arguments) -> anyhow::Result<()> {
    let Arguments { output, vtu, svg, quotient_svg, .. } = arguments;
    let others = [(vtu, "--vtu"), (svg, "--svg"), (quotient_svg, "--quotient-svg")];
    for (i, (path, option)) in others.iter().enumerate() {
        check_early(session, output.as_deref(), path.as_deref(), option)?;
        for (other, name) in &others[..i] {
            check_two_files((other.as_deref(), name), (path.as_deref(), option))?;
        }
    }
    Ok(())
}

/// Writes parts where they should go; without a file nowhere.
fn write(session: &mut Session, path: Option<&Path>, part: &[u32]) -> anyhow::Result<()> {
    if path.is_none() {
        return Ok(());
    }
    let Some(path) = destination(session, path)? else { return Ok(()) };
    session.phase("write", || unfinished(&path, |out| write_integers(out, part))?.finish())?;
    Ok(())
}
