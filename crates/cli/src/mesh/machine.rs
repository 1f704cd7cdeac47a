//! Options for verbs that place parts: the machine and its hosts.

use crate::input::read_text;
use crate::prelude::*;
use palmette::mesh::placement::{Host, SearchParams, parse_hosts, rankfile};
use palmette::mesh::{Machine, Placement};

/// Which machine, and which parts go there.
#[derive(Debug, Args)]
#[command(next_help_heading = "Machine")]
pub(crate) struct MachineOptions {
    /// mesh:ROWSxCOLUMNS or torus:ROWSxCOLUMNS, both also with LAYERSx before; or fat-tree:4x4x4,
    /// with capacities by level after @: fat-tree:4x4x4@4,2,1.
    #[arg(long, value_name = "MACHINE")]
    pub(crate) machine: Machine,
    /// Number of parts (default: one per processor).
    #[arg(short = 'k', long, value_name = "K")]
    parts: Option<u32>,
    /// Stop the search for a placement after this many seconds; the result then depends on the
    /// speed of this computer.
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    time_limit: Option<Duration>,
    /// File with the hosts for a rankfile, one name or name:slots per line (default: all processors
    /// are slots of `localhost`).
    #[arg(long, value_name = "FILE")]
    hosts: Option<PathBuf>,
}

fn seconds(text: &str) -> Result<Duration, String> {
    let number: Option<f64> = text.parse().ok();
    let limit = number.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    limit.ok_or_else(|| format!("expected a number of seconds, found `{text}`"))
}

impl MachineOptions {
    /// The number of parts; the machine has enough processors.
    pub(crate) fn parts(&self, session: &mut Session) -> Result<u32> {
        session.parameter("machine", self.machine.to_string());
        let parts = self.parts.unwrap_or(self.machine.processors() as u32);
        Placement::identity(parts as usize, &self.machine)?;
        Ok(parts)
    }

    /// The time limit on the search for a placement, if any.
    pub(crate) fn search(
        &self,
        session: &mut Session,
        defaults: SearchParams,
        seed: u64,
    ) -> SearchParams {
        if let Some(limit) = self.time_limit {
            session.parameter("time_limit", limit.as_secs_f64());
        }
        SearchParams { seed, time_limit: self.time_limit, ..defaults }
    }

    /// The file that names hosts.
    pub(super) fn hosts_file(&self) -> Option<&Path> {
        self.hosts.as_deref()
    }

    /// The hosts, whose slots are the processors.
    pub(crate) fn hosts(&self, session: &mut Session) -> Result<Vec<Host>> {
        let Some(path) = &self.hosts else {
            let slots = self.machine.processors() as u32;
            return Ok(vec![Host { name: "localhost".to_string(), slots }]);
        };
        session.parameter("hosts", name_of(path));
        let text = read_text(path)?;
        parse_hosts(&text).map_err(|error| anyhow!("{}: {error}", name_of(path)))
    }

    pub(crate) fn ranks(&self, placement: &Placement, hosts: &[Host]) -> Result<String> {
        let name = self.hosts.as_deref().map_or("localhost".to_string(), name_of);
        rankfile(placement, hosts).map_err(|error| anyhow!("{name}: {error}"))
    }
}
