//! The top of a report: what ran, for how long, and links to the sections.

use super::figures::cell;
use super::{seconds, words};
use crate::number::counted;
use crate::svg::escape;
use palmette_core::Record;
use std::fmt::Write;

/// So many figures stand beside a run.
const FIGURES: usize = 3;

/// What runs are measured by, the most telling first.
const TELLING: &str = "\
    energy_per_vertex depth rounds hopsum phases max_link_load cut imbalance copies kept_edges \
    recovered_edges condition iterations residual leaves height queries";

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
    let entry = |record: &Record| {
        let time = match seconds::total(record) {
            0.0 => String::new(),
            total => format!("{} s", seconds::cell(total).text),
        };
        (record.command.clone(), key_spans(record), time)
    };
    write_contents(page, records.iter().map(entry));
}

/// Links to the sections, unless there is only one: the command, key figures and the time of each.
pub(super) fn write_contents(
    page: &mut String,
    runs: impl ExactSizeIterator<Item = (String, String, String)>,
) {
    if runs.len() < 2 {
        return;
    }
    page.push_str("<nav aria-label=\"Runs\">\n<ol class=\"contents\">\n");
    for (i, (command, key, time)) in runs.enumerate() {
        let (number, command) = (i + 1, escape(&command));
        let _ = writeln!(
            page,
            "<li><a href=\"#run-{number}\">{command}</a><span class=\"key\">{key}</span>\
             <span class=\"time\">{time}</span></li>"
        );
    }
    page.push_str("</ol>\n</nav>\n");
}

fn key_spans(record: &Record) -> String {
    let figures = key_figures(record).into_iter();
    let span = |(name, value): (String, String)| {
        format!("<span>{} <b>{}</b></span>", escape(&name), escape(&value))
    };
    figures.map(span).collect::<Vec<String>>().join(" ")
}

/// The figures that say most about a run, by name: those that its kind of run is measured by,
/// otherwise the first numbers.
pub fn key_figures(record: &Record) -> Vec<(String, String)> {
    let telling = TELLING.split(' ').filter_map(|key| Some((key, record.result.get(key)?)));
    let others = record.result.iter().map(|(key, value)| (key.as_str(), value));
    let others = others.filter(|(key, _)| TELLING.split(' ').all(|telling| telling != *key));
    let numbers = telling.chain(others).filter(|(_, value)| value.is_number());
    numbers.take(FIGURES).map(|(key, value)| (words(key), cell(value).text)).collect()
}
