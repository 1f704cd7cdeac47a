//! Reports: what goes in, what is refused.

use crate::{Place, TABLE, refused, succeeded};
use std::io::Write;

const RECORD: &str = r#"{"command":"tree info","input":"a.nwk","parameters":{"seed":1},"seconds":{"read":0.25},"result":{"vertices":1234567,"height":3.5}}"#;

/// A record with a picture of this text.
fn with_picture(svg: &str, view: &str) -> String {
    let svg = serde_json::Value::from(svg);
    format!(
        r#"{{"command":"mesh map","input":"p.msh","parameters":{{}},"seconds":{{}},"result":{{}},"pictures":[{{"name":"placement","title":"Parts","svg":{svg}{view}}}]}}"#
    )
}

const SVG: &str = r##"<svg xmlns="http://www.w3.org/2000/svg" width="40" height="30" viewBox="0 0 40 30"><title>Own name</title><rect width="40" height="30" fill="#fff"/><text x="5" y="15">label</text></svg>"##;

#[test]
fn records_become_a_page() {
    let place = Place::new(&[("tree.csv", TABLE), ("a.json", RECORD.as_bytes())]);
    place.stdout("tree info tree.csv --json --svg tree.svg");
    let record = place.stdout("tree leaffix tree.csv --values weight --json");
    std::fs::write(place.path().join("b.json"), record).unwrap();
    let said = place.stdout("report a.json b.json -o page.html --title Trees");
    assert!(said.contains("records") && said.contains("wrote page.html"), "{said}");
    let html = place.read("page.html");
    for part in ["<h1>Trees</h1>", "1,234,567", "tree leaffix", "Content-Security-Policy", "a.nwk"]
    {
        assert!(html.contains(part), "no {part}");
    }
    let json: serde_json::Value =
        serde_json::from_str(&place.stdout("report a.json b.json --json")).unwrap();
    assert_eq!(json["result"]["records"], 2);
    assert_eq!(
        json["result"]["bytes"],
        std::fs::metadata(place.path().join("report.html")).unwrap().len()
    );
    assert!(place.stdout("report a.json -o -").starts_with("<!DOCTYPE html>"));
}

#[test]
fn records_come_from_lines_stdin_and_gzip() {
    let lines = format!("{RECORD}\n\n{RECORD}\n");
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    gzip.write_all(lines.as_bytes()).unwrap();
    let place =
        Place::new(&[("two.jsonl", lines.as_bytes()), ("two.json.gz", &gzip.finish().unwrap())]);
    for line in ["report two.jsonl", "report two.json.gz", "report -"] {
        let output = place.run_with(&format!("{line} -o -"), lines.as_bytes());
        let html = succeeded(line, output);
        assert_eq!(html.matches("<section ").count(), 2, "{line}");
    }
}

#[test]
fn pictures_that_a_record_names_are_embedded() {
    let place = Place::new(&[("tree.csv", TABLE)]);
    std::fs::create_dir(place.path().join("runs")).unwrap();
    let record = place.stdout("tree info tree.csv --json --svg runs/tree.svg");
    std::fs::write(place.path().join("runs/a.json"), &record).unwrap();
    // A record from elsewhere can name any file: none is shown unless that is asked for.
    place.stdout("report runs/a.json -o page.html");
    assert!(!place.read("page.html").contains("<figure"));
    place.stdout("report runs/a.json --with-files -o page.html");
    assert!(place.read("page.html").contains("data-file=\"1-tree-info-svg\""));
    // Beside the record, wherever it was made.
    let moved = record.replace("runs/tree.svg", "tree.svg");
    std::fs::write(place.path().join("runs/b.json"), moved).unwrap();
    place.stdout("report runs/b.json --with-files -o page.html");
    assert!(place.read("page.html").contains("data-file=\"1-tree-info-svg\""));
    std::fs::remove_file(place.path().join("runs/tree.svg")).unwrap();
    place.stdout("report runs/a.json --with-files -o page.html");
    assert!(!place.read("page.html").contains("<figure"), "a picture that is gone is left out");
}

#[test]
fn pictures_are_exported() {
    let record = with_picture(SVG, "");
    let place = Place::new(&[("a.json", record.as_bytes())]);
    place.stdout("report a.json --pictures pictures");
    let folder = place.path().join("pictures");
    let svg = std::fs::read_to_string(folder.join("1-mesh-map-placement.svg")).unwrap();
    assert!(
        roxmltree::Document::parse(&svg)
            .unwrap()
            .root_element()
            .has_tag_name(("http://www.w3.org/2000/svg", "svg"))
    );
    let png = std::fs::read(folder.join("1-mesh-map-placement.png")).unwrap();
    assert!(png.starts_with(b"\x89PNG\r\n\x1a\n"));
    assert_eq!(png[16..24], [0, 0, 0, 80, 0, 0, 0, 60], "twice the size");
}

