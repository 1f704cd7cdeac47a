//! `palmette spatial …` on small trees.

use crate::{Place, TABLE};
use serde_json::Value;

fn place() -> Place {
    Place::new(&[
        ("t.csv", TABLE),
        ("one.csv", b"id,parent\nonly,\n"),
        ("f.csv", b"id,parent\nx,\ny,x\nz,\n"),
        ("big.csv", b"id,parent,w\nr,,1\na,r,9223372036854775807\nb,r,1\n"),
        ("maps.csv", b"id,parent,p,q\n0,,2,1\n1,0,3,0\n2,0,1,5\n"),
    ])
}

fn record(place: &Place, line: &str) -> Value {
    serde_json::from_str(&place.stdout(line)).unwrap()
}

fn keys(value: &Value) -> Vec<&str> {
    value.as_object().unwrap().keys().map(String::as_str).collect()
}

#[test]
fn layout() {
    let place = place();
    let text = place.summary("spatial layout t.csv");
    let expected = "vertices               5\n\
                    energy                 6\n\
                    energy_words           6\n\
                    energy_per_vertex  1.200\n\
                    depth                  1\n\
                    distance               2\n\
                    longest_edge           2\n\
                    max_link_load          2\n";
    assert_eq!(text, expected);
    // root, b, a, c, d along a Hilbert curve of 4x4.
    let csv = place.stdout("spatial layout t.csv -o -");
    assert_eq!(csv, "vertex,position,column,row\nroot,0,0,0\na,2,1,1\nb,1,1,0\nc,3,0,1\nd,4,0,2\n");
    let csv = place.stdout("spatial layout t.csv --order bfs --curve row-major --grid 5x1 -o -");
    assert_eq!(csv, "vertex,position,column,row\nroot,0,0,0\na,1,1,0\nb,4,2,0\nc,2,3,0\nd,3,4,0\n");
    for line in ["one.csv", "one.csv --curve moore", "one.csv --order refined", "f.csv --forest"] {
        let record = record(&place, &format!("spatial layout {line} --json"));
        let wanted = ["energy", "energy_per_vertex", "depth", "distance", "longest_edge"];
        assert!(wanted.iter().all(|key| keys(&record["result"]).contains(key)), "{record}");
    }
    place.stdout("spatial layout t.csv --svg t.svg --curve gilbert -o placed.csv.gz");
    assert!(place.read("t.svg").starts_with("<svg"));
    assert!(place.names().contains(&"placed.csv.gz".to_string()));
}

#[test]
fn refined_is_repeatable_and_better() {
    let place = place();
    place.stdout("tree generate binary:1000 --seed 5 -o b.csv");
    let line = "spatial layout b.csv --order refined --seed 3 --time-limit 100";
    let first = place.stdout(&format!("{line} -o -"));
    assert_eq!(first, place.stdout(&format!("{line} --threads 1 -o -")));
    let result = &record(&place, &format!("{line} --json"))["result"];
    let energy = |key: &str| result[key].as_f64().unwrap();
    assert!(energy("energy_per_vertex") < 0.9 * energy("energy_per_vertex_before"), "{result}");
}

#[test]
fn comparing_layouts() {
    let place = place();
    place.stdout("tree generate perfect:255 -o p.csv");
    let text = place.summary("spatial layout p.csv --compare");
    assert_eq!(text.lines().count(), 13, "{text}");
    let record = record(&place, "spatial layout p.csv --compare --json");
    let energy = |curve: &str, order: &str| {
        record["result"]["energy_per_vertex"][curve][order].as_f64().unwrap()
    };
    assert!(energy("hilbert", "light-first") < energy("row-major", "light-first"));
    assert!(energy("hilbert", "light-first") < energy("hilbert", "bfs"));
    assert_eq!(energy("hilbert", "light-first"), energy("hilbert", "virtual"));
}

