//! Runs on the simulated spatial computer in figures: what the machine counted, and what each
//! phase of a program cost.

use super::*;
use crate::DirectMessages;
use crate::{Messages, SpatialCreation, SpatialLca, SpatialTreefix};
use palmette_spatial::machine::network::{NetworkParams, Replay};
use palmette_spatial::machine::{Gift, Given, Machine, MachineParams, Phase};

/// What a machine counted in a run on a tree of so many vertices.
#[derive(Debug)]
pub struct MachineFigures<'a> {
    /// The machine.
    pub machine: &'a Machine,
    /// The vertices of the tree. A machine may have more processors.
    pub vertices: usize,
}

impl MachineFigures<'_> {
    /// Energy for each vertex.
    pub fn energy_per_vertex(&self) -> f64 {
        each(self.machine.costs().energy, self.vertices)
    }
}

/// What programs were given for free, as records have it.
pub fn gifts(given: Given) -> Vec<&'static str> {
    given.gifts().map(Gift::name).collect()
}

/// A cost for each vertex.
fn each(cost: u64, vertices: usize) -> f64 {
    cost as f64 / vertices.max(1) as f64
}

impl MachineFigures<'_> {
    /// Loads of links are counted here, and messages replayed, which takes time on large grids:
    /// the phases `count` and `replay`.
    pub(super) fn note(&self, record: &mut Record) -> Option<Replay> {
        let (machine, costs) = (self.machine, self.machine.costs());
        record
            .figure("vertices", self.vertices)
            .figure("energy", costs.energy)
            .figure("energy_words", costs.energy_words)
            .figure("energy_per_vertex", self.energy_per_vertex())
            .figure("depth", costs.depth)
            .figure("distance", costs.distance)
            .figure("longest_edge", costs.longest)
            .figure("messages", costs.messages)
            .figure("max_received", machine.most_received())
            .figure("words_per_processor", machine.words_used())
            .figure("work_per_activation", machine.most_work())
            .figure("delivery", machine.params().delivery.to_string())
            .figure("given", gifts(machine.taken()));
        let (load, estimate) = record.time("count", || {
            let load = machine.link_loads().map(|links| links.max());
            (load, machine.cycles_estimate().map(|estimate| estimate.cycles()))
        });
        record.figure("max_link_load", load);
        let replay =
            machine.is_replayed().then(|| record.time("replay", || machine.replay())).flatten();
        note_cycles(record, &machine.params(), replay.as_ref(), estimate);
        replay
    }
}

/// What a replay found, beside an estimate where there is one. Nothing is known without a replay.
fn note_cycles(
    record: &mut Record,
    params: &MachineParams,
    replay: Option<&Replay>,
    estimate: Option<f64>,
) {
    let NetworkParams { hop, ramp, compute, capacity } = params.network;
    let network = json!({"hop": hop, "ramp": ramp, "compute": compute, "capacity": capacity});
    record.parameter("replay", params.replay.name()).parameter("network", network);
    let ratio = replay.zip(estimate).map(|(found, estimate)| found.cycles as f64 / estimate);
    let link = replay.map(|found| found.busiest_link.map_or(0, |link| link.words));
    record
        .figure("cycles", replay.map(|found| found.cycles))
        .figure("cycles_estimate", estimate)
        .figure("cycles_ratio", ratio.filter(|ratio| ratio.is_finite()))
        .figure("max_link_words", link)
        .figure("cycles_waited", replay.map(Replay::waited))
        .figure("cycles_at_ramps", replay.map(Replay::waited_at_ramps));
}

impl Figures for MachineFigures<'_> {
    fn figures(&self, record: &mut Record) {
        self.note(record);
    }
}

impl Figures for DirectMessages {
    fn figures(&self, record: &mut Record) {
        self.traffic.figures(record);
        note_cycles(record, &self.params, self.replay.as_ref(), None);
    }
}

/// The figures of a program of several phases.
fn program(record: &mut Record, of: &MachineFigures<'_>, rounds: u32, correct: bool) {
    let replay = of.note(record);
    let phases = phases(of, replay.as_ref());
    record.figure("rounds", rounds).figure("correct", correct).figure("phases", phases);
}

/// What each phase cost, and how long it waited in a replay.
pub(super) fn phases(of: &MachineFigures<'_>, replay: Option<&Replay>) -> Vec<Value> {
    let phase = |phase: &Phase| {
        let mut waits = replay.iter().flat_map(|found| &found.phases);
        let wait = waits.find(|wait| wait.name == phase.name);
        json!({
            "name": phase.name,
            "energy": phase.costs.energy,
            "energy_words": phase.costs.energy_words,
            "energy_per_vertex": each(phase.costs.energy, of.vertices),
            "messages": phase.costs.messages,
            "depth": phase.costs.depth,
            "distance": phase.costs.distance,
            "longest_edge": phase.costs.longest,
            "cycles_waited": wait.map(|wait| wait.waited),
            "cycles_at_ramps": wait.map(|wait| wait.waited_at_ramps),
            "begins": wait.map(|wait| wait.begins),
            "ends": wait.map(|wait| wait.ends),
        })
    };
    of.machine.ledger().phases().iter().map(phase).collect()
}

/// Of a program: its phases, and whether the host agrees.
pub(super) const LISTS: &[&str] = &["correct", "phases"];

impl Figures for Messages {
    fn figures(&self, record: &mut Record) {
        let machine = &self.machine;
        MachineFigures { machine, vertices: machine.processors() }.figures(record);
        record
            .figure("construction_energy", self.construction.energy)
            .figure("construction_energy_words", self.construction.energy_words)
            .figure("construction_depth", self.construction.depth);
    }
}

impl Figures for SpatialTreefix {
    fn figures(&self, record: &mut Record) {
        let of = MachineFigures { machine: &self.machine, vertices: self.contraction.len() };
        program(record, &of, self.rounds, self.correct);
        if self.uncompared > 0 {
            record.figure("uncompared", self.uncompared);
        }
    }

    fn lists(&self) -> &'static [&'static str] {
        LISTS
    }
}

impl Figures for SpatialLca {
    fn figures(&self, record: &mut Record) {
        let of = MachineFigures { machine: &self.machine, vertices: self.vertices };
        program(record, &of, self.rounds.iter().sum(), self.correct);
        record
            .figure("processors", self.machine.processors())
            .figure("layers", self.layers)
            .figure("queries", self.lca.len());
    }

    fn lists(&self) -> &'static [&'static str] {
        LISTS
    }
}

impl Figures for SpatialCreation {
    fn figures(&self, record: &mut Record) {
        let of = MachineFigures { machine: &self.machine, vertices: self.positions.len() };
        program(record, &of, self.rounds.iter().sum(), self.correct);
        let traffic = &self.traffic;
        record
            .figure("layout_energy", traffic.energy)
            .figure("layout_energy_words", traffic.energy_words())
            .figure("layout_energy_per_vertex", traffic.energy_per_vertex())
            .figure("layout_distance", traffic.longest)
            .figure("layout_max_link_load", traffic.max_link_load);
    }

    fn lists(&self) -> &'static [&'static str] {
        LISTS
    }
}
