//! Lists of names after an option.

use crate::input::read_text;
use crate::prelude::*;

/// A list of names after an option: `A,B`, or `@FILE` with a name per line.
#[derive(Debug, Clone)]
pub(crate) enum NameList {
    Names(Vec<String>),
    File(PathBuf),
}

impl NameList {
    /// What an option says.
    pub(crate) fn parse(text: &str) -> Result<NameList, String> {
        if let Some(path) = text.strip_prefix('@') {
            return Ok(NameList::File(path.into()));
        }
        let names: Vec<String> = text.split(',').map(|name| name.trim().to_string()).collect();
        match names.iter().any(String::is_empty) {
            true => Err("expected names with commas between them, or @FILE".to_string()),
            false => Ok(NameList::Names(names)),
        }
    }

    /// The file, where there is one.
    pub(crate) fn path(&self) -> Option<&Path> {
        match self {
            NameList::Names(_) => None,
            NameList::File(path) => Some(path),
        }
    }

    /// The names.
    pub(crate) fn read(&self) -> Result<Vec<String>> {
        Ok(match self {
            NameList::Names(names) => names.clone(),
            NameList::File(path) => {
                let text = read_text(path)?;
                let names = text.trim_start_matches('\u{feff}').lines().map(str::trim);
                let names: Vec<String> =
                    names.filter(|name| !name.is_empty()).map(str::to_string).collect();
                if names.is_empty() {
                    bail!("{}: expected a name per line, found none", name_of(path));
                }
                names
            }
        })
    }
}

/// The file of a list, if one is given.
pub(crate) fn path_of(list: Option<&NameList>) -> Option<&Path> {
    list.and_then(NameList::path)
}
