//! Jobs of many ranks: the same bits as threads, and a quick, clear end when one fails.

use serde_json::Value;
use std::io::{BufRead, BufReader};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

/// How long a job that failed may take to end, on a machine with fewer cores than ranks.
const SOON: Duration = Duration::from_secs(30);

fn job(ranks: usize, arguments: &str) -> Command {
    let mut command = crate::mpirun(ranks);
    command.arg(env!("CARGO_BIN_EXE_palmette-mpi")).args(arguments.split(' '));
    // A thread per rank for the pieces.
    command.env("RAYON_NUM_THREADS", "1").stdin(Stdio::null());
    command
}

fn said(output: &Output) -> String {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    text(&output.stdout) + &text(&output.stderr)
}

/// The record of a job that ends well.
fn record(ranks: usize, arguments: &str) -> Value {
    let output = job(ranks, arguments).output().unwrap();
    assert!(output.status.success(), "{ranks} ranks: {}", said(&output));
    serde_json::from_slice(&output.stdout).unwrap()
}

/// What a job that must fail said, with its exit code.
fn failure(ranks: usize, arguments: &str) -> (String, Option<i32>) {
    let start = Instant::now();
    let output = job(ranks, arguments).output().unwrap();
    assert!(start.elapsed() < SOON, "{:?}", start.elapsed());
    (said(&output), output.status.code())
}

#[test]
fn any_number_of_ranks_gives_the_bits_of_threads() {
    for arguments in ["selftest crack-plate:600 8 2", "selftest tetrahedra:5x5x6 8 1"] {
        let mut all = Vec::new();
        for ranks in [1, 2, 3, 4, 8] {
            // Every rank compares with threads of its own.
            let mut record = record(ranks, arguments);
            assert_eq!(record["ranks"].take(), ranks);
            assert!(record["iterations"].as_u64().unwrap() > 5);
            all.push(record);
        }
        assert!(all.iter().all(|record| *record == all[0]), "{all:?}");
    }
}

#[test]
fn an_error_ends_all_ranks_with_its_message() {
    let (said, code) = failure(3, "selftest triangles:5x5 3 1 --fail error");
    assert!(said.contains("error: rank 2: asked to fail"), "{said}");
    assert_eq!(code, Some(2));
}

#[test]
fn a_panic_ends_all_ranks_with_its_message() {
    let (said, code) = failure(3, "selftest triangles:5x5 3 1 --fail panic");
    assert!(said.contains("asked to panic"), "{said}");
    assert!(said.contains("rank 2 panicked; ending the job"), "{said}");
    assert_eq!(code, Some(101));
}

#[test]
fn a_message_of_another_length_ends_all_ranks() {
    let (said, code) = failure(2, "selftest triangles:5x5 2 1 --fail length");
    assert!(said.contains("error: rank 0:") && said.contains("3 words from rank 1"), "{said}");
    assert_eq!(code, Some(2));
}

#[test]
fn mistakes_of_the_user_end_all_ranks() {
    let (said, code) = failure(4, "selftest triangles:5x5 3 1");
    assert!(said.contains("4 ranks for 3 parts; at most one rank per part"), "{said}");
    assert_eq!(code, Some(2));
    let (said, code) = failure(2, "selftest pentagons:5x5 3 1");
    assert!(said.contains("pentagons"), "{said}");
    assert_eq!(code, Some(2));
    let (said, code) = failure(1, "juggle");
    assert!(said.contains("usage: palmette-mpi"), "{said}");
    assert_eq!(code, Some(2));
}

#[test]
fn a_rank_that_dies_is_the_end_of_all() {
    let mut child = job(3, "selftest triangles:5x5 3 1 --endless")
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let victims: Vec<(String, String)> = lines
        .by_ref()
        .take(3)
        .map(|line| {
            let line = line.unwrap();
            let words: Vec<&str> = line.split(' ').collect();
            (words[1].to_string(), words[4].to_string())
        })
        .collect();
    let (_, process) = victims.iter().find(|(rank, _)| rank == "1").unwrap();
    let start = Instant::now();
    assert!(Command::new("kill").args(["-9", process]).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    assert!(start.elapsed() < SOON, "{:?}", start.elapsed());
    assert!(!output.status.success());
    let said = said(&output);
    assert!(said.contains("rank 1") && said.contains("signal 9"), "{said}");
    for (_, process) in &victims {
        while is_running(process) {
            assert!(start.elapsed() < SOON, "process {process} is still there");
            std::thread::sleep(Duration::from_millis(50));
        }
    }
}

/// Whether a process is there and not only waits to be taken note of.
fn is_running(process: &str) -> bool {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let state = status.lines().find_map(|line| line.strip_prefix("State:"));
    state.is_some_and(|state| !state.contains('Z'))
}
