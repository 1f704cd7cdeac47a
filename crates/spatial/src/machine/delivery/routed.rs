//! Messages through routers, where they wait for each other.
//!
//! Every program has a network of its own: programs that overlap in time do not get in each other's
//! way. In a [replay](crate::machine::network::replay) they do.

use super::carrier::{Arrival, Carrier, Parcel};
use crate::Window;
use crate::machine::links::Place;
use crate::machine::network::{self, Network, NetworkParams};
use std::sync::Arc;

pub(super) struct Routed {
    places: Arc<[Place]>,
    /// Cycles from the arrival of a message to what its handler sends.
    compute: u64,
    network: Network,
    /// What messages are called, in the order of posting: that is their number.
    ids: Vec<u32>,
    /// Messages that have arrived, the last one first.
    arrived: Vec<network::Arrival>,
}

impl Routed {
    pub(super) fn new(places: Arc<[Place]>, window: Window, params: NetworkParams) -> Routed {
        let (network, compute) = (Network::on(window, params), params.compute.into());
        Routed { places, compute, network, ids: Vec::new(), arrived: Vec::new() }
    }
}

impl Carrier for Routed {
    fn post(&mut self, Parcel { id, from, to, words, sent, .. }: Parcel) {
        let [from, to] = [from, to].map(|p| self.places[p as usize]);
        let number = self.ids.len() as u32;
        self.ids.push(id);
        self.network.inject_inside(sent + self.compute, from, to, words, number);
    }

    fn next(&mut self, before: u64) -> Option<Arrival> {
        // No farther than asked: what starts then may still send.
        while self.arrived.is_empty() && self.network.next_time().is_some_and(|t| t < before) {
            self.network.step(&mut self.arrived);
            self.arrived.reverse();
        }
        let next = self.arrived.pop_if(|arrival| arrival.time < before)?;
        Some(Arrival { id: self.ids[next.number as usize], time: next.time })
    }
}
