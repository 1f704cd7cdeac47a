//! Readers and writers of trees, and of answers about them.

use super::{Failure, Study};
use palmette_bench::machine::limits;
use palmette_bench::memory::most_bytes;
use palmette_bench::timing::{race, run};
use palmette_core::generate::shuffle;
use palmette_core::{NONE, Tree};
use palmette_io::{
    Cells, Format, Labels, ReadParams, ValueSlice, ValueType, read_pairs_bytes, read_tree_bytes,
    read_values_bytes, write_edges, write_newick, write_npy_parents, write_parent_table,
    write_table,
};
use std::fmt::Write as _;
use std::hint::black_box;
use std::process::Command;

/// A tree of any order, in tables whose ids are integers and texts of several kinds.
pub(super) fn tables(study: &mut Study, parents: &[u32]) -> Result<(), Failure> {
    let n = parents.len();
    let params = ReadParams::default();
    let numbers = Labels::numbers(n);
    let mixed = shuffle(parents, 3);
    let scattered = |v: u64| v.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 8;
    let sparse = Labels::integers((0..n as u64).map(|v| scattered(v) as i64).collect());
    let short = Labels::texts((0..n).map(|v| format!("v{v}")));
    let words = Labels::texts((0..n as u64).map(word));
    let inputs = [
        ("integer ids", &numbers, parents),
        ("integer ids, parents anywhere", &numbers, &mixed[..]),
        ("scattered 56-bit ids", &sparse, parents),
        ("text ids", &short, parents),
        ("text ids, parents anywhere", &short, &mixed[..]),
        ("ids of 8 letters", &words, parents),
    ];
    let (machine, mut integers) = ([1, 2].map(limits), 0.0);
    for (what, labels, parents) in inputs {
        let mut text = Vec::new();
        write_parent_table(&mut text, b',', parents, labels, None, &[])?;
        let rates = read_table(study, what, &text, parents);
        match what {
            "integer ids" => integers = rates[0],
            "text ids" | "ids of 8 letters" => {
                let counted = fields_alone(&text);
                // An id goes to its slot, a parent to that of its name, and to the name.
                let floor = |threads: usize| {
                    let apart = 3.0 * n as f64 * machine[threads - 1].gather_wide / 1e9;
                    let megabytes = text.len() as f64 / 1e6;
                    let floor = megabytes / (megabytes / (threads as f64 * counted) + apart);
                    format!(
                        "floor {floor:.0} MB/s: counting fields ({counted:.0} on one thread) and three \
                         random accesses per row; integers {integers:.0}"
                    )
                };
                study.goal(&format!("read {what}, 1 thread"), 200.0, rates[0], &floor(1));
                study.goal(&format!("read {what}, 2 threads"), 350.0, rates[1], &floor(2));
                let read = || read_tree_bytes("t.csv", &text, &params);
                let (file, most) = most_bytes(read);
                drop(file?);
                let bytes = most as f64 / n as f64;
                let goal = format!("read {what}: memory per id beside the file");
                study.goal_of_bytes(&goal, 40.0, bytes, "places of parents, ids, table, parents");
            }
            _ => {}
        }
    }
    let mut text = Vec::new();
    let long = Labels::texts((0..n as u64).map(|v| format!("{:014x}-{v:017}", scattered(v))));
    write_parent_table(&mut text, b',', parents, &long, None, &[])?;
    drop(long);
    read_table(study, "text ids of 32 letters", &text, parents);
    let mut text = "\"id\",\"parent\"\n".to_string();
    for (v, &p) in parents.iter().enumerate() {
        match p {
            NONE => writeln!(text, "\"v{v}\",\"\"")?,
            p => writeln!(text, "\"v{v}\",\"v{p}\"")?,
        }
    }
    read_table(study, "text ids in quotes", text.as_bytes(), parents);
    let mut array = Vec::new();
    write_npy_parents(&mut array, parents)?;
    study.row("read npy parents", array.len(), || {
        let file = read_tree_bytes("t.npy", &array, &params).expect("what was written can be read");
        assert!(file.parents == parents);
    });
    let mut edges = Vec::new();
    write_edges(&mut edges, parents, &numbers)?;
    study.row("read edge list", edges.len(), || {
        read_tree_bytes("t.edges", &edges, &params).expect("what was written can be read");
    });
    let mut pairs = String::new();
    for (v, &p) in parents.iter().enumerate().skip(1) {
        writeln!(pairs, "{v},{p}")?;
    }
    study.row("read pairs", pairs.len(), || {
        let read = read_pairs_bytes("p.csv", pairs.as_bytes(), &numbers).expect("pairs are labels");
        assert_eq!(read.len(), n - 1);
    });
    Ok(())
}

