//! Placements and routes as JSON. Keys are stable.
//!
//! | placement | value |
//! |---|---|
//! | `machine` | its description, as `torus:8x8` |
//! | `processors` | by part, its processor |
//! | `coordinates` | by part, the coordinates of its processor or node; on meshes and tori |
//!
//! | routes | value |
//! |---|---|
//! | `machine` | its description |
//! | `channels` | the paths that may touch a processor at a time; null for any number |
//! | `phases` | the number of phases |
//! | `messages` | of each: `from` and `to`, its parts; `values`; `phase`, from 0; `path`, the points on its way, both ends among them: processors of grids, nodes and switches of other networks |
//! | `levels` | instead of the last three on a fat tree, from the root down: `level`, `values` that cross it, `largest`, the most into or out of one group, `capacity` |

use super::{MachineParams, Mapping, MappingTraffic, read_machine};
use palmette_mesh::machine::Lattice;
use palmette_mesh::routing::Phases;
use palmette_mesh::{Machine, Placement};
use serde_json::{Value, json};

/// A placement as JSON: `machine`, `processors` by part and, on meshes and tori, their
/// `coordinates`.
pub fn placement_json(machine: &Machine, placement: &Placement) -> Value {
    let mut value = json!({ "machine": machine.to_string(), "processors": placement.processors() });
    if let Some(lattice) = lattice_of(machine) {
        let at =
            |&p: &u32| Value::from(&lattice.coordinates(machine.point(p))[..lattice.sides().len()]);
        value["coordinates"] = placement.processors().iter().map(at).collect();
    }
    value
}

/// The lattice whose points are the processors or their nodes.
pub(crate) fn lattice_of(machine: &Machine) -> Option<&Lattice> {
    match machine.network() {
        Some(network) => network.lattice(),
        None => machine.lattice(),
    }
}

/// The machine and the placement that [`placement_json`] wrote; none if this is no such value.
pub fn placement_from_json(value: &Value) -> Option<(Machine, Placement)> {
    let text = value["machine"].as_str()?;
    let machine = read_machine(text, &MachineParams::default()).ok()?.machine;
    let number = |value: &Value| value.as_u64().and_then(|number| u32::try_from(number).ok());
    let processors = value["processors"].as_array()?.iter().map(number).collect::<Option<_>>()?;
    let placement = Placement::new(processors, &machine).ok()?;
    Some((machine, placement))
}

/// The routes of a mapping as JSON: `machine`, `channels`, `phases` and `messages` with
/// `from`, `to`, `values`, `phase` and `path`; on a fat tree `levels` with `level`, `values`,
/// `largest` and `capacity`.
pub fn routes_json(mapping: &Mapping) -> Value {
    let machine = mapping.machine.to_string();
    match &mapping.traffic {
        MappingTraffic::Routes(phases) => json!({
            "machine": machine,
            "channels": (phases.limit < u32::MAX).then_some(phases.limit),
            "phases": phases.count,
            "messages": messages(mapping, phases),
        }),
        MappingTraffic::Levels(levels) => {
            let level = |t: &palmette_mesh::placement::LevelTraffic| {
                json!({
                    "level": t.level, "values": t.values,
                    "largest": t.largest, "capacity": t.capacity,
                })
            };
            json!({ "machine": machine, "levels": levels.iter().map(level).collect::<Value>() })
        }
    }
}

fn messages(mapping: &Mapping, phases: &Phases) -> Value {
    let pairs = mapping.quotient.messages().zip(&phases.phase).enumerate();
    let message = |(i, ((from, to, values), &phase))| {
        let path: Vec<u32> = phases.routes.points(i).collect();
        json!({ "from": from, "to": to, "values": values, "phase": phase, "path": path })
    };
    pairs.map(message).collect()
}
