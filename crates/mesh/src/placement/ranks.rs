//! Placements for MPI: files that tell launchers where ranks go.
//!
//! Rank `i` is part `i`. The processors of the machine are the slots of the hosts, in the
//! order of the list: processor 0 is slot 0 of the first host. A host that is named again
//! goes on with its next slot.

use super::{Placement, PlacementError};
use palmette_core::host_list::{host_entries, host_names};
use palmette_core::named;
use std::collections::HashMap;

/// A host and how many processors of the machine it holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Host {
    /// Its name or address.
    pub name: String,
    /// Its processors.
    pub slots: u32,
}

/// Reads a list of hosts, `name` or `name:slots` each, separated by commas or white space; names
/// with brackets stand for several, as in `tux[0-3,12]:8`.
///
/// # Errors
/// An empty name, a number of slots that is none or 0; the error says which.
pub fn parse_hosts(text: &str) -> Result<Vec<Host>, PlacementError> {
    let host = |(number, entry): (usize, &str)| {
        let wrong = || PlacementError::Host { number: number + 1, text: entry.to_string() };
        // An address of IPv6 has colons of its own; in brackets it can have slots.
        let (name, slots) = match entry.rsplit_once(':') {
            Some((name, slots)) => (name, slots.parse().ok()),
            None => (entry, Some(1)),
        };
        match slots {
            // Addresses of IPv6 are in brackets, too; names have something before them.
            Some(slots) if slots > 0 && !name.is_empty() => {
                let names = match name.starts_with('[') {
                    true => vec![name.to_string()],
                    false => host_names(name).map_err(|_| wrong())?,
                };
                Ok(names.into_iter().map(|name| Host { name, slots }).collect())
            }
            _ => Err(wrong()),
        }
    };
    let hosts: Result<Vec<Vec<Host>>, _> =
        host_entries(text).into_iter().enumerate().map(host).collect();
    Ok(hosts?.concat())
}

/// The host and the slot of each part's processor.
fn slots<'a>(
    placement: &Placement,
    hosts: &'a [Host],
) -> Result<Vec<(&'a str, u64)>, PlacementError> {
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
    let of = |&processor: &u32| {
        if processor as usize >= slots {
            return Err(PlacementError::TooFewSlots { slots, processor });
        }
        let number = firsts.partition_point(|&first| first <= u64::from(processor)) - 1;
        let slot = bases[number] + u64::from(processor) - firsts[number];
        Ok((hosts[number].name.as_str(), slot))
    };
    placement.processors().iter().map(of).collect()
}

named! {
    /// What a launcher of MPI jobs reads to put ranks in their places.
    #[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
    #[non_exhaustive]
    pub enum RankFormat("format of ranks") {
        /// Open MPI: its rankfile, a line `rank i=host slot=j` per rank.
        #[default]
        Rankfile = "rankfile",
        /// Slurm: the file of an arbitrary distribution, a host per rank.
        Slurm = "slurm",
        /// MPICH: `mpiexec -f FILE`, `host:ranks` for runs of ranks on a host.
        Mpich = "mpich",
    }
}

/// Where ranks go, in the words of a launcher; rank `i` is part `i`.
///
/// # Errors
/// A part on a processor for which there is no slot.
pub fn ranks(
    format: RankFormat,
    placement: &Placement,
    hosts: &[Host],
) -> Result<String, PlacementError> {
    let slots = slots(placement, hosts)?;
    let mut text = String::new();
    match format {
        RankFormat::Rankfile => {
            for (rank, (host, slot)) in slots.iter().enumerate() {
                text += &format!("rank {rank}={host} slot={slot}\n");
            }
        }
        RankFormat::Slurm => slots.iter().for_each(|(host, _)| text += &format!("{host}\n")),
        RankFormat::Mpich => {
            for run in slots.chunk_by(|a, b| a.0 == b.0) {
                text += &format!("{}:{}\n", run[0].0, run.len());
            }
        }
    }
    Ok(text)
}

/// A rankfile for `mpirun`: a line `rank i=host slot=j` for each part.
///
/// # Errors
/// As [`ranks`].
pub fn rankfile(placement: &Placement, hosts: &[Host]) -> Result<String, PlacementError> {
    ranks(RankFormat::Rankfile, placement, hosts)
}
