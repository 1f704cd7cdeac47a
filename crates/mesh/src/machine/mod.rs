//! Machines: processors, the links between them, and how far apart they are.
//!
//! | text | machine |
//! |---|---|
//! | `mesh:ROWSxCOLUMNS`, `mesh:LAYERSxROWSxCOLUMNS` | a grid without wrap-around |
//! | `torus:ROWSxCOLUMNS`, `torus:LAYERSxROWSxCOLUMNS` | a grid whose sides are rings |
//! | `fat-tree:4x4x4`, `fat-tree:4x4x4@4,2,1` | switches with so many branches, from the root down; after `@` the capacities of the links above each level's groups |
//!
//! | `hierarchy:4x8x6@1,10,100` | groups within groups, the smallest first: 4 cores to a processor, 8 processors to a node, 6 nodes; after `@` how far two processors are apart that share each |
//! | `dragonfly:9x4x2` | groups of routers, routers of a group, processors of a router; a link between any two routers of a group, and one between any two groups |
//! | `torus:8x8/2x8@1,10,100` | nodes of two sockets with eight cores each; any of the networks above can have nodes, and after `@` the distances in a socket, in a node, and of a hop |
//! | `torus:8x8 without 3,17-20` | the same with dead processors |
//!
//! Machines from files are made by [`Machine::from_links`] and [`Machine::from_sizes`].
//!
//! **Numbers.** The processors of a grid are numbered row by row, the last coordinate
//! fastest, as `MPI_Cart` does; those of a fat tree as its leaves from the left.
//!
//! **Distance** is in hops and takes constant time. **Cost** is what placement minimises for
//! each value sent: the hops on a grid; on a fat tree the crossed levels, each weighted with
//! how scarce its capacity is ([`FatTree::cost`]).

mod error;
mod fat_tree;
mod given;
mod lattice;
mod network;
mod parse;
mod region;
#[cfg(test)]
mod tests;
mod wires;

pub use error::MachineError;
pub use fat_tree::FatTree;
pub use given::MachineDetails;
pub use lattice::Lattice;
pub use network::Network;
pub use parse::numbers_of;
pub use region::Region;
pub use wires::{MOST_POINTS, Wires};

use std::sync::Arc;

/// More processors than this are refused.
pub const MOST_PROCESSORS: u64 = 1 << 24;

/// A parallel machine.
///
/// ```
/// use palmette_mesh::Machine;
/// let torus: Machine = "torus:8x8".parse()?;
/// assert_eq!((torus.processors(), torus.distance(0, 63)), (64, 2));
/// let tree: Machine = "fat-tree:4x4x4".parse()?;
/// assert_eq!((tree.distance(0, 1), tree.distance(0, 63)), (2, 6));
/// assert!("torus:8".parse::<Machine>().is_ok() && "torus:0x8".parse::<Machine>().is_err());
/// # Ok::<(), palmette_mesh::machine::MachineError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Machine {
    /// A mesh or a torus, of one to three dimensions.
    Lattice(Lattice),
    /// A fat tree, or a hierarchy with distances.
    FatTree(FatTree),
    /// Any network of nodes.
    Network(Box<Network>),
}

impl Machine {
    /// How machines are written.
    pub const FORMS: [&str; 7] = [
        "mesh:ROWSxCOLUMNS",
        "mesh:LAYERSxROWSxCOLUMNS",
        "torus:ROWSxCOLUMNS",
        "torus:LAYERSxROWSxCOLUMNS",
        "fat-tree:AxBxC[@A,B,C]",
        "hierarchy:AxBxC[@A,B,C]",
        "dragonfly:GROUPSxROUTERSxPROCESSORS",
    ];

    /// The number of processors, dead ones among them.
    pub fn processors(&self) -> usize {
        match self {
            Machine::Lattice(lattice) => lattice.processors(),
            Machine::FatTree(tree) => tree.processors(),
            Machine::Network(network) => network.processors(),
        }
    }

    /// The number of processors that can have a part.
    pub fn places(&self) -> usize {
        match self {
            Machine::Network(network) => network.order().len(),
            _ => self.processors(),
        }
    }

