//! The command under attack: damaged files of every format, read by every verb.
//!
//! **Problem.** Whatever a file holds, a command answers or says what is wrong: exit code 0, or 2
//! with one line of plain text; it never panics, hangs, or leaves half of its outputs.
//! **Method.** A run takes a job (`jobs.rs`), damages one of its files (`mutate.rs`) and looks at
//! how the command ended. Run `i` of a seed is always the same, whatever else runs: a failure
//! names it, and keeps the files below `target/fuzz-cli`.
//!
//! `PALMETTE_FUZZ_RUNS` and `PALMETTE_FUZZ_SEED` set how many and which (`make fuzz-cli`);
//! `PALMETTE_FUZZ_ONLY` runs a single one again.

mod jobs;
mod mutate;

use jobs::{Job, jobs};
use mutate::Random;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Enough to see every job a few times.
const RUNS: u64 = 1000;
const SEED: u64 = 1;
/// No input of a few kilobytes takes longer, even on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);
/// The address space of a command, in KiB.
const MEMORY: u64 = 6 << 20;

/// Why a run is a failure, and what the command printed.
type Verdict = Result<(), String>;

#[test]
fn damaged_files_are_answered_or_refused() {
    let number = |name: &str| std::env::var(name).ok().map(|text| text.parse::<u64>().unwrap());
    let seed = number("PALMETTE_FUZZ_SEED").unwrap_or(SEED);
    let runs = number("PALMETTE_FUZZ_RUNS").unwrap_or(RUNS);
    let (first, end) = match number("PALMETTE_FUZZ_ONLY") {
        Some(only) => (only, only + 1),
        None => (0, runs),
    };
    let jobs = jobs();
    check_seeds(&jobs);
    let next = AtomicU64::new(first);
    let threads = std::thread::available_parallelism().map_or(2, |n| n.get());
    let endings = [const { AtomicU64::new(0) }; 3];
    let failures: Vec<String> = std::thread::scope(|scope| {
        let worker = || {
            let mut failures = Vec::new();
            loop {
                let run = next.fetch_add(1, Ordering::Relaxed);
                if run >= end {
                    return failures;
                }
                let (verdict, code) = attack(&jobs, seed, run);
                failures.extend(verdict.err());
                if let Some(ending) = usize::try_from(code).ok().and_then(|code| endings.get(code))
                {
                    ending.fetch_add(1, Ordering::Relaxed);
                }
            }
        };
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(worker)).collect();
        workers.into_iter().flat_map(|worker| worker.join().unwrap()).collect()
    });
    assert!(failures.is_empty(), "{} failures\n{}", failures.len(), failures.join("\n"));
    let [answered, no_room, refused] = endings.map(AtomicU64::into_inner);
    println!("{answered} answered, {refused} refused, {no_room} for lack of memory");
    // Damage that nobody notices, or that no file survives, would test little.
    let all = end - first;
    assert!(all < 100 || (answered > all / 10 && refused > all / 10), "{answered}, {refused}");
}

