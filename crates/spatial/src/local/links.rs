//! The virtual tree, and how it is defined.
//!
//! **Problem.** From a tree, the tree along which local messages travel.
//!
//! **Method.** TRANSFORM: of the d children of a vertex, the first and the one after
//! ⌊d/2⌋ become its current children; each gets the rest of its half appended. Appended
//! children are halved in the same way by the vertex they are appended to. With one
//! child there is one half, with none there is none: the text leaves these guards out.
//!
//! **Cost.** [`virtual_tree`] is the host's: linear work, 24 bytes per vertex. It defines
//! what [`construct`](super::construct) must find by messages.
//!
//! **Reference.** *Low-depth spatial tree algorithms*, TRANSFORM and Lemma 8: children
//! in the order of [`VirtualLinks::children`] are light-first with positions unchanged.

use crate::plain;
use palmette_core::{NONE, Tree};

plain! {
    /// The place of a vertex among the children of its virtual parent.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    #[repr(u8)]
    pub enum Role {
        /// None: the vertex is a root.
        Root,
        /// The first current child. Its virtual parent is its parent.
        FirstCurrent,
        /// The second current child. Its virtual parent is its parent.
        SecondCurrent,
        /// The first appended child. Its virtual parent is the sibling to its left.
        FirstAppended,
        /// The second appended child. Its virtual parent is a sibling further to the left.
        SecondAppended,
    }
}

impl Role {
    pub(crate) const CURRENT: [Role; 2] = [Role::FirstCurrent, Role::SecondCurrent];
    pub(crate) const APPENDED: [Role; 2] = [Role::FirstAppended, Role::SecondAppended];

    /// Whether the vertex is the head of the first of two blocks.
    pub(crate) fn is_first(self) -> bool {
        matches!(self, Role::FirstCurrent | Role::FirstAppended)
    }
}

plain! {
    /// A vertex's neighbours in the virtual tree: six words. [`NONE`] where there is nobody.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub struct VirtualLinks {
        /// The virtual parent: the parent, or a sibling.
        pub parent: u32,
        /// The heads of the two halves of the vertex's children.
        pub current: [u32; 2],
        /// Siblings that this vertex passes messages on to.
        pub appended: [u32; 2],
        /// Which child of `parent` this vertex is: it decides the order of a reduction.
        pub role: Role,
    }
}

impl VirtualLinks {
    pub(super) const ALONE: VirtualLinks =
        VirtualLinks { parent: NONE, current: [NONE; 2], appended: [NONE; 2], role: Role::Root };

    /// The virtual children in the order of their positions.
    pub fn children(&self) -> impl Iterator<Item = u32> + use<> {
        self.current.into_iter().chain(self.appended).filter(|&child| child != NONE)
    }
}

/// The virtual tree by position, by applying TRANSFORM.
///
/// ```
/// use palmette_core::{NONE, Tree};
/// use palmette_spatial::local::virtual_tree;
/// // A root with five children: they are halved into [1 2] and [3 4 5].
/// let links = virtual_tree(&Tree::from_parents(&[NONE, 0, 0, 0, 0, 0]).unwrap());
/// assert_eq!(links[0].current, [1, 3]);
/// assert_eq!((links[1].appended, links[3].appended), ([2, NONE], [4, 5]));
/// assert_eq!((links[4].parent, links[5].parent), (3, 3));
/// ```
pub fn virtual_tree(tree: &Tree) -> Vec<VirtualLinks> {
    let mut links = vec![VirtualLinks::ALONE; tree.len()];
    let mut children = Vec::new();
    for vertex in 0..tree.len() as u32 {
        children.clear();
        children.extend(tree.children(vertex));
        links[vertex as usize].current = hang(&mut links, vertex, &children, Role::CURRENT);
    }
    links
}

/// Hangs siblings below `holder`: the heads of their halves become its children, and
/// the rest of each half is hung below the head. Returns the heads.
fn hang(links: &mut [VirtualLinks], holder: u32, block: &[u32], roles: [Role; 2]) -> [u32; 2] {
    let (first, second) = block.split_at(half(block.len() as u32) as usize);
    let mut heads = [NONE; 2];
    for ((part, role), place) in [first, second].into_iter().zip(roles).zip(&mut heads) {
        if let Some((&head, rest)) = part.split_first() {
            let appended = hang(links, head, rest, Role::APPENDED);
            let link = &mut links[head as usize];
            (link.parent, link.role, link.appended) = (holder, role, appended);
            *place = head;
        }
    }
    heads
}

/// The length of the first half of a block.
pub(super) fn half(block: u32) -> u32 {
    (block / 2).max(block.min(1))
}

/// The lengths of both halves of a block.
pub(crate) fn halves(block: u32) -> [u32; 2] {
    [half(block), block - half(block)]
}
