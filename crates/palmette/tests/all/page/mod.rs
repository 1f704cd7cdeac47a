//! ARCHITECTURE.md as data: its tables.

use std::path::PathBuf;

/// The folder of the workspace.
pub(crate) fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

/// The text of the page.
pub(crate) fn text() -> String {
    std::fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap()
}

/// The cells of the table whose header starts with these columns, row by row.
pub(crate) fn table(columns: &[&str]) -> Vec<Vec<String>> {
    let text = text();
    let cells = |line: &str| -> Option<Vec<String>> {
        let line = line.strip_prefix('|')?.strip_suffix('|')?;
        Some(line.split('|').map(|cell| cell.trim().to_string()).collect())
    };
    let mut lines = text.lines().skip_while(|line| cells(line).is_none_or(|c| c != columns));
    assert!(lines.next().is_some(), "ARCHITECTURE.md has no table with the columns {columns:?}");
    lines.skip(1).map_while(cells).collect()
}
