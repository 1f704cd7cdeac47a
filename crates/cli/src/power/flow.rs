//! `palmette power flow`.

use super::feeder::{self, FeederOptions, read};
use crate::advice;
use crate::limit::limit;
use crate::output::separator_of;
use crate::prelude::*;
use palmette::figures::CaseFigures;
use palmette::io::{CaseReader, FeederFile, LoadCases};
use palmette::power::feeder::{
    CaseFlow, CaseSolver, FeederFlowError, FeederSolution, max_feeder_loading, solve_case,
    solve_feeder, solve_outages,
};
use palmette::power::flow::{Certificate, FlowParams, MaxLoading};
use palmette::power::tables::{FlowTable, case_table, write_case_voltages};
use std::time::{Duration, Instant};

const OUTPUT: &str = "Output table: voltages by bus; with --cases or --n-1 a row per case; csv or \
    tsv, optionally gz or zst; `-` is stdout (the default without --json and --max-loading)";

/// Of a factor that loads can be multiplied by.
const NO_LIMIT: &str = "no limit";

#[derive(Debug, Args)]
#[command(mut_arg("output", |argument| argument.help(OUTPUT)))]
#[command(mut_arg("svg", |argument| argument.help("Draw voltages along the feeder")))]
pub(crate) struct Arguments {
    #[command(flatten)]
    input: FeederOptions,
    /// Load cases, a row each: columns named after loads have factors, `all` has a factor of all
    /// others, NAME.p_mw and NAME.q_mvar have powers; or a batch of power-grid-model updates.
    #[arg(long, value_name = "TABLE", conflicts_with = "n_1")]
    cases: Option<PathBuf>,
    /// With --cases: write the voltages of all buses, a row per case.
    #[arg(long, value_name = "FILE", requires = "cases")]
    case_voltages: Option<PathBuf>,
    /// Take out each branch in service, one at a time.
    #[arg(long = "n-1")]
    n_1: bool,
    /// Find the largest factor of all loads that the feeder carries.
    #[arg(long, conflicts_with_all = ["cases", "n_1"])]
    max_loading: bool,
    /// Multiply all loads by a factor; below 0 they give what they took.
    #[arg(long, value_name = "X", allow_negative_numbers = true, default_value_t = FlowParams::default().load_factor)]
    load_factor: f64,
    /// Largest change of a voltage in the last sweep, per unit.
    #[arg(long, value_name = "T", allow_negative_numbers = true, default_value_t = FlowParams::default().tolerance)]
    tolerance: f64,
    /// Most sweeps.
    #[arg(long, value_name = "N", default_value_t = FlowParams::default().max_sweeps)]
    max_sweeps: usize,
    /// Leave buses that no source supplies without voltage.
    #[arg(long)]
    allow_unsupplied: bool,
    /// Write the flows, currents, losses and loadings of branches.
    #[arg(long, value_name = "FILE")]
    branches: Option<PathBuf>,
    /// Write what sources and generators give.
    #[arg(long, value_name = "FILE")]
    sources: Option<PathBuf>,
    /// Output table.
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    pictures: PictureOptions,
}

impl Arguments {
    fn params(&self, session: &mut Session) -> FlowParams {
        let &Arguments { tolerance, max_sweeps, load_factor, allow_unsupplied, .. } = self;
        session.parameter("tolerance", tolerance);
        session.parameter("max_sweeps", max_sweeps as u64);
        session.parameter("load_factor", load_factor);
        session.parameter("allow_unsupplied", allow_unsupplied);
        FlowParams { tolerance, max_sweeps, load_factor, allow_unsupplied }
    }

    fn many(&self) -> bool {
        self.cases.is_some() || self.n_1
    }
}

