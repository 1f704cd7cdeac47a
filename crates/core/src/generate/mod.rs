//! Tree shapes, made from a seed.
//!
//! **Problem.** A [`Shape`], a number of vertices and a seed; out comes an array of
//! parents, ready for [`Tree::from_parents`](crate::Tree::from_parents). Vertex 0 is
//! the root until [`shuffle`] relabels the vertices.
//!
//! **Method.** One shape or one family of shapes per file. Every random shape is made
//! in one sequential pass that writes parents in order, so that 10^7 vertices take
//! well under a second; most are numbered in preorder or breadth-first order, which
//! is kind to caches. To measure without that advantage, shuffle.
//!
//! **Cost.** Linear work for every shape, 4 bytes per vertex for the answer, at most 2
//! more while it runs.
//!
//! **Determinism.** The stream of random numbers is fixed by the seed alone (see
//! [`crate::random`]), and no step uses a platform's `ln` or `exp`: the same seed gives the
//! same tree and the same lengths everywhere.
//!
//! **When not to use.** These are shapes for tests and measurements. `profile` imitates
//! the level widths of a breadth-first spanning tree, not the graph behind it.

mod attach;
mod fixed;
mod profile;
mod shape;
mod split;
#[cfg(test)]
mod tests;
mod word;

pub use profile::PAPER_PROFILES;
pub use shape::{GenerateError, Shape};

use crate::memory::check_room;
use crate::random::{DEFAULT_SEED, Purpose, Random};
use crate::{MAX_VERTICES, NONE, Tree};

/// Bytes per vertex while a tree is generated, its parents included.
const WORKING: u64 = 6;

/// What to generate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GenerateParams {
    /// The shape.
    pub shape: Shape,
    /// The number of vertices; may be left out when the shape fixes it.
    pub n: Option<usize>,
    /// Seed for every random choice.
    pub seed: u64,
    /// Whether vertices are relabelled by a random permutation.
    pub shuffle: bool,
}

impl Default for GenerateParams {
    fn default() -> Self {
        GenerateParams { shape: Shape::Random, n: None, seed: DEFAULT_SEED, shuffle: false }
    }
}

impl GenerateParams {
    /// The parents of the tree these parameters describe.
    ///
    /// # Errors
    /// As [`generate`], and when neither the parameters nor the shape say how many
    /// vertices there are.
    pub fn generate(&self) -> Result<Vec<u32>, GenerateError> {
        let n = self.n.or(self.shape.vertices()).ok_or(GenerateError::NoNumber)?;
        let parents = generate(self.shape, n, self.seed)?;
        Ok(if self.shuffle { shuffle(&parents, self.seed) } else { parents })
    }
}

/// The parents of a tree with `n` vertices; vertex 0 is the root and its parent is
/// [`NONE`].
///
/// ```
/// use palmette_core::{NONE, generate::{Shape, generate}};
/// assert_eq!(generate(Shape::Perfect, 5, 1).unwrap(), [NONE, 0, 0, 1, 1]);
/// ```
///
/// # Errors
/// No vertices, too many of them, more than memory has room for, or a number other than the one
/// the shape fixes.
pub fn generate(shape: Shape, n: usize, seed: u64) -> Result<Vec<u32>, GenerateError> {
    if n == 0 {
        return Err(GenerateError::Empty);
    }
    if n > MAX_VERTICES {
        return Err(GenerateError::TooMany { vertices: n as u64 });
    }
    if let Some(expected) = shape.vertices().filter(|&expected| expected != n) {
        return Err(GenerateError::OtherNumber { expected, actual: n });
    }
    // A generated tree will be built, so check now whether it fits.
    check_room(n as u64 * (WORKING + Tree::BYTES_TO_BUILD)).map_err(GenerateError::NoRoom)?;
    let n = n as u32;
    let mut random = Random::new(seed, Purpose::Shape);
    Ok(match shape {
        Shape::Path => fixed::path(n),
        Shape::Caterpillar => fixed::caterpillar(n),
        Shape::Star => fixed::star(n),
        Shape::Perfect => fixed::perfect(n),
        Shape::Broom => fixed::broom(n),
        Shape::DoubleBroom => fixed::double_broom(n),
        Shape::Random => attach::recursive(n, &mut random),
        Shape::Preferential => attach::preferential(n, &mut random),
        Shape::Binary => word::binary(n, &mut random),
        Shape::FullBinary => word::full_binary(n, &mut random),
        Shape::Bst => split::search_tree(n, &mut random),
        Shape::Phylogeny => split::phylogeny(n, &mut random),
        Shape::Profile { vertices, height } => profile::profile(vertices, height, &mut random)?,
    })
}

/// The same tree with its vertices relabelled by a uniformly random permutation.
///
/// The permutation depends on the seed and on the number of vertices only, and is
/// independent of what [`generate`] draws from the same seed.
pub fn shuffle(parents: &[u32], seed: u64) -> Vec<u32> {
    let mut random = Random::new(seed, Purpose::Shuffle);
    let mut label: Vec<u32> = (0..parents.len() as u32).collect();
    for i in (1..label.len()).rev() {
        let j = random.below(i as u32 + 1) as usize;
        label.swap(i, j);
    }
    let mut shuffled = vec![NONE; parents.len()];
    for (&v, &p) in label.iter().zip(parents) {
        // What is no vertex, such as a root's parent, stays as it is.
        shuffled[v as usize] = label.get(p as usize).copied().unwrap_or(p);
    }
    shuffled
}

/// Branch lengths: independent exponential variables with mean 1, one per vertex for the edge
/// to its parent; 0 at roots.
pub fn lengths(parents: &[u32], seed: u64) -> Vec<f64> {
    let mut random = Random::new(seed, Purpose::Lengths);
    let drawn = parents.iter().map(|&parent| (parent, random.exponential()));
    drawn.map(|(parent, length)| if parent == NONE { 0.0 } else { length }).collect()
}