#[test]
fn messages() {
    let place = place();
    let heard = "vertex,parent\nroot,\na,root\nb,root\nc,a\nd,a\n";
    assert_eq!(place.stdout("spatial message t.csv --kind broadcast -o -"), heard);
    assert_eq!(place.stdout("spatial message t.csv --kind children -o -"), heard);
    let sums = "vertex,sum\nroot,5\na,9\nb,0\nc,0\nd,0\n";
    let line = "spatial message t.csv --kind reduce --values weight -o -";
    assert_eq!(place.stdout(line), sums);
    // Affine maps do not commute: 3 (x + 5), not 3 x + 5.
    let line = "spatial message maps.csv --kind reduce --op affine --values p,q --modulus 97 -o -";
    assert_eq!(place.stdout(line), "vertex,a,b\n0,3,15\n1,1,0\n2,1,0\n");
    let record = record(&place, "spatial message t.csv --kind broadcast --json");
    let wanted = [
        "energy",
        "energy_per_vertex",
        "depth",
        "distance",
        "longest_edge",
        "messages",
        "words_per_processor",
        "max_link_load",
        "cycles_estimate",
        "construction_energy",
    ];
    assert!(wanted.iter().all(|key| keys(&record["result"]).contains(key)), "{record}");
    for file in ["t.csv", "one.csv", "f.csv --forest"] {
        for kind in ["broadcast", "reduce", "children"] {
            place.stdout(&format!("spatial message {file} --kind {kind} --svg {kind}.svg"));
            assert!(place.read(&format!("{kind}.svg")).starts_with("<svg"));
        }
    }
    // A grid far larger than the tree costs nothing.
    let record = self::record(&place, "spatial message t.csv --grid 65536x65536 --json");
    assert_eq!(record["result"]["max_link_load"], 2);
    place.stdout("tree generate star:1024 -o star.csv");
    let star = record_of_star(&place, "broadcast");
    assert_eq!((star["energy"].as_u64(), star["depth"].as_u64()), (Some(2058), Some(10)));
    let direct = record_of_star(&place, "children");
    assert_eq!((direct["energy"].as_u64(), direct["depth"].as_u64()), (Some(31 * 1024), Some(1)));
}

fn record_of_star(place: &Place, kind: &str) -> Value {
    record(place, &format!("spatial message star.csv --kind {kind} --json"))["result"].clone()
}

#[test]
fn traces() {
    let place = place();
    let goal = place.stdout("spatial trace t.csv --to goal");
    assert!(goal.starts_with("num_ranks 5\nrank 0 {\n"), "{goal}");
    assert_eq!(goal.matches(" send ").count(), 4);
    let json = place.stdout("spatial trace t.csv --to perfetto --kind children");
    let events: Value = serde_json::from_str(&json).unwrap();
    assert!(events["traceEvents"].as_array().unwrap().len() > 16);
    let record = record(&place, "spatial trace t.csv --json -o trace.goal");
    assert_eq!(record["result"]["messages"], 4);
    assert_eq!(place.read("trace.goal"), goal);
    place.stdout("spatial trace t.csv --kind children -o trace.json --format csv");
    assert_eq!(place.read("trace.json"), json);
}

#[test]
fn what_cannot_be_laid_out() {
    let place = place();
    let before = place.names();
    let cases = [
        (
            "layout t.csv --grid 2x2",
            "--grid: the grid 2x2 is too small for 5 vertices: it has 4 cells",
        ),
        ("layout t.csv --grid 3x5 -o a.csv", "3x5"),
        ("layout t.csv --grid 3x5 --curve peano", "peano"),
        ("layout t.csv --grid 0x5", "COLUMNSxROWS"),
        ("layout t.csv --grid five", "COLUMNSxROWS"),
        ("layout t.csv --curve dragon", "invalid value 'dragon'"),
        ("layout t.csv --order sideways", "invalid value 'sideways'"),
        ("layout t.csv --order refined --time-limit -1", "--time-limit"),
        ("layout t.csv --order refined --time-limit 1e20", "--time-limit"),
        ("layout t.csv --compare --curve z", "cannot be used with"),
        ("layout t.csv --svg - --json", "--svg needs a file"),
        ("layout t.csv --svg a.csv -o ./a.csv", "-o and --svg name the same file"),
        ("message big.csv --kind reduce --values w", "big.csv, line 2: the sum does not fit"),
        ("layout t.csv -o a.npy", "npy"),
        ("layout t.csv --json -o -", "prints the record on stdout"),
        ("layout t.csv --svg s.svg -o nowhere/a.csv", "nowhere/a.csv: cannot write"),
        ("layout missing.csv", "missing.csv"),
        ("layout f.csv", "one root"),
        ("message t.csv --op max", "--op needs --kind reduce, not broadcast"),
        ("message t.csv --kind reduce --op affine", "--op affine needs --values with 2 columns"),
        (
            "message t.csv --kind reduce --op hash --lengths",
            "use --values with a column of integers",
        ),
        ("message t.csv --grid 70000x1 --curve gilbert", "at most 65536 cells per side"),
        ("trace t.csv --to dot", "invalid value 'dot'"),
        ("trace t.csv --json -o -", "prints the record on stdout"),
    ];
    for (line, part) in cases {
        let output = place.run(&format!("spatial {line}"));
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{line}: {stderr}");
        assert!(output.stdout.is_empty(), "{line}");
        assert!(stderr.contains(part), "{line}: no `{part}` in {stderr}");
    }
    assert_eq!(place.names(), before);
}
