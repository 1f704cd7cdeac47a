//! Figures of a tree: sizes, height, centre, diameter.

use super::Figures;
use palmette_core::{NONE, Record, Tree};
use palmette_io::TreeFile;
use palmette_tree::paths::{Centroids, LongestPath, centroids, diameter};
use std::collections::BTreeMap;
use std::fmt;

/// In which order the user's vertices are numbered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum InputOrder {
    /// As the preorder: nothing has to be moved.
    Preorder,
    /// Every parent before its children.
    ParentsFirst,
    /// Every parent after its children.
    ChildrenFirst,
    /// Neither.
    Mixed,
}

impl InputOrder {
    /// The order in which a tree's vertices came.
    pub fn of(tree: &Tree) -> InputOrder {
        let vertices = tree.vertices();
        if vertices.iter().enumerate().all(|(i, &v)| i as u32 == v) {
            return InputOrder::Preorder;
        }
        let edges = || {
            let parents = tree.parents().iter().zip(vertices).filter(|(p, _)| **p != NONE);
            parents.map(|(&p, &v)| (vertices[p as usize], v))
        };
        if edges().all(|(parent, child)| parent < child) {
            InputOrder::ParentsFirst
        } else if edges().all(|(parent, child)| parent > child) {
            InputOrder::ChildrenFirst
        } else {
            InputOrder::Mixed
        }
    }
}

impl fmt::Display for InputOrder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            InputOrder::Preorder => "preorder",
            InputOrder::ParentsFirst => "parents first",
            InputOrder::ChildrenFirst => "children first",
            InputOrder::Mixed => "mixed",
        })
    }
}

/// The size and shape of a tree or forest.
///
/// ```
/// use palmette::{InputOrder, NONE, Tree, TreeFigures};
/// let figures = TreeFigures::of(&Tree::from_parents(&[NONE, 0, 1, 0])?);
/// assert_eq!((figures.leaves, figures.height, figures.max_children), (2, 2, 2));
/// assert_eq!(figures.levels, [1, 2, 1]);
/// assert_eq!(figures.degrees, [(0, 2), (1, 1), (2, 1)]);
/// assert_eq!(figures.input_order, InputOrder::Preorder);
/// # Ok::<(), palmette::TreeError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct TreeFigures {
    /// The number of vertices.
    pub vertices: usize,
    /// The number of roots.
    pub roots: usize,
    /// The number of leaves.
    pub leaves: usize,
    /// The number of edges on the longest way from a root down.
    pub height: usize,
    /// The largest number of children.
    pub max_children: u32,
    /// The mean number of edges to the root.
    pub mean_depth: f64,
    /// The number of vertices on each level.
    pub levels: Vec<u64>,
    /// How many vertices have how many children, by the latter.
    pub degrees: Vec<(u32, u64)>,
    /// How the input was ordered.
    pub input_order: InputOrder,
}

impl TreeFigures {
    /// The figures of a tree; a few sweeps over its preorder.
    pub fn of(tree: &Tree) -> TreeFigures {
        let mut levels: Vec<u64> = Vec::new();
        for depth in tree.depths() {
            let depth = depth as usize;
            if depth >= levels.len() {
                levels.resize(depth + 1, 0);
            }
            levels[depth] += 1;
        }
        let mut few = [0u64; 64];
        let mut many = BTreeMap::new();
        for children in tree.child_counts() {
            match few.get_mut(children as usize) {
                Some(count) => *count += 1,
                None => *many.entry(children).or_insert(0u64) += 1,
            }
        }
        let few = few.into_iter().enumerate().map(|(d, c)| (d as u32, c)).filter(|d| d.1 > 0);
        let degrees: Vec<(u32, u64)> = few.chain(many).collect();
        let total: u64 = levels.iter().enumerate().map(|(d, &c)| d as u64 * c).sum();
        TreeFigures {
            vertices: tree.len(),
            roots: tree.roots(),
            leaves: tree.leaves(),
            height: levels.len().saturating_sub(1),
            max_children: degrees.last().map_or(0, |d| d.0),
            mean_depth: total as f64 / tree.len().max(1) as f64,
            levels,
            degrees,
            input_order: InputOrder::of(tree),
        }
    }

    /// A few of them: the size of a tree that was made.
    pub fn brief(&self, record: &mut Record) {
        figures!(record, self => vertices, leaves, height, max_children);
    }
}

impl Figures for TreeFigures {
    fn figures(&self, record: &mut Record) {
        figures!(record, self => vertices, roots, leaves, height, max_children, mean_depth);
    }
}

/// Adds the figures of queries for ancestors in a tree of so many vertices.
pub fn ancestors(record: &mut Record, vertices: u64, queries: u64, without: u64) {
    record.figure("vertices", vertices).figure("queries", queries);
    record.figure("without_ancestor", without);
}

/// Everything about a tree from a file: its shape, its middle, its longest paths.
#[derive(Debug)]
pub struct TreeInfo<'a> {
    /// Its shape.
    pub figures: TreeFigures,
    /// The longest path by branch lengths, where it was asked for.
    pub longest: Option<LongestPath<f64>>,
    file: &'a TreeFile,
    tree: &'a Tree,
    middle: Vec<Centroids>,
    diameter: Option<LongestPath<u32>>,
}

impl<'a> TreeInfo<'a> {
    /// Looks at a tree; a few sweeps over its preorder.
    pub fn of(file: &'a TreeFile, tree: &'a Tree) -> TreeInfo<'a> {
        let (figures, middle, diameter) = (TreeFigures::of(tree), centroids(tree), diameter(tree));
        TreeInfo { figures, longest: None, file, tree, middle, diameter }
    }
}

impl Figures for TreeInfo<'_> {
    fn figures(&self, record: &mut Record) {
        let label = |position: u32| {
            self.file.labels.get(self.tree.vertices()[position as usize]).into_owned()
        };
        self.figures.figures(record);
        if let [middle] = self.middle[..] {
            record.figure("centroid", label(middle.first));
        }
        if let Some(path) = &self.diameter {
            record
                .figure("diameter", path.length)
                .figure("diameter_from", label(path.ends.0))
                .figure("diameter_to", label(path.ends.1));
        }
        if let Some(path) = &self.longest {
            record
                .figure("diameter_length", path.length)
                .figure("diameter_length_from", label(path.ends.0))
                .figure("diameter_length_to", label(path.ends.1));
        }
        record
            .figure("input_order", self.figures.input_order.to_string())
            // Parents, sizes and the two permutations.
            .figure("bytes_per_vertex", 4 * size_of::<u32>());
    }
}
