//! Machines as users write them: by form, or by the files that describe them.
//!
//! | text | machine |
//! |---|---|
//! | `torus:8x8/2x8`, … | see [`palmette_mesh::machine`] |
//! | `FILE.graph`, `graph:FILE` | a graph (METIS, Matrix Market): links with capacities, the weights of edges; the weights of vertices, if any, say how many nodes each has, a switch 0 |
//! | `slurm:FILE`, `topology.conf` | hosts below switches, as Slurm has them |
//! | `hwloc:FILE` | the cores of one node, as hwloc has them |
//!
//! After the last two and the first, `/2x8` makes nodes of two sockets with eight cores each.

use palmette_io::{
    GraphFormat, GraphReadParams, InputLimit, IoError, name_of, read_bytes_within,
    read_graph_within, read_hwloc_bytes, read_slurm_bytes,
};
use palmette_mesh::Machine;
use palmette_mesh::machine::{MachineDetails, MachineError};
use palmette_mesh::placement::Host;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// A machine to read, and what is said beside its text.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct MachineParams {
    /// Distances of levels, the innermost first.
    pub distances: Option<Vec<u32>>,
    /// Processors that are dead.
    pub without: Vec<u32>,
    /// The hosts of an allocation. On a machine whose hosts have names, others are not used.
    pub hosts: Option<Vec<Host>>,
    /// How much is read of a file.
    pub limit: InputLimit,
}

/// A machine, and what was found about it.
#[derive(Debug, Clone, PartialEq)]
pub struct MachineInput {
    /// The machine.
    pub machine: Machine,
    /// The hosts whose slots its processors are, in order, where they are known.
    pub hosts: Option<Vec<Host>>,
    /// What a user should know: one sentence each.
    pub notes: Vec<String>,
}

