//! What the verbs about netlists share.

use crate::limit::{read_netlist, read_number_table};
use crate::prelude::*;
use palmette::io::{NetlistElements, NetlistFile, RowsAre};
use palmette::power::{PlaneMap, PowerGrid};

/// The netlist to read.
#[derive(Debug, Args)]
pub(crate) struct NetlistOptions {
    /// SPICE netlist of a grid, optionally gz or zst; `-` is stdin.
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// Where nodes lie: a table of node, x, y and perhaps layer (default: from names such as
    /// n1_20_30).
    #[arg(long, value_name = "FILE", help_heading = "Input")]
    pub(crate) xy: Option<PathBuf>,
}

impl NetlistOptions {
    pub(crate) fn files(&self) -> Files {
        Files::of(&self.file).reads("--xy", self.xy.as_deref())
    }

    pub(crate) fn load(&self, session: &mut Session) -> Result<PowerGrid> {
        let file = session.phase("read", || read_netlist(&self.file))?;
        let mut grid = session.phase("build", || PowerGrid::new(file))?;
        if let Some(path) = &self.xy {
            session.file("xy", Some(path));
            let table = session.phase("read", || read_number_table(path, RowsAre::Nodes))?;
            grid.plane = PlaneMap::of_table(&table, &grid.file)?;
        }
        session.figures(&grid);
        Ok(grid)
    }
}

/// Says what was left out of a netlist; of a transient, capacitors and inductors are not.
pub(crate) fn tell_notes(session: &Session, file: &NetlistFile, in_time: bool) {
    let counts = NetlistElements::of(&file.circuit);
    let open = [
        ("capacitors, open at the operating point", counts.capacitors),
        ("inductors, short at the operating point", counts.inductors),
    ];
    let open = open.iter().filter(|(_, count)| *count > 0 && !in_time);
    let mut notes: Vec<String> = open.map(|(what, count)| format!("{what}: {count}")).collect();
    notes.extend(file.notes.iter().cloned());
    if !notes.is_empty() {
        session.note(&format!("{}: {}", file.name, notes.join("; ")));
    }
}
