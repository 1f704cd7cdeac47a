//! What is wrong with an edit, in the user's names.

use palmette_io::{IoError, TreeFile, shown};
use palmette_phylo::edit::EditError;
use thiserror::Error;

/// Why there is no edited tree.
#[derive(Debug, Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum EditProblem {
    /// A file, or a name in it.
    #[error(transparent)]
    Io(#[from] IoError),
    /// The edit itself.
    #[error("{file}: {message}")]
    Edit { file: String, message: String, source: EditError },
    /// Names that no vertex has; the first few.
    #[error("{file}: {}", unknown(.names, *.count))]
    Unknown { file: String, names: Vec<String>, count: usize },
    /// A pattern that no tip has.
    #[error("{file}: no tip's name is like {pattern}")]
    NoMatch { file: String, pattern: String },
    /// One vertex would get two names.
    #[error("{table}, row {row}: {name} is renamed twice")]
    RenamedTwice { table: String, row: usize, name: String },
    /// A row that is no pair of names.
    #[error("{table}, line {line}: expected an old and a new name, found {found} field(s)")]
    Row { table: String, line: usize, found: usize },
}

fn unknown(names: &[String], count: usize) -> String {
    let listed: Vec<String> = names.iter().map(|name| shown(name)).collect();
    let more = if count > names.len() { ", …" } else { "" };
    match count {
        1 => format!("no vertex is called {}", listed.join("")),
        _ => format!("{count} names are of no vertex: {}{more}", listed.join(", ")),
    }
}

/// Puts names into an error that has numbers; `name` says what a vertex is called.
pub fn problem(file: &str, name: &dyn Fn(u32) -> String, source: EditError) -> EditProblem {
    let message = match source {
        EditError::Length { vertex, length } => {
            format!("the branch above {} has length {length}", name(vertex))
        }
        EditError::NoBranch { vertex } => {
            format!("no branch above {} joins tips, so the root cannot be there", name(vertex))
        }
        EditError::NoClade { intruder, in_outgroup, count } => {
            let others = match count {
                1 => String::new(),
                count => format!(" (and {} more)", count - 1),
            };
            match in_outgroup {
                true => format!(
                    "the outgroup is no clade of the unrooted tree: {}{others} is not in it, but \
                    lies among its tips",
                    name(intruder)
                ),
                false => format!(
                    "the outgroup is no clade of the unrooted tree: its tip {}{others} lies among \
                    the other tips",
                    name(intruder)
                ),
            }
        }
        EditError::Apart { first, second } => {
            format!("{} and {} are in different trees", name(first), name(second))
        }
        ref other => other.to_string(),
    };
    EditProblem::Edit { file: file.to_string(), message, source }
}

impl EditProblem {
    /// The same for a tree from a file.
    pub fn of(file: &TreeFile, source: EditError) -> EditProblem {
        problem(&file.name, &|v| shown(&file.labels.get(v)), source)
    }
}
