//! The tree of the splits that most trees have.
//!
//! **Problem.** A tree with exactly the inner splits that all trees have (strict), or more than a share of them, which is
//! at least half (majority); with the number of trees that have each, and mean lengths.
//! **Method.** Splits of more than half of the trees nest, by the side without tip 0 where there are no roots. From
//! the smallest on, each becomes the parent of the topmost vertices of its tips so far, which sets that are joined
//! remember. Its example is followed down only as far as there are chosen splits, and up likewise where it is
//! the other side that counts.
//! **Cost.** O(T n) at most for T trees of n tips, about O(n) where few trees hold most examples; then a sort of
//! siblings.
//! **Determinism.** Siblings come in the order of their first tips in the first tree.
//! **Reference.** T. Margush, F. R. McMorris, Bull. Math. Biol. 43 (1981).

use super::classes::Member;
use super::{Collection, Rooting};
use palmette_core::NONE;

/// Which splits a consensus has.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Consensus {
    /// Those that all trees have.
    Strict,
    /// Those that more than this share of the trees have, at least a half.
    Majority(f64),
}

impl Consensus {
    /// Majority by half of the trees.
    pub const HALF: Consensus = Consensus::Majority(0.5);
}

/// A consensus. Vertices are in preorder.
#[derive(Debug, Clone, PartialEq)]
pub struct ConsensusTree {
    /// By vertex, its parent; [`NONE`] for the root.
    pub parents: Vec<u32>,
    /// By vertex, the tip it is; [`NONE`] for others.
    pub tips: Vec<u32>,
    /// By vertex, how many trees have the split of the branch above it; all for tips and the root.
    pub counts: Vec<u32>,
    /// By vertex, the mean length of that branch over the trees that have it, where all trees have lengths;
    /// 0 for the root.
    pub lengths: Option<Vec<f64>>,
}

impl Collection<'_> {
    /// The consensus of all trees.
    ///
    /// # Panics
    /// When there are no trees, or the share is less than a half or not below 1.
    pub fn consensus(&self, which: Consensus) -> ConsensusTree {
        assert!(!self.is_empty(), "a consensus of at least one tree");
        let t = self.len();
        let is_chosen = |count: u32| match which {
            Consensus::Strict => count as usize == t,
            Consensus::Majority(share) => {
                assert!((0.5..1.0).contains(&share), "a share of at least a half, and below 1");
                f64::from(count) > share * t as f64
            }
        };
        let classes = (0..self.counts.len() as u32).filter(|&c| is_chosen(self.counts[c as usize]));
        let mut chosen: Vec<(u32, u32)> = classes.map(|class| (self.side(class), class)).collect();
        chosen.sort_unstable();
        let chosen: Vec<u32> = chosen.into_iter().map(|(_, class)| class).collect();
        let mut joining = Joining::new(self, &chosen);
        for (node, &class) in (self.tips as u32..).zip(&chosen) {
            joining.parts_of(class, node);
        }
        joining.finish(&chosen)
    }

    /// How many tips a class has on the side that counts.
    fn side(&self, class: u32) -> u32 {
        let (member, first) = self.example(class);
        let below = member.splits.tips[first];
        if self.has_tip_0(member, first) { self.tips as u32 - below } else { below }
    }

    fn example(&self, class: u32) -> (&Member<'_>, usize) {
        let (tree, split) = self.examples[class as usize];
        let member = &self.trees[tree as usize];
        (member, member.splits.first[split as usize] as usize)
    }

    /// Whether the side that counts is not the one below a position.
    fn has_tip_0(&self, member: &Member<'_>, position: usize) -> bool {
        self.rooting == Rooting::Unrooted && member.interval(position).contains(&member.ranks[0])
    }

    /// Mean lengths of tips, then of chosen classes.
    fn mean_lengths(&self, node_of: &[u32], nodes: usize) -> Option<Vec<f64>> {
        let mut sums = vec![0.0; nodes];
        for (i, member) in self.trees.iter().enumerate() {
            let lengths = member.splits.lengths.as_ref()?;
            for (split, (&class, &length)) in member.class.iter().zip(lengths).enumerate() {
                let node = match class {
                    NONE => self.tip_of(i, split) as u32,
                    class => node_of[class as usize],
                };
                if let Some(sum) = sums.get_mut(node as usize) {
                    *sum += length;
                }
            }
        }
        Some(sums)
    }
}

/// A forest that grows from tips to the root. Nodes are tips, then chosen classes, then the root.
struct Joining<'a> {
    of: &'a Collection<'a>,
    node_of: Vec<u32>,
    parents: Vec<u32>,
    /// A node above, or itself at the top: the sets that are joined.
    above: Vec<u32>,
    stack: Vec<u32>,
}

