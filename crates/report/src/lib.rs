//! Pictures of trees and of measurements as SVG, pages of them as HTML, and tables for
//! terminals.
//!
//! Internal: its interface may change in any release. It sees plain data only: slices, names, and
//! the run [`Record`]. It computes no answer; it shows answers that others computed, and fits a
//! law's constant to them. A picture is a self-contained `String` of SVG: it uses the reader's fonts, its colours follow the reader's
//! light or dark theme, and its text describes it to those who cannot see it.
//!
//! | to show | use |
//! |---|---|
//! | a tree of up to [`MAX_LEAVES`] leaves | [`Dendrogram`] |
//! | a tree of any size | [`TreeSummary`] |
//! | a phylogeny of any size, with collapsed clades | [`Phylogram`] |
//! | a phylogeny to look around in | [`TreePage`] |
//! | one quantity against another, several series | [`LineChart`] |
//! | several quantities over one axis | [`StackedChart`] |
//! | one quantity for several engines and inputs | [`BarChart`] |
//! | points with names and groups, such as principal coordinates | [`Scatter`] |
//! | distances of all pairs | [`DistanceMap`] |
//! | a tree laid out on a grid of processors | [`GridLayout`] |
//! | the messages over the links of a grid | [`LinkLoads`] |
//! | a graph whose vertices have coordinates | [`GraphDrawing`] |
//! | a mesh, or its parts in colours | [`MeshDrawing`] |
//! | a field over a plane mesh | [`FieldDrawing`] |
//! | which parts exchange how much | [`QuotientDrawing`] |
//! | parts on a machine, and the loads of its links | [`PlacementDrawing`] |
//! | parts on a hierarchy, and what leaves its groups | [`GroupsDrawing`] |
//! | parts on a network of nodes and switches, and its loads | [`NetworkDrawing`] |
//! | where a matrix has entries, before and after | [`SpyPlot`] |
//! | how solvers converge | [`ConvergencePlot`] |
//! | voltages along a feeder; a feeder as one line | [`VoltageProfile`], [`OneLine`] |
//! | a theorem's bound and what was measured | [`TheoremPlot`] with its [`Law`] |
//! | a run's link loads and its rounds of contraction | [`RunPicture`] |
//! | the whole way of a mesh, in six panels | [`Overview`] |
//! | many theorems and their tables on one page | [`SweepPage`] |
//! | runs, with their pictures, on one page; two runs side by side | [`ReportPage`] |
//! | more of a run than a still picture can | a [`View`](view::View) beside the picture |
//! | a run in a notebook | [`notebook()`] |
//! | figures in a terminal | [`Table`] |
//!
//! [`Record`]: palmette_core::Record
#![forbid(unsafe_code)]
#![deny(missing_docs)]

mod base64;
mod board;
mod chart;
mod colour;
mod convergence_plot;
mod dendrogram;
mod distance_map;
mod feeder_drawing;
mod field_drawing;
mod graph_drawing;
mod grid_layout;
mod groups_drawing;
mod inset;
mod law;
mod legend;
mod link_loads;
mod marker;
mod mesh_drawing;
mod network_drawing;
mod notebook;
pub mod number;
mod overview;
mod page;
mod paper;
mod part_numbers;
mod phylogram;
mod placement_drawing;
#[cfg(feature = "render")]
pub mod png;
mod quotient_drawing;
mod raster_map;
mod report_page;
mod run_picture;
pub mod scale;
mod scatter;
mod spans;
mod spy_plot;
pub mod svg;
mod sweep_page;
mod table;
#[cfg(test)]
mod tests;
mod text;
mod theorem_plot;
mod tree_summary;
mod untrusted;
pub mod view;

pub use chart::{AxisSpec, BarChart, LineChart, Series, StackedChart};
pub use convergence_plot::{ConvergenceCurve, ConvergencePlot};
pub use dendrogram::{Dendrogram, MAX_LEAVES};
pub use distance_map::DistanceMap;
pub use feeder_drawing::{OneLine, ProfileLine, VoltageProfile};
pub use field_drawing::{FieldDrawing, MAX_FIELD_POINTS};
pub use graph_drawing::{GraphDrawing, MAX_EDGES, SKELETON};
pub use grid_layout::GridLayout;
pub use groups_drawing::GroupsDrawing;
pub use law::{Fit, Law};
pub use link_loads::LinkLoads;
pub use mesh_drawing::{MAX_SHAPES, MeshDrawing, Shape};
pub use network_drawing::{MAX_LINKS, NetworkDrawing};
pub use notebook::{image, notebook};
pub use overview::Overview;
pub use phylogram::{BranchColours, DrawnPhylogram, MOST_ROWS, Phylogram, TreeForm, TreePage};
pub use placement_drawing::{MAX_PROCESSORS, PlacementDrawing};
pub use quotient_drawing::{MAX_PAIRS, QuotientDrawing};
pub use raster_map::RasterMap;
pub use report_page::{Compared, PageError, ReportPage, file_stems, key_figures};
pub use run_picture::RunPicture;
pub use scatter::{MAX_GROUPS, Scatter, ScatterColours};
pub use spy_plot::{SpyEdges, SpyPanel, SpyPlot};
pub use sweep_page::SweepPage;
pub use table::{Cell, Table};
pub use theorem_plot::TheoremPlot;
pub use tree_summary::{TreeAnswer, TreeSummary};
pub use untrusted::{SvgError, safe_svg};
