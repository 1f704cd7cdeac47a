//! Dependencies point one way (ARCHITECTURE.md): this fails when a crate depends on
//! one that it may not see.
#![allow(clippy::unwrap_used)]

use std::process::Command;

/// What each crate of the workspace may depend on. A crate that is not listed may
/// depend on none of the others.
const ALLOWED: [(&str, &[&str]); 14] = [
    ("palmette-core", &[]),
    ("palmette-io", &["palmette-core"]),
    ("palmette-tree", &["palmette-core"]),
    ("palmette-spatial", &["palmette-core"]),
    ("palmette-graph", &["palmette-core", "palmette-tree"]),
    ("palmette-mesh", &["palmette-core", "palmette-spatial"]),
    ("palmette-language", &["palmette-core", "palmette-mesh"]),
    ("palmette-gpu", &["palmette-core", "palmette-tree"]),
    (
        "palmette-mpi",
        &["palmette", "palmette-core", "palmette-language", "palmette-mesh", "palmette-tree"],
    ),
    ("palmette-report", &["palmette-core"]),
    (
        "palmette",
        &[
            "palmette-core",
            "palmette-io",
            "palmette-tree",
            "palmette-spatial",
            "palmette-graph",
            "palmette-mesh",
            "palmette-language",
            "palmette-gpu",
        ],
    ),
    ("palmette-cli", &["palmette", "palmette-report"]),
    ("palmette-python", &["palmette", "palmette-report"]),
    (
        "palmette-bench",
        &[
            "palmette-core",
            "palmette-io",
            "palmette-tree",
            "palmette-spatial",
            "palmette-graph",
            "palmette-mesh",
            "palmette-gpu",
            "palmette-report",
        ],
    ),
];

/// The dependencies between crates of the workspace that are not allowed.
fn violations(edges: &[(String, String)]) -> Vec<String> {
    let allowed = |from: &str| {
        ALLOWED.iter().find(|(name, _)| *name == from).map_or(&[] as &[&str], |&(_, to)| to)
    };
    let broken = edges.iter().filter(|(from, to)| !allowed(from).contains(&to.as_str()));
    broken.map(|(from, to)| format!("{from} may not depend on {to}")).collect()
}

/// The dependencies between crates of the workspace, without those of tests.
fn workspace_edges() -> Vec<(String, String)> {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--no-deps", "--offline", "--format-version", "1"])
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let packages = metadata["packages"].as_array().unwrap();
    let name = |value: &serde_json::Value| value["name"].as_str().unwrap().to_string();
    let ours: Vec<String> = packages.iter().map(name).collect();
    let mut edges = Vec::new();
    for package in packages {
        for dependency in package["dependencies"].as_array().unwrap() {
            let to = name(dependency);
            if dependency["kind"] != "dev" && ours.contains(&to) {
                edges.push((name(package), to));
            }
        }
    }
    edges
}

#[test]
fn dependencies_point_one_way() {
    let edges = workspace_edges();
    assert!(edges.len() >= 8, "the workspace has more dependencies than {edges:?}");
    assert_eq!(violations(&edges), Vec::<String>::new());
}

#[test]
fn a_broken_direction_is_seen() {
    let broken = [("palmette-core", "palmette-tree"), ("palmette-cli", "palmette-tree")];
    let edges = broken.map(|(from, to)| (from.to_string(), to.to_string()));
    assert_eq!(violations(&edges).len(), 2);
    let unknown = [("palmette-new".to_string(), "palmette-core".to_string())];
    assert_eq!(violations(&unknown), ["palmette-new may not depend on palmette-core"]);
}
