//! Parts on a machine, and what they exchange.

use super::*;
use crate::mapping::lattice_of;
use crate::{Mapping, MappingTraffic};
use palmette_mesh::Quotient;
use palmette_mesh::machine::Lattice;
use palmette_mesh::routing::Phases;
use palmette_report::view::LinksView;
use palmette_report::{
    GroupsDrawing, MAX_PROCESSORS, NetworkDrawing, PlacementDrawing, QuotientDrawing,
};
use serde_json::Value;
use thiserror::Error;

/// What parts exchange, drawn at the means of their points.
pub fn quotient(name: &str, places: &[Point], quotient: &Quotient) -> Picture {
    let mut pairs = Vec::new();
    for a in 0..quotient.parts() as u32 {
        let both = quotient.sends(a).iter().zip(quotient.receives(a)).map(|(s, r)| s + r);
        let found = quotient.partners(a).iter().zip(both).filter(|(b, _)| a < **b);
        pairs.extend(found.map(|(&b, values)| (a, b, values)));
    }
    let title = format!("What the parts of {} exchange", title(name));
    let picture = QuotientDrawing { title: &title, subtitle: "", places, pairs: &pairs };
    still("quotient", "What parts exchange", picture.to_svg())
}

/// Why there is no picture of a placement.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum NotDrawn {
    /// Solids, and machines that have not two dimensions.
    #[error("only plane meshes on machines of two dimensions have an overview")]
    Solid,
    /// Too many processors.
    #[error("only machines with up to {MAX_PROCESSORS} processors or nodes can be drawn")]
    TooLarge,
}

/// Parts on a machine with the loads of its links or groups; on meshes and tori of two dimensions
/// with a view of the loads by phase.
///
/// # Errors
/// A machine that is too large.
pub fn placement(name: &str, mapping: &Mapping) -> Result<Picture, NotDrawn> {
    let title = format!("{} on {}", title(name), mapping.machine);
    let heading = "The placement, with link loads";
    let phases = match &mapping.traffic {
        MappingTraffic::Routes(phases) => phases,
        MappingTraffic::Levels(levels) => {
            let svg = groups(&title, mapping, levels.len())?;
            return Ok(still("placement", "The placement, with traffic", svg));
        }
    };
    let Some(lattice) = lattice_of(&mapping.machine) else {
        return Ok(still("placement", heading, network(&title, mapping, phases)?));
    };
    if lattice.processors() > MAX_PROCESSORS {
        return Err(NotDrawn::TooLarge);
    }
    let (mut parts, mut nodes, mut dead) = (Vec::new(), Vec::new(), Vec::new());
    match mapping.machine.network().filter(|network| !network.groups().is_empty()) {
        Some(_) => nodes = parts_of_points(mapping, lattice.processors()),
        None => {
            parts = vec![NONE; lattice.processors()];
            for (part, &processor) in (0u32..).zip(mapping.placement.processors()) {
                parts[processor as usize] = part;
            }
        }
    }
    if let Some(network) = mapping.machine.network() {
        let points = 0..lattice.processors() as u32;
        dead.extend(points.filter(|&point| network.processors_at(point).next().is_none()));
    }
    let picture = PlacementDrawing {
        title: &title,
        subtitle: "",
        sides: lattice.sides(),
        torus: lattice.is_torus(),
        parts: &parts,
        loads: &phases.routes.loads(),
        nodes: &nodes,
        dead: &dead,
    };
    let still = still("placement", heading, picture.to_svg());
    Ok(Picture { view: links(lattice, phases, &parts), ..still })
}

/// By point, its parts.
fn parts_of_points(mapping: &Mapping, points: usize) -> Vec<Vec<u32>> {
    let mut nodes = vec![Vec::new(); points];
    for (part, &processor) in (0u32..).zip(mapping.placement.processors()) {
        nodes[mapping.machine.point(processor) as usize].push(part);
    }
    nodes
}

/// Parts on a network of any form.
fn network(title: &str, mapping: &Mapping, phases: &Phases) -> Result<String, NotDrawn> {
    let (wires, loads) = (phases.routes.wires(), phases.routes.loads());
    if wires.points() > MAX_PROCESSORS {
        return Err(NotDrawn::TooLarge);
    }
    let mut order: Vec<u32> = mapping.machine.halving_order();
    order.iter_mut().for_each(|processor| *processor = mapping.machine.point(*processor));
    order.dedup();
    let mut both: Vec<(u32, u32, u64, u32)> = wires
        .links()
        .map(|link| {
            let (a, b) = wires.ends(link);
            (a.min(b), a.max(b), loads[link as usize], wires.capacity(link))
        })
        .collect();
    // The fuller direction of each pair comes first.
    both.sort_by_key(|link| (link.0, link.1, std::cmp::Reverse(link.2)));
    both.dedup_by_key(|link| (link.0, link.1));
    let picture = NetworkDrawing {
        title,
        subtitle: "",
        nodes: &parts_of_points(mapping, wires.points()),
        names: mapping.machine.network().map_or(&[][..], |network| network.names()),
        order: &order,
        links: &both,
    };
    Ok(picture.to_svg())
}

/// Parts in groups within groups.
fn groups(title: &str, mapping: &Mapping, levels: usize) -> Result<String, NotDrawn> {
    let processors = mapping.machine.processors();
    let Some(tree) = mapping.machine.fat_tree().filter(|_| processors <= MAX_PROCESSORS) else {
        return Err(NotDrawn::TooLarge);
    };
    let mut parts = vec![NONE; processors];
    for (part, &processor) in (0u32..).zip(mapping.placement.processors()) {
        parts[processor as usize] = part;
    }
    let inside = (1..=levels)
        .filter(|&level| tree.below(level) > 1 && (tree.below(level) as usize) < processors);
    let level = |level: usize| -> Vec<(u32, u64)> {
        let size = tree.below(level);
        let mut out: Vec<(u32, u64)> =
            (0..processors as u32 / size).map(|group| (group * size, 0)).collect();
        for (from, to, values) in mapping.quotient.messages() {
            let [a, b] = [from, to].map(|p| tree.group(mapping.placement.processor(p), level));
            if a != b {
                out[a as usize].1 += values;
            }
        }
        out
    };
    let levels: Vec<Vec<(u32, u64)>> = inside.map(level).collect();
    Ok(GroupsDrawing { title, subtitle: "", parts: &parts, levels: &levels }.to_svg())
}

/// The loads of links by phase, on machines of two dimensions with a part per processor.
fn links(lattice: &Lattice, phases: &Phases, parts: &[u32]) -> Option<Value> {
    let &[rows, columns] = lattice.sides() else { return None };
    if parts.is_empty() {
        return None;
    }
    let mut view = LinksView::new([rows, columns], lattice.is_torus(), parts).ok()?;
    for phase in 0..phases.count {
        view.phase(&phases.loads(phase as u32)).ok()?;
    }
    Some(View::from(view).to_value())
}
