//! Stdin, compression, records, pipes, large inputs, generated pages.

use crate::{Place, TABLE, succeeded};
use serde_json::Value;
use std::io::{Read, Write};
use std::process::Stdio;

#[test]
fn stdin_and_gzip() {
    let expected = "vertex,sum\nroot,5\na,3\nb,1\nc,1\nd,1\n";
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(TABLE).unwrap();
    let gz = encoder.finish().unwrap();
    let place = Place::new(&[("t.csv.gz", &gz)]);
    assert_eq!(place.stdout("tree leaffix t.csv.gz"), expected);
    for input in [TABLE, &gz] {
        assert_eq!(succeeded("-", place.run_with("tree leaffix -", input)), expected);
    }
    let newick = place.run_with("tree leaffix - --op size", b"(a,b)c;");
    assert_eq!(succeeded("-", newick), "vertex,size\nc,3\na,1\nb,1\n");
}

#[test]
fn records_have_their_keys_and_stdout_to_themselves() {
    let place = Place::new(&[("t.csv", TABLE), ("p.csv", b"c,d\n")]);
    for line in [
        "tree info t.csv",
        "tree order t.csv",
        "tree generate random:10",
        "tree rootfix t.csv",
        "tree leaffix t.csv --values weight",
        "tree lca t.csv --pairs p.csv",
        "tree lca t.csv a b c",
        "tree distance t.csv a b",
        "tree path t.csv a b",
        "tree path t.csv --op sum a b",
        "tree path t.csv --ancestor 2",
        "tree convert t.csv",
    ] {
        let text = place.stdout(&format!("{line} --json"));
        assert_eq!(text.lines().count(), 1, "{line}: {text}");
        let record: Value = serde_json::from_str(&text).unwrap();
        let keys: Vec<&String> = record.as_object().unwrap().keys().collect();
        let expected = ["command", "command_line", "input", "parameters", "seconds", "result"];
        assert_eq!(keys, expected, "{line}");
        assert_eq!(record["command_line"], format!("palmette {line}"));
        assert!(line.starts_with(record["command"].as_str().unwrap()), "{line}");
        assert!(record["seconds"].as_object().unwrap().values().all(Value::is_f64), "{line}");
    }
    let record: Value = serde_json::from_str(&place.stdout("tree info t.csv --json")).unwrap();
    let result = record["result"].as_object().unwrap();
    let first: Vec<&String> = result.keys().take(5).collect();
    assert_eq!(first, ["vertices", "roots", "leaves", "height", "max_children"]);
    let numbers: Vec<u64> = result.values().take(5).map(|v| v.as_u64().unwrap()).collect();
    assert_eq!(numbers, [5, 1, 3, 2, 2]);
    place.stdout("tree leaffix t.csv --json -o o.csv");
    assert!(place.read("o.csv").starts_with("vertex,sum\nroot,5\n"));
}

#[test]
fn a_path_of_a_million_vertices() {
    let place = Place::new(&[]);
    let n = 1_000_000;
    place.stdout(&format!("tree generate path:{n} --shuffle -o path.csv"));
    for engine in ["sequential", "threads", "contract"] {
        place.stdout(&format!("tree leaffix path.csv --engine {engine} -o {engine}.csv"));
        let table = place.read(&format!("{engine}.csv"));
        let sum: u64 = table
            .lines()
            .skip(1)
            .map(|l| l.rsplit(',').next().unwrap().parse::<u64>().unwrap())
            .sum();
        assert_eq!(sum, n * (n + 1) / 2, "{engine}");
    }
    place.stdout("tree convert path.csv -o path.nwk");
    let info = place.stdout("tree info path.nwk --json");
    assert!(info.contains("\"height\":999999"), "{info}");
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let place = Place::new(&[]);
    let mut command = place.command("tree generate random:300000");
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut start = [0; 10];
    child.stdout.take().unwrap().read_exact(&mut start).unwrap();
    assert_eq!(&start, b"id,parent\n");
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert!(output.stderr.is_empty());
}

#[test]
fn completions_and_manual_pages() {
    let place = Place::new(&[]);
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        assert!(place.stdout(&format!("completions {shell}")).contains("leaffix"), "{shell}");
    }
    assert!(place.stdout("man").contains(".TH palmette 1"));
    place.stdout("man -o pages");
    let pages = std::fs::read_dir(place.path().join("pages")).unwrap().count();
    assert!(pages >= 12, "{pages}");
    assert!(place.read("pages/palmette-tree-leaffix.1").contains("modulus"));
}

/// Labels and names cannot reach the terminal as commands; files have them as they are.
#[test]
fn labels_cannot_act_on_the_terminal() {
    let (odd, name) = ("a\u{1b}]0;x\u{7}\u{9b}31m", "n".repeat(100_000));
    let table = format!("id,parent\nr,\n{odd},r\n{name},r\n");
    let pal = "print \"p\u{1b}[2J\", sum(interpolate(x))\noutput interpolate(x)\n";
    let mesh = "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n1\n2 1 \"g\u{1b}[31m\"\n\
        $EndPhysicalNames\n$Nodes\n3\n1 0 0 0\n2 1 0 0\n3 0 1 0\n$EndNodes\n$Elements\n1\n\
        1 2 2 1 1 1 2 3\n$EndElements\n";
    let place = Place::new(&[
        ("t.csv", table.as_bytes()),
        ("p.pal", pal.as_bytes()),
        ("m.msh", mesh.as_bytes()),
        ("two.csv", format!("id,parent\n{name},\n{odd},\n").as_bytes()),
    ]);
    for line in [
        "tree info t.csv",
        "tree info two.csv",
        "spatial lca t.csv r r",
        "mesh info m.msh",
        "mesh run m.msh --program p.pal -k 1",
    ] {
        let output = place.run(line);
        let said = [output.stdout, output.stderr].concat();
        let said = String::from_utf8(said).unwrap();
        let acts = |c: char| c.is_control() && c != '\n';
        assert!(!said.contains(acts), "{line}: {said:?}");
        assert!(said.len() < 4000, "{line}: {} bytes", said.len());
    }
    assert!(place.stdout("tree info t.csv").contains(&format!("{}…", "n".repeat(80))));
    let record = place.stdout("tree info t.csv --json");
    assert!(
        record.contains(&name) && record.contains("a\\u001b]0;x\\u0007\u{9b}31m"),
        "{}",
        &record[..200]
    );
    assert!(place.stdout("tree order t.csv").contains(odd));
    let group: serde_json::Value =
        serde_json::from_str(&succeeded("", place.run("mesh info m.msh --json"))).unwrap();
    assert_eq!(group["result"]["groups"], "g\u{1b}[31m");
}
