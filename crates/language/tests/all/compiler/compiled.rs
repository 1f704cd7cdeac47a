//! Generated C, compiled and run, against the evaluation here: bit for bit.

use super::example;
use super::grid::Grid;
use super::reference::{Outcome, evaluate};
use palmette_language::c::{RankData, data_name, source_files, write_data};
use palmette_language::{Program, compile};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Whether generated programs are run. `make setup` installs MPI; who goes without must say so.
pub(super) fn has_mpi() -> bool {
    if std::env::var_os("PALMETTE_WITHOUT_MPI").is_some() {
        eprintln!("PALMETTE_WITHOUT_MPI: generated programs are not run");
        return false;
    }
    for tool in ["mpicc", "mpirun"] {
        let found = Command::new(tool).arg("--version").output().is_ok();
        assert!(found, "no {tool}: `make setup` installs it, PALMETTE_WITHOUT_MPI=1 goes without");
    }
    true
}

/// Writes a program with its data and compiles it; warnings are errors.
pub(super) fn build(name: &str, program: &Program, ranks: &[RankData], nodes: usize) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("generate-{name}"));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(folder.join("data")).unwrap();
    for file in source_files(program, ranks.len(), Some("rank 0=localhost slot=0\n")) {
        fs::write(folder.join(file.name), file.text).unwrap();
    }
    for (rank, data) in (0..).zip(ranks) {
        let file = fs::File::create(folder.join(data_name(rank))).unwrap();
        write_data(program, (rank, ranks.len()), nodes as u64, data, file).unwrap();
    }
    let made =
        Command::new("make").arg("CFLAGS=-O2 -Werror").current_dir(&folder).output().unwrap();
    let text = String::from_utf8_lossy(&made.stderr).into_owned();
    assert!(made.status.success() && text.is_empty(), "{text}");
    folder
}

pub(super) fn run(folder: &Path, ranks: usize, arguments: &[&str]) -> Output {
    let mut command = Command::new("timeout");
    command.args(["60", "mpirun", "--allow-run-as-root", "--oversubscribe", "-n"]);
    command.arg(ranks.to_string()).arg("./program").args(arguments).current_dir(folder);
    command.output().unwrap()
}

/// The log as names and values.
pub(super) fn log(output: &Output) -> Vec<(String, String)> {
    let text = String::from_utf8_lossy(&output.stdout);
    let entry = |line: &str| line.split_once(" = ").map(|(a, b)| (a.to_string(), b.to_string()));
    text.lines().filter_map(entry).collect()
}

fn compare(folder: &Path, output: &Output, expected: &Outcome, program: &Program) {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let log = log(output);
    let value = |name: &str| {
        let found = log.iter().find(|(other, _)| other == name);
        found.unwrap_or_else(|| panic!("no {name} in {log:?}")).1.parse::<u64>().unwrap()
    };
    assert_eq!(value("assemblies"), expected.assemblies);
    assert_eq!(value("messages"), expected.messages);
    assert_eq!(value("words"), expected.words);
    for (facts, &iterations) in program.loops.iter().zip(&expected.iterations) {
        assert_eq!(value(&format!("iterations of line {}", facts.line)), iterations as u64);
    }
    let labels: Vec<&str> = expected.printed.iter().map(|(label, _)| label.as_str()).collect();
    let printed = log.iter().filter(|(name, _)| labels.contains(&name.as_str()));
    let printed: Vec<f64> = printed.map(|(_, value)| value.parse().unwrap()).collect();
    assert_eq!(printed.len(), expected.printed.len());
    for (found, (label, value)) in printed.iter().zip(&expected.printed) {
        assert_eq!(found.to_bits(), value.to_bits(), "{label}: {found} {value}");
    }
    let d = usize::from(program.problem.components);
    for (name, values) in &expected.files {
        let text = fs::read_to_string(folder.join(format!("{name}.csv"))).unwrap();
        assert_eq!(text.lines().count(), values.len() / d + 1);
        for (v, (line, expected)) in text.lines().skip(1).zip(values.chunks(d)).enumerate() {
            let cells: Vec<&str> = line.split(',').collect();
            assert_eq!(cells[0], v.to_string());
            let found: Vec<u64> =
                cells[1..].iter().map(|c| c.parse::<f64>().unwrap().to_bits()).collect();
            let bits: Vec<u64> = expected.iter().map(|value| value.to_bits()).collect();
            assert_eq!(found, bits, "{name} line {v}: {line} {expected:?}");
        }
    }
    let tables = fs::read_dir(folder).unwrap();
    let tables =
        tables.filter(|e| e.as_ref().unwrap().path().extension().is_some_and(|x| x == "csv"));
    assert_eq!(tables.count(), expected.files.len());
}

fn same_bits(name: &str, program: &Program, parts: &[usize]) {
    same_bits_on(&Grid::new(7), name, program, parts);
}

fn same_bits_on(grid: &Grid, name: &str, program: &Program, parts: &[usize]) {
    for &parts in parts {
        let ranks = grid.ranks(program, parts);
        let folder = build(&format!("{name}-{parts}"), program, &ranks, grid.nodes());
        let output = run(&folder, parts, &[]);
        compare(&folder, &output, &evaluate(program, &ranks), program);
    }
}

