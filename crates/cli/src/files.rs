//! The files of a command: which it reads, which it writes, and that no two are one.
//!
//! Every verb says its files before it starts ([`Files`]); what cannot be is refused then, before
//! any work. Whatever it writes goes through a [`Writer`], which writes nothing else than what
//! was said, and lets everything appear together at the end.

use crate::Internal;
use crate::arguments::PictureOptions;
use crate::endings::Kind;
use crate::input::name_of;
use anyhow::bail;
use palmette::io::{FilePlace, Output, Outputs};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The option for where answers go, which may be stdout.
const OUTPUT: &str = "-o";

/// What a command reads and writes, by the options that name it.
#[derive(Default)]
pub(crate) struct Files {
    /// What messages and records call the input.
    pub(crate) input: String,
    reads: Vec<Read>,
    writes: Vec<Written>,
    folders: Vec<(&'static str, PathBuf)>,
    /// Where pictures go.
    pub(crate) drawings: Vec<Drawing>,
}

/// A file for the main picture of a run, or a folder for all of them.
#[derive(Clone)]
pub(crate) struct Drawing {
    pub(crate) path: PathBuf,
    pub(crate) png: bool,
    /// The name of the main picture.
    main: &'static str,
}

impl Drawing {
    /// What the option and the parameter of records are called.
    pub(crate) fn key(&self) -> &'static str {
        if self.png { "png" } else { "svg" }
    }

    /// Where the picture of a name goes, if it is wanted.
    pub(crate) fn file(&self, name: &str) -> Option<PathBuf> {
        match is_folder(&self.path) {
            true => Some(self.path.join(format!("{name}.{}", self.key()))),
            false => (name == self.main).then(|| self.path.clone()),
        }
    }
}

/// Whether a name says that it is a folder's.
fn is_folder(path: &Path) -> bool {
    path.as_os_str().as_encoded_bytes().ends_with(b"/")
}

struct Read {
    option: &'static str,
    path: PathBuf,
    place: Option<FilePlace>,
    /// The input that `--in-place` lets `-o` replace.
    is_main: bool,
}

struct Written {
    option: &'static str,
    path: PathBuf,
    kind: Kind,
    place: Option<FilePlace>,
}

pub(crate) fn is_stdout(path: &Path) -> bool {
    path.as_os_str() == "-"
}

impl Files {
    /// Of a command whose main input is a file.
    pub(crate) fn of(input: &Path) -> Files {
        let mut files = Files::made(&name_of(input)).reads("FILE", Some(input));
        files.reads.iter_mut().for_each(|read| read.is_main = true);
        files
    }

    /// Of a command without main input, or whose input is no file.
    pub(crate) fn made(input: &str) -> Files {
        Files { input: input.to_string(), ..Files::default() }
    }

    /// With a file that is read, if there is one.
    pub(crate) fn reads(mut self, option: &'static str, path: Option<&Path>) -> Files {
        if let Some(path) = path {
            let (path, place) = (path.to_path_buf(), FilePlace::of(path));
            self.reads.push(Read { option, path, place, is_main: false });
        }
        self
    }

    /// With a file that is written, if there is one.
    pub(crate) fn writes(mut self, option: &'static str, path: Option<&Path>, kind: Kind) -> Files {
        if let Some(path) = path {
            self.writes.push(Written::new(option, path, kind));
        }
        self
    }

    /// With a folder that is written into, if there is one.
    pub(crate) fn writes_into(mut self, option: &'static str, path: Option<&Path>) -> Files {
        self.folders.extend(path.map(|path| (option, path.to_path_buf())));
        self
    }

    /// With pictures: a file gets that of the name `main`, a folder all.
    pub(crate) fn draws(mut self, to: &PictureOptions, main: &'static str) -> Files {
        let wanted = [("--svg", &to.svg, Kind::SVG), ("--png", &to.png, Kind::PNG)];
        for (option, path, kind) in wanted {
            let Some(path) = path else { continue };
            self.drawings.push(Drawing { path: path.clone(), png: option == "--png", main });
            self = match is_folder(path) {
                true => self.writes_into(option, Some(path)),
                false => self.writes(option, Some(path), kind),
            };
        }
        self
    }

