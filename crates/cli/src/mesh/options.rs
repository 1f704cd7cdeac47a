//! Options shared by the mesh verbs: the mesh, and how it is cut.

use crate::limit::{limit, read_integers, read_weights};
use crate::prelude::*;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use palmette::io::MeshFormat;
use palmette::mesh::partition::{Demands, partition_as};
use palmette::mesh::{
    CutTree, Method, Partition, PartitionError, PartitionParams, Preset, Quotient,
};
use palmette::{DemandFigures, Graph, MeshInputParams, PartitionFigures};
use palmette::{read_mesh_file, read_mesh_input};

/// The mesh to read, and how.
#[derive(Debug, Args)]
#[command(next_help_heading = "Input")]
pub(crate) struct InputOptions {
    /// Mesh to read: Gmsh, METIS, Medit or SU2; or a graph: METIS or Matrix Market; optionally gz
    /// or zst; `-` is stdin.
    #[arg(value_name = "FILE", help_heading = None)]
    pub(crate) file: PathBuf,
    #[command(flatten)]
    read: ReadOptions,
}

/// How a mesh is read.
#[derive(Debug, Args)]
#[command(next_help_heading = "Input")]
pub(crate) struct ReadOptions {
    /// Input format: gmsh, metis, medit, su2 or graph (default: from the content; for graphs from
    /// the name, graph or mtx).
    #[arg(long, value_name = "FORMAT", value_parser = format())]
    format: Option<Format>,
    /// Coordinates of the nodes, two or three numbers per line: METIS meshes need them, graphs are
    /// drawn with them and cut in more ways.
    #[arg(long, value_name = "POINTS")]
    pub(super) xyz: Option<PathBuf>,
    /// Join nodes at exactly the same place, which closes cracks; outputs then have one line per
    /// remaining node.
    #[arg(long)]
    pub(super) merge: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Format {
    Mesh(MeshFormat),
    Graph,
}

fn format() -> impl TypedValueParser<Value = Format> {
    PossibleValuesParser::new(MeshFormat::ALL.map(MeshFormat::name).into_iter().chain(["graph"]))
        .map(|text| text.parse().map_or(Format::Graph, Format::Mesh))
}

impl InputOptions {
    /// The files of a command that reads the mesh.
    pub(crate) fn files(&self) -> Files {
        self.read.files(Files::of(&self.file))
    }

    /// Reads the mesh, and notes its size.
    pub(crate) fn load(&self, session: &mut Session) -> Result<MeshInput> {
        let params = self.read.params(session)?;
        let input = session.phase("read", || read_mesh_input(&self.file, &params))?;
        session.figures(&input);
        if let Some(file) = &input.mesh {
            note_found(session, file);
        }
        Ok(input)
    }
}

impl ReadOptions {
    /// The format of a mesh, where it is said.
    pub(super) fn format_name(&self) -> Option<String> {
        self.ways().format.map(|format| format.to_string())
    }

    /// The files of a command, with the points.
    pub(super) fn files(&self, files: Files) -> Files {
        files.reads("--xyz", self.xyz.as_deref())
    }

    /// Reads the mesh of a file, which must have elements, and notes its size.
    pub(super) fn load_mesh(&self, session: &mut Session, file: &Path) -> Result<MeshFile> {
        if self.ways().reads_graph(file) {
            bail!("{}: this needs a mesh with elements, but the file holds a graph", name_of(file));
        }
        let params = self.params(session)?;
        let found = session.phase("read", || read_mesh_file(file, &params))?;
        note_found(session, &found);
        session.figures(&found);
        Ok(found)
    }

    fn ways(&self) -> MeshInputParams {
        MeshInputParams {
            format: match self.format {
                Some(Format::Mesh(format)) => Some(format),
                _ => None,
            },
            graph: self.format == Some(Format::Graph),
            xyz: self.xyz.clone(),
            merge: self.merge,
            limit: limit(),
        }
    }

