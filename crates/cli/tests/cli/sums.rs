//! Sums of floats: how they are added, their bounds, and what is not finite.

use crate::{Place, TABLE};
use serde_json::Value;

/// A path whose f32 sums lose everything when they are added one by one.
const HARD: &[u8] = b"id,parent,w\na,,1e8\nb,a,1\nc,b,-1e8\nd,c,0.5\n";

fn place() -> Place {
    Place::new(&[
        ("hard.csv", HARD),
        ("t.csv", TABLE),
        ("far.csv", b"id,parent,w\na,,inf\nb,a,1\nc,a,-inf\nd,c,2\n"),
        ("gaps.csv", b"id,parent,w\na,,1\nb,a,nan\nc,a,2\nd,b,NaN\ne,c,0.5\n"),
        ("gaps.txt", b"1\nNaN\n2\nnan\n0.5\n"),
        ("large.csv", b"id,parent,w\na,,3e38\nb,a,3e38\nc,b,-3e38\n"),
    ])
}

#[test]
fn three_ways_to_sum() {
    let place = place();
    let sums = |options: &str| {
        place.stdout(&format!("tree rootfix hard.csv --values w --type f32 {options}"))
    };
    let right = "vertex,sum\na,100000000\nb,100000000\nc,1\nd,1.5\n";
    assert_eq!(sums(""), "vertex,sum\na,100000000\nb,100000000\nc,0\nd,0.5\n");
    assert_eq!(sums("--sum plain"), sums(""));
    assert_eq!(sums("--sum compensated"), right);
    for engine in ["auto", "sequential", "threads", "levels", "euler", "contract"] {
        assert_eq!(sums(&format!("--sum exact --engine {engine}")), right, "{engine}");
    }
    // Whole numbers are read as floats.
    let whole = place.stdout("tree leaffix t.csv --values weight --sum exact");
    assert_eq!(whole, "vertex,sum\nroot,15\na,11\nb,3\nc,4\nd,5\n");
}

#[test]
fn bounds_stand_before_their_sums() {
    let place = place();
    let text =
        place.stdout("tree rootfix hard.csv --values w --type f32 --error-bound --engine levels");
    let rows: Vec<Vec<&str>> = text.lines().map(|line| line.split(',').collect()).collect();
    assert_eq!(rows[0], ["vertex", "bound", "sum"]);
    let number = |row: usize, column: usize| rows[row][column].parse::<f64>().unwrap();
    assert_eq!([number(1, 1), number(1, 2)], [0.0, 1e8], "one value is exact");
    // The exact sums are 1 and 1.5.
    assert!(number(3, 1) >= (1.0 - number(3, 2)).abs() && number(4, 1) >= 1.0);
    assert!(number(4, 1) < 40.0, "three additions of at most 2e8, each off by at most 12");
    let text = place.stdout("tree rootfix hard.csv --values w --error-bound --sum exact --json");
    let record: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(record["parameters"]["sum"], "exact");
    let largest = record["result"]["largest_bound"].as_f64().unwrap();
    assert!(largest > 0.0 && largest < 1e-8, "{largest}");
}

#[test]
fn what_is_not_finite_is_reported() {
    let place = place();
    let found = |line: &str| {
        let output = place.run(&format!("tree {line} --json"));
        let record: Value = serde_json::from_slice(&output.stdout).unwrap();
        (record["result"].clone(), String::from_utf8(output.stderr).unwrap())
    };
    for how in ["plain", "compensated", "exact"] {
        let (result, note) = found(&format!("leaffix far.csv --values w --sum {how}"));
        assert!(note.contains("0 NaN and 2 infinities; 1 sums are NaN, 1 infinite"), "{note}");
        let count = |key: &str| result[key].as_u64();
        assert_eq!([count("infinite_values"), count("overflows")], [Some(2), Some(0)]);
        assert_eq!([count("nan_sums"), count("infinite_sums")], [Some(1), Some(1)]);
    }
    let (result, note) = found("leaffix far.csv --values w --engine euler");
    assert!(note.contains("engine euler adds and subtracts infinities"), "{note}");
    assert_eq!([&result["smallest"], &result["largest"]].map(Value::as_f64), [None, None]);
    let (result, _) = found("leaffix far.csv --values w");
    assert_eq!(
        [&result["smallest"], &result["largest"]].map(Value::as_f64),
        [Some(1.0), Some(2.0)]
    );
    let large = |how: &str| {
        let line = format!("rootfix large.csv --values w --type f32 --engine levels --sum {how}");
        let (result, note) = found(&line);
        assert!(note.contains("overflow f32"), "{note}");
        result["overflows"].as_u64()
    };
    assert_eq!([large("plain"), large("exact")], [Some(2), Some(1)]);
    let (result, note) = found("rootfix hard.csv --values w");
    assert_eq!((result["overflows"].as_u64(), note.as_str()), (Some(0), ""));
}

