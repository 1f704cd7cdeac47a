//! Figures of a placement: how far values travel, and the loads of links.

use super::*;
use crate::{Mapping, MappingTraffic};
use palmette_mesh::placement::{LevelTraffic, dilation, hopsum};
use palmette_mesh::routing::{Phases, congestion_bound};
use palmette_mesh::{Machine, Placement};

/// How far messages travel between placed parts.
#[derive(Debug)]
pub struct PlacementFigures<'a> {
    /// What parts exchange.
    pub quotient: &'a Quotient,
    /// The machine.
    pub machine: &'a Machine,
    /// By part, its processor.
    pub placement: &'a Placement,
}

impl PlacementFigures<'_> {
    /// Hops without the values that travel.
    pub(crate) fn hops(&self, record: &mut Record) {
        let PlacementFigures { quotient, machine, placement } = *self;
        record
            .figure("hopsum", hopsum(quotient, machine, placement))
            .figure("dilation", dilation(quotient, machine, placement));
    }
}

impl Figures for PlacementFigures<'_> {
    fn figures(&self, record: &mut Record) {
        record.figure("values", self.quotient.total());
        self.hops(record);
    }
}

/// The key of the traffic by level.
const LEVELS: &[&str] = &["levels"];

/// What the fullest link has at least, with any routes; the time it takes where capacities differ.
fn least_load(phases: &Phases) -> Value {
    let (wires, messages) = (phases.routes.wires(), phases.routes.messages());
    let time = congestion_bound(wires, messages);
    match wires.links().next() {
        // Values are whole, and so are loads.
        Some(link) if wires.is_even() => {
            Value::from((time * f64::from(wires.capacity(link))).ceil() as u64)
        }
        Some(_) => Value::from(time),
        None => Value::from(0),
    }
}

impl Figures for MappingTraffic {
    fn figures(&self, record: &mut Record) {
        match self {
            MappingTraffic::Routes(phases) => {
                let channels = phases.max_channels().into_iter().max().unwrap_or(0);
                record
                    .figure("routed_hopsum", phases.routes.hopsum())
                    .figure("max_link_load", phases.routes.max_link_load())
                    .figure("max_link_load_at_least", least_load(phases))
                    .figure("max_channels", channels)
                    .figure("phases", phases.count)
                    .figure("phases_at_least", phases.lower_bound);
                if !phases.routes.wires().is_even() {
                    record.figure("max_link_time", phases.routes.max_link_time());
                }
            }
            MappingTraffic::Levels(levels) => {
                let level = |t: &LevelTraffic| {
                    json!({
                        "level": t.level, "values": t.values, "largest": t.largest,
                        "capacity": t.capacity, "time": t.time(),
                    })
                };
                record.figure(LEVELS[0], levels.iter().map(level).collect::<Value>());
            }
        }
    }

    fn lists(&self) -> &'static [&'static str] {
        match self {
            MappingTraffic::Routes(_) => &[],
            MappingTraffic::Levels(_) => LEVELS,
        }
    }
}

/// Without the figures of its parts, which [`PartitionFigures`](crate::PartitionFigures) has.
impl Figures for Mapping {
    fn figures(&self, record: &mut Record) {
        let Mapping { quotient, machine, placement, .. } = self;
        PlacementFigures { quotient, machine, placement }.figures(record);
        self.traffic.figures(record);
    }

    fn lists(&self) -> &'static [&'static str] {
        self.traffic.lists()
    }
}
