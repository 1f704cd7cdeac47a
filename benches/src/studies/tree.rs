//! The tree study: ours, the plain loops and the peers, in one run.
//!
//! `palmette-bench tree [STUDY…] [--quick] [--python PATH] [--write docs/benchmarks.md]`; studies
//! are machine, prepared, raw, lca, engines and peers; all of them when none is named,
//! but peers only with `--python`. What was to be reached, and the floors, come last.

use super::Failure;
use palmette_bench::machine::limits;
use palmette_bench::table::{Table, write_between};
use palmette_bench::tree::goals::{Figure, goals};
use palmette_bench::tree::{engines, input, lca, peers, prepared, raw};
use std::env::Args;
use std::path::{Path, PathBuf};

type Measure = fn(&input::Input, usize, &mut Table) -> Vec<Figure>;

pub(crate) fn start(mut arguments: Args) -> Result<(), Failure> {
    let mut named: Vec<String> = Vec::new();
    let (mut quick, mut python, mut write) = (false, None, None::<PathBuf>);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--quick" => quick = true,
            "--python" => python = Some(arguments.next().ok_or("--python needs a path")?),
            "--write" => write = Some(arguments.next().ok_or("--write needs a path")?.into()),
            _ => named.push(argument),
        }
    }
    let wanted = |name: &str| named.is_empty() || named.iter().any(|n| n == name);
    let mut sections: Vec<(&str, Table)> = Vec::new();
    let machine = [1, 2].map(limits);
    if wanted("machine") {
        let mut table =
            Table::new(&["threads", "triad, GB/s", "gather of 4 bytes, ns", "of 16 bytes, ns"]);
        for l in &machine {
            table.row(vec![
                l.threads.to_string(),
                format!("{:.1}", l.triad),
                format!("{:.1}", l.gather),
                format!("{:.1}", l.gather_wide),
            ]);
        }
        sections.push(("machine", table));
    }
    let sizes: &[usize] = if quick { &[100_000] } else { &[1_000_000, 10_000_000] };
    let studies: [(&str, &[&str], Measure); 4] = [
        ("prepared", &prepared::HEAD, prepared::measure),
        ("raw", &raw::HEAD, raw::measure),
        ("lca", &lca::HEAD, lca::measure),
        ("engines", &engines::HEAD, engines::measure),
    ];
    let mut figures = Vec::new();
    for (name, head, measure) in studies {
        if wanted(name) {
            let mut table = Table::new(head);
            for &n in sizes {
                let rounds = match n {
                    _ if quick => 2,
                    // The whole study takes five minutes.
                    n if n > 1_000_000 => 3,
                    _ => 9,
                };
                figures.extend(input::inputs(n).flat_map(|i| measure(&i, rounds, &mut table)));
            }
            sections.push((name, table));
        }
    }
    if let Some(python) = python.filter(|_| wanted("peers")) {
        let mut table = Table::new(&peers::HEAD);
        peers::measure(&python, Path::new("out/bench-tree"), quick, &mut table)?;
        sections.push(("peers", table));
    }
    if !figures.is_empty() {
        sections.push(("tree-goals", goals(&figures, &machine)));
    }
    for (name, table) in &sections {
        println!("## {name}\n\n{}", table.markdown());
        if let Some(path) = &write {
            write_between(path, name, &table.markdown())?;
        }
    }
    Ok(())
}
