//! The study of products on meshes, in one run.
//!
//! `palmette-bench mesh-run [STUDY…] [--quick] [--python PATH] [--write docs/benchmarks.md]`; studies
//! are product and traffic; both when none is named. scipy runs beside us with `--python`,
//! PETSc when Debian's is installed, our own MPI when `palmette-mpi` lies beside this program.

use super::Failure;
use palmette_bench::goals::Goals;
use palmette_bench::mesh::input::meshes;
use palmette_bench::mesh_run::input::Input;
use palmette_bench::mesh_run::product::{self, Effort};
use palmette_bench::mesh_run::traffic;
use palmette_bench::table::{Table, write_between};
use std::env::Args;
use std::path::PathBuf;

const STUDIES: [&str; 2] = ["product", "traffic"];

pub(crate) fn start(mut arguments: Args) -> Result<(), Failure> {
    let mut named: Vec<String> = Vec::new();
    let (mut quick, mut python, mut write) = (false, None::<String>, None::<PathBuf>);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--quick" => quick = true,
            "--python" => python = Some(arguments.next().ok_or("--python needs a path")?),
            "--write" => write = Some(arguments.next().ok_or("--write needs a path")?.into()),
            name if STUDIES.contains(&name) => named.push(argument),
            name => return Err(format!("expected product or traffic, found `{name}`").into()),
        }
    }
    for study in STUDIES {
        if !named.is_empty() && !named.iter().any(|n| n == study) {
            continue;
        }
        let text = match study {
            "product" => study_product(quick, python.as_deref())?,
            _ => study_traffic(quick)?,
        };
        println!("## {study}\n\n{text}");
        if let Some(path) = &write {
            write_between(path, &format!("mesh-run-{study}"), &text)?;
        }
    }
    Ok(())
}

fn study_product(quick: bool, python: Option<&str>) -> Result<String, Failure> {
    let (mut table, mut goals) = (Table::new(&product::HEAD), Goals::default());
    let (shapes, effort) = match quick {
        true => (["tetrahedra:6x6x6", "delaunay:2000"], Effort { turns: 1, rounds: 2 }),
        false => (["penny-crack:180000", "delaunay:1000000"], Effort { turns: 3, rounds: 20 }),
    };
    for shape in shapes {
        product::measure(&Input::new(shape)?, python, effort, &mut table, &mut goals)?;
    }
    Ok(format!("{}\n{}", table.markdown(), goals.markdown()))
}

fn study_traffic(quick: bool) -> Result<String, Failure> {
    let mut table = Table::new(&traffic::HEAD);
    for input in meshes(quick)? {
        traffic::measure(&input, if quick { 8 } else { 64 }, &mut table)?;
    }
    Ok(table.markdown())
}
