//! What a run did, in words and tables for people.

use crate::prelude::*;
use palmette::figures::{ExchangeComparison, loop_end};
use palmette::language::run::Outcome;

/// Says which loops ended otherwise than by their test.
pub(super) fn note_ends(session: &Session, program: &Program, outcome: &Outcome) {
    for (facts, record) in program.loops.iter().zip(&outcome.loops) {
        let Some((left, right)) = record.tests.last() else { continue };
        let why = match loop_end(record) {
            "limit" => "at its limit",
            "nan" => "because its test was not a number",
            _ => continue,
        };
        session.note(&format!(
            "line {}: `{}` ended {why} after {} iterations, with {left:e} against {right:e}",
            facts.line, facts.text, record.rounds
        ));
    }
}

/// Loops and what they communicated, for people.
pub(super) fn loops(program: &Program, outcome: &Outcome) -> String {
    if outcome.loops.is_empty() {
        return String::new();
    }
    let mut table = Table::new(&["line", "loop", "iterations", "exchanges", "messages", "words"]);
    for (facts, record) in program.loops.iter().zip(&outcome.loops) {
        table.row([
            Cell::from(u64::from(facts.line)),
            Cell::from(facts.text.as_str()),
            Cell::from(record.rounds),
            Cell::from(record.traffic.exchanges),
            Cell::from(record.traffic.messages),
            Cell::from(record.traffic.words),
        ]);
    }
    format!("\n{table}")
}

/// What each way of cutting communicates.
pub(super) fn traffic(found: &ExchangeComparison) -> String {
    let cell = |count: &Value| match count.as_u64() {
        Some(count) => Cell::from(count),
        None => Cell::from(count.as_f64().unwrap_or(f64::NAN)),
    };
    let mut table = Table::new(&["", "parts of", "exchanges", "messages", "words"]);
    let mut last = "";
    for row in &found.rows {
        let place = if row.place == last { "" } else { &row.place };
        let head = [Cell::from(place), Cell::from(row.way)];
        table.row(head.into_iter().chain(row.counts.each_ref().map(cell)));
        last = &row.place;
    }
    format!("\n{table}")
}
