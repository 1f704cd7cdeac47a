//! Runs with sparse matrices on the simulated spatial computer in figures.

use super::program::{LISTS, MachineFigures, phases};
use super::*;
use crate::{SparseRun, SpatialProduct, SpatialSolution};

impl SparseRun {
    fn note(&self, record: &mut Record) {
        let of = MachineFigures { machine: &self.machine, vertices: self.rows };
        let replay = of.note(record);
        let phases = phases(&of, replay.as_ref());
        let after = self.energy_after_setup();
        record
            .parameter("method", self.placement.name())
            .figure("rows", self.rows)
            .figure("entries", self.entries)
            .figure("processors", self.machine.processors())
            .figure("setup_energy", self.setup.energy)
            .figure("setup_depth", self.setup.depth)
            .figure("energy_after_setup", after)
            .figure("energy_per_entry", after as f64 / self.entries.max(1) as f64)
            .figure("correct", self.correct)
            .figure("phases", phases);
    }
}

impl Figures for SpatialProduct {
    fn figures(&self, record: &mut Record) {
        self.run.note(record);
    }

    fn lists(&self) -> &'static [&'static str] {
        LISTS
    }
}

impl Figures for SpatialSolution {
    fn figures(&self, record: &mut Record) {
        let each = self.run.energy_after_setup() as f64 / self.iterations.max(1) as f64;
        record
            .figure("iterations", self.iterations)
            .figure("residual", self.residual)
            .figure("energy_per_iteration", each);
        self.run.note(record);
    }

    fn lists(&self) -> &'static [&'static str] {
        LISTS
    }
}
