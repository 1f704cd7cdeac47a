//! The study of trees on many ranks, in one run.
//!
//! `palmette-bench mpi [--quick] [--write docs/scaling.md]`; needs `palmette-mpi` and `palmette` beside this
//! program for what is measured.

use super::Failure;
use palmette_bench::scaling::counted::{self, Counted};
use palmette_bench::scaling::{KINDS, Labels, measured, projected};
use palmette_bench::table::{Table, write_between};
use palmette_core::generate::Shape;
use std::env::Args;
use std::path::PathBuf;

pub(crate) fn start(mut arguments: Args) -> Result<(), Failure> {
    let (mut quick, mut write) = (false, None::<PathBuf>);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--quick" => quick = true,
            "--write" => write = Some(arguments.next().ok_or("--write needs a path")?.into()),
            other => return Err(format!("expected --quick or --write, found `{other}`").into()),
        }
    }
    let (share, turns, slice) = if quick { (2_000, 1, 500) } else { (1_000_000, 3, 16_384) };
    let large = 5 * share;
    let many: &[usize] = if quick { &[2, 8] } else { &[2, 4, 16, 64, 256] };
    let (mut weak, mut words) = (Table::new(&measured::HEAD), Table::new(&counted::HEAD));
    let mut ahead = Table::new(&projected::HEAD);
    let fresh = measured::fresh_memory();
    for kind in KINDS {
        let mut nanoseconds = None;
        for ranks in 1..=4 {
            let found = measured::measure(kind, ranks, share, turns, fresh, &mut weak)?;
            // A rank per core: two are what the machine at hand has.
            nanoseconds = if ranks == 2 { found } else { nanoseconds };
        }
        if matches!(kind.shape, Shape::Random | Shape::Path) {
            measured::measure(kind, 2, large, turns, fresh, &mut weak)?;
        }
        // These show what edges to other ranks cost in the tree before.
        if kind.labels == Labels::Apart {
            continue;
        }
        let mut last = [(Counted::default(), 1); 2];
        for &ranks in many {
            last = [last[1], (counted::measure(kind, ranks, slice, &mut words)?, ranks)];
        }
        if let Some(nanoseconds) = nanoseconds {
            for job in [(1e9, 256), (1e9, 4096), (1e11, 4096)] {
                projected::project(&kind.name(), last, nanoseconds, job, &mut ahead);
            }
        }
    }
    for (name, table) in [("weak", &weak), ("counted", &words), ("projected", &ahead)] {
        println!("## {name}\n\n{}", table.markdown());
        if let Some(path) = &write {
            write_between(path, &format!("scaling-{name}"), &table.markdown())?;
        }
    }
    Ok(())
}
