//! ARCHITECTURE.md tells the truth: its lists of unsafe code, globals and the environment are
//! compared with the sources in both directions, and the paths it names exist.

use crate::page;
mod source;

use source::Token;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// By file, what was found in it. Paths are as the page has them: without `crates/`.
type Found = BTreeMap<String, BTreeSet<String>>;

/// A row: files or folders, and what they have.
type Row = (Vec<String>, BTreeSet<String>);

/// All files below a folder.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true => found.extend(files(&path)),
            false => found.push(path),
        }
    }
    found
}

/// What stands between backquotes.
fn quoted(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2)
}

/// The folders of crates.
fn crates() -> Vec<PathBuf> {
    let all = fs::read_dir(page::root().join("crates")).unwrap();
    all.map(|entry| entry.unwrap().path()).collect()
}

fn scan(folders: &[PathBuf], find: fn(&[Token<'_>]) -> Vec<String>) -> Found {
    let root = page::root();
    let mut found = Found::new();
    for path in folders.iter().flat_map(|folder| files(&folder.join("src"))) {
        let name = path.strip_prefix(&root).unwrap();
        let name = name.strip_prefix("crates").unwrap_or(name);
        if path.extension().is_none_or(|extension| extension != "rs") || source::is_test(name) {
            continue;
        }
        let names = find(&source::product(&fs::read_to_string(&path).unwrap()));
        if !names.is_empty() {
            found.insert(name.to_str().unwrap().to_string(), names.into_iter().collect());
        }
    }
    found
}

/// The rows of a table: paths, then names unless `only` is the one name there is.
fn rows(columns: &[&str], only: Option<&str>) -> Vec<Row> {
    let row = |cells: Vec<String>| {
        let names = cells[usize::from(only.is_none())].clone();
        let names = only.map_or_else(
            || quoted(&names).map(String::from).collect(),
            |name| BTreeSet::from([name.to_string()]),
        );
        (quoted(&cells[0]).map(String::from).collect(), names)
    };
    page::table(columns).into_iter().map(row).collect()
}

/// Where rows and files differ.
fn differences(rows: &[Row], found: &Found) -> Vec<String> {
    let covers = |path: &str, file: &str| match path.ends_with('/') {
        true => file.starts_with(path),
        false => file == path,
    };
    let mut wrong = Vec::new();
    for (file, names) in found {
        let listed = rows.iter().filter(|row| row.0.iter().any(|path| covers(path, file)));
        let listed: BTreeSet<&String> = listed.flat_map(|row| &row.1).collect();
        let missing = names.iter().filter(|name| !listed.contains(name));
        wrong.extend(missing.map(|name| format!("{file} has {name}, which is not listed")));
    }
    for (paths, names) in rows {
        let have = |path: &str, name: &String| {
            found.iter().filter(|file| covers(path, file.0) && file.1.contains(name)).count()
        };
        for name in names.iter().filter(|name| paths.iter().all(|path| have(path, name) == 0)) {
            wrong.push(format!("{name} is listed, but not in {}", paths.join(", ")));
        }
        for path in paths {
            let files = names.iter().map(|name| have(path, name)).sum::<usize>();
            if files == 0 && paths.len() > 1 {
                wrong.push(format!("{path} is listed, but has none of {names:?}"));
            } else if files == 1 && path.ends_with('/') {
                wrong.push(format!("{path}: name the one file"));
            }
        }
    }
    wrong
}

#[test]
fn unsafe_code_is_listed() {
    let mut folders = crates();
    folders.push(page::root().join("benches"));
    let rows = rows(&["unsafe code", "why"], Some("unsafe"));
    let found = scan(&folders, source::unsafe_code);
    assert_eq!(differences(&rows, &found), Vec::<String>::new());

    // The other crates let the compiler forbid it.
    for folder in folders {
        let name = folder.file_name().unwrap().to_str().unwrap();
        let here = found.keys().any(|file| file.starts_with(&format!("{name}/")));
        for part in ["src/lib.rs", "src/main.rs"] {
            let Ok(text) = fs::read_to_string(folder.join(part)) else { continue };
            let forbids = text.contains("#![forbid(unsafe_code)]");
            assert!(forbids || here, "{name}/{part} has no unsafe code: let it forbid it");
        }
    }
}

#[test]
fn globals_are_listed() {
    let rows = rows(&["where", "global", "why"], None);
    assert_eq!(differences(&rows, &scan(&crates(), source::globals)), Vec::<String>::new());
}

#[test]
fn the_environment_is_listed() {
    let rows = rows(&["where", "environment", "why"], None);
    assert_eq!(differences(&rows, &scan(&crates(), source::environment)), Vec::<String>::new());
    // What is not Rust asks for nothing.
    for path in crates().iter().flat_map(|folder| files(folder)) {
        let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or("");
        if ["c", "h", "py"].contains(&extension) && !source::is_test(&path) {
            let text = fs::read_to_string(&path).unwrap();
            let asks = text.contains("getenv") || text.contains("environ");
            assert!(!asks, "{} reads the environment", path.display());
        }
    }
}

#[test]
fn paths_exist() {
    let root = page::root();
    let text = page::text();
    let mut checked = 0;
    for path in quoted(&text.replace("```", "")).filter(|path| path.contains('/')) {
        let (first, rest) = path.split_once('/').unwrap();
        let room = root.join("crates").join(first);
        // Others are relative to what the sentence speaks of.
        if room.is_dir() || root.join(first).is_dir() {
            let places = [root.join(path), room.join(rest), room.join("src").join(rest)];
            assert!(places.iter().any(|place| place.exists()), "there is no {path}");
            checked += 1;
        }
    }
    assert!(checked > 50, "{checked}");
}

#[test]
fn examples_are_run_and_described() {
    let folder = page::root().join("examples");
    let names = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().file_name());
    let names =
        names.filter_map(|name| name.into_string().ok()?.strip_suffix(".rs").map(String::from));
    let names: BTreeSet<String> = names.collect();
    let described = fs::read_to_string(folder.join("README.md")).unwrap();
    let described = described.split("](").skip(1).filter_map(|link| link.split_once(".rs)"));
    assert_eq!(names, described.map(|(name, _)| name.to_string()).collect());
    let manifest = fs::read_to_string(folder.join("Cargo.toml")).unwrap();
    let run =
        manifest.split("[[example]]\nname = \"").skip(1).filter_map(|rest| rest.split_once('"'));
    assert_eq!(names, run.map(|(name, _)| name.to_string()).collect());
}

/// Cargo says nothing of tests in a library that has `test = false`: it never runs them.
#[test]
fn no_test_is_where_none_is_run() {
    let mut folders = crates();
    folders.push(page::root().join("benches"));
    for folder in folders {
        let manifest = fs::read_to_string(folder.join("Cargo.toml")).unwrap();
        let library = manifest.split("[lib]").nth(1).unwrap_or_default();
        let library = library.split("\n[").next().unwrap_or_default();
        if !library.contains("\ntest = false") {
            continue;
        }
        for file in files(&folder.join("src")) {
            let text = fs::read_to_string(&file).unwrap_or_default();
            assert!(!text.contains("#[test]"), "{} has tests that are never run", file.display());
        }
    }
}

#[test]
fn differences_are_seen() {
    let text = r##"
        //! unsafe in words /* and
        use std::env; /* static A: u8 = 0; /* within */ unsafe */
        fn f<'a>(x: &'static str) -> char { let _ = ("static B: u8", r#"" env::var("C")"#); '"' }
        pub(crate) static mut D: u8 = b'\'';
        thread_local! { static E: u8 = 1; }
        fn g() { env::var_os("F"); Command::new("x").env("G", "1").env(name, ""); env!("CARGO_X"); }
        #[cfg(test)] use std::env::args;
        #[cfg(all(test, unix))] mod tests { fn h() { unsafe { env::var("H") } } }
        #[cfg(not(test))] fn i() { std::panic::set_hook(j); tempfile::tempdir(); }
    "##;
    let tokens = source::product(text);
    assert_eq!(source::unsafe_code(&tokens), Vec::<String>::new());
    assert_eq!(source::globals(&tokens), ["D", "E", "set_hook"]);
    assert_eq!(source::environment(&tokens), ["F", "G", "env", "TMPDIR"]);

    let found = |list: &[(&str, &str)]| -> Found {
        let set = |name: &str| BTreeSet::from([name.to_string()]);
        list.iter().map(|(file, name)| (file.to_string(), set(name))).collect()
    };
    let row = |path: &str, name: &str| (vec![path.to_string()], BTreeSet::from([name.to_string()]));
    let listed = [row("a/", "X"), row("b.rs", "Y")];
    let same = found(&[("a/1.rs", "X"), ("a/2.rs", "X"), ("b.rs", "Y")]);
    assert_eq!(differences(&listed, &same), Vec::<String>::new());
    let other = found(&[("a/1.rs", "X"), ("c.rs", "X")]);
    assert_eq!(
        differences(&listed, &other),
        [
            "c.rs has X, which is not listed",
            "a/: name the one file",
            "Y is listed, but not in b.rs"
        ]
    );
}
