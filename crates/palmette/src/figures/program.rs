//! Runs on the simulated spatial computer in figures: what the machine counted, and what each
//! phase of a program cost.

use super::*;
use crate::{Messages, SpatialCreation, SpatialLca, SpatialTreefix};
use palmette_spatial::machine::{Machine, Phase};

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

/// A cost for each vertex.
fn each(cost: u64, vertices: usize) -> f64 {
    cost as f64 / vertices.max(1) as f64
}

impl Figures for MachineFigures<'_> {
    /// Loads of links are counted here, which takes time on large grids: the phase `count`.
    fn figures(&self, record: &mut Record) {
        let (machine, costs) = (self.machine, self.machine.costs());
        record
            .figure("vertices", self.vertices)
            .figure("energy", costs.energy)
            .figure("energy_per_vertex", self.energy_per_vertex())
            .figure("depth", costs.depth)
            .figure("distance", costs.distance)
            .figure("longest_edge", costs.longest)
            .figure("messages", costs.messages)
            .figure("max_received", machine.most_received())
            .figure("words_per_processor", machine.words_used());
        let (load, cycles) = record.time("count", || {
            let load = machine.link_loads().map(|links| links.max());
            (load, machine.cycles_estimate().map(|estimate| estimate.cycles()))
        });
        record.figure("max_link_load", load).figure("cycles_estimate", cycles);
    }
}

/// The figures of a program of several phases.
fn program(record: &mut Record, of: &MachineFigures<'_>, rounds: u32, correct: bool) {
    of.figures(record);
    let phase = |phase: &Phase| {
        json!({
            "name": phase.name,
            "energy": phase.costs.energy,
            "energy_per_vertex": each(phase.costs.energy, of.vertices),
            "messages": phase.costs.messages,
            "depth": phase.costs.depth,
            "distance": phase.costs.distance,
            "longest_edge": phase.costs.longest,
        })
    };
    let phases: Vec<Value> = of.machine.ledger().phases().iter().map(phase).collect();
    record.figure("rounds", rounds).figure("correct", correct).figure("phases", phases);
}

/// Of a program: its phases, and whether the host agrees.
const LISTS: &[&str] = &["correct", "phases"];

impl Figures for Messages {
    fn figures(&self, record: &mut Record) {
        let machine = &self.machine;
        MachineFigures { machine, vertices: machine.processors() }.figures(record);
        record
            .figure("construction_energy", self.construction.energy)
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
            .figure("layout_energy_per_vertex", traffic.energy_per_vertex())
            .figure("layout_distance", traffic.longest)
            .figure("layout_max_link_load", traffic.max_link_load);
    }

    fn lists(&self) -> &'static [&'static str] {
        LISTS
    }
}
