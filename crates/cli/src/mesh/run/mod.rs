//! `palmette mesh run`.

mod results;
mod words;

use super::machine::machine_text;
use super::program::{Loaded, ProgramOptions};
use crate::interrupt;
use crate::prelude::*;
use palmette::figures::{ExchangeComparison, RunFigures, run_parts};
use palmette::language::Exchange;
use palmette::language::c::exchanged;
use palmette::language::run::{Outcome, prepare};
use palmette::mesh::PartitionParams;
use palmette::mesh::partition::element_partition;
use palmette::mesh::spmv::{Piece, World, pieces};
use palmette::ranks::{Launch, RankError, RankJob, run_on_ranks};
use palmette::{MachineParams, MappingParams, map_elements, read_machine};
use results::Results;

const MPIRUN: &str = "mpirun";

/// Default number of parts. It does not depend on this computer, so that neither does the result.
const PARTS: u32 = 4;

#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// Print the program's intermediate form and what it communicates, without running it.
    #[arg(long)]
    explain: bool,
    /// Also show traffic per iteration for node-based parts and without delayed assembly.
    #[arg(long, conflicts_with = "explain")]
    traffic: bool,
    /// Output folder: one vtu file per output, a pvd file for a series, svg pictures for plane
    /// meshes, and convergence-plot.svg for loops that test something.
    #[arg(short, long, value_name = "DIR")]
    output: Option<PathBuf>,
    #[command(flatten)]
    program: ProgramOptions,
    #[command(flatten)]
    parts: PartOptions,
    #[command(flatten)]
    engine: EngineOptions,
}

/// How elements are cut into parts.
#[derive(Debug, Args)]
#[command(next_help_heading = "Parts")]
struct PartOptions {
    /// Number of parts (default: 4, or one per rank, or one per processor of the machine). The last
    /// digits of results depend on the parts, and on nothing else.
    #[arg(short = 'k', long, value_name = "K")]
    parts: Option<u32>,
    /// Cut and number the parts for a machine, so that ranks in its order are near those they talk
    /// to; such as mesh:4x4, torus:2x8, hierarchy:4x8 (see mesh map).
    #[arg(long, value_name = "MACHINE", value_parser = machine_text)]
    machine: Option<String>,
    /// Allowed imbalance: how much larger than the mean a part may be (0.03 is 3%).
    #[arg(long, value_name = "SHARE", default_value_t = PartitionParams::default().imbalance,
          allow_negative_numbers = true)]
    imbalance: f64,
    /// Seed for every random choice.
    #[arg(long, value_name = "S", default_value_t = DEFAULT_SEED)]
    seed: u64,
}

