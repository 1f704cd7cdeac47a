//! `palmette demo`: from a mesh to messages on a spatial computer, as a script of commands.
//!
//! Each stage runs as a separate command, as a user would type it, so the commands in the report
//! are the ones that made it.

use crate::prelude::*;
use crate::{interrupt, invocation};
use palmette::core::random::{DEFAULT_SEED, Purpose, Random};
use palmette::core::{Cancel, Picture};
use palmette::io::{
    GraphReadParams, ReadParams, read_graph_bytes, read_integers_bytes, read_tree_bytes,
};
use palmette::pictures::Way;
use palmette::{MeshInputParams, TreeParams, placement_from_json, read_mesh_input};
use palmette_report::{ReportPage, key_figures};
use palmette_vocabulary::quoted;
use std::io::Write;
use std::process::{Child, Command, ExitStatus, Stdio};

/// How often to check whether a command has ended.
const BETWEEN_LOOKS: Duration = Duration::from_millis(5);

/// The heading of the report.
const TITLE: &str = "palmette: a cracked plate, from mesh to messages";

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

/// A stage: the words of its command, and what it shows.
struct Stage {
    words: Vec<String>,
    about: &'static str,
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
    let mut done = Vec::new();
    for (number, stage) in (1u64..).zip(&stages) {
        if let Some(bar) = &bar {
            bar.set_message(stage.words[..2].join(" "));
        }
        let file = records.join(format!("{number:02}-{}.json", stage.words[..2].join("-")));
        let mut record = stage.run(run.threads, &file, &cancel)?;
        record.about = stage.about.to_string();
        let text = record.to_json();
        session
            .writer
            .write_now(&file, |out| Ok(out.write_with(|out| writeln!(out, "{text}"))?))?;
        if number == 1 {
            // Queries for the last stage.
            write_pairs(&mut session, out, &record, *seed)?;
        }
        let name = stage.words[..2].join(" ");
        let seconds: f64 = record.seconds.values().filter_map(Value::as_f64).sum();
        session.record.seconds.insert(name.clone(), seconds.into());
        table.row([Cell::from(number), Cell::from(name.as_str()), Cell::from(found(&record))]);
        session.record.figure(&name, Value::Object(record.result.clone()));
        done.push(record);
        if let Some(bar) = &bar {
            bar.inc(1);
        }
    }
    let page = out.join("report.html");
    let picture = overview(out)?;
    session.writer.write_now(&out.join("overview.svg"), |file| {
        Ok(file.write_with(|file| file.write_all(picture.svg.as_bytes()))?)
    })?;
    let (records, overview) = (&done[..], Some(&picture));
    let html = ReportPage { title: TITLE, overview, records, compared: None }.to_html()?;
    session.write_text(&page, &html)?;
    if let Some(bar) = bar {
        bar.finish_and_clear();
    }
    session.record.figure("report", page.display().to_string());
    session.summarise(format!("{table}report: {}\n", page.display()));
    session.finish()
}

