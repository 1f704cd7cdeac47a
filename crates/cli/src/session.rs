//! One run of a command: its record, files, progress and summary.

use crate::files::{Writer, is_stdout};
use crate::picture::to_png;
use crate::prelude::*;
use crate::{interrupt, invocation};
use indicatif::{ProgressBar, ProgressStyle};
use palmette::figures::COUNTS_IF_ANY;
use palmette_vocabulary::typed;
use std::collections::BTreeMap;
use std::io::{self, IsTerminal, Write};

pub(crate) struct Session {
    pub(crate) record: Record,
    /// All output goes through it.
    pub(crate) writer: Writer,
    json: bool,
    quiet: bool,
    /// Where the record goes with its pictures.
    kept: Option<PathBuf>,
    /// A table went to stdout, so nothing else may.
    stdout_taken: bool,
    /// What is printed instead of a summary.
    instead: Option<String>,
    /// What follows the figures in the summary, and the figures it covers.
    endings: Vec<String>,
    said: Vec<&'static str>,
    /// Figures that the summary words differently.
    told: BTreeMap<&'static str, String>,
}

impl Session {
    /// Starts a command, if its files are usable.
    pub(crate) fn open(command: &str, files: Files, run: &RunOptions) -> Result<Session> {
        let mut record = Record::new(command, &files.input);
        record.command_line = typed("palmette", invocation::arguments());
        let files = files.writes("--record", run.record.as_deref(), Kind::JSON);
        for drawing in &files.drawings {
            record.parameter(drawing.key(), drawing.path.display().to_string());
        }
        if run.in_place {
            record.parameter("in_place", true);
        }
        Ok(Session {
            record,
            writer: Writer::new(files, run.json, run.in_place)?,
            json: run.json,
            quiet: run.quiet,
            kept: run.record.clone(),
            stdout_taken: false,
            instead: None,
            endings: Vec::new(),
            said: Vec::new(),
            told: BTreeMap::new(),
        })
    }

    pub(crate) fn is_json(&self) -> bool {
        self.json
    }

    /// Whether the record gets pictures.
    pub(crate) fn keeps_pictures(&self) -> bool {
        self.kept.is_some()
    }

    /// Whether any picture is wanted: in files, or in the record.
    pub(crate) fn draws(&self) -> bool {
        self.keeps_pictures() || !self.writer.drawings().is_empty()
    }

    /// Whether the picture of a name is wanted.
    pub(crate) fn wants(&self, name: &str) -> bool {
        let mut drawings = self.writer.drawings().iter();
        self.keeps_pictures() || drawings.any(|drawing| drawing.file(name).is_some())
    }

    /// Whether `--svg` or `--png` names a file for this picture alone.
    pub(crate) fn asks_for(&self, name: &str) -> bool {
        let drawings = self.writer.drawings().iter();
        drawings.filter_map(|d| Some((d.file(name)?, &d.path))).any(|(file, path)| file == *path)
    }

    /// Writes the picture of a name where `--svg` and `--png` want it.
    pub(crate) fn write_picture(&mut self, name: &str, svg: &str) -> Result<()> {
        for drawing in self.writer.drawings().to_vec() {
            let Some(path) = drawing.file(name) else { continue };
            if path != drawing.path {
                self.writer.make_folder(&drawing.path)?;
            }
            match drawing.png {
                false => self.write_text(&path, svg)?,
                true => {
                    let png = self.phase("draw", || to_png(svg));
                    let png = png.map_err(|error| anyhow!("{}: {error}", path.display()))?;
                    self.write(&path, |out| out.write_all(&png))?;
                }
            }
        }
        Ok(())
    }

    /// Notes a parameter of the run.
    pub(crate) fn parameter(&mut self, key: &str, value: impl Into<Value>) -> &mut Record {
        self.record.parameter(key, value)
    }

    /// Notes the file after an option, if there is one.
    pub(crate) fn file(&mut self, option: &str, path: Option<&Path>) {
        if let Some(path) = path {
            self.record.parameter(option, path.display().to_string());
        }
    }

    /// Where a table, tree or page goes, if anywhere: to a file, or else to stdout, unless `--json`
    /// prints the record there.
    pub(crate) fn destination(&mut self, path: Option<&Path>) -> Option<PathBuf> {
        match path {
            Some(path) if !is_stdout(path) => {
                self.record.parameter("output", path.display().to_string());
                Some(path.to_path_buf())
            }
            _ if self.json => None,
            _ => {
                self.stdout_taken = true;
                Some(PathBuf::from("-"))
            }
        }
    }

    /// Writes a file, which appears with all others when the session is finished.
    pub(crate) fn write(
        &mut self,
        path: &Path,
        write: impl FnOnce(&mut Output) -> io::Result<()>,
    ) -> Result<()> {
        self.write_by(path, |out| Ok(out.write_with(write)?)).map(drop)
    }

