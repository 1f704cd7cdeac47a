//! How much programs cost from seed to seed: the numbers in docs/theorems.md, and guards by them.
//!
//! A seed decides the random trees and the random bits of processors, so that energy, depth
//! and rounds are random variables. What is bounded here is their median and their 99th percentile
//! over thirty seeds, which is the largest of them and which another seed may exceed. Everything is
//! deterministic for a seed: a bound that fails says that a program has changed. The whole study
//! prints its tables with
//!
//! ```sh
//! cargo test --release -p palmette-spatial --test all seeds -- --ignored --nocapture
//! ```

pub(crate) mod documented;
mod program;

use palmette_core::generate::Shape;
use palmette_spatial::machine::Given;
pub(crate) use program::spread;
use program::{BOUNDED, ByShape, Program, worst};

/// Both ways to keep books.
const BOOKS: [Given; 2] = [Given::NOTHING, Given::ALL];

/// Programs of the tables by shape, with a short name, and the figures that are there.
const BY_SHAPE: [(Program, &str, usize); 5] = [
    (Program::Leaffix, "leaffix", 2),
    (Program::Rootfix, "rootfix", 2),
    (Program::Creation, "creation", 1),
    (Program::Ancestors, "ancestors", 2),
    (Program::Unbarred, "no barriers", 2),
];

/// The size of the tables by shape.
const SHAPES_AT: u32 = 10;

/// The name of a program's rows on shapes of bounded degree, where it has such rows.
fn bounded_name(program: Program) -> Option<&'static str> {
    match program {
        Program::Rootfix => Some("rootfix, bounded degree (Lemma 11)"),
        Program::Compact => Some("a round of COMPACT, bounded degree (Lemma 10)"),
        _ => None,
    }
}

/// A study's rows in the tables: a name, and values by figure and shape.
fn rows(program: Program, found: Vec<ByShape>) -> Vec<(&'static str, Vec<ByShape>)> {
    let Some(name) = bounded_name(program) else { return vec![(program.name(), found)] };
    let bounded = |of: &ByShape| {
        of.iter().filter(|(shape, _)| BOUNDED.contains(shape)).cloned().collect::<ByShape>()
    };
    let bounded: Vec<ByShape> = found.iter().map(bounded).collect();
    vec![(name, bounded), (program.name(), found)]
}

fn by_shape_column(short: &str, figure: &str) -> String {
    format!("{short}: {figure}")
}

/// Compares with what is documented, which is rounded to two digits.
fn check(what: &str, found: [f64; 2], documented: Option<[f64; 2]>, wrong: &mut Vec<String>) {
    let Some(bounds) = documented else { return wrong.push(format!("{what} is not documented")) };
    if found.iter().zip(bounds).any(|(found, bound)| *found > bound + 0.005_1) {
        wrong.push(format!("{what}: {found:.3?}, documented {bounds:?}"));
    }
}

fn check_program(program: Program, given: Given, k: u32, wrong: &mut Vec<String>) {
    let found = program.study(k, given);
    if k == SHAPES_AT
        && let Some((_, short, figures)) = BY_SHAPE.iter().find(|(of, ..)| *of == program)
    {
        let names = program.figures().iter().take(*figures);
        for (by_shape, figure) in found.iter().zip(names) {
            let column = by_shape_column(short, figure);
            for (shape, values) in by_shape {
                let what = format!("{column}, {shape}, given {given}");
                let documented = documented::of_shape(given, *shape, &column);
                check(&what, spread(values), documented, wrong);
            }
        }
    }
    for (name, found) in rows(program, found) {
        for (by_shape, figure) in found.iter().zip(program.figures()) {
            let (shape, spread) = worst(by_shape);
            let what = format!("{name}, {figure} on {shape}, 2^{k}, given {given}");
            check(&what, spread, documented::largest(given, name, figure, k), wrong);
        }
    }
}