    /// Whether a processor can have a part.
    #[inline]
    pub fn is_available(&self, processor: u32) -> bool {
        match self {
            Machine::Network(network) => network.is_available(processor),
            _ => true,
        }
    }

    /// The processors that can have a part, ascending.
    pub fn available(&self) -> Vec<u32> {
        (0..self.processors() as u32).filter(|&p| self.is_available(p)).collect()
    }

    /// The distance between two processors: the hops, or what is given instead.
    #[inline]
    pub fn distance(&self, a: u32, b: u32) -> u32 {
        match self {
            Machine::Lattice(lattice) => lattice.distance(a, b),
            Machine::FatTree(tree) => tree.distance(a, b),
            Machine::Network(network) => network.distance(a, b),
        }
    }

    /// What sending one value between two processors counts for in a placement.
    #[inline]
    pub fn cost(&self, a: u32, b: u32) -> u32 {
        match self {
            Machine::Lattice(lattice) => lattice.distance(a, b),
            Machine::FatTree(tree) => tree.cost(a, b),
            Machine::Network(network) => network.distance(a, b),
        }
    }

    /// The processors nearest to one: those a link away, or behind the lowest switch that it
    /// shares with any. None only where there is no other processor.
    pub fn neighbours(&self, processor: u32) -> Vec<u32> {
        match self {
            Machine::Lattice(lattice) => {
                let steps = 0..lattice.directions();
                steps.filter_map(|direction| lattice.step(processor, direction)).collect()
            }
            Machine::FatTree(tree) => {
                // Switches with one branch may be between.
                let level = (0..tree.levels()).rev().find(|&level| tree.below(level) > 1);
                let level = level.unwrap_or(0);
                let (group, size) = (tree.group(processor, level), tree.below(level));
                let all = group * size..(group + 1) * size;
                all.filter(|&other| other != processor).collect()
            }
            Machine::Network(network) => network.neighbours(processor),
        }
    }

    /// The network that messages are routed on; none on fat trees and hierarchies.
    pub fn wires(&self) -> Option<Arc<Wires>> {
        match self {
            Machine::Lattice(lattice) => Some(Arc::new(Wires::of_lattice(lattice))),
            Machine::FatTree(_) => None,
            Machine::Network(network) => Some(network.wires().clone()),
        }
    }

    /// The point of the network that a processor is at.
    #[inline]
    pub fn point(&self, processor: u32) -> u32 {
        match self {
            Machine::Network(network) => network.point(processor),
            _ => processor,
        }
    }

    /// The grid whose points the processors or their nodes are, where none is missing.
    pub(crate) fn grid(&self) -> Option<&Lattice> {
        match self {
            Machine::Lattice(lattice) => Some(lattice),
            Machine::FatTree(_) => None,
            Machine::Network(network) => network.whole_lattice(),
        }
    }

    /// Sizes of groups whose parts can change places: all groups of a size alike.
    pub(crate) fn group_sizes(&self) -> Vec<u32> {
        let sizes: Vec<u32> = match self {
            Machine::Lattice(_) => Vec::new(),
            Machine::FatTree(tree) => (1..tree.levels()).map(|level| tree.below(level)).collect(),
            Machine::Network(network) if network.order().len() < network.processors() => Vec::new(),
            Machine::Network(network) => network.groups().to_vec(),
        };
        let inside = |&size: &u32| size > 1 && (size as usize) < self.processors();
        sizes.into_iter().filter(inside).collect()
    }

    /// The network of nodes, if it is one.
    pub fn network(&self) -> Option<&Network> {
        match self {
            Machine::Network(network) => Some(network),
            _ => None,
        }
    }

    /// The grid, if it is one.
    pub fn lattice(&self) -> Option<&Lattice> {
        match self {
            Machine::Lattice(lattice) => Some(lattice),
            _ => None,
        }
    }

    /// The fat tree or hierarchy, if it is one.
    pub fn fat_tree(&self) -> Option<&FatTree> {
        match self {
            Machine::FatTree(tree) => Some(tree),
            _ => None,
        }
    }
}

/// Asks for memory.
fn room(bytes: u64) -> Result<(), MachineError> {
    Ok(palmette_core::memory::check_room(bytes)?)
}
