//! Elements dealt out, and how many nodes are copied for it.

use super::input::Input;
use super::median;
use super::peers::Desk;
use crate::goals::Goals;
use crate::table::Table;
use palmette_core::Mesh;
use palmette_mesh::PartitionParams;
use palmette_mesh::partition::element_partition;
use std::time::Instant;

/// The head of the table.
pub const HEAD: [&str; 6] =
    ["mesh", "elements", "who", "copies of nodes, median", "to ours", "seconds"];

type Failure = Box<dyn std::error::Error>;

/// How many copies beyond the first nodes have, counted from the elements.
fn copies(mesh: &Mesh, part: &[u32]) -> u64 {
    let mut held: Vec<(u32, u32)> = Vec::new();
    for (nodes, &p) in mesh.elements().iter().zip(part) {
        held.extend(nodes.iter().map(|&node| (node, p)));
    }
    held.sort_unstable();
    held.dedup();
    held.windows(2).filter(|pair| pair[0].0 == pair[1].0).count() as u64
}

/// Ours and mpmetis; the median of some seeds.
///
/// # Errors
/// When METIS fails.
pub fn measure(
    input: &Input,
    parts: u32,
    seeds: u64,
    desk: Option<&Desk>,
    table: &mut Table,
    goals: &mut Goals,
) -> Result<(), Failure> {
    let mesh = &input.mesh;
    let ours = |seed: u64| {
        let start = Instant::now();
        let params = PartitionParams { parts, seed, ..PartitionParams::default() };
        let found = element_partition(mesh, None, &params).expect("the study's meshes can be cut");
        let seconds = start.elapsed().as_secs_f64();
        assert_eq!(found.copies, copies(mesh, &found.part), "the library counts as we do");
        (found.copies, seconds)
    };
    let mut all = vec![("palmette", (0..seeds).map(ours).collect::<Vec<_>>())];
    if let Some(desk) = desk {
        let answers = desk.metis_elements(mesh, parts, seeds)?;
        let counted = answers.iter().map(|a| (copies(mesh, &a.part), a.seconds)).collect();
        all.push(("mpmetis, dual graph", counted));
    }
    let mut medians = Vec::new();
    for (who, answers) in all {
        let middle = median(answers.iter().map(|a| a.0).collect(), u64::cmp);
        let seconds = median(answers.iter().map(|a| a.1).collect(), f64::total_cmp);
        medians.push(middle as f64);
        table.row(vec![
            input.name.clone(),
            mesh.elements().len().to_string(),
            who.to_string(),
            middle.to_string(),
            format!("{:.3}", middle as f64 / medians[0]),
            format!("{seconds:.3}"),
        ]);
    }
    if let [ours, theirs] = medians[..] {
        goals.at_most(&format!("{}, copies to mpmetis", input.name), 1.0, ours / theirs, "");
    }
    Ok(())
}
