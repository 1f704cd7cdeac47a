//! `palmette graph current`.

use super::files::is_raster;
use super::focal::FocalOptions;
use super::options::{InputOptions, SolverOptions, failed, note_found};
use crate::limit::{read_bytes, read_pairs};
use crate::prelude::*;
use palmette::core::graph::raster::CellValues;
use palmette::figures::CurrentFigures;
use palmette::graph::focal::{FocalMode, FocalParams, driven_currents, focal_currents};
use palmette::graph::solve::SolveParams;
use palmette::io::write_raster;
use palmette::{FocalRegions, explain_driven, read_grounds, read_sources};

#[derive(Debug, Args)]
#[command(mut_arg("svg", |argument| argument.help("Draw the map of currents (rasters)")))]
pub(crate) struct Arguments {
    #[command(flatten, next_help_heading = None)]
    focal: FocalOptions,
    /// Which currents flow between focal points: pairwise (1 from one to the other, for each pair),
    /// one-to-all (1 from each to all others, which are grounded) or all-to-one (1 from each of the
    /// others to each).
    #[arg(long, value_name = "MODE", value_parser = named::<FocalMode>(), requires = "points")]
    mode: Option<FocalMode>,
    /// Only these pairs of focal points: a table of two numbers per line (pairwise).
    #[arg(long, value_name = "FILE", requires = "points", conflicts_with = "only")]
    pairs: Option<PathBuf>,
    /// Only these focal points, such as 1,2,5: the pairs among them, or each as the one.
    #[arg(long, value_name = "LIST", value_delimiter = ',', requires = "points")]
    only: Vec<String>,
    /// Currents that enter cells: a raster of the same shape. Instead of focal points.
    #[arg(
        long,
        value_name = "FILE",
        requires = "grounds",
        conflicts_with = "points",
        required_unless_present = "points"
    )]
    sources: Option<PathBuf>,
    /// Cells that are grounded: a raster of the same shape, with resistances to ground.
    #[arg(long, value_name = "FILE", requires = "sources")]
    grounds: Option<PathBuf>,
    /// What --grounds has: resistance (default; 0 is ground itself) or conductance.
    #[arg(long, value_name = "WHAT", value_parser = named::<CellValues>(), requires = "grounds")]
    grounds_have: Option<CellValues>,
    /// Output currents, summed over all that flowed: asc for a raster, otherwise a table (csv, tsv,
    /// npy, parquet or arrow), by the file's name, optionally gz or zst; `-` is stdout.
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Output table for resistances: of pairs, or from each focal point to all others.
    #[arg(long, value_name = "FILE", requires = "points")]
    resistances: Option<PathBuf>,
    /// Output potentials, in the formats of -o: with sources, or where --only or --pairs leave one
    /// current.
    #[arg(long, value_name = "FILE")]
    potentials: Option<PathBuf>,
    #[command(flatten)]
    pictures: PictureOptions,
    #[command(flatten)]
    input: InputOptions,
    #[command(flatten)]
    solver: SolverOptions,
}

pub(crate) fn run(arguments: &Arguments, run: &RunOptions) -> Result<()> {
    let mut session = Session::open("graph current", arguments.files(), run)?;
    let params = arguments.solver.params(&mut session);
    let file = arguments.input.load(&mut session)?;
    arguments.check(&session, &file)?;
    match &arguments.focal.points {
        Some(path) => between(&mut session, arguments, path, &file, params)?,
        None => from_sources(&mut session, arguments, &file, &params)?,
    }
    session.finish()
}

impl Arguments {
    fn files(&self) -> Files {
        Files::of(&self.input.file)
            .reads("--points", self.focal.points.as_deref())
            .reads("--pairs", self.pairs.as_deref())
            .reads("--sources", self.sources.as_deref())
            .reads("--grounds", self.grounds.as_deref())
            .writes("-o", self.output.as_deref(), Kind::CELLS)
            .writes("--resistances", self.resistances.as_deref(), Kind::COLUMNS)
            .writes("--potentials", self.potentials.as_deref(), Kind::CELLS)
            .draws(&self.pictures, "current-map")
    }

    /// Refuses what only a raster has.
    fn check(&self, session: &Session, file: &GraphFile) -> Result<()> {
        if file.landscape.is_some() {
            return Ok(());
        }
        let name = &file.name;
        let outputs = [("-o", &self.output), ("--potentials", &self.potentials)];
        let raster = |path: &Option<PathBuf>| path.as_deref().is_some_and(is_raster);
        if let Some((option, _)) = outputs.into_iter().find(|(_, path)| raster(path)) {
            bail!("{name}: not a raster; {option} needs the name of a table, such as currents.csv");
        }
        if self.sources.is_some() {
            bail!("{name}: not a raster; for currents into vertices use graph solve --rhs");
        }
        if session.asks_for("current-map") {
            bail!("{name}: not a raster; only rasters are drawn as maps");
        }
        Ok(())
    }
}

