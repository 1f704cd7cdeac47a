//! A program that ran on a mesh: a field on a plane mesh, and what loops tested.

use super::mesh::polygons;
use super::*;
use palmette_io::MeshFile;
use palmette_language::Program;
use palmette_language::run::{LoopRecord, Outcome};
use palmette_report::FieldDrawing;

/// Whether fields on a mesh can be drawn.
pub fn has_field(mesh: &Mesh) -> bool {
    mesh.dimension() == 2 && FieldDrawing::is_plane(mesh.points())
}

/// A field by its name, its number in a series, and its values at the nodes.
pub fn field(file: &MeshFile, name: &str, number: Option<u64>, values: &[f64]) -> Picture {
    let points = file.mesh.points();
    let picture = FieldDrawing {
        title: &format!("{name} on {}", title(&file.name)),
        subtitle: &number.map_or(String::new(), |number| format!("number {number}")),
        name,
        points,
        shapes: &polygons(&file.mesh),
        values,
        components: values.len() / points.len().max(1),
        cells: false,
    };
    still(name, &format!("The field {name}"), picture.to_svg())
}

/// What loops tested; nothing where none did more than once.
pub fn loops(program: &Program, outcome: &Outcome) -> Option<Picture> {
    let tested = program.loops.iter().zip(&outcome.loops);
    let tested = tested.filter(|(_, record)| record.tests.len() > 1);
    let curves: Vec<_> = tested.map(|(facts, record)| curve(&facts.text, record)).collect();
    if curves.is_empty() {
        return None;
    }
    let plot = ConvergencePlot {
        title: format!("Tests of {}", title(&program.name)),
        quantity: "tested value".to_string(),
        curves,
        ..ConvergencePlot::default()
    };
    Some(still("convergence-plot", "Loop tests", plot.to_svg()))
}

/// The side of the test that changes; the other side is its bound if it is constant.
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
