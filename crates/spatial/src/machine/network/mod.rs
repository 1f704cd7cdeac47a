//! How long messages take when they wait for each other: a grid of routers.
//!
//! # The model
//! Every processor has a router, and every router a link to each of its four neighbours, one per
//! direction. A message goes up the ramp to its router, along its row, along its column, and
//! down the ramp of its receiver. A link or ramp carries [`NetworkParams::capacity`] words per
//! cycle: a message of `w` words keeps it busy for `⌈w / capacity⌉` cycles. Words are pipelined:
//! the first one goes on as soon as it can, without waiting for those behind it (cut-through).
//! A message has arrived when its last word has.
//!
//! **Arbitration.** Every link serves first whose first word came first; of those that came
//! in the same cycle, the message with the smallest number. Queues have no limit, so that no
//! message ever blocks a link that it does not use, and nothing deadlocks.
//!
//! **Alone** on the grid, a message of `w` words over `d` hops takes
//! `compute + 2·ramp + hop·d + ⌈w / capacity⌉ − 1` cycles from the moment that its sender has
//! what it needs.
//!
//! # Two ways in
//! [`Network`] is told of messages while it runs, and says when they arrive. [`replay`] sends
//! the messages of a [`Trace`](super::Trace) again: each leaves when what its sender had handled
//! before it has arrived.
//!
//! **Reference.** Luczynski et al., *Near-Optimal Wafer-Scale Reduce*: the latencies of the
//! WSE-2, which are the defaults.

mod error;
mod queues;
mod replay;
mod router;
mod schedule;
#[cfg(test)]
mod tests;
mod wheel;

pub use error::NetworkError;
pub use queues::{QueueFrame, Queues};
pub use replay::{BusiestLink, PhaseWait, Replay, replay, replay_queues};
pub use router::{Arrival, Network, Way};
pub(super) use schedule::Schedule;

/// What a router grid takes its time for, in cycles; by default the WSE-2's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NetworkParams {
    /// From a router to the next: at least 1.
    pub hop: u32,
    /// Between a processor and its router, each way: at least 1.
    pub ramp: u32,
    /// From the arrival of the last word that a handler waits for to the first word that it sends.
    pub compute: u32,
    /// Words that a link or ramp carries per cycle and direction: at least 1.
    pub capacity: u32,
}

impl Default for NetworkParams {
    fn default() -> NetworkParams {
        NetworkParams { hop: 1, ramp: 2, compute: 1, capacity: 1 }
    }
}

impl NetworkParams {
    /// The largest value of each.
    pub const MOST: u32 = 1_000_000;

    /// Parameters from numbers that users typed: hop, ramp, compute, capacity.
    ///
    /// # Errors
    /// A number below 0, a hop, a ramp or a capacity of 0, a number above
    /// [`NetworkParams::MOST`].
    pub fn new(
        hop: i64,
        ramp: i64,
        compute: i64,
        capacity: i64,
    ) -> Result<NetworkParams, NetworkError> {
        let checked = |what: &'static str, value: i64, least: u32| {
            let number = u32::try_from(value).ok().filter(|n| (least..=Self::MOST).contains(n));
            number.ok_or(NetworkError::Parameter { what, value, least, most: Self::MOST })
        };
        Ok(NetworkParams {
            hop: checked("hop latency", hop, 1)?,
            ramp: checked("ramp latency", ramp, 1)?,
            compute: checked("compute latency", compute, 0)?,
            capacity: checked("link capacity", capacity, 1)?,
        })
    }

    /// Fails unless the numbers are those that [`NetworkParams::new`] takes.
    pub(in crate::machine) fn check(self) -> Result<NetworkParams, NetworkError> {
        let NetworkParams { hop, ramp, compute, capacity } = self;
        Self::new(hop.into(), ramp.into(), compute.into(), capacity.into())
    }

    /// Cycles that every message takes beside its hops: both ramps, and its sender.
    pub fn per_message(self) -> u64 {
        2 * u64::from(self.ramp) + u64::from(self.compute)
    }

    /// Cycles that a message of so many words keeps a link busy.
    #[inline(always)]
    pub(super) fn busy(self, words: u32) -> u64 {
        match self.capacity {
            1 => u64::from(words.max(1)),
            capacity => u64::from(words.max(1).div_ceil(capacity)),
        }
    }
}

palmette_core::named! {
    /// When a run's messages are kept, and replayed for its cycles.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    pub enum ReplayWhen("choice") {
        /// When that takes a few seconds at most: on up to [`ReplayWhen::MOST_PROCESSORS`]
        /// processors, if the run had at most [`ReplayWhen::MOST_HOPS`] hops.
        Auto = "auto",
        /// Always: 24 bytes per message while the program runs, and as many again for the replay.
        Always = "always",
        /// Never.
        Never = "never",
    }
}

impl ReplayWhen {
    /// Up to here [`ReplayWhen::Auto`] keeps messages.
    pub const MOST_PROCESSORS: usize = 1 << 16;
    /// Up to this energy [`ReplayWhen::Auto`] replays them.
    pub const MOST_HOPS: u64 = 1 << 24;

    /// Whether a run with this energy on so many processors is replayed.
    pub fn covers(self, processors: usize, energy: u64) -> bool {
        match self {
            ReplayWhen::Auto => processors <= Self::MOST_PROCESSORS && energy <= Self::MOST_HOPS,
            ReplayWhen::Always => true,
            ReplayWhen::Never => false,
        }
    }
}
