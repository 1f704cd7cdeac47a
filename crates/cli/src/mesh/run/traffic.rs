//! What an iteration communicates: parts of nodes against parts of elements, with and
//! without delayed assembly.

use super::super::figures::{count_cell, whole};
use crate::session::Session;
use anyhow::anyhow;
use palmette::io::MeshFile;
use palmette::language::{Exchange, Program};
use palmette::mesh::element::node_graph;
use palmette::mesh::{PartitionParams, Quotient, partition};
use palmette_report::{Cell, Table};
use serde_json::{Value, json};

/// Notes the comparison and returns it as a table.
pub(super) fn compare(
    session: &mut Session,
    program: &Program,
    file: &MeshFile,
    assembly: Exchange,
    params: &PartitionParams,
) -> anyhow::Result<String> {
    let (graph, points) = (node_graph(&file.mesh), file.mesh.points());
    let nodes = session.phase("partition", || partition(&graph, points, None, params));
    let nodes = nodes.map_err(|error| anyhow!("{}: {error}", file.name))?;
    let quotient = Quotient::of(&graph, &nodes.part, params.parts as usize);
    let ghosts = Exchange::of(&quotient, usize::from(program.problem.components));
    let (outside, loops) = program.counts();
    let all = [("outside loops".to_string(), program.ghosts.outside, outside)].into_iter();
    let of_loops = program.loops.iter().zip(&program.ghosts.loops).zip(loops);
    let of_loops = of_loops.map(|((facts, fetched), counts)| {
        (format!("line {}, an iteration", facts.line), *fetched, counts)
    });
    let mut table = Table::new(&["", "parts of", "exchanges", "messages", "words"]);
    let mut figures: Vec<Value> = Vec::new();
    for (place, fetched, counts) in all.chain(of_loops) {
        let ways = [
            ("nodes", fetched, ghosts),
            ("elements, products assembled at once", counts.undelayed, assembly),
            ("elements, delayed assembly", counts.assemblies, assembly),
        ];
        for (k, (way, count, exchange)) in ways.into_iter().enumerate() {
            let (messages, words) =
                (count * exchange.messages as f64, count * exchange.words as f64);
            let name = if k == 0 { place.as_str() } else { "" };
            let [count, messages, words] = [count, messages, words].map(whole);
            let cells = [&count, &messages, &words].map(count_cell);
            table.row([Cell::from(name), Cell::from(way)].into_iter().chain(cells));
            figures.push(json!({
                "place": place, "parts_of": way, "exchanges": count,
                "messages": messages, "words": words,
            }));
        }
    }
    session.record.figure("traffic", figures);
    Ok(format!("\n{table}"))
}
