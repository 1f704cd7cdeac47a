//! The cut tree: the binary tree of bisections that made the parts. Its leaves are the parts;
//! placements embed it into a machine.

use palmette_core::NONE;

/// A binary tree whose leaves are the parts. Nodes have numbers; 0 is the root, the whole
/// graph, and parents come before children.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CutTree {
    /// By node: its parent, `NONE` at the root.
    parents: Vec<u32>,
    /// By node: its children.
    children: Vec<Option<[u32; 2]>>,
    /// By node: the parts below it, first and one after the last. They are consecutive.
    parts: Vec<(u32, u32)>,
}

impl CutTree {
    /// The tree that cuts ranges of parts in two until each is one part; the first half gets
    /// the smaller number if there is an odd one.
    pub fn halving(parts: u32) -> CutTree {
        CutTree::by(parts, |first, last| first + (last - first) / 2)
    }

    /// The tree that cuts a range `(first, last)` of parts before the part `cut(first, last)`.
    ///
    /// # Panics
    /// When that is not inside of the range.
    pub fn by(parts: u32, mut cut: impl FnMut(u32, u32) -> u32) -> CutTree {
        let mut tree =
            CutTree { parents: vec![NONE], children: vec![None], parts: vec![(0, parts)] };
        let mut node = 0;
        while node < tree.parts.len() {
            let (first, last) = tree.parts[node];
            if last - first > 1 {
                let middle = cut(first, last);
                assert!(first < middle && middle < last, "cut {middle} outside {first}..{last}");
                let child = tree.parts.len() as u32;
                tree.children[node] = Some([child, child + 1]);
                tree.parents.extend([node as u32; 2]);
                tree.children.extend([None; 2]);
                tree.parts.extend([(first, middle), (middle, last)]);
            }
            node += 1;
        }
        tree
    }

    /// The number of nodes, twice that of the parts less one.
    pub fn len(&self) -> usize {
        self.parents.len()
    }

    /// Whether there are no parts.
    pub fn is_empty(&self) -> bool {
        self.parts[0].1 == 0
    }

    /// The parents of all nodes, `NONE` for the root.
    pub fn parents(&self) -> &[u32] {
        &self.parents
    }

    /// The two halves of a node; `None` for a part.
    pub fn children(&self, node: u32) -> Option<[u32; 2]> {
        self.children[node as usize]
    }

    /// The parts below a node.
    pub fn parts(&self, node: u32) -> std::ops::Range<u32> {
        let (first, last) = self.parts[node as usize];
        first..last
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_of_any_number_of_parts() {
        for parts in 1..40 {
            let tree = CutTree::halving(parts);
            assert_eq!(tree.len(), 2 * parts as usize - 1);
            for node in 0..tree.len() as u32 {
                match tree.children(node) {
                    None => assert_eq!(tree.parts(node).len(), 1),
                    Some([a, b]) => {
                        assert_eq!(tree.parts(node).start, tree.parts(a).start);
                        assert_eq!(tree.parts(a).end, tree.parts(b).start);
                        assert_eq!(tree.parts(node).end, tree.parts(b).end);
                        assert_eq!(tree.parents()[a as usize], node);
                    }
                }
            }
        }
    }
}
