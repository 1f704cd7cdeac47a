//! `palmette mesh info`.

use super::options::InputOptions;
use super::picture;
use crate::arguments::{PictureOptions, RunOptions};
use crate::session::Session;
use crate::terminal;
use clap::Args;
use palmette::{GraphFigures, MeshFigures, MeshInput};

#[derive(Debug, Args)]
#[command(mut_arg("svg", |argument| argument.help("Draw the mesh; of a solid one its surface")))]
pub(crate) struct Arguments {
    #[command(flatten)]
    pictures: PictureOptions,
    #[command(flatten)]
    input: InputOptions,
}

pub(crate) fn run(arguments: &Arguments, run: &RunOptions) -> anyhow::Result<()> {
    let files = arguments.input.files().draws(&arguments.pictures, "mesh");
    let mut session = Session::open("mesh info", files, run)?;
    let input = arguments.input.load(&mut session)?;
    note(&mut session, &input);
    picture::mesh(&mut session, None, &input)?;
    session.finish()
}

fn note(session: &mut Session, input: &MeshInput) {
    let Some(file) = &input.mesh else {
        let figures = session.phase("compute", || GraphFigures::of(&input.graph, None));
        let isolated = (0..input.graph.len() as u32).filter(|&v| input.graph.degree(v) == 0);
        session.record.figure("components", figures.components).figure("format", "graph");
        session.count("isolated", isolated.count());
        return;
    };
    let figures = session.phase("compute", || MeshFigures::of(&file.mesh, &input.graph));
    let kinds = figures.elements.iter();
    let kinds: Vec<String> = kinds.map(|(kind, count)| format!("{kind} {count}")).collect();
    session
        .record
        .figure("kinds", kinds.join(", "))
        .figure("dimension", figures.dimension)
        .figure("components", figures.components);
    for (name, range) in [("edge", figures.edges), ("element", figures.measures)] {
        if let Some((low, high)) = range {
            session
                .record
                .figure(&format!("smallest_{name}"), low)
                .figure(&format!("largest_{name}"), high);
        }
    }
    session.record.figure("format", file.format.to_string());
    session.count("isolated", figures.isolated);
    session.count("coincident", file.found.coincident);
    session.count("merged", file.found.merged);
    session.count("boundary", figures.boundary);
    session.count("skipped_sections", file.found.skipped);
    if figures.groups > 0 {
        let name = |group: &palmette::core::mesh::Group| match group.name.as_str() {
            "" => group.tag.to_string(),
            name => name.to_string(),
        };
        let names: Vec<String> = file.mesh.groups().iter().map(name).collect();
        session.record.figure("groups", names.join(", "));
        let names: Vec<String> = names.iter().map(|name| terminal::label(name)).collect();
        session.tell("groups", names.join(", "));
    }
}