/// Eight letters, others for each number below 2^36.
fn word(number: u64) -> String {
    let mut rest = number.wrapping_mul(0x9E37_79B9_7F4A_7C15) % (1 << 36);
    let letter = |_| {
        let letter = b'a' + (rest % 26) as u8;
        rest /= 26;
        char::from(letter)
    };
    (0..8).map(letter).collect()
}

fn read_table(study: &mut Study, what: &str, text: &[u8], parents: &[u32]) -> [f64; 2] {
    let params = ReadParams::default();
    study.row(&format!("read parent table, {what}"), text.len(), || {
        let file = read_tree_bytes("t.csv", text, &params).expect("what was written can be read");
        assert!(file.parents == parents);
    })
}

/// MB/s of a loop that only counts fields.
fn fields_alone(text: &[u8]) -> f64 {
    let mut count = 0;
    let best = race(
        3,
        &mut [run(|| {
            count = text.iter().filter(|&&b| b == b',' || b == b'\n').count();
        })],
    );
    black_box(count);
    text.len() as f64 / 1e6 / best[0]
}

/// Answers: the names of vertices and numbers of every kind.
pub(super) fn answers(study: &mut Study, n: usize) -> Result<(), Failure> {
    let numbers = Labels::numbers(n);
    let texts = Labels::texts((0..n).map(|v| format!("v{v}")));
    let roots: Vec<f64> = (0..n).map(|v| (v as f64).sqrt()).collect();
    let tenths: Vec<f64> = (0..n).map(|v| (v % 100_000) as f64 / 10.0).collect();
    let sizes: Vec<u64> = (0..n as u64).map(|v| v * v % 1_000_003).collect();
    let mut table = |what: &str, labels: &Labels, values: ValueSlice<'_>| -> Result<_, Failure> {
        let columns = [("vertex", Cells::EachVertex), ("value", Cells::Numbers(values))];
        let mut text = Vec::new();
        write_table(&mut text, b',', labels, &columns)?;
        let rates = study.row(&format!("write answers, {what}"), text.len(), || {
            let mut to = Vec::with_capacity(text.len());
            write_table(&mut to, b',', labels, &columns).expect("memory takes it");
            assert_eq!(to.len(), text.len());
        });
        let limit = format!("{:.0} MB per processor second", rates[0]);
        let goal = format!("write answers, {what}, 2 threads");
        study.goal(&goal, 700.0, rates[1], &limit);
        Ok(text)
    };
    table("integers", &numbers, ValueSlice::U64(&sizes))?;
    table("text names, integers", &texts, ValueSlice::U64(&sizes))?;
    table("text names, short floats", &texts, ValueSlice::F64(&tenths))?;
    let text = table("17 digits", &numbers, ValueSlice::F64(&roots))?;
    study.row("read values, 17 digits", text.len(), || {
        read_values_bytes("v.csv", &text, ValueType::F64, None, &numbers)
            .expect("values are numbers");
    });
    Ok(())
}

