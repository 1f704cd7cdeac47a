//! Graphs as files.

use crate::prelude::*;
use palmette::Graph;
use palmette::io::{GraphFormat, write_matrix_market, write_metis};
use palmette_vocabulary::one_of;

/// Where a graph goes.
#[derive(Debug, Args)]
pub(crate) struct GraphOutput {
    /// Output graph; the extension decides the format (mtx, graph), optionally gz or zst.
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Output format: matrix-market (the default on stdout) or metis; overrides the name.
    #[arg(long, value_name = "FORMAT", value_parser = one_of(GraphFormat::WRITTEN))]
    to: Option<GraphFormat>,
}

impl GraphOutput {
    /// The files of a command, with the graph.
    pub(crate) fn files(&self, files: Files) -> Files {
        files.writes("-o", self.output.as_deref(), Kind::graph(self.to.is_some()))
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