fn check_all(programs: &[Program]) {
    let mut wrong = Vec::new();
    for given in BOOKS {
        for &program in programs.iter().filter(|p| given == Given::NOTHING || p.takes_gifts()) {
            [8, 10].into_iter().for_each(|k| check_program(program, given, k, &mut wrong));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn thirty_seeds_of_messages_and_lists_are_as_documented() {
    use Program::*;
    check_all(&[Messages, VirtualTree, ListRanking, EulerTour, Jumping, TourSums]);
}

#[test]
fn thirty_seeds_of_treefix_are_as_documented() {
    check_all(&[Program::Leaffix, Program::Rootfix]);
}

#[test]
fn thirty_seeds_of_rounds_and_news_are_as_documented() {
    check_all(&[Program::Compact, Program::News]);
}

#[test]
fn thirty_seeds_of_creation_are_as_documented() {
    check_all(&[Program::Creation]);
}

#[test]
fn thirty_seeds_of_ancestors_are_as_documented() {
    check_all(&[Program::Ancestors, Program::Unbarred]);
}

/// Sizes of the whole study.
const SIZES: [u32; 6] = [8, 10, 12, 14, 16, 18];

/// The largest size that is measured: up to 2^16 where twelve shapes with thirty seeds take long.
fn most(program: Program) -> u32 {
    use Program::*;
    match program {
        Creation | Ancestors | Unbarred | News => 16,
        _ => 18,
    }
}

/// Prints, for every size, the median and the 99th percentile on the shape that has the largest.
fn print_study(programs: &[Program]) {
    for given in BOOKS {
        let head = SIZES.map(|k| format!("2^{k}")).join(" | ");
        println!(
            "| {} | figure | {head} |\n|---|---|{}",
            documented::what(given),
            "---|".repeat(6)
        );
        for &program in programs.iter().filter(|p| given == Given::NOTHING || p.takes_gifts()) {
            let sizes = SIZES.iter().filter(|&&k| k <= most(program));
            let by_size: Vec<_> = sizes.map(|&k| rows(program, program.study(k, given))).collect();
            for row in 0..by_size[0].len() {
                for (i, figure) in program.figures().iter().enumerate() {
                    let cell = |k: usize| {
                        let Some(rows) = by_size.get(k) else { return String::new() };
                        let (shape, [median, tail]) = worst(&rows[row].1[i]);
                        let alone = rows[row].1[i].len() == 1;
                        let shape = if alone { String::new() } else { format!(" {shape}") };
                        format!("{median:.2} / {tail:.2}{shape}")
                    };
                    let cells = [0, 1, 2, 3, 4, 5].map(cell).join(" | ");
                    println!("| {} | {figure} | {cells} |", by_size[0][row].0);
                }
            }
        }
        println!();
    }
}

#[test]
#[ignore = "a study of a minute, which prints a table"]
fn study_of_messages() {
    print_study(&[Program::Messages, Program::VirtualTree]);
}

#[test]
#[ignore = "a study of minutes, which prints tables"]
fn study_of_lists() {
    use Program::*;
    print_study(&[ListRanking, EulerTour, Jumping, TourSums]);
}

#[test]
#[ignore = "a study of minutes, which prints tables"]
fn study_of_creation() {
    print_study(&[Program::Creation]);
}

#[test]
#[ignore = "a study of minutes, which prints tables"]
fn study_of_treefix() {
    print_study(&[Program::Leaffix, Program::Rootfix]);
}

#[test]
#[ignore = "a study of a minute, which prints tables"]
fn study_of_rounds_and_news() {
    print_study(&[Program::Compact, Program::News]);
}

#[test]
#[ignore = "a study of minutes, which prints tables"]
fn study_of_ancestors() {
    print_study(&[Program::Ancestors, Program::Unbarred]);
}

/// Prints the tables by shape.
#[test]
#[ignore = "a study of a minute, which prints tables"]
fn study_of_shapes() {
    for given in BOOKS {
        let charged = |program: &Program| given == Given::NOTHING || program.takes_gifts();
        let programs = BY_SHAPE.iter().filter(|(program, ..)| charged(program));
        let columns = programs.flat_map(|&(program, short, figures)| {
            let named = program.figures().iter().take(figures);
            let columns: Vec<String> = named.map(|figure| by_shape_column(short, figure)).collect();
            columns.into_iter().zip(program.study(SHAPES_AT, given))
        });
        let columns: Vec<(String, ByShape)> = columns.collect();
        let names: Vec<&str> = columns.iter().map(|column| column.0.as_str()).collect();
        let first = if given == Given::NOTHING { "shape" } else { "shape, with gifts" };
        println!("| {first} | {} |\n|---|{}", names.join(" | "), "---|".repeat(names.len()));
        for (i, shape) in Shape::FREE.into_iter().enumerate() {
            let cell = |(_, found): &(String, ByShape)| {
                let [median, tail] = spread(&found[i].1);
                format!("{median:.2} / {tail:.2}")
            };
            let cells: Vec<String> = columns.iter().map(cell).collect();
            println!("| {shape} | {} |", cells.join(" | "));
        }
        println!();
    }
}