/// What a record names without `--with-files` is not even opened; with it, devices, pipes and
/// files of the system, which may never end, are left alone.
#[test]
fn only_regular_files_are_shown() {
    let private = SVG.replace("label", "private");
    let place = Place::new(&[("private.svg", private.as_bytes())]);
    let path = place.path().join("private.svg").display().to_string();
    for (named, shown) in [(path.as_str(), true), ("/proc/kmsg", false), ("/dev/zero", false)] {
        let record = RECORD.replace("\"seed\":1", &format!("\"svg\":{named:?}"));
        std::fs::write(place.path().join("a.json"), record).unwrap();
        place.stdout("report a.json -o page.html");
        assert!(!place.read("page.html").contains("<figure"), "{named}");
        place.stdout("report a.json --with-files -o page.html");
        assert_eq!(place.read("page.html").contains(">private<"), shown, "{named}");
    }
    let large = std::fs::File::create(place.path().join("large.svg")).unwrap();
    large.set_len(65 << 20).unwrap();
    let record = RECORD.replace("\"seed\":1", "\"svg\":\"large.svg\"");
    std::fs::write(place.path().join("a.json"), record).unwrap();
    let words = &["large.svg: more than 64 MB of a picture"];
    refused(&place, "report a.json --with-files", words);
}

/// Pictures that made the rasteriser panic, or busy for long: one line each, and no file.
#[test]
fn hostile_pictures_are_refused() {
    let inside = |shape: &str| with_picture(&SVG.replace("<rect", &format!("{shape}<rect")), "");
    let attributes: String = (0..40_000).map(|i| format!(" a{i}='1'")).collect();
    let cases = [
        (inside("<circle r='1e12' stroke='red'/>"), "is too large, at most 1000000"),
        (
            inside("<circle r='1e38' stroke='red' stroke-dasharray='1e-30'/>"),
            "is too large, at most 1000000",
        ),
        (
            inside("<circle r='9e5' stroke='red' stroke-dasharray='1e-30'/>"),
            "at most 1000000 are allowed",
        ),
        (inside("<circle r='9' stroke='red' stroke-dasharray='1e-30'/>"), "dashes"),
        (inside(&format!("<g{attributes}/>")), "more than 256 attributes"),
    ];
    for (record, words) in &cases {
        let two = format!("{RECORD}\n{record}");
        let place = Place::new(&[("a.json", two.as_bytes())]);
        let start = std::time::Instant::now();
        let line = "report a.json --pictures out -o page.html";
        refused(&place, line, &["a.json: record 2, picture `placement`", words]);
        assert!(start.elapsed().as_secs() < 10, "{words}: {:?}", start.elapsed());
        assert!(!place.path().join("page.html").exists() && !place.path().join("out").exists());
    }
}

#[test]
fn two_runs_are_compared() {
    let other = RECORD.replace("1234567", "2469134").replace("\"seed\":1", "\"seed\":2");
    let both = format!("{RECORD}\n{other}\n");
    let place = Place::new(&[
        ("a.json", RECORD.as_bytes()),
        ("b.json", other.as_bytes()),
        ("both.jsonl", both.as_bytes()),
    ]);
    for line in ["report a.json b.json --compare -o -", "report both.jsonl --compare -o -"] {
        let html = place.stdout(line);
        assert_eq!(html.matches("<section ").count(), 1);
        for part in ["+1,234,567", ">2.00<", ">differs<"] {
            assert!(html.contains(part), "{line}: no {part}");
        }
    }
    refused(&place, "report a.json --compare", &["needs two records", "found 1 in 1"]);
    refused(
        &place,
        "report a.json both.jsonl --compare",
        &["found 1 in a.json and 2 in both.jsonl"],
    );
    refused(&place, "report a.json b.json a.json --compare", &["found 3 in 3"]);
}

