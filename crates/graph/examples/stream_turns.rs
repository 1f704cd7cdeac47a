//! Skeletons that follow a stream of updates beside skeletons that are made anew.
//!
//! `stream_turns [--streams FOLDER] [--refresh R] [--write PAGE] FILE…` prints a row for each graph and stream, on one thread:
//! insertions of 30% of the vertices in ten batches, between the ends of random walks of two or six steps
//! or any two vertices, with weights from 1 to 2, and deletions of a tenth of the edges. Streams that the
//! folder has (`NAME.local2.csv.gz`) are taken from there. Times are those of the clock, the
//! least of some turns.
#![allow(clippy::unwrap_used, missing_docs)]

use palmette_core::Graph;
use palmette_core::random::{Purpose, Random};
use palmette_graph::dynamic::{DynamicParams, DynamicSparsifier, Update};
use palmette_graph::sparsify::{Budget, Rule, Sparsifier, SparsifyParams, sparsify};
use palmette_graph::{QualityParams, quality};
use palmette_io::read_graph;
use std::collections::HashSet;
use std::path::Path;
use std::time::Instant;

const HEAD: &str = "| graph | stream | updates | κ before | κ never updated | κ followed | recovered, % of vertices | κ anew, same number | \
                    followed ÷ anew | µs per update, median | mean, refreshes with it | anew, ms | anew ÷ one update | \
                    anew ÷ a batch | parts |\n|---|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|";

const BATCHES: usize = 10;
const TURNS: usize = 5;
const STREAMS: [&str; 4] = ["local2", "local6", "global", "delete"];

fn main() {
    let mut arguments = std::env::args().skip(1);
    let (mut folder, mut page) = (None, None);
    let mut refresh = DynamicParams::default().refresh;
    let mut files = Vec::new();
    while let Some(word) = arguments.next() {
        match word.as_str() {
            "--streams" => folder = arguments.next(),
            "--refresh" => refresh = arguments.next().unwrap().parse().unwrap(),
            "--write" => page = arguments.next(),
            _ => files.push(word),
        }
    }
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    let mut lines = vec![HEAD.to_string()];
    for file in files {
        let graph = read_graph(Path::new(&file), &Default::default()).unwrap().graph;
        let name = Path::new(&file).file_stem().unwrap().to_string_lossy().into_owned();
        for stream in STREAMS {
            let given = folder.as_ref().map(|folder| format!("{folder}/{name}.{stream}.csv.gz"));
            let given = given.filter(|path| stream != "delete" && Path::new(path).exists());
            let updates = given.map_or_else(|| made(&graph, stream), |path| read(&path));
            lines.push(pool.install(|| row(&name, stream, &graph, &updates, refresh)));
            println!("{}", lines[lines.len() - 1]);
        }
    }
    if let Some(page) = page {
        let text = std::fs::read_to_string(&page).unwrap();
        let (before, rest) = text.split_once("<!-- streams -->").unwrap();
        let (_, after) = rest.split_once("<!-- /streams -->").unwrap();
        let table = lines.join("\n");
        let text = format!("{before}<!-- streams -->\n\n{table}\n\n<!-- /streams -->{after}");
        std::fs::write(&page, text).unwrap();
    }
}

/// Insertions of a file: a batch, two ends, counted from 1, and a weight per line.
fn read(path: &str) -> Vec<Update> {
    let unpacked = std::process::Command::new("gzip").args(["-dc", path]).output().unwrap();
    let text = String::from_utf8(unpacked.stdout).unwrap();
    let insertion = |line: &str| {
        let fields: Vec<&str> = line.split(',').collect();
        let [.., a, b, weight] = fields[..] else { panic!("{line}") };
        let (a, b): (u32, u32) = (a.parse().unwrap(), b.parse().unwrap());
        Update::Insert { a: a - 1, b: b - 1, weight: weight.parse().unwrap() }
    };
    text.lines().skip(1).map(insertion).collect()
}

