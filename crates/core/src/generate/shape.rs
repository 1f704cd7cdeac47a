//! The tree shapes that can be generated, their names, and why a tree of a shape may not exist.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use super::profile;
use super::profile::PAPER_PROFILES;
use crate::memory::NoRoom;
use crate::named::{UnknownName, nearest};

/// A family of trees. Written and read by the names in [`Shape::NAMES`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Shape {
    /// Random recursive tree: the parent of vertex `i` is uniform below `i`.
    Random,
    /// Every vertex below the one before it.
    Path,
    /// A path of half the vertices, with one leaf on each.
    Caterpillar,
    /// One vertex with all others as leaves.
    Star,
    /// Perfect binary tree; the last level is filled from the left when it is not full.
    Perfect,
    /// Uniformly random binary tree: at most two children per vertex.
    Binary,
    /// Uniformly random full binary tree: two children or none; an even number of vertices
    /// adds a stem above the first split.
    FullBinary,
    /// Binary search tree of a random permutation.
    Bst,
    /// Yule tree; an even number of vertices adds a stem above the first split.
    Phylogeny,
    /// New leaves attach to vertices in proportion to their degree.
    Preferential,
    /// A path of half the vertices that ends in a star of the other half.
    Broom,
    /// A root with two equal paths of about a quarter of the vertices each; all others are its
    /// leaves.
    DoubleBroom,
    /// Exactly this many vertices and this height, with the hump of a breadth-first
    /// spanning tree.
    Profile {
        /// The number of vertices.
        vertices: u32,
        /// The number of edges on the longest path from the root.
        height: u32,
    },
}

/// Why no tree can be generated.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum GenerateError {
    /// Not the name of a shape.
    #[error(transparent)]
    UnknownShape(#[from] UnknownName),
    /// A profile that is neither two numbers nor a known name.
    #[error(
        "`{text}` is no profile; write profile:VERTICES:HEIGHT, such as profile:100:5, or \
        profile:NAME with one of {}",
        PAPER_PROFILES.map(|p| p.0).join(", ")
    )]
    BadProfile { text: String },
    /// A height that no tree of this size has.
    #[error("no tree with {vertices} vertices has height {height}; the height must be \
        {}", heights(*.vertices))]
    Height { vertices: u32, height: u32 },
    /// A tree has at least one vertex.
    #[error("a tree needs at least one vertex")]
    Empty,
    /// More vertices than indices.
    #[error("{vertices} vertices; at most {} are supported", crate::MAX_VERTICES)]
    TooMany { vertices: u64 },
    /// The shape fixes the number of vertices, and another one was asked for.
    #[error("the profile has {expected} vertices, not {actual}")]
    OtherNumber { expected: usize, actual: usize },
    /// The tree does not fit in memory.
    #[error("{0}")]
    NoRoom(#[source] NoRoom),
    /// Only a profile knows its number of vertices.
    #[error("this shape needs a number of vertices")]
    NoNumber,
    /// The same of a shape that was read with its size.
    #[error("`{text}` needs a number of vertices, such as {shape}:1000")]
    NoSize { text: String, shape: Shape },
}

fn heights(vertices: u32) -> String {
    if vertices == 1 { "0".to_string() } else { format!("1 to {}", vertices - 1) }
}

impl Shape {
    /// The shapes as they are written; the last stands for all profiles.
    pub const NAMES: [&str; 13] = [
        "random",
        "path",
        "caterpillar",
        "star",
        "perfect",
        "binary",
        "full-binary",
        "bst",
        "phylogeny",
        "preferential",
        "broom",
        "double-broom",
        "profile:VERTICES:HEIGHT",
    ];

    /// The shapes that take any number of vertices, in the order of [`Shape::NAMES`].
    pub const FREE: [Shape; 12] = [
        Shape::Random,
        Shape::Path,
        Shape::Caterpillar,
        Shape::Star,
        Shape::Perfect,
        Shape::Binary,
        Shape::FullBinary,
        Shape::Bst,
        Shape::Phylogeny,
        Shape::Preferential,
        Shape::Broom,
        Shape::DoubleBroom,
    ];

    /// Reads a shape with its number of vertices: `NAME:N`, or a profile, which has its own.
    ///
    /// ```
    /// use palmette_core::generate::Shape;
    /// assert_eq!(Shape::with_size("star:1000"), Ok((Shape::Star, 1000)));
    /// ```
    ///
    /// # Errors
    /// When there is no such shape, or no number of vertices.
    pub fn with_size(text: &str) -> Result<(Shape, usize), GenerateError> {
        let (name, size) = match text.split_once(':') {
            Some((name, size)) if name != "profile" => (name, size.parse().ok()),
            _ => (text, None),
        };
        let shape: Shape = name.parse()?;
        let no_size = || GenerateError::NoSize { text: text.to_string(), shape };
        Ok((shape, size.or(shape.vertices()).ok_or_else(no_size)?))
    }

    /// The number of vertices, when the shape fixes it.
    pub fn vertices(&self) -> Option<usize> {
        match self {
            Shape::Profile { vertices, .. } => Some(*vertices as usize),
            _ => None,
        }
    }
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Shape::Profile { vertices, height } = self {
            return f.pad(&format!("profile:{vertices}:{height}"));
        }
        let index = Shape::FREE.iter().position(|s| s == self);
        f.pad(index.map_or("", |i| Shape::NAMES[i]))
    }
}

impl FromStr for Shape {
    type Err = GenerateError;

    /// Reads a name, `profile:VERTICES:HEIGHT`, or `profile:NAME` with a name of
    /// [`PAPER_PROFILES`].
    fn from_str(text: &str) -> Result<Self, GenerateError> {
        if let Some(rest) = text.strip_prefix("profile:") {
            let (vertices, height) = read_profile(rest).ok_or_else(|| {
                let unknown = UnknownName::among("profile", rest, PAPER_PROFILES.map(|p| p.0));
                match unknown.near {
                    Some(_) => unknown.into(),
                    None => GenerateError::BadProfile { text: text.to_string() },
                }
            })?;
            profile::check(vertices, height)?;
            return Ok(Shape::Profile { vertices, height });
        }
        match Shape::NAMES.iter().position(|&name| name == text) {
            Some(i) if i < Shape::FREE.len() => Ok(Shape::FREE[i]),
            _ if text == "profile" => Err(GenerateError::BadProfile { text: text.to_string() }),
            _ => {
                let unknown = UnknownName::among("shape", text, Shape::NAMES);
                let near = unknown.near.or(nearest(text, ["profile"]));
                Err(UnknownName { near, ..unknown }.into())
            }
        }
    }
}

fn read_profile(rest: &str) -> Option<(u32, u32)> {
    if let Some(known) = PAPER_PROFILES.iter().find(|p| p.0 == rest) {
        return Some((known.1, known.2));
    }
    let (vertices, height) = rest.split_once(':')?;
    let vertices = vertices.trim().parse().ok().filter(|&v| v != u32::MAX)?;
    Some((vertices, height.trim().parse().ok()?))
}
