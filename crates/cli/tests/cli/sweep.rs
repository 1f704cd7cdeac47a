//! `palmette spatial sweep` on small sizes.

use crate::Place;
use palmette::core::generate::Shape;
use roxmltree::{Document, ParsingOptions};
use serde_json::Value;

fn keys(value: &Value) -> Vec<&str> {
    value.as_object().unwrap().keys().map(String::as_str).collect()
}

#[test]
fn a_table_for_people() {
    let place = Place::new(&[]);
    let line = "spatial sweep --program treefix --shapes path,star,path --sizes 2^4..2^6,20";
    let text = place.summary(line);
    let lines: Vec<&str> = text.lines().collect();
    for head in [
        "shape",
        "energy/n ",
        "energy words/n",
        "energy/(n log n)",
        "energy/n^1.5",
        "depth/log² n",
        "words",
    ] {
        assert!(lines[0].contains(head), "{text}");
    }
    let rows = |start: &str| lines.iter().filter(|line| line.starts_with(start)).count();
    assert_eq!((rows("path "), rows("star ")), (4 + 4 + 4, 4), "{text}");
    assert_eq!((rows("path (PRAM) "), rows("path (Euler tour) ")), (4, 4), "{text}");
    assert_eq!((rows("Lemma 11"), rows("Lemma 12"), rows("Theorem 3")), (3, 3, 3), "{text}");
    assert_eq!(place.names(), Vec::<String>::new());
    assert_eq!(place.stdout(&format!("{line} --quiet")), "");
    assert_eq!(place.summary(&format!("{line} --threads 1")), text);
}

