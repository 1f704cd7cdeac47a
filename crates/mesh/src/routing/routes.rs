//! Messages, their paths, and the loads of links and processors.

use crate::machine::Wires;
use crate::{Placement, Quotient};
use std::sync::Arc;

/// Values that go from one processor to another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Message {
    /// The processor that sends.
    pub from: u32,
    /// The processor that receives.
    pub to: u32,
    /// How many values.
    pub values: u64,
}

/// The messages of a quotient whose parts are placed, in the order of
/// [`Quotient::messages`].
pub fn messages(quotient: &Quotient, placement: &Placement) -> Vec<Message> {
    let placed = |(from, to, values)| Message {
        from: placement.processor(from),
        to: placement.processor(to),
        values,
    };
    quotient.messages().map(placed).collect()
}

/// A path for each message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Routes {
    wires: Arc<Wires>,
    /// Between points.
    messages: Vec<Message>,
    paths: Vec<Vec<u32>>,
}

impl Routes {
    /// From paths that connect the ends of their messages, which are points.
    pub(super) fn new(wires: Arc<Wires>, messages: &[Message], paths: Vec<Vec<u32>>) -> Routes {
        Routes { wires, messages: messages.to_vec(), paths }
    }

    /// The network of the machine.
    pub fn wires(&self) -> &Arc<Wires> {
        &self.wires
    }

    /// The messages; their ends are points of the network.
    pub fn messages(&self) -> &[Message] {
        &self.messages
    }

    /// By message, the links of its path in order.
    pub fn paths(&self) -> &[Vec<u32>] {
        &self.paths
    }

    /// The points on a message's path, both ends included: processors, or nodes and switches. A
    /// message within a node has one.
    pub fn points(&self, message: usize) -> impl Iterator<Item = u32> + '_ {
        let ends = self.paths[message].iter().map(|&link| self.wires.end(link));
        std::iter::once(self.messages[message].from).chain(ends)
    }

    /// The points at which a message takes a channel: none within a node.
    pub(super) fn touched(&self, message: usize) -> impl Iterator<Item = u32> + '_ {
        let Message { from, to, .. } = self.messages[message];
        self.points(message).filter(move |_| from != to)
    }

    /// By number of the link, the values that go over it.
    pub fn loads(&self) -> Vec<u64> {
        let mut loads = vec![0; self.wires.link_slots()];
        for (message, path) in self.messages.iter().zip(&self.paths) {
            path.iter().for_each(|&link| loads[link as usize] += message.values);
        }
        loads
    }

    /// By point, the paths that touch it, ends included.
    pub fn channels(&self) -> Vec<u32> {
        let mut channels = vec![0; self.wires.points()];
        for message in 0..self.messages.len() {
            self.touched(message).for_each(|point| channels[point as usize] += 1);
        }
        channels
    }

    /// The largest load of a link.
    pub fn max_link_load(&self) -> u64 {
        self.loads().into_iter().max().unwrap_or(0)
    }

    /// The most paths that touch a point.
    pub fn max_channels(&self) -> u32 {
        self.channels().into_iter().max().unwrap_or(0)
    }

    /// The sum of values times hops along the paths.
    pub fn hopsum(&self) -> u64 {
        let hops = |(message, path): (&Message, &Vec<u32>)| message.values * path.len() as u64;
        self.messages.iter().zip(&self.paths).map(hops).sum()
    }

    /// The time that the fullest link takes: its values over its capacity.
    pub fn max_link_time(&self) -> f64 {
        let time = |(link, load)| load as f64 / f64::from(self.wires.capacity(link));
        (0u32..).zip(self.loads()).map(time).fold(0.0, f64::max)
    }

    /// The largest load of a link, weighted with its capacity.
    pub(super) fn max_burden(&self) -> u64 {
        let loads = (0u32..).zip(self.loads());
        loads.map(|(link, load)| load * self.wires.burden(link)).max().unwrap_or(0)
    }

    /// What routing minimises, in this order.
    pub(super) fn score(&self) -> (u64, u32, u64) {
        (self.max_burden(), self.max_channels(), self.hopsum())
    }
}
