//! The binary, run as users run it.
#![allow(clippy::unwrap_used)]

mod annotations;
mod bad_input;
mod caterpillar;
mod compile;
mod defaults;
mod demo;
mod devices;
mod diversity;
mod documents;
mod edit;
#[cfg(unix)]
mod endings;
mod graph;
mod graph_bad_input;
mod graph_data;
mod graph_stream;
mod limits;
mod machines;
mod memory;
mod mesh;
mod mesh_bad_input;
mod mesh_demands;
mod mesh_run;
mod mutations;
mod names;
#[cfg(target_os = "linux")]
mod outputs;
mod parsimony;
mod phylo_compare;
mod power_flow;
mod power_grid;
mod programs;
mod records;
mod report;
#[cfg(target_os = "linux")]
mod signals;
mod sparse;
mod spatial;
mod streams;
mod sums;
mod sweep;
#[cfg(unix)]
mod terminal;
mod tree_draw;
mod usage;
mod verbs;
mod vocabulary;

use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

/// A directory of its own with files in it.
struct Place {
    dir: tempfile::TempDir,
}

impl Place {
    fn new(files: &[(&str, &[u8])]) -> Place {
        let place = Place { dir: tempfile::tempdir().unwrap() };
        for (name, content) in files {
            std::fs::write(place.dir.path().join(name), content).unwrap();
        }
        place
    }

    fn command(&self, line: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_palmette"));
        command.args(line.split_whitespace()).current_dir(self.dir.path()).stdin(Stdio::null());
        command
    }

    /// The same, which heeds signals even if whoever runs the tests ignores them, as shells do for
    /// commands in the background.
    fn heeding(&self, line: &str) -> Command {
        let mut command = Command::new("env");
        command.args(["--default-signal=HUP,INT,QUIT", env!("CARGO_BIN_EXE_palmette")]);
        command.args(line.split_whitespace()).current_dir(self.dir.path()).stdin(Stdio::null());
        command
    }

    fn run(&self, line: &str) -> Output {
        self.command(line).output().unwrap()
    }

    fn run_with(&self, line: &str, input: &[u8]) -> Output {
        let mut command = self.command(line);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        let input = input.to_vec();
        let writer = std::thread::spawn(move || stdin.write_all(&input));
        let output = child.wait_with_output().unwrap();
        let _ = writer.join().unwrap();
        output
    }

    /// What a command that succeeds prints.
    fn stdout(&self, line: &str) -> String {
        succeeded(line, self.run(line))
    }

    /// The summary that a command prints, without the seconds in its last line.
    fn summary(&self, line: &str) -> String {
        let text = self.stdout(line);
        let (figures, seconds) = text.trim_end().rsplit_once('\n').unwrap_or_default();
        assert!(seconds.contains(" seconds: "), "palmette {line}: {text}");
        format!("{figures}\n")
    }

    fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.dir.path().join(name)).unwrap()
    }

    fn names(&self) -> Vec<String> {
        let entries = std::fs::read_dir(self.path()).unwrap();
        let mut names: Vec<String> =
            entries.map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    fn path(&self) -> &Path {
        self.dir.path()
    }
}

fn succeeded(line: &str, output: Output) -> String {
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(0), "palmette {line}: {stderr}");
    String::from_utf8(output.stdout).unwrap()
}

/// Runs a command that must fail, with these words in its message.
fn refused(place: &Place, line: &str, parts: &[&str]) {
    let before = place.names();
    let output = place.run(line);
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{line}: {stderr}");
    assert!(output.stdout.is_empty(), "{line}");
    for part in parts {
        assert!(stderr.contains(part), "{line}: no `{part}` in {stderr}");
    }
    assert_eq!(place.names(), before, "{line} leaves nothing behind");
}

/// root over a and b, a over c and d.
const TABLE: &[u8] =
    b"id,parent,weight,length\nroot,,1,0\na,root,2,1.5\nb,root,3,2\nc,a,4,0.25\nd,a,5,1\n";