pub(crate) fn run(arguments: &Arguments, run: &RunOptions) -> Result<()> {
    let table = Kind::COLUMNS_OF_TEXT;
    let files = Files::of(&arguments.input.input.file)
        .reads("--cases", arguments.cases.as_deref())
        .writes("--branches", arguments.branches.as_deref(), table)
        .writes("--sources", arguments.sources.as_deref(), table)
        .writes("--case-voltages", arguments.case_voltages.as_deref(), table)
        .writes("-o", arguments.output.as_deref(), table)
        .draws(&arguments.pictures, "voltage-profile");
    let mut session = Session::open("power flow", files, run)?;
    if arguments.many() {
        let one = [
            ("--branches", arguments.branches.is_some()),
            ("--sources", arguments.sources.is_some()),
            ("--svg and --png", !arguments.pictures.is_empty()),
        ];
        if let Some((option, _)) = one.into_iter().find(|(_, given)| *given) {
            bail!("{option}: for one power flow, without --cases and --n-1");
        }
    }
    let params = arguments.params(&mut session);
    let file = read(&mut session, &arguments.input)?;
    match arguments.many() {
        true => many(&mut session, arguments, &file, &params)?,
        false => one(&mut session, arguments, &file, &params)?,
    }
    feeder::tell(&session, &file);
    session.finish()
}

fn one(
    session: &mut Session,
    arguments: &Arguments,
    file: &FeederFile,
    params: &FlowParams,
) -> Result<()> {
    let failed = |error| FeederFlowError::of(file, error);
    let solution = session.phase("solve", || solve_feeder(&file.feeder, params));
    let solution = solution.map_err(failed)?;
    session.figures(&solution);
    tell(session, &solution);
    if arguments.max_loading {
        let found = session.phase("loading", || max_feeder_loading(&file.feeder, params));
        let found = found.map_err(failed)?;
        session.figures(&found);
        tell_limit(session, &found);
    }
    show(session, "voltage-profile", None, || pictures::voltage_profile(&file.name, &solution))?;
    show(session, "one-line", None, || pictures::one_line(&file.name, &solution))?;
    if let Some(path) = &arguments.branches {
        write(session, path, &solution.branch_table())?;
    }
    if let Some(path) = &arguments.sources {
        write(session, path, &solution.source_table())?;
    }
    // Whoever asks how far loads can grow asks for the figures, unless he names a file for voltages.
    if (arguments.output.is_some() || !arguments.max_loading)
        && let Some(path) = session.destination(arguments.output.as_deref())
    {
        write(session, &path, &solution.voltage_table())?;
    }
    Ok(())
}

/// Says how far loads can grow where it is no number.
fn tell_limit(session: &mut Session, found: &MaxLoading) {
    if found.factor.is_infinite() {
        session.tell("max_load_factor", NO_LIMIT.to_string());
    }
}

/// Says what the certificate proves.
fn tell(session: &mut Session, solution: &FeederSolution<'_>) {
    let Some(certificate) = solution.certificate() else {
        let most = Certificate::LOOPS;
        let why = format!("no certificate: more than {most} branches close loops in one part");
        return session.end_with(why, &[]);
    };
    let mut text = match (certificate.xi < Certificate::LIMIT, certificate.near) {
        (true, true) => {
            "the certificate is below 0.25: this solution exists, and is the only one within half of the voltages without load"
        }
        (true, false) => {
            "the certificate is below 0.25: a solution exists within half of the voltages without load, but sweeps found another one, farther away"
        }
        (false, _) => {
            "the certificate is not below 0.25, so it proves nothing: sweeps found this solution"
        }
    }
    .to_string();
    if certificate.generators > 0 {
        let many = if certificate.generators == 1 { "" } else { "s" };
        let held = certificate.generators;
        text += &format!(" (reactive power of {held} generator{many} taken as found)");
    }
    session.tell("certificate", format!("{:.4}", certificate.xi));
    if certificate.factor.is_some_and(f64::is_infinite) {
        session.tell("certified_factor", NO_LIMIT.to_string());
    }
    session.end_with(text, &[]);
}