/// Jobs that fail on whole files would test nothing.
fn check_seeds(jobs: &[Job]) {
    let mut failures = Vec::new();
    for job in jobs {
        let place = Place::new(job, None);
        if place.run(job) != (Ok(()), 0) {
            failures.push(format!("palmette {}: {}", job.line, place.stderr()));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

fn attack(jobs: &[Job], seed: u64, run: u64) -> (Verdict, i32) {
    let mut random = Random::new(seed, run);
    let job = &jobs[random.below(jobs.len())];
    let victim = random.below(job.files.len());
    let donor = &jobs[random.below(jobs.len())];
    let donor = &donor.files[random.below(donor.files.len())].1;
    let damaged = mutate::mutate(&job.files[victim].1, donor, &mut random);
    let place = Place::new(job, Some((victim, &damaged)));
    let (verdict, code) = place.run(job);
    let verdict = verdict.map_err(|reason| {
        let kept = place.keep(seed, run);
        format!(
            "run {run} of seed {seed}: palmette {}: {reason}\n  files: {}\n  {}",
            job.line,
            kept.display(),
            place.stderr().lines().take(5).collect::<Vec<_>>().join("\n  ")
        )
    });
    (verdict, code)
}

/// A folder with the files of one run.
struct Place {
    folder: tempfile::TempDir,
    /// Beside the folder: what a command leaves in it is looked at.
    streams: tempfile::TempDir,
}

impl Place {
    fn new(job: &Job, damaged: Option<(usize, &[u8])>) -> Place {
        let folder = tempfile::tempdir().unwrap();
        for (i, (name, content)) in job.files.iter().enumerate() {
            let content = match damaged {
                Some((victim, damaged)) if victim == i => damaged,
                _ => content,
            };
            fs::write(folder.path().join(name), content).unwrap();
        }
        Place { folder, streams: tempfile::tempdir().unwrap() }
    }

    fn names(&self) -> BTreeSet<String> {
        let entries = fs::read_dir(self.folder.path()).unwrap();
        entries.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned()).collect()
    }

    fn printed(&self, stream: &str) -> String {
        let bytes = fs::read(self.streams.path().join(stream)).unwrap_or_default();
        String::from_utf8_lossy(&bytes).into_owned()
    }

    fn stderr(&self) -> String {
        self.printed("stderr")
    }

    fn run(&self, job: &Job) -> (Verdict, i32) {
        let before = self.names();
        // The shell sets the limit and becomes the command.
        let script = format!("ulimit -v {MEMORY}; exec \"$0\" \"$@\"");
        let mut child = Command::new("sh")
            .args(["-c", &script, env!("CARGO_BIN_EXE_palmette")])
            .args(job.line.split_whitespace())
            .args(["--threads", "1"])
            .current_dir(self.folder.path())
            .stdin(Stdio::null())
            .stdout(fs::File::create(self.streams.path().join("stdout")).unwrap())
            .stderr(fs::File::create(self.streams.path().join("stderr")).unwrap())
            .spawn()
            .unwrap();
        let start = Instant::now();
        let status = loop {
            match child.try_wait().unwrap() {
                Some(status) => break status,
                None if start.elapsed() > PATIENCE => {
                    child.kill().unwrap();
                    child.wait().unwrap();
                    return (Err(format!("no end after {PATIENCE:?}")), -1);
                }
                None => std::thread::sleep(Duration::from_millis(2)),
            }
        };
        let Some(code) = status.code() else { return (Err(format!("{status}")), -1) };
        let verdict = judge(code, &self.stderr(), &before, &self.names());
        (verdict.and_then(|()| plain("stdout", &self.printed("stdout"))), code)
    }

    /// Keeps the files of a failure.
    fn keep(&self, seed: u64, run: u64) -> PathBuf {
        let root = Path::new(env!("CARGO_TARGET_TMPDIR")).with_file_name("fuzz-cli");
        let kept = root.join(format!("{seed}-{run}"));
        fs::create_dir_all(&kept).unwrap();
        for name in self.names() {
            let _ = fs::copy(self.folder.path().join(&name), kept.join(&name));
        }
        kept
    }
}

/// Summaries and messages are for terminals: nothing in them moves the cursor or fills the screen.
fn plain(stream: &str, text: &str) -> Verdict {
    if let Some(odd) = text.chars().find(|c| c.is_control() && !matches!(c, '\n' | '\t')) {
        return Err(format!("{odd:?} on {stream}"));
    }
    match text.lines().find(|line| line.len() > 2000) {
        Some(line) => Err(format!("a line of {} bytes on {stream}", line.len())),
        None => Ok(()),
    }
}

fn judge(code: i32, stderr: &str, before: &BTreeSet<String>, after: &BTreeSet<String>) -> Verdict {
    if stderr.contains("panicked") {
        return Err("a panic".to_string());
    }
    let no_room = code == 1 && stderr.starts_with("error: not enough memory");
    if !matches!(code, 0 | 2) && !no_room {
        return Err(format!("exit code {code}"));
    }
    plain("stderr", stderr)?;
    if let Some(name) = after.iter().find(|name| name.ends_with(".tmp")) {
        return Err(format!("{name} is left behind"));
    }
    if code == 0 {
        return Ok(());
    }
    if after != before {
        return Err(format!("outputs of a failure: {:?}", after.difference(before)));
    }
    // Notes may come first; compilers show the lines that they speak of.
    let errors = stderr.lines().filter(|line| line.starts_with("error")).count();
    if errors == 0 { Err("no error on stderr".to_string()) } else { Ok(()) }
}
