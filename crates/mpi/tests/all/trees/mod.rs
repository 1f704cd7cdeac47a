//! Trees on ranks: the answers of one machine for any slices, and a quick, clear end when
//! something is wrong.

mod mistakes;

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
    let mut command = Command::new("mpirun");
    // More ranks than cores, also as root in a container.
    command.args(["--allow-run-as-root", "--oversubscribe", "-n", &ranks.to_string()]);
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
fn several_columns_of_values_are_answered_each_for_itself() {
    let folder = Folder::new("mpi-columns");
    let n = 1500;
    let parents = shuffle(&generate(Shape::Preferential, n, 4).unwrap(), 5);
    let columns: [Vec<i64>; 3] =
        [7, 11, 13].map(|m| (0..n as i64).map(|v| v * 7919 % m - 3).collect());
    let mut table = String::from("id,parent,a,b,c\n");
    for (v, &parent) in parents.iter().enumerate() {
        let parent = if parent == NONE { String::new() } else { parent.to_string() };
        let [a, b, c] = [0, 1, 2].map(|k: usize| columns[k][v]);
        writeln!(table, "{v},{parent},{a},{b},{c}").unwrap();
    }
    let file = folder.write("t.csv", &table);
    let out = folder.0.join("out.csv");
    for (verb, direction, op, operator) in [
        ("leaffix", Direction::Leaffix, "sum", Operator::SUM),
        ("rootfix", Direction::Rootfix, "max", Operator::Max),
        ("leaffix", Direction::Leaffix, "hash", Operator::Hash { seed: 0 }),
    ] {
        let answers = columns.clone().map(|x| {
            let x = Values::I64(x);
            match expected(&parents, direction, operator, &x, Scope::Inclusive) {
                Values::I64(x) => x.iter().map(i64::to_string).collect::<Vec<_>>(),
                Values::U64(x) => x.iter().map(u64::to_string).collect(),
                _ => panic!("integers"),
            }
        });
        let mut wanted = format!("vertex,{op}_a,{op}_b,{op}_c\n");
        let [a, b, c] = &answers;
        for (v, ((a, b), c)) in a.iter().zip(b).zip(c).enumerate() {
            writeln!(wanted, "{v},{a},{b},{c}").unwrap();
        }
        for ranks in [1, 2, 3, 5] {
            let mut words = vec![verb, text(&file), "--op", op, "--values", "a,b,c"];
            words.extend(["-o", text(&out)]);
            words.extend((op == "hash").then_some(["--seed", "0"]).into_iter().flatten());
            record(ranks, &words);
            assert!(std::fs::read_to_string(&out).unwrap() == wanted, "{op} on {ranks} ranks");
        }
    }
    let array = folder.0.join("out.npy");
    let said =
        failure(&folder, 2, &["leaffix", text(&file), "--values", "a,b", "-o", text(&array)]);
    assert!(said.contains("one column"), "{said}");
    let said = failure(&folder, 2, &["leaffix", text(&file), "--op", "affine", "--values", "a"]);
    assert!(said.contains("affine takes 2 columns, not 1"), "{said}");
}

#[test]
fn depths_and_distances_by_length() {
    let folder = Folder::new("mpi-lengths");
    let n = 900;
    let parents = shuffle(&generate(Shape::Random, n, 3).unwrap(), 7);
    // Whole numbers, whose sums do not round in any order.
    let length = |v: usize| (v * 31 % 17) as f64;
    let mut table = String::from("id,parent,length\n");
    for (v, &parent) in parents.iter().enumerate() {
        let parent = if parent == NONE { String::new() } else { parent.to_string() };
        writeln!(table, "{v},{parent},{}", length(v)).unwrap();
    }
    let tree = folder.write("t.csv", &table);
    let up = |v: usize| Some(parents[v]).filter(|&parent| parent != NONE).map(|p| p as usize);
    let chain = |v: usize| std::iter::successors(Some(v), |&v| up(v));
    let depth =
        |v: usize| chain(v).filter(|&v| up(v).is_some()).map(length).fold(0.0, |a, b| a + b);
    let (mut pairs, mut wanted) = (String::from("u,v\n"), String::from("u,v,lca,length\n"));
    for k in 0..300 {
        let (u, v) = (k * 31 % n, k * 17 % n);
        let meet = chain(u).find(|&a| chain(v).any(|b| a == b)).unwrap();
        let distance = depth(u) + depth(v) - 2.0 * depth(meet);
        writeln!(pairs, "{u},{v}").unwrap();
        writeln!(wanted, "{u},{v},{meet},{distance}").unwrap();
    }
    let pairs = folder.write("pairs.csv", &pairs);
    let out = folder.0.join("out.csv");
    let mut depths = String::from("vertex,depth\n");
    (0..n).for_each(|v| writeln!(depths, "{v},{}", depth(v)).unwrap());
    for ranks in [1, 2, 4] {
        let lca = ["lca", text(&tree), "--pairs", text(&pairs), "-o", text(&out)];
        record(ranks, &[&lca[..], &["--distance", "--lengths"]].concat());
        assert_eq!(std::fs::read_to_string(&out).unwrap(), wanted, "{ranks} ranks");
        record(ranks, &["rootfix", text(&tree), "--op", "depth", "--lengths", "-o", text(&out)]);
        let found = std::fs::read_to_string(&out).unwrap();
        assert_eq!(found, depths, "{ranks} ranks");
    }
    let plain = folder.parents("t.npy", &parents);
    let words = ["lca", text(&plain), "--pairs", text(&pairs), "--distance", "--lengths"];
    assert!(failure(&folder, 2, &words).contains("has no columns"));
}

