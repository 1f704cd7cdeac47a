//! GOAL, the schedules that LogGOPSim and HTSIM run.
//!
//! A processor is a rank. A send requires the last receive that its sender had handled before
//! it, and every receive the one before: a chain of messages in the schedule is one in the run.
//! Tags are the numbers of the messages, so that each receive finds its send.

use super::Trace;
use crate::machine::WORD_BYTES;
use crate::machine::network::Schedule;
use std::io::{self, Write};

impl Trace {
    /// Writes the run as a GOAL schedule.
    ///
    /// # Errors
    /// What writing fails with, or a message of no processor.
    pub fn write_goal(&self, out: &mut dyn Write) -> io::Result<()> {
        let schedule = Schedule::of(self).map_err(io::Error::other)?;
        writeln!(out, "num_ranks {}", self.processors)?;
        for rank in 0..self.processors as u32 {
            writeln!(out, "rank {rank} {{")?;
            // A receive has the label of its number, and a send one beyond them all.
            let received = schedule.received.of(rank);
            let mut next = 0;
            let receive = |out: &mut dyn Write, k: usize| {
                let sent = &self.sent[received[k] as usize];
                let (bytes, tag) = (sent.words as usize * WORD_BYTES, received[k]);
                writeln!(out, "l{}: recv {bytes}b from {} tag {tag}", k + 1, sent.from)?;
                if k > 0 {
                    writeln!(out, "l{} requires l{k}", k + 1)?;
                }
                Ok::<(), io::Error>(())
            };
            for (k, &message) in schedule.sent.of(rank).iter().enumerate() {
                let before = schedule.waits_for[message as usize] as usize;
                while next < before.min(received.len()) {
                    receive(out, next)?;
                    next += 1;
                }
                let sent = &self.sent[message as usize];
                let (label, bytes) = (received.len() + k + 1, sent.words as usize * WORD_BYTES);
                writeln!(out, "l{label}: send {bytes}b to {} tag {message}", sent.to)?;
                if before > 0 {
                    writeln!(out, "l{label} requires l{before}")?;
                }
            }
            (next..received.len()).try_for_each(|k| receive(out, k))?;
            writeln!(out, "}}")?;
        }
        Ok(())
    }
}
