//! A picture of the points that `benches/mesh_frontier.py` measures: what each program's cuts cost.
//!
//! `cargo run --example frontier POINTS.csv PICTURE.svg`

use palmette_report::{AxisSpec, Scatter, ScatterColours};
use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let (Some(table), Some(picture)) = (arguments.next(), arguments.next()) else {
        return Err("expected POINTS.csv PICTURE.svg".into());
    };
    let mut scatter = Scatter {
        title: "Parts of a graph: a smaller cut takes longer".into(),
        note: "geometric means over graphs, METIS kway is 1; lower and further left is better"
            .into(),
        x: AxisSpec::log("processor time, times that of METIS kway"),
        y: AxisSpec::linear("cut, times that of METIS kway"),
        colour_by: "program".into(),
        ..Scatter::default()
    };
    let mut families = Vec::new();
    for line in std::fs::read_to_string(&table)?.lines().skip(1) {
        let [family, program, seconds, cut] = line.split(',').collect::<Vec<_>>()[..] else {
            return Err(format!("{table}: expected four columns, found `{line}`").into());
        };
        families.push(family.to_string());
        scatter.names.push(program.to_string());
        scatter.points.push((seconds.trim().parse()?, cut.trim().parse()?));
    }
    scatter.colours = ScatterColours::Groups(families);
    std::fs::write(picture, scatter.to_svg())?;
    Ok(())
}
