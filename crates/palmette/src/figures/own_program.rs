//! Programs of the user's in figures.

use super::program::phases;
use super::*;
use palmette_spatial::machine::Machine;

/// What a machine counted that ran programs which are none of ours.
#[derive(Debug)]
pub struct OwnProgramFigures<'a>(pub &'a Machine);

impl Figures for OwnProgramFigures<'_> {
    fn figures(&self, record: &mut Record) {
        let of = MachineFigures { machine: self.0, vertices: self.0.processors() };
        let replay = of.note(record);
        record.figure("phases", phases(&of, replay.as_ref()));
    }

    fn lists(&self) -> &'static [&'static str] {
        &["phases"]
    }
}
