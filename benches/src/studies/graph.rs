//! The study of sparsifiers, in one run.
//!
//! `palmette-bench graph [STUDY…] [--quick] [--large] [--write docs/benchmarks.md]`; studies are
//! engines, growth, memory and rules; all of them when none is named. `--large` continues growth
//! to 10^7 vertices.

use super::Failure;
use palmette_bench::goals::Goals;
use palmette_bench::graph::input::{WIDE, contest, made, read};
use palmette_bench::graph::{engines, growth, memory, rules};
use palmette_bench::table::{Table, write_between};
use palmette_core::graph::generate::Weights;
use std::env::Args;
use std::path::PathBuf;

/// What the study was asked to do.
#[derive(Clone, Copy)]
struct Extent {
    quick: bool,
    large: bool,
}

type Study = fn(Extent, &mut Goals) -> Result<Table, Failure>;

/// How many times as long an edge may take at 10^6 vertices as at 10^4.
const GROWTH: f64 = 3.0;
/// Bytes per edge.
const MEMORY: f64 = 100.0;

pub(crate) fn start(mut arguments: Args) -> Result<(), Failure> {
    let mut named: Vec<String> = Vec::new();
    let mut extent = Extent { quick: false, large: false };
    let mut write = None::<PathBuf>;
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--quick" => extent.quick = true,
            "--large" => extent.large = true,
            "--write" => write = Some(arguments.next().ok_or("--write needs a path")?.into()),
            _ => named.push(argument),
        }
    }
    let studies: [(&str, Study); 4] =
        [("engines", race_engines), ("growth", grow), ("memory", weigh), ("rules", compare_rules)];
    if let Some(name) = named.iter().find(|n| studies.iter().all(|(study, _)| study != n)) {
        return Err(format!("expected engines, growth, memory or rules, found `{name}`").into());
    }
    for (name, study) in studies {
        if !named.is_empty() && !named.iter().any(|n| n == name) {
            continue;
        }
        let mut goals = Goals::default();
        let table = study(extent, &mut goals)?;
        let text = format!("{}\n{}", table.markdown(), goals.markdown());
        println!("## {name}\n\n{text}");
        if let Some(path) = &write {
            write_between(path, &format!("graph-{name}"), &text)?;
        }
    }
    Ok(())
}

fn race_engines(extent: Extent, goals: &mut Goals) -> Result<Table, Failure> {
    let mut table = Table::new(&engines::HEAD);
    if extent.quick {
        for shape in ["grid:30x30", "road:900", "clique:40"] {
            engines::measure(&made(shape, WIDE), 1, &mut table);
        }
        return Ok(table);
    }
    let case = contest()?;
    engines::judge(engines::measure(&case, 61, &mut table), goals);
    if let Some(mesh) = read("graphs/delaunay_n15.graph")? {
        engines::measure(&mesh, 21, &mut table);
    }
    for shape in ["grid:200x200", "road:40000", "clique:600"] {
        engines::measure(&made(shape, WIDE), 21, &mut table);
    }
    Ok(table)
}

fn grow(extent: Extent, goals: &mut Goals) -> Result<Table, Failure> {
    let mut table = Table::new(&growth::HEAD);
    let powers: &[u32] = if extent.quick { &[3] } else { &[4, 5, 6, 7] };
    for (k, family) in growth::FAMILIES.into_iter().enumerate() {
        // Random graphs, the last family, would take minutes at 10^7.
        let large = extent.large && k + 1 < growth::FAMILIES.len();
        let measured = if large { powers.len() } else { powers.len().min(3) };
        let worst = growth::measure(family, &powers[..measured], extent.quick, &mut table);
        if k == 0 && !extent.quick {
            goals.at_most("geometric, linear, 10^4 to 10^6", GROWTH, worst[0], " times");
            goals.at_most("geometric, parallel, 10^4 to 10^6", GROWTH, worst[1], " times");
        }
    }
    Ok(table)
}

/// How many times as long the spectral rule may take.
const SLOWER: f64 = 5.0;
/// Graphs, densities, and the condition numbers wanted there.
const MESHES: [(&str, f64, f64); 4] = [
    ("meshes/4elt.graph", 12.8, 100.0),
    ("meshes/4elt.graph", 10.0, 170.0),
    ("graphs/delaunay_n15.graph", 10.0, 100.0),
    ("meshes/crackplate.graph", 10.0, 150.0),
];

fn compare_rules(extent: Extent, goals: &mut Goals) -> Result<Table, Failure> {
    let mut table = Table::new(&rules::HEAD);
    if extent.quick {
        rules::measure(&made("grid:30x30", WIDE), 10.0, 1, &mut table);
        return Ok(table);
    }
    let (mut slowest, mut worst) = (0f64, 0f64);
    let mut note = |([fegrass, spectral], ratio): ([f64; 2], f64)| {
        slowest = slowest.max(ratio);
        worst = worst.max(spectral / fegrass);
        spectral
    };
    for (file, percent, wanted) in MESHES {
        if let Some(input) = read(file)? {
            let found = note(rules::measure(&input, percent, 15, &mut table));
            goals.at_most(&format!("{} at {percent}%", input.name), wanted, found, "");
        }
    }
    note(rules::measure(&contest()?, 10.0, 15, &mut table));
    for shape in ["grid:200x200", "road:40000", "clique:600"] {
        note(rules::measure(&made(shape, WIDE), 10.0, 7, &mut table));
    }
    for family in growth::FAMILIES {
        note(rules::measure(&made(&family(4), WIDE), 10.0, 7, &mut table));
        note(rules::measure(&made(&family(5), WIDE), 10.0, 3, &mut table));
    }
    goals.at_most("κ to that of fegrass, worst", 1.0, worst, " times");
    goals.at_most("time to that of fegrass, worst", SLOWER, slowest, " times");
    Ok(table)
}

fn weigh(extent: Extent, goals: &mut Goals) -> Result<Table, Failure> {
    let mut table = Table::new(&memory::HEAD);
    if extent.quick {
        memory::measure(&made("grid:30x30", Weights::Unit), &mut table);
        return Ok(table);
    }
    let mut most = memory::measure(&contest()?, &mut table);
    for family in growth::FAMILIES {
        most = most.max(memory::measure(&made(&family(6), WIDE), &mut table));
    }
    goals.at_most("bytes per edge", MEMORY, most, "");
    Ok(table)
}
