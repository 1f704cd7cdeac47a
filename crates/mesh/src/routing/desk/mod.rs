//! Negotiated congestion: messages that share what is short give way in turn.
//!
//! **Method.** A goal bounds the load of every link and the number of paths at every
//! processor (in every phase, if there are several). In each round the messages that touch
//! something beyond its bound are ripped up one by one and take the cheapest path (and
//! phase). A link or processor costs more the further the message would push it beyond
//! its bound, the later the round, and the more often it was beyond before; so messages
//! with cheap detours leave. Paths come from A* with the distance as estimate.
//!
//! **Cost.** A round reroutes the messages in conflict; a path takes
//! `O(q log q)` for the `q` processors it looks at, mostly a few.
//!
//! **Determinism.** Costs are whole numbers, the order of messages is drawn by seed.

mod path;

use super::Message;
use crate::machine::Wires;
use palmette_core::random::{Purpose, Random};
use path::{HOP, Scratch};

/// Bounds that routes should keep.
#[derive(Debug, Clone, Copy)]
pub(super) struct Goal {
    pub(super) load: u64,
    pub(super) channels: u32,
}

/// What may be changed to reach a goal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Freedom {
    /// Paths and phases.
    Paths,
    /// Phases only.
    Phases,
}

/// Paths in the making, and what they load.
#[derive(Clone)]
pub(super) struct Desk<'a> {
    wires: &'a Wires,
    messages: &'a [Message],
    pub(super) paths: Vec<Vec<u32>>,
    pub(super) phase: Vec<u32>,
    pub(super) phases: usize,
    /// By link, the values on it; more where its capacity is small ([`Wires::burden`]).
    loads: Vec<u64>,
    /// By phase and processor.
    channels: Vec<u32>,
    link_past: Vec<u64>,
    channel_past: Vec<u64>,
    scratch: Scratch,
}

