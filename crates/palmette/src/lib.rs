//! The façade of palmette: aggregates over subtrees and root paths, lowest common ancestors, paths;
//! skeletons of graphs and potentials on them; and the formats that trees and graphs come in.
//!
//! | to | use |
//! |---|---|
//! | read and write trees | [`io`]: [`read_tree`], [`TreeFile`], [`Output`](io::Output) |
//! | hold a tree | [`core`]: [`Tree`], [`Monoid`] and the [operators](core::operator) |
//! | aggregate with an operator known when compiling | [`leaffix()`], [`rootfix()`] |
//! | aggregate with an operator known when running | [`aggregate()`], [`aggregate_into`], [`aggregate_alone`], [`aggregate_columns`], [`aggregate_once`], [`aggregate_paths`] |
//! | compare the answers of two engines | [`agreement`] |
//! | sum floats: compensated, exact, with error bounds | [`AggregateParams::summation`], [`tree::sum`] |
//! | compute on a graphics processor (feature `gpu`) | [`run_on_device`]; `device_aggregate`, `device_measure`, `device_lca`; `gpu` |
//! | aggregate on many ranks | [`tree::distributed`], [`distributed_aggregate`], [`distributed_measure`] |
//! | measure: depth, height, sizes, leaves | [`measures`], [`TreeFigures`] |
//! | ask for ancestors and distances | [`Lca`], [`HeavyPaths`] |
//! | edit and compare phylogenies, diversity, parsimony | [`phylo`], by name [`phylogeny`] |
//! | lay a tree out on a grid, run message programs there | [`spatial`] |
//! | message parents and children there, operator known when running | [`local_broadcast`], [`local_reduce`] |
//! | run tree programs there, checked against the host | [`spatial_treefix`], [`spatial_lca`], [`create_layout`] |
//! | multiply by sparse matrices there, solve with them | [`spatial_product`], [`spatial_solve`] |
//! | compare programs there with their theorems, over shapes and sizes | [`sweep`](mod@sweep) |
//! | read and write graphs and netlists | [`io`]: [`read_graph`], [`GraphFile`] |
//! | hold a weighted graph, make one | [`Graph`], [`core::graph::generate`] |
//! | keep its spectral skeleton | [`graph::sparsify`], [`graph::quality`](mod@graph::quality) |
//! | solve for potentials and voltages | [`graph::solve`]: [`Solver`](graph::solve::Solver) |
//! | resistances and currents between places of a landscape | [`read_focal_regions`], [`graph::focal`] |
//! | cut a graph where it is weakest | [`graph::mincut`] |
//! | order a graph for a sparse factor | [`graph::order`](mod@graph::order); orders in files: [`OrderFile`] |
//! | look at a graph from a file | [`GraphFigures`], [`node_resistances`], [`random_currents`] |
//! | read meshes, or graphs with points | [`read_mesh_input`], [`io`]: [`read_mesh`](io::read_mesh) |
//! | make meshes, cut, place, route | [`mesh`], [`map_mesh`], [`Mapping`]; machines from files: [`read_machine`] |
//! | compile and run programs on a mesh | [`language`], [`ranks`] |
//! | map the elements of a mesh, generate a program for their ranks | [`map_elements`], [`GeneratedProgram`] |
//! | look at a mesh, at its parts | [`MeshFigures`], [`PartitionFigures`] |
//! | fill a record with the figures of a result | [`Figures`], [`figures`] |
//! | draw a result (feature `pictures`) | `pictures` |
//!
//! ```
//! use palmette::{AggregateParams, Direction, Operator, ReadParams, TreeParams, aggregate};
//! use palmette::io::{ValueSlice, Values, read_tree_bytes};
//! let file = read_tree_bytes("apes.nwk", b"((Homo,Pan),Gorilla)apes;", &ReadParams::default())?;
//! let tree = file.tree(TreeParams::default())?;
//! let ones = [ValueSlice::I64(&[1; 5])];
//! let sizes =
//!     aggregate(&tree, Direction::Leaffix, Operator::SUM, &ones, &AggregateParams::default())?;
//! assert_eq!(sizes.numbers(), Some(&Values::I64(vec![5, 3, 1, 1, 1])));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![forbid(unsafe_code)]
#![deny(missing_docs)]

