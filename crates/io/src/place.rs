//! Resolves names of files: what a writer replaces, and whether two names are the same file.

use std::fs::{self, Metadata};
use std::io;
use std::path::{Path, PathBuf};

/// More links than that lead in a circle; Linux follows as many.
const MOST_LINKS: usize = 40;

/// What is written to.
pub(crate) enum Target {
    /// A regular file, there or not yet; links are followed.
    File(PathBuf, Option<Metadata>),
    /// Something that is written directly: a pipe, a device.
    Other(PathBuf),
}

/// Whether a name is one of stdout. The system's own names for it may lead to a file, which is
/// not opened anew: what others have written there would be replaced.
pub(crate) fn is_stdout(path: &Path) -> bool {
    ["-", "/dev/stdout", "/dev/fd/1"].iter().any(|name| path.as_os_str() == *name)
}

/// What a name leads to. A link is followed even where nothing is at its end yet, so that it
/// still is one after the file was written.
pub(crate) fn target_of(path: &Path) -> io::Result<Target> {
    match fs::metadata(path) {
        Ok(there) if there.is_dir() => Err(io::ErrorKind::IsADirectory.into()),
        Ok(there) if there.is_file() => {
            let real = fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
            Ok(Target::File(real, Some(there)))
        }
        Ok(_) => Ok(Target::Other(path.to_path_buf())),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            Ok(Target::File(end_of_links(path)?, None))
        }
        // A name that is too long, a folder that may not be entered.
        Err(error) => Err(error),
    }
}

fn end_of_links(path: &Path) -> io::Result<PathBuf> {
    let mut at = path.to_path_buf();
    for _ in 0..MOST_LINKS {
        match fs::read_link(&at) {
            Ok(to) => at = at.parent().map_or(to.clone(), |folder| folder.join(&to)),
            Err(_) => return Ok(at),
        }
    }
    Err(io::Error::other("a cycle of symbolic links"))
}

/// What tells a regular file from others, whatever it is called.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FilePlace {
    /// With all links followed.
    path: PathBuf,
    /// The device and the number there, where there is a file: names may share one.
    number: Option<(u64, u64)>,
}

impl FilePlace {
    /// The file of a name, there or not yet; none for stdout, pipes, devices and folders.
    pub fn of(path: &Path) -> Option<FilePlace> {
        if is_stdout(path) {
            return None;
        }
        let Ok(Target::File(real, there)) = target_of(path) else { return None };
        let folder = real.parent().filter(|folder| !folder.as_os_str().is_empty());
        let folder = folder.unwrap_or(Path::new(".")).canonicalize();
        let named = folder.ok().zip(real.file_name()).map(|(folder, name)| folder.join(name));
        let number = there.as_ref().and_then(number_of);
        Some(FilePlace { path: named.unwrap_or(real), number })
    }

    /// Whether both are one file.
    pub fn is(&self, other: &FilePlace) -> bool {
        self.path == other.path || (self.number.is_some() && self.number == other.number)
    }
}

#[cfg(unix)]
fn number_of(there: &Metadata) -> Option<(u64, u64)> {
    use std::os::unix::fs::MetadataExt;
    Some((there.dev(), there.ino()))
}

#[cfg(not(unix))]
fn number_of(_: &Metadata) -> Option<(u64, u64)> {
    None
}

#[cfg(all(test, unix))]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use std::os::unix::fs::symlink;

    #[test]
    fn names_of_one_file() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::create_dir(at("deep")).unwrap();
        fs::write(at("file"), "x").unwrap();
        fs::hard_link(at("file"), at("twin")).unwrap();
        symlink("file", at("link")).unwrap();
        symlink("absent", at("dangling")).unwrap();
        symlink("round", at("round")).unwrap();
        let same = |a: &str, b: &str| {
            let places = FilePlace::of(&at(a)).zip(FilePlace::of(&at(b)));
            places.is_some_and(|(a, b)| a.is(&b))
        };
        for name in ["file", "deep/../file", "link", "twin", "./file"] {
            assert!(same("file", name), "{name}");
        }
        assert!(same("dangling", "absent") && same("new", "deep/../new"));
        for (a, b) in [("file", "new"), ("absent", "new"), ("deep", "deep"), ("round", "round")] {
            assert!(!same(a, b), "{a} and {b}");
        }
        assert_eq!(FilePlace::of(Path::new("/dev/null")), None);
        assert_eq!(FilePlace::of(&at(&"n".repeat(300))), None);
    }
}
