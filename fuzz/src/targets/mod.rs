//! What is fuzzed, by name.

mod columns;
mod edge_list;
mod feeder;
mod gmsh;
mod matrix_market;
mod metis;
mod metis_mesh;
mod newick;
mod nexus;
mod npy;
mod pairs;
mod parent_table;
mod phyloxml;
mod picture;
mod program;
mod raster;
mod record;
mod samples;
mod spice;
mod text_mesh;
mod values;
mod vector;

/// What is done with an input: a panic is a failure.
pub(crate) type Check = fn(&[u8]);

/// All targets; `fuzz/seeds` has a folder for each.
pub(crate) const TARGETS: &[(&str, Check)] = &[
    ("columns", columns::check),
    ("edge_list", edge_list::check),
    ("feeder", feeder::check),
    ("gmsh", gmsh::check),
    ("matrix_market", matrix_market::check),
    ("metis", metis::check),
    ("metis_mesh", metis_mesh::check),
    ("newick", newick::check),
    ("nexus", nexus::check),
    ("npy", npy::check),
    ("pairs", pairs::check),
    ("parent_table", parent_table::check),
    ("phyloxml", phyloxml::check),
    ("picture", picture::check),
    ("program", program::check),
    ("raster", raster::check),
    ("record", record::check),
    ("samples", samples::check),
    ("spice", spice::check),
    ("text_mesh", text_mesh::check),
    ("values", values::check),
    ("vector", vector::check),
];
