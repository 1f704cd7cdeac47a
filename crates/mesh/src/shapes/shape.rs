//! Parses mesh shapes such as `crack-plate:4000` and `tetrahedra:9x9x9`.

use super::{CrackPlateParams, PennyCrackParams};
use palmette_core::memory::NoRoom;
use palmette_core::{MeshError, UnknownName};
use std::fmt;
use std::str::FromStr;
use thiserror::Error;

/// A family of meshes. Written and read as `grid:300x200`, `crack-plate:5000`, ….
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum MeshShape {
    /// `grid:ROWSxCOLUMNS`: unit squares.
    Grid {
        /// Squares in a column.
        rows: usize,
        /// Squares in a row.
        columns: usize,
    },
    /// `triangles:ROWSxCOLUMNS`: unit squares, each cut into two.
    Triangles {
        /// Squares in a column.
        rows: usize,
        /// Squares in a row.
        columns: usize,
    },
    /// `box:XxYxZ`: unit cubes.
    Box {
        /// Cubes along each axis.
        sides: [usize; 3],
    },
    /// `tetrahedra:XxYxZ`: unit cubes, each cut into six.
    Tetrahedra {
        /// Cubes along each axis.
        sides: [usize; 3],
    },
    /// `delaunay:N`: triangles between random points of the unit square.
    Delaunay {
        /// The number of points.
        n: usize,
    },
    /// `crack-plate[:N[:doubled]]`: a square plate with a crack from its side to its middle.
    CrackPlate {
        /// About how many nodes.
        nodes: usize,
        /// Whether the two faces of the crack have nodes of their own.
        doubled: bool,
    },
    /// `penny-crack[:N]`: a cube, graded to a circle in it.
    PennyCrack {
        /// About how many nodes.
        nodes: usize,
    },
}

/// Why no mesh can be generated.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum MeshShapeError {
    /// A text that names no shape.
    #[error(transparent)]
    Unknown(#[from] UnknownName),
    /// Too few nodes for an element, or for the shape to be recognised.
    #[error("{shape} is too small; a mesh needs at least {least} nodes and one element")]
    Few { shape: MeshShape, least: usize },
    /// The mesh does not fit in memory.
    #[error("{0}")]
    NoRoom(#[source] NoRoom),
    /// Too large.
    #[error(transparent)]
    Mesh(#[from] MeshError),
}

impl MeshShape {
    /// How shapes are written.
    pub const FORMS: [&str; 7] = [
        "grid:ROWSxCOLUMNS",
        "triangles:ROWSxCOLUMNS",
        "box:XxYxZ",
        "tetrahedra:XxYxZ",
        "delaunay:N",
        "crack-plate[:N[:doubled]]",
        "penny-crack[:N]",
    ];

    /// The number of nodes; of cracked meshes only about that.
    pub fn nodes(self) -> u128 {
        let corners = |cells: usize| cells as u128 + 1;
        match self {
            MeshShape::Grid { rows, columns } | MeshShape::Triangles { rows, columns } => {
                corners(rows).saturating_mul(corners(columns))
            }
            MeshShape::Box { sides } | MeshShape::Tetrahedra { sides } => {
                sides.iter().fold(1, |n: u128, &side| n.saturating_mul(corners(side)))
            }
            MeshShape::Delaunay { n: nodes }
            | MeshShape::CrackPlate { nodes, .. }
            | MeshShape::PennyCrack { nodes } => nodes as u128,
        }
    }

    pub(super) fn least_nodes(self) -> usize {
        match self {
            MeshShape::CrackPlate { .. } => CrackPlateParams::LEAST_NODES,
            MeshShape::PennyCrack { .. } => PennyCrackParams::LEAST_NODES,
            MeshShape::Delaunay { .. } => 3,
            MeshShape::Grid { .. } | MeshShape::Triangles { .. } => 4,
            MeshShape::Box { .. } | MeshShape::Tetrahedra { .. } => 8,
        }
    }

    pub(super) fn has_no_cells(self) -> bool {
        match self {
            MeshShape::Grid { rows, columns } | MeshShape::Triangles { rows, columns } => {
                rows == 0 || columns == 0
            }
            MeshShape::Box { sides } | MeshShape::Tetrahedra { sides } => sides.contains(&0),
            _ => false,
        }
    }
}

impl FromStr for MeshShape {
    type Err = MeshShapeError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let wrong = || UnknownName::among_forms("shape", text, MeshShape::FORMS);
        let count = |t: &str| t.parse::<usize>().map_err(|_| wrong());
        let sides = |t: &str| t.split('x').map(count).collect::<Result<Vec<usize>, _>>();
        let plane = |t: &str| sides(t)?.try_into().map_err(|_| wrong());
        let solid = |t: &str| sides(t)?.try_into().map_err(|_| wrong());
        let plate = |nodes, doubled| MeshShape::CrackPlate { nodes, doubled };
        Ok(match *text.split(':').collect::<Vec<_>>().as_slice() {
            ["grid", sides] => {
                let [rows, columns] = plane(sides)?;
                MeshShape::Grid { rows, columns }
            }
            ["triangles", sides] => {
                let [rows, columns] = plane(sides)?;
                MeshShape::Triangles { rows, columns }
            }
            ["box", sides] => MeshShape::Box { sides: solid(sides)? },
            ["tetrahedra", sides] => MeshShape::Tetrahedra { sides: solid(sides)? },
            ["delaunay", n] => MeshShape::Delaunay { n: count(n)? },
            ["crack-plate"] => plate(CrackPlateParams::default().nodes, false),
            ["crack-plate", n] => plate(count(n)?, false),
            ["crack-plate", n, "doubled"] => plate(count(n)?, true),
            ["penny-crack"] => MeshShape::PennyCrack { nodes: PennyCrackParams::default().nodes },
            ["penny-crack", n] => MeshShape::PennyCrack { nodes: count(n)? },
            _ => return Err(wrong().into()),
        })
    }
}

impl fmt::Display for MeshShape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            MeshShape::Grid { rows, columns } => write!(f, "grid:{rows}x{columns}"),
            MeshShape::Triangles { rows, columns } => write!(f, "triangles:{rows}x{columns}"),
            MeshShape::Box { sides: [x, y, z] } => write!(f, "box:{x}x{y}x{z}"),
            MeshShape::Tetrahedra { sides: [x, y, z] } => write!(f, "tetrahedra:{x}x{y}x{z}"),
            MeshShape::Delaunay { n } => write!(f, "delaunay:{n}"),
            MeshShape::CrackPlate { nodes, doubled: false } => write!(f, "crack-plate:{nodes}"),
            MeshShape::CrackPlate { nodes, doubled: true } => {
                write!(f, "crack-plate:{nodes}:doubled")
            }
            MeshShape::PennyCrack { nodes } => write!(f, "penny-crack:{nodes}"),
        }
    }
}