/// What runs it.
#[derive(Debug, Args)]
#[command(next_help_heading = "Engine")]
struct EngineOptions {
    /// Engine: threads of this process, or ranks of an MPI job; both give the same bits.
    #[arg(long, value_name = "ENGINE", default_value = "threads")]
    engine: Engine,
    /// Number of ranks in the MPI job, each with one or more parts (default: one per part).
    #[arg(long, value_name = "N")]
    ranks: Option<usize>,
    /// Command that starts the MPI job, with its first arguments.
    #[arg(long, value_name = "COMMAND", default_value = MPIRUN)]
    launcher: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Engine {
    Threads,
    Mpi,
}

pub(crate) fn run(arguments: &Arguments, run: &RunOptions) -> Result<()> {
    let options = &arguments.program;
    let files = options.files().writes_into("-o", arguments.output.as_deref());
    let mut session = Session::open("mesh run", files, run)?;
    arguments.engine.check(options)?;
    let Loaded { text, program, file } = options.load(&mut session)?;
    let mesh = &file.mesh;
    let (part, pieces) = arguments.cut(&mut session, &file)?;
    let parts = pieces.len();
    let components = usize::from(program.problem.components);
    let exchange = Exchange::of(&exchanged(&pieces), components);
    run_parts(&mut session.record, parts, mesh.points().len() * components);
    for name in program.outputs.iter().map(|output| &output.name) {
        check_kept(&mut session, arguments, name)?;
    }
    if arguments.explain {
        options.explain(&mut session, &program, exchange);
        return session.finish();
    }
    if file.found.isolated > 0 {
        session.note(&format!(
            "{} nodes belong to no element; outputs are 0 there",
            file.found.isolated
        ));
    }
    let mut table = String::new();
    if arguments.traffic {
        let params = arguments.parts.params(parts as u32);
        let found = session
            .phase("partition", || ExchangeComparison::of(&program, mesh, exchange, &params))
            .map_err(|error| anyhow!("{}: {error}", file.name))?;
        session.figures(&found);
        table = words::traffic(&found);
        session.end_with(String::new(), found.lists());
    }
    let mut results = Results::new(&mut session, arguments.output.as_deref(), &file, &part)?;
    let outcome = match arguments.engine.engine {
        Engine::Threads => session.phase("run", || -> Result<Outcome> {
            let world = World::alone(pieces, components)?;
            Ok(prepare(&program, mesh, world)?.run(&mut results)?)
        }),
        Engine::Mpi => arguments.on_ranks(&mut session, &text, (&part, parts), &mut results),
    };
    let outcome = outcome.map_err(|error| match error.is::<Internal>() {
        true => error,
        false => anyhow!("{}: {error}", program.name),
    })?;
    results.finish(&mut session, &program, &outcome)?;
    let found = RunFigures { program: &program, outcome: &outcome, printed: &results.printed };
    session.figures(&found);
    words::note_ends(&session, &program, &outcome);
    session.end_with(words::loops(&program, &outcome) + &table, found.lists());
    session.finish()
}

/// Refuses to overwrite an input.
fn check_kept(session: &mut Session, arguments: &Arguments, output: &str) -> Result<()> {
    let Some(folder) = &arguments.output else { return Ok(()) };
    let mut names = ["vtu", "svg", "pvd"].map(|ending| format!("{output}.{ending}")).into_iter();
    names.try_for_each(|name| session.writer.will_write(&folder.join(name)))
}

impl Arguments {
    /// The part of each element, and what each part has of the mesh.
    fn cut(&self, session: &mut Session, file: &MeshFile) -> Result<(Vec<u32>, Vec<Piece>)> {
        let mesh = &file.mesh;
        let failed = |error: &dyn std::fmt::Display| anyhow!("{}: {error}", file.name);
        let ranks = self.engine.ranks.and_then(|ranks| u32::try_from(ranks).ok());
        let read = |text: &String| read_machine(text, &MachineParams::default());
        let machine = self.parts.machine.as_ref().map(read).transpose()?.map(|read| read.machine);
        let processors = machine.as_ref().map(|machine| machine.places() as u32);
        let parts = self.parts.parts.or(processors).or(ranks).unwrap_or(PARTS);
        let params = self.parts.params(parts);
        session
            .parameter("parts", parts)
            .parameter("imbalance", self.parts.imbalance)
            .parameter("seed", self.parts.seed);
        if let Some(machine) = &machine {
            session.parameter("machine", machine.to_string());
            let params = MappingParams { partition: params, ..MappingParams::default() };
            let mapped = session.phase("partition", || map_elements(mesh, machine, &params));
            let mapped = mapped.map_err(|error| failed(&error))?;
            return Ok((mapped.part, mapped.pieces));
        }
        let cut = session.phase("partition", || element_partition(mesh, None, &params));
        let part = cut.map_err(|error| failed(&error))?.part;
        let pieces = session.phase("partition", || pieces(mesh, &part, parts as usize))?;
        Ok((part, pieces))
    }

    fn on_ranks(
        &self,
        session: &mut Session,
        text: &str,
        (part, parts): (&[u32], usize),
        results: &mut Results<'_>,
    ) -> Result<Outcome> {
        let ranks = self.engine.ranks.unwrap_or(parts);
        session.parameter("engine", "mpi").parameter("ranks", ranks);
        let threads = (rayon::current_num_threads() / ranks.max(1)).max(1);
        let job = RankJob { parts, threads, ..self.program.job(text, part.to_vec()) };
        let words = self.engine.launcher.split_whitespace();
        let launcher = words.map(str::to_string).collect();
        let launch = Launch { launcher, ..Launch::new(ranks) };
        interrupt::listen(launch.cancel.clone());
        session.phase("run", || run_on_ranks(&job, &launch, results)).map_err(|error| match error {
            RankError::Failed { code, said } if code != Some(2) => Internal(said).into(),
            RankError::Interrupted => Internal(error.to_string()).into(),
            error => error.into(),
        })
    }
}

impl PartOptions {
    fn params(&self, parts: u32) -> PartitionParams {
        let PartOptions { imbalance, seed, .. } = *self;
        PartitionParams { parts, imbalance, seed, ..PartitionParams::default() }
    }
}

impl EngineOptions {
    fn check(&self, program: &ProgramOptions) -> Result<()> {
        if self.engine == Engine::Threads && (self.ranks.is_some() || self.launcher != MPIRUN) {
            bail!("--ranks and --launcher need --engine mpi");
        }
        if self.engine == Engine::Mpi && program.mesh.as_os_str() == "-" {
            bail!("the mesh must be a file, because every rank reads it");
        }
        if self.launcher.trim().is_empty() {
            bail!("--launcher needs a command");
        }
        Ok(())
    }
}
