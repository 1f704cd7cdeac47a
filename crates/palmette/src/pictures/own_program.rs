//! Programs of the user's: where their messages went.

use super::program::{BothWays, MAX_DRAWN_CELLS};
use super::*;
use palmette_spatial::machine::Machine;

/// The messages of all programs over every link. Nothing where links were not counted or the
/// grid is too large.
pub fn own_program(name: &str, machine: &Machine) -> Option<Picture> {
    let loads = machine.link_loads().filter(|_| machine.grid().len() <= MAX_DRAWN_CELLS)?;
    let costs = machine.costs();
    let each = costs.energy as f64 / machine.processors().max(1) as f64;
    let subtitle = format!("{each:.2} energy per processor, depth {}", costs.depth);
    let svg = BothWays::of(&loads).drawing(&title(name), &subtitle).to_svg();
    Some(still("links", "Messages over links", svg))
}
