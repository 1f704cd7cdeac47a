//! `palmette mesh map`.

use super::figures::{note_mapping, note_parts};
use super::files::{self, check_folder, mapping_fields, of_elements, text};
use super::mapping::MappingOptions;
use super::options::{InputOptions, WeightOptions, failed};
use super::picture::{self, Parts};
use crate::arguments::RunOptions;
use crate::input::name_of;
use crate::output::unfinished;
use crate::session::Session;
use anyhow::anyhow;
use clap::Args;
use palmette::io::{Output, write_integers};
use palmette::{Mapping, MeshInput, centroids, map_mesh, placement_json, routes_json};
use std::path::{Path, PathBuf};

#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// A folder for part.txt (the part of each vertex), placement.json, routes.json, rankfile,
    /// mapping.vtu (unless a graph is read), mesh.svg, partition.svg, quotient.svg and
    /// placement.svg (on meshes and tori).
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    #[command(flatten)]
    mapping: MappingOptions,
    #[command(flatten)]
    weights: WeightOptions,
    #[command(flatten)]
    input: InputOptions,
    #[command(flatten)]
    pub(crate) run: RunOptions,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let mut session = Session::new("mesh map", &name_of(&arguments.input.file), &arguments.run);
    arguments.out.as_deref().map_or(Ok(()), check_folder)?;
    let MappingOptions { machine: on, .. } = &arguments.mapping;
    let params = arguments.mapping.params(&mut session)?;
    let hosts = on.hosts(&mut session)?;
    let mut input = arguments.input.load(&mut session)?;
    arguments.weights.load(&mut session, &mut input)?;
    let mapping = session.phase("map", || {
        map_mesh(&input.graph, &input.points, input.weights.as_deref(), &on.machine, &params)
    });
    let mapping = mapping.map_err(|error| failed(&input, error))?;
    note_parts(&mut session, &input, &mapping.partition.part, mapping.placement.parts());
    note_mapping(&mut session, &mapping);
    let folder = arguments.out.as_deref();
    let mut outputs = Vec::new();
    if let Some(folder) = folder {
        session.file("out", Some(folder));
        let ranks = on.ranks(&mapping.placement, &hosts)?;
        let made = std::fs::create_dir_all(folder);
        made.map_err(|error| anyhow!("{}: cannot make this folder: {error}", folder.display()))?;
        outputs = write(&mut session, folder, &input, &mapping, &ranks)?;
    }
    outputs.extend(draw(&mut session, folder, &input, &mapping)?);
    // Nothing appears unless all of it could be written.
    outputs.into_iter().try_for_each(Output::finish)?;
    Ok(session.finish()?)
}

/// Writes everything but pictures.
fn write(
    session: &mut Session,
    folder: &Path,
    input: &MeshInput,
    mapping: &Mapping,
    ranks: &str,
) -> anyhow::Result<Vec<Output>> {
    let at = |name: &str| folder.join(name);
    let part = &mapping.partition.part;
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
    Ok(outputs)
}

/// Draws mesh, parts, what they exchange and their processors.
fn draw(
    session: &mut Session,
    folder: Option<&Path>,
    input: &MeshInput,
    mapping: &Mapping,
) -> anyhow::Result<Vec<Output>> {
    let at = |name: &str| folder.map(|folder| folder.join(name));
    let part = &mapping.partition.part;
    let parts = mapping.placement.parts();
    let (centroids, quotient) = (centroids(&input.points, part, parts), &mapping.quotient);
    let (name, of) = (&input.name, Parts::OfNodes(part));
    let outputs = [
        picture::mesh(session, at("mesh.svg").as_deref(), input)?,
        picture::parts(session, at("partition.svg").as_deref(), input, of, parts)?,
        picture::quotient(session, at("quotient.svg").as_deref(), name, &centroids, quotient)?,
        picture::placement(session, at("placement.svg").as_deref(), name, mapping)?,
    ];
    Ok(outputs.into_iter().flatten().collect())
}