impl<'a> Joining<'a> {
    fn new(of: &'a Collection<'a>, chosen: &[u32]) -> Joining<'a> {
        let mut node_of = vec![NONE; of.classes()];
        for (node, &class) in (of.tips as u32..).zip(chosen) {
            node_of[class as usize] = node;
        }
        let nodes = of.tips + chosen.len() + 1;
        let (parents, above) = (vec![NONE; nodes], (0..nodes as u32).collect());
        Joining { of, node_of, parents, above, stack: Vec::new() }
    }

    /// Makes a node the parent of the topmost one above `part`.
    fn take(&mut self, part: u32, node: u32) {
        let mut top = part;
        while self.above[top as usize] != top {
            let next = self.above[top as usize];
            self.above[top as usize] = self.above[next as usize];
            top = next;
        }
        if top != node {
            self.above[top as usize] = node;
            self.parents[top as usize] = node;
        }
    }

    /// Makes the node of a class the parent of all that it is made of.
    fn parts_of(&mut self, class: u32, node: u32) {
        let (member, first) = self.of.example(class);
        if !self.of.has_tip_0(member, first) {
            self.below(member, first, class, node);
            return;
        }
        let mut i = first;
        while let Some(parent) = member.tree.parent(i) {
            self.children(member, parent, Some(i));
            self.visit(member, class, node);
            match self.node_at(member, parent, class) {
                Some(part) => return self.take(part, node),
                None => i = parent,
            }
        }
    }

    /// The chosen node of a position, if it has one that is not of this class.
    fn node_at(&self, member: &Member<'_>, position: usize, class: u32) -> Option<u32> {
        let split = member.splits.of[position];
        let its = *member.class.get(split as usize).filter(|&&its| its != class)?;
        self.node_of.get(its as usize).copied().filter(|&node| node != NONE)
    }

    fn below(&mut self, member: &Member<'_>, position: usize, class: u32, node: u32) {
        self.children(member, position, None);
        self.visit(member, class, node);
    }

    /// Puts the children of a position on the stack, but one.
    fn children(&mut self, member: &Member<'_>, position: usize, but: Option<usize>) {
        let (tree, end) = (&member.tree, position + member.tree.sizes[position] as usize);
        let mut child = position + 1;
        while child < end {
            if Some(child) != but && member.splits.tips[child] > 0 {
                self.stack.push(child as u32);
            }
            child += tree.sizes[child] as usize;
        }
    }

    /// Takes what is on the stack, or below it.
    fn visit(&mut self, member: &Member<'_>, class: u32, node: u32) {
        while let Some(i) = self.stack.pop() {
            let i = i as usize;
            if let Some(part) = self.node_at(member, i, class) {
                self.take(part, node);
            } else if member.tree.tips[i] != NONE {
                self.take(member.tree.tips[i], node);
            } else {
                self.children(member, i, None);
            }
        }
    }

    fn finish(mut self, chosen: &[u32]) -> ConsensusTree {
        let (of, root) = (self.of, self.parents.len() as u32 - 1);
        (0..of.tips as u32).for_each(|tip| self.take(tip, root));
        let lengths = of.mean_lengths(&self.node_of, self.parents.len());
        // Children come before their parents; those of one parent by their first tips.
        let mut least = of.trees[0].ranks.clone();
        least.resize(self.parents.len(), u32::MAX);
        let mut siblings: Vec<(u32, u32, u32)> = Vec::with_capacity(self.parents.len());
        for node in 0..root {
            let parent = self.parents[node as usize];
            siblings.push((parent, least[node as usize], node));
            least[parent as usize] = least[parent as usize].min(least[node as usize]);
        }
        siblings.sort_unstable();
        let starts: Vec<usize> = {
            let mut starts = vec![0; self.parents.len() + 1];
            siblings.iter().for_each(|child| starts[child.0 as usize + 1] += 1);
            (1..starts.len()).for_each(|i| starts[i] += starts[i - 1]);
            starts
        };
        let count = |node: u32| match node.checked_sub(of.tips as u32) {
            Some(k) if (k as usize) < chosen.len() => of.counts[chosen[k as usize] as usize],
            _ => of.len() as u32,
        };
        let mut tree = ConsensusTree {
            parents: Vec::new(),
            tips: Vec::new(),
            counts: Vec::new(),
            lengths: lengths.as_ref().map(|_| Vec::new()),
        };
        let mut stack = vec![(root, NONE)];
        while let Some((node, parent)) = stack.pop() {
            let vertex = tree.parents.len() as u32;
            tree.parents.push(parent);
            tree.tips.push(if (node as usize) < of.tips { node } else { NONE });
            tree.counts.push(count(node));
            if let (Some(to), Some(sums)) = (&mut tree.lengths, &lengths) {
                to.push(sums[node as usize] / f64::from(count(node)));
            }
            let children = &siblings[starts[node as usize]..starts[node as usize + 1]];
            stack.extend(children.iter().rev().map(|child| (child.2, vertex)));
        }
        tree
    }
}
