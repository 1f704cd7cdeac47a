//! Tables in Parquet and Arrow.

use super::{Failure, Study};
use palmette_core::TreeParams;
use palmette_core::operator::Sum;
use palmette_io::{
    Cells, Format, Labels, ReadParams, ValueSlice, read_tree_bytes, write_columns,
    write_parent_columns,
};
use palmette_tree::TreefixParams;
use palmette_tree::leaffix::leaffix;
use std::process::Command;

/// The same table in Parquet and Arrow; from file to file by way of subtree sizes.
pub(super) fn columns(
    study: &mut Study,
    parents: &[u32],
    python: Option<&str>,
) -> Result<(), Failure> {
    let n = parents.len();
    let (params, numbers, ones) = (ReadParams::default(), Labels::numbers(n), vec![1i64; n]);
    for format in [Format::Arrow, Format::Parquet] {
        let mut bytes = Vec::new();
        write_parent_columns(&mut bytes, format, parents, &numbers, None, &[])?;
        study.row(&format!("read {format}, integer ids"), bytes.len(), || {
            let file = read_tree_bytes("t", &bytes, &params).expect("what was written can be read");
            assert!(file.parents == parents);
        });
        study.row(&format!("{format} to leaffix to {format}"), bytes.len(), || {
            let file = read_tree_bytes("t", &bytes, &params).expect("what was written can be read");
            let tree = file.tree(TreeParams::default()).expect("a tree");
            let sizes = leaffix(&tree, &ones, &Sum::new(), TreefixParams::default());
            let sizes = tree.to_vertices(&sizes.expect("sizes fit")).expect("one per vertex");
            let cells = Cells::Numbers(ValueSlice::I64(&sizes));
            let columns = [("vertex", Cells::EachVertex), ("size", cells)];
            let mut to = Vec::new();
            write_columns(&mut to, format, &file.labels, &columns).expect("memory takes it");
        });
        if let (Format::Parquet, Some(python)) = (format, python) {
            pyarrow(study, &bytes, n, python)?;
        }
    }
    Ok(())
}

/// What pyarrow takes to read a Parquet file, on one thread and on two.
fn pyarrow(study: &mut Study, bytes: &[u8], n: usize, python: &str) -> Result<(), Failure> {
    std::fs::create_dir_all("out")?;
    std::fs::write("out/bench-io.parquet", bytes)?;
    let code = "import sys,time,pyarrow as a,pyarrow.parquet as q\n\
                for k in 1,2:\n a.set_cpu_count(k); best=9e9\n for _ in range(3):\n  \
                t=time.perf_counter(); x=q.read_table(sys.argv[1],use_threads=k>1); \
                best=min(best,time.perf_counter()-t)\n print(best, x.num_rows)";
    let output = Command::new(python).args(["-c", code, "out/bench-io.parquet"]).output()?;
    let text = String::from_utf8(output.stdout)?;
    let megabytes = bytes.len() as f64 / 1e6;
    let what = "pyarrow reads that Parquet, from a file".to_string();
    let mut cells = vec![what, format!("{megabytes:.0}")];
    for line in text.lines() {
        let (seconds, rows) = line.split_once(' ').ok_or("pyarrow gave no time")?;
        assert_eq!(rows.parse::<usize>()?, n, "pyarrow read the same table");
        let seconds: f64 = seconds.parse()?;
        cells.extend([format!("{seconds:.2}"), format!("{:.0}", megabytes / seconds)]);
    }
    if cells.len() != 6 {
        return Err("pyarrow gave no times".into());
    }
    cells.push(String::new());
    study.table.row(cells);
    Ok(())
}