    /// The way to read a file; notes it in the record.
    fn params(&self, session: &mut Session) -> Result<MeshInputParams> {
        let params = self.ways();
        if params.merge {
            session.parameter("merge", true);
        }
        if let Some(xyz) = &self.xyz {
            session.parameter("xyz", name_of(xyz));
        }
        Ok(params)
    }
}

/// Says which nodes lie at the same place (a mesh with a crack has such nodes), and what was left
/// out.
fn note_found(session: &Session, file: &MeshFile) {
    let nodes = |count: usize| match count {
        1 => "1 node coincides with another".to_string(),
        _ => format!("{count} nodes coincide with another"),
    };
    let (name, found) = (&file.name, &file.found);
    if found.weights > 0 {
        session.note(&format!(
            "{name}: the weights of the elements are ignored; pass --element-weights FILE to \
            `mesh partition --elements` to cut by weight"
        ));
    }
    if found.coincident > 0 {
        let nodes = nodes(found.coincident);
        session.note(&format!(
            "{name}: {nodes}, as on the faces of a crack; pass --merge to join them"
        ));
    }
    if found.merged > 0 {
        let (nodes, left) = (nodes(found.merged), file.mesh.points().len());
        session.note(&format!("{name}: {nodes}; merged, {left} nodes are left"));
    }
}

/// A number that a mesh can be cut with, as the library sees it.
fn cutting(
    text: &str,
    with: impl FnOnce(Option<usize>) -> PartitionParams,
) -> Result<usize, String> {
    let number = text.parse().map_err(|_| format!("expected a whole number, found `{text}`"))?;
    with(Some(number)).check().map_err(|error| error.to_string())?;
    Ok(number)
}

fn tries(text: &str) -> Result<usize, String> {
    cutting(text, |tries| PartitionParams { tries, ..Default::default() })
}

fn sample(text: &str) -> Result<usize, String> {
    cutting(text, |sample| PartitionParams { sample, ..Default::default() })
}

fn size(text: &str) -> Result<f64, String> {
    text.parse().map_err(|_| format!("expected numbers such as 1,1,2, found `{text}`"))
}

/// Options for cutting, independent of the method.
#[derive(Debug, Args)]
#[command(next_help_heading = "Cutting")]
pub(crate) struct CutOptions {
    /// Time to take: fast, default or strong (3 and 30 times as long as fast, roughly).
    #[arg(long, value_name = "PRESET", default_value_t, value_parser = named::<Preset>())]
    preset: Preset,
    /// Bisection method: auto, growing (needs no coordinates), geometric (circles and lines),
    /// coordinate, inertial or hilbert.
    #[arg(long, value_name = "METHOD", default_value_t, value_parser = named::<Method>())]
    bisection: Method,
    /// Don't refine cuts.
    #[arg(long)]
    no_refine: bool,
    /// Allowed imbalance: how much heavier than the mean a part may be (0.03 is 3%).
    #[arg(long, value_name = "SHARE", default_value_t = PartitionParams::default().imbalance,
          allow_negative_numbers = true)]
    imbalance: f64,
    /// Repetitions of coarsening and refining (default: as the preset has it).
    #[arg(long, value_name = "N")]
    cycles: Option<usize>,
    /// Circles and lines for the geometric method to try (default: 30, or 8 with --no-refine on
    /// more than 100,000 nodes).
    #[arg(long, value_name = "N", value_parser = tries)]
    tries: Option<usize>,
    /// Sample points for a centerpoint (default: 625 in the plane, 1296 in space).
    #[arg(long, value_name = "N", value_parser = sample)]
    sample: Option<usize>,
    /// Make every part connected, or fail.
    #[arg(long)]
    contiguous: bool,
    /// Seed for every random choice.
    #[arg(long, value_name = "S", default_value_t = DEFAULT_SEED)]
    pub(crate) seed: u64,
}

impl CutOptions {
    pub(crate) fn params(&self, session: &mut Session, parts: u32) -> PartitionParams {
        session
            .parameter("parts", parts)
            .parameter("preset", self.preset.name())
            .parameter("bisection", self.bisection.name())
            .parameter("refine", !self.no_refine)
            .parameter("imbalance", self.imbalance)
            .parameter("contiguous", self.contiguous)
            .parameter("seed", self.seed);
        PartitionParams {
            parts,
            preset: self.preset,
            bisection: self.bisection,
            imbalance: self.imbalance,
            refine: !self.no_refine,
            cycles: self.cycles,
            contiguous: self.contiguous,
            tries: self.tries,
            sample: self.sample,
            seed: self.seed,
        }
    }
}

/// Weights of nodes and edges, and of parts.
#[derive(Debug, Args)]
#[command(next_help_heading = "Cutting")]
pub(crate) struct WeightOptions {
    /// File with node weights: one whole number per line, or several, which are all balanced.
    #[arg(long, value_name = "FILE")]
    node_weights: Option<PathBuf>,
    /// How many weights of each node are balanced, the first ones (default: all; 0 counts nodes).
    #[arg(long, value_name = "N")]
    pub(super) constraints: Option<usize>,
    /// Sizes of the parts, such as 1,1,2: shares of their sum, or fractions that add up to 1
    /// (default: all the same).
    #[arg(long, value_name = "SIZES", value_delimiter = ',', value_parser = size,
          allow_negative_numbers = true)]
    pub(super) sizes: Vec<f64>,
    /// Count edges, whatever they weigh in the file.
    #[arg(long)]
    ignore_edge_weights: bool,
}

impl WeightOptions {
    /// The files of a command, with the weights.
    pub(super) fn files(&self, files: Files) -> Files {
        files.reads("--node-weights", self.node_weights.as_deref())
    }

