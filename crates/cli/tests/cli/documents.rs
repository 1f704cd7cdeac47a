//! Every command in the README and in the book is run, page by page, in order, in a folder that
//! is empty at first: a reader can type them one after another. Output that a page shows is compared.
//! So are run the examples of the help.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn read(path: &str) -> String {
    std::fs::read_to_string(root().join(path)).unwrap()
}

/// A line of output in a page that stands for any lines, because they depend on the machine or are
/// not of interest.
const ANY: &str = "…";

/// A command of a page, and the output that is shown below it: only in `console` blocks.
struct Step {
    command: String,
    shown: Option<Vec<String>>,
}

/// The commands of all `sh` blocks, a line each, and of all `console` blocks, after `$ `.
fn steps(page: &str) -> Vec<Step> {
    let mut found: Vec<Step> = Vec::new();
    let mut block = "";
    for line in page.lines() {
        let text = line.trim();
        match (block, text) {
            (_, "```sh" | "```console") => block = &text[3..],
            (_, "```") => block = "",
            ("sh", text) if !text.is_empty() && !text.starts_with('#') => {
                found.push(Step { command: text.to_string(), shown: None });
            }
            ("console", text) => match text.strip_prefix("$ ") {
                Some(command) => {
                    let shown = Some(Vec::new());
                    found.push(Step { command: command.to_string(), shown });
                }
                None => {
                    let shown = found.last_mut().and_then(|step| step.shown.as_mut());
                    shown.expect("output follows a command").push(line.to_string());
                }
            },
            _ => {}
        }
    }
    found
}

/// Whether printed lines are those that are shown; [`ANY`] stands for as many as there are.
fn is_shown(shown: &[String], printed: &[&str]) -> bool {
    match shown {
        [] => printed.is_empty(),
        [any, rest @ ..] if any == ANY => {
            (0..=printed.len()).any(|skipped| is_shown(rest, &printed[skipped..]))
        }
        [line, rest @ ..] => {
            printed.first() == Some(&line.as_str()) && is_shown(rest, &printed[1..])
        }
    }
}

#[test]
fn shown_output_is_compared() {
    let page = "text\n```console\n$ a -b\none\n…\nthree\n$ c\n```\n```sh\nd # e\n```\n";
    let steps = steps(page);
    let commands: Vec<&str> = steps.iter().map(|step| step.command.as_str()).collect();
    assert_eq!(commands, ["a -b", "c", "d # e"]);
    let shown = steps[0].shown.as_deref().unwrap();
    assert!(is_shown(shown, &["one", "two", "2", "three"]) && is_shown(shown, &["one", "three"]));
    assert!(!is_shown(shown, &["one", "two"]) && !is_shown(shown, &["one", "three", "four"]));
    assert!(!is_shown(steps[1].shown.as_deref().unwrap(), &["something"]));
    assert!(steps[2].shown.is_none());
}

/// Commands that install or build are left out; they are what made this test run.
fn is_build(command: &str) -> bool {
    ["make ", "cargo ", "git ", "pip "].iter().any(|start| command.starts_with(start))
}

/// Where `palmette` is found.
fn search_path() -> OsString {
    let binary = PathBuf::from(env!("CARGO_BIN_EXE_palmette"));
    let old = std::env::var_os("PATH").unwrap_or_default();
    let mut path = vec![binary.parent().unwrap().to_path_buf()];
    path.extend(std::env::split_paths(&old));
    std::env::join_paths(path).unwrap()
}

fn run(page: &str, at_least: usize) {
    let mut all = steps(&read(page));
    all.retain(|step| !is_build(&step.command));
    assert!(all.len() >= at_least, "{page} shows how palmette is used, not only {}", all.len());
    let folder = tempfile::tempdir().unwrap();
    for Step { command, shown } in all {
        let printed = typed(page, folder.path(), &command);
        let Some(shown) = shown else { continue };
        let lines: Vec<&str> = printed.lines().collect();
        let wrong =
            || format!("{page}: {command}\nshows\n{}\nbut prints\n{printed}", shown.join("\n"));
        assert!(is_shown(&shown, &lines), "{}", wrong());
    }
}

/// Types a command of a page in a folder, and returns what it prints.
fn typed(page: &str, folder: &Path, command: &str) -> String {
    let output = Command::new("bash")
        .args(["-c", &format!("set -euo pipefail; {command}")])
        .current_dir(folder)
        .env("PATH", search_path())
        .output()
        .unwrap();
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{page}: {command}\n{error}");
    String::from_utf8(output.stdout).unwrap()
}

