//! Dependencies point one way: this fails when a crate depends on one that the table of rooms in
//! ARCHITECTURE.md does not let it see, and when the table has a room or a dependency that is not
//! there.

use crate::page;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;

/// By folder, the folders of the crates that it sees.
type Edges = BTreeMap<String, BTreeSet<String>>;

/// What the table says. `core (the record)` is `crates/core`, `nothing of ours` is none.
fn stated() -> Edges {
    let rows = page::table(&["crate", "has", "may see"]);
    let room = |row: Vec<String>| {
        let seen = row[2].split(", ").filter_map(|room| room.split(' ').next());
        let seen = seen.filter(|room| !["", "nothing"].contains(room));
        (row[0].replace('`', ""), seen.map(|room| format!("crates/{room}")).collect())
    };
    rows.into_iter().map(room).collect()
}

/// What the manifests say, without what only tests need.
fn found(root: &Path) -> Edges {
    let mut found = Edges::new();
    for manifest in ["Cargo.toml", "fuzz/Cargo.toml"] {
        let output = Command::new(env!("CARGO"))
            .args(["metadata", "--no-deps", "--offline", "--format-version", "1"])
            .arg("--manifest-path")
            .arg(root.join(manifest))
            .output()
            .unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let metadata: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        let folder = |path: &serde_json::Value| {
            let path = Path::new(path.as_str().unwrap()).canonicalize().unwrap();
            path.strip_prefix(root).unwrap().to_str().unwrap().to_string()
        };
        for package in metadata["packages"].as_array().unwrap() {
            let dependencies = package["dependencies"].as_array().unwrap().iter();
            let ours = dependencies.filter(|d| d["kind"] != "dev" && !d["path"].is_null());
            let room = folder(&package["manifest_path"]).replace("/Cargo.toml", "");
            found.insert(room, ours.map(|dependency| folder(&dependency["path"])).collect());
        }
    }
    found
}

/// Where the two differ.
fn differences(stated: &Edges, found: &Edges) -> Vec<String> {
    let none = BTreeSet::new();
    let mut wrong = Vec::new();
    for (room, seen) in found {
        match stated.get(room) {
            None => wrong.push(format!("{room} is no room of ARCHITECTURE.md")),
            Some(may) => {
                let more = seen.difference(may);
                wrong.extend(more.map(|other| format!("{room} may not depend on {other}")));
            }
        }
    }
    for (room, may) in stated {
        let unused = may.difference(found.get(room).unwrap_or(&none));
        wrong.extend(unused.map(|other| format!("{room} does not depend on {other}")));
    }
    wrong
}

#[test]
fn dependencies_point_one_way() {
    let root = page::root();
    let mut stated = stated();
    // It has no manifest.
    assert_eq!(stated.remove("cases"), Some(BTreeSet::new()));
    // Examples are programs of users: they see the façade alone.
    assert_eq!(stated["examples"], BTreeSet::from(["crates/palmette".to_string()]));
    for example in std::fs::read_dir(root.join("examples")).unwrap() {
        let path = example.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "rs") {
            let text = std::fs::read_to_string(&path).unwrap();
            assert!(!text.contains("palmette_"), "{} sees more than palmette", path.display());
        }
    }
    assert_eq!(differences(&stated, &found(&root)), Vec::<String>::new());
}

#[test]
fn a_broken_direction_is_seen() {
    let edges = |list: &[(&str, &[&str])]| -> Edges {
        let set = |seen: &[&str]| seen.iter().map(|room| room.to_string()).collect();
        list.iter().map(|(room, seen)| (room.to_string(), set(seen))).collect()
    };
    let stated = edges(&[("tree", &["core"]), ("cli", &["palmette", "report"])]);
    let found = edges(&[("tree", &["core", "io"]), ("cli", &["palmette"]), ("new", &[])]);
    assert_eq!(
        differences(&stated, &found),
        [
            "new is no room of ARCHITECTURE.md",
            "tree may not depend on io",
            "cli does not depend on report"
        ]
    );
}
