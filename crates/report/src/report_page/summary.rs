//! The top of a report: what ran, how long, and where to read on.

use super::figures::{cell, flat};
use super::seconds;
use crate::number::counted;
use crate::svg::escape;
use palmette_core::Record;
use std::fmt::Write;

/// So many figures stand beside a run.
const FIGURES: usize = 3;

pub(super) fn write(page: &mut String, records: &[Record]) {
    let total: f64 = records.iter().map(seconds::total).sum();
    let pictures: usize = records.iter().map(|record| record.pictures.len()).sum();
    let mut facts = vec![counted(records.len() as u64, "run", "runs")];
    if pictures > 0 {
        facts.push(counted(pictures as u64, "picture", "pictures"));
    }
    if total > 0.0 {
        facts.push(format!("{} s of computing", seconds::cell(total).text));
    }
    let _ = writeln!(page, "<p class=\"facts\">{}</p>", facts.join(" · "));
    if records.len() < 2 {
        return;
    }
    page.push_str("<nav aria-label=\"Runs\">\n<ol class=\"contents\">\n");
    for (i, record) in records.iter().enumerate() {
        let time = match seconds::total(record) {
            0.0 => String::new(),
            total => format!("{} s", seconds::cell(total).text),
        };
        let _ = writeln!(
            page,
            "<li><a href=\"#run-{}\">{}</a><span class=\"key\">{}</span>\
             <span class=\"time\">{time}</span></li>",
            i + 1,
            escape(&record.command),
            key_figures(record),
        );
    }
    page.push_str("</ol>\n</nav>\n");
}

/// The first figures that are numbers.
fn key_figures(record: &Record) -> String {
    let numbers = flat(&record.result).into_iter().filter(|(_, value)| value.is_number());
    let texts: Vec<String> = numbers
        .take(FIGURES)
        .map(|(name, value)| {
            format!("<span>{} <b>{}</b></span>", escape(&name), escape(&cell(value).text))
        })
        .collect();
    texts.join(" ")
}
