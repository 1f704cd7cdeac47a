//! A mesh of a million nodes: time and memory.

use super::cuts::{cut, ours};
use super::input::Input;
use super::peers::{Desk, Scheme};
use crate::goals::Goals;
use crate::memory::most_bytes;
use crate::table::Table;
use crate::timing::pool;
use palmette_mesh::{PartitionParams, partition};

/// The head of the table.
pub const HEAD: [&str; 7] =
    ["mesh", "nodes", "who", "cut", "best seconds", "to METIS kway", "bytes per node, at most"];

/// How many times METIS's time may be taken.
const SLOWER: f64 = 2.0;

type Failure = Box<dyn std::error::Error>;

/// Ours on one and two threads and METIS kway; the best of some turns.
///
/// # Errors
/// When METIS fails.
pub fn measure(
    input: &Input,
    parts: u32,
    turns: u64,
    desk: Option<&Desk>,
    table: &mut Table,
    goals: &mut Goals,
) -> Result<(), Failure> {
    let graph = &input.graph;
    let params = PartitionParams { parts, ..PartitionParams::default() };
    let mut best = [f64::INFINITY; 2];
    let mut cuts = [0; 2];
    for _ in 0..turns {
        // In turns, so that both see the same machine.
        let found = ours(input, &params, 1);
        best[0] = best[0].min(found[0].seconds);
        cuts[0] = cut(graph, &found[0].part);
        if let Some(desk) = desk {
            let found = desk.metis(graph, parts, Scheme::Kway, 1)?;
            best[1] = best[1].min(found[0].seconds);
            cuts[1] = cut(graph, &found[0].part);
        }
    }
    let two = pool(2);
    let (found, bytes) =
        most_bytes(|| two.install(|| partition(graph, input.points(), None, &params)));
    found.expect("the study's meshes can be cut");
    let own = size_of_val(graph.offsets())
        + size_of_val(graph.all_neighbours())
        + size_of_val(graph.all_weights())
        + size_of_val(input.points());
    let a_node = |bytes: usize| (bytes as f64 / graph.len() as f64).round();
    let memory = format!("{} beside {} of graph and points", a_node(bytes), a_node(own));
    let whose = [("palmette, 2 threads", memory), ("METIS kway", "–".to_string())];
    let rows = if desk.is_some() { 2 } else { 1 };
    for (k, (who, memory)) in whose.into_iter().enumerate().take(rows) {
        let ratio = if rows == 2 { format!("{:.2}", best[k] / best[1]) } else { "–".to_string() };
        table.row(vec![
            input.name.clone(),
            graph.len().to_string(),
            who.to_string(),
            cuts[k].to_string(),
            format!("{:.2}", best[k]),
            ratio,
            memory,
        ]);
    }
    if rows == 2 {
        let what = format!("{}, {parts} parts, seconds to METIS kway", input.name);
        goals.at_most(&what, SLOWER, best[0] / best[1], " times");
    }
    Ok(())
}