/// The lines below a heading of a help, up to an empty one.
fn section<'a>(help: &'a str, heading: &str) -> Vec<&'a str> {
    let lines = help.lines().skip_while(|line| *line != heading).skip(1);
    let lines = lines.take_while(|line| !line.is_empty());
    // What is further in goes on with the line above.
    lines.filter_map(|line| line.strip_prefix("  ").filter(|line| !line.starts_with(' '))).collect()
}

/// The commands that have examples: nouns with their verbs, and those without.
fn verbs(folder: &Path) -> Vec<String> {
    let below = |words: &str| -> Vec<String> {
        let help = typed("--help", folder, &format!("palmette {words} --help"));
        let names = section(&help, "Commands:").into_iter();
        let names = names.filter_map(|line| line.split_whitespace().next());
        names.filter(|name| *name != "help").map(|name| format!("{words} {name}")).collect()
    };
    let nouns = below("").into_iter().map(|noun| noun.trim().to_string());
    let verbs = |noun: String| match below(&noun) {
        none if none.is_empty() => vec![noun],
        verbs => verbs,
    };
    nouns.flat_map(verbs).collect()
}

#[test]
fn every_example_of_the_help_runs() {
    let folder = tempfile::tempdir().unwrap();
    // No command makes sequences or updates; this has more than the tips of the tree.
    let sequences: String =
        (0..300).map(|v| format!(">{v}\n{}C\n", ["A", "G", "T"][v % 3])).collect();
    std::fs::write(folder.path().join("alignment.fasta"), sequences).unwrap();
    std::fs::write(folder.path().join("updates.csv"), "delete,1,2\ninsert,1,3600,1\n").unwrap();
    let mut verbs = verbs(folder.path());
    // Those make what the others read.
    verbs.sort_by_key(|verb| !verb.ends_with(" generate"));
    assert!(verbs.len() > 30, "{verbs:?}");
    for verb in verbs {
        let help = typed("--help", folder.path(), &format!("palmette {verb} -h"));
        let example = section(&help, "Example:");
        let own = |line: &&str| line.starts_with(&format!("palmette {verb}"));
        assert!(example.iter().any(own), "{verb} has no example:\n{help}");
        // Builds without devices have none to list.
        for command in example.into_iter().filter(|_| verb != "tree devices") {
            typed(&verb, folder.path(), command);
        }
    }
}

#[test]
fn every_command_in_the_readme_runs_and_prints_what_is_shown() {
    run("README.md", 7);
}

#[test]
fn every_command_in_the_book_runs() {
    let chapters = chapters();
    assert!(chapters.len() >= 6, "{chapters:?}");
    for chapter in chapters {
        run(&format!("docs/book/src/{chapter}"), usize::from(chapter != "python.md"));
    }
}

/// The pages that the book's summary links.
fn chapters() -> Vec<String> {
    let summary = read("docs/book/src/SUMMARY.md");
    let links = summary.split("](").skip(1).filter_map(|rest| rest.split_once(')'));
    links.map(|(page, _)| page.to_string()).collect()
}

#[test]
fn the_summary_has_every_chapter() {
    let mut linked = chapters();
    linked.push("SUMMARY.md".to_string());
    linked.sort();
    let pages = std::fs::read_dir(root().join("docs/book/src")).unwrap();
    let mut pages: Vec<String> =
        pages.map(|page| page.unwrap().file_name().into_string().unwrap()).collect();
    pages.sort();
    assert_eq!(linked, pages);
}

/// Targets of `make` that the README names exist.
#[test]
fn every_make_target_in_the_readme_exists() {
    let makefile = read("Makefile");
    let targets: Vec<String> = steps(&read("README.md"))
        .iter()
        .filter_map(|step| step.command.strip_prefix("make ").map(str::to_string))
        .filter_map(|c| c.split_whitespace().next().map(str::to_string))
        .collect();
    assert!(targets.contains(&"demo".to_string()) && targets.contains(&"test".to_string()));
    for target in targets {
        assert!(makefile.contains(&format!("\n{target}:")), "no target {target}");
    }
}

/// Files that documents link within the repository are there.
#[test]
fn links_between_documents_lead_somewhere() {
    let folders = [".", "docs", "docs/book/src"];
    let mut checked = 0;
    for folder in folders {
        for entry in std::fs::read_dir(root().join(folder)).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_none_or(|end| end != "md") {
                continue;
            }
            let text = std::fs::read_to_string(&path).unwrap();
            for rest in text.split("](").skip(1) {
                let link = rest.split([')', '#', ' ']).next().unwrap();
                let outside = link.is_empty() || link.contains("://") || link.contains('`');
                if !outside && rest.contains(')') {
                    let target = path.parent().unwrap().join(link);
                    assert!(target.exists(), "{}: no {link}", path.display());
                    checked += 1;
                }
            }
        }
    }
    assert!(checked > 20, "only {checked} links");
}
