//! Commands that are ended from outside.

use crate::{Place, TABLE};
use std::collections::BTreeSet;
use std::fs;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

const SOON: Duration = Duration::from_secs(60);

fn send(signal: &str, process: u32) {
    let sent = Command::new("kill").args([signal, &process.to_string()]).status();
    assert!(sent.unwrap().success());
}

pub(crate) fn wait_for(what: &str, mut is_there: impl FnMut() -> bool) {
    let start = Instant::now();
    while !is_there() {
        assert!(start.elapsed() < SOON, "{what}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

fn writing(place: &Place) -> Child {
    let line = "tree generate random:8000000 -o big.csv --record r.json -q";
    let child = place.heeding(line).spawn().unwrap();
    // The first files are those of the check whether they can be written.
    std::thread::sleep(Duration::from_millis(100));
    wait_for("nothing is written", || !place.names().is_empty());
    child
}

/// Whoever is ended while writing leaves nothing behind, and says by what.
#[test]
fn an_interrupted_command_leaves_no_file() {
    for (signal, code) in [("-HUP", 129), ("-INT", 130), ("-QUIT", 131), ("-TERM", 143)] {
        let place = Place::new(&[]);
        let mut child = writing(&place);
        send(signal, child.id());
        let status = child.wait().unwrap();
        assert_eq!((status.code(), place.names()), (Some(code), Vec::new()), "{signal}");
    }
}

/// `nohup` means what it says.
#[test]
fn an_ignored_signal_stays_ignored() {
    let place = Place::new(&[]);
    let program = env!("CARGO_BIN_EXE_palmette");
    let script = format!("trap '' HUP; exec {program} tree generate random:3000000 -o big.csv -q");
    let mut command = Command::new("sh");
    let mut child = command.args(["-c", &script]).current_dir(place.path()).spawn().unwrap();
    wait_for("nothing is written", || !place.names().is_empty());
    send("-HUP", child.id());
    assert_eq!(child.wait().unwrap().code(), Some(0));
    assert_eq!(place.names(), ["big.csv"]);
}

/// At whatever moment the signal comes, all pages are new or all are as they were.
#[test]
fn an_interrupt_between_two_files_takes_the_first_back() {
    let place = Place::new(&[]);
    place.stdout("man -o pages");
    let pages = place.path().join("pages");
    let names = || -> BTreeSet<String> {
        let entries = fs::read_dir(&pages).unwrap();
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
    };
    let all = names();
    let start = Instant::now();
    place.stdout("man -o pages");
    // Later where nothing has appeared, sooner where all has: the signal comes in between.
    let mut delay = start.elapsed();
    let mut outcomes = BTreeSet::new();
    for _ in 0..100 {
        all.iter().for_each(|name| fs::write(pages.join(name), "old").unwrap());
        let mut child = place.command("man -o pages").spawn().unwrap();
        std::thread::sleep(delay);
        send("-TERM", child.id());
        let code = child.wait().unwrap().code();
        assert!(matches!(code, Some(0 | 143) | None), "{code:?}");
        let old = all.iter().filter(|name| fs::read(pages.join(name)).unwrap() == b"old").count();
        assert!(old == 0 || old == all.len(), "{old} of {} pages are old: {code:?}", all.len());
        assert_eq!(names(), all, "{code:?}");
        delay = if old == 0 { delay * 9 / 10 } else { delay * 11 / 10 };
        outcomes.insert(old == 0);
    }
    assert_eq!(outcomes.len(), 2, "the signal always came too early, or too late");
}

/// What `demo` has started ends with it.
#[test]
fn an_interrupted_demo_ends_its_command() {
    let place = Place::new(&[("t.csv", TABLE)]);
    let mut command = place.command("demo -o there");
    let child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    let own = child.id().to_string();
    let children = || -> Vec<String> {
        let path = format!("/proc/{own}/task/{own}/children");
        // Whichever thread has started them.
        let tasks = fs::read_dir(format!("/proc/{own}/task")).map_or(Vec::new(), |tasks| {
            tasks.filter_map(|task| Some(task.ok()?.path().join("children"))).collect()
        });
        let texts = tasks.into_iter().chain([path.into()]).map(fs::read_to_string);
        texts
            .flatten()
            .flat_map(|t| t.split_whitespace().map(str::to_string).collect::<Vec<_>>())
            .collect()
    };
    let mut found = Vec::new();
    wait_for("no stage is started", || {
        found = children();
        !found.is_empty()
    });
    send("-TERM", child.id());
    let output = child.wait_with_output().unwrap();
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(143), "{stderr}");
    for process in found {
        let state = fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
        assert!(state.is_empty() || state.contains(") Z"), "{process} still runs: {state}");
    }
    let left = walk(place.path());
    assert!(!left.iter().any(|name| name.ends_with(".tmp")), "{left:?}");
}

fn walk(folder: &std::path::Path) -> Vec<String> {
    let mut all = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true => all.extend(walk(&path)),
            false => all.push(path.display().to_string()),
        }
    }
    all
}

/// The spinner's line is gone after Ctrl-C. A terminal is needed for it to show: `script` is one.
#[test]
fn no_progress_stays_on_the_screen() {
    let has_script = Command::new("script").arg("--version").stdout(Stdio::null()).status();
    if !has_script.is_ok_and(|status| status.success()) {
        eprintln!("skipped: `script` is not there");
        return;
    }
    let place = Place::new(&[]);
    let program = format!("env --default-signal=INT {}", env!("CARGO_BIN_EXE_palmette"));
    let script = format!(
        "{program} tree generate random:30000000 -o big.csv & sleep 1; kill -INT $!; wait $!; echo ended $?"
    );
    let mut command = Command::new("script");
    command.args(["-qec", &format!("bash -c '{script}'"), "/dev/null"]).current_dir(place.path());
    let output = command.stdin(Stdio::null()).output().unwrap();
    let shown = String::from_utf8_lossy(&output.stdout);
    assert!(shown.contains("ended 130"), "{shown:?}");
    let before = shown.split("ended 130").next().unwrap();
    let spinner = before.rfind("compute").or(before.rfind("write")).expect("a spinner shows");
    assert!(before[spinner..].contains("\u{1b}[2K"), "{shown:?}");
}
