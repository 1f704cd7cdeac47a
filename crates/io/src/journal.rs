//! What this process has made and would take back: temporary files, new folders, files that
//! were replaced while others still may fail.
//!
//! **Method.** One list for the process, in the order of making, behind one lock. Every change of
//! the file system that has to be taken back happens while the lock is held, so whoever takes
//! the lock to end the program ([`abandon`]) finds the list true, and nothing is made after.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError, TryLockError};
use std::time::Duration;

/// A thing to take back.
pub(crate) enum Made {
    /// A file that nobody has seen.
    Temporary(PathBuf),
    /// A folder that was not there before.
    Folder(PathBuf),
    /// A file that took its place, and the one that was there.
    Shown { target: PathBuf, before: Option<PathBuf> },
}

impl Made {
    /// Nothing can be done about a failure here.
    fn take_back(&self) {
        let _ = match self {
            Made::Temporary(path) => fs::remove_file(path),
            // What has come into it since stays.
            Made::Folder(path) => fs::remove_dir(path),
            Made::Shown { target, before: Some(before) } => fs::rename(before, target),
            Made::Shown { target, before: None } => fs::remove_file(target),
        };
    }
}

/// Things by the order of making.
#[derive(Default)]
pub(crate) struct Journal {
    made: BTreeMap<u64, Made>,
    next: u64,
}

static JOURNAL: Mutex<Journal> = Mutex::new(Journal { made: BTreeMap::new(), next: 0 });

/// The journal, which is locked as long as it is used.
pub(crate) fn journal() -> MutexGuard<'static, Journal> {
    JOURNAL.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Journal {
    /// Notes what was made; its number says which it is.
    pub(crate) fn note(&mut self, made: Made) -> u64 {
        self.next += 1;
        self.made.insert(self.next, made);
        self.next
    }

    /// Notes what has become of a thing.
    pub(crate) fn change(&mut self, number: u64, made: Made) {
        self.made.insert(number, made);
    }

    pub(crate) fn take_back(&mut self, number: u64) {
        if let Some(made) = self.made.remove(&number) {
            made.take_back();
        }
    }

    /// Lets a thing be as it is.
    pub(crate) fn keep(&mut self, number: u64) {
        if let Some(Made::Shown { before: Some(before), .. }) = self.made.remove(&number) {
            // What is left then is a copy under a hidden name.
            let _ = fs::remove_file(before);
        }
    }
}

/// Takes back all that outputs under way have made: for programs that are about to be ended.
/// Outputs are as they were before, and whoever goes on with one waits for the end.
pub fn abandon() {
    take_all_back(journal());
}

/// As [`abandon`], but not for long: who is out of memory may be so while it has the lock.
pub fn abandon_soon() {
    for _ in 0..20 {
        match JOURNAL.try_lock() {
            Ok(journal) => return take_all_back(journal),
            Err(TryLockError::Poisoned(poisoned)) => return take_all_back(poisoned.into_inner()),
            Err(TryLockError::WouldBlock) => std::thread::sleep(Duration::from_millis(50)),
        }
    }
}

fn take_all_back(mut journal: MutexGuard<'_, Journal>) {
    while let Some((_, made)) = journal.made.pop_last() {
        made.take_back();
    }
    // Never unlocked again: nothing is made after this.
    std::mem::forget(journal);
}
