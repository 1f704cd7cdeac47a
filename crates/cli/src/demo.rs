//! `palmette demo`: the main job on a tree made for it.

use crate::Internal;
use crate::arguments::{RunOptions, threads};
use crate::picture;
use crate::session::{Session, print};
use anyhow::anyhow;
use clap::Args;
use palmette::core::generate::{GenerateParams, Shape};
use palmette::core::operator::Sum;
use palmette::{Engine, Lca, NONE, Scope, Tree, TreeFigures, TreefixParams, leaffix, rootfix};
use palmette_report::{Cell, Table};
use std::path::PathBuf;

/// Answers that are checked by walking up.
const CHECKED: usize = 1000;

#[derive(Debug, Args)]
pub(crate) struct DemoArguments {
    /// The number of vertices, and of queries.
    #[arg(long, short, value_name = "N", default_value_t = 1_000_000,
          value_parser = clap::value_parser!(u32).range(1..))]
    n: u32,
    /// Decides every random choice.
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// Where the picture and the record go.
    #[arg(long, value_name = "DIR", default_value = "out")]
    out: PathBuf,
    /// The number of threads; 0 is one a core.
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = threads)]
    pub(crate) threads: usize,
    /// Print one JSON record on stdout and nothing else there.
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(arguments: &DemoArguments) -> anyhow::Result<()> {
    let n = arguments.n as usize;
    let run = RunOptions { json: arguments.json, quiet: false, threads: arguments.threads };
    let mut session = Session::new("demo", "random, shuffled", &run);
    session.record.parameter("n", n).parameter("seed", arguments.seed);
    let params =
        GenerateParams { shape: Shape::Random, n: Some(n), seed: arguments.seed, shuffle: true };
    let parents = session.phase("generate", || params.generate())?;
    let tree = session.phase("build", || Tree::from_parents(&parents))?;
    aggregates(&mut session, &tree)?;
    ancestors(&mut session, &tree, n, arguments.seed)?;
    let figures = TreeFigures::of(&tree);
    session
        .record
        .figure("vertices", figures.vertices)
        .figure("leaves", figures.leaves)
        .figure("height", figures.height)
        .figure("queries", n)
        .figure("correct", true);

    let svg = arguments.out.join("demo.svg");
    let json = arguments.out.join("demo.json");
    std::fs::create_dir_all(&arguments.out).map_err(|error| {
        let dir = arguments.out.display();
        anyhow!("{dir}: expected a directory that can be written: {error}")
    })?;
    let title = format!("A random tree, seed {}", arguments.seed);
    session.phase("draw", || picture::write(&svg, &picture::summary(&title, &figures)))?;
    picture::write(&json, &format!("{}\n", session.record.to_json()))?;
    if arguments.json {
        return Ok(session.finish()?);
    }
    let mut table = Table::new(&["phase", "seconds", "ns each"]);
    for (phase, seconds) in &session.record.seconds {
        let seconds = seconds.as_f64().unwrap_or(0.0);
        table.row([phase.as_str().into(), seconds.into(), Cell::from(1e9 * seconds / n as f64)]);
    }
    let threads = rayon::current_num_threads();
    print(&format!(
        "random tree: {n} vertices, height {}, {} leaves; {n} queries; {threads} threads\n\
         {table}engines agree, ancestors checked; wrote {} and {}\n",
        figures.height,
        figures.leaves,
        svg.display(),
        json.display()
    ))?;
    Ok(())
}

/// Sums up and down the tree on two engines, which must agree.
fn aggregates(session: &mut Session, tree: &Tree) -> anyhow::Result<()> {
    let values: Vec<i64> = tree.vertices().iter().map(|&v| i64::from(v) % 1000 - 500).collect();
    let with = |engine| TreefixParams { scope: Scope::Inclusive, engine };
    for (name, up) in [("leaffix", true), ("rootfix", false)] {
        let mut answers = Vec::new();
        for engine in [Engine::Sequential, Engine::Threads] {
            answers.push(session.phase(&format!("{name} {engine}"), || match up {
                true => leaffix(tree, &values, &Sum::new(), with(engine)),
                false => rootfix(tree, &values, &Sum::new(), with(engine)),
            })?);
        }
        if answers[0] != answers[1] {
            return Err(Internal(format!("two engines disagree on a {name}")).into());
        }
    }
    Ok(())
}

/// Lowest common ancestors of random pairs, some checked by walking up.
fn ancestors(session: &mut Session, tree: &Tree, queries: usize, seed: u64) -> anyhow::Result<()> {
    let n = tree.len() as u64;
    let pair = |i: u64| ((mix(seed, 2 * i) % n) as u32, (mix(seed, 2 * i + 1) % n) as u32);
    let pairs: Vec<(u32, u32)> = (0..queries as u64).map(pair).collect();
    let index = session.phase("lca prepare", || Lca::by_vertex(tree));
    let answers = session.phase("lca queries", || index.batch(&pairs));
    for (&(u, v), &answer) in pairs.iter().zip(&answers).take(CHECKED) {
        if walk_up(tree, u, v) != answer {
            return Err(Internal(format!("the ancestor of {u} and {v} is not {answer}")).into());
        }
    }
    Ok(())
}

fn walk_up(tree: &Tree, u: u32, v: u32) -> u32 {
    let (mut u, mut v) = (tree.positions()[u as usize], tree.positions()[v as usize]);
    while u != v {
        let lower = if u > v { &mut u } else { &mut v };
        match tree.parent(*lower) {
            Some(parent) => *lower = parent,
            None => return NONE,
        }
    }
    tree.vertices()[u as usize]
}

/// Number `i` of a random sequence (SplitMix64).
fn mix(seed: u64, i: u64) -> u64 {
    let mut z = seed.wrapping_add((i + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15));
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}
