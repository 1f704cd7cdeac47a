//! Trees on ranks: the answers of one machine for any slices, and a quick, clear end when
//! something is wrong.

mod mistakes;
mod parsimony;
mod values;

use palmette::io::{write_npy_parents, write_npy_values};
use palmette::tree::lca::Lca;
use palmette::{
    AggregateParams, Direction, NONE, Operator, Scope, Summation, Tree, Values, aggregate,
};
use palmette_core::generate::{Shape, generate, shuffle};
use serde_json::Value;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

/// How long a job that failed may take to end, on a machine with fewer cores than ranks.
const SOON: Duration = Duration::from_secs(30);

/// A folder that is gone after the test.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let folder = std::env::temp_dir().join(format!("palmette-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        Folder(folder)
    }

    fn write(&self, name: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
        let path = self.0.join(name);
        std::fs::write(&path, bytes).unwrap();
        path
    }

    fn parents(&self, name: &str, parents: &[u32]) -> PathBuf {
        let mut bytes = Vec::new();
        write_npy_parents(&mut bytes, parents).unwrap();
        self.write(name, bytes)
    }

    fn values(&self, name: &str, values: &Values) -> PathBuf {
        let mut bytes = Vec::new();
        write_npy_values(&mut bytes, values).unwrap();
        self.write(name, bytes)
    }

    /// All there is.
    fn files(&self) -> Vec<String> {
        let entries = std::fs::read_dir(&self.0).unwrap();
        let mut names: Vec<String> =
            entries.map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn job(ranks: usize, arguments: &[&str]) -> Output {
    let mut command = crate::mpirun(ranks);
    command.arg(env!("CARGO_BIN_EXE_palmette-mpi")).arg("tree").args(arguments);
    let start = Instant::now();
    let output = command.stdin(Stdio::null()).output().unwrap();
    assert!(start.elapsed() < SOON, "{:?}", start.elapsed());
    output
}

fn said(output: &Output) -> String {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    text(&output.stdout) + &text(&output.stderr)
}

/// The record of a job that ends well.
fn record(ranks: usize, arguments: &[&str]) -> Value {
    let output = job(ranks, &[arguments, &["--json"]].concat());
    assert!(output.status.success(), "{ranks} ranks: {}", said(&output));
    serde_json::from_slice(&output.stdout).unwrap()
}

/// What a job that must fail said; nothing may be left behind.
fn failure(folder: &Folder, ranks: usize, arguments: &[&str]) -> String {
    let before = folder.files();
    let output = job(ranks, arguments);
    assert_eq!(output.status.code(), Some(2), "{}", said(&output));
    assert_eq!(folder.files(), before);
    said(&output)
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

/// On one machine, by vertex.
fn expected(
    parents: &[u32],
    direction: Direction,
    operator: Operator,
    values: &Values,
    scope: Scope,
) -> Values {
    let tree = Tree::from_parents(parents).unwrap();
    let params = AggregateParams { scope, ..Default::default() };
    let answer = aggregate(&tree, direction, operator, &[values.as_slice()], &params);
    answer.unwrap().numbers().unwrap().clone()
}

#[test]
fn answers_are_those_of_one_machine() {
    let folder = Folder::new("mpi-answers");
    let n = 3000;
    let values = Values::I64((0..n as i64).map(|v| v * 7919 % 1009 - 500).collect());
    let values_file = folder.values("x.npy", &values);
    for (shape, ranks, shares) in [
        (Shape::Random, 1, "1"),
        (Shape::Caterpillar, 2, "1,9"),
        (Shape::Random, 3, "0,5,1"),
        (Shape::Path, 4, "1,1,1,1"),
        (Shape::Binary, 7, "3,0,0,1,2,50,1"),
    ] {
        let parents = shuffle(&generate(shape, n, 5).unwrap(), 6);
        let tree = folder.parents("tree.npy", &parents);
        for (direction, verb) in [(Direction::Rootfix, "rootfix"), (Direction::Leaffix, "leaffix")]
        {
            for (operator, scope) in [
                (Operator::SUM, Scope::Inclusive),
                (Operator::Min, Scope::Exclusive),
                (Operator::Hash { seed: 0 }, Scope::Inclusive),
            ] {
                let wanted = expected(&parents, direction, operator, &values, scope);
                let out = folder.0.join("out.npy");
                let mut arguments = vec![
                    verb,
                    text(&tree),
                    "--values",
                    text(&values_file),
                    "--op",
                    operator.name().name(),
                    "-o",
                    text(&out),
                    "--shares",
                    shares,
                ];
                arguments.extend((scope == Scope::Exclusive).then_some("--exclusive"));
                let hash = matches!(operator, Operator::Hash { .. });
                arguments.extend(hash.then_some(["--seed", "0"]).into_iter().flatten());
                let record = record(ranks, &arguments);
                assert_eq!(record["result"]["vertices"], n);
                let mut bytes = Vec::new();
                write_npy_values(&mut bytes, &wanted).unwrap();
                assert!(
                    std::fs::read(&out).unwrap() == bytes,
                    "{shape} on {ranks}: {verb} {operator}"
                );
            }
        }
    }
    assert_eq!(folder.files(), ["out.npy", "tree.npy", "x.npy"]);
}

/// A table with scattered ids in any order, and what it says.
fn scattered(n: usize) -> (String, Vec<u32>) {
    let parents = shuffle(&generate(Shape::Random, n, 8).unwrap(), 9);
    let id = |v: u32| i64::from(v) * 7919 % 100_003 - 50;
    let mut table = String::from("name,weight,parent\n");
    for (v, &parent) in (0..).zip(&parents) {
        let parent = if parent == NONE { String::new() } else { id(parent).to_string() };
        writeln!(table, "{},{},{parent}", id(v), v % 13).unwrap();
    }
    (table, parents)
}

#[test]
fn tables_measures_and_ancestors() {
    let folder = Folder::new("mpi-tables");
    let n = 2000;
    let (table, parents) = scattered(n);
    let file = folder.write("tree.csv", &table);
    let tree = Tree::from_parents(&parents).unwrap();
    let id = |v: u32| i64::from(v) * 7919 % 100_003 - 50;
    let lca = Lca::by_vertex(&tree);
    let pair = |k: usize| ((k * 31 % n) as u32, (k * 17 % n) as u32);
    let mut pairs = String::from("u,v\n");
    let mut wanted = String::from("u,v,lca,edges\n");
    let depth = tree.to_vertices(&tree.depths()).unwrap();
    for k in 0..500 {
        let (u, v) = pair(k);
        let a = lca.batch(&[(u, v)])[0];
        let distance = depth[u as usize] + depth[v as usize] - 2 * depth[a as usize];
        writeln!(pairs, "{},{}", id(u), id(v)).unwrap();
        writeln!(wanted, "{},{},{},{distance}", id(u), id(v), id(a)).unwrap();
    }
    let pairs = folder.write("pairs.csv", &pairs);
    let out = folder.0.join("out.csv");
    for ranks in [1, 3, 4] {
        record(
            ranks,
            &["lca", text(&file), "--pairs", text(&pairs), "--distance", "-o", text(&out)],
        );
        assert_eq!(std::fs::read_to_string(&out).unwrap(), wanted, "{ranks} ranks");
        record(
            ranks,
            &["leaffix", text(&file), "--op", "argmax", "--values", "weight", "-o", text(&out)],
        );
        let weights = [Values::I64((0..n as i64).map(|v| v % 13).collect())];
        let answer = aggregate(
            &tree,
            Direction::Leaffix,
            Operator::ArgMax,
            &Values::slices(&weights),
            &Default::default(),
        );
        let answer = answer.unwrap();
        let mut lines = String::from("vertex,max,argmax\n");
        let palmette::AnswerCells::Numbers(Values::I64(max)) = &answer.columns[0].cells else {
            panic!()
        };
        let palmette::AnswerCells::Vertices(at) = &answer.columns[1].cells else { panic!() };
        for v in 0..n {
            writeln!(lines, "{},{},{}", id(v as u32), max[v], id(at[v])).unwrap();
        }
        assert_eq!(std::fs::read_to_string(&out).unwrap(), lines, "{ranks} ranks");
        for (verb, op, values) in [
            ("rootfix", "depth", palmette::measures::depths(&tree)),
            ("leaffix", "height", palmette::measures::heights(&tree)),
            ("leaffix", "leaves", palmette::measures::leaf_counts(&tree)),
        ] {
            record(ranks, &[verb, text(&file), "--op", op, "-o", text(&out)]);
            let values = tree.to_vertices(&values).unwrap();
            let mut lines = format!("vertex,{op}\n");
            (0..n).for_each(|v| writeln!(lines, "{},{}", id(v as u32), values[v]).unwrap());
            assert_eq!(std::fs::read_to_string(&out).unwrap(), lines, "{op} on {ranks} ranks");
        }
    }
}

#[test]
fn a_link_stays_one_and_a_pipe_is_refused() {
    let folder = Folder::new("mpi-links");
    let tree = folder.parents("t.npy", &[NONE, 0, 0]);
    let [real, link, pipe] = ["real.csv", "link.csv", "pipe.csv"].map(|name| folder.0.join(name));
    std::os::unix::fs::symlink(&real, &link).unwrap();
    std::fs::write(&real, "old").unwrap();
    record(2, &["leaffix", text(&tree), "-o", text(&link)]);
    assert!(link.is_symlink());
    assert_eq!(std::fs::read_to_string(&real).unwrap(), "vertex,sum\n0,3\n1,1\n2,1\n");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let said = failure(&folder, 2, &["leaffix", text(&tree), "-o", text(&pipe)]);
    assert!(said.contains("not a plain file"), "{said}");
    std::fs::remove_file(&real).unwrap();
    record(2, &["leaffix", text(&tree), "-o", text(&link)]);
    assert!(link.is_symlink() && real.is_file());
}

#[test]
fn inputs_are_kept() {
    let folder = Folder::new("mpi-kept");
    let tree = folder.write("t.csv", "id,parent\n0,\n1,0\n");
    let pairs = folder.write("p.csv", "u,v\n0,1\n");
    let values = folder.write("w.csv", "vertex,w\n0,1\n1,2\n");
    let file = format!("file:{}", text(&values));
    for words in [
        &["leaffix", text(&tree), "-o", text(&tree)][..],
        &["rootfix", text(&tree), "--values", &file, "-o", text(&values)],
        &["lca", text(&tree), "--pairs", text(&pairs), "-o", text(&pairs)],
    ] {
        let said = failure(&folder, 2, words);
        assert!(said.contains("-o names the input"), "{said}");
    }
}

/// The most memory of a rank grows by at most so much per vertex of its slice, whatever the labels.
#[test]
fn memory_is_within_150_bytes_per_vertex_of_a_slice() {
    let folder = Folder::new("mpi-memory");
    let (few, many) = (100_000, 1_500_000);
    let most = |n: usize, mixed: bool| {
        let parents = generate(Shape::Random, n, 1).unwrap();
        let parents = if mixed { shuffle(&parents, 2) } else { parents };
        let tree = folder.parents("t.npy", &parents);
        let record = record(2, &["leaffix", text(&tree)]);
        record["result"]["most_memory"].as_f64().unwrap()
    };
    for mixed in [false, true] {
        // What a process has before it reads anything is no part of it.
        let per_vertex = 2.0 * (most(many, mixed) - most(few, mixed)) / (many - few) as f64;
        assert!((8.0..150.0).contains(&per_vertex), "{per_vertex} bytes, shuffled: {mixed}");
    }
}

#[test]
fn traffic_is_reported() {
    let folder = Folder::new("mpi-traffic");
    let n = 40_000;
    let tree = folder.parents("t.npy", &shuffle(&generate(Shape::Random, n, 1).unwrap(), 2));
    let one = record(1, &["leaffix", text(&tree)]);
    let four = record(4, &["leaffix", text(&tree)]);
    let words = |record: &Value, phase: &str| {
        record["result"]["traffic"][phase]["most_words_received"].as_u64().unwrap()
    };
    for phase in ["rounds", "treefix"] {
        assert!(words(&one, phase) < 1200, "{one}");
        assert!((n as u64 / 16..n as u64 * 2 / 4).contains(&words(&four, phase)), "{four}");
    }
    let rounds = four["result"]["traffic"]["rounds"]["rounds"].as_u64().unwrap();
    assert!((5..80).contains(&rounds), "{four}");
    assert!(four["result"]["most_memory"].as_u64().unwrap() > 0, "{four}");
    // What needs an order pays for it.
    let hashes = record(4, &["leaffix", text(&tree), "--op", "hash"]);
    for phase in ["numbering", "blocks", "values"] {
        assert!((n as u64 / 8..n as u64 * 30 / 4).contains(&words(&hashes, phase)), "{hashes}");
    }
    let spoken = job(2, &["leaffix", text(&tree)]);
    assert!(said(&spoken).contains("rounds"), "{}", said(&spoken));
}
