//! Records with pictures, for reports.

use crate::{Place, refused};
use serde_json::Value;

fn kept(place: &Place, line: &str) -> Value {
    place.stdout(&format!("{line} --record r.json"));
    let record: Value = serde_json::from_str(&place.read("r.json")).unwrap();
    std::fs::remove_file(place.path().join("r.json")).unwrap();
    record
}

#[test]
fn every_command_that_draws_keeps_its_pictures() {
    let place = Place::new(&[("t.csv", crate::TABLE), ("pairs.csv", b"c,b\nd,root\n")]);
    place.stdout("mesh generate triangles:6x6 -o plate.msh");
    place.stdout("graph generate grid:6x6 -o g.mtx --output-xyz g.xyz");
    for (line, names) in [
        ("tree info t.csv", &["tree"][..]),
        ("tree leaffix t.csv", &["tree"]),
        ("tree rootfix t.csv --op depth", &["tree"]),
        ("tree lca t.csv a b", &[]),
        ("spatial layout t.csv", &["layout"]),
        ("spatial layout t.csv --compare", &[]),
        ("spatial layout t.csv --on-machine", &["run", "layout", "queues"]),
        ("spatial message t.csv", &["links", "queues"]),
        ("spatial treefix t.csv", &["contraction", "run", "queues"]),
        ("spatial lca t.csv --pairs pairs.csv", &["run", "queues"]),
        ("spatial sweep --program treefix --sizes 8,16 --shapes path", &["?"]),
        ("graph info g.mtx", &["matrix"]),
        ("graph sparsify g.mtx", &["matrix"]),
        ("graph sparsify g.mtx --xyz g.xyz", &["skeleton", "matrix"]),
        ("graph solve g.mtx --rhs random", &["convergence-plot"]),
        ("graph solve g.mtx --rhs random --compare", &["convergence-plot"]),
        ("mesh generate triangles:4x4 -o x.msh", &["mesh"]),
        ("mesh generate tetrahedra:3x3x3 -o x.msh", &["mesh"]),
        ("mesh info plate.msh", &["mesh"]),
        ("mesh graph plate.msh", &["graph"]),
        ("mesh partition plate.msh -k 4", &["partition", "quotient"]),
        ("mesh order plate.msh", &["order"]),
        ("mesh route plate.msh --machine torus:2x2", &["placement"]),
        ("mesh map plate.msh --machine torus:2x2", &["mesh", "partition", "quotient", "placement"]),
        ("mesh route plate.msh --machine hierarchy:2x2", &["placement"]),
        ("mesh run plate.msh --program example:cg", &["potential", "convergence-plot"]),
        ("mesh run plate.msh --program example:cg --explain", &[]),
    ] {
        let record = kept(&place, line);
        assert_eq!(record["command_line"], format!("palmette {line}"));
        let none = Vec::new();
        let pictures = record["pictures"].as_array().unwrap_or(&none);
        let found: Vec<&str> = pictures.iter().map(|p| p["name"].as_str().unwrap()).collect();
        match names {
            ["?"] => assert!(!found.is_empty(), "{line}"),
            names => assert_eq!(found, names, "{line}"),
        }
        for picture in pictures {
            let svg = picture["svg"].as_str().unwrap();
            let document = roxmltree::Document::parse(svg).unwrap();
            assert!(document.root_element().has_tag_name("svg"), "{line}");
        }
        // What is printed has none.
        let printed = place.stdout(&format!("{line} --record r.json --json"));
        let printed: Value = serde_json::from_str(&printed).unwrap();
        assert_eq!(printed.get("pictures"), None, "{line}");
        std::fs::remove_file(place.path().join("r.json")).unwrap();
    }
}

/// A replay has moments, also where most links are busy all the time.
#[test]
fn replays_are_played_in_frames() {
    let place = Place::new(&[("pairs.csv", b"u,v\n1,2\n")]);
    for (n, line, least) in [
        (1000, "spatial layout t.csv --on-machine", 12),
        (1000, "spatial lca t.csv --pairs pairs.csv", 24),
        (4000, "spatial treefix t.csv", 16),
    ] {
        place.stdout(&format!("tree generate random:{n} -o t.csv"));
        let record = kept(&place, line);
        let pictures = record["pictures"].as_array().unwrap();
        let queues = pictures.iter().find(|p| p["name"] == "queues").unwrap();
        let frames = queues["view"]["frames"].as_array().unwrap().len();
        assert!((least..=96).contains(&frames), "{line}: {frames} frames");
        std::fs::remove_file(place.path().join("t.csv")).unwrap();
    }
}

