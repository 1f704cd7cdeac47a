//! Figures of a program's run on a mesh: iterations of its loops, and what they communicated.

use super::*;
use palmette_language::run::{Ended, LoopRecord, Outcome};
use palmette_language::{Exchange, Program};
use palmette_mesh::element::node_graph;
use palmette_mesh::{PartitionError, PartitionParams, partition};

/// Adds what a program runs on: parts of elements; unknowns, which are nodes times components.
pub fn run_parts(record: &mut Record, parts: usize, unknowns: usize) {
    record.figure("parts", parts).figure("unknowns", unknowns);
}

/// What a run did.
#[derive(Debug)]
pub struct RunFigures<'a> {
    /// The program.
    pub program: &'a Program,
    /// What happened.
    pub outcome: &'a Outcome,
    /// What the program printed, in order.
    pub printed: &'a [(String, f64)],
}

/// How a loop ended: `never`, `limit`, `test`, or `nan` because its test was not a number.
pub fn loop_end(record: &LoopRecord) -> &'static str {
    let odd = |&(left, right): &(f64, f64)| left.is_nan() || right.is_nan();
    match record.ended {
        Ended::Never => "never",
        Ended::Limit => "limit",
        Ended::Test if record.tests.last().is_some_and(odd) => "nan",
        Ended::Test => "test",
    }
}

impl Figures for RunFigures<'_> {
    fn figures(&self, record: &mut Record) {
        let RunFigures { program, outcome, printed } = *self;
        // The loop that time is spent in; of equals the first.
        if let Some(busiest) = outcome.loops.iter().rev().max_by_key(|record| record.rounds) {
            let rounds = busiest.rounds.max(1) as f64;
            record
                .figure("iterations", busiest.rounds)
                .figure("messages_per_iteration", busiest.traffic.messages as f64 / rounds)
                .figure("words_per_iteration", busiest.traffic.words as f64 / rounds);
        }
        if let Some((_, value)) = printed.iter().rev().find(|(label, _)| label == "residual") {
            record.figure("residual", *value);
        }
        figures!(record, outcome.traffic => exchanges, messages, words, reductions);
        let loops = program.loops.iter().zip(&outcome.loops).map(|(facts, record)| {
            json!({
                "line": facts.line,
                "text": facts.text,
                "entered": record.entered,
                "iterations": record.rounds,
                "ended": loop_end(record),
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
    }

    fn lists(&self) -> &'static [&'static str] {
        &["loops", "printed"]
    }
}

/// What an iteration communicates: with parts of nodes, and with parts of elements with and
/// without delayed assembly.
#[derive(Debug, Clone, PartialEq)]
pub struct ExchangeComparison {
    /// Three ways for each place.
    pub rows: Vec<ExchangeRow>,
}

/// What one way of cutting communicates at one place of a program.
#[derive(Debug, Clone, PartialEq)]
pub struct ExchangeRow {
    /// The place: outside loops, or a loop.
    pub place: String,
    /// What parts are of, and how they are assembled.
    pub way: &'static str,
    /// Exchanges, messages and words; whole numbers where they are.
    pub counts: [Value; 3],
}

impl ExchangeComparison {
    /// Compares what assemblies send with what products would with parts of the nodes.
    ///
    /// # Errors
    /// No partition of the nodes.
    pub fn of(
        program: &Program,
        mesh: &Mesh,
        assembly: Exchange,
        params: &PartitionParams,
    ) -> Result<ExchangeComparison, PartitionError> {
        let graph = node_graph(mesh);
        let nodes = partition(&graph, mesh.points(), None, params)?;
        let quotient = Quotient::of(&graph, &nodes.part, params.parts as usize);
        let ghosts = Exchange::of(&quotient, usize::from(program.problem.components));
        let (outside, loops) = program.counts();
        let all = [("outside loops".to_string(), program.ghosts.outside, outside)].into_iter();
        let of_loops = program.loops.iter().zip(&program.ghosts.loops).zip(loops);
        let of_loops = of_loops.map(|((facts, fetched), counts)| {
            (format!("line {}, per iteration", facts.line), *fetched, counts)
        });
        let mut rows = Vec::new();
        for (place, fetched, counts) in all.chain(of_loops) {
            let ways = [
                ("nodes", fetched, ghosts),
                ("elements, products assembled at once", counts.undelayed, assembly),
                ("elements, delayed assembly", counts.assemblies, assembly),
            ];
            rows.extend(ways.map(|(way, count, exchange)| {
                let (messages, words) = (exchange.messages as f64, exchange.words as f64);
                let counts = [count, count * messages, count * words].map(whole);
                ExchangeRow { place: place.clone(), way, counts }
            }));
        }
        Ok(ExchangeComparison { rows })
    }
}

impl Figures for ExchangeComparison {
    fn figures(&self, record: &mut Record) {
        let row =
            |ExchangeRow { place, way, counts: [exchanges, messages, words] }: &ExchangeRow| {
                json!({
                    "place": place, "parts_of": way, "exchanges": exchanges,
                    "messages": messages, "words": words,
                })
            };
        record.figure("traffic", self.rows.iter().map(row).collect::<Vec<Value>>());
    }

    fn lists(&self) -> &'static [&'static str] {
        &["traffic"]
    }
}
