//! What a vertex knows before a program on trees runs.

use super::ProgramError;
use crate::local::{Family, VirtualLinks, construct, families};
use crate::machine::{Machine, Memory};
use crate::plain;
use palmette_core::Tree;

plain! {
    /// A vertex's neighbours in the tree and in the virtual tree: 13 words.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub struct Kin {
        /// In the tree.
        pub family: Family,
        /// In the virtual tree.
        pub links: VirtualLinks,
    }
}

/// The neighbours of every vertex of a tree that lies in light-first order, processor `p`
/// having the vertex at position `p`. The tree's own links are input; those of the virtual
/// tree are found by [messages](construct()).
///
/// # Errors
/// A forest, another number of processors, and what stops the machine.
pub fn kin(machine: &mut Machine, tree: &Tree) -> Result<Memory<Kin>, ProgramError> {
    ProgramError::check_roots(tree.roots())?;
    let families = families(tree);
    let links = construct(machine, &families)?;
    Ok(families.beside(links).map(|_, (family, links)| Kin { family, links }))
}
