//! Parts on a machine, and what they exchange.

use super::*;
use crate::{Mapping, MappingTraffic};
use palmette_mesh::Quotient;
use palmette_mesh::routing::Phases;
use palmette_report::view::LinksView;
use palmette_report::{MAX_PROCESSORS, PlacementDrawing, QuotientDrawing};
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
    /// A fat tree has no links that lie somewhere.
    #[error("only placements on meshes and tori can be drawn")]
    FatTree,
    /// Solids, and machines that have not two dimensions.
    #[error("only plane meshes on machines of two dimensions have an overview")]
    Solid,
    /// Too many processors.
    #[error("only machines with up to {MAX_PROCESSORS} processors can be drawn")]
    TooLarge,
}

/// Parts on a mesh or torus with the loads of all links; in two dimensions with a view of the
/// loads by phase.
///
/// # Errors
/// A machine that cannot be drawn.
pub fn placement(name: &str, mapping: &Mapping) -> Result<Picture, NotDrawn> {
    let MappingTraffic::Routes(phases) = &mapping.traffic else { return Err(NotDrawn::FatTree) };
    let lattice = phases.routes.lattice();
    if lattice.processors() > MAX_PROCESSORS {
        return Err(NotDrawn::TooLarge);
    }
    let mut parts = vec![NONE; lattice.processors()];
    for (part, &processor) in (0u32..).zip(mapping.placement.processors()) {
        parts[processor as usize] = part;
    }
    let picture = PlacementDrawing {
        title: &format!("{} on {}", title(name), mapping.machine),
        subtitle: "",
        sides: lattice.sides(),
        torus: lattice.is_torus(),
        parts: &parts,
        loads: &phases.routes.loads(),
    };
    let heading = "The placement, with link loads";
    let still = still("placement", heading, picture.to_svg());
    Ok(Picture { view: links(phases, &parts), ..still })
}

/// The loads of links by phase, on machines of two dimensions.
fn links(phases: &Phases, parts: &[u32]) -> Option<Value> {
    let lattice = phases.routes.lattice();
    let &[rows, columns] = lattice.sides() else { return None };
    let mut view = LinksView::new([rows, columns], lattice.is_torus(), parts).ok()?;
    for phase in 0..phases.count {
        view.phase(&phases.loads(phase as u32)).ok()?;
    }
    Some(View::from(view).to_value())
}
