//! Collects an edited tree vertex by vertex, in preorder; and the checks that edits share.

use super::{EditError, Edited};
use palmette_core::memory::check_room;
use palmette_core::{NONE, Tree};

/// Bytes per vertex of an edited tree, and of what edits need beside it.
const BYTES: u64 = 20 + 24;

/// An [`Edited`] in the making.
pub(super) struct Builder {
    edited: Edited,
}

impl Builder {
    /// Room for so many vertices.
    pub(super) fn new(vertices: usize, with_lengths: bool) -> Result<Builder, EditError> {
        if vertices as u64 > palmette_core::MAX_VERTICES as u64 {
            return Err(EditError::TooMany { vertices: vertices as u64 });
        }
        check_room(vertices as u64 * BYTES).map_err(EditError::NoRoom)?;
        Ok(Builder {
            edited: Edited {
                parents: Vec::with_capacity(vertices),
                lengths: with_lengths.then(|| Vec::with_capacity(vertices)),
                origin: Vec::with_capacity(vertices),
                branch: Vec::with_capacity(vertices),
            },
        })
    }

    /// The number that the next vertex gets.
    #[inline]
    pub(super) fn next(&self) -> u32 {
        self.edited.parents.len() as u32
    }

    /// Adds a vertex.
    #[inline]
    pub(super) fn push(&mut self, parent: u32, length: f64, origin: u32, branch: u32) -> u32 {
        let new = self.next();
        self.edited.parents.push(parent);
        self.edited.origin.push(origin);
        self.edited.branch.push(branch);
        if let Some(lengths) = &mut self.edited.lengths {
            lengths.push(length);
        }
        new
    }

    /// Adds the positions of a whole subtree, whose root hangs below `parent` on a branch of this
    /// length. Numbers of vertices rise by `offset`, as a second tree's do.
    pub(super) fn push_subtree(
        &mut self,
        source: &Source<'_>,
        top: u32,
        parent: u32,
        length: f64,
        offset: u32,
    ) {
        let tree = source.tree;
        let vertex = tree.vertices()[top as usize] + offset;
        let start = self.push(parent, length, vertex, vertex);
        let range = top as usize + 1..tree.end(top) as usize;
        let below = &tree.parents()[range.clone()];
        self.edited.parents.extend(below.iter().map(|&p| p - top + start));
        let vertices = &tree.vertices()[range];
        self.edited.origin.extend(vertices.iter().map(|&v| v + offset));
        self.edited.branch.extend(vertices.iter().map(|&v| v + offset));
        if let Some(lengths) = &mut self.edited.lengths {
            lengths.extend(vertices.iter().map(|&v| source.of_vertex(v)));
        }
    }

    pub(super) fn done(self) -> Edited {
        self.edited
    }
}

/// A tree with its lengths by vertex, checked to be as many.
#[derive(Clone, Copy)]
pub(super) struct Source<'a> {
    pub(super) tree: &'a Tree,
    pub(super) lengths: Option<&'a [f64]>,
}

impl<'a> Source<'a> {
    pub(super) fn new(tree: &'a Tree, lengths: Option<&'a [f64]>) -> Result<Self, EditError> {
        if let Some(lengths) = lengths {
            check_count("lengths", tree.len(), lengths.len())?;
        }
        Ok(Source { tree, lengths })
    }

    /// One tree, with lengths that are finite.
    pub(super) fn measured(tree: &'a Tree, lengths: Option<&'a [f64]>) -> Result<Self, EditError> {
        let source = Source::new(tree, lengths)?;
        source.one_root()?;
        let lengths = lengths.ok_or(EditError::NoLengths)?;
        check_finite(tree, lengths)?;
        Ok(source)
    }

    pub(super) fn one_root(&self) -> Result<(), EditError> {
        match self.tree.roots() {
            1 => Ok(()),
            roots => Err(EditError::Roots { roots }),
        }
    }

    /// The length of the branch above a vertex; 0 where there are none.
    #[inline]
    pub(super) fn of_vertex(&self, vertex: u32) -> f64 {
        self.lengths.map_or(0.0, |lengths| lengths[vertex as usize])
    }

    /// The same for a position.
    #[inline]
    pub(super) fn length(&self, position: u32) -> f64 {
        self.lengths.map_or(0.0, |x| x[self.tree.vertices()[position as usize] as usize])
    }

    /// The position of a vertex.
    pub(super) fn position(&self, vertex: u32) -> Result<u32, EditError> {
        let vertices = self.tree.len();
        let found = self.tree.positions().get(vertex as usize);
        found.copied().ok_or(EditError::NoVertex { vertex, vertices })
    }

    /// The first vertex from the root down that is a tip or has several children: what is above it
    /// joins no tips.
    pub(super) fn crown(&self) -> u32 {
        let mut top = 0;
        while self.tree.sizes()[top as usize] > 1
            && self.tree.sizes()[top as usize + 1] + 1 == self.tree.sizes()[top as usize]
        {
            top += 1;
        }
        top
    }

    /// The other child, where the parent is the crown and has two.
    pub(super) fn twin(&self, crown: u32, child: u32) -> Option<u32> {
        let tree = self.tree;
        if tree.parents()[child as usize] != crown {
            return None;
        }
        let first = crown + 1;
        let second = tree.end(first);
        let two = second < tree.end(crown) && tree.end(second) == tree.end(crown);
        two.then_some(if child == first { second } else { first })
    }

    /// The number of tips below, by position.
    pub(super) fn tips(&self) -> Vec<u32> {
        let tree = self.tree;
        let mut tips: Vec<u32> = tree.sizes().iter().map(|&s| u32::from(s == 1)).collect();
        for (i, &p) in tree.parents().iter().enumerate().rev() {
            if p != NONE {
                tips[p as usize] += tips[i];
            }
        }
        tips
    }
}

pub(super) fn check_count(
    what: &'static str,
    expected: usize,
    actual: usize,
) -> Result<(), EditError> {
    if expected == actual { Ok(()) } else { Err(EditError::Count { what, expected, actual }) }
}

/// Refuses lengths that are no numbers; those of roots do not matter.
pub(super) fn check_finite(tree: &Tree, lengths: &[f64]) -> Result<(), EditError> {
    for (&length, vertex) in lengths.iter().zip(0..) {
        if !length.is_finite() && tree.parent(tree.positions()[vertex as usize]).is_some() {
            return Err(EditError::Length { vertex, length });
        }
    }
    Ok(())
}

pub(super) fn check_share(share: f64) -> Result<(), EditError> {
    if (0.0..=1.0).contains(&share) { Ok(()) } else { Err(EditError::Share { share }) }
}
