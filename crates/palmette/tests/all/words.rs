//! Libraries state facts, front ends choose words: this fails when a library names an option of
//! the command line. Its errors carry data; `cli` and `python` say which option or keyword helps.

use std::fs;
use std::path::{Path, PathBuf};

/// The front ends, which speak of options.
const FRONT_ENDS: [&str; 4] = ["cli", "mpi", "python", "vocabulary"];

/// The words of a line that look like `--option`; custom properties of CSS (`--width:`,
/// `var(--width)`) do not.
fn options(line: &str) -> Vec<&str> {
    let mut found = Vec::new();
    for (at, _) in line.match_indices("--") {
        let (before, after) = (&line[..at], &line[at + 2..]);
        let end = after.find(|c: char| !(c.is_ascii_lowercase() || c == '-'));
        let (word, rest) = after.split_at(end.unwrap_or(after.len()));
        let begins = !before.ends_with(|c: char| c.is_alphanumeric() || c == '-');
        let style = before.ends_with("var(") || rest.starts_with([':', '{']);
        if begins && !style && word.starts_with(|c: char| c.is_ascii_lowercase()) {
            found.push(&line[at..at + 2 + word.len()]);
        }
    }
    found
}

/// All Rust files of a folder that are no tests.
fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let stem = path.file_stem().unwrap();
        if stem == "tests" {
            continue;
        }
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            found.push(path);
        }
    }
}

#[test]
fn libraries_name_no_options() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let mut files = Vec::new();
    for entry in fs::read_dir(crates).unwrap() {
        let folder = entry.unwrap().path();
        let front_end = FRONT_ENDS.iter().any(|name| folder.ends_with(name));
        if !front_end && folder.join("src").is_dir() {
            sources(&folder.join("src"), &mut files);
        }
    }
    assert!(files.len() > 300, "{} files", files.len());
    let mut wrong = Vec::new();
    for path in &files {
        let text = fs::read_to_string(path).unwrap();
        // Unit tests stand at the end.
        let code = text.split("\nmod tests {").next().unwrap();
        for (k, line) in code.lines().enumerate() {
            wrong.extend(
                options(line)
                    .iter()
                    .map(|word| format!("{}, line {}: {word}", path.display(), k + 1)),
            );
        }
    }
    assert!(wrong.is_empty(), "libraries name options:\n{}", wrong.join("\n"));
}

#[test]
fn options_are_told_from_styles_and_rules() {
    assert_eq!(options("say --forest, or `--self-root`"), ["--forest", "--self-root"]);
    assert_eq!(options("(--tree K)"), ["--tree"]);
    for line in
        ["--h{i}:red", "a -- b", "var(--width)", "style=--width:3px", "x--y", "|---|", "i--"]
    {
        assert_eq!(options(line), [""; 0], "{line}");
    }
}
