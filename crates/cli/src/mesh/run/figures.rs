//! What a run did, in figures.

use crate::session::Session;
use palmette::language::Program;
use palmette::language::run::{Ended, LoopRecord, Outcome};
use palmette_report::{Cell, Table};
use serde_json::{Map, Value, json};

/// Figures that the end of the summary says to people.
pub(super) const SAID: &[&str] = &["loops", "printed", "outputs", "traffic"];

/// The loop with most rounds: the one that time is spent in.
fn busiest(outcome: &Outcome) -> Option<&LoopRecord> {
    // Of equals the first.
    outcome.loops.iter().rev().max_by_key(|record| record.rounds)
}

/// How a loop ended; no number passes a test.
fn ended(record: &LoopRecord) -> &'static str {
    let odd = |&(left, right): &(f64, f64)| left.is_nan() || right.is_nan();
    match record.ended {
        Ended::Never => "never",
        Ended::Limit => "limit",
        Ended::Test if record.tests.last().is_some_and(odd) => "nan",
        Ended::Test => "test",
    }
}

/// Notes what happened; `printed` is what the program printed.
pub(super) fn note(
    session: &mut Session,
    program: &Program,
    outcome: &Outcome,
    printed: &[(String, f64)],
) {
    let record = &mut session.record;
    if let Some(busiest) = busiest(outcome) {
        let rounds = busiest.rounds.max(1) as f64;
        record
            .figure("iterations", busiest.rounds)
            .figure("messages_per_iteration", busiest.traffic.messages as f64 / rounds)
            .figure("words_per_iteration", busiest.traffic.words as f64 / rounds);
    }
    let residual = printed.iter().rev().find(|(label, _)| label == "residual");
    if let Some((_, value)) = residual {
        record.figure("residual", *value);
    }
    record
        .figure("exchanges", outcome.traffic.exchanges)
        .figure("messages", outcome.traffic.messages)
        .figure("words", outcome.traffic.words)
        .figure("reductions", outcome.traffic.reductions);
    let loops = program.loops.iter().zip(&outcome.loops).map(|(facts, record)| {
        json!({
            "line": facts.line,
            "text": facts.text,
            "entered": record.entered,
            "iterations": record.rounds,
            "ended": ended(record),
            "last_test": record.tests.last(),
            "exchanges": record.traffic.exchanges,
            "messages": record.traffic.messages,
            "words": record.traffic.words,
            "reductions": record.traffic.reductions,
        })
    });
    record.figure("loops", loops.collect::<Vec<Value>>());
    let mut values: Map<String, Value> = Map::new();
    for (label, value) in printed {
        values.insert(label.clone(), json!(value));
    }
    record.figure("printed", values);
    for (facts, record) in program.loops.iter().zip(&outcome.loops) {
        let Some((left, right)) = record.tests.last() else { continue };
        let why = match ended(record) {
            "limit" => "at its limit",
            "nan" => "because its test has no number",
            _ => continue,
        };
        session.note(&format!(
            "line {}: `{}` ended {why}, after {} rounds, with {left:e} against {right:e}",
            facts.line, facts.text, record.rounds
        ));
    }
}

/// Loops and what they communicated, for people.
pub(super) fn summary(program: &Program, outcome: &Outcome) -> String {
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
