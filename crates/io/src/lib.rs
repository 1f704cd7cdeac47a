//! Readers and writers of trees, graphs, meshes, and files of values and queries for their
//! vertices.
//!
//! | format | read | written |
//! |---|---|---|
//! | Newick, with support and annotations | [`read_tree`] | [`write_newick`], [`write_tree`] |
//! | NEXUS, its taxa and trees | [`read_tree`] | [`write_tree`] |
//! | PhyloXML | [`read_tree`] | |
//! | parent table (CSV, TSV, `;`, taxonomy dumps) | [`read_tree`] | [`write_parent_table`] |
//! | edge list | [`read_tree`] | [`write_edges`] |
//! | `.npy` parents | [`read_tree`] | [`write_npy_parents`] |
//! | parent table in Parquet or Arrow IPC | [`read_tree`] | [`write_parent_columns`] |
//! | the same in another library's memory | [`read_tree_table`] | |
//! | values, pairs, sets | [`read_values_bytes`], [`read_pairs_bytes`], [`read_sets_bytes`] | [`write_table`], [`write_columns`], [`write_npy_values`] |
//! | counts of tips by sample (CSV, TSV, BIOM 1.0 and 2.1) | [`read_samples_bytes`] | |
//! | distances of all pairs | | [`write_matrix`], [`write_npy_matrix`] |
//! | alignments: FASTA, PHYLIP | [`read_alignment`] | [`write_fasta`] |
//! | Matrix Market graph (weights or a Laplacian) | [`read_graph`] | [`write_matrix_market`] |
//! | Matrix Market matrix, square | [`read_matrix_bytes`] | |
//! | METIS graph | [`read_graph`] | [`write_metis`] |
//! | rasters of cells: ASCII grids | [`read_graph`], [`read_raster_bytes`]; what lies on their cells: [`read_focal_bytes`], [`read_layer_bytes`] | [`write_raster`] |
//! | SPICE netlist | [`read_netlist`]; its operating point by [`read_graph`] | |
//! | feeders: tables, power-grid-model, pandapower, MATPOWER, OpenDSS | [`read_feeder`] | [`tables_into`], [`write_tables`], [`write_pgm`] |
//! | load cases of feeders | [`read_cases`], piece by piece [`CaseReader`] | |
//! | vectors (Matrix Market array, CSV, `.npy`) | [`read_vectors_bytes`] | [`write_vectors`] |
//! | Gmsh mesh (MSH 2.2, 4.0 and 4.1, text or binary) | [`read_mesh`] | [`write_gmsh`] (2.2, text) |
//! | METIS mesh, with coordinates from another file | [`read_mesh`] | [`write_metis_mesh`] |
//! | VTK mesh with fields (legacy, XML) | | [`write_vtk`], [`write_vtu`] |
//! | ParaView's list of a series of those | | [`write_pvd`] |
//! | points, a line of two or three coordinates each | [`read_points_bytes`], [`read_all_points_bytes`] | [`write_points`] |
//! | parts and weights, a whole number per line | [`read_integers_bytes`] | [`write_integers`] |
//! | several weights per vertex; fixed vertices; parts before | [`read_weights_bytes`]; [`read_fixed_bytes`]; [`read_previous_bytes`] | |
//! | edges as pairs of numbers from 1 | | [`write_edge_pairs`] |
//!
//! gzip and zstd are detected by content on reading, and chosen by name on writing
//! ([`Output`]). Every error names the file, the line or byte, and what was expected.
//!
//! ```
//! use palmette_io::{ReadParams, read_tree_bytes};
//! let file = read_tree_bytes("pets.csv", b"id,parent\nanimal,\ncat,animal\n", &ReadParams::default())?;
//! assert_eq!(file.parents, [palmette_core::NONE, 0]);
//! assert_eq!(file.labels.get(1), "cat");
//! # Ok::<(), palmette_io::IoError>(())
//! ```
#![forbid(unsafe_code)]
#![deny(missing_docs)]

mod alignment;
mod annotation;
mod bits;
mod cluster;
mod columnar;
mod demands;
mod edges;
mod error;
mod fast;
mod feeder;
mod first_row;
mod format;
mod graph;
mod hdf5;
mod header;
mod index;
mod integers;
mod journal;
mod known;
mod labels;
mod limit;
mod lines;
mod losses;
mod matrix;
mod mesh;
mod names;
mod newick;
mod npy;
mod number;
mod number_table;
mod numbered;
mod output;
mod outputs;
mod parts;
mod phyloxml;
mod place;
mod points;
mod queries;
mod quote;
mod raster;
mod read_column;
mod read_values;
mod rows;
mod samples;
#[cfg(unix)]
mod slices;
mod source;
mod table;
mod text_index;
mod text_rows;
mod tree_file;
mod tree_input;
mod updates;
mod values;
mod vector;
mod write;
mod write_edges;

// Here, because every reader of names takes it from `crate::texts`.
use palmette_core::texts;