mod aggregate;
mod device;
#[cfg(feature = "gpu")]
mod device_queries;
mod element_mapping;
mod elimination;
pub mod figures;
mod generated;
mod landscape;
mod mapping;
pub mod measures;
mod mesh_input;
mod network;
pub mod phylogeny;
#[cfg(feature = "pictures")]
pub mod pictures;
pub mod power;
mod program;
pub mod ranks;
mod stream;
pub mod sweep;

pub use palmette_core as core;
#[cfg(feature = "gpu")]
pub use palmette_gpu as gpu;
pub use palmette_graph as graph;
pub use palmette_io as io;
pub use palmette_language as language;
pub use palmette_mesh as mesh;
pub use palmette_phylo as phylo;
pub use palmette_spatial as spatial;
pub use palmette_tree as tree;

pub use aggregate::{
    AggregateError, AggregateParams, Agreement, Answer, AnswerCells, AnswerColumn, DirectMessages,
    Direction, Filled, Messages, NarrowSlice, ONCE_BYTES, Operator, OperatorName, OperatorParams,
    PathParams, SpatialTreefix, SpatialTreefixParams, ValuesMut, aggregate, aggregate_alone,
    aggregate_columns, aggregate_into, aggregate_once, aggregate_paths, agreement, direct_messages,
    distributed_aggregate, distributed_measure, distributed_needs_order, local_broadcast,
    local_reduce, needs_no_tree, spatial_treefix,
};
#[cfg(feature = "gpu")]
pub use aggregate::{DeviceAggregate, device_aggregate, device_aggregate_paths, device_measure};
pub use device::{
    DeviceChoice, DeviceEngine, DeviceFigures, DeviceJob, DeviceRun, HAS_DEVICES, list_devices,
    run_on_device,
};
#[cfg(feature = "gpu")]
pub use device_queries::{device_edge_distances, device_lca};
pub use element_mapping::{ElementMapping, map_elements};
pub use elimination::{OrderFile, OrderFileError};
pub use figures::{
    DemandFigures, Figures, GraphFigures, InputOrder, MeshFigures, PartitionFigures,
    SolutionFigures, TreeFigures,
};
pub use generated::{GenerateError, GeneratedProgram};
pub use landscape::{FocalRegions, explain_driven, read_focal_regions, read_grounds, read_sources};
pub use mapping::{
    IWARP_CHANNELS, JOINT, MachineInput, MachineInputError, MachineParams, Mapping, MappingError,
    MappingParams, MappingTraffic, centroids, check_machine, machine_file, map_mesh, map_mesh_as,
    most_frequent, place_parts, placement_from_json, placement_json, placing, read_machine,
    routes_json,
};
pub use measures::Measure;
pub use mesh_input::{MeshInput, MeshInputParams, read_mesh_file, read_mesh_input};
pub use network::{explain, explain_cut, node_resistances, random_currents};
pub use palmette_core::{
    Commutative, Graph, Group, Monoid, NONE, Record, Tree, TreeError, TreeParams,
};
pub use palmette_io::{
    GraphFile, GraphReadParams, IoError, Labels, ReadParams, TreeFile, ValueSlice, ValueType,
    Values, read_graph, read_tree,
};
pub use palmette_tree::lca::Lca;
pub use palmette_tree::leaffix::leaffix;
pub use palmette_tree::paths::{HeavyPaths, PathAggregate};
pub use palmette_tree::rootfix::rootfix;
pub use palmette_tree::sum::{Findings, Summation};
pub use palmette_tree::{Engine, Scope, TreefixError, TreefixParams};
pub use program::{
    CreationParams, SparseRun, SpatialCreation, SpatialError, SpatialLca, SpatialLcaParams,
    SpatialProduct, SpatialSolution, SpatialSparseParams, WrongAnswer, create_layout,
    laplacian_matrix, program_machine, random_vector, sparse_matrix, spatial_lca, spatial_product,
    spatial_solve,
};
pub use stream::{Stream, StreamError, StreamParams, StreamPoint};
