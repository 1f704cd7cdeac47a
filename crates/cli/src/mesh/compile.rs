//! `palmette mesh compile`.

use super::mapping::{MappingOptions, tell_levels};
use super::program::{Loaded, ProgramOptions};
use crate::prelude::*;
use palmette::language::c::{DataError, SOURCE_NAMES, SourceFile, data_name};
use palmette::mesh::placement::RankFormat;
use palmette::{ElementMapping, GenerateError, GeneratedProgram, map_elements};
use std::io::Write;

#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// Output folder: program.c and its runtime, a Makefile, a rankfile, and one
    /// data/rank-000000.bin per rank.
    #[arg(short, long, value_name = "DIR")]
    output: PathBuf,
    /// Show the program's intermediate form, and what it exchanges with and without the compiler's
    /// placement of assemblies.
    #[arg(long)]
    explain: bool,
    #[command(flatten)]
    mapping: MappingOptions,
    #[command(flatten)]
    program: ProgramOptions,
}

pub(crate) fn run(arguments: &Arguments, run: &RunOptions) -> Result<()> {
    let Arguments { output: out, program: from, mapping: MappingOptions { machine, .. }, .. } =
        arguments;
    let files = machine.files(from.files()).writes_into("-o", Some(out));
    let mut session = Session::open("mesh compile", files, run)?;
    session.parameter("output", out.display().to_string());
    let on = machine.load(&mut session, None)?;
    let params = arguments.mapping.params(&mut session, &on)?;
    for path in paths(out, params.partition.parts) {
        session.writer.will_write(&path)?;
    }
    check_own(out)?;
    let Loaded { program, file, .. } = from.load(&mut session)?;
    let mesh = &file.mesh;
    let mapping = session.phase("map", || map_elements(mesh, &on.machine, &params));
    let mapping = mapping.map_err(|error| anyhow!("{}: {error}", file.name))?;
    let generated = GeneratedProgram::new(&program, mesh, &mapping);
    let generated = generated.map_err(|error| from.failed(&error))?;
    let sources = generated.sources(Some(&on.ranks(RankFormat::Rankfile, &mapping.placement)?));
    note(&mut session, &program, &mapping, &generated);
    if arguments.explain {
        from.explain(&mut session, &program, generated.exchange());
    }
    write(&mut session, arguments, &generated, &sources)?;
    session.finish()
}

/// All files of a program on so many ranks.
fn paths(folder: &Path, ranks: u32) -> impl Iterator<Item = PathBuf> {
    let sources = SOURCE_NAMES.iter().map(|name| name.to_string());
    sources.chain((0..ranks).map(data_name)).map(|name| folder.join(name))
}

/// Refuses a folder that has files of these names but was not made by this command.
fn check_own(folder: &Path) -> Result<()> {
    let there = SOURCE_NAMES.iter().map(|name| folder.join(name)).find(|path| path.exists());
    match there {
        Some(path) if !folder.join(data_name(0)).exists() => bail!(
            "{}: not made by this command; choose an empty folder, or one with an earlier \
            generated program",
            path.display()
        ),
        _ => Ok(()),
    }
}

/// Notes what the program exchanges, how far it goes, and how often.
fn note(
    session: &mut Session,
    program: &Program,
    mapping: &ElementMapping,
    generated: &GeneratedProgram<'_>,
) {
    session.figures(generated);
    tell_levels(session, &mapping.traffic);
    let mut table = Table::new(&["loop in line", "assemblies", "undelayed", "reductions"]);
    for (facts, counts) in program.loops.iter().zip(program.counts().1) {
        let numbers = [counts.assemblies, counts.undelayed, counts.reductions].map(count_cell);
        table.row([Cell::from(u64::from(facts.line))].into_iter().chain(numbers));
    }
    let table = if program.loops.is_empty() { String::new() } else { table.to_string() };
    session.end_with(table, generated.lists());
}

/// A count for people; whole where it is.
fn count_cell(count: f64) -> Cell {
    if count.fract() == 0.0 && count < 1e15 { Cell::from(count as u64) } else { Cell::from(count) }
}

/// Writes everything.
fn write(
    session: &mut Session,
    arguments: &Arguments,
    generated: &GeneratedProgram<'_>,
    sources: &[SourceFile],
) -> Result<()> {
    let folder = &arguments.output;
    session.writer.make_folder(folder)?;
    session.writer.make_folder(&folder.join("data"))?;
    let (mut files, mut bytes) = (0, 0);
    for rank in 0..generated.ranks() {
        let path = folder.join(data_name(rank));
        bytes += session.write_by(&path, |out| {
            let written = generated.write_rank(rank, out);
            written.map_err(|error| failed(arguments, error, &path))
        })?;
        files += 1;
    }
    for file in sources {
        let text = file.text.as_bytes();
        bytes += session.write_by(&folder.join(file.name), |out| {
            Ok(out.write_with(|out| out.write_all(text))?)
        })?;
        files += 1;
    }
    session.record.figure("files", files).figure("bytes", bytes);
    Ok(())
}

/// A failure to write the data of a rank.
fn failed(arguments: &Arguments, error: GenerateError, path: &Path) -> anyhow::Error {
    match error {
        GenerateError::Mesh(error) => arguments.program.failed(&error),
        GenerateError::Data(DataError::Io(source)) => {
            IoError::Write { file: path.display().to_string(), source }.into()
        }
        other => anyhow!("{}: {other}", path.display()),
    }
}
