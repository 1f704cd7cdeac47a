//! One run of a command: its record, its progress, what is printed at the end.

use crate::arguments::RunOptions;
use indicatif::{ProgressBar, ProgressStyle};
use palmette::Record;
use palmette::core::command_line::typed;
use palmette::io::{IoError, Output, short};
use palmette_report::{Cell, Table};
use serde_json::Value;
use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Summaries mention seconds from here on.
const WORTH_MENTIONING: f64 = 0.1;

pub(crate) struct Session {
    pub(crate) record: Record,
    json: bool,
    quiet: bool,
    /// Where the record goes with its pictures.
    kept: Option<PathBuf>,
    /// A table has gone to stdout, so that nothing else may.
    stdout_taken: bool,
    /// What the summary ends with, and the figures that this says to people.
    ending: String,
    said: Vec<&'static str>,
    /// Figures that tell people nothing this time.
    hidden: Vec<&'static str>,
}

impl Session {
    pub(crate) fn new(command: &str, input: &str, run: &RunOptions) -> Session {
        let mut record = Record::new(command, input);
        record.command_line = typed("palmette");
        Session {
            record,
            json: run.json,
            quiet: run.quiet,
            kept: run.record.clone(),
            stdout_taken: false,
            ending: String::new(),
            said: Vec::new(),
            hidden: Vec::new(),
        }
    }

    pub(crate) fn is_json(&self) -> bool {
        self.json
    }

    /// Whether a summary for people is wanted.
    pub(crate) fn prints_summary(&self) -> bool {
        !self.json && !self.quiet
    }

    /// Whether the record gets pictures.
    pub(crate) fn keeps_pictures(&self) -> bool {
        self.kept.is_some()
    }

    /// Whether a picture is wanted: in this file, or in the record.
    pub(crate) fn draws(&self, path: Option<&Path>) -> bool {
        path.is_some() || self.keeps_pictures()
    }

    /// Notes the file after an option, if there is one.
    pub(crate) fn file(&mut self, option: &str, path: Option<&Path>) {
        if let Some(path) = path {
            self.record.parameter(option, path.display().to_string());
        }
    }

    pub(crate) fn take_stdout(&mut self) {
        self.stdout_taken = true;
    }

    /// Runs and times a phase, with a spinner on stderr if that is a terminal.
    pub(crate) fn phase<T>(&mut self, name: &str, work: impl FnOnce() -> T) -> T {
        let spinner = (!self.quiet && std::io::stderr().is_terminal()).then(|| {
            let spinner = ProgressBar::new_spinner().with_message(name.to_string());
            spinner.enable_steady_tick(Duration::from_millis(150));
            spinner
        });
        let answer = self.record.time(name, work);
        if let Some(spinner) = spinner {
            spinner.finish_and_clear();
        }
        answer
    }

    /// A bar on stderr over `count` things, if that is a terminal.
    pub(crate) fn bar(&self, count: usize) -> Option<ProgressBar> {
        (!self.quiet && std::io::stderr().is_terminal()).then(|| {
            let bar = ProgressBar::new(count as u64);
            let style = ProgressStyle::with_template("{bar:30} {pos}/{len} {elapsed} {msg}");
            bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
            bar.enable_steady_tick(Duration::from_millis(150));
            bar
        })
    }

    /// Seconds that a phase has taken so far.
    pub(crate) fn seconds(&self, phase: &str) -> f64 {
        self.record.seconds.get(phase).and_then(|s| s.as_f64()).unwrap_or(0.0)
    }

    /// Notes how long `phase` took for each of `count` things.
    pub(crate) fn rate(&mut self, key: &str, phase: &str, count: usize) {
        let each = 1e9 * self.seconds(phase) / count.max(1) as f64;
        self.record.figure(key, each);
    }

    /// Notes how many there are of something; people hear of it if there are any.
    pub(crate) fn count(&mut self, key: &'static str, count: usize) {
        self.record.figure(key, count);
        if count == 0 {
            self.hidden.push(key);
        }
    }

    /// A hint on stderr that changes nothing.
    pub(crate) fn note(&self, text: &str) {
        if !self.quiet {
            eprintln!("note: {text}");
        }
    }

    /// Ends the summary with a text, which says what these figures of the record do; texts
    /// follow each other.
    pub(crate) fn end_with(&mut self, text: String, figures: &[&'static str]) {
        self.ending.push_str(&text);
        self.said.extend(figures);
    }

    /// Writes the record with its pictures, if that is wanted.
    pub(crate) fn keep(&self) -> Result<(), IoError> {
        let Some(path) = &self.kept else { return Ok(()) };
        let mut out = Output::create(path)?;
        out.write_with(|out| writeln!(out, "{}", self.record.to_json()))?;
        out.finish()
    }

    /// Writes the record where it is wanted, and prints it or the summary.
    pub(crate) fn finish(mut self) -> Result<(), IoError> {
        self.keep()?;
        if self.json {
            self.record.pictures.clear();
            return print(&format!("{}\n", self.record.to_json()));
        }
        if self.quiet || self.stdout_taken {
            return Ok(());
        }
        let mut figures = Record { result: self.record.result.clone(), ..Record::default() };
        let told = |key: &str| !self.said.contains(&key) && !self.hidden.contains(&key);
        figures.result.retain(|key, _| told(key));
        for (_, value) in figures.result.iter_mut() {
            if let Value::String(text) = value {
                *text = short(text).into_owned();
            }
        }
        let mut text = Table::of_record(&figures);
        let phases: Vec<(&str, f64)> = self
            .record
            .seconds
            .iter()
            .map(|(k, v)| (k.as_str(), v.as_f64().unwrap_or(0.0)))
            .collect();
        let total: f64 = phases.iter().map(|p| p.1).sum();
        if total >= WORTH_MENTIONING {
            let parts: Vec<String> = phases.iter().map(|(k, s)| format!("{k} {s:.3}")).collect();
            text.row([Cell::from("seconds"), Cell::from(total)]);
            return print(&format!("{text}{}\n{}", parts.join(", "), self.ending));
        }
        print(&format!("{text}{}", self.ending))
    }
}

/// Prints on stdout; a reader that has gone away is no error.
pub(crate) fn print(text: &str) -> Result<(), IoError> {
    let mut out = Output::create("-")?;
    out.write_with(|out| out.write_all(text.as_bytes()))?;
    out.finish()
}
