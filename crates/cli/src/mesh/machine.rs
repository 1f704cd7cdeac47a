//! Options for verbs that place parts: the machine and its hosts.

use crate::input::read_text;
use crate::limit::limit;
use crate::prelude::*;
use palmette::mesh::machine::numbers_of;
use palmette::mesh::placement::{Host, RankFormat, SearchParams, parse_hosts, ranks};
use palmette::mesh::{Machine, Placement};
use palmette::{MachineInput, MachineParams, check_machine, machine_file, read_machine};

/// Which machine, and which parts go there.
#[derive(Debug, Args)]
#[command(next_help_heading = "Machine")]
pub(crate) struct MachineOptions {
    /// mesh:ROWSxCOLUMNS or torus:ROWSxCOLUMNS, both also with LAYERSx before; fat-tree:4x4x4
    /// (capacities after @); hierarchy:4x8x6, the smallest groups first; dragonfly:9x4x2; a
    /// graph (FILE.graph); slurm:topology.conf; hwloc:FILE.xml. Networks can have nodes:
    /// torus:8x8/2x8.
    #[arg(long, value_name = "MACHINE", value_parser = machine_text)]
    machine: String,
    /// Distances in a hierarchy or a node, the innermost first, then of a hop (default: 1, 10,
    /// 100 and so on).
    #[arg(long, value_name = "LIST", value_parser = distances)]
    distances: Option<Numbers>,
    /// Dead processors, such as 3,17,20-23: they get no part, and nothing goes through them.
    #[arg(long, value_name = "LIST", value_parser = processors)]
    without: Option<Numbers>,
    /// Number of parts (default: one per processor).
    #[arg(short = 'k', long, value_name = "K")]
    parts: Option<u32>,
    /// Stop the search for a placement after this many seconds; the result then depends on the
    /// speed of this computer.
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    time_limit: Option<Duration>,
    /// File with the hosts, one name or name:slots per line, also tux[0-3]:8: their slots are the
    /// processors (default: slots of `localhost`). With slurm:FILE, the hosts of the allocation.
    #[arg(long, value_name = "FILE")]
    hosts: Option<PathBuf>,
}

/// Numbers in a list. Clap would take a `Vec` for a repeated option.
type Numbers = std::sync::Arc<[u32]>;

pub(super) fn machine_text(text: &str) -> Result<String, String> {
    check_machine(text).map_err(|error| error.to_string())?;
    Ok(text.to_string())
}

fn distances(text: &str) -> Result<Numbers, String> {
    let number = |word: &str| match word.parse::<u32>() {
        Ok(number) if number > 0 => Ok(number),
        _ => Err(format!("expected positive whole numbers such as 1,10,100, found `{word}`")),
    };
    text.split(',').map(number).collect()
}

fn processors(text: &str) -> Result<Numbers, String> {
    let wrong = |word| format!("expected numbers such as 3,17,20-23, found `{word}`");
    Ok(numbers_of(text).map_err(wrong)?.into())
}

fn seconds(text: &str) -> Result<Duration, String> {
    let number: Option<f64> = text.parse().ok();
    let limit = number.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    limit.ok_or_else(|| format!("expected a number of seconds, found `{text}`"))
}

/// A machine that was read.
pub(crate) struct Loaded {
    pub(crate) machine: Machine,
    hosts: Vec<Host>,
    /// What the hosts are called in messages.
    hosts_name: String,
}

impl MachineOptions {
    /// The files that the options read.
    pub(super) fn files(&self, files: Files) -> Files {
        let file = machine_file(&self.machine);
        files.reads("--machine", file.as_deref()).reads("--hosts", self.hosts_file())
    }

    /// Reads the machine and notes it. Hosts that do not make the machine must be for a file, which
    /// `needs` names if it is missing.
    pub(crate) fn load(&self, session: &mut Session, needs: Option<&str>) -> Result<Loaded> {
        let hosts = self.hosts(session)?;
        let list = |numbers: &Option<Numbers>| numbers.as_ref().map(|numbers| numbers.to_vec());
        let params = MachineParams {
            distances: list(&self.distances),
            without: list(&self.without).unwrap_or_default(),
            hosts,
            limit: limit(),
        };
        let MachineInput { machine, hosts, notes } = read_machine(&self.machine, &params)?;
        let named = machine.network().is_some_and(|network| !network.names().is_empty());
        if let Some(option) = needs.filter(|_| self.hosts.is_some() && !named) {
            bail!("--hosts needs {option}");
        }
        notes.iter().for_each(|note| session.note(note));
        session.parameter("machine", machine.to_string());
        let hosts_name = self.hosts.as_deref().map_or("localhost".to_string(), name_of);
        let slots = machine.processors() as u32;
        let hosts = hosts.unwrap_or_else(|| vec![Host { name: "localhost".to_string(), slots }]);
        Ok(Loaded { machine, hosts, hosts_name })
    }

    /// The number of parts; the machine has enough processors.
    pub(crate) fn parts(&self, machine: &Machine) -> Result<u32> {
        let parts = self.parts.unwrap_or(machine.places() as u32);
        Placement::identity(parts as usize, machine)?;
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

    /// The hosts of the file, if there is one.
    fn hosts(&self, session: &mut Session) -> Result<Option<Vec<Host>>> {
        let Some(path) = &self.hosts else { return Ok(None) };
        session.parameter("hosts", name_of(path));
        let text = read_text(path)?;
        let hosts = parse_hosts(&text).map_err(|error| anyhow!("{}: {error}", name_of(path)))?;
        Ok(Some(hosts))
    }
}

impl Loaded {
    /// Where ranks go, for a launcher.
    pub(crate) fn ranks(&self, format: RankFormat, placement: &Placement) -> Result<String> {
        let name = &self.hosts_name;
        ranks(format, placement, &self.hosts).map_err(|error| anyhow!("{name}: {error}"))
    }
}