/// Currents between focal points.
fn between(
    session: &mut Session,
    arguments: &Arguments,
    path: &Path,
    file: &GraphFile,
    solve: SolveParams,
) -> Result<()> {
    let regions = arguments.focal.read(session, path, file)?;
    let mode = arguments.mode.unwrap_or_default();
    session.parameter("mode", mode.name());
    let named = |name: &String| regions.find("--only", name);
    let only = arguments.only.iter().map(named).collect::<Result<Vec<u32>, _>>()?;
    let only = (!only.is_empty()).then_some(only);
    let pairs = match &arguments.pairs {
        Some(_) if mode != FocalMode::Pairwise => bail!("--pairs needs --mode pairwise"),
        Some(path) => {
            session.parameter("pairs", name_of(path));
            Some(read_pairs(path, &regions.names)?)
        }
        None => None,
    };
    if only.is_some() {
        session.parameter("only", arguments.only.join(","));
    }
    let params = FocalParams { mode, pairs, only, solve };
    let found =
        session.phase("compute", || focal_currents(&file.graph, &regions.vertices, &params));
    let found = found.map_err(|error| failed(file, error))?;
    let none = Vec::new();
    let resistances = found.resistances.as_ref().unwrap_or(&none);
    let experiments = found.pairs.len();
    session.figures(&CurrentFigures { experiments, currents: &found.currents, resistances });
    if let Some(path) = &arguments.resistances {
        if found.resistances.is_none() {
            bail!("--resistances: with {mode}, sources have different potentials");
        }
        let table = pair_table(&regions, mode, &found.pairs, resistances);
        session.file("resistances", Some(path));
        table.write(session, path)?;
    }
    if let Some(path) = &arguments.potentials {
        let Some(potentials) = &found.potentials else {
            bail!("--potentials needs one current to flow; choose it by --only or --pairs");
        };
        session.file("potentials", Some(path));
        write(session, Some(path), file, "potential", potentials.clone())?;
    }
    draw(session, file, &found.currents, Some(&regions))?;
    write(session, arguments.output.as_deref(), file, "current", found.currents)
}

/// Currents from sources to ground.
fn from_sources(
    session: &mut Session,
    arguments: &Arguments,
    file: &GraphFile,
    params: &SolveParams,
) -> Result<()> {
    let (Some(sources), Some(grounds)) = (&arguments.sources, &arguments.grounds) else {
        bail!("either --points, or --sources and --grounds are needed");
    };
    let have = arguments.grounds_have.unwrap_or_default();
    session
        .parameter("sources", name_of(sources))
        .parameter("grounds", name_of(grounds))
        .parameter("grounds_have", have.name());
    let entering = read_sources(file, &name_of(sources), &read_bytes(sources)?)?;
    let resistances = have == CellValues::Resistance;
    let ground = read_grounds(file, &name_of(grounds), &read_bytes(grounds)?, resistances)?;
    note_found(session, file);
    let found =
        session.phase("compute", || driven_currents(&file.graph, &entering, &ground, params));
    let found = found.map_err(|error| anyhow!(explain_driven(file, error)))?;
    session.figures(&CurrentFigures {
        experiments: 1,
        currents: &found.currents,
        resistances: &[],
    });
    session.record.figure("iterations", found.reached.0).figure("residual", found.reached.1);
    if let Some(path) = &arguments.potentials {
        session.file("potentials", Some(path));
        write(session, Some(path), file, "potential", found.potentials)?;
    }
    draw(session, file, &found.currents, None)?;
    write(session, arguments.output.as_deref(), file, "current", found.currents)
}

fn draw(
    session: &mut Session,
    file: &GraphFile,
    currents: &[f64],
    regions: Option<&FocalRegions>,
) -> Result<()> {
    if session.wants("current-map")
        && let Some(picture) = pictures::current_map(file, currents, regions)
    {
        keep(session, None, picture)?;
    }
    Ok(())
}

/// Values by vertex: as a raster, or as a table. Without a name, the output goes to stdout.
fn write(
    session: &mut Session,
    path: Option<&Path>,
    file: &GraphFile,
    what: &str,
    values: Vec<f64>,
) -> Result<()> {
    let Some(path) = session.destination(path) else { return Ok(()) };
    let raster = is_raster(&path) || path.as_os_str() == "-";
    if let Some(landscape) = file.landscape.as_ref().filter(|_| raster) {
        return session.write(&path, |out| write_raster(out, &landscape.raster(&values)));
    }
    let vertices: Vec<u32> = (0..values.len() as u32).collect();
    let labels = file.vertex_labels();
    let values = Values::F64(values);
    let columns = vec![("vertex", Cells::Vertices(&vertices)), (what, Cells::from(&values))];
    Answers { labels: &labels, columns, numbers: Some(&values) }.write_beside(session, &path)
}

/// A table of pairs of focal points, or of focal points.
pub(super) struct PairTable<'a> {
    regions: &'a FocalRegions,
    mode: FocalMode,
    first: Vec<u32>,
    second: Vec<u32>,
    values: Values,
}

pub(super) fn pair_table<'a>(
    regions: &'a FocalRegions,
    mode: FocalMode,
    pairs: &[(u32, u32)],
    resistances: &[f64],
) -> PairTable<'a> {
    let (first, second) = pairs.iter().copied().unzip();
    PairTable { regions, mode, first, second, values: Values::F64(resistances.to_vec()) }
}

impl PairTable<'_> {
    pub(super) fn answers(&self) -> Answers<'_> {
        let mut columns = vec![("u", Cells::Vertices(&self.first))];
        if self.mode == FocalMode::Pairwise {
            columns.push(("v", Cells::Vertices(&self.second)));
        }
        columns.push(("resistance", Cells::from(&self.values)));
        Answers { labels: &self.regions.names, columns, numbers: Some(&self.values) }
    }

    fn write(&self, session: &mut Session, path: &Path) -> Result<()> {
        self.answers().write_beside(session, path)
    }
}