    /// The same with a function that has its own error; returns the number of bytes.
    pub(crate) fn write_by(
        &mut self,
        path: &Path,
        write: impl FnOnce(&mut Output) -> Result<()>,
    ) -> Result<u64> {
        let mut writer = std::mem::take(&mut self.writer);
        let written = self.phase("write", || writer.write(path, write));
        self.writer = writer;
        written
    }

    pub(crate) fn write_text(&mut self, path: &Path, text: &str) -> Result<()> {
        self.write(path, |out| out.write_all(text.as_bytes()))
    }

    /// Runs and times a phase, with a spinner on stderr if that is a terminal.
    pub(crate) fn phase<T>(&mut self, name: &str, work: impl FnOnce() -> T) -> T {
        self.spin(name, |record| record.time(name, work))
    }

    /// Notes the figures of a result.
    pub(crate) fn figures(&mut self, result: &impl Figures) {
        self.spin("count", |record| result.figures(record));
    }

    fn spin<T>(&mut self, name: &str, work: impl FnOnce(&mut Record) -> T) -> T {
        let spinner = (!self.quiet && std::io::stderr().is_terminal()).then(|| {
            let spinner = ProgressBar::new_spinner().with_message(name.to_string());
            spinner.enable_steady_tick(Duration::from_millis(150));
            interrupt::shows(&spinner);
            spinner
        });
        let answer = work(&mut self.record);
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
            interrupt::shows(&bar);
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

    /// Words a figure differently in the summary.
    pub(crate) fn tell(&mut self, key: &'static str, text: String) {
        self.told.insert(key, text);
    }

    /// A hint on stderr that changes nothing.
    pub(crate) fn note(&self, text: &str) {
        if !self.quiet {
            eprintln!("note: {}", terminal::line(text));
        }
    }

    /// Appends a text to the summary, after an empty line, that covers these figures of the record.
    pub(crate) fn end_with(&mut self, mut text: String, figures: &[&'static str]) {
        if !text.is_empty() && !text.ends_with('\n') {
            text.push('\n');
        }
        self.endings.push(text);
        self.said.extend(figures);
    }

    /// Prints a text instead of the summary.
    pub(crate) fn summarise(&mut self, text: String) {
        self.instead = Some(text);
    }

    /// Writes the record, makes all outputs appear, and prints the record or the summary. If
    /// anything fails, no output appears.
    pub(crate) fn finish(mut self) -> Result<()> {
        if let Some(path) = self.kept.take() {
            let record = self.record.to_json();
            self.writer.write(&path, |out| Ok(out.write_with(|out| writeln!(out, "{record}"))?))?;
        }
        if self.json {
            self.record.pictures.clear();
            self.writer.print(&format!("{}\n", self.record.to_json()))?;
        } else if !self.quiet && !self.stdout_taken {
            let text = self.instead.take().unwrap_or_else(|| self.summary());
            self.writer.print(&terminal::text(&format!("{text}{}", self.times())))?;
        }
        self.writer.commit()
    }

    /// Figures, and what follows them after empty lines.
    fn summary(&self) -> String {
        let mut figures = Record { result: self.record.result.clone(), ..Record::default() };
        let told = |key: &str| !self.said.contains(&key);
        let any = |key: &str, value: &Value| *value != 0 || !COUNTS_IF_ANY.contains(&key);
        figures.result.retain(|key, value| told(key) && any(key, value));
        for (key, value) in &mut figures.result {
            match self.told.get(key.as_str()) {
                Some(text) => *value = terminal::text(text).into(),
                None => terminal::figure(value),
            }
        }
        let figures = Table::of_record(&figures).to_string();
        let parts = [&figures].into_iter().chain(&self.endings).filter(|part| !part.is_empty());
        parts.map(String::as_str).collect::<Vec<_>>().join("\n")
    }

    /// The last line of every summary: seconds, in all and by phase.
    fn times(&self) -> String {
        let phases = self.record.seconds.iter();
        let phases = phases.map(|(name, seconds)| (name, seconds.as_f64().unwrap_or(0.0)));
        let total: f64 = phases.clone().map(|(_, seconds)| seconds).sum();
        let parts: Vec<String> =
            phases.map(|(name, seconds)| format!("{name} {seconds:.3}")).collect();
        match parts.is_empty() {
            true => String::new(),
            false => format!("{total:.3} seconds: {}\n", parts.join(", ")),
        }
    }
}

/// Prints on stdout immediately; a closed pipe is not an error.
pub(crate) fn print(text: &str) -> Result<()> {
    let mut out = Output::create("-")?;
    out.write_with(|out| out.write_all(terminal::text(text).as_bytes()))?;
    Ok(out.finish()?)
}
