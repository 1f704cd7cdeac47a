//! Placements for MPI: a rankfile for Open MPI.
//!
//! Rank `i` is part `i`. The processors of the machine are the slots of the hosts, in the
//! order of the list: processor 0 is slot 0 of the first host. A host that is named again
//! goes on with its next slot.

use super::{Placement, PlacementError};
use std::collections::HashMap;
use std::fmt::Write;

/// A host and how many processors of the machine it holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Host {
    /// Its name or address.
    pub name: String,
    /// Its processors.
    pub slots: u32,
}

/// Reads a list of hosts, `name` or `name:slots` each, separated by commas or white space.
///
/// # Errors
/// An empty name, a number of slots that is none or 0; the error says which.
pub fn parse_hosts(text: &str) -> Result<Vec<Host>, PlacementError> {
    let entries = text.split([',', ' ', '\t', '\n', '\r']).filter(|entry| !entry.is_empty());
    let host = |(number, entry): (usize, &str)| {
        // An address of IPv6 has colons of its own; in brackets it can have slots.
        let (name, slots) = match entry.rsplit_once(':') {
            Some((name, slots)) => (name, slots.parse().ok()),
            None => (entry, Some(1)),
        };
        match slots {
            Some(slots) if slots > 0 && !name.is_empty() => {
                Ok(Host { name: name.to_string(), slots })
            }
            _ => Err(PlacementError::Host { number: number + 1, text: entry.to_string() }),
        }
    };
    entries.enumerate().map(host).collect()
}

/// A rankfile for `mpirun`: a line `rank i=host slot=j` for each part.
///
/// # Errors
/// A part on a processor for which there is no slot.
pub fn rankfile(placement: &Placement, hosts: &[Host]) -> Result<String, PlacementError> {
    let slots: usize = hosts.iter().map(|host| host.slots as usize).sum();
    let mut firsts = Vec::with_capacity(hosts.len());
    let mut first = 0u64;
    let mut used: HashMap<&str, u64> = HashMap::new();
    let mut bases = Vec::with_capacity(hosts.len());
    for host in hosts {
        firsts.push(first);
        first += u64::from(host.slots);
        let used = used.entry(&host.name).or_default();
        bases.push(*used);
        *used += u64::from(host.slots);
    }
    let mut text = String::new();
    for (rank, &processor) in placement.processors().iter().enumerate() {
        if processor as usize >= slots {
            return Err(PlacementError::TooFewSlots { slots, processor });
        }
        let number = firsts.partition_point(|&first| first <= u64::from(processor)) - 1;
        let slot = bases[number] + u64::from(processor) - firsts[number];
        writeln!(text, "rank {rank}={} slot={slot}", hosts[number].name)
            .expect("a string can be written to");
    }
    Ok(text)
}
