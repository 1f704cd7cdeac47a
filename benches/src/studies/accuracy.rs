//! The study of accuracy, in one run.
//!
//! `palmette-bench accuracy [STUDY…] [--quick] [--write docs/benchmarks.md] [--page FILE]
//! [--pictures DIRECTORY]`; studies are accuracy and accuracy-cost; both when none is named.

use super::Failure;
use palmette_bench::accuracy::page::{Found, name, page};
use palmette_bench::accuracy::{cost, study};
use palmette_bench::goals::Goals;
use palmette_bench::table::{Table, write_between};
use palmette_core::generate::Shape;
use palmette_tree::Direction;
use std::env::Args;
use std::path::{Path, PathBuf};

pub(crate) fn start(mut arguments: Args) -> Result<(), Failure> {
    let mut named: Vec<String> = Vec::new();
    let (mut quick, mut write) = (false, None::<PathBuf>);
    let (mut html, mut pictures) = (None::<PathBuf>, None::<PathBuf>);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--quick" => quick = true,
            "--write" => write = Some(arguments.next().ok_or("--write needs a path")?.into()),
            "--page" => html = Some(arguments.next().ok_or("--page needs a path")?.into()),
            "--pictures" => {
                pictures = Some(arguments.next().ok_or("--pictures needs a directory")?.into());
            }
            _ => named.push(argument),
        }
    }
    let wanted = |name: &str| named.is_empty() || named.iter().any(|n| n == name);
    if wanted("accuracy") {
        let found = errors(quick);
        publish("accuracy", &tables(&found), write.as_deref())?;
        draw(&found, html.as_deref(), pictures.as_deref())?;
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

fn errors(quick: bool) -> Found {
    let (terms, trees) = if quick { (1000, 2) } else { (10_000, 100) };
    let passes = [Direction::Rootfix, Direction::Leaffix]
        .map(|direction| (direction, study::study(direction, terms, trees)));
    Found { terms, trees, passes }
}

fn draw(found: &Found, html: Option<&Path>, pictures: Option<&Path>) -> Result<(), Failure> {
    if let Some(path) = html {
        if let Some(directory) = path.parent() {
            std::fs::create_dir_all(directory)?;
        }
        std::fs::write(path, page(found).to_html())?;
        println!("{}\n", path.display());
    }
    if let Some(directory) = pictures {
        for (direction, points) in &found.passes {
            let path = directory.join(format!("accuracy-{}.svg", name(*direction)));
            std::fs::write(
                path,
                study::picture(*direction, points, (found.terms, found.trees), true),
            )?;
        }
    }
    Ok(())
}

fn tables(found: &Found) -> String {
    let one = |(direction, points): &(Direction, Vec<study::Point>)| {
        let off = 100.0 * study::largest_deviation(points);
        let table = study::table(points).markdown();
        format!("{} (condition numbers are within {off:.2} %):\n\n{table}\n", name(*direction))
    };
    found.passes.iter().map(one).collect()
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