#[test]
fn examples_give_the_same_bits() {
    if !has_mpi() {
        return;
    }
    same_bits("cg", &example("cg.pal", &[]), &[1, 2, 3, 4, 8]);
    // More unknowns than a block of a sum.
    same_bits_on(&Grid::new(80), "large", &example("cg.pal", &[]), &[1, 2]);
    same_bits("jacobi", &example("jacobi_cg.pal", &[]), &[3]);
    same_bits("heat", &example("heat.pal", &[]), &[1, 3]);
    same_bits("wave", &example("wave.pal", &[("steps", 100.0), ("dt", 0.01)]), &[2, 4]);
}

#[test]
fn everything_that_the_language_has_compiles() {
    if !has_mpi() {
        return;
    }
    // Names that C or the runtime have too, all functions, swaps, splits, two components.
    let text = "unknown 2\nparam double = 2 # \\\nfix left = [0, 0]\nmatrix int = mass(3)\n\
        matrix NULL = elasticity(1, 0.3, stress)\nprintf = load([1, x])\n\
        main = interpolate([sin(pi*x), exp(-y)])\nswap = main\ni = printf\nEOF = 0\n\
        repeat 3\n  errno = int*swap + double*(NULL*main) - printf\n  free_t = swap\n  \
        swap = main\n  main = free_t\n  i = i + errno\n  print \"50% \\n \\\"\", dot(i, main)\n  \
        EOF = EOF + 2^0.5 - abs(min(1, -double)) / 3\nend\n\
        unix = max(sqrt(abs(main)), 0.5) ./ (1 ./ (main .* main + interpolate(1)))\n\
        print EOF, sum(i), min(unix), max(cos(unix)), norm(free(swap))\n\
        output unix as result\noutput i as size_t\n";
    let text = text.replace("\\\"", "");
    let program = compile("odd */ \\ name.pal", &text, &[]).unwrap_or_else(|e| panic!("{e}"));
    same_bits("odd", &program, &[1, 3]);
}

#[test]
fn params_are_set_when_it_runs() {
    if !has_mpi() {
        return;
    }
    let grid = Grid::new(5);
    let program = example("wave.pal", &[("dt", 0.01)]);
    let ranks = grid.ranks(&program, 2);
    let folder = build("params", &program, &ranks, grid.nodes());
    let few = example("wave.pal", &[("dt", 0.01), ("steps", 7.0)]);
    let output = run(&folder, 2, &["steps=7"]);
    compare(&folder, &output, &evaluate(&few, &ranks), &few);
    let refused = |arguments: &[&str], message: &str| {
        let output = run(&folder, 2, arguments);
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{errors}");
        assert!(errors.contains(message), "{errors}");
    };
    refused(&["damping=1"], "damping cannot be set any more");
    refused(&["steps=many"], "expected a number");
    refused(&["steps=-2"], "the limit of the loop is -2");
    refused(&["colour=7"], "unknown argument colour=7");
    refused(&["-o", "nowhere/at/all"], "cannot be written");
}

#[test]
fn wrong_ranks_and_bad_data_are_refused() {
    if !has_mpi() {
        return;
    }
    let grid = Grid::new(5);
    let program = example("cg.pal", &[]);
    let folder = build("bad", &program, &grid.ranks(&program, 2), grid.nodes());
    let refused = |ranks: usize, message: &str| {
        let output = run(&folder, ranks, &[]);
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{errors}");
        assert!(errors.contains(message), "expected {message}: {errors}");
    };
    refused(3, "made for 2 ranks, but started with 3");
    let path = folder.join(data_name(1));
    let good = fs::read(&path).unwrap();
    let with = |bytes: &[u8], message: &str| {
        fs::write(&path, bytes).unwrap();
        refused(2, message);
    };
    with(b"", "ends too early");
    with(b"something else, long enough to be read", "no data of a rank");
    with(&good[..good.len() - 9], "does not fit the file");
    with(&[&good[..], b"more"].concat(), "checksum is wrong");
    let mut damaged = good.clone();
    let at = good.len() - 20;
    damaged[at] ^= 1;
    with(&damaged, "checksum is wrong");
    // A number of nodes that no file could hold.
    damaged = good.clone();
    damaged[40..48].fill(0xff);
    with(&damaged, "impossible");
    damaged = good.clone();
    damaged[16] ^= 1;
    with(&damaged, "made for another program");
    fs::remove_file(&path).unwrap();
    refused(2, "cannot be opened");
}

#[test]
fn data_that_do_not_fit_are_not_written() {
    let program = example("cg.pal", &[]);
    let good = Grid::new(3).ranks(&program, 2).remove(1);
    let message = |data: &RankData| {
        write_data(&program, (1, 2), 16, data, std::io::sink()).unwrap_err().to_string()
    };
    assert!(write_data(&program, (1, 2), 16, &good, std::io::sink()).is_ok());
    let vectors = Vec::new();
    let missing = RankData { vectors, ..good.clone() };
    assert_eq!(message(&missing), "data of rank 1: vectors: 0, expected 1");
    let mut far = good.clone();
    far.neighbours[0].rank = 1;
    assert_eq!(message(&far), "data of rank 1: a neighbour is not another rank");
    let mut lonely = good.clone();
    lonely.neighbours[0].nodes.pop();
    assert_eq!(message(&lonely), "data of rank 1: a shared node that no neighbour has");
    let mut large = good;
    large.nodes[0] = 99;
    assert_eq!(message(&large), "data of rank 1: a node's number is too large");
}
