//! Machines: processors, the links between them, and how far apart they are.
//!
//! | text | machine |
//! |---|---|
//! | `mesh:ROWSxCOLUMNS`, `mesh:LAYERSxROWSxCOLUMNS` | a grid without wrap-around |
//! | `torus:ROWSxCOLUMNS`, `torus:LAYERSxROWSxCOLUMNS` | a grid whose sides are rings |
//! | `fat-tree:4x4x4`, `fat-tree:4x4x4@4,2,1` | switches with so many branches, from the root down; after `@` the capacities of the links above each level's groups |
//!
//! **Numbers.** The processors of a grid are numbered row by row, the last coordinate
//! fastest, as `MPI_Cart` does; those of a fat tree as its leaves from the left.
//!
//! **Distance** is in hops and takes constant time. **Cost** is what placement minimises for
//! each value sent: the hops on a grid; on a fat tree the crossed levels, each weighted with
//! how scarce its capacity is ([`FatTree::cost`]).

mod error;
mod fat_tree;
mod lattice;
mod parse;
mod region;
#[cfg(test)]
mod tests;

pub use error::MachineError;
pub use fat_tree::FatTree;
pub use lattice::Lattice;
pub use region::Region;

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
    /// A fat tree.
    FatTree(FatTree),
}

impl Machine {
    /// How machines are written.
    pub const FORMS: [&str; 5] = [
        "mesh:ROWSxCOLUMNS",
        "mesh:LAYERSxROWSxCOLUMNS",
        "torus:ROWSxCOLUMNS",
        "torus:LAYERSxROWSxCOLUMNS",
        "fat-tree:AxBxC[@A,B,C]",
    ];

    /// The number of processors.
    pub fn processors(&self) -> usize {
        match self {
            Machine::Lattice(lattice) => lattice.processors(),
            Machine::FatTree(tree) => tree.processors(),
        }
    }

    /// The hops between two processors.
    #[inline]
    pub fn distance(&self, a: u32, b: u32) -> u32 {
        match self {
            Machine::Lattice(lattice) => lattice.distance(a, b),
            Machine::FatTree(tree) => tree.distance(a, b),
        }
    }

    /// What sending one value between two processors counts for in a placement.
    #[inline]
    pub fn cost(&self, a: u32, b: u32) -> u32 {
        match self {
            Machine::Lattice(lattice) => lattice.distance(a, b),
            Machine::FatTree(tree) => tree.cost(a, b),
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
        }
    }

    /// The grid, if it is one.
    pub fn lattice(&self) -> Option<&Lattice> {
        match self {
            Machine::Lattice(lattice) => Some(lattice),
            Machine::FatTree(_) => None,
        }
    }

    /// The fat tree, if it is one.
    pub fn fat_tree(&self) -> Option<&FatTree> {
        match self {
            Machine::Lattice(_) => None,
            Machine::FatTree(tree) => Some(tree),
        }
    }
}
