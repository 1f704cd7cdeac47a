//! What docs/theorems.md says of thirty seeds: the bounds of guards, in one place.

use palmette_core::generate::Shape;
use palmette_spatial::machine::Given;

const PAGE: &str = include_str!("../../../../../docs/theorems.md");

/// The cells of the table whose head begins with these two, by line.
fn table(head: [&str; 2]) -> Vec<Vec<&'static str>> {
    let begins = format!("| {} | {} |", head[0], head[1]);
    let lines = PAGE.lines().skip_while(|line| !line.starts_with(&begins));
    let cells = |line: &'static str| line.trim_matches('|').split('|').map(str::trim).collect();
    let rows: Vec<Vec<&str>> = lines.take_while(|line| line.starts_with('|')).map(cells).collect();
    assert!(rows.len() > 2, "docs/theorems.md has no table that begins with {begins}");
    rows
}

/// A median and a 99th percentile, as in `4.38 / 4.62 path`.
fn pair(cell: &str) -> Option<[f64; 2]> {
    let mut numbers = cell.split([' ', '/']).filter_map(|word| word.parse().ok());
    Some([numbers.next()?, numbers.next()?])
}

fn cell(head: [&str; 2], row: &[&str], column: &str) -> Option<[f64; 2]> {
    let table = table(head);
    let at = table[0].iter().position(|name| *name == column)?;
    let row = table.iter().find(|cells| cells.starts_with(row));
    pair(row.unwrap_or_else(|| panic!("docs/theorems.md has no row {row:?}"))[at])
}

/// The first column of a table with everything paid for, or given.
pub(super) fn what(given: Given) -> &'static str {
    if given == Given::NOTHING { "program" } else { "with gifts" }
}

/// Of a program and figure at 2^k, on the shape with the largest 99th percentile: the median and
/// that.
pub(super) fn largest(given: Given, program: &str, figure: &str, k: u32) -> Option<[f64; 2]> {
    cell([what(given), "figure"], &[program, figure], &format!("2^{k}"))
}

/// Fails unless what one of the thirty seeds gave is at most the 99th percentile at 2^k.
pub(crate) fn within(given: Given, program: &str, figure: &str, k: u32, found: f64, what: &str) {
    let documented = largest(given, program, figure, k);
    let [_, tail] = documented.unwrap_or_else(|| panic!("{what} is not documented"));
    assert!(found <= tail + 0.005_1, "{what}: {found:.3}, documented {tail}");
}

/// The same of one shape at 2^10.
pub(super) fn of_shape(given: Given, shape: Shape, column: &str) -> Option<[f64; 2]> {
    let head = if given == Given::NOTHING {
        ["shape", "leaffix: energy / n"]
    } else {
        ["shape, with gifts", "creation: energy / n^1.5"]
    };
    cell(head, &[&shape.to_string()], column)
}
