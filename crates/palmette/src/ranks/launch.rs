//! Starts an MPI job of `palmette-mpi`, and receives its results and messages.

use super::{Event, RankJob};
use palmette_core::Cancel;
use palmette_language::run::{Outcome, Sink};
use std::fs;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;
use thiserror::Error;

/// How a job is started.
#[derive(Debug, Clone)]
pub struct Launch {
    /// The command and its first arguments; `-n RANKS WORKER run FOLDER` follow.
    pub launcher: Vec<String>,
    /// How many ranks, at most as many as parts.
    pub ranks: usize,
    /// The program that runs on ranks.
    pub worker: PathBuf,
    /// Raised when the job should end, as by a signal.
    pub cancel: Cancel,
}

impl Launch {
    /// With `mpirun` and `palmette-mpi`, which is beside this program or on the path.
    pub fn new(ranks: usize) -> Launch {
        let beside = std::env::current_exe().ok().and_then(|exe| {
            // Tests and examples are a folder further down.
            let mut folders = exe.ancestors().skip(1).take(2);
            folders.find_map(|folder| Some(folder.join("palmette-mpi")).filter(|at| at.is_file()))
        });
        let path = std::env::var_os("PATH").unwrap_or_default();
        let on_path = || {
            let mut files = std::env::split_paths(&path).map(|folder| folder.join("palmette-mpi"));
            files.find(|file| file.is_file())
        };
        let worker = beside.or_else(on_path).unwrap_or_else(|| PathBuf::from("palmette-mpi"));
        Launch { launcher: vec!["mpirun".to_string()], ranks, worker, cancel: Cancel::new() }
    }
}

/// Why a job did not end well.
#[derive(Debug, Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum RankError {
    /// Some ranks would have no part.
    #[error("expected 1 to {parts} ranks, at most one per part, found {ranks}")]
    Ranks { ranks: usize, parts: usize },
    /// What runs on ranks is not there.
    #[error("{}: not found next to palmette or on the PATH", worker.display())]
    Worker { worker: PathBuf },
    /// It was asked to end.
    #[error("interrupted")]
    Interrupted,
    /// The launcher cannot be started.
    #[error("cannot start {command}: {error}")]
    Start {
        command: String,
        #[source]
        error: io::Error,
    },
    /// The job ended badly; the ranks say why.
    #[error("{said}")]
    Failed { code: Option<i32>, said: String },
    /// A result could not be written.
    #[error("{name}: {error}")]
    Output {
        name: String,
        #[source]
        error: io::Error,
    },
    /// The folder of the job cannot be used.
    #[error("cannot use the folder for temporary files: {0}")]
    Folder(#[source] io::Error),
}

/// Runs a job to its end; results reach the sink while it runs.
///
/// # Errors
/// See [`RankError`].
pub fn run_on_ranks(
    job: &RankJob,
    launch: &Launch,
    sink: &mut dyn Sink,
) -> Result<Outcome, RankError> {
    let (ranks, parts) = (launch.ranks, job.parts);
    if ranks > parts || ranks == 0 {
        return Err(RankError::Ranks { ranks, parts });
    }
    if !launch.worker.is_file() {
        return Err(RankError::Worker { worker: launch.worker.clone() });
    }
    let folder =
        tempfile::Builder::new().prefix("palmette-").tempdir().map_err(RankError::Folder)?;
    job.write(folder.path()).map_err(RankError::Folder)?;
    let mut child = start(launch, folder.path(), job.threads)?;
    // Rank 0 sees it close if this process is killed, and ends the job; a line tells it that
    // the launcher passes it on. A launcher that does not read it may have ended already.
    let mut stdin = child.stdin.take();
    let _ = stdin.as_mut().map(|stdin| stdin.write_all(b"\n"));
    let (stdout, stderr) = (child.stdout.take(), child.stderr.take());
    let watcher = Watcher::new(child.id(), launch.cancel.clone());
    let listener = std::thread::spawn(move || {
        let mut said = Vec::new();
        // What cannot be read was not said.
        let _ = stderr.map(|mut stderr| stderr.read_to_end(&mut said));
        String::from_utf8_lossy(&said).into_owned()
    });
    let heard = stdout.map_or(Ok(None), |stdout| hear(stdout, folder.path(), sink));
    if heard.is_err() {
        stop(child.id());
    }
    let ended = child.wait();
    drop(watcher);
    let ended = ended.map_err(|error| RankError::Start { command: name(launch), error })?;
    drop(stdin);
    let said = listener.join().unwrap_or_default();
    match heard {
        Ok(Some(outcome)) if ended.success() => Ok(outcome),
        // Ranks that are stopped remove the folder, perhaps while a result is read from it.
        _ if launch.cancel.is_raised() => Err(RankError::Interrupted),
        Err(error) => Err(error),
        Ok(_) => Err(RankError::Failed { code: ended.code(), said: reason(&said, ended.code()) }),
    }
}

