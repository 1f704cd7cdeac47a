//! Markdown tables that are also written between markers of a document.

use std::fmt::Write as _;

/// A table of text cells.
pub struct Table {
    head: Vec<String>,
    rows: Vec<Vec<String>>,
}

impl Table {
    /// An empty table.
    pub fn new(head: &[&str]) -> Self {
        Table { head: head.iter().map(|h| (*h).to_string()).collect(), rows: Vec::new() }
    }

    /// Adds a row and prints it, so that a long run can be watched.
    pub fn row(&mut self, cells: Vec<String>) {
        eprintln!("{}", cells.join(" | "));
        self.rows.push(cells);
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The table as Markdown.
    pub fn markdown(&self) -> String {
        let mut text = String::new();
        let line = |cells: &[String]| format!("| {} |", cells.join(" | "));
        let _ = writeln!(text, "{}\n|{}", line(&self.head), "---|".repeat(self.head.len()));
        for row in &self.rows {
            let _ = writeln!(text, "{}", line(row));
        }
        text
    }
}

/// Replaces what stands between `<!-- name -->` and `<!-- /name -->`.
///
/// # Errors
/// When the file cannot be read or written, or has no such markers.
pub fn write_between(path: &std::path::Path, name: &str, body: &str) -> Result<(), String> {
    let text = std::fs::read_to_string(path).map_err(|e| format!("{}: {e}", path.display()))?;
    let (open, close) = (format!("<!-- {name} -->"), format!("<!-- /{name} -->"));
    let missing = || format!("{}: no section {open} … {close}", path.display());
    let from = text.find(&open).ok_or_else(missing)? + open.len();
    let to = from + text[from..].find(&close).ok_or_else(missing)?;
    let text = format!("{}\n\n{}\n{}", &text[..from], body.trim_end(), &text[to..]);
    std::fs::write(path, text).map_err(|e| format!("{}: {e}", path.display()))
}