    /// What parts keep to, of their own: sizes.
    pub(super) fn shares(&self, session: &mut Session) -> Demands {
        if !self.sizes.is_empty() {
            session.parameter("sizes", self.sizes.clone());
        }
        Demands { sizes: self.sizes.clone(), ..Demands::default() }
    }

    /// Takes weights from their file instead of the mesh's; what parts keep to.
    pub(crate) fn load(&self, session: &mut Session, input: &mut MeshInput) -> Result<Demands> {
        if let Some(path) = &self.node_weights {
            session.parameter("node_weights", name_of(path));
            let count = input.graph.len();
            let mut all = session.phase("read", || read_weights(path, count))?.into_iter();
            input.weights = all.next();
            input.further = all.collect();
        }
        if let Some(constraints) = self.constraints {
            session.parameter("constraints", constraints);
            let found = input.weights.iter().len() + input.further.len();
            if constraints > found {
                bail!("{}: {constraints} constraints, but nodes have {found} weights", input.name);
            }
            input.further.truncate(constraints.saturating_sub(1));
            input.weights = input.weights.take().filter(|_| constraints > 0);
        }
        if self.ignore_edge_weights {
            session.parameter("ignore_edge_weights", true);
            let edges: Vec<_> = input.graph.edges().map(|(a, b, _)| (a, b, 1.0)).collect();
            input.graph = Graph::from_edges(input.graph.len(), &edges)?;
        }
        Ok(Demands { further: input.further.clone(), ..self.shares(session) })
    }
}

/// Cuts a mesh.
pub(crate) fn cut(
    session: &mut Session,
    input: &MeshInput,
    params: &PartitionParams,
    demands: &Demands,
) -> Result<Partition> {
    let MeshInput { graph, points, weights, .. } = input;
    let found = session
        .phase("partition", || partition_as(graph, points, weights.as_deref(), params, demands));
    found.map_err(|error| not_cut(input, error))
}

/// Why there is no partition, and what helps.
pub(super) fn not_cut(input: &MeshInput, error: PartitionError) -> anyhow::Error {
    let advice = match error {
        PartitionError::NotConnected { .. } => {
            "; a larger --imbalance may help, or leave out --contiguous"
        }
        PartitionError::Components { .. } => "; leave out --contiguous",
        PartitionError::NeedsRefinement(_) => "; leave out --no-refine",
        PartitionError::NotJointly => "; pass --placement search",
        // Its line is known elsewhere.
        PartitionError::FixedTooHeavy { .. } => return error.into(),
        _ => "",
    };
    anyhow!("{}: {error}{advice}", input.name)
}

/// A failure of a computation on the mesh of a file.
pub(crate) fn failed(input: &MeshInput, error: impl std::fmt::Display) -> anyhow::Error {
    anyhow!("{}: {error}", input.name)
}

/// Reads parts from a file, one number per line. Every number up to the largest must occur.
pub(crate) fn read_partition(
    session: &mut Session,
    path: &Path,
    input: &MeshInput,
) -> Result<Partition> {
    session.parameter("partition", name_of(path));
    let part = session.phase("read", || read_integers(path, input.graph.len()))?;
    let parts = part.iter().max().map_or(0, |&most| most as usize + 1);
    if parts > part.len() {
        let name = name_of(path);
        bail!("{name}: part numbers go from 0 to {}, found {}", part.len() - 1, parts - 1);
    }
    let mut used = vec![false; parts];
    part.iter().for_each(|&p| used[p as usize] = true);
    if let Some(empty) = used.iter().position(|used| !used) {
        bail!("{}: part {empty} of {parts} is empty; every part needs a vertex", name_of(path));
    }
    if parts == 0 {
        bail!("{}: no parts", name_of(path));
    }
    Ok(Partition { part, tree: CutTree::halving(parts as u32) })
}

/// Notes the quality of parts of the nodes.
pub(super) fn note_parts(
    session: &mut Session,
    input: &MeshInput,
    part: &[u32],
    parts: usize,
    sizes: &[f64],
) {
    let weights = input.weights.as_deref();
    session.figures(&PartitionFigures::of_sizes(&input.graph, part, parts, weights, sizes));
}

/// Notes what demands come to.
pub(super) fn note_demands(
    session: &mut Session,
    name: &str,
    (part, quotient): (&[u32], &Quotient),
    weights: Option<&[u32]>,
    (params, demands): (&PartitionParams, &Demands),
) {
    let figures = DemandFigures::of(part, quotient, weights, params, demands);
    session.figures(&figures);
    if let Some(over) = figures.over_limit.filter(|&over| over > 0) {
        session.note(&format!(
            "{name}: {over} weights of parts are above what they may be; vertices are too heavy, or \
            nothing better was found"
        ));
    }
}
