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

/// Rounds for more ranks: each round of ranking leaves two thirds of the list, there and back.
pub fn rounds_for(counted: Counted, counted_ranks: usize, ranks: usize) -> f64 {
    let more = (ranks as f64 / counted_ranks as f64).ln() / 1.5f64.ln();
    // A round and its sum, and the way back.
    counted.rounds as f64 + 3.0 * more.max(0.0).ceil()
}

/// Adds a row for so many vertices and ranks.
pub fn project(
    name: &str,
    (counted, counted_ranks): (Counted, usize),
    nanoseconds: f64,
    (vertices, ranks): (f64, usize),
    table: &mut Table,
) {
    let share = vertices / ranks as f64;
    let words = counted.words * share + GATHERED * ranks as f64;
    let rounds = rounds_for(counted, counted_ranks, ranks);
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
