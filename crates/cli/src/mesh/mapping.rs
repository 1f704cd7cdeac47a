//! Options for verbs that cut, place and route.

use super::machine::{Loaded, MachineOptions};
use super::options::CutOptions;
use super::route::RouteOptions;
use crate::prelude::*;
use palmette::mesh::partition::{JointParams, MapObjective};
use palmette::mesh::placement::{Method, SearchParams};
use palmette::{JOINT, Mapping, MappingParams, MappingTraffic, placing};

/// None for placement jointly with the partition. Clap takes an `Option` for an absent option.
type Placing = Option<Method>;

/// How a mesh is cut, placed and routed.
#[derive(Debug, Args)]
pub(crate) struct MappingOptions {
    /// Placement method: joint (with the partition), or for finished parts identity, random,
    /// halving, cut-tree, curve or search.
    #[arg(long, value_name = "METHOD", default_value = JOINT, value_parser = placing)]
    placement: Placing,
    /// What travels when parts are cut and placed together: values, each once to every part that
    /// needs it, or cut, the edges between parts.
    #[arg(long, value_name = "WHAT", default_value_t, value_parser = named::<MapObjective>())]
    objective: MapObjective,
    #[command(flatten)]
    pub(crate) machine: MachineOptions,
    #[command(flatten)]
    routing: RouteOptions,
    #[command(flatten)]
    cut: CutOptions,
}

impl MappingOptions {
    /// The way of mapping, noted; the machine has a processor for each part.
    pub(super) fn params(&self, session: &mut Session, on: &Loaded) -> Result<MappingParams> {
        let parts = self.machine.parts(&on.machine)?;
        let partition = self.cut.params(session, parts);
        session.parameter("placement", self.placement.map_or(JOINT, Method::name));
        session.parameter("objective", self.objective.name());
        let objective = self.objective;
        let search = match self.placement {
            None => JointParams::default().search,
            Some(_) => SearchParams::default(),
        };
        let search = Some(self.machine.search(session, search, self.cut.seed));
        let routing = self.routing.params(session, self.cut.seed);
        Ok(MappingParams { partition, placement: self.placement, search, objective, ..routing })
    }
}

/// The traffic of a fat tree for people, in place of its figure.
pub(super) fn tell_levels(session: &mut Session, traffic: &MappingTraffic) {
    let MappingTraffic::Levels(levels) = traffic else { return };
    let mut table = Table::new(&["level", "values", "largest", "capacity", "time"]);
    for t in levels {
        let counts = [t.level as u64, t.values, t.largest, t.capacity.into()].map(Cell::from);
        table.row(counts.into_iter().chain([Cell::from(t.time())]));
    }
    session.end_with(table.to_string(), traffic.lists());
}

/// Draws parts on a machine, where that can be drawn.
pub(super) fn draw_placement(
    session: &mut Session,
    path: Option<&Path>,
    name: &str,
    mapping: &Mapping,
) -> Result<()> {
    if path.is_none() && !session.wants("placement") {
        return Ok(());
    }
    match session.phase("draw", || pictures::placement(name, mapping)) {
        Ok(picture) => keep(session, path, picture),
        Err(why) if session.asks_for("placement") => {
            bail!("{why}; leave out --svg and --png, or name a folder (`DIR/`) for other pictures")
        }
        Err(why) => {
            session.note(&why.to_string());
            Ok(())
        }
    }
}