#[test]
fn a_record_for_programs() {
    let place = Place::new(&[]);
    let line = "spatial sweep --program treefix --shapes random,perfect --sizes 1,2^4..2^6:2";
    let text = place.stdout(&format!("{line} --baseline-limit 20 --json"));
    let record: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(
        keys(&record),
        ["command", "command_line", "input", "parameters", "seconds", "result"]
    );
    assert_eq!(record["parameters"]["sizes"].to_string(), "[1,16,64]");
    let result = &record["result"];
    assert_eq!(keys(result), ["rows", "baseline", "fits", "correct"]);
    let rows = result["rows"].as_array().unwrap();
    assert_eq!((rows.len(), result["baseline"].as_array().unwrap().len()), (6, 4));
    let names = result["baseline"].as_array().unwrap().iter().map(|row| row["baseline"].clone());
    assert!(names.eq(["PRAM", "PRAM", "Euler tour", "Euler tour"]));
    for row in rows {
        let expected = [
            "shape",
            "n",
            "seeds",
            "energy",
            "energy_words",
            "depth",
            "distance",
            "messages",
            "rounds",
            "words",
            "work",
            "cycles",
            "cycles_estimate",
            "cycles_ratio",
            "correct",
            "energy_per_vertex",
            "energy_words_per_vertex",
            "energy_per_n_log_n",
            "energy_per_n_root_n",
            "depth_per_log_n",
            "depth_per_log_squared_n",
            "distance_per_root_n",
            "seconds",
        ];
        assert_eq!(keys(row), expected);
        assert_eq!(row["correct"], true);
        assert_eq!(row["depth_per_log_n"].is_null(), row["n"] == 1);
    }
    let fits = result["fits"].as_array().unwrap();
    assert_eq!(fits.len(), 9);
    let expected =
        ["theorem", "quantity", "law", "constant", "largest", "largest_p99", "points", "shapes"];
    assert!(fits.iter().all(|fit| keys(fit) == expected));
    assert_eq!(fits[0]["shapes"].to_string(), r#"["perfect","random"]"#);
}

#[test]
fn a_page_with_a_plot_a_theorem() {
    let place = Place::new(&[]);
    for (program, plots) in
        [("treefix", 9), ("rootfix", 9), ("lca", 6), ("layout", 8), ("list-ranking", 3)]
    {
        let shapes = if program == "list-ranking" { "" } else { " --shapes random,path" };
        let line = format!("spatial sweep --program {program}{shapes} --sizes 2^4..2^6");
        place.stdout(&format!("{line} -o sweep.html"));
        assert_eq!(place.names(), ["sweep.html"]);
        let page = place.read("sweep.html");
        assert!(page.starts_with("<!DOCTYPE html>") && page.ends_with("</html>\n"), "{program}");
        let options = ParsingOptions { allow_dtd: true, ..ParsingOptions::default() };
        let document = Document::parse_with_options(&page, options).unwrap();
        let count = |name: &str| document.descendants().filter(|e| e.has_tag_name(name)).count();
        assert_eq!((count("figure"), count("svg")), (plots, plots), "{program}");
        assert!(page.contains(&format!("--program {program} ")) && page.contains("PRAM"));
        // The page says nothing of the run that made it.
        assert_eq!(place.stdout(&format!("{line} -o -")), page);
    }
    // One shape of unbounded degree: no plot of Lemma 11, and a note on that.
    place.stdout("spatial sweep --program treefix --shapes star --sizes 16 -o star.html -q");
    let page = place.read("star.html");
    assert!(page.contains("Lemma 11 has no plot") && page.matches("<figure>").count() == 6);
}

#[test]
fn many_seeds_have_medians_and_percentiles() {
    let place = Place::new(&[]);
    let line = "spatial sweep --program rootfix --shapes random,star --sizes 2^5,2^6";
    let found: Value =
        serde_json::from_str(&place.stdout(&format!("{line} --seeds 5 --seed 7 --json"))).unwrap();
    let rows = found["result"]["rows"].as_array().unwrap();
    assert_eq!((rows.len(), &found["parameters"]["seeds"]), (4, &Value::from(5)));
    for (k, row) in rows.iter().enumerate() {
        let of = |seed: u64| -> Value {
            let one = place.stdout(&format!("{line} --seed {seed} --baseline-limit 0 --json"));
            serde_json::from_str::<Value>(&one).unwrap()["result"]["rows"][k].take()
        };
        let runs: Vec<Value> = (7..12).map(of).collect();
        for key in ["energy", "energy_words", "depth", "rounds", "words"] {
            let mut values: Vec<u64> = runs.iter().map(|run| run[key].as_u64().unwrap()).collect();
            values.sort_unstable();
            assert_eq!(row[key], values[2], "{key}");
            assert_eq!(row["p99"][key], values[4], "{key}");
        }
    }
    let fits = found["result"]["fits"].as_array().unwrap();
    let number = |fit: &Value, key: &str| fit[key].as_f64().unwrap();
    assert!(fits.iter().all(|fit| number(fit, "largest_p99") >= number(fit, "largest")));
    let text = place.summary(&format!("{line} --seeds 2"));
    let count = text.lines().filter(|line| line.contains(", 99% ")).count();
    assert_eq!(count, 4, "{text}");
    assert_eq!(place.summary(&format!("{line} --seeds 2 --threads 1")), text);
    crate::refused(&place, &format!("{line} --seeds 0"), &["--seeds", "0 is not in 1..=10000"]);
}

/// Cycles by replay stand beside their estimate, where there are replays.
#[test]
fn replays_have_columns_of_their_own() {
    let place = Place::new(&[]);
    let line = "spatial sweep --program treefix --shapes random --sizes 2^5,2^6 --seeds 3";
    assert!(!place.summary(line).contains("cycles"));
    let text = place.summary(&format!("{line} --replay auto"));
    assert!(
        text.lines().next().unwrap().contains("cycles  cycles estimate  cycles/estimate"),
        "{text}"
    );
    let of = |when: &str| -> Value {
        let text = place.stdout(&format!("{line} --replay {when} --json"));
        serde_json::from_str(&text).unwrap()
    };
    let [never, always] = ["never", "always"].map(of);
    assert_eq!(always["parameters"]["replay"], "always");
    for (never, row) in ["rows", "baseline"].into_iter().flat_map(|key| {
        let rows = |found: &Value| found["result"][key].as_array().unwrap().clone();
        rows(&never).into_iter().zip(rows(&always))
    }) {
        assert_eq!((&never["cycles"], &never["cycles_estimate"]), (&Value::Null, &Value::Null));
        assert_eq!((&never["energy"], &never["depth"]), (&row["energy"], &row["depth"]));
        let number = |key: &str| row[key].as_u64().unwrap();
        let least = number("distance").max(number("depth"));
        assert!(number("cycles") > least && number("cycles_estimate") > least, "{row}");
        let ratio = row["cycles_ratio"].as_f64().unwrap();
        assert!((0.9..2.0).contains(&ratio), "{row}");
    }
}

#[test]
fn lists_have_no_shapes() {
    let place = Place::new(&[]);
    let line = "spatial sweep --program list-ranking --sizes 16 --json";
    crate::refused(&place, &format!("{line} --shapes star"), &["leave out --shapes"]);
    let record: Value = serde_json::from_str(&place.stdout(line)).unwrap();
    assert_eq!(record["result"]["rows"][0]["shape"], "list");
    assert!(record["parameters"]["shapes"].is_null());
}

#[test]
fn every_shape_has_every_size() {
    let place = Place::new(&[]);
    let line = "spatial sweep --program treefix --shapes all --sizes 1,2,3,5,31,33 --json";
    let record: Value = serde_json::from_str(&place.stdout(line)).unwrap();
    assert_eq!(record["result"]["rows"].as_array().unwrap().len(), 12 * 6);
    assert_eq!(record["result"]["correct"], true);
    for curve in ["z", "peano", "gilbert", "row-major"] {
        place.stdout(&format!("spatial sweep --program rootfix --sizes 2^4 --curve {curve}"));
    }
}

/// The parameters of a sweep with these options, as its record has them.
fn parameters(place: &Place, options: &[&str]) -> Value {
    let output = place.command("spatial sweep --json").args(options).output().unwrap();
    let text = crate::succeeded(&options.join(" "), output);
    serde_json::from_str::<Value>(&text).unwrap()["parameters"].take()
}

#[test]
fn lists_and_ranges_of_sizes() {
    let place = Place::new(&[]);
    for (text, expected) in [
        ("2^4..2^6", "[16,32,64]"),
        ("2^4..2^8:2", "[16,64,256]"),
        ("2^4..2^8:3", "[16,128]"),
        ("1000, 256,2^10,256", "[256,1000,1024]"),
        ("100..1000,7", "[7,128,256,512]"),
        ("1..1", "[1]"),
    ] {
        let options = ["--program", "list-ranking", "--baseline-limit", "0", "--sizes", text];
        assert_eq!(parameters(&place, &options)["sizes"].to_string(), expected, "{text}");
    }
    let options = ["--program", "list-ranking", "--sizes", "2", "--baseline-limit", "2^5"];
    assert_eq!(parameters(&place, &options)["baseline_limit"], 32);
    let options = ["--program", "list-ranking", "--sizes", "64", "--method", "published"];
    assert_eq!(parameters(&place, &options)["method"], "published");
    let line = "spatial sweep --program lca --sizes 8 --method published";
    crate::refused(&place, line, &["lca has no method published"]);
    // The largest size is one; what is wrong comes after it.
    let line = "spatial sweep --program lca --sizes 2^24 --baseline-limit none";
    crate::refused(&place, line, &["error: --baseline-limit: "]);
}

#[test]
fn what_is_no_size() {
    let place = Place::new(&[]);
    for (text, part) in [
        ("", "expected sizes such as"),
        ("256,", "found ``"),
        ("2^8..", "expected sizes such as"),
        ("..2^8", "expected sizes such as"),
        ("2^8..2^9..2^10", "found `2^9..2^10`"),
        ("2^40", "from 1 to 2^24, found `2^40`"),
        ("2^99999999999", "from 1 to 2^24"),
        ("0", "from 1 to 2^24, found `0`"),
        ("0..8", "found `0`"),
        ("99999999999999999999999", "from 1 to 2^24"),
        ("-5", "expected sizes such as"),
        ("+5", "expected sizes such as"),
        ("2^-5", "expected sizes such as"),
        ("1e3", "expected sizes such as"),
        ("2^9..2^8", "`2^9..2^8` must go from the smaller to the larger"),
        ("5..7", "contains no power of two"),
        ("2^8..2^9:0", "must be at least 1"),
        ("2^8..2^9:", "must be at least 1"),
        ("2^8:2", "expected sizes such as"),
    ] {
        let mut command = place.command("spatial sweep --program lca --sizes");
        let output = command.arg(text).output().unwrap();
        let error = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{text}: {error}");
        assert!(error.starts_with("error: --sizes: ") && error.contains(part), "{text}: {error}");
    }
}

#[test]
fn lists_of_shapes() {
    let place = Place::new(&[]);
    let shapes = |text| {
        let options = ["--program", "treefix", "--sizes", "1", "--shapes", text];
        parameters(&place, &options)["shapes"].as_array().unwrap().clone()
    };
    assert_eq!(shapes("star, path,star"), ["star", "path"]);
    assert_eq!(shapes("path,all").len(), Shape::FREE.len());
    for text in ["", "star,", "bush", "profile:10:3", "profile:hollywood"] {
        let mut command = place.command("spatial sweep --program treefix --shapes");
        let output = command.arg(text).output().unwrap();
        let error = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{text}: {error}");
        assert!(error.starts_with("error: --shapes: unknown shape `"), "{error}");
    }
}

#[test]
fn what_cannot_be_swept() {
    let place = Place::new(&[("there.html", b"old")]);
    std::fs::create_dir(place.path().join("dir")).unwrap();
    let before = place.names();
    let cases = [
        ("--program sorting", "invalid value 'sorting'"),
        (
            "--program treefix --shapes bush",
            "--shapes: unknown shape `bush`; expected one of random, path",
        ),
        ("--program treefix --shapes profile:10:3", "--shapes: unknown shape"),
        ("--program treefix --shapes catterpillar", "did you mean `caterpillar`?"),
        ("--program treefix --shapes star,", "--shapes: unknown shape"),
        (
            "--program treefix --sizes 2^40",
            "--sizes: expected a number from 1 to 2^24, found `2^40`",
        ),
        ("--program treefix --sizes 0", "--sizes: expected a number from 1 to 2^24, found `0`"),
        ("--program treefix --sizes -4", "--sizes: expected sizes such as"),
        ("--program treefix --sizes 2^9..2^8", "must go from the smaller to the larger"),
        ("--program treefix --sizes 2^8..", "--sizes: expected sizes such as 2^8..2^18"),
        ("--program treefix --sizes ,", "--sizes: expected sizes such as"),
        ("--program treefix --baseline-limit many", "--baseline-limit: expected a size such as"),
        ("--program treefix -o dir", "dir: -o needs a file, but this is a directory"),
        ("--program treefix -o nowhere/a.html", "nowhere/a.html: cannot write"),
        ("--program treefix -o - --json", "prints the record on stdout"),
    ];
    for (line, part) in cases {
        let output = place.run(&format!("spatial sweep {line}"));
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{line}: {stderr}");
        assert!(output.stdout.is_empty(), "{line}");
        assert!(stderr.contains(part) && stderr.lines().count() == 1, "{line}: {stderr}");
    }
    let empty = place.command("spatial sweep --program treefix --sizes").arg("").output().unwrap();
    assert_eq!(empty.status.code(), Some(2));
    let output = place.run("spatial sweep --program treefix --curve dragon");
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(place.names(), before);
    assert_eq!(place.read("there.html"), "old");
}

/// Every program leaves a trace, also those that only a sweep runs; of one run.
#[test]
fn one_run_has_a_trace() {
    let place = Place::new(&[]);
    for (program, more) in [
        ("list-ranking", "--method published"),
        ("list-ranking", ""),
        ("rootfix", "--shapes path --delivery random"),
        ("lca", "--shapes star"),
        ("layout", "--shapes random"),
    ] {
        let line = format!("spatial sweep --program {program} --sizes 32 {more}");
        place.summary(&format!("{line} --trace run.goal"));
        let record: Value = serde_json::from_str(&place.stdout(&format!("{line} --json"))).unwrap();
        let goal = place.read("run.goal");
        assert!(goal.starts_with("num_ranks 32\nrank 0 {\n"), "{line}");
        let sent = goal.lines().filter(|line| line.contains(": send ")).count();
        assert_eq!(record["result"]["rows"][0]["messages"], sent, "{line}");
        place.summary(&format!("{line} --trace run.json"));
        let _: Value = serde_json::from_str(&place.read("run.json")).unwrap();
    }
    let line = "spatial sweep --program treefix --sizes 32 --trace all.goal";
    crate::refused(&place, line, &["--trace has the messages of one run, and this sweep has 7"]);
    let line = format!("{line} --shapes path --seeds 3");
    crate::refused(&place, &line, &["--trace has the messages of one run, and this sweep has 3"]);
    assert!(!place.path().join("all.goal").exists());
}
