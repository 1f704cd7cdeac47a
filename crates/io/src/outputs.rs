//! Outputs that appear together or not at all.
//!
//! **Problem.** A command writes several files, and any of them can fail: for want of room, of
//! a right, of a folder. If the command fails, everything is as it was before.
//!
//! **Method.** All outputs are written and closed under hidden names ([`Output`]); pipes and
//! devices are written directly, as they cannot be taken back. [`Outputs::commit`] then renames
//! one after another, and keeps what a target held under a second name until the last rename
//! has succeeded and held text is on stdout. A failure on the way renames everything back. What
//! has been done so far is in the [`journal`](crate::journal), so a program that is interrupted
//! in between takes it back too.
//!
//! **Cost.** A link, a rename and a removal per file that is replaced; no copy of any data.
//!
//! **When not to use.** It does not guard against a loss of power: nothing is synchronised with
//! the disk.

use crate::IoError;
use crate::journal::{Made, journal};
use crate::output::{Output, Pending, hidden_name};
use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Outputs that wait for each other. See the module. Dropped, they leave nothing behind.
#[derive(Default)]
pub struct Outputs {
    ready: Vec<Output>,
    /// The place among those of each file.
    by_target: BTreeMap<PathBuf, usize>,
    /// Folders that were made, with their numbers in the journal.
    folders: Vec<u64>,
}

impl Outputs {
    /// Takes an output that is written, and closes it. One for the same file replaces the
    /// earlier one.
    ///
    /// # Errors
    /// When its last data cannot be written.
    pub fn add(&mut self, mut output: Output) -> Result<(), IoError> {
        output.close()?;
        let target = output.pending().map(|pending| pending.target.clone());
        match target.as_ref().and_then(|target| self.by_target.get(target)) {
            Some(&place) => self.ready[place] = output,
            None => {
                target.map(|target| self.by_target.insert(target, self.ready.len()));
                self.ready.push(output);
            }
        }
        Ok(())
    }

    /// Makes a folder that is not there yet, in one that is. It stays if the outputs appear.
    ///
    /// # Errors
    /// When it cannot be made.
    pub fn make_folder(&mut self, path: &Path) -> Result<(), IoError> {
        if path.is_dir() {
            return Ok(());
        }
        let mut journal = journal();
        let failed = |source| IoError::Write { file: path.display().to_string(), source };
        fs::create_dir(path).map_err(failed)?;
        self.folders.push(journal.note(Made::Folder(path.to_path_buf())));
        Ok(())
    }

    /// Lets all outputs appear, and prints what is held for stdout.
    ///
    /// # Errors
    /// When one cannot; then none has, except on pipes and devices.
    pub fn commit(mut self) -> Result<(), IoError> {
        let mut shown = Vec::new();
        let done = self.show(&mut shown);
        let mut journal = journal();
        if let Err(error) = done {
            shown.iter().rev().for_each(|&number| journal.take_back(number));
            // The lock is not taken twice.
            drop(journal);
            return Err(error);
        }
        for number in shown.into_iter().chain(self.folders.drain(..)) {
            journal.keep(number);
        }
        Ok(())
    }

    fn show(&mut self, shown: &mut Vec<u64>) -> Result<(), IoError> {
        for output in &mut self.ready {
            let Some(Pending { number, temporary, target }) = output.pending() else { continue };
            let replaced = replace(*number, temporary, target);
            replaced.map_err(|source| output.failed(source))?;
            shown.push(*number);
            output.has_appeared();
        }
        self.ready.iter_mut().try_for_each(Output::print_held)
    }
}

impl Drop for Outputs {
    fn drop(&mut self) {
        self.ready.clear();
        let mut journal = journal();
        self.folders.iter().rev().for_each(|&folder| journal.take_back(folder));
    }
}

/// Renames a temporary file, and keeps what the target held.
fn replace(number: u64, temporary: &Path, target: &Path) -> io::Result<()> {
    let mut journal = journal();
    // A folder in the way makes the rename fail.
    let there = fs::symlink_metadata(target).is_ok_and(|there| !there.is_dir());
    let before = if there { Some(hidden_name(target)?) } else { None };
    if let Some(before) = &before
        && fs::hard_link(target, before).is_err()
    {
        // Not every file system has links; then there is a moment without the file.
        fs::rename(target, before)?;
    }
    if let Err(error) = fs::rename(temporary, target) {
        if let Some(before) = &before {
            // A link to itself is left alone by `rename`, and removed.
            let _ = fs::rename(before, target);
            let _ = fs::remove_file(before);
        }
        return Err(error);
    }
    journal.change(number, Made::Shown { target: target.to_path_buf(), before });
    Ok(())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use std::io::Write;

    fn written(path: &Path, text: &str) -> Output {
        let mut output = Output::create(path).unwrap();
        output.write_all(text.as_bytes()).unwrap();
        output
    }

    /// Names and contents of a folder.
    fn contents(folder: &Path) -> Vec<(String, Option<String>)> {
        let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap());
        let content = |entry: fs::DirEntry| {
            (entry.file_name().into_string().unwrap(), fs::read_to_string(entry.path()).ok())
        };
        let mut all: Vec<_> = entries.map(content).collect();
        all.sort();
        all
    }

    #[test]
    fn a_failure_restores_what_was_there() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::write(at("old"), "old").unwrap();
        let mut outputs = Outputs::default();
        outputs.add(written(&at("old"), "new")).unwrap();
        outputs.add(written(&at("fresh"), "new")).unwrap();
        outputs.make_folder(&at("made")).unwrap();
        outputs.add(written(&at("made/inside"), "new")).unwrap();
        outputs.add(written(&at("last"), "new")).unwrap();
        // Somebody makes a folder where the last file should be.
        fs::create_dir(at("last")).unwrap();
        let error = outputs.commit().unwrap_err().to_string();
        assert!(error.contains("last"), "{error}");
        let text = |text: &str| Some(text.to_string());
        let expected = [("last".to_string(), None), ("old".to_string(), text("old"))];
        assert_eq!(contents(folder.path()), expected);
    }

    #[test]
    fn all_appear_together() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::write(at("old"), "old").unwrap();
        let mut outputs = Outputs::default();
        outputs.add(written(&at("old"), "never seen")).unwrap();
        outputs.add(written(&at("old"), "new")).unwrap();
        outputs.add(written(&at("fresh"), "new")).unwrap();
        assert_eq!(fs::read_to_string(at("old")).unwrap(), "old");
        outputs.commit().unwrap();
        let new = || Some("new".to_string());
        assert_eq!(contents(folder.path()), [("fresh".into(), new()), ("old".into(), new())]);
    }

    #[cfg(unix)]
    #[test]
    fn a_link_is_followed_to_where_nothing_is() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        std::os::unix::fs::symlink("target", at("link")).unwrap();
        written(&at("link"), "new").finish().unwrap();
        assert!(at("link").is_symlink());
        assert_eq!(fs::read_to_string(at("target")).unwrap(), "new");
    }

    #[test]
    fn a_name_that_is_too_long_is_refused_at_once() {
        let folder = tempfile::tempdir().unwrap();
        assert!(Output::create(folder.path().join("n".repeat(300))).is_err());
        assert_eq!(contents(folder.path()), []);
    }
}
