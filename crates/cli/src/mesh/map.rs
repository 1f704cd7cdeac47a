//! `palmette mesh map`.

use super::figures::{note_mapping, note_parts};
use super::files::{self, mapping_fields, of_elements, text};
use super::options::{CutOptions, InputOptions, MachineOptions, failed};
use super::picture::{self, Parts};
use super::route::RouteOptions;
use crate::arguments::RunOptions;
use crate::input::name_of;
use crate::output::unfinished;
use crate::session::Session;
use anyhow::{anyhow, bail};
use clap::Args;
use palmette::io::{Output, write_integers};
use palmette::mesh::partition::JointParams;
use palmette::mesh::placement::{self, SearchParams};
use palmette::mesh::{Method, PartitionParams};
use palmette::{
    Mapping, MappingParams, MeshInput, centroids, map_mesh, placement_json, routes_json,
};
use std::path::{Path, PathBuf};

#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// Partition and placement together, which is the default.
    #[arg(long, conflicts_with = "method")]
    joint: bool,
    /// Place finished parts instead: identity, random, halving, cut-tree, curve or search.
    #[arg(long, value_name = "METHOD")]
    method: Option<placement::Method>,
    /// How to cut in two: geometric, coordinate, inertial or hilbert.
    #[arg(long, value_name = "METHOD", default_value_t)]
    cut_method: Method,
    /// A folder for part.txt (the part of each vertex), placement.json, routes.json, rankfile,
    /// mapping.vtu (unless a graph is read), mesh.svg, partition.svg, quotient.svg and
    /// placement.svg (on meshes and tori).
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    #[command(flatten)]
    machine: MachineOptions,
    #[command(flatten)]
    routing: RouteOptions,
    #[command(flatten)]
    cut: CutOptions,
    #[command(flatten)]
    input: InputOptions,
    #[command(flatten)]
    pub(crate) run: RunOptions,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let mut session = Session::new("mesh map", &name_of(&arguments.input.file), &arguments.run);
    arguments.out.as_deref().map_or(Ok(()), check_folder)?;
    let parts = arguments.machine.parts(&mut session)?;
    let partition = arguments.cut.params(&mut session, arguments.cut_method, parts);
    let params = params(&mut session, arguments, partition);
    let hosts = arguments.machine.hosts(&mut session)?;
    let mut input = arguments.input.load(&mut session)?;
    arguments.cut.load_weights(&mut session, &mut input)?;
    let machine = &arguments.machine.machine;
    let mapping = session.phase("map", || {
        map_mesh(&input.graph, &input.points, input.weights.as_deref(), machine, &params)
    });
    let mapping = mapping.map_err(|error| failed(&input, error))?;
    note_parts(&mut session, &input, &mapping.partition.part, parts as usize);
    note_mapping(&mut session, &mapping);
    if let Some(folder) = &arguments.out {
        session.record.parameter("out", folder.display().to_string());
        let ranks = arguments.machine.ranks(&mapping.placement, &hosts)?;
        write(&mut session, folder, &input, &mapping, &ranks)?;
    }
    Ok(session.finish()?)
}

/// Refuses, before any work, a folder that a file is in the way of.
fn check_folder(folder: &Path) -> anyhow::Result<()> {
    if folder.as_os_str() == "-" {
        bail!("expected a folder after --out, found `-`");
    }
    match folder.ancestors().find(|path| path.exists()) {
        Some(there) if !there.is_dir() => {
            bail!("{}: expected a folder after --out, found a file", there.display())
        }
        _ => Ok(()),
    }
}

fn params(
    session: &mut Session,
    arguments: &Arguments,
    partition: PartitionParams,
) -> MappingParams {
    let method = arguments.method;
    session.record.parameter("method", method.map_or("joint", placement::Method::name));
    let search = match method {
        None => JointParams::default().search,
        Some(_) => SearchParams::default(),
    };
    let search = Some(arguments.machine.search(session, search, arguments.cut.seed));
    let routing = arguments.routing.params(session, arguments.cut.seed);
    MappingParams { partition, placement: method, search, ..routing }
}

/// Writes everything; nothing appears unless all of it can be written.
fn write(
    session: &mut Session,
    folder: &Path,
    input: &MeshInput,
    mapping: &Mapping,
    ranks: &str,
) -> anyhow::Result<()> {
    let made = std::fs::create_dir_all(folder);
    made.map_err(|error| anyhow!("{}: cannot make this folder: {error}", folder.display()))?;
    let at = |name: &str| folder.join(name);
    let part = &mapping.partition.part;
    let parts = mapping.placement.parts();
    let mut outputs: Vec<Output> = session.phase("write", || -> anyhow::Result<_> {
        Ok(vec![
            unfinished(&at("part.txt"), |out| write_integers(out, part))?,
            text(
                &at("placement.json"),
                &format!("{}\n", placement_json(&mapping.machine, &mapping.placement)),
            )?,
            text(&at("routes.json"), &format!("{}\n", routes_json(mapping)))?,
            text(&at("rankfile"), ranks)?,
        ])
    })?;
    if input.mesh.is_some() {
        let fields = mapping_fields(input, mapping);
        // Phases are those of nodes: an element sends nothing.
        let cells = of_elements(input, &fields[..2].to_vec());
        outputs.push(files::vtu(session, &at("mapping.vtu"), input, &fields, &cells)?);
    }
    outputs.push(picture::mesh(session, &at("mesh.svg"), input)?);
    let of = Parts::OfNodes(part);
    outputs.push(picture::parts(session, &at("partition.svg"), input, of, parts)?);
    let (centroids, quotient) = (centroids(&input.points, part, parts), &mapping.quotient);
    let path = at("quotient.svg");
    outputs.push(picture::quotient(session, &path, &input.name, &centroids, quotient)?);
    outputs.extend(picture::placement(session, &at("placement.svg"), &input.name, mapping)?);
    Ok(outputs.into_iter().try_for_each(Output::finish)?)
}
