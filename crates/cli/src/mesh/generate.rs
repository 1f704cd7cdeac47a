//! `palmette mesh generate`.

use super::figures::{count_cell, note_traffic, whole};
use super::files::{Folders, check_folder, text};
use super::mapping::MappingOptions;
use super::options::check_read;
use super::program::{Loaded, ProgramOptions, of_elements};
use crate::arguments::RunOptions;
use crate::session::Session;
use anyhow::{anyhow, bail};
use clap::Args;
use palmette::io::Output;
use palmette::mesh::generate::c::{DataError, SOURCE_NAMES, SourceFile, data_name};
use palmette::mesh::generate::{Program, explain};
use palmette::mesh::placement::dilation;
use palmette::{ElementMapping, GenerateError, GeneratedProgram, IoError, map_elements};
use palmette_report::{Cell, Table};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// A folder for program.c and its runtime, a Makefile, a rankfile, and data/rank-000000.bin
    /// and so on, a file a rank.
    #[arg(short, long, value_name = "DIR")]
    out: PathBuf,
    /// Show the program's intermediate form, and what it exchanges with assemblies where the
    /// compiler puts them and without that.
    #[arg(long)]
    explain: bool,
    #[command(flatten)]
    program: ProgramOptions,
    #[command(flatten)]
    mapping: MappingOptions,
    #[command(flatten)]
    pub(crate) run: RunOptions,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let Arguments { out, program: from, mapping: MappingOptions { machine: on, .. }, .. } =
        arguments;
    let mut session = Session::new("mesh generate", &from.name(), &arguments.run);
    check_folder(out)?;
    session.record.parameter("out", out.display().to_string());
    let params = arguments.mapping.params(&mut session)?;
    check_kept(arguments, params.partition.parts)?;
    check_own(out)?;
    let hosts = on.hosts(&mut session)?;
    let Loaded { program, file, .. } = from.load(&mut session)?;
    let mesh = &file.mesh;
    let mapping = session.phase("map", || map_elements(mesh, &on.machine, &params));
    let mapping = mapping.map_err(|error| of_elements(&file, &error))?;
    let generated = GeneratedProgram::new(&program, mesh, &mapping);
    let generated = generated.map_err(|error| from.failed(&error))?;
    let sources = generated.sources(Some(&on.ranks(&mapping.placement, &hosts)?));
    note(&mut session, &program, &mapping, &generated);
    if arguments.explain {
        let text = explain(&program, Some(generated.exchange()));
        session.record.figure("explain", text.clone());
        session.end_with(format!("\n{text}"), &["explain"]);
    }
    write(&mut session, arguments, &generated, &sources)?;
    Ok(session.finish()?)
}

/// Refuses to write over anything that was read.
fn check_kept(arguments: &Arguments, ranks: u32) -> anyhow::Result<()> {
    let sources = SOURCE_NAMES.iter().map(|name| name.to_string());
    for name in sources.chain((0..ranks).map(data_name)) {
        let path = arguments.out.join(name);
        arguments.program.check_kept(Some(&path), "--out")?;
        if let Some(hosts) = arguments.mapping.machine.hosts_file() {
            check_read((hosts, "--hosts"), (Some(&path), "--out"))?;
        }
    }
    Ok(())
}

/// Refuses a folder that has files of these names but was not made by this command.
fn check_own(folder: &Path) -> anyhow::Result<()> {
    let there = SOURCE_NAMES.iter().map(|name| folder.join(name)).find(|path| path.exists());
    match there {
        Some(path) if !folder.join(data_name(0)).exists() => bail!(
            "{}: expected a folder without this file, or one of an earlier generated program",
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
    let ElementMapping { machine, pieces, quotient, placement, traffic, .. } = mapping;
    let exchange = generated.exchange();
    let sizes = || pieces.iter().map(|piece| piece.elements.len());
    session
        .record
        .figure("parts", pieces.len())
        .figure("smallest_part", sizes().min().unwrap_or(0))
        .figure("largest_part", sizes().max().unwrap_or(0))
        .figure("messages", exchange.messages)
        .figure("words", exchange.words)
        .figure("hopsum", mapping.hopsum())
        .figure("dilation", dilation(quotient, machine, placement));
    note_traffic(session, traffic);
    session.record.figure("phases", mapping.phases());
    let (outside, loops) = program.counts();
    let line = |place: usize| program.loops[place].line;
    session
        .record
        .figure("assemblies", whole(outside.assemblies))
        .figure("reductions", whole(outside.reductions));
    let mut table = Table::new(&["loop in line", "assemblies", "undelayed", "reductions"]);
    let mut all = Vec::new();
    for (place, counts) in loops.iter().enumerate() {
        all.push(json!({
            "line": line(place), "assemblies": whole(counts.assemblies),
            "undelayed": whole(counts.undelayed), "reductions": whole(counts.reductions),
        }));
        let numbers = [counts.assemblies, counts.undelayed, counts.reductions];
        let numbers = numbers.map(|number| count_cell(&whole(number)));
        table.row([Cell::from(u64::from(line(place)))].into_iter().chain(numbers));
    }
    session.record.figure("loops", Value::from(all));
    let table = if loops.is_empty() { String::new() } else { table.to_string() };
    session.end_with(table, &["loops"]);
}

/// Writes everything; nothing appears unless all of it can be written.
fn write(
    session: &mut Session,
    arguments: &Arguments,
    generated: &GeneratedProgram<'_>,
    sources: &[SourceFile],
) -> anyhow::Result<()> {
    let folders = Folders::make(&arguments.out.join("data"))?;
    let written = session.phase("write", || -> anyhow::Result<_> {
        let mut outputs = Vec::new();
        for rank in 0..generated.ranks() {
            let path = arguments.out.join(data_name(rank));
            outputs.push((data(arguments, generated, rank, &path)?, path));
        }
        for file in sources {
            let path = arguments.out.join(file.name);
            outputs.push((text(&path, &file.text)?, path));
        }
        let mut bytes = 0;
        let files = outputs.len();
        for (output, path) in outputs {
            output.finish()?;
            bytes += std::fs::metadata(path).map_or(0, |there| there.len());
        }
        Ok((files, bytes))
    });
    match written {
        Ok((files, bytes)) => {
            session.record.figure("files", files).figure("bytes", bytes);
            Ok(())
        }
        Err(error) => {
            folders.remove();
            Err(error)
        }
    }
}

/// The data of a rank, unfinished.
fn data(
    arguments: &Arguments,
    generated: &GeneratedProgram<'_>,
    rank: u32,
    path: &Path,
) -> anyhow::Result<Output> {
    let mut out = Output::create(path)?;
    generated.write_rank(rank, &mut out).map_err(|error| match error {
        GenerateError::Mesh(error) => arguments.program.failed(&error),
        GenerateError::Data(DataError::Io(source)) => {
            IoError::Write { file: path.display().to_string(), source }.into()
        }
        other => anyhow!("{}: {other}", path.display()),
    })?;
    out.close()?;
    Ok(out)
}
