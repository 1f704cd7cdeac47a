//! The pipeline on the built-in plate.

use crate::Place;
use serde_json::Value;

/// What a stage found, without what depends on the clock.
fn found(record: &Value) -> Value {
    let mut result = record["result"].clone();
    let fields = result.as_object_mut().unwrap();
    fields.retain(|key, _| !key.starts_with("ns_"));
    if let Some(all) = fields.get_mut("preconditioners").and_then(Value::as_object_mut) {
        for run in all.values_mut().filter_map(Value::as_object_mut) {
            run.retain(|key, _| !key.ends_with("_seconds"));
        }
    }
    result
}

#[test]
fn every_stage_can_be_typed_again() {
    let place = Place::new(&[]);
    let text = place.summary("demo -o there");
    let lines: Vec<&str> = text.lines().collect();
    // A heading, ten stages, and where the report is.
    assert_eq!(lines.len(), 12, "{text}");
    assert_eq!(lines[11], "report: there/report.html");
    let page = place.read("there/report.html");
    assert!(page.len() < 5_000_000, "{} bytes", page.len());
    let records = place.path().join("there/records");
    let mut names: Vec<_> =
        std::fs::read_dir(records).unwrap().map(|entry| entry.unwrap().path()).collect();
    names.sort();
    assert_eq!(names.len(), 10);
    for name in names {
        let record: Value = serde_json::from_slice(&std::fs::read(&name).unwrap()).unwrap();
        let line = record["command_line"].as_str().unwrap();
        assert!(page.contains(line), "{line} is not in the report");
        let again = place.stdout(&format!("{} --json", line.strip_prefix("palmette ").unwrap()));
        let again: Value = serde_json::from_str(&again).unwrap();
        assert_eq!(found(&again), found(&record), "{line}");
        let shown = record["pictures"].as_array().map_or(0, Vec::len);
        assert!(shown > 0, "{line} has no picture");
        let about = record["about"].as_str().unwrap();
        assert!(about.matches(". ").count() >= 1 && about.ends_with('.'), "{line}: {about}");
        assert!(page.contains(about), "{about}");
    }
    // The page opens with the whole way, and has a table of solvers.
    let picture = place.read("there/overview.svg");
    let names = ["1  Mesh", "2  Parts", "3  Machine", "4  Skeleton", "5  Tree", "6  Grid"];
    names.iter().for_each(|name| assert!(picture.contains(name), "{name}"));
    assert!(picture.contains("3,969 nodes") && picture.len() < 600_000, "{} bytes", picture.len());
    assert!(page.find("1  Mesh").unwrap() < page.find("<section").unwrap());
    assert!(page.contains("<caption>preconditioners</caption>"));
}

#[test]
fn a_folder_that_cannot_be_is_refused() {
    let place = Place::new(&[("file", b"")]);
    crate::refused(&place, "demo -o file", &["file", "needs a folder"]);
}