    /// Refuses what cannot be, before any work. Nothing stays behind.
    fn check(&self, json: bool, in_place: bool) -> anyhow::Result<()> {
        if self.reads.iter().filter(|read| is_stdout(&read.path)).count() > 1 {
            bail!("expected one input from stdin, found several");
        }
        for (k, written) in self.writes.iter().enumerate() {
            self.check_distinct(written, k, in_place)?;
        }
        if in_place && !self.writes.iter().any(|written| self.is_in_place(written)) {
            bail!("--in-place: expected {OUTPUT} with the name of the input, which it replaces");
        }
        for written in &self.writes {
            written.check(json)?;
        }
        self.folders.iter().try_for_each(|(option, path)| check_folder(option, path))
    }

    /// Refuses an output that is an input, or one of the first `earlier` outputs.
    fn check_distinct(
        &self,
        written: &Written,
        earlier: usize,
        in_place: bool,
    ) -> anyhow::Result<()> {
        let others =
            self.reads.iter().map(|read| (read.option, &read.path, &read.place, read.is_main));
        let writes = self.writes[..earlier].iter();
        let others = others.chain(writes.map(|w| (w.option, &w.path, &w.place, false)));
        for (option, path, place, is_main) in others {
            let both = place.as_ref().zip(written.place.as_ref());
            let main = is_main && written.option == OUTPUT;
            if !both.is_some_and(|(a, b)| a.is(b)) || (main && in_place) {
                continue;
            }
            let found = match *path == written.path {
                true => format!("{} twice", path.display()),
                false => {
                    format!("{} and {}, which are one", path.display(), written.path.display())
                }
            };
            let hint = if main { "; --in-place replaces the input" } else { "" };
            let second = written.option;
            bail!("expected two files after {option} and {second}, found {found}{hint}");
        }
        Ok(())
    }

    /// Whether an output replaces the main input.
    fn is_in_place(&self, written: &Written) -> bool {
        let mut main = self.reads.iter().filter(|read| read.is_main);
        let same = |read: &Read| {
            read.place.as_ref().zip(written.place.as_ref()).is_some_and(|(a, b)| a.is(b))
        };
        written.option == OUTPUT && main.any(same)
    }
}

impl Written {
    fn new(option: &'static str, path: &Path, kind: Kind) -> Written {
        Written { option, path: path.to_path_buf(), kind, place: FilePlace::of(path) }
    }

    fn check(&self, json: bool) -> anyhow::Result<()> {
        let Written { option, path, .. } = self;
        match (is_stdout(path), *option) {
            (false, _) => {}
            (true, OUTPUT) if json => {
                bail!(
                    "expected a file after {OUTPUT}, found `-`: with --json stdout has the record"
                )
            }
            (true, OUTPUT) => return Ok(()),
            (true, "--record") => {
                bail!("expected a file after --record, found `-`: --json prints the record")
            }
            (true, _) => bail!("expected a file after {option}, found `-`"),
        }
        self.kind.check(path, option)?;
        match std::fs::metadata(path) {
            Ok(there) if there.is_dir() => {
                let hint = match *option {
                    "--svg" | "--png" => "; a name that ends in `/` is a folder for all pictures",
                    _ => "",
                };
                let path = path.display();
                bail!("{path}: expected a file after {option}, found a directory{hint}")
            }
            // Pipes and devices are opened once only.
            Ok(there) if !there.is_file() => Ok(()),
            _ => check_writable(path),
        }
    }
}

/// Refuses a file that cannot be written. Never finished, it leaves nothing.
fn check_writable(path: &Path) -> anyhow::Result<()> {
    drop(Output::create(path)?);
    Ok(())
}

