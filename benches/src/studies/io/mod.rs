//! How fast the readers and writers are, on inputs made in memory.
//!
//! `palmette-bench io [--n 10000000] [--graph-side 1000] [--quick] [--python PATH] [--write
//! docs/benchmarks.md]`; with Python, CompactTree reads the same Newick file, and
//! pyarrow the same Parquet. `--n 0` leaves out
//! trees, `--graph-side 0` graphs and meshes.

mod columns;
mod graphs;
mod trees;

use super::Failure;
use palmette_bench::table::{Table, write_between};
use palmette_bench::timing::{least_processor_seconds, pool, race, run};
use palmette_core::generate::{Shape, generate};
use std::env::Args;

/// Two tables: what was measured, and what was to be reached.
struct Study {
    table: Table,
    goals: Table,
    rounds: usize,
}

impl Study {
    /// The best of some runs on one thread and on two; returns MB per second of the processor on
    /// one thread, and by the clock on two.
    fn row(&mut self, what: &str, bytes: usize, work: impl Fn() + Sync) -> [f64; 2] {
        let (one, two) = (pool(1), pool(2));
        let turns = &mut [run(|| one.install(&work)), run(|| two.install(&work))];
        let best = race(self.rounds, turns);
        let spent = least_processor_seconds(self.rounds, || one.install(&work));
        let megabytes = bytes as f64 / 1e6;
        let mut cells = vec![what.to_string(), format!("{megabytes:.0}")];
        let rate = |s: f64| format!("{:.0}", megabytes / s);
        cells.extend(best.iter().flat_map(|&s| [format!("{s:.2}"), rate(s)]));
        cells.push(rate(spent));
        self.table.row(cells);
        [megabytes / spent, megabytes / best[1]]
    }

    /// MB/s that were wanted and reached, and what keeps them from being more.
    fn goal(&mut self, what: &str, wanted: f64, reached: f64, limit: &str) {
        let wanted_text = format!("at least {wanted:.0} MB/s");
        self.goal_row(what, wanted_text, format!("{reached:.0}"), reached >= wanted, limit);
    }

    /// The same of bytes, of which there should be few.
    fn goal_of_bytes(&mut self, what: &str, wanted: f64, reached: f64, limit: &str) {
        let wanted_text = format!("at most {wanted:.0} bytes");
        self.goal_row(what, wanted_text, format!("{reached:.1}"), reached <= wanted, limit);
    }

    fn goal_row(&mut self, what: &str, wanted: String, reached: String, holds: bool, limit: &str) {
        let holds = if holds { "yes" } else { "no" };
        self.goals.row([what, &wanted, &reached, holds, limit].map(str::to_string).into());
    }
}

pub(crate) fn start(mut arguments: Args) -> Result<(), Failure> {
    let (mut n, mut side, mut write, mut python) = (10_000_000, 1000, None, None);
    let mut rounds = 3;
    while let Some(argument) = arguments.next() {
        if argument == "--quick" {
            (n, side, rounds) = (20_000, 20, 1);
            continue;
        }
        let value = arguments.next().ok_or_else(|| format!("{argument} needs a value"))?;
        match argument.as_str() {
            "--n" => n = value.parse()?,
            "--graph-side" => side = value.parse()?,
            "--write" => write = Some(value),
            "--python" => python = Some(value),
            _ => return Err(format!("unknown argument {argument}").into()),
        }
    }
    let head =
        ["what", "MB", "1 thread, s", "MB/s", "2 threads, s", "MB/s", "MB per processor second"];
    let goals = Table::new(&["goal", "wanted", "measured", "holds", "what limits it"]);
    let mut study = Study { table: Table::new(&head), goals, rounds };
    if n > 0 {
        let parents = generate(Shape::Random, n, 1)?;
        trees::tables(&mut study, &parents)?;
        trees::answers(&mut study, n)?;
        columns::columns(&mut study, &parents, python.as_deref())?;
        trees::newick(&mut study, &parents, python.as_deref())?;
    }
    if side > 0 {
        graphs::grids(&mut study, side)?;
        graphs::meshes(&mut study, side)?;
    }
    let mut text = study.table.markdown();
    if !study.goals.is_empty() {
        text += &format!("\n{}", study.goals.markdown());
    }
    println!("{text}");
    match write {
        Some(path) => Ok(write_between(path.as_ref(), "io", &text)?),
        None => Ok(()),
    }
}
