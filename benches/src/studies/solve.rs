//! The study of solvers: ours with every preconditioner, and peers, in one run.
//!
//! `palmette-bench solve [STUDY…] [--quick] [--python PATH] [--write docs/benchmarks.md]`; studies are
//! preconditioners and peers; both when none is named. Without `--python` the second has
//! our times only, with the goals.

use super::Failure;
use palmette_bench::goals::Goals;
use palmette_bench::solve::{input, peers, preconditioners};
use palmette_bench::table::{Table, write_between};
use std::env::Args;
use std::path::{Path, PathBuf};

const STUDIES: [&str; 2] = ["preconditioners", "peers"];

pub(crate) fn start(mut arguments: Args) -> Result<(), Failure> {
    let mut named: Vec<String> = Vec::new();
    let (mut quick, mut python, mut write) = (false, None::<String>, None::<PathBuf>);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--quick" => quick = true,
            "--python" => python = Some(arguments.next().ok_or("--python needs a path")?),
            "--write" => write = Some(arguments.next().ok_or("--write needs a path")?.into()),
            name if STUDIES.contains(&name) => named.push(argument),
            name => return Err(format!("expected preconditioners or peers, found `{name}`").into()),
        }
    }
    for study in STUDIES {
        if !named.is_empty() && !named.iter().any(|n| n == study) {
            continue;
        }
        let text = match study {
            "peers" => race_peers(quick, python.as_deref(), write.as_deref())?,
            _ => compare(quick, write.as_deref())?,
        };
        println!("## {study}\n\n{text}");
    }
    Ok(())
}

/// Tables are written after every case: a run takes long, and may be stopped.
fn keep(write: Option<&Path>, study: &str, text: &str) -> Result<(), Failure> {
    if let Some(path) = write {
        write_between(path, &format!("solve-{study}"), text)?;
    }
    Ok(())
}

fn compare(quick: bool, write: Option<&Path>) -> Result<String, Failure> {
    let mut table = Table::new(&preconditioners::HEAD);
    for case in input::cases(quick) {
        preconditioners::measure(&case?, &mut table);
        keep(write, "preconditioners", &table.markdown())?;
    }
    Ok(table.markdown())
}

fn race_peers(quick: bool, python: Option<&str>, write: Option<&Path>) -> Result<String, Failure> {
    let (mut table, mut goals) = (Table::new(&peers::HEAD), Goals::default());
    let mut text = String::new();
    for case in input::cases(quick) {
        let python = python.map(|python| (python, Path::new("out/bench-solve")));
        peers::measure(&case?, python, &mut table, &mut goals)?;
        text = format!("{}\n{}", table.markdown(), goals.markdown());
        keep(write, "peers", &text)?;
    }
    Ok(text)
}
