//! How fast the readers and writers are: generates inputs in memory and prints
//! seconds and MB/s for each.
//!
//! `cargo run --release -p palmette-io --example read_speed -- --n 10000000`

use palmette_core::{NONE, TreeParams};
use palmette_io::{
    Cells, Format, Labels, ReadParams, ValueType, read_pairs_bytes, read_tree_bytes,
    read_values_bytes, write_newick, write_npy_parents, write_parent_table, write_table,
};
use std::fmt::Write as _;
use std::time::Instant;

type Failure = Box<dyn std::error::Error>;

fn timed<T>(what: &str, bytes: usize, run: impl FnOnce() -> T) -> T {
    let start = Instant::now();
    let result = run();
    let seconds = start.elapsed().as_secs_f64();
    let megabytes = bytes as f64 / 1e6;
    println!("{what:<44} {seconds:>8.3} s {megabytes:>8.1} MB {:>8.0} MB/s", megabytes / seconds);
    result
}

/// A random tree: each vertex hangs below one of those before it.
fn random_parents(n: usize) -> Vec<u32> {
    let mut state = 1u64;
    let mut random = || {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        state >> 33
    };
    (0..n).map(|v| if v == 0 { NONE } else { (random() % v as u64) as u32 }).collect()
}

fn main() -> Result<(), Failure> {
    let arguments: Vec<String> = std::env::args().collect();
    let n = match arguments.iter().position(|a| a == "--n") {
        Some(i) => arguments.get(i + 1).ok_or("--n needs a number")?.parse()?,
        None => 10_000_000,
    };
    println!("n = {n}, {} threads", rayon::current_num_threads());
    let parents = random_parents(n);
    tables(n, &parents)?;
    newick(n, &parents)
}

fn tables(n: usize, parents: &[u32]) -> Result<(), Failure> {
    let numbers = Labels::numbers(n);
    let table = |labels: &Labels, what: &str, params: &ReadParams| -> Result<(), Failure> {
        let mut text = Vec::new();
        let written = Instant::now();
        write_parent_table(&mut text, b',', parents, labels, None, &[])?;
        println!(
            "{:<44} {:>8.3} s",
            format!("write table, {what}"),
            written.elapsed().as_secs_f64()
        );
        let file = timed(&format!("read table, {what}"), text.len(), || {
            read_tree_bytes("t.csv", &text, params)
        })?;
        assert_eq!(file.parents, parents);
        Ok(())
    };
    table(&numbers, "ids 0..n", &ReadParams::default())?;
    let dense: Vec<i64> = (0..n as i64).map(|v| 3 * n as i64 - 3 * v).collect();
    table(&Labels::integers(dense), "dense ids", &ReadParams::default())?;
    let sparse: Vec<i64> =
        (0..n as i64).map(|v| v.wrapping_mul(0x9e37_79b9_7f4a_7c15_u64 as i64) >> 8).collect();
    table(&Labels::integers(sparse), "sparse ids", &ReadParams::default())?;
    table(&Labels::texts((0..n).map(|v| format!("v{v}"))), "text ids", &ReadParams::default())?;

    let mut array = Vec::new();
    write_npy_parents(&mut array, parents)?;
    let file = timed("read npy parents", array.len(), || {
        read_tree_bytes("t.npy", &array, &ReadParams::default())
    })?;
    assert_eq!(file.parents, parents);

    let mut edges = Vec::new();
    palmette_io::write_edges(&mut edges, parents, &numbers)?;
    let file = timed("read edges", edges.len(), || {
        read_tree_bytes("t.edges", &edges, &ReadParams::default())
    })?;
    assert_eq!(file.parents, parents);

    let mut pairs = String::new();
    for (v, &p) in parents.iter().enumerate().skip(1) {
        writeln!(pairs, "{v},{p}")?;
    }
    let read =
        timed("read pairs", pairs.len(), || read_pairs_bytes("p.csv", pairs.as_bytes(), &numbers))?;
    assert_eq!(read.len(), n - 1);

    let values: Vec<f64> = (0..n).map(|v| (v as f64).sqrt()).collect();
    let mut text = Vec::new();
    let columns = [("vertex", Cells::EachVertex), ("value", Cells::F64(&values))];
    timed("write results (f64, 17 digits)", 0, || {
        write_table(&mut text, b',', &numbers, &columns)
    })?;
    let read = timed("read values (f64, 17 digits)", text.len(), || {
        read_values_bytes("v.csv", &text, ValueType::F64, None, &numbers)
    })?;
    assert_eq!(read, values.into());
    Ok(())
}

fn newick(n: usize, parents: &[u32]) -> Result<(), Failure> {
    let plain = ReadParams { labels: false, format: Some(Format::Newick), ..ReadParams::default() };
    let table = palmette_core::Tree::with_params(parents, TreeParams::default())?;
    let labels = Labels::texts((0..n).map(|v| format!("taxon{v}")));
    let lengths: Vec<f64> = (0..n).map(|v| (v * 7919 % 1_000_003) as f64 / 1e6).collect();
    let mut text = Vec::new();
    timed("write newick", 0, || write_newick(&mut text, &table, &labels, Some(&lengths)))?;
    timed("read newick", text.len(), || read_tree_bytes("t", &text, &plain))?;
    let params = ReadParams { lengths: true, ..plain.clone() };
    timed("read newick, lengths", text.len(), || read_tree_bytes("t", &text, &params))?;
    let params = ReadParams { labels: true, ..plain.clone() };
    timed("read newick, labels", text.len(), || read_tree_bytes("t", &text, &params))?;
    let params = ReadParams { labels: true, lengths: true, ..plain.clone() };
    let file = timed("read newick, labels and lengths", text.len(), || {
        read_tree_bytes("t", &text, &params)
    })?;
    assert_eq!(file.parents, table.parents());
    let path = [vec![b'('; n], vec![b')'; n], vec![b';']].concat();
    let file = timed("read newick, a path", path.len(), || read_tree_bytes("t", &path, &plain))?;
    assert_eq!(file.len(), n + 1);
    Ok(())
}