#[test]
fn values_have_the_first_type_that_holds_them_on_all_ranks() {
    let folder = Folder::new("mpi-types");
    for (last, kind) in [("7", "i64"), ("9223372036854775808", "u64"), ("0.5", "f64")] {
        // Only the last slice knows.
        let mut rows = String::from("id,parent,x\n0,,1\n");
        (1..99).for_each(|v| writeln!(rows, "{v},{},1", v / 2).unwrap());
        writeln!(rows, "99,49,{last}").unwrap();
        let table = folder.write("t.csv", rows.into_bytes());
        let found = record(3, &["rootfix", text(&table), "--op", "max", "--values", "x"]);
        assert_eq!(found["parameters"]["type"], kind);
        assert_eq!(found["parameters"]["values"], "x");
    }
    let halves = folder.values("halves.npy", &Values::F64(vec![0.5; 100]));
    let tree = folder.parents("t.npy", &[&[NONE][..], &[0; 99]].concat());
    let found = record(2, &["leaffix", text(&tree), "--values", text(&halves)]);
    assert_eq!(found["parameters"]["type"], "f64");
}

#[test]
fn sums_of_floats_can_be_trusted() {
    let folder = Folder::new("mpi-sums");
    let n = 2000;
    let parents = shuffle(&generate(Shape::Random, n, 15).unwrap(), 16);
    // Hard to sum: large numbers that nearly cancel.
    let value = |v: i64| (v * 7919 % 1009 - 504) as f64 * if v % 3 == 0 { 1e12 } else { 0.1 };
    let values = Values::F64((0..n as i64).map(value).collect());
    let (tree, x) = (folder.parents("t.npy", &parents), folder.values("x.npy", &values));
    let on_one = {
        let tree = Tree::from_parents(&parents).unwrap();
        let params = AggregateParams { summation: Summation::Exact, ..Default::default() };
        let values = [values.as_slice()];
        let answer = aggregate(&tree, Direction::Leaffix, Operator::SUM, &values, &params);
        answer.unwrap().numbers().unwrap().clone()
    };
    let Values::F64(exact) = &on_one else { panic!() };
    let mut wanted = Vec::new();
    write_npy_values(&mut wanted, &on_one).unwrap();
    let (array, table) = (folder.0.join("o.npy"), folder.0.join("o.csv"));
    let common = ["leaffix", text(&tree), "--values", text(&x), "--shares", "1,0,7", "--sum"];
    let exactly = [&common[..], &["exact", "-o", text(&array)]].concat();
    assert_eq!(record(3, &exactly)["parameters"]["sum"], "exact");
    assert!(std::fs::read(&array).unwrap() == wanted, "the bits of one machine");
    for how in ["plain", "compensated"] {
        record(3, &[&common[..], &[how, "--error-bound", "-o", text(&table)]].concat());
        let rows = std::fs::read_to_string(&table).unwrap();
        assert!(rows.starts_with("vertex,bound,sum\n"));
        for (row, exact) in rows.lines().skip(1).zip(exact) {
            let cells: Vec<f64> = row.split(',').map(|cell| cell.parse().unwrap()).collect();
            // What is taken as exact is off by half a place itself.
            let slack = exact.abs() * f64::EPSILON;
            assert!((cells[2] - exact).abs() <= cells[1] + slack, "{how}: {row}, not {exact}");
        }
    }
    let gaps = folder.values("gaps.npy", &Values::F64(vec![f64::NAN; n]));
    let gaps = ["leaffix", text(&tree), "--values", text(&gaps), "--allow-nan"];
    assert_eq!(record(2, &gaps)["result"]["nan_sums"], n);
    let csv = folder.write("gaps.csv", "id,parent,x\n0,,1\n1,0,nan\n2,0,0.5\n");
    let gaps = ["rootfix", text(&csv), "--values", "x", "--allow-nan", "-o", text(&table)];
    assert_eq!(record(3, &gaps)["result"]["nan_values"], 1);
    assert_eq!(std::fs::read_to_string(&table).unwrap(), "vertex,sum\n0,1\n1,NaN\n2,1.5\n");
    let far = folder.values("far.npy", &Values::F64(vec![1e308; n]));
    let large = record(2, &["rootfix", text(&tree), "--values", text(&far), "--type", "f64"]);
    assert!(large["result"]["overflows"].as_u64().unwrap() > 0, "{large}");
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
    for phase in ["children", "ranking", "blocks", "values"] {
        assert!((n as u64 / 8..n as u64 * 30 / 4).contains(&words(&hashes, phase)), "{hashes}");
    }
    let spoken = job(2, &["leaffix", text(&tree)]);
    assert!(said(&spoken).contains("rounds"), "{}", said(&spoken));
}
