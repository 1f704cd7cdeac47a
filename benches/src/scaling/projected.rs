//! What a job of many ranks would take.
//!
//! Seconds = vertices of a slice × what one costs a core + words received / bandwidth + rounds
//! × what a call of all ranks costs, which is a message to every other rank.

use super::counted::Counted;
use crate::table::Table;

/// The network that is assumed.
#[derive(Debug, Clone, Copy)]
pub struct Network {
    /// Bytes per second that a rank receives.
    pub bandwidth: f64,
    /// Seconds from the first message of a call to its arrival.
    pub latency: f64,
    /// Seconds between two messages of a rank.
    pub gap: f64,
}

/// 16 ranks on a machine with one port of 200 Gbit/s.
pub const NETWORK: Network = Network { bandwidth: 25e9 / 16.0, latency: 2e-6, gap: 0.2e-6 };

/// Words that every rank gets from every other in all gathers together; tests hold it.
const GATHERED: f64 = 40.0;

/// The columns of the table.
pub const HEAD: [&str; 8] = [
    "tree",
    "vertices",
    "ranks",
    "words per rank",
    "rounds",
    "computing, s",
    "words, s",
    "rounds, s",
];

/// Rounds for more ranks: they grow with the logarithm, as they did between the last two counts.
pub fn rounds_for([before, last]: [(Counted, usize); 2], ranks: usize) -> f64 {
    let doublings = |from: usize, to: usize| (to as f64 / from as f64).log2();
    let grown = last.0.rounds as f64 - before.0.rounds as f64;
    let more = grown.max(0.0) / doublings(before.1, last.1) * doublings(last.1, ranks).max(0.0);
    last.0.rounds as f64 + more.ceil()
}

/// Adds a row for so many vertices and ranks.
pub fn project(
    name: &str,
    counted: [(Counted, usize); 2],
    nanoseconds: f64,
    (vertices, ranks): (f64, usize),
    table: &mut Table,
) {
    let share = vertices / ranks as f64;
    let rounds = rounds_for(counted, ranks);
    // Where chains are walked, a round has a word for every rank.
    let words = counted[1].0.words * share + (GATHERED + rounds) * ranks as f64;
    let Network { bandwidth, latency, gap } = NETWORK;
    table.row(vec![
        name.to_string(),
        format!("{vertices:.0e}"),
        ranks.to_string(),
        format!("{words:.2e}"),
        format!("{rounds:.0}"),
        format!("{:.3}", 1e-9 * nanoseconds * share),
        format!("{:.3}", 8.0 * words / bandwidth),
        format!("{:.3}", rounds * (latency * (ranks as f64).log2() + gap * ranks as f64)),
    ]);
}
