//! What parts send for a product and for `z = A x + B y`, dealt out by nodes and by elements.

use crate::mesh::input::Input;
use crate::table::Table;
use palmette_mesh::partition::element_partition;
use palmette_mesh::spmv::{Alone, RowWorld, Traffic, World, pieces, row_pieces};
use palmette_mesh::{PartitionParams, partition};

type Failure = Box<dyn std::error::Error>;

/// The head of the table.
pub const HEAD: [&str; 7] = [
    "mesh",
    "parts",
    "by nodes: A x",
    "by elements: A x",
    "by nodes: A x + B y",
    "by elements, each assembled",
    "by elements, delayed",
];

/// Messages and words of one mesh in parts.
///
/// # Errors
/// When there are more parts than nodes.
pub fn measure(input: &Input, parts: u32, table: &mut Table) -> Result<(), Failure> {
    let params = PartitionParams { parts, ..Default::default() };
    let part = partition(&input.graph, input.points(), None, &params)?.part;
    let rows = row_pieces(&input.mesh, &part, parts as usize)?;
    let by_nodes = RowWorld::new(rows, 1, Alone)?.product_traffic();
    let part = element_partition(&input.mesh, None, &params)?.part;
    let world = World::alone(pieces(&input.mesh, &part, parts as usize)?, 1)?;
    let by_elements = world.assembly_traffic();
    let cell = |times: u64, t: Traffic| format!("{}, {}", times * t.messages, times * t.words);
    table.row(vec![
        input.name.clone(),
        parts.to_string(),
        cell(1, by_nodes),
        cell(1, by_elements),
        cell(2, by_nodes),
        cell(2, by_elements),
        cell(1, by_elements),
    ]);
    Ok(())
}
