//! Tables whose ids are texts: as a map of the standard library says, on any number of threads.

use palmette_core::NONE;
use palmette_io::{
    Cells, ColumnKey, Labels, ReadParams, TreeFile, ValueSlice, ValueType, Values, read_tree_bytes,
    write_table,
};
use std::collections::HashMap;

/// What one thread reads, after two and seven have read the same.
fn read(name: &str, text: &str, params: &ReadParams) -> Result<TreeFile, String> {
    let on = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| read_tree_bytes(name, text.as_bytes(), params)).map_err(|e| e.to_string())
    };
    let one = on(1);
    for other in [on(2), on(7)] {
        match (&one, &other) {
            (Ok(one), Ok(other)) => {
                assert!(one.parents == other.parents && one.labels == other.labels);
                assert!(one.columns == other.columns && one.lengths == other.lengths);
                let lines =
                    |file: &TreeFile| (0..file.len() as u32).map(|v| file.line_of(v)).collect();
                let (one, other): (Vec<_>, Vec<_>) = (lines(one), lines(other));
                assert!(one == other);
            }
            _ => assert_eq!(one.as_ref().err(), other.as_ref().err()),
        }
    }
    one
}

/// A number that looks random.
fn scrambled(v: usize) -> usize {
    let x = (v as u64 ^ 0x5bd1_e995).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (x ^ x >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9) as usize >> 20
}

/// Ids of many lengths and letters, each its own.
fn id(v: usize, odd: bool) -> String {
    let long = "long-".repeat(scrambled(v) % 9);
    match scrambled(v + 1) % if odd { 8 } else { 4 } {
        0 => format!("{long}{v}x"),
        1 => format!("é{long}{v}"),
        2 => format!("{v} {long}y"),
        3 => format!("x{v}"),
        4 => format!("quoted \"{v}\""),
        5 => format!("{v},{long}"),
        6 => format!("#{v}\t"),
        _ => format!(" {v}|"),
    }
}

fn field(text: &str, always: bool) -> String {
    let special = |c: char| matches!(c, '"' | ',' | '\n' | '\t' | '#' | '|') || text.trim() != text;
    match always || text.contains(special) {
        true => format!("\"{}\"", text.replace('"', "\"\"")),
        false => text.to_string(),
    }
}

/// A table of `n` rows, vertices in scrambled order, with its parents by row.
fn table(n: usize, odd: bool, always: bool, end: &str, separator: char) -> (String, Vec<u32>) {
    let mut order: Vec<usize> = (0..n).collect();
    order.sort_by_key(|&v| scrambled(v));
    let mut row_of = vec![0u32; n];
    order.iter().enumerate().for_each(|(row, &v)| row_of[v] = row as u32);
    let mut text = format!("id{separator}w{separator}parent{end}");
    let mut parents = Vec::new();
    for (row, &v) in order.iter().enumerate() {
        let parent = (v > 0).then(|| scrambled(v + 7) % v);
        parents.push(parent.map_or(NONE, |p| row_of[p]));
        let name = parent.map_or(String::new(), |p| field(&id(p, odd), always));
        let (id, pad) = (field(&id(v, odd), always), if v % 5 == 0 { " " } else { "" });
        text += &format!("{pad}{id}{separator}{row}.5{separator}{pad}{name}{end}");
        if v % 1000 == 3 {
            text += end;
            text += &format!("# a comment{end}");
        }
    }
    (text, parents)
}

#[test]
fn large_tables_agree_with_a_map() {
    let params = ReadParams {
        columns: vec![(ColumnKey::from("w"), ValueType::F64.into())],
        ..ReadParams::default()
    };
    for (odd, always, end, separator) in [
        (false, false, "\n", ','),
        (true, false, "\r\n", ','),
        (true, true, "\n", ';'),
        (false, true, "\r\n", '\t'),
    ] {
        let n = 120_000;
        let (text, expected) = table(n, odd, always, end, separator);
        let name = if separator == '\t' { "t.tsv" } else { "t.csv" };
        let file = read(name, &text, &params).unwrap();
        assert!(file.parents == expected);
        let mut rows: HashMap<String, u32> = HashMap::new();
        for v in 0..n as u32 {
            assert!(rows.insert(file.labels.get(v).into_owned(), v).is_none());
        }
        for v in (0..n).step_by(97) {
            assert_eq!(Some(file.vertex(&id(v, odd)).unwrap()), rows.get(&id(v, odd)).copied());
        }
        let Values::F64(weights) = &file.columns[0].values else { panic!("floats were asked for") };
        assert!(weights.iter().enumerate().all(|(row, &w)| w == row as f64 + 0.5));
        let start = format!("{}{separator}", field(&id(5, odd), always));
        let line = text.lines().position(|line| line.trim_start().starts_with(&start));
        assert_eq!(file.line_of(rows[&id(5, odd)]), line.map(|line| line as u64 + 1));
    }
}

