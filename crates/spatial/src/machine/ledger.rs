//! The costs of a run, in total and by phase: energy, depth, distance, messages, estimated cycles.

use super::network::NetworkParams;
use std::fmt;

/// The costs of a run, or of one of its phases.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Costs {
    /// The sum of the Manhattan distances of all messages: what the theorems are about.
    pub energy: u64,
    /// The same with every message counted once for each of its words; one without words is
    /// one.
    pub energy_words: u64,
    /// The number of messages.
    pub messages: u64,
    /// The longest chain of dependent messages. Of a phase: the steps from its first
    /// message to its last, so that phases which overlap in time add up to more than
    /// the whole.
    pub depth: u32,
    /// The largest energy along one chain of dependent messages. Of a phase: along a
    /// chain that ends in it.
    pub distance: u64,
    /// The longest way of one message.
    pub longest: u32,
}

impl Costs {
    /// Adds a tally of messages of so many words; `depth` is that of all.
    pub(super) fn add(&mut self, tally: &Tally, words: u64, depth: u32) {
        self.energy += tally.energy;
        self.energy_words += tally.energy * words;
        self.messages += tally.messages;
        self.depth = depth;
        self.distance = self.distance.max(tally.distance);
        self.longest = self.longest.max(tally.longest);
    }
}

/// One phase and its costs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Phase {
    /// Its name, such as `compress round 3`.
    pub name: String,
    /// Its costs.
    pub costs: Costs,
}

/// Costs by phase, in the order in which the phases began.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Ledger {
    phases: Vec<Phase>,
    spans: Vec<(u32, u32)>,
}

impl Ledger {
    /// The phases.
    pub fn phases(&self) -> &[Phase] {
        &self.phases
    }

    /// The phase of this name, if it sent anything.
    pub fn phase(&self, name: &str) -> Option<&Costs> {
        self.phases.iter().find(|p| p.name == name).map(|p| &p.costs)
    }

    /// Adds a tally of messages of so many words under a name; a phase that runs again is
    /// summed.
    pub(super) fn add(&mut self, name: &str, tally: &Tally, words: u64) {
        if tally.messages == 0 {
            return;
        }
        let at = self.phases.iter().position(|p| p.name == name).unwrap_or_else(|| {
            self.phases.push(Phase { name: name.to_string(), costs: Costs::default() });
            self.spans.push((u32::MAX, 0));
            self.phases.len() - 1
        });
        let (costs, span) = (&mut self.phases[at].costs, &mut self.spans[at]);
        *span = (span.0.min(tally.first), span.1.max(tally.last));
        costs.add(tally, words, span.1 - span.0 + 1);
    }
}

impl fmt::Display for Ledger {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let width = self.phases.iter().map(|p| p.name.len()).max().unwrap_or(0).max(5);
        let head = ["energy", "energy words", "messages", "depth", "distance", "longest"];
        write!(f, "{:width$}", "phase")?;
        head.iter().try_for_each(|h| write!(f, " {h:>12}"))?;
        for Phase { name, costs: c } in &self.phases {
            let (depth, longest) = (c.depth.into(), c.longest.into());
            let row = [c.energy, c.energy_words, c.messages, depth, c.distance, longest];
            write!(f, "\n{name:width$}")?;
            row.iter().try_for_each(|v| write!(f, " {v:>12}"))?;
        }
        Ok(())
    }
}

/// What one worker counts for one phase of one run.
#[derive(Debug, Clone, Copy)]
pub(super) struct Tally {
    pub(super) energy: u64,
    pub(super) messages: u64,
    pub(super) distance: u64,
    pub(super) first: u32,
    pub(super) last: u32,
    pub(super) longest: u32,
}

impl Tally {
    pub(super) const EMPTY: Tally =
        Tally { energy: 0, messages: 0, distance: 0, first: u32::MAX, last: 0, longest: 0 };

    /// Counts a message that gives its receiver the clock `step`, `hop` away, ending a chain of energy
    /// `distance`.
    #[inline(always)]
    pub(super) fn count(&mut self, step: u32, hop: u32, distance: u64) {
        self.energy += u64::from(hop);
        self.messages += 1;
        self.distance = self.distance.max(distance);
        self.longest = self.longest.max(hop);
        // Most come in the step of the one before.
        if self.last != step {
            self.first = self.first.min(step);
            self.last = self.last.max(step);
        }
    }

    pub(super) fn merge(&mut self, other: &Tally) {
        self.energy += other.energy;
        self.messages += other.messages;
        self.distance = self.distance.max(other.distance);
        self.first = self.first.min(other.first);
        self.last = self.last.max(other.last);
        self.longest = self.longest.max(other.longest);
    }
}

/// What decides the time on a wafer-scale engine.
///
/// `T = max(C, B, E/N + L) + (2·R + 1)·D` cycles, with `R = 2` the cycles between a
/// processor and its router: an estimate. At depth 1 no message waits for another one's
/// arrival, its hops hide behind words that come from nearer by, and E/N is left out. [`Machine::replay`](super::Machine::replay) simulates
/// the routers. Other [parameters](NetworkParams) change it as they change what it is made of: C, B
/// and E/N are divided by the capacity, L is multiplied by the hop, and `2·R + 1` is what
/// a message takes.
///
/// **Bounds.** A processor sends and receives a word per cycle, a link carries one each way,
/// and a chain of dependent messages takes a cycle per hop and `2·R + 1` per message. So no
/// run takes fewer than C, B or L cycles, nor fewer than `(2·R + 1)·D`; the estimate is at
/// least each of them.
///
/// **Reference.** Luczynski et al., *Near-Optimal Wafer-Scale Reduce*. There L is the longest
/// way of one message, which is enough for the trees that are studied there, and congestion is
/// E/N alone. Here messages wait for each other along many ways, and links are counted: L is
/// the longest chain, and B is beside E/N.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CyclesEstimate {
    /// C: the most words that one processor sends, or receives.
    pub busiest: u64,
    /// E: energy, in words.
    pub energy: u64,
    /// N: links that carried anything.
    pub links: u64,
    /// B: the most words over one link, one way.
    pub busiest_link: u64,
    /// L: the most hops along a chain of dependent messages ([`Costs::distance`]).
    pub chain: u64,
    /// D: depth.
    pub depth: u64,
    /// The routers.
    pub network: NetworkParams,
}

impl CyclesEstimate {
    /// Cycles per second of the WSE-2.
    pub const CLOCK: f64 = 850e6;

    /// The estimate, in cycles.
    pub fn cycles(&self) -> f64 {
        let NetworkParams { hop, capacity, .. } = self.network;
        let capacity = f64::from(capacity);
        let load = if self.depth > 1 { self.energy as f64 / self.links.max(1) as f64 } else { 0.0 };
        let traffic = load / capacity + f64::from(hop) * self.chain as f64;
        (self.busiest.max(self.busiest_link) as f64 / capacity).max(traffic)
            + self.network.per_message() as f64 * self.depth as f64
    }

    /// The estimate, in seconds at the clock of the WSE-2.
    pub fn seconds(&self) -> f64 {
        self.cycles() / Self::CLOCK
    }
}
