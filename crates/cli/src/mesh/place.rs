//! `palmette mesh place`.

use super::machine::Loaded;
use super::machine::MachineOptions;
use super::options::{
    CutOptions, InputOptions, WeightOptions, cut, failed, note_demands, note_parts, read_partition,
};
use crate::prelude::*;
use palmette::figures::PlacementFigures;
use palmette::mesh::placement::{
    self, RankFormat, SearchParams, Subject, neighbours_header, place,
};
use palmette::mesh::{Partition, Placement, Quotient};
use palmette::{centroids, placement_json};

/// Which parts, and how they are placed.
#[derive(Debug, Args)]
pub(crate) struct PlaceOptions {
    /// File with the part of each node, one number per line, instead of cutting.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["parts", "bisection", "no_refine",
          "imbalance", "cycles", "tries", "sample", "contiguous", "sizes"])]
    partition: Option<PathBuf>,
    /// Placement method: identity, random, halving, cut-tree, curve or search.
    #[arg(long, value_name = "METHOD", default_value_t, value_parser = named::<placement::Method>())]
    pub(crate) placement: placement::Method,
    /// Output file that tells a launcher where ranks go: rank i is part i.
    #[arg(long, value_name = "FILE")]
    pub(crate) rankfile: Option<PathBuf>,
    /// Format of the rankfile: rankfile (Open MPI), slurm (SLURM_HOSTFILE) or mpich (mpiexec -f).
    #[arg(long, value_name = "FORMAT", default_value_t, value_parser = named::<RankFormat>(),
          requires = "rankfile")]
    rank_format: RankFormat,
    /// Output C header: a function that makes a communicator of the parts with their partners
    /// (MPI_Dist_graph_create_adjacent).
    #[arg(long, value_name = "FILE")]
    header: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) machine: MachineOptions,
    #[command(flatten)]
    pub(crate) cut: CutOptions,
    #[command(flatten)]
    weights: WeightOptions,
}

impl PlaceOptions {
    /// The parts, read or cut, with their figures noted.
    pub(super) fn parts(
        &self,
        session: &mut Session,
        input: &mut MeshInput,
        on: &Loaded,
    ) -> Result<Partition> {
        let demands = self.weights.load(session, input)?;
        let partition = match &self.partition {
            Some(path) => read_partition(session, path, input)?,
            None => {
                let parts = self.machine.parts(&on.machine)?;
                let params = self.cut.params(session, parts);
                let found = cut(session, input, &params, &demands)?;
                let quotient = Quotient::of(&input.graph, &found.part, parts as usize);
                let weights = input.weights.as_deref();
                let cut = (&found.part[..], &quotient);
                note_demands(session, &input.name, cut, weights, (&params, &demands));
                found
            }
        };
        let parts = partition.tree.parts(0).len();
        note_parts(session, input, &partition.part, parts, &demands.sizes);
        session.parameter("placement", self.placement.name());
        Ok(partition)
    }

    /// What hosts are for, if it is not there.
    pub(super) fn needs(&self) -> Option<&'static str> {
        self.rankfile.is_none().then_some("--rankfile")
    }

    /// The files of a command, with those of these options.
    pub(super) fn files(&self, files: Files) -> Files {
        self.machine
            .files(self.weights.files(files))
            .reads("--partition", self.partition.as_deref())
            .writes("--rankfile", self.rankfile.as_deref(), Kind::RANKFILE)
            .writes("--header", self.header.as_deref(), Kind::HEADER)
    }

    pub(super) fn search(&self, session: &mut Session) -> SearchParams {
        self.machine.search(session, SearchParams::default(), self.cut.seed)
    }

    /// Writes the rankfile and the header, if requested.
    pub(super) fn ranks(
        &self,
        session: &mut Session,
        on: &Loaded,
        quotient: &Quotient,
        placement: &Placement,
    ) -> Result<()> {
        if let Some(path) = &self.rankfile {
            session.parameter("rankfile", path.display().to_string());
            session.parameter("rank_format", self.rank_format.name());
            session.write_text(path, &on.ranks(self.rank_format, placement)?)?;
        }
        if let Some(path) = &self.header {
            session.parameter("header", path.display().to_string());
            session.write_text(path, &neighbours_header(quotient, placement, &on.machine))?;
        }
        Ok(())
    }
}

#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// Output placement as JSON: machine, and processor and coordinates of each part; `-` is
    /// stdout.
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    place: PlaceOptions,
    #[command(flatten)]
    input: InputOptions,
}

pub(crate) fn run(arguments: &Arguments, run: &RunOptions) -> Result<()> {
    let options = &arguments.place;
    let output = arguments.output.as_deref();
    let files = options.files(arguments.input.files()).writes("-o", output, Kind::JSON);
    let mut session = Session::open("mesh place", files, run)?;
    let on = options.machine.load(&mut session, options.needs())?;
    let mut input = arguments.input.load(&mut session)?;
    let partition = options.parts(&mut session, &mut input, &on)?;
    let machine = &on.machine;
    let parts = partition.tree.parts(0).len();
    let quotient = Quotient::of(&input.graph, &partition.part, parts);
    let search = options.search(&mut session);
    let placement = session.phase("place", || {
        let centroids = centroids(&input.points, &partition.part, parts);
        let known = !input.points.is_empty();
        let (cut_tree, centroids) = (Some(&partition.tree), known.then_some(&centroids[..]));
        let subject = Subject { quotient: &quotient, machine, cut_tree, centroids };
        place(options.placement, &subject, &search)
    });
    let placement = placement.map_err(|error| failed(&input, error))?;
    session.figures(&PlacementFigures { quotient: &quotient, machine, placement: &placement });
    options.ranks(&mut session, &on, &quotient, &placement)?;
    if output.is_some()
        && let Some(path) = session.destination(output)
    {
        session.write_text(&path, &format!("{}\n", placement_json(machine, &placement)))?;
    }
    session.finish()
}
