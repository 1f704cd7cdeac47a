//! The study of the spatial computer, in one run.
//!
//! `palmette-bench spatial [STUDY…] [--quick] [--write docs/benchmarks.md]`; studies are simulator,
//! replay, curves, layouts, layout-time, collectives, refined and compact; all of them when none is
//! named.

use super::Failure;
use palmette_bench::spatial::{collectives, compact, curves, layouts, refined, replay, simulator};
use palmette_bench::table::{Table, write_between};
use palmette_core::generate::Shape;
use std::env::Args;
use std::path::PathBuf;

type Study = fn(bool) -> String;

pub(crate) fn start(mut arguments: Args) -> Result<(), Failure> {
    let mut named: Vec<String> = Vec::new();
    let (mut quick, mut write) = (false, None::<PathBuf>);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--quick" => quick = true,
            "--write" => write = Some(arguments.next().ok_or("--write needs a path")?.into()),
            _ => named.push(argument),
        }
    }
    let studies: [(&str, Study); 8] = [
        ("simulator", simulators),
        ("replay", replay::study),
        ("curves", curves::study),
        ("layouts", energies),
        ("layout-time", times),
        ("collectives", collectives::study),
        ("refined", refinements),
        ("compact", contractions),
    ];
    for (name, study) in studies {
        if !named.is_empty() && !named.iter().any(|n| n == name) {
            continue;
        }
        let tables = study(quick);
        println!("## {name}\n\n{tables}");
        if let Some(path) = &write {
            write_between(path, name, &tables)?;
        }
    }
    Ok(())
}

fn simulators(quick: bool) -> String {
    let mut table = Table::new(&simulator::HEAD);
    let sizes: &[usize] = if quick { &[1 << 14] } else { &[1 << 20, 1 << 22] };
    for &n in sizes {
        simulator::measure(n, if quick { 3 } else { 45 }, &mut table);
    }
    table.markdown()
}

fn energies(quick: bool) -> String {
    let mut table = Table::new(&layouts::HEAD);
    let sizes: &[usize] = if quick { &[1 << 10] } else { &[1 << 10, 1 << 14, 1 << 18] };
    let shapes = [
        Shape::Random,
        Shape::Bst,
        Shape::FullBinary,
        Shape::Perfect,
        Shape::Path,
        Shape::Caterpillar,
        Shape::Preferential,
        Shape::Star,
    ];
    for shape in shapes {
        sizes.iter().for_each(|&n| layouts::measure(shape, n, &mut table));
    }
    table.markdown()
}

fn contractions(quick: bool) -> String {
    let mut table = Table::new(&compact::HEAD);
    let sizes: &[usize] = if quick { &[1 << 8] } else { &[1 << 10, 1 << 14, 1 << 18] };
    let shapes = [
        Shape::Path,
        Shape::Caterpillar,
        Shape::FullBinary,
        Shape::Bst,
        Shape::Random,
        Shape::Preferential,
        Shape::Perfect,
        Shape::Star,
        Shape::DoubleBroom,
    ];
    for shape in shapes {
        sizes.iter().for_each(|&n| compact::measure(shape, n, &mut table));
    }
    table.markdown()
}

fn times(quick: bool) -> String {
    let mut table = Table::new(&layouts::TIME_HEAD);
    let n = if quick { 100_000 } else { 10_000_000 };
    for shape in [Shape::Random, Shape::Path, Shape::Star] {
        layouts::time(shape, n, if quick { 2 } else { 5 }, &mut table);
    }
    table.markdown()
}

fn refinements(quick: bool) -> String {
    let mut table = Table::new(&refined::HEAD);
    if quick {
        refined::measure(Shape::Binary, 1 << 8, &mut table);
        return table.markdown();
    }
    let shapes = [
        Shape::Binary,
        Shape::FullBinary,
        Shape::Bst,
        Shape::Random,
        Shape::Perfect,
        Shape::Caterpillar,
        Shape::Preferential,
    ];
    shapes.into_iter().for_each(|shape| refined::measure(shape, 1 << 14, &mut table));
    for n in [1 << 10, 1 << 17, 1 << 20] {
        refined::measure(Shape::Binary, n, &mut table);
    }
    table.markdown()
}
