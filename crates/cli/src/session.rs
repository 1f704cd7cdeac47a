//! One run of a command: its record, its progress, what is printed at the end.

use crate::arguments::RunOptions;
use indicatif::{ProgressBar, ProgressStyle};
use palmette::Record;
use palmette::io::{IoError, Output};
use palmette_report::{Cell, Table};
use std::io::{IsTerminal, Write};
use std::time::Duration;

/// Summaries mention seconds from here on.
const WORTH_MENTIONING: f64 = 0.1;

pub(crate) struct Session {
    pub(crate) record: Record,
    json: bool,
    quiet: bool,
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
        Session {
            record: Record::new(command, input),
            json: run.json,
            quiet: run.quiet,
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

    /// Prints the record or the summary.
    pub(crate) fn finish(self) -> Result<(), IoError> {
        if self.json {
            return print(&format!("{}\n", self.record.to_json()));
        }
        if self.quiet || self.stdout_taken {
            return Ok(());
        }
        let mut figures = Record { seconds: Default::default(), ..self.record.clone() };
        let told = |key: &str| !self.said.contains(&key) && !self.hidden.contains(&key);
        figures.result.retain(|key, _| told(key));
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