/// Why there is no machine.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum MachineInputError {
    /// The file cannot be read.
    #[error(transparent)]
    Io(#[from] IoError),
    /// The text, or what the file says, is no machine.
    #[error(transparent)]
    Machine(#[from] MachineError),
    /// A host of the allocation that the file does not have.
    #[error("{file}: no host `{host}`, which the allocation has")]
    NoHost {
        /// The file.
        file: String,
        /// The host.
        host: String,
    },
    /// More slots than a node has processors.
    #[error("host `{host}` has {slots} slots, but a node of {machine} has {processors} processors")]
    Slots {
        /// The host.
        host: String,
        /// Its slots.
        slots: u32,
        /// The machine.
        machine: String,
        /// The processors of a node.
        processors: u32,
    },
}

/// The files that a machine can come from.
enum Kind {
    Graph,
    Slurm,
    Hwloc,
}

/// The file that a text names, if it does.
pub fn machine_file(text: &str) -> Option<PathBuf> {
    let (head, _) = MachineDetails::of_text(text, MachineDetails::default()).ok()?;
    file_of(&head).map(|(_, path)| path)
}

fn file_of(head: &str) -> Option<(Kind, PathBuf)> {
    for (word, kind) in [("graph:", Kind::Graph), ("slurm:", Kind::Slurm), ("hwloc:", Kind::Hwloc)]
    {
        if let Some(path) = head.strip_prefix(word) {
            return Some((kind, PathBuf::from(path)));
        }
    }
    if Path::new(head).file_name().is_some_and(|name| name == "topology.conf") {
        return Some((Kind::Slurm, PathBuf::from(head)));
    }
    let graph = matches!(
        GraphFormat::from_name(head),
        Some(GraphFormat::Metis | GraphFormat::MatrixMarket)
    );
    graph.then(|| (Kind::Graph, PathBuf::from(head)))
}

/// Checks what can be checked of a machine's text without its file.
///
/// # Errors
/// As [`Machine::with_details`].
pub fn check_machine(text: &str) -> Result<(), MachineError> {
    let (head, _) = MachineDetails::of_text(text, MachineDetails::default())?;
    if file_of(&head).is_none() {
        text.parse::<Machine>()?;
    }
    Ok(())
}

/// Reads a machine.
///
/// # Errors
/// See [`MachineInputError`].
pub fn read_machine(text: &str, params: &MachineParams) -> Result<MachineInput, MachineInputError> {
    let MachineParams { distances, without, hosts, limit } = params.clone();
    let given = MachineDetails { node: Vec::new(), distances, without };
    let (head, details) = MachineDetails::of_text(text, given.clone())?;
    let Some((kind, path)) = file_of(&head) else {
        let machine = Machine::with_details(text, given)?;
        return Ok(MachineInput { machine, hosts, notes: Vec::new() });
    };
    match kind {
        Kind::Graph => {
            let machine = graph_machine(&head, &path, &details, limit)?;
            Ok(MachineInput { machine, hosts, notes: Vec::new() })
        }
        Kind::Hwloc => {
            let name = name_of(&path);
            let found = read_hwloc_bytes(&name, &read_bytes_within(&path, limit)?)?;
            let branches = if found.branches.is_empty() { vec![1] } else { found.branches };
            let notes = found.notes.into_iter().map(|note| format!("{name}: {note}")).collect();
            if !details.node.is_empty() {
                return Err(MachineError::NoNetwork { text: text.to_string() }.into());
            }
            let machine = Machine::from_sizes(&branches, &details)?;
            Ok(MachineInput { machine, hosts, notes })
        }
        Kind::Slurm => slurm_machine(&head, &path, details, hosts, limit),
    }
}

fn graph_machine(
    head: &str,
    path: &Path,
    details: &MachineDetails,
    limit: InputLimit,
) -> Result<Machine, MachineInputError> {
    let file = read_graph_within(path, &GraphReadParams::default(), limit)?;
    let wrong = |expected: &str, found: String| -> MachineInputError {
        let (file, expected) = (file.name.clone(), expected.to_string());
        IoError::Table { file, expected, found }.into()
    };
    let capacity = |(a, b, weight): (u32, u32, f64)| {
        let whole = weight.fract() == 0.0 && (1.0..=f64::from(u32::MAX)).contains(&weight);
        let found = || format!("{weight} between {} and {}", a + 1, b + 1);
        match whole {
            true => Ok((a, b, weight as u32)),
            false => Err(wrong("capacities that are whole numbers from 1 to 2^32 - 1", found())),
        }
    };
    let links: Vec<(u32, u32, u32)> = file.graph.edges().map(capacity).collect::<Result<_, _>>()?;
    let node = |(vertex, &weight): (usize, &u64)| {
        let found = || format!("{weight} at vertex {}", vertex + 1);
        let number = u32::try_from(weight).ok().filter(|&number| number <= 1 << 24);
        number.ok_or_else(|| wrong("at most 2^24 processors per vertex", found()))
    };
    let nodes: Vec<u32> = match &file.vertex_weights {
        Some(weights) => weights.iter().enumerate().map(node).collect::<Result<_, _>>()?,
        None => vec![1; file.graph.len()],
    };
    Ok(Machine::from_links(head, links, nodes, Vec::new(), false, details)?)
}

fn slurm_machine(
    head: &str,
    path: &Path,
    mut details: MachineDetails,
    hosts: Option<Vec<Host>>,
    limit: InputLimit,
) -> Result<MachineInput, MachineInputError> {
    let file = name_of(path);
    let found = read_slurm_bytes(&file, &read_bytes_within(path, limit)?)?;
    let named: HashMap<&str, usize> =
        found.names[..found.hosts].iter().map(String::as_str).zip(0..).collect();
    // By host, its slots; several entries of a host are added.
    let mut slots = vec![0u32; found.hosts];
    for host in hosts.iter().flatten() {
        let Some(&at) = named.get(host.name.as_str()) else {
            return Err(MachineInputError::NoHost { file, host: host.name.clone() });
        };
        slots[at] = slots[at].saturating_add(host.slots);
    }
    let most = slots.iter().copied().max().unwrap_or(0);
    if details.node.is_empty() && most > 1 {
        details.node = vec![most];
    }
    let size = details.node.iter().try_fold(1u32, |size, &n| size.checked_mul(n));
    let size = size.ok_or_else(|| MachineError::TooMany { text: head.to_string() })?;
    if hosts.is_some() {
        if let Some(at) = slots.iter().position(|&slots| slots > size) {
            let (host, slots) = (found.names[at].clone(), slots[at]);
            let (machine, processors) = (head.to_string(), size);
            return Err(MachineInputError::Slots { host, slots, machine, processors });
        }
        let all = (0u32..).zip(&slots);
        let unused = all.flat_map(|(host, &slots)| host * size + slots..(host + 1) * size);
        details.without.extend(unused);
    }
    let mut nodes = vec![1; found.hosts];
    nodes.resize(found.names.len(), 0);
    let name = |name: &String| Host { name: name.clone(), slots: size };
    let hosts = found.names[..found.hosts].iter().map(name).collect();
    let machine = Machine::from_links(head, found.links, nodes, found.names, true, &details)?;
    Ok(MachineInput { machine, hosts: Some(hosts), notes: Vec::new() })
}
