//! `palmette graph info`.

use super::options::{InputOptions, note_found};
use super::picture;
use crate::arguments::{PictureOptions, RunOptions};
use crate::files::Files;
use crate::session::Session;
use clap::Args;
use palmette::GraphFigures;
use palmette::io::GraphForm;

#[derive(Debug, Args)]
#[command(mut_arg("svg", |argument| argument.help("Draw where the matrix has entries")))]
pub(crate) struct Arguments {
    #[command(flatten)]
    pictures: PictureOptions,
    #[command(flatten)]
    input: InputOptions,
}

pub(crate) fn run(arguments: &Arguments, run: &RunOptions) -> anyhow::Result<()> {
    let files = Files::of(&arguments.input.file).draws(&arguments.pictures, "matrix");
    let mut session = Session::open("graph info", files, run)?;
    let file = arguments.input.load(&mut session)?;
    let figures =
        session.phase("compute", || GraphFigures::of(&file.graph, file.ground.as_deref()));
    session
        .record
        .figure("components", figures.components)
        .figure("largest_component", figures.largest_component)
        .figure("min_degree", figures.min_degree)
        .figure("max_degree", figures.max_degree)
        .figure("mean_degree", figures.mean_degree);
    if let Some((low, high)) = figures.weights {
        session.record.figure("min_weight", low).figure("max_weight", high);
    }
    let form = match file.form {
        GraphForm::Laplacian => "laplacian",
        GraphForm::Netlist => "netlist",
        _ => "weights",
    };
    session
        .record
        .figure("form", form)
        .figure("format", file.format.to_string())
        .figure("entries", file.found.entries);
    session.count("grounded", figures.grounded);
    if let Some(netlist) = &file.netlist {
        session
            .record
            .figure("nodes", netlist.nodes.len())
            .figure("resistors", netlist.elements.resistors)
            .figure("voltage_sources", netlist.elements.voltage_sources)
            .figure("current_sources", netlist.elements.current_sources)
            .figure("shorts", netlist.elements.shorts);
    }
    note_found(&mut session, &file);
    if figures.edges > 0 {
        session.record.figure("bytes_per_edge", figures.bytes_per_edge);
    }
    picture::spy(&mut session, &file, None)?;
    session.finish()
}