/// Refuses a folder that cannot be made: only its last part may be missing.
pub(crate) fn check_folder(option: &str, folder: &Path) -> anyhow::Result<()> {
    if is_stdout(folder) {
        bail!("expected a folder after {option}, found `-`");
    }
    // The last ancestor of a relative path has no name.
    let above = || folder.ancestors().filter(|path| !path.as_os_str().is_empty());
    if let Some(file) = above().find(|path| path.exists() && !path.is_dir()) {
        bail!("{}: expected a folder after {option}, found a file", file.display());
    }
    let missing: Vec<&Path> = above().take_while(|path| !path.exists()).collect();
    match missing[..] {
        [_, .., first] => bail!(
            "{}: expected a folder that is there; {option} makes only the last part of {}",
            first.display(),
            folder.display()
        ),
        _ => Ok(()),
    }
}

/// Writes what a command said it would, and shows it all at once.
#[derive(Default)]
pub(crate) struct Writer {
    files: Files,
    /// Files in folders, which only inputs and other options can name too.
    within: BTreeSet<PathBuf>,
    outputs: Outputs,
}

impl Writer {
    /// Checks the files of a command, whose stdout has the record with `json`.
    pub(crate) fn new(files: Files, json: bool, in_place: bool) -> anyhow::Result<Writer> {
        files.check(json, in_place)?;
        Ok(Writer { files, ..Writer::default() })
    }

    /// Where pictures go.
    pub(crate) fn drawings(&self) -> &[Drawing] {
        &self.files.drawings
    }

    /// Says that a file of a folder will be written.
    pub(crate) fn will_write(&mut self, path: &Path) -> anyhow::Result<()> {
        let mut folders = self.files.folders.iter();
        let Some((option, _)) = folders.find(|(_, folder)| path.starts_with(folder)) else {
            return Err(Internal(format!("{}: an output nobody spoke of", path.display())).into());
        };
        let written = Written::new(option, path, Kind::OF_FOLDER);
        self.files.check_distinct(&written, self.files.writes.len(), false)?;
        self.within.insert(path.to_path_buf());
        Ok(())
    }

    /// Makes a folder that was spoken of, or one within, where files can be written; it stays if
    /// the outputs appear.
    pub(crate) fn make_folder(&mut self, path: &Path) -> anyhow::Result<()> {
        self.outputs.make_folder(path)?;
        check_writable(&path.join("probe"))
    }

    /// Writes a file, which appears with all others, and says how many bytes it has. Stdout is
    /// printed last where there are files too.
    pub(crate) fn write(
        &mut self,
        path: &Path,
        write: impl FnOnce(&mut Output) -> anyhow::Result<()>,
    ) -> anyhow::Result<u64> {
        self.check_known(path)?;
        let files = !self.files.folders.is_empty()
            || self.files.writes.iter().any(|written| !is_stdout(&written.path));
        let mut output = match is_stdout(path) && files {
            true => Output::held(),
            false => Output::create(path)?,
        };
        write(&mut output)?;
        output.close()?;
        let bytes = output.bytes();
        self.outputs.add(output)?;
        Ok(bytes)
    }

    /// Writes a file that appears at once, whatever becomes of the others.
    pub(crate) fn write_now(
        &mut self,
        path: &Path,
        write: impl FnOnce(&mut Output) -> anyhow::Result<()>,
    ) -> anyhow::Result<()> {
        self.check_known(path)?;
        let mut output = Output::create(path)?;
        write(&mut output)?;
        Ok(output.finish()?)
    }

    fn check_known(&mut self, path: &Path) -> anyhow::Result<()> {
        let known = self.files.writes.iter().any(|written| written.path == path);
        match known || is_stdout(path) || self.within.contains(path) {
            true => Ok(()),
            false => self.will_write(path),
        }
    }

    /// Prints a text after all files have appeared.
    pub(crate) fn print(&mut self, text: &str) -> anyhow::Result<()> {
        let mut output = Output::held();
        output.write_with(|out| std::io::Write::write_all(out, text.as_bytes()))?;
        Ok(self.outputs.add(output)?)
    }

    /// Lets everything appear.
    pub(crate) fn commit(self) -> anyhow::Result<()> {
        Ok(self.outputs.commit()?)
    }
}
