//! One run in a report.

use super::figures::Figures;
use super::pictures::{self, file_stems};
use super::{Shown, seconds};
use crate::page::tables;
use crate::svg::escape;
use palmette_core::Record;
use std::fmt::Write;

pub(super) fn write(page: &mut String, number: usize, record: &Record, shown: &[Shown<'_>]) {
    open(page, number, record);
    if !shown.is_empty() {
        page.push_str("<div class=\"pictures\">\n");
        for (one, stem) in shown.iter().zip(file_stems(number + 1, record, "")) {
            pictures::write(page, &stem, one, "");
        }
        page.push_str("</div>\n");
    }
    let figures = Figures::of(&record.result);
    page.push_str("<div class=\"columns\">\n<div>\n");
    tables::write(page, "Figures", &figures.rows);
    page.push_str("</div>\n<div>\n");
    let parameters = Figures::of(&record.parameters);
    tables::write(page, "Parameters", &parameters.rows);
    seconds::write(page, record);
    page.push_str("</div>\n</div>\n");
    for (name, table) in figures.tables.iter().chain(&parameters.tables) {
        tables::write(page, name, table);
    }
    for (name, table) in figures.lists.iter().chain(&parameters.lists) {
        let _ = writeln!(page, "<details>\n<summary>{}</summary>", escape(name));
        tables::write(page, name, table);
        page.push_str("</details>\n");
    }
    write_command(page, record, "");
    page.push_str("</section>\n");
}

/// The section's heading: the command, what it read, and what there is to see.
pub(super) fn open(page: &mut String, number: usize, record: &Record) {
    let (command, input) = (escape(&record.command), escape(&record.input));
    let number = number + 1;
    let _ = write!(
        page,
        "<section id=\"run-{number}\" aria-labelledby=\"name-{number}\">\n\
         <h2 id=\"name-{number}\"><span class=\"ordinal\">{number}</span> {command}</h2>\n"
    );
    if !input.is_empty() {
        let _ = writeln!(page, "<p class=\"input\">{input}</p>");
    }
    if !record.about.is_empty() {
        let _ = writeln!(page, "<p class=\"about\">{}</p>", escape(&record.about));
    }
}

/// What to type for such a run; the script adds a button that copies it.
pub(super) fn write_command(page: &mut String, record: &Record, side: &str) {
    if record.command_line.is_empty() {
        return;
    }
    let (line, side) = (escape(&record.command_line), escape(side));
    let side = if side.is_empty() { side } else { format!("<span class=\"side\">{side}</span>\n") };
    let _ = writeln!(
        page,
        "<div class=\"command\">{side}<pre tabindex=\"0\" aria-label=\"Command line\">\
         <code>{line}</code></pre></div>"
    );
}
