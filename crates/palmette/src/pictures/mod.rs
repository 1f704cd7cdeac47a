//! Pictures of results, as records keep them: one file per result. What they show is plain
//! data for [`palmette_report`], which draws.
//!
//! | of | use |
//! |---|---|
//! | a tree, perhaps with an answer | [`tree()`] |
//! | samples by their principal coordinates | [`coordinates()`] |
//! | distances of all pairs, of samples or trees | [`sample_distances()`], [`tree_distance_map()`], [`distance_map()`] |
//! | a phylogeny with collapsed clades, a page of it | [`phylogram()`], [`tree_page()`] |
//! | lineages through time, a clock | [`lineages()`], [`clock()`] |
//! | a tree laid out on a grid | [`layout()`] |
//! | messages to parents or children there | [`messages()`] |
//! | programs of one's own there | [`own_program()`] |
//! | our programs there | [`treefix()`], [`contraction()`], [`lca()`], [`creation()`] |
//! | products with sparse matrices there | [`sparse()`] |
//! | a mesh, a graph with points, their parts | [`DrawnMesh`] |
//! | parts on a machine, what they exchange | [`placement()`], [`quotient()`] |
//! | a mesh on its way to a machine and to a grid | [`overview()`] |
//! | a program that ran on a mesh | [`field()`], [`loops()`] |
//! | drops of a chip's grid on the plane, waveforms | [`drop_map()`], [`waveforms()`] |
//! | a graph and its skeleton | [`matrix()`], [`skeleton()`] |
//! | currents through a landscape | [`current_map()`] |
//! | a skeleton that follows a graph | [`stream()`] |
//! | a study of a program against its theorems | [`StudyPlots`] |
//! | a study of one's own program against one's own theorem | [`OwnStudy`] |
//! | voltages along a feeder, the feeder as one line | [`voltage_profile()`], [`one_line()`] |
//! | how solvers converged | [`convergence()`], [`comparison()`] |
//!
//! All take the name of what was read, of which the title says the last part of the path.

mod diversity;
mod flow;
mod graph;
mod grid;
mod layout;
mod mapping;
mod mesh;
mod mesh_run;
mod overview;
mod own_program;
mod phylogeny;
mod phylogram;
mod program;
mod solution;
mod stream;
mod study;
mod tree;

pub use diversity::{Coloured, coordinates, distance_map, sample_distances, tree_distance_map};
pub use flow::{VOLTAGE_LIMITS, one_line, voltage_profile};
pub use graph::{current_map, matrix, minimum_cut, order, skeleton};
pub use grid::{drop_map, waveforms};
pub use layout::layout;
pub use mapping::{NotDrawn, placement, quotient};
pub use mesh::{DrawnMesh, Parts, Topology};
pub use mesh_run::{field, has_field, loops};
pub use overview::{Way, overview};
pub use own_program::own_program;
pub use phylogeny::{clock, lineages};
pub use phylogram::{MOST_ROWS, PhylogramParams, TreeForm, phylogram, tree_page};
pub use program::{
    MAX_DRAWN_CELLS, contraction, creation, is_followed, lca, messages, queues, sparse, treefix,
};
pub use solution::{comparison, convergence};
pub use stream::stream;
pub use study::{Bound, OwnRun, OwnStudy, Quantity, StudyPlots};
pub use tree::tree;

use palmette_core::mesh::Point;
use palmette_core::{Mesh, NONE, Picture};
use palmette_report::view::View;
use palmette_report::{ConvergenceCurve, ConvergencePlot};
use palmette_spatial::Cell;
use palmette_spatial::layout::Layout;
use std::path::Path;

/// A picture without a view.
fn still(name: &str, title: &str, svg: String) -> Picture {
    Picture { name: name.to_string(), title: title.to_string(), svg, view: None }
}

/// A file's name in pictures.
fn title(name: &str) -> String {
    let last = Path::new(name).file_name();
    last.map_or(name.to_string(), |last| last.to_string_lossy().into_owned())
}