impl<'a> Desk<'a> {
    /// With given paths and phases.
    pub(super) fn new(
        wires: &'a Wires,
        messages: &'a [Message],
        paths: Vec<Vec<u32>>,
        (phase, phases): (Vec<u32>, usize),
    ) -> Desk<'a> {
        let points = wires.points();
        let mut desk = Desk {
            wires,
            messages,
            paths,
            phase,
            phases,
            loads: vec![0; wires.link_slots()],
            channels: vec![0; points * phases],
            link_past: vec![0; wires.link_slots()],
            channel_past: vec![0; points * phases],
            scratch: Scratch::new(points),
        };
        (0..messages.len()).for_each(|i| desk.put(i, true));
        desk
    }

    pub(super) fn max_load(&self) -> u64 {
        self.loads.iter().copied().max().unwrap_or(0)
    }

    pub(super) fn max_channels(&self) -> u32 {
        self.channels.iter().copied().max().unwrap_or(0)
    }

    /// Tries to reach a goal; tells whether it did. Gives up after so many rounds that came
    /// no nearer to it, four times as many in all, or when many messages were rerouted.
    pub(super) fn negotiate(
        &mut self,
        goal: Goal,
        freedom: Freedom,
        patience: u32,
        seed: u64,
    ) -> bool {
        let mut random = Random::new(seed, Purpose::Samples);
        self.link_past.fill(0);
        self.channel_past.fill(0);
        let (mut least, mut waited, mut round) = (u64::MAX, 0, 0);
        let (mut rerouted, most) = (0, 30_000 + 4 * self.messages.len());
        loop {
            let excess = self.excess(goal);
            let tired = waited == patience || round == 4 * u64::from(patience);
            if excess == 0 || tired || rerouted > most {
                return excess == 0;
            }
            // Nearer by a fiftieth is progress; less would take for ever.
            if excess < least - least / 50 {
                (least, waited) = (excess, 0);
            } else {
                waited += 1;
            }
            let mut conflicts: Vec<usize> =
                (0..self.messages.len()).filter(|&i| self.in_conflict(i, goal)).collect();
            for i in (1..conflicts.len()).rev() {
                conflicts.swap(i, random.below(i as u32 + 1) as usize);
            }
            for i in conflicts {
                // Others may have given way already.
                if self.in_conflict(i, goal) {
                    rerouted += 1;
                    self.reroute(i, goal, freedom, 1 + round / 2);
                }
            }
            self.remember(goal);
            round += 1;
        }
    }

    /// How far links and processors are beyond their bounds, in all.
    fn excess(&self, goal: Goal) -> u64 {
        let links = self.loads.iter().map(|load| load.saturating_sub(goal.load));
        let channels = self.channels.iter().map(|count| count.saturating_sub(goal.channels));
        links.sum::<u64>() + channels.map(u64::from).sum::<u64>()
    }

    /// Shortens paths within bounds that all keep, until none becomes shorter.
    pub(super) fn tidy(&mut self, goal: Goal) {
        let mut shorter = true;
        while shorter {
            shorter = false;
            for i in 0..self.messages.len() {
                let Message { from, to, .. } = self.messages[i];
                let hops = self.paths[i].len();
                if hops > self.wires.hops(from, to) as usize {
                    self.put(i, false);
                    if let Some((_, path)) = self.path(i, self.phase[i], goal, None)
                        && path.len() < hops
                    {
                        self.paths[i] = path;
                        shorter = true;
                    }
                    self.put(i, true);
                }
            }
        }
    }

    /// Adds a message's path to what is counted, or takes it away.
    fn put(&mut self, i: usize, add: bool) {
        let Message { from, to, values } = self.messages[i];
        if from == to {
            return;
        }
        let phase = self.phase[i] as usize * self.wires.points();
        let mut count = |processor: u32| {
            let channels = &mut self.channels[phase + processor as usize];
            *channels = if add { *channels + 1 } else { *channels - 1 };
        };
        count(from);
        for &link in &self.paths[i] {
            let load = &mut self.loads[link as usize];
            let values = values * self.wires.burden(link);
            *load = if add { *load + values } else { *load - values };
            count(self.wires.end(link));
        }
    }

    fn in_conflict(&self, i: usize, goal: Goal) -> bool {
        let phase = self.phase[i] as usize * self.wires.points();
        let full = |processor: u32| self.channels[phase + processor as usize] > goal.channels;
        let crowded =
            |&link: &u32| self.loads[link as usize] > goal.load || full(self.wires.end(link));
        let Message { from, to, .. } = self.messages[i];
        from != to && full(from) || self.paths[i].iter().any(crowded)
    }

    fn reroute(&mut self, i: usize, goal: Goal, freedom: Freedom, pressure: u64) {
        self.put(i, false);
        let mut best: Option<(u64, u32, Vec<u32>)> = None;
        for phase in 0..self.phases as u32 {
            let found = match freedom {
                Freedom::Paths => self.path(i, phase, goal, Some(pressure)),
                Freedom::Phases => {
                    let path = self.paths[i].clone();
                    Some((self.price(i, &path, phase, goal, pressure), path))
                }
            };
            if let Some((cost, path)) = found
                && best.as_ref().is_none_or(|best| cost < best.0)
            {
                best = Some((cost, phase, path));
            }
        }
        if let Some((_, phase, path)) = best {
            (self.phase[i], self.paths[i]) = (phase, path);
        }
        self.put(i, true);
    }

    /// Links and processors that are beyond their bounds cost more from now on.
    fn remember(&mut self, goal: Goal) {
        for (past, &load) in self.link_past.iter_mut().zip(&self.loads) {
            let beyond = load.saturating_sub(goal.load);
            *past += if beyond > 0 { HOP / 8 + HOP * beyond / goal.load.max(1) } else { 0 };
        }
        for (past, &channels) in self.channel_past.iter_mut().zip(&self.channels) {
            let beyond = u64::from(channels.saturating_sub(goal.channels));
            *past += beyond * HOP / 8;
        }
    }
}
