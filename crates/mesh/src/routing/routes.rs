//! Messages, their paths, and the loads of links and processors.

use crate::machine::Lattice;
use crate::{Placement, Quotient};

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
    lattice: Lattice,
    messages: Vec<Message>,
    paths: Vec<Vec<u32>>,
}

impl Routes {
    /// From paths that connect the ends of their messages.
    pub(super) fn new(lattice: Lattice, messages: &[Message], paths: Vec<Vec<u32>>) -> Routes {
        Routes { lattice, messages: messages.to_vec(), paths }
    }

    /// The machine.
    pub fn lattice(&self) -> &Lattice {
        &self.lattice
    }

    /// The messages.
    pub fn messages(&self) -> &[Message] {
        &self.messages
    }

    /// By message, the links of its path in order.
    pub fn paths(&self) -> &[Vec<u32>] {
        &self.paths
    }

    /// The processors on a message's path, both ends included.
    pub fn processors(&self, message: usize) -> impl Iterator<Item = u32> + '_ {
        let ends = self.paths[message].iter().map(|&link| self.lattice.ends(link).1);
        std::iter::once(self.messages[message].from).chain(ends)
    }

    /// By number of the link, the values that go over it.
    pub fn loads(&self) -> Vec<u64> {
        let mut loads = vec![0; self.lattice.link_slots()];
        for (message, path) in self.messages.iter().zip(&self.paths) {
            path.iter().for_each(|&link| loads[link as usize] += message.values);
        }
        loads
    }

    /// By processor, the paths that touch it, ends included.
    pub fn channels(&self) -> Vec<u32> {
        let mut channels = vec![0; self.lattice.processors()];
        for message in 0..self.messages.len() {
            self.processors(message).for_each(|processor| channels[processor as usize] += 1);
        }
        channels
    }

    /// The largest load of a link.
    pub fn max_link_load(&self) -> u64 {
        self.loads().into_iter().max().unwrap_or(0)
    }

    /// The most paths that touch a processor.
    pub fn max_channels(&self) -> u32 {
        self.channels().into_iter().max().unwrap_or(0)
    }

    /// The sum of values times hops along the paths.
    pub fn hopsum(&self) -> u64 {
        let hops = |(message, path): (&Message, &Vec<u32>)| message.values * path.len() as u64;
        self.messages.iter().zip(&self.paths).map(hops).sum()
    }

    /// What routing minimises, in this order.
    pub(super) fn score(&self) -> (u64, u32, u64) {
        (self.max_link_load(), self.max_channels(), self.hopsum())
    }
}
