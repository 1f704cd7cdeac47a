//! The files of a netlist: the first one, and those that it includes.
//!
//! Names are relative to the folder of the file that has the card. A file that includes itself,
//! directly or through others, is an error; so is more than [`MOST_FILES`] of them.

use super::tokens::{Token, tokens};
use super::{Place, Reader};
use crate::IoError;
use crate::error::shown;
use crate::limit::InputLimit;
use crate::source::{Source, read_bytes_within};
use std::path::{Path, PathBuf};

/// Files within files.
const MOST_DEPTH: usize = 64;

/// Files in all, the same one counted as often as it is read.
const MOST_FILES: usize = 10_000;

/// Where included files are looked for, and how large they may be.
#[derive(Debug, Clone)]
pub(crate) struct Includes {
    pub(crate) folder: PathBuf,
    pub(crate) limit: InputLimit,
}

/// A file that is being read.
pub(super) struct Open {
    /// The file itself and the section of a library, to notice circles.
    key: (PathBuf, Option<String>),
    folder: PathBuf,
}

impl Open {
    pub(super) fn first(includes: &Includes, name: &str) -> Open {
        let key = std::fs::canonicalize(name).unwrap_or_else(|_| PathBuf::from(name));
        Open { key: (key, None), folder: includes.folder.clone() }
    }
}

impl Reader<'_> {
    /// Reads what `.include FILE` or `.lib FILE SECTION` names.
    pub(super) fn include(&mut self, place: Place, words: &[&str]) -> Result<(), IoError> {
        let card = words[0];
        let is_library = card.eq_ignore_ascii_case(".lib");
        let expected = if is_library { "`.lib FILE SECTION`" } else { "`.include FILE`" };
        let text = words[1..].join(" ");
        let wrong = |reader: &Self| reader.wrong(place, expected, shown(&words.join(" ")));
        // A name may hold parentheses.
        let parts: Vec<&str> = match tokens(&text) {
            Ok(found) if matches!(found.first(), Some(Token::Text(_) | Token::Expression(_))) => {
                found.iter().map(|token| token.text()).collect()
            }
            _ => words[1..].to_vec(),
        };
        let (file, section) = match (&parts[..], is_library) {
            ([file], false) => (*file, None),
            ([file, section], true) => (*file, Some(section.to_ascii_lowercase())),
            _ => return Err(wrong(self)),
        };
        let Some(includes) = self.includes else {
            let expected = "a netlist in a file, which may include others";
            return Err(self.wrong(place, expected, format!("`{card}` in a text")));
        };
        let path = self.opened.last().map_or(Path::new(""), |open| &open.folder).join(file);
        let failed = |reader: &Self, why: String| {
            reader.wrong(place, "a file that can be read", format!("{}: {why}", shown(file)))
        };
        let real = std::fs::canonicalize(&path).map_err(|e| failed(self, e.to_string()))?;
        if self.opened.iter().any(|open| open.key.0 == real && open.key.1 == section) {
            let found = format!("{}, which includes itself", shown(file));
            return Err(self.wrong(place, "files that do not include themselves", found));
        }
        if self.opened.len() >= MOST_DEPTH || self.files.len() >= MOST_FILES {
            let expected = format!("at most {MOST_FILES} files, {MOST_DEPTH} within each other");
            return Err(self.wrong(place, expected, format!("{}, one more", shown(file))));
        }
        let bytes = read_bytes_within(&path, includes.limit).map_err(|error| match error {
            IoError::Read { source, .. } => failed(self, source.to_string()),
            other => other,
        })?;
        let name = path.display().to_string();
        let source = Source::new(&name, &bytes)?;
        self.files.push(name.clone());
        let number = self.files.len() as u32 - 1;
        let folder = path.parent().unwrap_or(Path::new("")).to_path_buf();
        self.opened.push(Open { key: (real, section.clone()), folder });
        let outer = std::mem::replace(&mut self.section, super::Section::of(&section));
        let open_definitions = self.definitions.open.len();
        self.statements(number, source.text)?;
        if self.definitions.open.len() != open_definitions {
            return Err(self.unfinished());
        }
        let inner = std::mem::replace(&mut self.section, outer);
        self.opened.pop();
        match (section, inner.was_found()) {
            (Some(section), false) => {
                let found = format!("{} without it", shown(file));
                Err(self.wrong(
                    place,
                    format!("the section {} of a library", shown(&section)),
                    found,
                ))
            }
            _ => Ok(()),
        }
    }
}