/// The same tree in a NEXUS file.
fn nexus(study: &mut Study, tree: &Tree, newick: &[u8], without: f64, copied: f64) {
    let text = [b"#NEXUS\nBEGIN TREES;\nTREE one = [&R] ", newick.trim_ascii_end(), b"\nEND;\n"];
    let text = text.concat();
    let params = ReadParams { lengths: true, ..ReadParams::default() };
    let rates = study.row("read NEXUS, labels and lengths kept", text.len(), || {
        let file = read_tree_bytes("t.nex", &text, &params).expect("it is NEXUS");
        assert!(file.parents == tree.parents() && file.lengths.is_some());
    });
    let floor = 1.0 / (1.0 / without + 1.0 / copied);
    let limit = format!("floor {floor:.0} MB/s, that of Newick");
    study.goal("read NEXUS, labels and lengths kept, 1 thread", 500.0, rates[0], &limit);
}

/// MB/s of a copy.
fn copied_alone(text: &[u8]) -> f64 {
    let mut to = text.to_vec();
    let best = race(3, &mut [run(|| black_box(&mut to).copy_from_slice(black_box(text)))]);
    text.len() as f64 / 1e6 / best[0]
}

pub(super) fn newick(
    study: &mut Study,
    parents: &[u32],
    python: Option<&str>,
) -> Result<(), Failure> {
    let n = parents.len();
    let tree = Tree::from_parents(parents)?;
    let labels = Labels::texts((0..n).map(|v| format!("taxon{v}")));
    let lengths: Vec<f64> = (0..n).map(|v| (v * 7919 % 1_000_003) as f64 / 1e6).collect();
    let mut text = Vec::new();
    write_newick(&mut text, &tree, &labels, Some(&lengths))?;
    // By whether lengths are kept, without labels.
    let mut unlabelled = [0.0; 2];
    let copied = copied_alone(&text);
    for (labels, lengths) in [(false, false), (false, true), (true, false), (true, true)] {
        let params =
            ReadParams { labels, lengths, format: Some(Format::Newick), ..Default::default() };
        let kept = match (labels, lengths) {
            (false, false) => "nothing kept",
            (false, true) => "lengths kept",
            (true, false) => "labels kept",
            (true, true) => "labels and lengths kept",
        };
        let rates = study.row(&format!("read Newick, {kept}"), text.len(), || {
            let file = read_tree_bytes("t", &text, &params).expect("what was written can be read");
            assert!(file.parents == tree.parents());
        });
        if labels {
            let without = unlabelled[usize::from(lengths)];
            let floor = 1.0 / (1.0 / without + 1.0 / copied);
            let limit = format!(
                "floor {floor:.0} MB/s: without labels {without:.0}, and a copy of the text"
            );
            study.goal(&format!("read Newick, {kept}, 1 thread"), 500.0, rates[0], &limit);
        } else {
            unlabelled[usize::from(lengths)] = rates[0];
        }
    }
    nexus(study, &tree, &text, unlabelled[1], copied);
    if let Some(python) = python {
        std::fs::create_dir_all("out")?;
        std::fs::write("out/bench-io.nwk", &text)?;
        let code = "import sys,time,CompactTree as c\nt=time.perf_counter()\n\
                    x=c.compact_tree(sys.argv[1])\nprint(time.perf_counter()-t, x.get_num_nodes())";
        let output = Command::new(python).args(["-c", code, "out/bench-io.nwk"]).output()?;
        if !output.status.success() {
            println!("CompactTree is not installed: its row is left out");
            return Ok(());
        }
        let line = String::from_utf8(output.stdout)?;
        let mut words = line.split_whitespace();
        let seconds: f64 = words.next().ok_or("CompactTree gave no time")?.parse()?;
        let nodes: usize = words.next().ok_or("CompactTree gave no count")?.parse()?;
        assert_eq!(nodes, n, "CompactTree read the same tree");
        let rate = text.len() as f64 / 1e6 / seconds;
        study.table.row(vec![
            "CompactTree reads that Newick, from a file".to_string(),
            format!("{:.0}", text.len() as f64 / 1e6),
            format!("{seconds:.2}"),
            format!("{rate:.0}"),
            String::new(),
            String::new(),
            String::new(),
        ]);
    }
    Ok(())
}