fn name(launch: &Launch) -> String {
    launch.launcher.first().cloned().unwrap_or_default()
}

fn start(launch: &Launch, folder: &Path, threads: usize) -> Result<Child, RankError> {
    let mut command = Command::new(name(launch));
    command.args(launch.launcher.iter().skip(1));
    command.args(["-n", &launch.ranks.to_string()]).arg(&launch.worker).arg("run").arg(folder);
    // More ranks than cores are fine, and whoever runs this as root has decided so already.
    command.env("OMPI_MCA_rmaps_base_oversubscribe", "1");
    command.env("OMPI_ALLOW_RUN_AS_ROOT", "1").env("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1");
    command.env("RAYON_NUM_THREADS", threads.to_string());
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().map_err(|error| RankError::Start { command: name(launch), error })
}

/// Passes events on until the job says no more.
fn hear(
    stdout: ChildStdout,
    folder: &Path,
    sink: &mut dyn Sink,
) -> Result<Option<Outcome>, RankError> {
    let mut outcome = None;
    for line in BufReader::new(stdout).split(b'\n') {
        let line = line.map_err(RankError::Folder)?;
        // The launcher may have words of its own.
        let Ok(event) = serde_json::from_slice(&line) else { continue };
        match event {
            Event::Print(label, bits) => {
                let written = sink.print(&label, f64::from_bits(bits));
                written.map_err(|error| RankError::Output { name: label, error })?;
            }
            Event::Output { name, number, file } => {
                let path = folder.join(file);
                let bytes = fs::read(&path).map_err(RankError::Folder)?;
                fs::remove_file(&path).map_err(RankError::Folder)?;
                let number_of = |eight: &[u8]| {
                    f64::from_le_bytes(eight.try_into().expect("chunks have eight bytes"))
                };
                let values: Vec<f64> = bytes.chunks_exact(8).map(number_of).collect();
                let written = sink.output(&name, number, &values);
                written.map_err(|error| RankError::Output { name, error })?;
            }
            Event::End(ended) => outcome = Some(ended),
        }
    }
    Ok(outcome)
}

/// Asks the launcher to end the job. It may have ended by itself.
fn stop(launcher: u32) {
    let _ = Command::new("kill").arg(launcher.to_string()).stderr(Stdio::null()).status();
}

/// Stops the launcher when the job should end.
struct Watcher {
    ended: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Watcher {
    fn new(launcher: u32, cancel: Cancel) -> Watcher {
        let ended = Arc::<AtomicBool>::default();
        let seen = ended.clone();
        let thread = std::thread::spawn(move || {
            while !seen.load(Ordering::Relaxed) {
                if cancel.is_raised() {
                    return stop(launcher);
                }
                std::thread::sleep(Duration::from_millis(20));
            }
        });
        Watcher { ended, thread: Some(thread) }
    }
}

impl Drop for Watcher {
    fn drop(&mut self) {
        self.ended.store(true, Ordering::Relaxed);
        // It only sleeps and looks: it does not panic.
        let _ = self.thread.take().map(JoinHandle::join);
    }
}

/// What went wrong, from all that a launcher says of a job that fails.
fn reason(said: &str, code: Option<i32>) -> String {
    let lines = said.lines().map(str::trim);
    let lines: Vec<&str> =
        lines.filter(|line| !line.is_empty() && !line.starts_with("---")).collect();
    // Several ranks may have failed; one is enough.
    if let Some(error) = lines.iter().find_map(|line| line.strip_prefix("error: ")) {
        return error.to_string();
    }
    // `mpirun noticed that process rank 2 with PID 7 on node x exited on signal 9 (Killed).`
    if let Some(at) = lines.iter().position(|line| line.contains("noticed that process rank")) {
        return lines[at..].iter().take(2).copied().collect::<Vec<_>>().join(" ");
    }
    match (lines.is_empty(), code) {
        (false, _) => lines.join(" "),
        (true, Some(code)) => format!("the ranks ended with code {code} and no message"),
        (true, None) => "the ranks were killed".to_string(),
    }
}
