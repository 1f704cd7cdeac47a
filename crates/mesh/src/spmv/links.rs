//! What this process sends to others and receives from them in one exchange.
//!
//! All pairs of parts between two ranks go into one message, by sending and receiving part;
//! both ranks know this order without talking.

use super::transport::parts_of_rank;
use std::collections::BTreeMap;

/// Words from one part to another.
pub(super) struct Pair {
    pub(super) from: u32,
    pub(super) to: u32,
    /// Where the sender finds them; for the receiver only their number matters.
    pub(super) places: Vec<u32>,
}

/// The messages of an exchange, in nodes.
pub(super) struct Links {
    /// Where the nodes to send are found, in the order of the messages.
    pub(super) outgoing: Vec<u32>,
    /// By rank: nodes sent.
    pub(super) sends: Vec<usize>,
    /// By rank: nodes received.
    pub(super) receives: Vec<usize>,
    /// By sending and receiving part: where its nodes begin among those received.
    arrivals: BTreeMap<(u32, u32), usize>,
}

impl Links {
    /// From the pairs that leave this process and those that come from others.
    pub(super) fn new(ranks: usize, parts: usize, sent: Vec<Pair>, received: &[Pair]) -> Links {
        let rank_of = |part: u32| {
            (0..ranks).find(|&r| parts_of_rank(r, ranks, parts).contains(&(part as usize)))
        };
        let rank_of: Vec<usize> =
            (0..parts as u32).map(|part| rank_of(part).unwrap_or(0)).collect();
        let (mut sends, mut receives) = (vec![0; ranks], vec![0; ranks]);
        let mut sent = sent;
        sent.sort_by_key(|pair| (rank_of[pair.to as usize], pair.from, pair.to));
        for pair in &sent {
            sends[rank_of[pair.to as usize]] += pair.places.len();
        }
        let outgoing = sent.into_iter().flat_map(|pair| pair.places).collect();
        let mut order: Vec<&Pair> = received.iter().collect();
        order.sort_by_key(|pair| (rank_of[pair.from as usize], pair.from, pair.to));
        let (mut arrivals, mut next) = (BTreeMap::new(), 0);
        for pair in order {
            arrivals.insert((pair.from, pair.to), next);
            next += pair.places.len();
            receives[rank_of[pair.from as usize]] += pair.places.len();
        }
        Links { outgoing, sends, receives, arrivals }
    }

    /// Where the nodes from one part to another begin among those received.
    pub(super) fn arrival(&self, from: u32, to: u32) -> usize {
        self.arrivals.get(&(from, to)).copied().expect("a pair that was named")
    }

    /// The nodes received.
    pub(super) fn incoming(&self) -> usize {
        self.receives.iter().sum()
    }

    /// Words sent to and received from each rank when a node has some components.
    pub(super) fn words(&self, components: usize) -> [Vec<usize>; 2] {
        [&self.sends, &self.receives].map(|nodes| nodes.iter().map(|n| n * components).collect())
    }
}

/// Copies the components of some nodes out of `from`, one after another.
pub(super) fn collect(places: &[u32], components: usize, from: &[f64], to: &mut [f64]) {
    for (to, &place) in to.chunks_exact_mut(components).zip(places) {
        let first = place as usize * components;
        to.copy_from_slice(&from[first..first + components]);
    }
}
