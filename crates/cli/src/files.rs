//! The files that a command reads and writes, and checks that no two are the same.
//!
//! Every verb declares its files before it starts ([`Files`]); conflicts are refused then, before
//! any work. All output goes through a [`Writer`], which writes only declared files and makes them
//! all appear together at the end.

use crate::prelude::*;
use palmette::io::{FilePlace, Outputs};
use std::collections::BTreeSet;

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
    /// The name of the option, and of the parameter in records.
    pub(crate) fn key(&self) -> &'static str {
        if self.png { "png" } else { "svg" }
    }

    /// Where the picture of a name goes, if it is requested.
    pub(crate) fn file(&self, name: &str) -> Option<PathBuf> {
        match is_folder(&self.path) {
            true => Some(self.path.join(format!("{name}.{}", self.key()))),
            false => (name == self.main).then(|| self.path.clone()),
        }
    }
}

/// Whether a name means a folder.
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

    pub(crate) fn reads(mut self, option: &'static str, path: Option<&Path>) -> Files {
        if let Some(path) = path {
            let (path, place) = (path.to_path_buf(), FilePlace::of(path));
            self.reads.push(Read { option, path, place, is_main: false });
        }
        self
    }

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

    /// Refuses conflicts before any work. Leaves nothing behind.
    fn check(&self, json: bool, in_place: bool) -> Result<()> {
        if self.reads.iter().filter(|read| is_stdout(&read.path)).count() > 1 {
            bail!("only one input can come from stdin");
        }
        for (k, written) in self.writes.iter().enumerate() {
            self.check_distinct(written, k, in_place)?;
        }
        if in_place && !self.writes.iter().any(|written| self.is_in_place(written)) {
            bail!("--in-place needs {OUTPUT} with the name of the input to overwrite");
        }
        for written in &self.writes {
            written.check(json)?;
        }
        self.folders.iter().try_for_each(|(option, path)| check_folder(option, path))
    }

    /// Refuses an output that is an input, or one of the first `earlier` outputs.
    fn check_distinct(&self, written: &Written, earlier: usize, in_place: bool) -> Result<()> {
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
                true => path.display().to_string(),
                false => {
                    format!("{} and {}", path.display(), written.path.display())
                }
            };
            let hint = if main { "; pass --in-place to overwrite the input" } else { "" };
            let second = written.option;
            bail!("{option} and {second} name the same file: {found}{hint}");
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

    fn check(&self, json: bool) -> Result<()> {
        let Written { option, path, .. } = self;
        match (is_stdout(path), *option) {
            (false, _) => {}
            (true, OUTPUT) if json => {
                bail!(
                    "{OUTPUT} - cannot be used with --json, which prints the record on stdout; \
                    name a file"
                )
            }
            (true, OUTPUT) => return Ok(()),
            (true, "--record") => {
                bail!("--record needs a file; --json prints the record on stdout")
            }
            (true, _) => bail!("{option} needs a file, not `-`"),
        }
        self.kind.check(path, option)?;
        match std::fs::metadata(path) {
            Ok(there) if there.is_dir() => {
                let hint = match *option {
                    "--svg" | "--png" => "; end the name in `/` for a folder of all pictures",
                    _ => "",
                };
                let path = path.display();
                bail!("{path}: {option} needs a file, but this is a directory{hint}")
            }
            // Pipes and devices are opened once only.
            Ok(there) if !there.is_file() => Ok(()),
            _ => check_writable(path),
        }
    }
}

/// Refuses a file that cannot be written. The attempt leaves nothing behind.
fn check_writable(path: &Path) -> Result<()> {
    drop(Output::create(path)?);
    Ok(())
}

/// Refuses a folder that cannot be created: only its last part may be missing.
pub(crate) fn check_folder(option: &str, folder: &Path) -> Result<()> {
    if is_stdout(folder) {
        bail!("{option} needs a folder, not `-`");
    }
    // The last ancestor of a relative path has no name.
    let above = || folder.ancestors().filter(|path| !path.as_os_str().is_empty());
    if let Some(file) = above().find(|path| path.exists() && !path.is_dir()) {
        bail!("{}: {option} needs a folder, but this is a file", file.display());
    }
    let missing: Vec<&Path> = above().take_while(|path| !path.exists()).collect();
    match missing[..] {
        [_, .., first] => bail!(
            "{}: no such folder; {option} creates only the last part of {}",
            first.display(),
            folder.display()
        ),
        _ => Ok(()),
    }
}

/// Writes the declared outputs, and makes them appear together.
#[derive(Default)]
pub(crate) struct Writer {
    files: Files,
    /// Files in folders, which may clash only with inputs and other options.
    within: BTreeSet<PathBuf>,
    outputs: Outputs,
}

impl Writer {
    /// Checks the files of a command; with `json` the record goes to stdout.
    pub(crate) fn new(files: Files, json: bool, in_place: bool) -> Result<Writer> {
        files.check(json, in_place)?;
        Ok(Writer { files, ..Writer::default() })
    }

    /// Where pictures go.
    pub(crate) fn drawings(&self) -> &[Drawing] {
        &self.files.drawings
    }

    /// Declares a file in a folder.
    pub(crate) fn will_write(&mut self, path: &Path) -> Result<()> {
        let mut folders = self.files.folders.iter();
        let Some((option, _)) = folders.find(|(_, folder)| path.starts_with(folder)) else {
            return Err(Internal(format!("{}: undeclared output", path.display())).into());
        };
        let written = Written::new(option, path, Kind::OF_FOLDER);
        self.files.check_distinct(&written, self.files.writes.len(), false)?;
        self.within.insert(path.to_path_buf());
        Ok(())
    }

    /// Creates a declared folder, or one inside it. It stays if the outputs appear.
    pub(crate) fn make_folder(&mut self, path: &Path) -> Result<()> {
        self.outputs.make_folder(path)?;
        check_writable(&path.join("probe"))
    }

    /// Writes a file, which appears together with all others, and returns its size. Stdout is
    /// printed after all files.
    pub(crate) fn write(
        &mut self,
        path: &Path,
        write: impl FnOnce(&mut Output) -> Result<()>,
    ) -> Result<u64> {
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

    /// Writes a file that appears immediately.
    pub(crate) fn write_now(
        &mut self,
        path: &Path,
        write: impl FnOnce(&mut Output) -> Result<()>,
    ) -> Result<()> {
        self.check_known(path)?;
        let mut output = Output::create(path)?;
        write(&mut output)?;
        Ok(output.finish()?)
    }

    fn check_known(&mut self, path: &Path) -> Result<()> {
        let known = self.files.writes.iter().any(|written| written.path == path);
        match known || is_stdout(path) || self.within.contains(path) {
            true => Ok(()),
            false => self.will_write(path),
        }
    }

    /// Prints a text after all files have appeared.
    pub(crate) fn print(&mut self, text: &str) -> Result<()> {
        let mut output = Output::held();
        output.write_with(|out| std::io::Write::write_all(out, text.as_bytes()))?;
        Ok(self.outputs.add(output)?)
    }

    /// Makes all outputs appear.
    pub(crate) fn commit(self) -> Result<()> {
        Ok(self.outputs.commit()?)
    }
}
