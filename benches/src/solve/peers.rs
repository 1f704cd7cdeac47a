//! Peers from PyPI and Debian (`solve_peers.py`) on the same systems, answers checked.

use super::input::Case;
use super::ours::{SLACK, Solved, TOLERANCE, faster, solve};
use crate::goals::Goals;
use crate::table::Table;
use crate::timing::pool;
use palmette_graph::solve::Preconditioner;
use palmette_io::{Labels, ValueType, Values, read_bytes, read_values_bytes, write_npy_values};
use serde_json::Value;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// The head of the table.
pub const HEAD: [&str; 7] = [
    "graph",
    "who",
    "seconds",
    "to ours, 2 threads",
    "to ours, 1 thread",
    "iterations",
    "residual",
];

/// Names that the script knows.
const PEERS: [&str; 6] =
    ["pyamg SA", "pyamg RS", "AMGCL RS", "CHOLMOD", "scipy SuperLU", "scipy CG, Jacobi"];

/// How many times as fast as pyamg we want to be.
const PYAMG: f64 = 3.0;

/// The most iterations that we do.
const ITERATIONS: usize = 10_000;

/// After so many seconds a peer is stopped.
const LIMIT: Duration = Duration::from_secs(60);
/// The most bytes that a peer gets.
const MEMORY: u64 = 8 << 30;

type Failure = Box<dyn std::error::Error>;

/// What a peer did.
enum Outcome {
    Solved { seconds: f64, iterations: Option<u64>, residual: f64 },
    Failed(String),
}

/// Ours before and after the peers, the better counts; without Python, ours alone.
///
/// # Errors
/// When files cannot be written, the script cannot be run, or an answer is wrong.
pub fn measure(
    case: &Case,
    python: Option<(&str, &Path)>,
    table: &mut Table,
    goals: &mut Goals,
) -> Result<(), Failure> {
    let before = ours(case)?;
    let mut outcomes = Vec::new();
    if let Some((python, folder)) = python {
        write(case, folder)?;
        for peer in PEERS {
            outcomes.push((peer, run(case, python, folder, peer)?));
        }
    }
    let after = ours(case)?;
    let [one, two] = [0, 1].map(|k| faster(Some(before[k]), after[k]));
    for (threads, s) in [("2 threads", two), ("1 thread", one)] {
        let who = format!("palmette, {threads}: {}", s.preconditioner);
        let own = Outcome::Solved {
            seconds: s.total(),
            iterations: Some(s.iterations as u64),
            residual: s.residual,
        };
        table.row(cells(&case.name, &who, &own, [two, one]));
    }
    for (peer, outcome) in &outcomes {
        table.row(cells(&case.name, peer, outcome, [two, one]));
    }
    judge(case, two.total(), &outcomes, goals);
    Ok(())
}

/// A row: what someone did, beside ours.
fn cells(case: &str, who: &str, outcome: &Outcome, ours: [Solved; 2]) -> Vec<String> {
    let mut cells = vec![case.to_string(), who.to_string()];
    match outcome {
        Outcome::Solved { seconds, iterations, residual } => {
            cells.push(format!("{seconds:.4}"));
            cells.extend(ours.map(|ours| format!("{:.2}", seconds / ours.total())));
            cells.push(iterations.map_or(String::new(), |i| i.to_string()));
            cells.push(format!("{residual:.1e}"));
        }
        Outcome::Failed(why) => {
            cells.push(why.clone());
            cells.extend([(); 4].map(|()| String::new()));
        }
    }
    cells
}

/// What was to be reached.
fn judge(case: &Case, own: f64, outcomes: &[(&str, Outcome)], goals: &mut Goals) {
    if let Some(most) = case.most {
        goals.at_most(&case.name, most, own, " s");
    }
    let pyamg = outcomes.iter().filter_map(|(peer, outcome)| match outcome {
        Outcome::Solved { seconds, .. } if peer.starts_with("pyamg") => Some(*seconds),
        _ => None,
    });
    if let Some(best) = pyamg.reduce(f64::min) {
        goals.at_least(&format!("{}, pyamg/ours", case.name), PYAMG, best / own, "");
    } else if !outcomes.is_empty() {
        eprintln!("{}: no answer from pyamg to compare with", case.name);
    }
}

/// `auto` on one thread and on two.
fn ours(case: &Case) -> Result<[Solved; 2], Failure> {
    let with = |threads| pool(threads).install(|| solve(case, Preconditioner::Auto, ITERATIONS));
    Ok([with(1)?, with(2)?])
}

/// Rows of the symmetric matrix of weights, and the currents.
fn write(case: &Case, folder: &Path) -> Result<(), Failure> {
    std::fs::create_dir_all(folder)?;
    let save = |what: &str, values: Values| -> Result<(), Failure> {
        let file = std::fs::File::create(folder.join(format!("{what}.npy")))?;
        Ok(write_npy_values(&mut std::io::BufWriter::new(file), &values)?)
    };
    let graph = &case.graph;
    save("offsets", graph.offsets().iter().map(|&o| o as i64).collect::<Vec<_>>().into())?;
    save(
        "neighbours",
        graph.all_neighbours().iter().map(|&v| i64::from(v)).collect::<Vec<_>>().into(),
    )?;
    save("weights", graph.all_weights().to_vec().into())?;
    save("currents", case.currents.clone().into())
}

/// A peer in a process of its own, so that it can be stopped.
fn run(case: &Case, python: &str, folder: &Path, peer: &str) -> Result<Outcome, Failure> {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("solve_peers.py");
    let mut child = Command::new(python)
        .arg(script)
        .arg(folder)
        .args([peer, &MEMORY.to_string()])
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()?;
    let start = Instant::now();
    while child.try_wait()?.is_none() {
        if start.elapsed() > LIMIT {
            child.kill()?;
            child.wait()?;
            return Ok(Outcome::Failed(format!("more than {} s", LIMIT.as_secs())));
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    let output = child.wait_with_output()?;
    if !output.status.success() {
        return Ok(Outcome::Failed(format!("failed: {}", output.status)));
    }
    let found: Value = serde_json::from_slice(&output.stdout)?;
    if let Some(why) = found["failed"].as_str() {
        return Ok(Outcome::Failed(why.to_string()));
    }
    let seconds = found["seconds"].as_f64().ok_or("the script tells seconds")?;
    let labels = Labels::numbers(case.graph.len());
    let bytes = read_bytes(&folder.join("potentials.npy"))?;
    let Values::F64(x) =
        read_values_bytes("potentials.npy", &bytes, ValueType::F64, None, &labels)?
    else {
        return Err("the script writes floats".into());
    };
    let residual = case.residual(&x);
    if residual > SLACK * TOLERANCE {
        return Ok(Outcome::Failed(format!("wrong: residual {residual:.1e}")));
    }
    Ok(Outcome::Solved { seconds, iterations: found["iterations"].as_u64(), residual })
}
