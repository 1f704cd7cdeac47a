//! What results say of themselves in records: their figures, under stable keys. One file per
//! result; the command line and Python pass them on.

/// Adds figures whose keys are the names of fields or of methods without arguments.
macro_rules! figures {
    ($record:expr, $of:expr => $($key:ident $(($($none:tt)*))?),+) => {
        $record$(.figure(stringify!($key), $of.$key $(($($none)*))?))+
    };
}

mod answer;
mod device;
mod diversity;
mod edit;
mod flow;
mod graph;
mod grid;
mod layout;
mod mapping;
mod mesh;
mod mesh_run;
mod mincut;
mod order;
mod own_program;
mod parsimony;
mod partition;
mod phylogram;
mod program;
mod skeleton;
mod solution;
mod sparse;
mod stream;
mod tree;

pub use diversity::DiversityFigures;
pub use edit::EditFigures;
pub use flow::{CaseFigures, FeederInfo};
pub use graph::{CurrentFigures, GraphFigures, GraphInfo, ResistanceFigures, reader};
pub use grid::{DropFigures, NetRow, ScenarioFigures, TransientFigures, element_name, net_rows};
pub use layout::{LayoutComparison, layout};
pub use mapping::PlacementFigures;
pub use mesh::{MeshFigures, MeshInfo};
pub use mesh_run::{ExchangeComparison, ExchangeRow, RunFigures, loop_end, run_parts};
pub use mincut::MinCutFigures;
pub use own_program::OwnProgramFigures;
pub use partition::{DemandFigures, PartitionFigures, separator};
pub use phylogram::PhylogramFigures;
pub use program::{MachineFigures, gifts};
pub use skeleton::skeleton;
pub use solution::{SolutionFigures, SolverComparison, SolverTrial};
pub use tree::{InputOrder, TreeFigures, TreeInfo, ancestors};

use palmette_core::{Graph, Mesh, Record, Tree};
use palmette_mesh::Quotient;
use serde_json::{Map, Value, json};

/// A result that records can hold.
///
/// ```
/// use palmette::{Figures, NONE, Record, Tree, TreeFigures};
/// let mut record = Record::new("tree info", "a tree");
/// TreeFigures::of(&Tree::from_parents(&[NONE, 0, 0])?).figures(&mut record);
/// assert_eq!((&record.result["vertices"], &record.result["leaves"]), (&3.into(), &2.into()));
/// # Ok::<(), palmette::TreeError>(())
/// ```
pub trait Figures {
    /// Adds its figures to a record, under stable keys.
    fn figures(&self, record: &mut Record);

    /// The keys of figures that are lists: a summary for people says them in its own words.
    fn lists(&self) -> &'static [&'static str] {
        &[]
    }
}

/// Counts that people hear of only where they are not 0; records have them always.
pub const COUNTS_IF_ANY: &[&str] = &[
    "boundary",
    "capacitors",
    "coincident",
    "diagonal",
    "double_trees",
    "duplicates",
    "empty_samples",
    "grounded",
    "inductors",
    "infinite_sums",
    "infinite_values",
    "isolated",
    "left_out",
    "merged",
    "missing",
    "nan_sums",
    "nan_values",
    "negative_eigenvalues",
    "overflows",
    "rejected",
    "skipped_sections",
    "tied",
    "unbounded_sums",
    "unknown_tips",
    "zeros",
];

/// Counts are whole in records, even those that are computed in floats.
pub(crate) fn whole(number: f64) -> Value {
    if number.fract() == 0.0 && number < 1e15 { (number as u64).into() } else { number.into() }
}
