//! Every command in the README is run, in order, in one empty folder: a reader can
//! type them one after another.
#![allow(clippy::unwrap_used)]

use std::path::{Path, PathBuf};
use std::process::Command;

/// The lines of all `sh` blocks. Commands that install or build are left out; they
/// are what made this test run.
fn commands(readme: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut inside = false;
    for line in readme.lines() {
        match line.trim() {
            "```sh" => inside = true,
            "```" => inside = false,
            text if inside && !text.is_empty() && !text.starts_with('#') => {
                found.push(text.to_string());
            }
            _ => {}
        }
    }
    found
}

fn is_build(command: &str) -> bool {
    ["make ", "cargo ", "git "].iter().any(|start| command.starts_with(start))
}

#[test]
fn every_command_in_the_readme_runs() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let readme = std::fs::read_to_string(root.join("README.md")).unwrap();
    let all = commands(&readme);
    let run: Vec<&String> = all.iter().filter(|c| !is_build(c)).collect();
    assert!(run.len() >= 8, "the README shows how palmette is used, not only {run:?}");
    let folder = tempfile::tempdir().unwrap();
    let binary = PathBuf::from(env!("CARGO_BIN_EXE_palmette"));
    let old = std::env::var_os("PATH").unwrap_or_default();
    let mut path = vec![binary.parent().unwrap().to_path_buf()];
    path.extend(std::env::split_paths(&old));
    let path = std::env::join_paths(path).unwrap();
    for command in run {
        let output = Command::new("bash")
            .args(["-c", &format!("set -euo pipefail; {command}")])
            .current_dir(folder.path())
            .env("PATH", &path)
            .output()
            .unwrap();
        let error = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{command}\n{error}");
    }
}

/// Targets of `make` that the README names exist.
#[test]
fn every_make_target_in_the_readme_exists() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let readme = std::fs::read_to_string(root.join("README.md")).unwrap();
    let makefile = std::fs::read_to_string(root.join("Makefile")).unwrap();
    let targets: Vec<String> = commands(&readme)
        .iter()
        .filter_map(|c| c.strip_prefix("make ").map(str::to_string))
        .filter_map(|c| c.split_whitespace().next().map(str::to_string))
        .collect();
    assert!(targets.contains(&"demo".to_string()) && targets.contains(&"test".to_string()));
    for target in targets {
        assert!(makefile.contains(&format!("\n{target}:")), "no target {target}");
    }
}