#[test]
fn bad_records_are_refused() {
    let deep = format!("{}{}", "[".repeat(500), "]".repeat(500));
    let deep = RECORD.replace("3.5", &deep);
    let script = with_picture("<svg><script>alert(1)</script></svg>", "");
    let style = with_picture(
        r#"<svg xmlns="http://www.w3.org/2000/svg"><style>@import "x";</style></svg>"#,
        "",
    );
    let view = with_picture(
        SVG,
        r#","view":{"kind":"links","sides":[2,2],"torus":false,"parts":[0],"phases":0,"loads":[]}"#,
    );
    let list = with_picture(SVG, r#","view":[1]"#);
    let later = format!("{RECORD}\n{{\"command\":3}}");
    let cut = with_picture("<svg", "");
    let cases: &[(&str, &[u8], &[&str])] = &[
        ("text.json", b"no JSON\n", &["text.json, line 1, column 2", "not a run record"]),
        ("cut.json", &RECORD.as_bytes()[..80], &["cut.json, line 1", "EOF"]),
        ("later.json", later.as_bytes(), &["line 2", "a string"]),
        ("keys.json", b"{\"type\":\"FeatureCollection\"}", &["line 1", "missing field `command`"]),
        ("empty.json", b"", &["empty.json", "the file is empty"]),
        ("blank.json", b" \n\n", &["the file is empty"]),
        ("bytes.json", b"\n{\"\xff\"}", &["bytes.json, line 2", "UTF-8"]),
        ("deep.json", deep.as_bytes(), &["recursion limit"]),
        ("svg.json", cut.as_bytes(), &["svg.json: record 1, picture `placement`", "SVG picture"]),
        ("script.json", script.as_bytes(), &["script.json: record 1", "the element `svg`"]),
        ("style.json", style.as_bytes(), &["`@import` in a style"]),
        (
            "view.json",
            view.as_bytes(),
            &[
                "view.json: record 1, view of picture `placement`",
                "4 numbers in `parts`",
                "found 1",
            ],
        ),
        ("list.json", list.as_bytes(), &["a view with a text `kind`"]),
    ];
    for (name, content, parts) in cases {
        let place = Place::new(&[(name, content), ("good.json", RECORD.as_bytes())]);
        refused(&place, &format!("report good.json {name} -o page.html --pictures out"), parts);
    }
}

#[test]
fn bad_arguments_are_refused() {
    let place = Place::new(&[("a.json", RECORD.as_bytes()), ("note.txt", b"no picture")]);
    refused(&place, "report", &["RECORD"]);
    refused(&place, "report none.json", &["none.json: cannot read"]);
    refused(&place, "report a.json -o a.json", &["RECORD and -o name the same file"]);
    refused(&place, "report a.json -o - --json", &["-o - cannot be used with --json"]);
    for line in ["a.json --record a.json", "a.json --record p.html -o p.html", "a.json --record -"]
    {
        refused(&place, &format!("report {line}"), &["--record"]);
    }
    refused(&place, "report a.json --record report.html", &["same file: report.html"]);
    refused(&place, "report a.json --record missing/r.json", &["missing"]);
    refused(&place, "report - -", &["one input can come from stdin"]);
    refused(&place, "report a.json -o missing/page.html", &["missing/page.html: cannot write"]);
    refused(&place, "report a.json --pictures a.json", &["a.json: --pictures needs a folder"]);
    let named = RECORD.replace("\"seed\":1", "\"svg\":\"note.txt\"");
    std::fs::write(place.path().join("named.json"), named).unwrap();
    refused(&place, "report named.json --with-files", &["note.txt: not a safe SVG picture"]);
    place.stdout("report named.json");
}

#[test]
fn a_file_too_large_is_not_read() {
    let place = Place::new(&[]);
    let file = std::fs::File::create(place.path().join("huge.json")).unwrap();
    file.set_len(300 << 20).unwrap();
    refused(&place, "report huge.json", &["huge.json: more than 256 MB of records"]);
}

/// What is too much for the eye is no hardship for the program.
#[test]
fn odd_records_take_no_longer() {
    let seconds = RECORD.replace("0.25", "1e308");
    let picture = |i: usize| {
        let svg = serde_json::Value::from(SVG);
        format!(r#"{{"name":"{}","title":"","svg":{svg}}}"#, ["a", "a-2"][i % 2])
    };
    let pictures: Vec<String> = (0..6000).map(picture).collect();
    let many =
        RECORD.replace("\"result\"", &format!("\"pictures\":[{}],\"result\"", pictures.join(",")));
    let keys: Vec<String> = (0..60_000).map(|i| format!("\"k{i}\":1")).collect();
    let wide = RECORD.replace("3.5", &format!("[{{{}}},{{{}}}]", keys.join(","), keys.join(",")));
    let place = Place::new(&[
        ("seconds.json", seconds.as_bytes()),
        ("many.json", many.as_bytes()),
        ("wide.json", wide.as_bytes()),
    ]);
    let keys: Vec<String> = (0..100_000).map(|i| format!("\"k{i}\":{i}")).collect();
    let flat = RECORD.replace("\"height\":3.5", &keys.join(","));
    std::fs::write(place.path().join("flat.json"), flat).unwrap();
    for name in ["seconds", "many", "wide", "flat"] {
        let start = std::time::Instant::now();
        place.stdout(&format!("report {name}.json -o {name}.html"));
        assert!(start.elapsed().as_secs() < 10, "{name}: {:?}", start.elapsed());
    }
    let html = place.read("many.html");
    assert!(html.contains("data-file=\"1-tree-info-a-3000\""));
    let names = html.matches("data-file=\"").count();
    assert_eq!(names, 6000);
}