fn made(graph: &Graph, stream: &str) -> Vec<Update> {
    let mut random = Random::new(1, Purpose::Samples);
    let n = graph.len() as u32;
    if stream == "delete" {
        let mut edges: Vec<(u32, u32)> = graph.edges().map(|(a, b, _)| (a, b)).collect();
        let count = edges.len() / 10;
        for i in 0..count {
            let rest = (edges.len() - i) as u32;
            edges.swap(i, i + random.below(rest) as usize);
        }
        return edges[..count].iter().map(|&(a, b)| Update::Delete { a, b }).collect();
    }
    let steps = match stream {
        "local2" => 2,
        "local6" => 6,
        _ => 0,
    };
    let mut seen: HashSet<(u32, u32)> = graph.edges().map(|(a, b, _)| (a, b)).collect();
    let mut updates = Vec::new();
    while updates.len() < 3 * graph.len() / 10 {
        let a = random.below(n);
        let mut b = if steps == 0 { random.below(n) } else { a };
        for _ in 0..steps {
            let near = graph.neighbours(b);
            b = near[random.below(near.len() as u32) as usize];
        }
        if a != b && seen.insert((a.min(b), a.max(b))) {
            updates.push(Update::Insert { a, b, weight: 1.0 + random.unit() });
        }
    }
    updates
}

fn condition(graph: &Graph, skeleton: &Graph) -> f64 {
    let params = QualityParams { samples: 0, ..Default::default() };
    quality(graph, skeleton, &params).unwrap().condition
}

/// The spectral rule, with a number of recovered edges, and its milliseconds.
fn anew(graph: &Graph, count: usize) -> (Sparsifier, f64) {
    let budget = Budget::Count(count);
    let params = SparsifyParams { rule: Rule::Spectral, budget, ..Default::default() };
    let mut least = f64::INFINITY;
    let mut made = Sparsifier::default();
    for _ in 0..TURNS {
        let start = Instant::now();
        made = sparsify(graph, &params).unwrap();
        least = least.min(start.elapsed().as_secs_f64() * 1e3);
    }
    (made, least)
}

fn row(name: &str, stream: &str, graph: &Graph, updates: &[Update], refresh: f64) -> String {
    // Some streams name edges twice.
    let params = DynamicParams { upsert: true, refresh, ..Default::default() };
    let new = || DynamicSparsifier::new(graph, &params).unwrap();
    let first = new();
    let before = condition(graph, &first.skeleton());
    let mut least = f64::INFINITY;
    let mut followed = first;
    for _ in 0..TURNS {
        followed = new();
        let start = Instant::now();
        for batch in updates.chunks(updates.len().div_ceil(BATCHES)) {
            followed.apply_all(batch).unwrap();
        }
        least = least.min(start.elapsed().as_secs_f64() * 1e6 / updates.len() as f64);
    }
    let mut one = new();
    let mut times: Vec<f64> = Vec::with_capacity(updates.len());
    for update in updates {
        let start = Instant::now();
        one.apply(update).unwrap();
        times.push(start.elapsed().as_secs_f64() * 1e6);
    }
    assert_eq!(one.skeleton(), followed.skeleton(), "batches do not show");
    times.sort_unstable_by(f64::total_cmp);
    let median = times[times.len() / 2];
    let now = followed.graph();
    let found = condition(&now, &followed.skeleton());
    // The skeleton as it was, with a forest where edges of it have gone.
    let ignored = (stream != "delete").then(|| condition(&now, &new().skeleton()));
    let (made, ms) = anew(&now, followed.recovered().count());
    let best = condition(&now, &made.graph(&now));
    let parts = now.components().count();
    assert_eq!(followed.skeleton().components().count(), parts);
    let batch = least * updates.len() as f64 / BATCHES as f64;
    format!(
        "| {name} | {stream} | {} | {before:.0} | {} | {found:.0} | {:.1} | {best:.0} | {:.2} | {median:.2} | {least:.1} | {ms:.1} | {:.0} | {:.1} | {parts} |",
        updates.len(),
        ignored.map_or("–".to_string(), |x| format!("{x:.0}")),
        100.0 * followed.density(),
        found / best,
        ms * 1e3 / median,
        ms * 1e3 / batch,
    )
}
