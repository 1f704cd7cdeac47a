//! What a vertex knows of its tree before anything has run.

use crate::machine::Memory;
use crate::plain;
use palmette_core::{NONE, Tree};

plain! {
    /// A vertex's nearest relatives: seven words. [`NONE`] where there is nobody.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub struct Family {
        /// The parent.
        pub parent: u32,
        /// The sibling to the left.
        pub left: u32,
        /// The sibling to the right.
        pub right: u32,
        /// The first child.
        pub first_child: u32,
        /// How many siblings are to the left.
        pub index: u32,
        /// How many children the parent has; 1 for a root.
        pub siblings: u32,
        /// How many children the vertex has.
        pub children: u32,
    }
}

/// The families of a tree's vertices, by position: input for the machine.
///
/// In a forest every root is alone.
///
/// # Cost
/// Linear work, 28 bytes per vertex.
pub fn families(tree: &Tree) -> Memory<Family> {
    let counts = tree.child_counts();
    let alone = |children: &u32| Family {
        parent: NONE,
        left: NONE,
        right: NONE,
        first_child: NONE,
        index: 0,
        siblings: 1,
        children: *children,
    };
    let mut families: Vec<Family> = counts.iter().map(alone).collect();
    for parent in 0..tree.len() as u32 {
        let mut left = NONE;
        for (index, child) in tree.children(parent).enumerate() {
            match left {
                NONE => families[parent as usize].first_child = child,
                _ => families[left as usize].right = child,
            }
            let family = &mut families[child as usize];
            (family.parent, family.left) = (parent, left);
            (family.index, family.siblings) = (index as u32, counts[parent as usize]);
            left = child;
        }
    }
    Memory::from(families)
}
