//! The study of meshes, in one run.
//!
//! `palmette-bench mesh [STUDY…] [--quick] [--write docs/benchmarks.md]`; studies are cuts, elements,
//! mapping, tree and large; all of them when none is named. METIS and Scotch run beside us
//! when they are installed.

use super::Failure;
use palmette_bench::goals::Goals;
use palmette_bench::mesh::input::{Input, made, meshes};
use palmette_bench::mesh::mapping::Wanted;
use palmette_bench::mesh::peers::{Desk, present};
use palmette_bench::mesh::{cuts, elements, large, mapping};
use palmette_bench::table::{Table, write_between};
use std::env::Args;
use std::path::PathBuf;

/// What all studies need.
struct Setting {
    quick: bool,
    meshes: Vec<Input>,
    desk: Option<Desk>,
}

impl Setting {
    fn seeds(&self) -> u64 {
        if self.quick { 1 } else { 9 }
    }

    fn parts(&self) -> u32 {
        if self.quick { 8 } else { 64 }
    }
}

type Study = fn(&Setting, &mut Goals) -> Result<Table, Failure>;

const STUDIES: [(&str, Study); 5] = [
    ("cuts", study_cuts),
    ("elements", study_elements),
    ("mapping", study_mapping),
    ("tree", study_tree),
    ("large", study_large),
];

pub(crate) fn start(mut arguments: Args) -> Result<(), Failure> {
    let mut named: Vec<String> = Vec::new();
    let mut quick = false;
    let mut write = None::<PathBuf>;
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--quick" => quick = true,
            "--write" => write = Some(arguments.next().ok_or("--write needs a path")?.into()),
            _ => named.push(argument),
        }
    }
    if let Some(name) = named.iter().find(|n| STUDIES.iter().all(|(study, _)| study != n)) {
        let names: Vec<&str> = STUDIES.iter().map(|study| study.0).collect();
        return Err(format!("expected one of {}, found `{name}`", names.join(", ")).into());
    }
    if !present() {
        eprintln!("METIS or Scotch is missing: palmette runs alone");
    }
    let desk = if present() { Some(Desk::new()?) } else { None };
    let setting = Setting { quick, meshes: meshes(quick)?, desk };
    for (name, study) in STUDIES {
        if !named.is_empty() && !named.iter().any(|n| n == name) {
            continue;
        }
        let mut goals = Goals::default();
        let table = study(&setting, &mut goals)?;
        let text = format!("{}\n{}", table.markdown(), goals.markdown());
        println!("## {name}\n\n{text}");
        if let Some(path) = &write {
            write_between(path, &format!("mesh-{name}"), &text)?;
        }
    }
    Ok(())
}

fn study_cuts(setting: &Setting, goals: &mut Goals) -> Result<Table, Failure> {
    let mut table = Table::new(&cuts::HEAD);
    let (seeds, desk) = (setting.seeds(), setting.desk.as_ref());
    for input in &setting.meshes {
        cuts::measure(input, setting.parts(), seeds, desk, &mut table, goals)?;
    }
    for input in
        setting.meshes.iter().filter(|input| ["4elt", "penny_small"].contains(&&*input.name))
    {
        cuts::measure(input, 1024, seeds, desk, &mut table, goals)?;
    }
    Ok(table)
}

fn study_elements(setting: &Setting, goals: &mut Goals) -> Result<Table, Failure> {
    let mut table = Table::new(&elements::HEAD);
    for input in &setting.meshes {
        let (seeds, desk) = (setting.seeds(), setting.desk.as_ref());
        elements::measure(input, setting.parts(), seeds, desk, &mut table, goals)?;
    }
    Ok(table)
}

fn study_mapping(setting: &Setting, goals: &mut Goals) -> Result<Table, Failure> {
    let mut table = Table::new(&mapping::HEAD);
    let machines: &[(&str, &str)] = match setting.quick {
        true => &[("torus:2x4", "torus2D 2 4")],
        false => &[("torus:8x8", "torus2D 8 8"), ("mesh:8x8", "mesh2D 8 8")],
    };
    for input in &setting.meshes {
        for &(machine, target) in machines {
            let wanted = match (&*input.name, machine) {
                ("crackplate", "torus:8x8") => {
                    Some(Wanted { hopsum: 2450, load: Some(21), phases: 1, seconds: Some(1.0) })
                }
                ("penny_small", "torus:8x8") => {
                    Some(Wanted { hopsum: 29361, load: None, phases: 3, seconds: None })
                }
                _ => None,
            };
            let (seeds, desk) = (setting.seeds(), setting.desk.as_ref());
            let machine = (machine, target);
            mapping::measure(input, machine, seeds, desk, wanted, &mut table, goals)?;
        }
    }
    Ok(table)
}

fn study_tree(setting: &Setting, goals: &mut Goals) -> Result<Table, Failure> {
    let mut table = Table::new(&mapping::TREE_HEAD);
    let machine = match setting.quick {
        true => ("fat-tree:2x2x2", "tleaf 3 2 4 2 2 2 1"),
        false => ("fat-tree:4x4x4", "tleaf 3 4 4 4 2 4 1"),
    };
    for input in &setting.meshes {
        let wanted = (input.name == "crackplate").then_some(322);
        let (seeds, desk) = (setting.seeds(), setting.desk.as_ref());
        mapping::measure_tree(input, machine, seeds, desk, wanted, &mut table, goals)?;
    }
    Ok(table)
}

fn study_large(setting: &Setting, goals: &mut Goals) -> Result<Table, Failure> {
    let mut table = Table::new(&large::HEAD);
    let (shape, turns) = match setting.quick {
        true => ("delaunay:2000", 1),
        false => ("delaunay:1000000", 5),
    };
    let desk = setting.desk.as_ref();
    large::measure(&made(shape), setting.parts(), turns, desk, &mut table, goals)?;
    Ok(table)
}
