//! Options for parts that keep to more than their number: `palmette mesh partition`.

use crate::limit::{read_bytes, read_previous};
use crate::prelude::*;
use palmette::NONE;
use palmette::io::read_fixed_bytes;
use palmette::mesh::PartitionError;
use palmette::mesh::partition::{Demands, Objective, Previous};

/// What parts keep to.
#[derive(Debug, Args)]
#[command(next_help_heading = "Cutting")]
pub(super) struct DemandOptions {
    /// File with nodes that stay in a part: a node from 1 and its part from 0 per line (with
    /// --elements, elements).
    #[arg(long, value_name = "FILE")]
    fixed: Option<PathBuf>,
    /// What is made small: cut, volume (values sent to other parts; with --elements, copies) or
    /// bottleneck (most values that one part sends) (default: cut, and then copies).
    #[arg(long, value_name = "OBJECTIVE", value_parser = named::<Objective>())]
    objective: Option<Objective>,
    /// File with the part that each node (or element) has now, one number per line, -1 for none:
    /// keep most where they are.
    #[arg(long, value_name = "FILE")]
    from: Option<PathBuf>,
    /// With --from: what moving a unit of weight to another part costs, in units of the cut.
    #[arg(long, value_name = "COST", default_value_t = Previous::MIGRATION, requires = "from",
          allow_negative_numbers = true)]
    migration: f64,
}

/// What parts keep to, as read.
pub(super) struct Demanded {
    pub(super) parts: u32,
    pub(super) demands: Demands,
    /// The file of fixed nodes, and the lines that name them.
    fixed: (String, Vec<u64>),
}

impl DemandOptions {
    /// The files of a command, with those of these options.
    pub(super) fn files(&self, files: Files) -> Files {
        files.reads("--fixed", self.fixed.as_deref()).reads("--from", self.from.as_deref())
    }

    /// Reads what the parts of so many nodes or elements keep to; the number of parts is given, or
    /// that of sizes, or that of parts now.
    pub(super) fn load(
        &self,
        session: &mut Session,
        things: usize,
        (parts, sizes): (Option<u32>, usize),
        mut demands: Demands,
    ) -> Result<Demanded> {
        demands.objective = self.objective;
        if let Some(objective) = self.objective {
            session.parameter("objective", objective.name());
        }
        if let Some(path) = &self.from {
            session.parameter("from", name_of(path)).parameter("migration", self.migration);
            let part = session.phase("read", || read_previous(path, things))?;
            demands.previous = Some(Previous { part, migration: self.migration });
        }
        let before = demands.previous.iter().flat_map(|previous| &previous.part);
        let before = before.filter(|&&p| p != NONE).max().map_or(0, |&most| most + 1);
        let sizes = Some(sizes as u32).filter(|&sizes| sizes > 0);
        let parts = parts.or(sizes).unwrap_or(before);
        demands.check_sizes(parts)?;
        let mut fixed = (String::new(), Vec::new());
        if let Some(path) = &self.fixed {
            let name = name_of(path);
            session.parameter("fixed", name.clone());
            let read = session
                .phase("read", || read_fixed_bytes(&name, &read_bytes(path)?, things, parts))?;
            demands.fixed = read.fixed;
            fixed = (name, read.lines);
        }
        Ok(Demanded { parts, demands, fixed })
    }
}

impl Demanded {
    /// An error with the line that is to blame, where there is one.
    pub(super) fn explain(&self, error: anyhow::Error) -> anyhow::Error {
        let at = match error.downcast_ref() {
            Some(PartitionError::FixedTooHeavy { at, .. }) => *at,
            _ => return error,
        };
        let (name, lines) = &self.fixed;
        match lines.get(at) {
            Some(line) => anyhow!("{name}, line {line}: {error}"),
            None => error,
        }
    }
}
