//! Weak scaling on the cores of this machine.

use super::{Failure, Kind};
use crate::mesh_run::peers::mpirun;
use crate::table::Table;
use crate::timing::pool;
use palmette_core::memory::huge_vec;
use palmette_core::operator::Sum;
use palmette_io::{Output, write_npy_parents};
use palmette_tree::leaffix::from_parents;
use serde_json::Value;
use std::path::Path;
use std::process::Command;
use std::time::Instant;

/// The columns of the table.
pub const HEAD: [&str; 14] = [
    "tree",
    "vertices per rank",
    "ranks",
    "rounds",
    "chains",
    "leaffix",
    "core ns per vertex",
    "one thread, ns per vertex",
    "ratio",
    "at most 3",
    "the command, ns per vertex",
    "ratio to it",
    "bytes per vertex",
    "fresh memory, ns per vertex",
];

/// What a rank's time per vertex should be at most of one thread's, on two ranks.
const WANTED: f64 = 3.0;

/// The phases that computing consists of.
pub(super) const PHASES: [&str; 3] = ["rounds", "chains", "treefix"];

/// Whether the goal holds; it is one for two ranks.
fn verdict(ranks: usize, ratio: f64) -> &'static str {
    match ranks {
        2 if ratio <= WANTED => "yes",
        2 => "no",
        _ => "",
    }
}

/// Nanoseconds per byte of memory that the process has not: what the system takes to find and clear
/// pages, the best of some turns. The first time a virtual machine may have to ask its host for them.
pub fn fresh_memory() -> f64 {
    const BYTES: usize = 1 << 28;
    let turn = || {
        let start = Instant::now();
        // So large that it goes back to the system each time.
        std::hint::black_box(huge_vec(BYTES / 8, 1u64));
        start.elapsed().as_secs_f64() * 1e9 / BYTES as f64
    };
    std::iter::repeat_with(turn).take(5).fold(f64::INFINITY, f64::min)
}

/// What a rank's vertex costs a core, in nanoseconds, without reading. `fresh` is what a byte of
/// [fresh memory](fresh_memory) costs.
///
/// # Errors
/// When the job fails. Nothing when MPI or `palmette-mpi` is not there.
pub fn measure(
    kind: Kind,
    ranks: usize,
    share: usize,
    turns: usize,
    fresh: f64,
    table: &mut Table,
) -> Result<Option<f64>, Failure> {
    let beside = |name| Ok::<_, Failure>(std::env::current_exe()?.with_file_name(name));
    let (program, command) = (beside("palmette-mpi")?, beside("palmette")?);
    let n = share * ranks;
    let parents = kind.parents(share, ranks)?;
    let file = std::env::temp_dir().join(format!("palmette-scaling-{}.npy", std::process::id()));
    let mut out = Output::create(&file)?;
    out.write_with(|out| write_npy_parents(out, &parents))?;
    out.finish()?;
    let measured = in_turns(&program, &command, &file, ranks, turns);
    std::fs::remove_file(&file)?;
    let Some((best, command)) = measured? else { return Ok(None) };
    let command = 1e9 * command / n as f64;
    let seconds = |names: &[&str]| {
        names.iter().map(|name| best["seconds"][*name].as_f64().unwrap_or(0.0)).sum::<f64>()
    };
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let nanoseconds = 1e9 * seconds(&PHASES) * ranks.min(cores) as f64 / n as f64;
    let text = |name: &str| format!("{:.3}", seconds(&[name]));
    let one = 1e9 * alone(&parents, turns)? / n as f64;
    let memory = best["result"]["most_memory"].as_f64().unwrap_or(0.0);
    table.row(vec![
        kind.name(),
        share.to_string(),
        ranks.to_string(),
        text("rounds"),
        text("chains"),
        text("treefix"),
        format!("{nanoseconds:.1}"),
        format!("{one:.1}"),
        format!("{:.1}", nanoseconds / one),
        verdict(ranks, nanoseconds / one).to_string(),
        format!("{command:.1}"),
        format!("{:.1}", nanoseconds / command),
        format!("{:.0}", memory / share as f64),
        format!("{:.1}", fresh * memory / share as f64),
    ]);
    Ok(Some(nanoseconds))
}

/// The record of the fastest of some jobs, without reading, and the seconds that the command computes on
/// one thread, in turns with them. Both are processes that have just started.
fn in_turns(
    program: &Path,
    command: &Path,
    file: &Path,
    ranks: usize,
    turns: usize,
) -> Result<Option<(Value, f64)>, Failure> {
    let total = |record: &Value| {
        PHASES.iter().filter_map(|phase| record["seconds"][*phase].as_f64()).sum::<f64>()
    };
    let (mut best, mut alone): (Option<Value>, f64) = (None, f64::INFINITY);
    for _ in 0..turns {
        let there = program.exists() && command.exists();
        let Some(mut job) = mpirun(ranks).filter(|_| there) else { return Ok(None) };
        job.arg(program).args(["tree", "leaffix"]).arg(file).arg("--json");
        let record = record_of(job)?;
        if best.as_ref().is_none_or(|best| total(&record) < total(best)) {
            best = Some(record);
        }
        let mut single = Command::new(command);
        single.args(["tree", "leaffix", "--threads", "1", "--json"]).arg(file);
        let seconds = record_of(single)?["seconds"]["compute"].as_f64();
        alone = alone.min(seconds.ok_or("a record without seconds of `compute`")?);
    }
    Ok(best.map(|best| (best, alone)))
}

/// What a command says of its run.
fn record_of(mut command: Command) -> Result<Value, Failure> {
    let output = command.output()?;
    if !output.status.success() {
        let errors = String::from_utf8_lossy(&output.stderr);
        return Err(format!("{command:?}: {}\n{errors}", output.status).into());
    }
    Ok(serde_json::from_slice(&output.stdout)?)
}

/// Seconds for the same on one thread of one machine, from parents, by the engine for one leaffix.
fn alone(parents: &[u32], turns: usize) -> Result<f64, Failure> {
    let ones = vec![1u64; parents.len()];
    let run = || -> Result<f64, Failure> {
        let start = Instant::now();
        let sums = from_parents(parents, &ones, &Sum::new())?;
        let seconds = start.elapsed().as_secs_f64();
        assert_eq!(sums.iter().max(), Some(&(parents.len() as u64)), "the root has all");
        Ok(seconds)
    };
    let pool = pool(1);
    let mut best = f64::INFINITY;
    for _ in 0..turns {
        // Errors of other threads are told as text.
        best = best.min(pool.install(|| run().map_err(|error| error.to_string()))?);
    }
    Ok(best)
}