/// The pipeline: the words of each command, where `@` stands for the folder and `SEED` for the seed;
/// what there is to see, and why it matters.
const PIPELINE: [(&str, &str); 10] = [
    (
        "mesh generate crack-plate:4000 --seed SEED -o @plate.msh",
        "A square plate with a crack, cut into triangles that get smaller towards the tip of the \
         crack. Engineers compute stresses on such meshes, and uneven ones are the hard case: \
         parts of equal area would be far from equal work.",
    ),
    (
        "mesh graph @plate.msh -o @plate.mtx --output-xyz @plate.xyz",
        "The same plate as a graph: a vertex per node, an edge between nodes that share a \
         triangle. What follows works on this graph, so it works for circuits and networks, too.",
    ),
    (
        "mesh partition @plate.msh --parts 64 --seed SEED",
        "The plate in 64 parts with nearly the same number of nodes each. Every edge between two \
         parts is a value that two processors must exchange in each step, so few are wanted.",
    ),
    (
        "mesh map @plate.msh --machine torus:8x8 --seed SEED -o @mapping",
        "Parts that touch lie on processors that are near each other, and every message has its \
         route. Wide, dark lines are busy links: an exchange takes as long as the busiest of them.",
    ),
    (
        "graph sparsify @plate.mtx --rule fegrass --quality --xyz @plate.xyz --tree @tree.csv \
         -o @skeleton.mtx",
        "A skeleton: a spanning tree (blue) and a few more edges (orange), about a third of all. \
         It stands in for the whole graph where that would be too expensive; the condition number \
         below says how well, and 1 would be perfect.",
    ),
    (
        "graph solve @plate.mtx --rhs random --seed SEED --compare",
        "How fast seven preconditioners bring down the residual of one linear system; each line \
         ends where it is small enough. Few iterations are not all: the table below has the \
         seconds for setting up and for solving.",
    ),
    (
        "tree info @tree.csv",
        "The spanning tree by itself: how many vertices lie at each depth, and how many children \
         they have. Deep, thin trees such as this one are slow to walk level by level, so the \
         next stages use methods that do not depend on depth.",
    ),
    (
        "spatial layout @tree.csv --order light-first --curve hilbert",
        "The tree on a grid of 64 by 64 processors, one vertex each, along a curve that keeps \
         neighbours together. Short lines mean short messages, and on such chips the distance a \
         message travels is what it costs.",
    ),
    (
        "spatial treefix @tree.csv --op sum --seed SEED --replay never",
        "The sum over every subtree, found by messages alone: leaves and chains are folded into \
         their neighbours, round by round, until one vertex is left. The slider steps through the \
         rounds; their number grows with the logarithm of the size, not with the depth.",
    ),
    (
        "spatial lca @tree.csv --pairs @pairs.csv --seed SEED --replay never",
        "The lowest common ancestors of 1,000 pairs of vertices, asked all at once and answered by \
         messages. Colours show how many of them each link carried, and a ring marks the busiest \
         one, which all others may have to wait for.",
    ),
];

fn stages(out: &Path, seed: u64) -> Vec<Stage> {
    let word = |word: &str| match (word.strip_prefix('@'), word) {
        (Some(name), _) => out.join(name).display().to_string(),
        (None, "SEED") => seed.to_string(),
        (None, word) => word.to_string(),
    };
    let stage = |(line, about): (&str, &'static str)| Stage {
        words: line.split_whitespace().map(word).collect(),
        about,
    };
    PIPELINE.into_iter().map(stage).collect()
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

/// The mesh, its parts and the machine, the skeleton, its tree and the grid, from the files that
/// the stages left.
fn overview(out: &Path) -> Result<Picture> {
    let read = |name: &str| {
        let path = out.join(name);
        std::fs::read(&path).map_err(|error| anyhow!("{}: {error}", path.display()))
    };
    let input = read_mesh_input(out.join("plate.msh"), &MeshInputParams::default())?;
    let part = read_integers_bytes("part.txt", &read("mapping/part.txt")?, input.graph.len())?;
    let value = serde_json::from_slice(&read("mapping/placement.json")?)?;
    let (machine, placement) = placement_from_json(&value)
        .ok_or_else(|| Internal("placement.json: no placement".to_string()))?;
    let params = GraphReadParams::default();
    let skeleton = read_graph_bytes("skeleton.mtx", &read("skeleton.mtx")?, &params)?.graph;
    let file = read_tree_bytes("tree.csv", &read("tree.csv")?, &ReadParams::default())?;
    let layout = Layout::new(file.tree(TreeParams::default())?, LayoutParams::default())?;
    let way = Way {
        input: &input,
        part: &part,
        machine: &machine,
        placement: &placement,
        skeleton: &skeleton,
        layout: &layout,
    };
    Ok(pictures::overview(&way)?)
}
