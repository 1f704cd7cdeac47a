//! `palmette report`: builds an HTML page from run records, and files of their pictures.

mod records;

use crate::picture::to_png;
use crate::prelude::*;
use palmette_report::{Compared, PageError, ReportPage, file_stems, safe_svg};
use records::Records;
use std::fmt::Display;
use std::io::Write;

#[derive(Debug, Args)]
pub(crate) struct ReportArguments {
    /// Files of records as written by --json or --record, one or more per file, optionally gz or
    /// zst; `-` is stdin.
    #[arg(value_name = "RECORD", required = true)]
    files: Vec<PathBuf>,
    /// Output page; `-` is stdout.
    #[arg(short, long, value_name = "FILE", default_value = "report.html")]
    output: PathBuf,
    /// Title of the page (default: from the commands).
    #[arg(long, value_name = "TEXT")]
    title: Option<String>,
    /// Show two records side by side, or two files with the same number of records.
    #[arg(long)]
    compare: bool,
    /// Also write every picture as SVG and PNG into a directory.
    #[arg(long, value_name = "DIR")]
    pictures: Option<PathBuf>,
    /// Also show picture files that the records only name. Each must exist, be an SVG and have at
    /// most 64 MB. Use this only for your own records: a record from elsewhere can name any of your
    /// files.
    #[arg(long)]
    with_files: bool,
}

pub(crate) fn run(arguments: &ReportArguments, run: &RunOptions) -> Result<()> {
    let names: Vec<String> = arguments.files.iter().map(|file| name_of(file)).collect();
    let files = Files::made(&names.join(" "));
    let files = arguments.files.iter().fold(files, |files, file| files.reads("RECORD", Some(file)));
    let files = files
        .writes("-o", Some(&arguments.output), Kind::PAGE)
        .writes_into("--pictures", arguments.pictures.as_deref());
    let mut session = Session::open("report", files, run)?;
    let read = session.phase("read", || Records::read(&arguments.files, arguments.with_files))?;
    let split = if arguments.compare { read.sides()? } else { read.records.len() };
    let (own, other) = read.records.split_at(split);
    let sides = read.side_names(split);
    let title = arguments.title.clone().unwrap_or_else(|| title(own, other, arguments.compare));
    let compared = Compared { records: other, names: [&sides[0], &sides[1]] };
    let compared = arguments.compare.then_some(compared);
    let page = ReportPage { title: &title, overview: None, records: own, compared };
    let html = session.phase("page", || page.to_html()).map_err(|error| located(&read, error))?;
    let files = match &arguments.pictures {
        None => Vec::new(),
        Some(dir) => {
            session.parameter("pictures", dir.display().to_string());
            session.phase("pictures", || pictures(&read, split))?
        }
    };
    let count = read.records.iter().map(|record| record.pictures.len()).sum::<usize>();
    session
        .parameter("compare", arguments.compare)
        .figure("records", read.records.len())
        .figure("pictures", count)
        .figure("bytes", html.len());
    write(&mut session, arguments, &html, &files)?;
    session.end_with(format!("wrote {}\n", arguments.output.display()), &[]);
    session.finish()
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
fn pictures(read: &Records, split: usize) -> Result<Vec<(String, Vec<u8>)>> {
    let (own, other) = read.records.split_at(split);
    let mut files = Vec::new();
    let sides = if other.is_empty() { ["", ""] } else { ["a", "b"] };
    for (records, side, before) in [(own, sides[0], 0), (other, sides[1], split)] {
        for (i, record) in records.iter().enumerate() {
            let (from, number) = read.place_of(before + i);
            let stems = file_stems(i + 1, record, side);
            for (picture, stem) in record.pictures.iter().zip(stems) {
                let failed = |error: &dyn Display| {
                    let (number, name) = (number + 1, &picture.name);
                    anyhow!("{from}: record {number}, picture `{name}`: {error}")
                };
                let svg = safe_svg(&picture.svg).map_err(|error| failed(&error))?;
                let file = to_png(&svg).map_err(|error| failed(&error))?;
                files.push((format!("{stem}.svg"), svg.into_bytes()));
                files.push((format!("{stem}.png"), file));
            }
        }
    }
    Ok(files)
}

/// The page and the files.
fn write(
    session: &mut Session,
    arguments: &ReportArguments,
    html: &str,
    files: &[(String, Vec<u8>)],
) -> Result<()> {
    if let Some(dir) = &arguments.pictures {
        session.writer.make_folder(dir)?;
        for (name, content) in files {
            session.write(&dir.join(name), |out| out.write_all(content))?;
        }
    }
    if let Some(path) = session.destination(Some(&arguments.output)) {
        session.write_text(&path, html)?;
    }
    Ok(())
}
