//! Edges between parts.

use super::input::Input;
use super::median;
use super::peers::{Answer, Desk, Scheme};
use crate::goals::Goals;
use crate::table::Table;
use crate::timing::pool;
use palmette_core::Graph;
use palmette_mesh::{PartitionParams, partition};
use std::time::Instant;

/// The head of the table.
pub const HEAD: [&str; 9] = [
    "mesh",
    "nodes",
    "parts",
    "who",
    "cut, median",
    "to ours",
    "least and most",
    "largest part, times the mean",
    "seconds",
];

type Failure = Box<dyn std::error::Error>;

/// Edges whose ends are in different parts.
pub(super) fn cut(graph: &Graph, part: &[u32]) -> u64 {
    graph.edges().filter(|e| part[e.0 as usize] != part[e.1 as usize]).count() as u64
}

fn imbalance(part: &[u32], parts: u32) -> f64 {
    let mut sizes = vec![0u32; parts as usize];
    part.iter().for_each(|&p| sizes[p as usize] += 1);
    f64::from(sizes.into_iter().max().unwrap_or(0)) * f64::from(parts) / part.len() as f64
}

/// Parts of a mesh by us, once for each seed, on two threads.
pub(super) fn ours(input: &Input, params: &PartitionParams, seeds: u64) -> Vec<Answer> {
    let pool = pool(2);
    let answer = |seed: u64| {
        let params = PartitionParams { seed, ..*params };
        let start = Instant::now();
        let found = pool.install(|| partition(&input.graph, input.points(), None, &params));
        let seconds = start.elapsed().as_secs_f64();
        Answer { part: found.expect("the study's meshes can be cut").part, seconds }
    };
    (0..seeds).map(answer).collect()
}

/// Ours, the separator alone, METIS and Scotch; the median of some seeds.
///
/// # Errors
/// When a peer fails.
pub fn measure(
    input: &Input,
    parts: u32,
    seeds: u64,
    desk: Option<&Desk>,
    table: &mut Table,
    goals: &mut Goals,
) -> Result<(), Failure> {
    let params = PartitionParams { parts, ..PartitionParams::default() };
    let alone = PartitionParams { refine: false, ..params };
    let mut all = vec![
        ("palmette", ours(input, &params, seeds)),
        ("palmette, separators alone", ours(input, &alone, seeds)),
    ];
    if let Some(desk) = desk {
        let graph = &input.graph;
        all.push(("METIS kway", desk.metis(graph, parts, Scheme::Kway, seeds)?));
        all.push(("METIS rb", desk.metis(graph, parts, Scheme::Bisection, seeds)?));
        all.push(("Scotch", desk.scotch(graph, &format!("cmplt {parts}"), seeds)?));
    }
    let mut medians = Vec::new();
    for (who, answers) in &all {
        let mut cuts: Vec<u64> = answers.iter().map(|a| cut(&input.graph, &a.part)).collect();
        cuts.sort_unstable();
        let middle = cuts[cuts.len() / 2];
        medians.push(middle as f64);
        let heaviest = answers.iter().map(|a| imbalance(&a.part, parts)).fold(0.0, f64::max);
        let seconds = median(answers.iter().map(|a| a.seconds).collect(), f64::total_cmp);
        table.row(vec![
            input.name.clone(),
            input.graph.len().to_string(),
            parts.to_string(),
            (*who).to_string(),
            middle.to_string(),
            format!("{:.3}", middle as f64 / medians[0]),
            format!("{} … {}", cuts[0], cuts[cuts.len() - 1]),
            format!("{heaviest:.3}"),
            format!("{seconds:.3}"),
        ]);
    }
    if desk.is_some() {
        // At 64 parts no more than METIS kway; at many, a twentieth less than METIS rb.
        let (rival, wanted) = if parts <= 64 { (2, 1.0) } else { (3, 0.95) };
        let what = format!("{}, {parts} parts, cut to that of {}", input.name, all[rival].0);
        goals.at_most(&what, wanted, medians[0] / medians[rival], "");
    }
    Ok(())
}
