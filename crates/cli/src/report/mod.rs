//! `palmette report`: a page of the runs that records tell of, and files of their pictures.

mod records;

use crate::Internal;
use crate::arguments::RunOptions;
use crate::input::name_of;
use crate::output::{check_target, check_two_files, unfinished};
use crate::session::Session;
use anyhow::{anyhow, bail};
use clap::Args;
use palmette::Record;
use palmette::io::Output;
use palmette_report::{Compared, PageError, ReportPage, file_stems, png, safe_svg};
use records::{Records, same_file};
use std::io::Write;
use std::path::{Path, PathBuf};

/// Pixels for one of a picture in PNG files.
const SCALE: f32 = 2.0;

#[derive(Debug, Args)]
pub(crate) struct ReportArguments {
    /// Records, as --json prints them or --record writes them, one or more a file; plain or gz
    /// or zst; `-` is stdin.
    #[arg(value_name = "RECORD", required = true)]
    files: Vec<PathBuf>,
    /// Where to write the page; `-` is stdout.
    #[arg(short, long, value_name = "FILE", default_value = "report.html")]
    output: PathBuf,
    /// The heading; by default from the commands.
    #[arg(long, value_name = "TEXT")]
    title: Option<String>,
    /// Show two records side by side, or two files with as many records each.
    #[arg(long)]
    compare: bool,
    /// Write every picture as SVG and PNG into a directory, too.
    #[arg(long, value_name = "DIR")]
    pictures: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) run: RunOptions,
}

pub(crate) fn run(arguments: &ReportArguments) -> anyhow::Result<()> {
    let names: Vec<String> = arguments.files.iter().map(|file| name_of(file)).collect();
    let mut session = Session::new("report", &names.join(" "), &arguments.run);
    check(arguments, &session)?;
    session.record.parameter("output", arguments.output.display().to_string());
    let read = session.phase("read", || Records::read(&arguments.files))?;
    let split = if arguments.compare { read.sides()? } else { read.records.len() };
    let (own, other) = read.records.split_at(split);
    let sides = read.side_names(split);
    let title = arguments.title.clone().unwrap_or_else(|| title(own, other, arguments.compare));
    let compared = Compared { records: other, names: [&sides[0], &sides[1]] };
    let compared = arguments.compare.then_some(compared);
    let page = ReportPage { title: &title, records: own, compared };
    let html = session.phase("page", || page.to_html()).map_err(|error| located(&read, error))?;
    let files = match &arguments.pictures {
        None => Vec::new(),
        Some(dir) => {
            session.record.parameter("pictures", dir.display().to_string());
            session.phase("pictures", || pictures(own, other))?
        }
    };
    let count = read.records.iter().map(|record| record.pictures.len()).sum::<usize>();
    session
        .record
        .parameter("compare", arguments.compare)
        .figure("records", read.records.len())
        .figure("pictures", count)
        .figure("bytes", html.len());
    write(&mut session, arguments, &html, &files)?;
    if session.prints_summary() && arguments.output.as_os_str() != "-" {
        session.end_with(format!("wrote {}\n", arguments.output.display()), &[]);
    }
    Ok(session.finish()?)
}

/// What can be refused before anything is read.
fn check(arguments: &ReportArguments, session: &Session) -> anyhow::Result<()> {
    let to_stdout = arguments.output.as_os_str() == "-";
    if to_stdout && session.is_json() {
        bail!("expected a file after -o with --json, found `-`: stdout is for the record");
    }
    if arguments.files.iter().filter(|file| file.as_os_str() == "-").count() > 1 {
        bail!("expected one input from stdin, found several");
    }
    check_target(&arguments.output, "-o")?;
    check_two_files(
        (Some(&arguments.output), "-o"),
        (arguments.run.record.as_deref(), "--record"),
    )?;
    for file in &arguments.files {
        if !to_stdout && same_file(file, &arguments.output) {
            bail!("{}: expected a file other than the record after -o", file.display());
        }
    }
    Ok(())
}

/// The heading where none is given.
fn title(records: &[Record], other: &[Record], compare: bool) -> String {
    let what = match records {
        [one] if other.iter().all(|record| record.command == one.command) => {
            format!("palmette {}", one.command)
        }
        _ => "palmette report".to_string(),
    };
    if compare { format!("{what}, two runs") } else { what }
}

/// An error about a record, with its file.
fn located(read: &Records, error: PageError) -> anyhow::Error {
    match error.record() {
        Some(record) => {
            let (file, number) = read.place_of(record);
            anyhow!("{file}: {}", error.at(number))
        }
        None => anyhow!("{error}"),
    }
}

/// Names and contents of the files of all pictures.
fn pictures(own: &[Record], other: &[Record]) -> anyhow::Result<Vec<(String, Vec<u8>)>> {
    let mut files = Vec::new();
    let sides = if other.is_empty() { ["", ""] } else { ["a", "b"] };
    for (records, side) in [own, other].into_iter().zip(sides) {
        for (i, record) in records.iter().enumerate() {
            let stems = file_stems(i + 1, record, side);
            for (picture, stem) in record.pictures.iter().zip(stems) {
                let svg = safe_svg(&picture.svg)?;
                let file = png::render(&svg, SCALE).map_err(|error| {
                    anyhow!("picture `{}` of `{}`: {error}", picture.name, record.command)
                })?;
                files.push((format!("{stem}.svg"), svg.into_bytes()));
                files.push((format!("{stem}.png"), file));
            }
        }
    }
    Ok(files)
}

/// The page and the files: all are written before the first appears.
fn write(
    session: &mut Session,
    arguments: &ReportArguments,
    html: &str,
    files: &[(String, Vec<u8>)],
) -> anyhow::Result<()> {
    let mut outputs: Vec<Output> = Vec::new();
    if let Some(dir) = &arguments.pictures {
        std::fs::create_dir_all(dir).map_err(|error| {
            anyhow!("{}: expected a directory that can be written: {error}", dir.display())
        })?;
        for (name, content) in files {
            outputs.push(put(&dir.join(name), content)?);
        }
    }
    if arguments.output.as_os_str() == "-" {
        session.take_stdout();
    }
    outputs.push(session.phase("write", || put(&arguments.output, html.as_bytes()))?);
    outputs.into_iter().try_for_each(|output| output.finish()).map_err(|error| match error {
        error @ palmette::io::IoError::Write { .. } => error.into(),
        error => anyhow::Error::from(Internal(error.to_string())),
    })
}

fn put(path: &Path, content: &[u8]) -> anyhow::Result<Output> {
    Ok(unfinished(path, |out| out.write_all(content))?)
}
