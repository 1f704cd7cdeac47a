//! Other names for vertices, from a table.

use super::EditProblem;
use palmette_io::{Labels, Lookup, TreeFile};
use std::collections::HashMap;

/// The result of [`rename`].
#[derive(Debug)]
pub struct Renamed {
    /// The new labels.
    pub labels: Labels,
    /// How many vertices have a new one.
    pub renamed: usize,
    /// How many old names are of no vertex.
    pub missing: usize,
    /// How many vertices got a name that another one has.
    pub shared: usize,
    /// The first row, where it was taken for a header.
    pub header: Option<String>,
}

/// The rows of a table of old and new names: separated by a tab where a row has one, else by a comma;
/// names in double quotes may have both. Empty lines are skipped.
///
/// # Errors
/// A row that does not have two fields.
pub fn read_renames(table: &str, text: &str) -> Result<Vec<(String, String)>, EditProblem> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut rows = Vec::new();
    for (line, row) in (1..).zip(text.lines()) {
        if row.trim().is_empty() {
            continue;
        }
        let separator = if row.contains('\t') { '\t' } else { ',' };
        let fields = fields(row, separator);
        match <[String; 2]>::try_from(fields) {
            Ok([old, new]) => rows.push((old, new)),
            Err(fields) => {
                let (table, found) = (table.to_string(), fields.len());
                return Err(EditProblem::Row { table, line, found });
            }
        }
    }
    Ok(rows)
}

/// The fields of a row, without the quotes around them.
fn fields(row: &str, separator: char) -> Vec<String> {
    let (mut fields, mut field, mut quoted) = (Vec::new(), String::new(), false);
    let mut characters = row.chars().peekable();
    while let Some(c) = characters.next() {
        match c {
            '"' if quoted && characters.peek() == Some(&'"') => {
                characters.next();
                field.push('"');
            }
            '"' if quoted || field.trim().is_empty() => quoted = !quoted,
            c if c == separator && !quoted => fields.push(std::mem::take(&mut field)),
            c => field.push(c),
        }
    }
    fields.push(field);
    fields.iter().map(|field| field.trim().to_string()).collect()
}

/// Gives vertices other names: all at once, so that two may change places. An old name is a vertex's
/// name or a label that no other has. A first row whose old name is of no vertex is a header.
///
/// # Errors
/// When an old name is of no vertex, unless `ignore_missing`; of several; or there twice.
pub fn rename(
    file: &TreeFile,
    table: &str,
    rows: &[(String, String)],
    ignore_missing: bool,
) -> Result<Renamed, EditProblem> {
    let mut new: HashMap<u32, &str> = HashMap::with_capacity(rows.len());
    let (mut missing, mut names, mut header) = (0, Vec::new(), None);
    for (k, (old, name)) in rows.iter().enumerate() {
        let vertex = match file.labels.find(old) {
            Lookup::Unknown if k == 0 && rows.len() > 1 => {
                header = Some(format!("{old}, {name}"));
                continue;
            }
            Lookup::Unknown => {
                missing += 1;
                if names.len() < 3 {
                    names.push(old.clone());
                }
                continue;
            }
            _ => file.vertex(old)?,
        };
        if new.insert(vertex, name).is_some() {
            let (table, row, name) = (table.to_string(), k + 1, old.clone());
            return Err(EditProblem::RenamedTwice { table, row, name });
        }
    }
    if missing > 0 && !ignore_missing {
        let file = file.name.clone();
        return Err(EditProblem::Unknown { file, names, count: missing });
    }
    let mut users: HashMap<&str, usize> = HashMap::with_capacity(new.len());
    new.values().for_each(|&name| *users.entry(name).or_default() += 1);
    let is_shared = |name: &str| {
        let other = match file.labels.find(name) {
            Lookup::Unknown => false,
            Lookup::Vertex(v) => !new.contains_key(&v),
            Lookup::Ambiguous(..) => true,
        };
        !name.is_empty() && (users[name] > 1 || other)
    };
    let shared = new.values().filter(|&&name| is_shared(name)).count();
    let labels = file.labels.replaced(|v| new.get(&v).copied());
    Ok(Renamed { labels, renamed: new.len(), missing, shared, header })
}
