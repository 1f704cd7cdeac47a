//! Graphs as files.

use crate::output::{destination, unfinished};
use crate::session::Session;
use anyhow::anyhow;
use clap::Args;
use palmette::Graph;
use palmette::io::{GraphFormat, write_matrix_market, write_metis};
use std::path::{Path, PathBuf};

/// Where a graph goes.
#[derive(Debug, Args)]
pub(crate) struct GraphOutput {
    /// Where to write the graph; the name's ending tells the format (mtx, graph), gz and zst
    /// too.
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// The format, whatever the name: matrix-market, which is the default on stdout, or metis.
    #[arg(long, value_name = "FORMAT", value_parser = written)]
    to: Option<GraphFormat>,
}

fn written(text: &str) -> Result<GraphFormat, String> {
    let format: Option<GraphFormat> = text.parse().ok();
    let format = format.filter(|format| *format != GraphFormat::Spice);
    format.ok_or_else(|| format!("expected matrix-market or metis, found `{text}`"))
}

impl GraphOutput {
    pub(crate) fn path(&self) -> Option<&Path> {
        self.output.as_deref()
    }

    /// The format asked for, or the one of the file's name, or Matrix Market on stdout.
    pub(crate) fn format(&self) -> anyhow::Result<GraphFormat> {
        let Some(path) = self.path().filter(|path| path.as_os_str() != "-") else {
            return Ok(self.to.unwrap_or(GraphFormat::MatrixMarket));
        };
        let by_name = GraphFormat::from_name(&path.to_string_lossy());
        let found = self.to.or(by_name.filter(|format| *format != GraphFormat::Spice));
        found.ok_or_else(|| {
            let path = path.display();
            anyhow!("{path}: expected a name that ends in mtx or graph, or --to FORMAT")
        })
    }

    /// Writes a graph where it should go: nowhere with `--json` and no file.
    pub(crate) fn write(&self, session: &mut Session, graph: &Graph) -> anyhow::Result<()> {
        let format = self.format()?;
        let Some(path) = destination(session, self.path())? else { return Ok(()) };
        session.record.parameter("format", format.to_string());
        session.phase("write", || {
            let out = unfinished(&path, |out| match format {
                GraphFormat::Metis => write_metis(out, graph),
                _ => write_matrix_market(out, graph),
            })?;
            out.finish()
        })?;
        Ok(())
    }
}
