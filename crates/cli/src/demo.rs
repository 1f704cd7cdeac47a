//! `palmette demo`: from a mesh to messages on a spatial computer, as a script of commands.
//!
//! Each stage runs as a separate command, as a user would type it, so the commands in the report
//! are the ones that made it.

use crate::prelude::*;
use crate::{interrupt, invocation};
use palmette::core::Cancel;
use palmette::core::random::{DEFAULT_SEED, Purpose, Random};
use palmette_report::key_figures;
use palmette_vocabulary::quoted;
use std::io::Write;
use std::process::{Child, Command, ExitStatus, Stdio};

/// How often to check whether a command has ended.
const BETWEEN_LOOKS: Duration = Duration::from_millis(5);

/// Number of pairs in the query for lowest common ancestors.
const PAIRS: u32 = 1000;

#[derive(Debug, Args)]
pub(crate) struct DemoArguments {
    /// Folder for the report, its records and all files of the stages.
    #[arg(short, long, value_name = "DIR", default_value = "out")]
    output: PathBuf,
    /// Seed for every random choice.
    #[arg(long, value_name = "S", default_value_t = DEFAULT_SEED)]
    seed: u64,
}

/// A stage: the words of its command.
struct Stage {
    words: Vec<String>,
}

pub(crate) fn run(arguments: &DemoArguments, run: &RunOptions) -> Result<()> {
    let DemoArguments { output: out, seed } = arguments;
    let files = Files::made("crack-plate:4000").writes_into("-o", Some(out));
    let mut session = Session::open("demo", files, run)?;
    session.file("output", Some(out));
    session.parameter("seed", *seed);
    let records = out.join("records");
    session.writer.make_folder(out)?;
    session.writer.make_folder(&records)?;
    let cancel = Cancel::new();
    interrupt::listen(cancel.clone());
    let stages = stages(out, *seed);
    let bar = session.bar(stages.len() + 1);
    let mut table = Table::new(&["", "command", "found"]);
    let mut files = Vec::new();
    for (number, stage) in (1u64..).zip(&stages) {
        if let Some(bar) = &bar {
            bar.set_message(stage.words[..2].join(" "));
        }
        let file = records.join(format!("{number:02}-{}.json", stage.words[..2].join("-")));
        let record = stage.run(run.threads, &file, &cancel)?;
        if number == 1 {
            // Queries for the last stage.
            write_pairs(&mut session, out, &record, *seed)?;
        }
        let name = stage.words[..2].join(" ");
        let seconds: f64 = record.seconds.values().filter_map(Value::as_f64).sum();
        session.record.seconds.insert(name.clone(), seconds.into());
        table.row([Cell::from(number), Cell::from(name.as_str()), Cell::from(found(&record))]);
        session.record.figure(&name, Value::Object(record.result));
        files.push(file);
        if let Some(bar) = &bar {
            bar.inc(1);
        }
    }
    let page = out.join("report.html");
    report(&files, &page, &cancel)?;
    if let Some(bar) = bar {
        bar.finish_and_clear();
    }
    session.record.figure("report", page.display().to_string());
    session.summarise(format!("{table}report: {}\n", page.display()));
    session.finish()
}

/// The pipeline, one command per line; `@` stands for the folder, `SEED` for the seed.
const PIPELINE: &str = "\
mesh generate crack-plate:4000 --seed SEED -o @plate.msh
mesh graph @plate.msh -o @plate.mtx --output-xyz @plate.xyz
mesh partition @plate.msh --parts 64 --seed SEED
mesh map @plate.msh --machine torus:8x8 --seed SEED -o @mapping
graph sparsify @plate.mtx --rule fegrass --quality --xyz @plate.xyz --tree @tree.csv -o @skeleton.mtx
graph solve @plate.mtx --rhs random --seed SEED --compare
tree info @tree.csv
spatial layout @tree.csv --order light-first --curve hilbert
spatial treefix @tree.csv --op sum --seed SEED
spatial lca @tree.csv --pairs @pairs.csv --seed SEED";

