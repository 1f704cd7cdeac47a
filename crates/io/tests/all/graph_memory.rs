//! How much memory reading a graph takes beside the text, as the system counts it.
//!
//! Memory that a process freed and kept would hide what a reader takes, so each file is
//! read in a process of its own: this test starts itself again for each.

use palmette_core::graph::generate::{Weights, generate};
use palmette_io::{GraphReadParams, read_graph_bytes, write_matrix_market, write_metis};
use std::fmt::Write;
use std::process::Command;

/// Names the file for the process that reads it.
const FILE: &str = "PALMETTE_TEST_GRAPH";

/// A line of the process's status in bytes; nothing where the system has none.
fn status(key: &str) -> Option<u64> {
    let text = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix(key))?;
    Some(line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()? * 1024)
}

#[test]
#[ignore = "a part of the other test, which starts it"]
fn read_one_file() {
    let Ok(path) = std::env::var(FILE) else { return };
    let text = std::fs::read(&path).unwrap();
    // Starts the peak anew.
    let reset = std::fs::write("/proc/self/clear_refs", "5");
    let before = status("VmRSS:");
    let file = read_graph_bytes(&path, &text, &GraphReadParams::default()).unwrap();
    if let (Ok(()), Some(before), Some(peak)) = (reset, before, status("VmHWM:")) {
        println!("\npeak {} {}", peak - before, file.graph.edge_count());
    }
}

#[test]
fn bytes_an_edge() {
    let made = generate("random:100000:20".parse().unwrap(), Weights::Unit, 1).unwrap();
    let graph = made.graph;
    let (n, m) = (graph.len(), graph.edge_count());
    let (mut symmetric, mut lists) = (Vec::new(), Vec::new());
    write_matrix_market(&mut symmetric, &graph).unwrap();
    write_metis(&mut lists, &graph).unwrap();
    let mut full = format!("{n} {n} {}\n", 2 * m);
    for v in 0..n as u32 {
        graph.neighbours(v).iter().for_each(|u| writeln!(full, "{} {} 1", v + 1, u + 1).unwrap());
    }
    let (head, body) = full.split_once('\n').unwrap();
    let reversed: Vec<&str> = std::iter::once(head).chain(body.lines().rev()).collect();
    let reversed = reversed.join("\n");
    let folder = tempfile::tempdir().unwrap();
    for (name, text, most) in [
        ("symmetric.mtx", &symmetric[..], 46.0),
        ("full.mtx", full.as_bytes(), 62.0),
        ("reversed.mtx", reversed.as_bytes(), 70.0),
        ("lists.graph", &lists, 62.0),
    ] {
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        let output = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "graph_memory::read_one_file", "--ignored", "--nocapture"])
            .env(FILE, &path)
            .output()
            .unwrap();
        assert!(output.status.success(), "{name}");
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(text.contains("1 passed"), "{text}");
        let Some(line) = text.lines().find_map(|line| line.strip_prefix("peak ")) else {
            eprintln!("skipped: this system does not tell peaks of memory");
            return;
        };
        let numbers: Vec<f64> = line.split(' ').map(|word| word.parse().unwrap()).collect();
        assert_eq!(numbers[1], m as f64);
        let bytes = numbers[0] / numbers[1];
        eprintln!("{name}: {bytes:.1} bytes per edge");
        assert!(bytes < most, "{name}: {bytes} bytes per edge");
    }
}
