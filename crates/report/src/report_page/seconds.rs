//! Where the time went.

use super::words;
use crate::svg::{decimal, escape};
use crate::table::Cell;
use palmette_core::Record;
use serde_json::Value;
use std::fmt::Write;

/// Phases and their seconds; NaN, and more than any run can take, count as nothing.
pub(super) fn phases(record: &Record) -> Vec<(&str, f64)> {
    let seconds = |value: &Value| value.as_f64().filter(|s| (0.0..1e15).contains(s)).unwrap_or(0.0);
    record.seconds.iter().map(|(phase, value)| (phase.as_str(), seconds(value))).collect()
}

pub(super) fn total(record: &Record) -> f64 {
    phases(record).iter().map(|phase| phase.1).sum()
}

/// Seconds as a cell: all digits under the pointer.
pub(super) fn cell(seconds: f64) -> Cell {
    Cell::from(seconds).hinted(format!("{seconds} s"))
}

/// A row per phase, with a bar as long as its share of the longest.
pub(super) fn write(page: &mut String, record: &Record) {
    let phases = phases(record);
    if phases.is_empty() {
        return;
    }
    let longest = phases.iter().map(|phase| phase.1).fold(0.0, f64::max).max(f64::MIN_POSITIVE);
    let total = total(record);
    page.push_str("<table class=\"phases\">\n<caption>Seconds</caption>\n<tbody>\n");
    let mut row = |name: &str, seconds: f64, bar: &str| {
        let Cell { text, hint, .. } = cell(seconds);
        let (name, hint) = (escape(&words(name)), escape(&hint));
        let _ = writeln!(
            page,
            "<tr><th scope=\"row\">{name}</th><td class=\"number\" data-hint=\"{hint}\">{text}</td>\
             <td class=\"bar\">{bar}</td></tr>"
        );
    };
    for &(phase, seconds) in &phases {
        let share = decimal(100.0 * seconds / longest);
        row(phase, seconds, &format!("<span style=\"width:{share}%\"></span>"));
    }
    if phases.len() > 1 {
        row("together", total, "");
    }
    page.push_str("</tbody>\n</table>\n");
}