pub use alignment::{
    Alignment, AlignmentFormat, AlignmentParams, CostFile, FastaBytes, FastaSlices, Gaps,
    SequenceType, Symbols, read_alignment, read_alignment_bytes, write_fasta, write_texts,
};
pub use annotation::{Annotation, AnnotationStyle};
pub use cluster::{ClusterFile, NodeFile, read_hwloc_bytes, read_slurm_bytes};
pub use columnar::{
    ChunkData, ColumnChunk, ColumnKind, ColumnTable, NumberKind, TableField, TableNames, Validity,
    read_tree_table, write_columns, write_parent_columns,
};
pub use demands::{FixedFile, read_fixed_bytes, read_previous_bytes, read_weights_bytes};
pub use error::IoError;
pub use feeder::{
    CaseReader, FeederFile, FeederFormat, FeederParams, LoadCases, pgm_note, read_cases,
    read_cases_bytes, read_feeder, read_feeder_bytes, tables_into, write_pgm, write_tables,
};
pub use format::Format;
pub use graph::{
    FocalFile, GraphCounts, GraphFile, GraphForm, GraphFormat, GraphReadParams, MatrixError,
    MatrixFile, Netlist, NetlistElements, NetlistFile, Potential, Probe, Rounding, TransientCard,
    graph_of_matrix, read_focal_bytes, read_graph, read_graph_bytes, read_graph_within,
    read_layer_bytes, read_matrix_bytes, read_netlist, read_netlist_bytes, read_netlist_within,
    spice_value, write_edge_pairs, write_matrix_market, write_metis,
};
pub use index::Lookup;
pub use integers::{read_integers_bytes, write_integers};
pub use journal::{abandon, abandon_soon};
pub use known::{
    COMPRESSIONS, FormatFacts, ending, feeder_formats, graph_formats, mesh_formats, tree_formats,
};
pub use labels::Labels;
pub use limit::InputLimit;
pub use losses::losses;
pub use matrix::{write_matrix, write_npy_matrix};
pub use mesh::{
    Field, FieldValues, Fields, MeshCounts, MeshFile, MeshFileFormat, MeshFormat, MeshReadParams,
    VtkForm, coincident_nodes, read_mesh, read_mesh_bytes, write_gmsh, write_metis_mesh, write_pvd,
    write_vtk, write_vtu,
};
pub use newick::take_support;
pub use npy::{write_npy_parents, write_npy_values};
pub use number_table::{ALL_COLUMNS, NumberTable, RowsAre, read_number_table_bytes};
pub use output::Output;
pub use outputs::Outputs;
pub use parts::{TreeParts, write_tree};
pub use place::FilePlace;
pub use points::{read_all_points_bytes, read_points_bytes, write_points};
pub use queries::{PairFile, read_pair_file, read_pairs_bytes, read_sets_bytes};
pub use quote::{cut, short, shown, visible};
pub use raster::{read_raster_bytes, write_raster};
pub use read_column::{VertexColumn, read_column_bytes};
pub use read_values::{ValueParams, read_values_bytes, read_values_with};
pub use samples::{SampleTable, TipSide, read_metadata_bytes, read_samples_bytes};
#[cfg(unix)]
pub use slices::{
    ArraySlices, ColumnSlices, ElementRows, ElementSlices, GraphRows, GraphSlices, GroupSlice,
    NewickBytes, NewickSlice, NewickSlices, NewickState, PairRows, PairSlices, PairTable,
    PointSlices, RowSlice, Share, SlicedOutput, TableSlice, TableSlices, TreeSlices, npy_bytes,
    npy_head, open_newick_slices, open_pair_slices, open_tree_slices, table_head, table_rows,
};
pub use source::{name_of, read_bytes, read_bytes_within};
pub use tree_file::{ReadParams, Rooting, SupportLabels, TreeChoice, TreeFacts, TreeFile};
pub use tree_input::TreeInput;
pub use updates::{Change, UpdateFile, UpdateRow, read_updates_bytes};
pub use values::{Column, ColumnKey, Number, ValueSlice, ValueType, Values, read_as};
pub use vector::{VectorFormat, read_vectors_bytes, read_vectors_labelled, write_vectors};
pub use write::{Cells, write_newick, write_parent_table, write_table};
pub use write_edges::write_edges;

use source::{Source, plain};
use std::path::Path;

/// Reads a tree. `-` is stdin; gzip and zstd are decompressed.
///
/// # Errors
/// When the file cannot be read, is not what its format demands, or its tree does not fit in
/// memory; the message names the place. Cycles and several roots are found by [`TreeFile::tree`].
pub fn read_tree(path: impl AsRef<Path>, params: &ReadParams) -> Result<TreeFile, IoError> {
    TreeInput::open(path.as_ref(), InputLimit::default(), params)?.read(params)
}

/// As [`read_tree`], from bytes that are already here; `name` is for messages and
/// for finding the format.
///
/// # Errors
/// As [`read_tree`].
pub fn read_tree_bytes(name: &str, bytes: &[u8], params: &ReadParams) -> Result<TreeFile, IoError> {
    let data = plain(name, bytes)?;
    match format::of_content(params.format, name, &data)? {
        format @ (Format::Parquet | Format::Arrow) => {
            let table = ColumnTable::open(name, &data, format, params.limit)?;
            read_tree_table(&table, &TableNames::default(), params)
        }
        Format::Npy => npy::read(name, &data, params),
        Format::Newick | Format::Nexus => newick::read(&Source::new(name, &data)?, params),
        Format::PhyloXml => phyloxml::read(&Source::new(name, &data)?, params),
        Format::Csv | Format::Tsv => table::read(&Source::new(name, &data)?, params),
        Format::Edges => edges::read(&Source::new(name, &data)?, params),
    }
}