/// The record is a file of its own.
#[test]
fn records_replace_nothing_else() {
    let place = Place::new(&[("t.csv", crate::TABLE), ("g.mtx", crate::graph::GRAPH)]);
    for line in [
        "tree leaffix t.csv -o o.csv --record o.csv",
        "tree leaffix t.csv -o o.csv --record ./t.csv",
        "tree leaffix t.csv --svg=s.svg --record s.svg",
        "tree generate random:10 -og.csv --record=g.csv",
        "graph sparsify g.mtx --tree t.txt -o k.txt --record t.txt",
    ] {
        refused(&place, line, &["name the same file", "and --record"]);
    }
}

/// The steps of a contraction, from the leaves of a path to its root.
#[test]
fn a_contraction_takes_every_vertex_but_the_root() {
    let place = Place::new(&[]);
    place.stdout("tree generate random:500 --seed 3 -o t.csv");
    place.stdout("tree generate path:300 -o p.csv");
    for tree in ["t.csv", "p.csv"] {
        for direction in ["leaffix", "rootfix"] {
            let line = format!("spatial treefix {tree} --direction {direction}");
            let record = kept(&place, &line);
            let view = &record["pictures"][0]["view"];
            assert_eq!(view["kind"], "rounds");
            let list = |key: &str| -> Vec<i64> {
                view[key].as_array().unwrap().iter().map(|v| v.as_i64().unwrap()).collect()
            };
            let (steps, how, frames) = (list("contracted"), list("how"), view["frames"].as_i64());
            assert_eq!((steps[0], how[0]), (-1, 0), "{line}");
            assert!(steps[1..].iter().all(|&s| 0 <= s && s < frames.unwrap()), "{line}");
            let compressed = how.iter().filter(|&&how| how == 2).count();
            assert_eq!(how[1..].iter().filter(|&&how| how == 0).count(), 0, "{line}");
            // All links of a path are compressed; of a bushy tree the last child of every vertex.
            assert!(
                if tree == "p.csv" { compressed == 299 } else { (150..350).contains(&compressed) },
                "{compressed}"
            );
            let sent: usize = view["messages"]
                .as_array()
                .unwrap()
                .iter()
                .map(|frame| frame[0].as_array().unwrap().len())
                .sum();
            let messages = |phase: &Value| {
                let name = phase["name"].as_str().unwrap();
                let counted = ["rake", "compress", "uncontract"].iter().any(|n| name.ends_with(n));
                if counted { phase["messages"].as_u64().unwrap() } else { 0 }
            };
            let phases = record["result"]["phases"].as_array().unwrap();
            assert_eq!(sent as u64, phases.iter().map(messages).sum::<u64>(), "{line}");
        }
    }
}

/// The loads of all phases are those of the routes.
#[test]
fn links_by_phase() {
    let place = Place::new(&[]);
    place.stdout("mesh generate delaunay:2000 -o m.msh");
    let record = kept(&place, "mesh map m.msh --machine torus:4x4 --channels 8 -o out");
    let pictures = record["pictures"].as_array().unwrap();
    let view = &pictures.iter().find(|p| p["name"] == "placement").unwrap()["view"];
    assert_eq!(view["kind"], "links");
    assert_eq!(view["phases"], record["result"]["phases"]);
    assert!(view["phases"].as_u64().unwrap() >= 2, "{}", view["phases"]);
    let all = |loads: &Value| -> u64 {
        loads.as_array().unwrap().iter().map(|load| load.as_u64().unwrap()).sum()
    };
    let total: u64 = view["loads"].as_array().unwrap().iter().map(all).sum();
    assert_eq!(total, record["result"]["routed_hopsum"].as_u64().unwrap());
}

#[test]
fn records_that_cannot_be_written() {
    let place = Place::new(&[("t.csv", crate::TABLE)]);
    refused(&place, "tree info t.csv --record -", &["--record needs a file"]);
    refused(&place, "tree info t.csv --record .", &["--record", "directory"]);
    refused(&place, "tree info t.csv --record no/r.json", &["no/r.json"]);
    refused(&place, "tree info none.csv --record r.json", &["none.csv"]);
}

/// One question about a tree builds none, unless it is drawn or the question needs it.
#[test]
fn trees_are_built_where_one_is_needed() {
    let place = Place::new(&[]);
    place.stdout("tree generate random:300 --shuffle --seed 3 -o t.npy");
    place.stdout("tree rootfix t.npy --op depth -o d.npy");
    place.stdout("tree leaffix t.npy --op size -o e.npy");
    for (line, built) in [
        ("tree leaffix t.npy --op sum --values d.npy", false),
        ("tree rootfix t.npy --op max --values d.npy,e.npy", false),
        ("tree leaffix t.npy --op height", false),
        ("tree leaffix t.npy --op leaves", false),
        ("tree leaffix t.npy --op argmax --values d.npy", true),
        ("tree leaffix t.npy --op sum --values d.npy --exclusive", true),
    ] {
        let record: Value = serde_json::from_str(&place.stdout(&format!("{line} --json"))).unwrap();
        assert_eq!(record["seconds"]["build"].is_number(), built, "{line}: {}", record["seconds"]);
    }
}
