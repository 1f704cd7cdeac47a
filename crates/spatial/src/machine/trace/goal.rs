//! GOAL, the schedules that LogGOPSim and HTSIM run.
//!
//! A processor is a rank. A send requires the last receive before it, and every
//! receive the one before: a chain of messages in the schedule is one in the run. Tags
//! are the numbers of the messages, so that each receive finds its send.

use super::{Deed, Trace};
use crate::machine::WORD_BYTES;
use std::io::{self, Write};

impl Trace {
    /// Writes the run as a GOAL schedule.
    ///
    /// # Errors
    /// What writing fails with.
    pub fn write_goal(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "num_ranks {}", self.processors)?;
        let deeds = self.deeds();
        let mut next = 0;
        for rank in 0..self.processors as u32 {
            writeln!(out, "rank {rank} {{")?;
            let mut received = None;
            let mut label = 0;
            while let Some(&(_, _, deed, message)) = deeds.get(next).filter(|d| d.0 == rank) {
                let sent = &self.sent[message];
                let bytes = sent.words as usize * WORD_BYTES;
                label += 1;
                next += 1;
                match deed {
                    Deed::Send => {
                        writeln!(out, "l{label}: send {bytes}b to {} tag {message}", sent.to)?;
                    }
                    Deed::Receive => {
                        writeln!(out, "l{label}: recv {bytes}b from {} tag {message}", sent.from)?;
                    }
                }
                if let Some(before) = received {
                    writeln!(out, "l{label} requires l{before}")?;
                }
                if deed == Deed::Receive {
                    received = Some(label);
                }
            }
            writeln!(out, "}}")?;
        }
        Ok(())
    }
}
