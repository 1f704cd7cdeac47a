//! Graphs as files.

use crate::prelude::*;
use palmette::Graph;
use palmette::core::graph::raster::Raster;
use palmette::io::{GraphFormat, ending, write_matrix_market, write_metis, write_raster};
use palmette_vocabulary::one_of;

/// Where a graph goes.
#[derive(Debug, Args)]
pub(crate) struct GraphOutput {
    /// Output graph; the extension decides the format (mtx, graph; asc for a landscape), optionally gz or zst.
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Output format: matrix-market (the default on stdout) or metis; overrides the name.
    #[arg(long, value_name = "FORMAT", value_parser = one_of(GraphFormat::WRITTEN))]
    to: Option<GraphFormat>,
}

impl GraphOutput {
    /// The files of a command, with the graph.
    pub(crate) fn files(&self, files: Files) -> Files {
        let kind = if self.is_raster() { Kind::RASTER } else { Kind::graph(self.to.is_some()) };
        files.writes("-o", self.output.as_deref(), kind)
    }

    /// Whether a raster is to be written.
    pub(crate) fn is_raster(&self) -> bool {
        self.to.is_none() && self.output.as_deref().is_some_and(is_raster)
    }

    /// Writes a landscape where it should go.
    pub(crate) fn write_raster(&self, session: &mut Session, raster: &Raster) -> Result<()> {
        let Some(path) = session.destination(self.output.as_deref()) else { return Ok(()) };
        session.parameter("format", GraphFormat::AsciiGrid.to_string());
        session.write(&path, |out| write_raster(out, raster))
    }

    /// The format asked for, or the one of the file's name, or Matrix Market on stdout.
    fn format(&self) -> GraphFormat {
        let name = self.output.as_deref().map(Path::to_string_lossy);
        let by_name = name.and_then(|name| GraphFormat::from_name(&name));
        self.to.or(by_name).unwrap_or(GraphFormat::MatrixMarket)
    }

    /// Writes a graph where it should go: nowhere with `--json` and no file.
    pub(crate) fn write(&self, session: &mut Session, graph: &Graph) -> Result<()> {
        let format = self.format();
        let Some(path) = session.destination(self.output.as_deref()) else { return Ok(()) };
        session.parameter("format", format.to_string());
        write_as(session, &path, format, graph)
    }
}

/// Writes a graph in the format of the file's name.
pub(super) fn write_graph(session: &mut Session, path: &Path, graph: &Graph) -> Result<()> {
    let format = GraphFormat::from_name(&path.to_string_lossy());
    write_as(session, path, format.unwrap_or(GraphFormat::MatrixMarket), graph)
}

fn write_as(session: &mut Session, path: &Path, format: GraphFormat, graph: &Graph) -> Result<()> {
    session.write(path, |out| match format {
        GraphFormat::Metis => write_metis(out, graph),
        _ => write_matrix_market(out, graph),
    })
}

/// Whether a name is that of a raster.
pub(crate) fn is_raster(path: &Path) -> bool {
    ending(path).is_some_and(|found| GraphFormat::AsciiGrid.endings().contains(&&found[..]))
}
