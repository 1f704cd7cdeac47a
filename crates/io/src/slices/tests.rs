//! Slices together are the file.

mod newick;

use super::*;
use crate::columnar::parquet_in_groups;
use crate::labels::Labels;
use crate::{Column, ColumnKey};
use crate::{ValueType, Values, npy_head, read_tree_bytes, write_npy_parents};
use std::path::PathBuf;

/// A file that is gone after the test.
struct Temporary(PathBuf);

impl Temporary {
    fn new(name: &str, bytes: &[u8]) -> Temporary {
        let folder = std::env::temp_dir();
        let path = folder.join(format!("palmette-slices-{}-{name}", std::process::id()));
        std::fs::write(&path, bytes).unwrap();
        Temporary(path)
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

fn shares(ranks: usize) -> Vec<Vec<Share>> {
    let weights: Vec<u32> = (0..ranks as u32).map(|r| r * r % 5).chain([1]).collect();
    vec![
        (0..ranks).map(|r| Share::even(r, ranks)).collect(),
        (0..=ranks).map(|r| Share::weighted(r, &weights).unwrap()).collect(),
    ]
}

/// A table's ids and parents, from slices; or the first error.
fn table(path: &Path, shares: &[Share]) -> Result<(Vec<i64>, Vec<Option<i64>>), IoError> {
    let params = ReadParams::default();
    let TreeSlices::Table(table) = open_tree_slices(path, &params)? else { panic!("no table") };
    let (mut ids, mut parents, mut lines) = (Vec::new(), Vec::new(), 0);
    for &share in shares {
        let slice = table.read(share)?;
        let own = slice.lines();
        let slice = table.parse(&slice, lines)?;
        if !slice.ids.is_empty() {
            // The comment is a line of its own.
            let first = ids.len() as u64;
            let line = first + 2 + u64::from(first >= 2);
            assert_eq!(slice.place_of(0), format!("line {line}"));
        }
        lines += own;
        ids.extend(slice.ids);
        parents.extend(slice.parents);
    }
    Ok((ids, parents))
}

#[test]
fn tables_in_slices_are_the_table() {
    for text in [
        "id,parent\n7,\n100,7\n# a comment\n3,100\n12345,3\n5,NA\n",
        "id,parent\r\n7,\r\n100,7\r\n# c\r\n3,100\r\n12345,3\r\n5,-1",
    ] {
        let file = Temporary::new("t.csv", text.as_bytes());
        let whole = read_tree_bytes("t.csv", text.as_bytes(), &ReadParams::default()).unwrap();
        for ranks in 1..40 {
            for shares in shares(ranks) {
                let (ids, parents) = table(&file.0, &shares).unwrap();
                assert_eq!(ids, [7, 100, 3, 12345, 5], "{ranks}");
                assert_eq!(parents[..4], [None, Some(7), Some(100), Some(3)]);
                assert_eq!(ids.len(), whole.len());
            }
        }
    }
}

#[test]
fn headers_are_those_of_the_whole_file() {
    for text in [
        "1,\n2,1\n3,1\n",
        "id,parent\n1,\n2,1\n",
        "weight,node,ancestor\n5,1,\n6,2,1\n",
        "one,other\n1,\n2,1\n",
        "id,up\n1,\n2,1\n",
        "name,frist\nfirst,\nlast,first\n",
        "name,1\n1,\n",
        "id,parent\nparent,\nb,parent\n",
    ] {
        let file = Temporary::new("header.csv", text.as_bytes());
        let whole = read_tree_bytes("t.csv", text.as_bytes(), &ReadParams::default());
        let TreeSlices::Table(table) = (match open_tree_slices(&file.0, &ReadParams::default()) {
            Ok(slices) => slices,
            Err(error) => {
                assert!(matches!(error, IoError::Header { .. }), "{text}: {error}");
                assert!(matches!(whole, Err(IoError::Header { .. })), "{text}");
                continue;
            }
        }) else {
            panic!("no table")
        };
        let rows = table.read(Share::even(0, 1)).unwrap();
        // What has no integers for ids is an error, and not another tree.
        if let Ok(slice) = table.parse(&rows, 0) {
            let ids: Vec<String> = slice.ids.iter().map(i64::to_string).collect();
            let labels = &whole.unwrap().labels;
            let names: Vec<_> = (0..labels.len() as u32).map(|v| labels.get(v)).collect();
            assert_eq!(ids, names, "{text}");
        }
    }
}

#[test]
fn mistakes_have_the_line_of_the_file() {
    for (text, line, expected) in [
        ("id,parent\n1,\n2,1\n#\nx,1\n", 5, "an integer"),
        ("id,parent\n1,\n2,1\n#\n3,1,4\n", 5, "2 fields"),
        ("id,parent\n1,\n2,one\n#\n3,1\n", 3, "the integer of a parent"),
        ("id,parent\n1,\n2,1\n#\n\"3\",1\n", 5, "plain rows"),
        ("id,parent\n1,\n2,1\n#\n3\u{e9},1\n", 5, "an integer"),
    ] {
        let file = Temporary::new("bad.csv", text.as_bytes());
        for ranks in [1, 2, 3, 5] {
            let error = table(&file.0, &shares(ranks)[0]).unwrap_err().to_string();
            let quoted = expected == "plain rows";
            assert!(error.contains(expected), "{error}");
            assert!(quoted || error.contains(&format!("line {line}:")), "{ranks}: {error}");
        }
    }
    let bytes = b"id,parent\n1,\n2,1\n#\n\xff,1\n";
    let file = Temporary::new("bytes.csv", bytes);
    assert!(table(&file.0, &shares(1)[0]).unwrap_err().to_string().contains("line 5"));
}

#[test]
fn arrays_in_slices_are_the_array() {
    let parents = [palmette_core::NONE, 0, 1, 1, 0];
    let mut bytes = Vec::new();
    write_npy_parents(&mut bytes, &parents).unwrap();
    let file = Temporary::new("p.npy", &bytes);
    let TreeSlices::Array(array) = open_tree_slices(&file.0, &ReadParams::default()).unwrap()
    else {
        panic!("no array")
    };
    for ranks in 1..8 {
        for shares in shares(ranks) {
            let read = |share: &Share| array.parents(share.of(array.rows()), false).unwrap();
            let all: Vec<_> = shares.iter().flat_map(read).collect();
            assert_eq!(all, [None, Some(0), Some(1), Some(1), Some(0)]);
        }
    }
    assert_eq!(array.values(1..3, ValueType::U64).unwrap(), Values::U64(vec![0, 1]));
    let cut = Temporary::new("cut.npy", &bytes[..bytes.len() - 1]);
    assert!(ArraySlices::open(&cut.0).is_err());
}

#[test]
fn what_has_no_slices_is_refused() {
    for (name, bytes) in
        [("t.nwk", &b"(a,b);"[..]), ("t.csv.gz", b"\x1f\x8b\x08\0"), ("e.csv", b"")]
    {
        let file = Temporary::new(name, bytes);
        assert!(open_tree_slices(&file.0, &ReadParams::default()).is_err(), "{name}");
    }
}

/// The pairs of all ranks in turn.
fn pairs(file: &Temporary, ranks: usize) -> Result<Vec<(i64, i64)>, IoError> {
    let opened = open_pair_slices(&file.0)?;
    let (mut before, mut all) = (0, Vec::new());
    for share in (0..ranks).map(|r| Share::even(r, ranks)) {
        let rows = opened.read(share)?;
        let lines = rows.lines();
        let found = opened.parse(rows, before)?;
        all.extend(found);
        before += lines;
    }
    Ok(all)
}

#[test]
fn pairs_in_slices() {
    let file = Temporary::new("pairs.csv", b"u,v\n1,2\n30,4\n5,600\n");
    for ranks in 1..20 {
        assert_eq!(pairs(&file, ranks).unwrap(), [(1, 2), (30, 4), (5, 600)]);
    }
    let opened = open_pair_slices(&file.0).unwrap();
    assert_eq!(opened.pairs_about(Share::even(0, 1)), 3);
    let bad = Temporary::new("pairs-bad.csv", b"u,v\n1,2\n5,6\n7,8\n3,x\n1,2\n");
    for ranks in 1..20 {
        let error = pairs(&bad, ranks).unwrap_err().to_string();
        assert!(error.ends_with("line 5: expected two integers, found `3 x`"), "{error}");
    }
}

#[test]
fn one_output_of_many() {
    let values = Values::I64(vec![5, -6, 7]);
    let (head, width) = npy_head(&values, 3);
    let mut whole = Vec::new();
    crate::write_npy_values(&mut whole, &values).unwrap();
    let target = std::env::temp_dir().join(format!("palmette-sliced-{}.npy", std::process::id()));
    let first = SlicedOutput::create(&target, 77).unwrap();
    let second = SlicedOutput::join(&target, 77).unwrap();
    second.write(head.len() as u64 + width, &npy_bytes(&Values::I64(vec![-6, 7]))).unwrap();
    first.write(0, &head).unwrap();
    first.write(head.len() as u64, &npy_bytes(&Values::I64(vec![5]))).unwrap();
    assert!(!target.exists());
    first.finish().unwrap();
    assert_eq!(std::fs::read(&target).unwrap(), whole);
    std::fs::remove_file(&target).unwrap();
    assert!(SlicedOutput::join(&target, 78).is_err());
}

/// A Parquet file's ids, parents and a column, from slices; or the first error.
fn groups(path: &Path, column: &str, shares: &[Share]) -> Result<[Vec<Option<i64>>; 3], IoError> {
    let columns = vec![(ColumnKey::from(column), ValueType::I64.into())];
    let params = ReadParams { columns, ..ReadParams::default() };
    let TreeSlices::Columns(table) = open_tree_slices(path, &params)? else { panic!("no columns") };
    let mut found = [Vec::new(), Vec::new(), Vec::new()];
    for &share in shares {
        let slice = table.read(share)?;
        let TableSlice { ids, parents, columns, .. } = &table.parse(&slice)?;
        assert_eq!(ids.len() as u64, table.rows(share));
        let Values::I64(values) = &columns[0] else { panic!("another type") };
        found[0].extend(ids.iter().map(|&id| Some(id)));
        found[1].extend(parents);
        found[2].extend(values.iter().map(|&value| Some(value)));
    }
    Ok(found)
}

#[test]
fn groups_of_rows_in_slices_are_the_table() {
    let parents = [palmette_core::NONE, 0, 1, 1, 0, 4, 4];
    let ids = [7, -100, 3, 12345, 5, 8, 9];
    let labels = Labels::integers(ids.to_vec());
    let values: Vec<i64> = (0..7).map(|v| v * v - 3).collect();
    let column = |name: &str, values| Column { name: name.into(), values };
    let columns =
        [column("unasked", Values::F64(vec![0.5; 7])), column("kg", Values::I64(values.clone()))];
    let some = |numbers: &[i64]| numbers.iter().map(|&x| Some(x)).collect::<Vec<_>>();
    let wanted = parents.map(|p| (p != palmette_core::NONE).then(|| ids[p as usize]));
    for group in [1, 2, 3, 7, 100] {
        let bytes = parquet_in_groups(&parents, &labels, &columns, group);
        let file = Temporary::new(&format!("groups-{group}.parquet"), &bytes);
        for shares in (1..12).flat_map(shares) {
            let found = groups(&file.0, "kg", &shares).unwrap();
            assert_eq!(found, [some(&ids), wanted.to_vec(), some(&values)], "{group}");
        }
        let error = groups(&file.0, "t", &shares(3)[0]).unwrap_err().to_string();
        assert!(error.contains("a column `t`") && error.contains("unasked, kg"), "{error}");
        let error = groups(&file.0, "unasked", &shares(3)[0]).unwrap_err().to_string();
        assert!(error.contains("an integer that i64 holds in column `unasked`"), "{error}");
        // Whatever is missing at the end or changed before it is an error, and no other tree.
        for cut in 0..bytes.len() {
            let short = Temporary::new(&format!("cut-{group}.parquet"), &bytes[..cut]);
            assert!(groups(&short.0, "kg", &shares(2)[0]).is_err(), "{cut}");
        }
    }
    let named = Labels::texts(["a", "b"]);
    let bytes =
        parquet_in_groups(&parents[..2], &named, &[column("kg", Values::I64(vec![1, 2]))], 1);
    let file = Temporary::new("named.parquet", &bytes);
    let error = groups(&file.0, "kg", &shares(2)[0]).unwrap_err().to_string();
    assert!(error.contains("integers in column `id`, to read in slices"), "{error}");
}

mod graphs {
    use super::super::{ElementSlices, GraphSlices, PointSlices, Share};
    use crate::IoError;

    fn written(name: &str, text: &str) -> (tempfile::TempDir, std::path::PathBuf) {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join(name);
        std::fs::write(&path, text).expect("a file");
        (folder, path)
    }

    /// Lengths of rows, neighbours, weights of edges and of vertices.
    type Listed = (Vec<usize>, Vec<u32>, Vec<f64>, Vec<u64>);

    /// All slices one after another.
    fn graph(text: &str, ranks: usize) -> Result<Listed, IoError> {
        let (_folder, path) = written("g.graph", text);
        let file = GraphSlices::open(&path)?;
        let (mut lines, mut lists) = (0, 0);
        let mut all = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        for rank in 0..ranks {
            let slice = file.read(Share::even(rank, ranks))?;
            let rows = file.parse(&slice, (lines, lists))?;
            lines += slice.lines();
            lists += file.lists(&slice);
            all.0.extend(rows.offsets.windows(2).map(|pair| pair[1] - pair[0]));
            all.1.extend(rows.neighbours);
            all.2.extend(rows.edge_weights);
            all.3.extend(rows.weights);
        }
        file.check((lines, all.0.len() as u64), (all.1.len() as u64, 0))?;
        Ok(all)
    }

    #[test]
    fn slices_of_a_graph_are_the_graph() {
        let text =
            "% a comment\n4 3 011\n% another\n7 2 1.5 3 2\n1 1 1.5\n\n% here\n2 1 2 4 9\n3 3 9\n";
        let text = text.replace("\n\n", "\n");
        let whole = graph(&text, 1).expect("a graph");
        assert_eq!(whole.0, [2, 1, 2, 1]);
        assert_eq!(whole.1, [1, 2, 0, 0, 3, 2]);
        assert_eq!(whole.3, [7, 1, 2, 3]);
        for ranks in 2..30 {
            assert_eq!(graph(&text, ranks).expect("a graph"), whole, "{ranks}");
        }
    }

    #[test]
    fn mistakes_have_their_lines_in_every_slice() {
        for (text, message) in [
            ("3 2\n2\n1 3\n4\n", "g.graph, line 4: expected a neighbour from 1 to 3, found `4`"),
            (
                "3 2\n2\n1 3\n",
                "g.graph, line 3: expected a line for each of 3 vertices, found the end after 2",
            ),
            (
                "3 3\n2\n1 3\n2\n",
                "g.graph, line 1: expected the number of edges, half of the 4 neighbours listed, found 3",
            ),
            (
                "3 2\n2\n1 3\n2\n2\n",
                "g.graph, line 5: expected the end after 3 vertices, found `2`",
            ),
        ] {
            for ranks in [1, 2, 3, 7] {
                let error = graph(text, ranks).expect_err(text).to_string();
                assert!(error.ends_with(message), "{ranks}: {error}");
            }
        }
    }

    #[test]
    fn slices_of_a_mesh_and_its_points() {
        let (_a, mesh) = written("m.mesh", "3\n1 2 3\n% c\n2 3 4\n3 4 5\n");
        let (_b, xyz) = written("m.xyz", "0 0\n1 0\n0 1\n1 1\n0 2\n");
        for ranks in 1..12 {
            let (file, points) =
                (ElementSlices::open(&mesh).unwrap(), PointSlices::open(&xyz).unwrap());
            let (mut nodes, mut lines, mut found) = (Vec::new(), 0, Vec::new());
            for rank in 0..ranks {
                let share = Share::even(rank, ranks);
                let slice = file.read(share).unwrap();
                nodes.extend(file.parse(&slice, lines, 5).unwrap().nodes);
                lines += slice.lines();
                let slice = points.read(share).unwrap();
                found.extend(points.parse(&slice, 0).unwrap().0);
            }
            assert_eq!(nodes, [0, 1, 2, 1, 2, 3, 2, 3, 4]);
            assert_eq!(found.len(), 5);
            file.check(lines, 3).unwrap();
            assert!(file.check(lines, 2).is_err());
        }
        let file = ElementSlices::open(&mesh).unwrap();
        let slice = file.read(Share::even(0, 1)).unwrap();
        let error = file.parse(&slice, 0, 4).unwrap_err().to_string();
        assert!(
            error.ends_with(
                "line 5: expected the nodes of an element, found node 5, which does not exist"
            ),
            "{error}"
        );
        let (_c, wrong) = written("w.xyz", "0 0\n1 nan\n");
        let points = PointSlices::open(&wrong).unwrap();
        let slice = points.read(Share::even(0, 1)).unwrap();
        let error = points.parse(&slice, 0).unwrap_err().to_string();
        assert!(error.ends_with("line 2: expected a finite number, found `nan`"), "{error}");
    }
}
