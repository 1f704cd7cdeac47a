//! What carries messages from one processor to another, and when they arrive.

use super::Delivery;
use crate::machine::mix;
use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};

/// A message as what carries it sees it.
#[derive(Debug, Clone, Copy)]
pub(in crate::machine) struct Parcel {
    /// What the sender calls it.
    pub(in crate::machine) id: u32,
    pub(in crate::machine) from: u32,
    pub(in crate::machine) to: u32,
    /// How far it goes.
    pub(in crate::machine) hops: u32,
    /// The words that it takes on a link.
    pub(in crate::machine) words: u32,
    /// When it is sent.
    pub(in crate::machine) sent: u64,
}

/// A message that has arrived.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::machine) struct Arrival {
    pub(in crate::machine) id: u32,
    pub(in crate::machine) time: u64,
}

/// What carries the messages of one program.
///
/// Time goes on with arrivals: whatever is posted after one is sent at its time or later. So
/// messages may get in each other's way, and nothing has to be known about a message when it
/// is posted.
pub(in crate::machine) trait Carrier {
    /// Takes a message. It arrives after it was sent.
    fn post(&mut self, parcel: Parcel);

    /// The next message to arrive, if that is before a time.
    fn next(&mut self, before: u64) -> Option<Arrival>;
}

/// A carrier in which messages do not get in each other's way.
pub(super) struct Timed {
    delivery: Delivery,
    seed: u64,
    /// How many messages have been posted.
    posted: u64,
    /// Arrivals: their time, what decides between those at one time, their number and id.
    flying: BinaryHeap<Reverse<(u64, u64, u64, u32)>>,
    /// The last arrival from one processor at another, where order is kept.
    last: HashMap<(u32, u32), u64>,
}

impl Timed {
    pub(super) fn new(delivery: Delivery, seed: u64) -> Timed {
        let (flying, last) = (BinaryHeap::new(), HashMap::new());
        Timed { delivery, seed, posted: 0, flying, last }
    }
}

impl Carrier for Timed {
    fn post(&mut self, Parcel { id, from, to, hops, sent, .. }: Parcel) {
        self.posted += 1;
        let hops = u64::from(hops);
        let (mut time, tie) = match self.delivery {
            // What waits for others has a carrier of its own.
            Delivery::Step | Delivery::Network => (sent + 1, 0),
            Delivery::Manhattan { constant } => (sent + u64::from(constant) + hops, 0),
            Delivery::Random { constant, least, most, per_hop, ordered, seed } => {
                let random = mix(self.seed ^ mix(seed ^ mix(self.posted)));
                let times = if per_hop { hops } else { 1 };
                let (least, most) = (u64::from(least) * times, u64::from(most) * times);
                let spread = u128::from(most - least + 1);
                let drawn = least + ((u128::from(random) * spread) >> 64) as u64;
                // Of those at one time any may come first, unless the order is kept.
                let pair = u64::from(from) << 32 | u64::from(to);
                let tie = mix(self.seed ^ if ordered { mix(seed ^ pair) } else { mix(random) });
                (sent + u64::from(constant) + drawn, tie)
            }
        };
        if let Delivery::Random { ordered: true, .. } = self.delivery {
            let last = self.last.entry((from, to)).or_default();
            *last = time.max(*last);
            time = *last;
        }
        self.flying.push(Reverse((time, tie, self.posted, id)));
    }

    fn next(&mut self, before: u64) -> Option<Arrival> {
        let &Reverse((time, _, _, id)) = self.flying.peek()?;
        if time >= before {
            return None;
        }
        self.flying.pop();
        Some(Arrival { id, time })
    }
}