fn many(
    session: &mut Session,
    arguments: &Arguments,
    file: &FeederFile,
    params: &FlowParams,
) -> Result<()> {
    let (key, found): (&str, Vec<CaseFlow>) = match &arguments.cases {
        Some(path) => {
            session.parameter("cases", name_of(path));
            let mut stream = Stream::open(session, path, file, params)?;
            match &arguments.case_voltages {
                None => {
                    session.phase("solve", || stream.run(None))?;
                    session.record.move_time("solve", "read", stream.reading);
                }
                Some(voltages) => {
                    let separator = separator_of(voltages);
                    session.write_by(voltages, |out| stream.run(Some((out, separator))))?;
                    session.record.move_time("write", "read", stream.reading);
                    session.record.move_time("write", "solve", stream.solving);
                }
            }
            if let Some(why) = stream.why {
                session.note(&why);
            }
            ("case", stream.found)
        }
        None => {
            session.parameter("n_1", true);
            let found = session.phase("solve", || solve_outages(&file.feeder, params));
            ("branch", found.map_err(|error| FeederFlowError::of(file, error))?)
        }
    };
    session.figures(&CaseFigures(&found));
    if let Some(path) = session.destination(arguments.output.as_deref()) {
        write(session, &path, &case_table(key, &found))?;
    }
    Ok(())
}

/// Cases that are read, solved and written piece by piece.
struct Stream<'a> {
    file: &'a FeederFile,
    params: &'a FlowParams,
    reader: CaseReader<'a>,
    solver: CaseSolver<'a>,
    found: Vec<CaseFlow>,
    /// Why the first case without a power flow has none.
    why: Option<String>,
    reading: Duration,
    solving: Duration,
}

impl<'a> Stream<'a> {
    fn open(
        session: &mut Session,
        path: &Path,
        file: &'a FeederFile,
        params: &'a FlowParams,
    ) -> Result<Stream<'a>> {
        let reader = session.phase("read", || CaseReader::open(path, limit(), &file.feeder))?;
        let solver = session.phase("solve", || CaseSolver::new(&file.feeder, params));
        let solver = solver.map_err(|error| FeederFlowError::of(file, error))?;
        let (reading, solving) = Default::default();
        Ok(Stream { file, params, reader, solver, found: vec![], why: None, reading, solving })
    }

    fn run(&mut self, mut voltages: Option<(&mut Output, u8)>) -> Result<()> {
        let columns = voltage_columns(self.file);
        loop {
            let start = Instant::now();
            let Some(cases) = self.reader.read()? else { break };
            self.reading += start.elapsed();
            let start = Instant::now();
            let solved = self.solver.solve(&cases, voltages.is_some());
            let mut solved = solved.map_err(|error| FeederFlowError::of(self.file, error))?;
            self.solving += start.elapsed();
            if self.why.is_none() {
                self.why = self.first_without(&cases, &solved);
            }
            if let Some((out, separator)) = &mut voltages {
                let first = self.found.is_empty();
                out.write_with(|out| {
                    write_case_voltages(out, *separator, &columns, &solved, first)
                })?;
                for one in solved.iter_mut().filter_map(|case| case.found.as_mut()) {
                    one.voltages = Vec::new();
                }
            }
            self.found.append(&mut solved);
        }
        Ok(())
    }

    fn first_without(&self, cases: &LoadCases, solved: &[CaseFlow]) -> Option<String> {
        let case = solved.iter().position(|one| one.found.is_none())?;
        let error = solve_case(&self.file.feeder, cases, case, self.params, |_| ()).err()?;
        let help = advice::of_flow(&error).map(|help| format!("; {help}"));
        let help = help.unwrap_or_default();
        Some(format!("case {}: {error}{help}", shown(&cases.names[case])))
    }
}

/// What the columns of voltages are called: buses, of three phases with the phase.
fn voltage_columns(file: &FeederFile) -> Vec<String> {
    palmette::power::tables::voltage_columns(&file.feeder)
}

fn write(session: &mut Session, path: &Path, table: &FlowTable) -> Result<()> {
    let separator = separator_of(path);
    session.write(path, |out| table.write(out, separator))
}
