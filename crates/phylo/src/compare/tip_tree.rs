//! One tree among several over the same tips.

use super::CompareError;
use palmette_core::{NONE, Tree};

/// A tree, or one of a forest, whose leaves have the numbers of tips that other trees share.
///
/// A leaf without a number is left out, with whatever has no other tips below it: restricting trees to the
/// tips they share takes no other tree.
///
/// ```
/// use palmette_core::{NONE, Tree};
/// use palmette_phylo::compare::TipTree;
/// let tree = Tree::from_parents(&[NONE, 0, 1, 1, 0])?;
/// let tips = [NONE, NONE, 0, 1, 2];
/// assert_eq!(TipTree::new(&tree, 0, 3, &tips, None)?.len(), 5);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy)]
pub struct TipTree<'a> {
    /// The position of the root in the forest.
    pub(super) first: u32,
    /// By position from the root on.
    pub(super) parents: &'a [u32],
    pub(super) sizes: &'a [u32],
    pub(super) tips: &'a [u32],
    pub(super) lengths: Option<&'a [f64]>,
    /// How many tips there are.
    pub(super) count: usize,
}

impl<'a> TipTree<'a> {
    /// The tree below a root. By position of the whole `tree`: `tips` has the number of a leaf, below `count`,
    /// and [`NONE`] elsewhere; `lengths` that of the branch above.
    ///
    /// # Errors
    /// A tip that is missing or there twice.
    ///
    /// # Panics
    /// When there is not one tip, or length, for each position.
    pub fn new(
        tree: &'a Tree,
        root: u32,
        count: usize,
        tips: &'a [u32],
        lengths: Option<&'a [f64]>,
    ) -> Result<TipTree<'a>, CompareError> {
        assert_eq!(tips.len(), tree.len(), "one tip number per position");
        let range = root as usize..tree.end(root) as usize;
        let mut seen = vec![false; count];
        let mut found = 0;
        for (&tip, &size) in tips[range.clone()].iter().zip(&tree.sizes()[range.clone()]) {
            if tip == NONE || size != 1 {
                continue;
            }
            match seen.get_mut(tip as usize) {
                None => return Err(CompareError::NoTip { tip, tips: count }),
                Some(true) => return Err(CompareError::Twice { tip }),
                Some(seen) => *seen = true,
            }
            found += 1;
        }
        if found < count {
            let tip = seen.iter().position(|seen| !seen).unwrap_or(0) as u32;
            return Err(CompareError::Missing { tip });
        }
        Ok(TipTree {
            first: root,
            parents: &tree.parents()[range.clone()],
            sizes: &tree.sizes()[range.clone()],
            tips: &tips[range.clone()],
            lengths: lengths.map(|lengths| {
                assert_eq!(lengths.len(), tree.len(), "one length per position");
                &lengths[range]
            }),
            count,
        })
    }

    /// The number of vertices, those that are left out included.
    pub fn len(&self) -> usize {
        self.parents.len()
    }

    /// Never: there is a root.
    pub fn is_empty(&self) -> bool {
        self.parents.is_empty()
    }

    /// The parent of a position, both counted from the root.
    #[inline(always)]
    pub(super) fn parent(&self, i: usize) -> Option<usize> {
        match i {
            0 => None,
            i => Some((self.parents[i] - self.first) as usize),
        }
    }

    /// By position, how many tips are below it.
    pub(super) fn tip_counts(&self) -> Vec<u32> {
        let mut counts: Vec<u32> = self.tips.iter().map(|&tip| u32::from(tip != NONE)).collect();
        for i in (1..self.len()).rev() {
            counts[(self.parents[i] - self.first) as usize] += counts[i];
        }
        counts
    }
}