#[test]
fn errors_are_those_of_the_first_row_that_is_wrong() {
    let (text, _) = table(100_000, false, false, "\n", ',');
    let all: Vec<&str> = text.lines().collect();
    let with = |changes: &[(usize, &str)]| {
        let mut lines = all.clone();
        changes.iter().for_each(|&(line, text)| lines[line - 1] = text);
        read("t.csv", &(lines.join("\n") + "\n"), &ReadParams::default()).map(|_| ()).unwrap_err()
    };
    let rows: Vec<usize> = (2..=all.len()).filter(|&l| all[l - 1].contains(',')).collect();
    let (early, late) = (rows[40_000], rows[90_000]);
    let name = |line: usize| all[line - 1].split(',').next().unwrap().trim().to_string();
    // Two that appear again: the one whose second row comes first.
    let text = [format!("{},1,x0", name(rows[50_000])), format!("{},1,x0", name(rows[10]))];
    let error = with(&[(late, &text[0]), (rows[80_000], &text[1])]);
    let expected = format!(
        "t.csv, line {}: expected a name of its own (line {} already has it), found `{}` again",
        rows[80_000],
        rows[10],
        name(rows[10])
    );
    assert_eq!(error, expected);
    // Parents that no row has.
    let unknown = ["new one,1,nobody", "new two,1,nobody else"];
    let leaf = |line: usize| {
        let name = name(line);
        !all.iter().any(|l| l.rsplit(',').next().unwrap().trim() == name)
    };
    let (early, late) = (
        (early..).find(|&l| all[l - 1].contains(',') && leaf(l)).unwrap(),
        (late..).find(|&l| all[l - 1].contains(',') && leaf(l)).unwrap(),
    );
    let error = with(&[(late, unknown[1]), (early, unknown[0])]);
    assert!(
        error.starts_with(&format!("t.csv, line {early}: expected the name of a parent")),
        "{error}"
    );
    assert!(error.contains("`nobody`, which no row has"), "{error}");
    // Form comes before both, wherever it is.
    let error = with(&[(early, unknown[0]), (late, "one field")]);
    assert!(error.starts_with(&format!("t.csv, line {late}: expected 3 fields")), "{error}");
    let error = with(&[(late, ",1,x0")]);
    assert_eq!(
        error,
        format!("t.csv, line {late}: expected the name of a vertex, found an empty field")
    );
    let error = with(&[(late, "a,1,\"x")]);
    assert!(error.starts_with(&format!("t.csv, line {late}: expected a closing quote")), "{error}");
    // Nobody is their own parent.
    let error = with(&[(late, "own,1,own")]);
    assert_eq!(error, format!("t.csv, line {late}: `own` is its own parent"));
}

#[test]
fn fields_that_go_over_lines_are_read_whole() {
    // One such field wherever pieces of the text are cut.
    let mut text = "id,parent\nroot,\n".to_string();
    for v in 0..60_000 {
        text += &format!("\"first line {v}\nsecond, line \"\"of\"\" it\",root\n");
    }
    let file = read("t.csv", &text, &ReadParams::default()).unwrap();
    assert_eq!(file.len(), 60_001);
    assert_eq!(file.labels.get(60_000), "first line 59999\nsecond, line \"of\" it");
    assert_eq!(file.line_of(60_000), Some(2 + 2 * 59_999 + 1));
    assert!(file.parents[1..].iter().all(|&p| p == 0));
    let twice = text + "\"first line 7\nsecond, line \"\"of\"\" it\",root\n";
    let error = read("t.csv", &twice, &ReadParams::default()).unwrap_err();
    assert!(
        error.starts_with("t.csv, line 120003: expected a name of its own (line 17 "),
        "{error}"
    );
}

#[test]
fn a_table_is_written_alike_on_any_number_of_threads() {
    let n = 150_000;
    let labels = Labels::texts((0..n).map(|v| id(v, true)));
    let floats: Vec<f64> = (0..n).map(|v| (v as f64).sqrt()).collect();
    let integers: Vec<i64> = (0..n).map(|v| scrambled(v) as i64 - (1 << 43)).collect();
    let columns = [
        ("vertex", Cells::EachVertex),
        ("root", Cells::Numbers(ValueSlice::F64(&floats))),
        ("number", Cells::Numbers(ValueSlice::I64(&integers))),
    ];
    let on = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let mut out = Vec::new();
        pool.install(|| write_table(&mut out, b',', &labels, &columns)).unwrap();
        out
    };
    let one = on(1);
    assert!(one == on(2) && one == on(5));
    let text = String::from_utf8(one).unwrap();
    assert!(text.starts_with("vertex,root,number\n"));
    // All rows, in order; `id` has no line ends.
    assert_eq!(text.lines().count(), n + 1);
    for (v, line) in text.lines().skip(1).enumerate() {
        let end = format!(",{},{}", floats[v], integers[v]);
        assert!(line.ends_with(&end), "{line}");
    }
}
