//! What a machine says of the runs so far.

use super::Machine;
use super::ledger::{Costs, CyclesEstimate, Ledger};
use super::links::LinkLoads;
use super::network::{self, Queues, Replay};

impl Machine {
    /// What everything so far has cost.
    pub fn costs(&self) -> Costs {
        self.clocked().total
    }

    /// When the last handler ran: the depth where messages move in steps, and otherwise in the
    /// units of the delays.
    pub fn time(&self) -> u64 {
        self.times.iter().copied().max().unwrap_or_else(|| self.total.depth.into())
    }

    /// Costs by phase.
    pub fn ledger(&self) -> &Ledger {
        &self.clocked().ledger
    }

    /// The most messages that one processor received in one step, or held at one time where
    /// they do not move in steps.
    pub fn most_received(&self) -> u32 {
        self.most_received
    }

    /// The most words that programs so far needed of a processor: for its state, what it kept
    /// beside it, and the messages that arrived in one step, or that waited for it to start.
    pub fn words_used(&self) -> usize {
        self.words
    }

    /// The most work of one call of a handler: 1, and 1 for every message that it sent, and what
    /// it [says](super::Processor::work).
    pub fn most_work(&self) -> u32 {
        self.most_work
    }

    /// Whether link loads are counted: when asked for, and unless the processors are spread
    /// over so large a part of the grid that counting would take far more memory than they.
    pub fn counts_links(&self) -> bool {
        self.params.links && self.window.is_dense(self.processors())
    }

    /// The loads of all links, if they were counted.
    pub fn link_loads(&self) -> Option<LinkLoads> {
        self.counts_links().then(|| LinkLoads::of(self.grid, self.window, &self.links))
    }

    /// An estimate of the time on a wafer-scale engine, if link loads were counted.
    pub fn cycles_estimate(&self) -> Option<CyclesEstimate> {
        let loads = self.link_loads()?;
        let busiest = self.meters.iter().map(|m| m.sent.max(m.received)).max().unwrap_or(0);
        let total = self.costs();
        Some(CyclesEstimate {
            busiest: busiest.into(),
            energy: total.energy_words,
            links: loads.used(),
            busiest_link: LinkLoads::in_words(self.grid, self.window, &self.links).max(),
            chain: total.distance,
            depth: total.depth.into(),
            network: self.params.network,
        })
    }

    /// The run's messages through routers: how long it takes when links are shared. None when
    /// [`MachineParams::replay`](super::MachineParams::replay) does not ask for it at this size.
    pub fn replay(&self) -> Option<Replay> {
        let replay = || network::replay(&self.trace, &self.cells(), self.params.network);
        self.is_replayed().then(|| replay().expect("a machine's own messages can be replayed"))
    }

    /// A replay, and how long queues were in each of at most `frames` equal stretches of it;
    /// none where [`Machine::replay`] has none.
    pub fn replay_queues(&self, frames: u32) -> Option<(Replay, Queues)> {
        let (trace, network) = (&self.trace, self.params.network);
        let replay = || network::replay_queues(trace, &self.cells(), network, frames);
        self.is_replayed().then(|| replay().expect("a machine's own messages can be replayed"))
    }

    /// Whether [`Machine::replay`] has an answer.
    pub fn is_replayed(&self) -> bool {
        self.can_replay(self.total.energy)
    }

    pub(super) fn can_replay(&self, energy: u64) -> bool {
        let processors = self.processors();
        self.params.replay.covers(processors, energy) && self.window.is_dense(processors)
    }

    pub(super) fn keeps_trace(&self) -> bool {
        self.params.trace || self.can_replay(0)
    }
}