#[test]
fn nan_is_a_value_where_it_is_allowed() {
    let place = place();
    let output = place.run("tree leaffix gaps.csv --values w");
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{stderr}");
    assert!(stderr.contains("gaps.csv, line 3: expected a number (not NaN)"), "{stderr}");
    let sums = "vertex,sum\na,NaN\nb,NaN\nc,2.5\nd,NaN\ne,0.5\n";
    for values in ["w", "gaps.txt"] {
        for how in ["", "--sum plain", "--sum compensated", "--sum exact", "--type f32"] {
            let line = format!("tree leaffix gaps.csv --values {values} --allow-nan {how}");
            let output = place.run(&line);
            let note = String::from_utf8(output.stderr).unwrap();
            assert_eq!(String::from_utf8(output.stdout).unwrap(), sums, "{line}: {note}");
            assert!(note.contains("2 NaN and 0 infinities; 3 sums are NaN"), "{line}: {note}");
        }
    }
}

#[test]
fn what_does_not_round_is_refused() {
    let place = place();
    let cases = [
        ("leaffix t.csv --values weight --op min --sum exact", "--sum applies to --op sum only"),
        (
            "leaffix t.csv --values weight --op min --allow-nan",
            "--allow-nan applies to --op sum only",
        ),
        ("leaffix t.csv --op size --error-bound", "--op size takes no --error-bound"),
        ("leaffix t.csv --values weight --type i64 --sum exact", "applies to f32 and f64 only"),
        ("leaffix t.csv --values weight --sum best", "plain"),
        ("leaffix t.csv --values weight --error-bound -o x.npy", "one column of numbers"),
    ];
    for (line, expected) in cases {
        let output = place.run(&format!("tree {line}"));
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{line}: {stderr}");
        assert!(stderr.contains(expected), "{line}: {stderr}");
    }
    assert!(!place.names().contains(&"x.npy".to_string()));
}

#[test]
fn every_column_is_summed_for_itself() {
    let table = b"id,parent,kg,eur\nr,,1,0.5\na,r,2,1.5\nb,r,3,2.5\nc,b,4,3.5\n";
    let place = Place::new(&[("t.csv", table)]);
    let found = place.stdout("tree leaffix t.csv --op sum --values kg,column:eur");
    assert_eq!(found, "vertex,sum_kg,sum_eur\nr,10,8\na,2,1.5\nb,7,6\nc,4,3.5\n");
    // With a tree, too, and where one column has two answers.
    let same = "tree leaffix t.csv --op sum --values kg,column:eur --engine sequential";
    assert_eq!(place.stdout(same), found);
    let found = place.stdout("tree rootfix t.csv --op argmax --values kg,eur --type f64");
    assert!(found.starts_with("vertex,max_kg,argmax_kg,max_eur,argmax_eur\nr,1,r,0.5,r\n"));
    // What is written is values for the next.
    place.stdout("tree leaffix t.csv --op sum --values kg,eur -o s.parquet -q");
    place.stdout("tree leaffix t.csv --op sum --values kg -o s.csv -q");
    let from_csv = place.stdout("tree leaffix t.csv --op max --values file:s.csv");
    assert!(from_csv.starts_with("vertex,max\nr,10\n"), "{from_csv}");
}
