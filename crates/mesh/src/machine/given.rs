//! What is said of a machine beside its network: nodes, distances, dead processors; and machines
//! that come from files.

use super::network::Plan;
use super::{FatTree, Lattice, Machine, MachineError, Network};

/// The rest of a machine's description.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct MachineDetails {
    /// Branches of the nodes of a network, from the outermost groups in; none for nodes of one
    /// processor.
    pub node: Vec<u32>,
    /// Distances, the innermost first: of processors that share each group, and of a hop. By
    /// default 1, 10, 100 and so on.
    pub distances: Option<Vec<u32>>,
    /// Processors that are dead.
    pub without: Vec<u32>,
}

/// A network without its nodes.
pub(super) enum Base {
    Lattice(Lattice),
    /// Groups, routers of each, processors of each.
    Dragonfly([u32; 3]),
    /// Links with capacities, and the nodes of each point.
    Links {
        links: Vec<(u32, u32, u32)>,
        nodes: Vec<u32>,
        names: Vec<String>,
        in_order: bool,
    },
}

impl Machine {
    /// A network of links `(a, b, capacity)` between points, each of them in both directions.
    /// `nodes` says for each point how many nodes it has, 0 for a switch; `names` may be empty.
    /// `in_order` says that points near each other have near numbers. `text` is how the machine
    /// is written.
    ///
    /// # Errors
    /// A machine that is too large, or not connected; details that do not fit it.
    ///
    /// # Panics
    /// When a link ends at no point.
    pub fn from_links(
        text: &str,
        links: Vec<(u32, u32, u32)>,
        nodes: Vec<u32>,
        names: Vec<String>,
        in_order: bool,
        details: &MachineDetails,
    ) -> Result<Machine, MachineError> {
        Base::Links { links, nodes, names, in_order }.machine(text, details)
    }

    /// A hierarchy of groups, from the outermost in.
    ///
    /// # Errors
    /// As [`Machine::from_links`].
    pub fn from_sizes(branches: &[u32], details: &MachineDetails) -> Result<Machine, MachineError> {
        let inner: Vec<String> = branches.iter().rev().map(u32::to_string).collect();
        hierarchy(&format!("hierarchy:{}", inner.join("x")), branches.to_vec(), details)
    }
}

/// A hierarchy; branches from the root down.
pub(super) fn hierarchy(
    text: &str,
    branches: Vec<u32>,
    details: &MachineDetails,
) -> Result<Machine, MachineError> {
    if !details.without.is_empty() {
        return Err(MachineError::NoNetwork { text: text.to_string() });
    }
    let mut distances = distances(text, branches.len(), details)?;
    distances.reverse();
    Ok(Machine::FatTree(FatTree::with_distances(branches, distances)))
}

/// The distances given, or powers of ten.
fn distances(
    text: &str,
    expected: usize,
    details: &MachineDetails,
) -> Result<Vec<u32>, MachineError> {
    let powers = || (0..expected as u32).map(|level| 10u32.saturating_pow(level)).collect();
    let distances = details.distances.clone().unwrap_or_else(powers);
    match distances.len() {
        found if found != expected => {
            Err(MachineError::Distances { text: text.to_string(), expected, found })
        }
        _ => match distances.iter().find(|&&distance| distance == 0) {
            Some(_) => Err(MachineError::Number { text: text.into(), found: "0".to_string() }),
            None => Ok(distances),
        },
    }
}

impl Base {
    pub(super) fn machine(
        self,
        text: &str,
        details: &MachineDetails,
    ) -> Result<Machine, MachineError> {
        let MachineDetails { node, without, .. } = details;
        let plain = node.is_empty();
        if plain && details.distances.is_some() {
            return Err(MachineError::NoLevels { text: text.to_string() });
        }
        let distances = match plain {
            true => vec![1],
            false => distances(text, node.len() + 1, details)?,
        };
        let mut without = without.clone();
        without.sort_unstable();
        without.dedup();
        let described = described(text, node, &distances, &without);
        let (node, names) = (node.clone(), Vec::new());
        let plan = match self {
            Base::Lattice(lattice) if plain && without.is_empty() => {
                return Ok(Machine::Lattice(lattice));
            }
            Base::Lattice(lattice) => {
                let nodes = vec![1; lattice.processors()];
                let (lattice, links) = (Some(lattice), Vec::new());
                let points = nodes.len();
                let text = described;
                Plan {
                    text,
                    points,
                    lattice,
                    links,
                    nodes,
                    node,
                    distances,
                    without,
                    names,
                    in_order: true,
                }
            }
            Base::Dragonfly([groups, routers, processors]) => {
                let links = dragonfly(groups, routers);
                let nodes = vec![processors; (groups * routers) as usize];
                let points = nodes.len();
                let (lattice, text) = (None, described);
                Plan {
                    text,
                    points,
                    lattice,
                    links,
                    nodes,
                    node,
                    distances,
                    without,
                    names,
                    in_order: true,
                }
            }
            Base::Links { links, nodes, names, in_order } => {
                let (points, lattice, text) = (nodes.len(), None, described);
                Plan {
                    text,
                    points,
                    lattice,
                    links,
                    nodes,
                    node,
                    distances,
                    without,
                    names,
                    in_order,
                }
            }
        };
        Ok(Machine::Network(Box::new(Network::new(plan)?)))
    }
}

/// How a machine is written.
fn described(text: &str, node: &[u32], distances: &[u32], without: &[u32]) -> String {
    let list = |numbers: &[u32], separator: &str| {
        numbers.iter().map(u32::to_string).collect::<Vec<_>>().join(separator)
    };
    let mut described = text.to_string();
    if !node.is_empty() {
        described += &format!("/{}@{}", list(node, "x"), list(distances, ","));
    }
    if !without.is_empty() {
        described += &format!(" without {}", list(without, ","));
    }
    described
}

/// The links of a dragonfly: between any two routers of a group, and one between any two groups,
/// dealt out to the routers in turn.
///
/// **Reference.** Kim, Dally, Scott and Abts, *Technology-driven, highly-scalable dragonfly
/// topology*, 2008.
fn dragonfly(groups: u32, routers: u32) -> Vec<(u32, u32, u32)> {
    let mut links = Vec::new();
    for group in 0..groups {
        let router = |k: u32| group * routers + k;
        links.extend(
            (0..routers).flat_map(|a| (a + 1..routers).map(move |b| (router(a), router(b), 1))),
        );
        // The k-th link out of a group is at its router k modulo their number.
        links.extend((group + 1..groups).map(|other| {
            let (out, back) = ((other - 1) % routers, group % routers);
            (router(out), other * routers + back, 1)
        }));
    }
    links
}
