//! Polytomies made of vertices with two children.
//!
//! **Problem.** Input: a tree. Output: a tree in which no vertex has more than two children, from which
//! collapsing the new branches, of length 0, gives the old one back.
//!
//! **Method.** A vertex with k > 2 children gets a binary tree over them with k − 2 new vertices: a comb,
//! a balanced one, or a random one. For the last, children are shuffled and divided at a random place, again
//! and again, which draws a shape as Yule's process does. A stack holds what is still to be
//! written in preorder.
//!
//! **Cost.** O(n); 16 bytes per vertex beside the result. A star of 10^7 tips becomes a comb of depth 10^7
//! without recursion.
//!
//! **Determinism.** By the seed, one stream of numbers in the order of the old preorder.
//!
//! **Conventions.** A root with three children is resolved, too: unrooted trees are then rooted.

use super::builder::{Builder, Source};
use super::{EditError, Edited};
use palmette_core::random::{Purpose, Random};
use palmette_core::{NONE, Tree, named};

named! {
    /// How the children of a polytomy are joined.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
    pub enum Resolution("resolution") {
        /// `(((a,b),c),d)`.
        #[default]
        Comb = "comb",
        /// `((a,b),(c,d))`.
        Balanced = "balanced",
        /// By Yule's process, from a seed.
        Random = "random",
    }
}

/// What is still to be written: an old vertex, or a new one over a range of waiting children.
enum Task {
    Old { position: u32, parent: u32 },
    New { first: u32, end: u32, parent: u32 },
}

/// The tree with at most two children everywhere; `lengths` by vertex, those of new branches are 0.
///
/// ```
/// use palmette_core::{NONE, Tree};
/// use palmette_phylo::edit::{Resolution, resolve};
/// // (a,b,c); is ((a,b),c);
/// let tree = Tree::from_parents(&[NONE, 0, 0, 0]).unwrap();
/// let edited = resolve(&tree, None, Resolution::Comb, 1).unwrap();
/// assert_eq!((edited.parents, edited.origin), (vec![NONE, 0, 1, 1, 0], vec![0, NONE, 1, 2, 3]));
/// ```
///
/// # Errors
/// When there is not one length per vertex, or the result has too many vertices.
pub fn resolve(
    tree: &Tree,
    lengths: Option<&[f64]>,
    resolution: Resolution,
    seed: u64,
) -> Result<Edited, EditError> {
    let source = Source::new(tree, lengths)?;
    let more: u64 = tree.child_counts().iter().map(|&k| u64::from(k.saturating_sub(2))).sum();
    let mut builder = Builder::new(tree.len() + more as usize, lengths.is_some())?;
    let mut random = Random::new(seed, Purpose::Shape);
    // Children of polytomies; ranges of them wait on the stack, the last one at the end.
    let mut waiting: Vec<u32> = Vec::new();
    let mut tasks: Vec<Task> = Vec::new();
    let mut roots: Vec<u32> = tree.root_positions().collect();
    while let Some(root) = roots.pop() {
        tasks.push(Task::Old { position: root, parent: NONE });
    }
    while let Some(task) = tasks.pop() {
        let (first, end, new) = match task {
            Task::Old { position, parent } => {
                let vertex = tree.vertices()[position as usize];
                let new = builder.push(parent, source.of_vertex(vertex), vertex, vertex);
                let first = waiting.len();
                waiting.extend(tree.children(position));
                if resolution == Resolution::Random && waiting.len() - first > 2 {
                    random.shuffle(&mut waiting[first..]);
                }
                (first as u32, waiting.len() as u32, new)
            }
            Task::New { first, end, parent } => (first, end, builder.push(parent, 0.0, NONE, NONE)),
        };
        let children = end - first;
        if children == 0 {
            continue;
        }
        let middle = match (children, resolution) {
            (1, _) => end,
            (2, _) | (_, Resolution::Balanced) => first + children.div_ceil(2),
            (_, Resolution::Comb) => end - 1,
            (_, Resolution::Random) => first + 1 + random.below(children - 1),
        };
        for (first, end) in [(middle, end), (first, middle)] {
            match end - first {
                0 => {}
                1 => tasks.push(Task::Old { position: waiting[first as usize], parent: new }),
                _ => tasks.push(Task::New { first, end, parent: new }),
            }
        }
    }
    Ok(builder.done())
}
