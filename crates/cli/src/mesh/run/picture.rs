//! Pictures of a run: a field on a plane mesh, and what loops tested.

use super::super::picture::polygons;
use crate::picture::{show, title};
use crate::session::Session;
use palmette::io::MeshFile;
use palmette::language::Program;
use palmette::language::run::{LoopRecord, Outcome};
use palmette_report::{ConvergenceCurve, ConvergencePlot, FieldDrawing};
use std::path::Path;

/// Whether fields on a mesh can be drawn.
pub(super) fn is_drawn(file: &MeshFile) -> bool {
    file.mesh.dimension() == 2 && FieldDrawing::is_plane(file.mesh.points())
}

/// Draws a field by its name, its number in a series, and its values.
pub(super) fn field(
    session: &mut Session,
    path: Option<&Path>,
    file: &MeshFile,
    (name, number, values): (&str, Option<u64>, &[f64]),
) -> anyhow::Result<()> {
    show(session, (name, &format!("The field {name}")), path, || {
        let points = file.mesh.points();
        let picture = FieldDrawing {
            title: &format!("{name} on {}", title(&file.name)),
            subtitle: &number.map_or(String::new(), |number| format!("number {number}")),
            name,
            points,
            shapes: &polygons(&file.mesh),
            values,
            components: values.len() / points.len().max(1),
        };
        picture.to_svg()
    })
}

/// Draws what loops tested.
pub(super) fn loops(
    session: &mut Session,
    path: Option<&Path>,
    program: &Program,
    outcome: &Outcome,
) -> anyhow::Result<()> {
    let tested = program.loops.iter().zip(&outcome.loops);
    let tested = tested.filter(|(_, record)| record.tests.len() > 1);
    let curves = tested.map(|(facts, record)| curve(&facts.text, record)).collect();
    let plot = ConvergencePlot {
        title: format!("Tests of {}", title(&program.name)),
        quantity: "what a loop tests".to_string(),
        curves,
        ..ConvergencePlot::default()
    };
    show(session, ("loops", "What loops test"), path, || plot.to_svg())
}

/// The side that changes, with the other one as its bound if that never does.
fn curve(text: &str, record: &LoopRecord) -> ConvergenceCurve {
    let (mut changing, mut other): (Vec<f64>, Vec<f64>) = record.tests.iter().copied().unzip();
    let still = |side: &[f64]| side.windows(2).all(|pair| pair[0] == pair[1]);
    if still(&changing) && !still(&other) {
        std::mem::swap(&mut changing, &mut other);
    }
    ConvergenceCurve {
        name: format!("line {}: {text}", record.line),
        residuals: changing,
        iterations: None,
        bound: other.first().copied().filter(|_| still(&other)),
    }
}