fn stages(out: &Path, seed: u64) -> Vec<Stage> {
    let word = |word: &str| match (word.strip_prefix('@'), word) {
        (Some(name), _) => out.join(name).display().to_string(),
        (None, "SEED") => seed.to_string(),
        (None, word) => word.to_string(),
    };
    let stage = |line: &str| Stage { words: line.split_whitespace().map(word).collect() };
    PIPELINE.lines().map(stage).collect()
}

impl Stage {
    /// Runs the command, and reads the record that it leaves in a file.
    fn run(&self, threads: usize, file: &Path, cancel: &Cancel) -> Result<Record> {
        let mut command = invocation::again()?;
        command.args(&self.words).arg("--record").arg(file).arg("--quiet");
        if threads > 0 {
            command.args(["--threads", &threads.to_string()]);
        }
        self.finish(command.stdout(Stdio::null()), cancel)?;
        let text = std::fs::read(file).map_err(|error| anyhow!("{}: {error}", file.display()))?;
        let record = serde_json::from_slice(&text);
        record.map_err(|error| Internal(format!("{}: {error}", file.display())).into())
    }

    /// The command's messages go to stderr.
    fn finish(&self, command: &mut Command, cancel: &Cancel) -> Result<()> {
        let words: Vec<String> = self.words.iter().map(|word| quoted(word)).collect();
        let failed = |how: String| format!("`palmette {}` {how}", words.join(" "));
        let started = command.stdin(Stdio::null()).spawn();
        match started.and_then(|child| wait(child, cancel)) {
            _ if cancel.is_raised() => Err(Internal(failed("was interrupted".to_string())).into()),
            Ok(status) if status.success() => Ok(()),
            Ok(status) if status.code() == Some(2) => bail!(failed("was refused".to_string())),
            Ok(status) => Err(Internal(failed(format!("ended with {status}"))).into()),
            Err(error) => Err(Internal(failed(format!("cannot be started: {error}"))).into()),
        }
    }
}

/// Waits for a command. An interrupt of this process is passed on to it.
fn wait(mut child: Child, cancel: &Cancel) -> std::io::Result<ExitStatus> {
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(status);
        }
        if cancel.is_raised() {
            // The command removes its partial outputs; without `kill` it cannot.
            let asked = Command::new("kill").arg(child.id().to_string()).status();
            if !asked.is_ok_and(|asked| asked.success()) {
                child.kill()?;
            }
            return child.wait();
        }
        std::thread::sleep(BETWEEN_LOOKS);
    }
}

/// The figures that matter, as a line.
fn found(record: &Record) -> String {
    let figures = key_figures(record).into_iter();
    figures.map(|(name, value)| format!("{name} {value}")).collect::<Vec<String>>().join(", ")
}

/// Random pairs of vertices, numbered from 1 as the mesh's nodes are.
fn write_pairs(session: &mut Session, out: &Path, record: &Record, seed: u64) -> Result<()> {
    let vertices = record.result.get("vertices").and_then(Value::as_u64).unwrap_or(1);
    let mut random = Random::new(seed, Purpose::Samples);
    let mut vertex = || 1 + random.below_wide(vertices);
    let write = |file: &mut Output| {
        writeln!(file, "u,v")?;
        (0..PAIRS).try_for_each(|_| writeln!(file, "{},{}", vertex(), vertex()))
    };
    // It is there before the next stage begins.
    session.writer.write_now(&out.join("pairs.csv"), |file| Ok(file.write_with(write)?))
}

fn report(records: &[PathBuf], page: &Path, cancel: &Cancel) -> Result<()> {
    let words = ["report", "--title", "palmette: a cracked plate, from mesh to messages", "-o"];
    let stage = Stage { words: words.map(str::to_string).to_vec() };
    let mut command = invocation::again()?;
    command.args(&stage.words).arg(page).args(records).arg("--quiet");
    stage.finish(command.stdout(Stdio::null()), cancel)
}
