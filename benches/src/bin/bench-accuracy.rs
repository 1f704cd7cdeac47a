//! The study of accuracy, in one run.
//!
//! `bench-accuracy [STUDY…] [--quick] [--write docs/benchmarks.md] [--pictures DIRECTORY]`;
//! studies are accuracy and accuracy-cost; both when none is named.

use palmette_bench::accuracy::{cost, study};
use palmette_bench::goals::Goals;
use palmette_bench::table::{Table, write_between};
use palmette_core::generate::Shape;
use palmette_tree::Direction;
use std::path::{Path, PathBuf};

type Failure = Box<dyn std::error::Error>;

fn main() -> Result<(), Failure> {
    palmette_core::memory::keep_freed_memory();
    let mut named: Vec<String> = Vec::new();
    let (mut quick, mut write, mut pictures) = (false, None::<PathBuf>, None::<PathBuf>);
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--quick" => quick = true,
            "--write" => write = Some(arguments.next().ok_or("--write needs a path")?.into()),
            "--pictures" => {
                pictures = Some(arguments.next().ok_or("--pictures needs a directory")?.into());
            }
            _ => named.push(argument),
        }
    }
    let wanted = |name: &str| named.is_empty() || named.iter().any(|n| n == name);
    if wanted("accuracy") {
        let text = errors(quick, pictures.as_deref())?;
        publish("accuracy", &text, write.as_deref())?;
    }
    if wanted("accuracy-cost") {
        publish("accuracy-cost", &costs(quick), write.as_deref())?;
    }
    Ok(())
}

fn publish(name: &str, text: &str, write: Option<&Path>) -> Result<(), Failure> {
    println!("## {name}\n\n{text}");
    if let Some(path) = write {
        write_between(path, name, text)?;
    }
    Ok(())
}

fn errors(quick: bool, pictures: Option<&Path>) -> Result<String, Failure> {
    let (terms, trees) = if quick { (1000, 2) } else { (10_000, 100) };
    let mut text = String::new();
    for (direction, name) in [(Direction::Rootfix, "rootfix"), (Direction::Leaffix, "leaffix")] {
        let found = study::study(direction, terms, trees);
        text += &format!("{name}:\n\n{}\n", study::table(&found).markdown());
        for (bounds, suffix) in [(false, ""), (true, "-bounds")] {
            if let Some(directory) = pictures {
                let path = directory.join(format!("accuracy-{name}{suffix}.svg"));
                std::fs::write(path, study::picture(direction, &found, bounds, terms))?;
            }
        }
    }
    Ok(text)
}

fn costs(quick: bool) -> String {
    let mut table = Table::new(&cost::HEAD);
    let (sizes, rounds): (&[usize], usize) =
        if quick { (&[50_000], 2) } else { (&[1_000_000, 10_000_000], 7) };
    let mut ratios = Vec::new();
    for &n in sizes {
        for shape in [Shape::Random, Shape::Path, Shape::Caterpillar, Shape::Star] {
            ratios.extend(cost::measure(shape, n, rounds, &mut table));
        }
    }
    ratios.sort_by(f64::total_cmp);
    let mut goals = Goals::default();
    goals.at_most("compensated/plain, median of the rows", 2.0, ratios[ratios.len() / 2], "");
    goals.at_most("compensated/plain, largest", 2.0, ratios[ratios.len() - 1], "");
    format!("{}\n{}", table.markdown(), goals.markdown())
}
