//! The published programs beside ours: the table in docs/theorems.md, printed by
//!
//! ```sh
//! cargo test --release -p palmette-spatial --test all methods -- --ignored --nocapture
//! ```
//!
//! A seed decides the trees and what processors toss or draw. Figures are medians over thirty
//! seeds, each of its own: the energy of one run, the depth perhaps of another.

use palmette_core::generate::{Shape, generate, shuffle};
use palmette_core::operator::Sum;
use palmette_core::tree::SiblingOrder;
use palmette_core::{Tree, TreeParams};
use palmette_spatial::curve::CurveKind;
use palmette_spatial::machine::{Machine, MachineParams, Memory};
use palmette_spatial::program::list_ranking::Element;
use palmette_spatial::program::{Method, kin};
use rayon::prelude::*;

const SEEDS: u64 = 30;
const SHAPES: [Shape; 7] = [
    Shape::Path,
    Shape::Caterpillar,
    Shape::Perfect,
    Shape::Random,
    Shape::Star,
    Shape::Preferential,
    Shape::DoubleBroom,
];

#[derive(Clone, Copy, PartialEq)]
enum Problem {
    Leaffix,
    Rootfix,
    ListRanking,
}

fn machine(n: usize, seed: u64, words: usize) -> Machine {
    let params = MachineParams { seed, links: false, ..MachineParams::default() }.stating(words);
    Machine::on_curve(&CurveKind::Hilbert.fitting(n as u64).unwrap(), n, params).unwrap()
}

fn tree(shape: Shape, n: usize, seed: u64) -> Tree {
    let params = TreeParams { siblings: SiblingOrder::LightFirst, ..TreeParams::default() };
    Tree::with_params(&generate(shape, n, seed).unwrap(), params).unwrap()
}

/// A run on 2^k vertices, and its rounds. The virtual tree is not counted.
fn run(problem: Problem, method: Method, shape: Shape, k: u32, seed: u64) -> (Machine, u32) {
    let n = 1usize << k;
    let words = match problem {
        Problem::ListRanking => method.rank_words::<1>(),
        Problem::Leaffix => method.leaffix_words::<Sum<u64>>(),
        Problem::Rootfix => method.rootfix_words::<Sum<u64>>(),
    };
    let mut machine = machine(n, seed, words);
    let rounds = match problem {
        Problem::ListRanking => {
            let path = shuffle(&generate(Shape::Path, n, seed).unwrap(), seed);
            let order = Tree::from_parents(&path).unwrap().vertices().to_vec();
            let mut elements = vec![[Element::ALONE]; n];
            for pair in order.windows(2) {
                elements[pair[0] as usize][0].successor = pair[1];
                elements[pair[1] as usize][0].predecessor = pair[0];
            }
            method.rank(&mut machine, "run", elements.into()).unwrap().rounds
        }
        _ => {
            let tree = tree(shape, n, seed);
            let kin = kin(&mut self::machine(n, seed, words), &tree).unwrap();
            let (sum, ones) = (Sum::<u64>::new(), Memory::new(n, |_| 1));
            let found = match problem {
                Problem::Leaffix => method.leaffix(&mut machine, "run", sum, &kin, ones),
                _ => method.rootfix(&mut machine, "run", sum, &kin, ones),
            };
            found.unwrap().rounds
        }
    };
    (machine, rounds)
}

fn median(values: impl ParallelIterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    values[values.len().div_ceil(2) - 1]
}

/// Energy over its unit, messages per vertex, depth, rounds.
fn figures(problem: Problem, method: Method, shape: Shape, k: u32) -> [f64; 4] {
    let n = f64::from(1u32 << k);
    let unit = if problem == Problem::ListRanking { n.powf(1.5) } else { n };
    let runs: Vec<[f64; 4]> = (1..=SEEDS)
        .into_par_iter()
        .map(|seed| {
            let (machine, rounds) = run(problem, method, shape, k, seed);
            let costs = machine.costs();
            let messages = costs.messages as f64 / n;
            [costs.energy as f64 / unit, messages, costs.depth.into(), rounds.into()]
        })
        .collect();
    [0, 1, 2, 3].map(|i| median(runs.par_iter().map(|run| run[i])))
}

fn print_row(name: &str, problem: Problem, shape: Shape, sizes: &[u32]) {
    let found = |k: u32| Method::ALL.map(|method| figures(problem, method, shape, k));
    let all: Vec<[[f64; 4]; 2]> = sizes.iter().map(|&k| found(k)).collect();
    let energy = if problem == Problem::ListRanking { "energy / n^1.5" } else { "energy / n" };
    let units = [energy, "messages / n", "depth", "rounds"];
    for (i, unit) in units.into_iter().enumerate() {
        let cell = |[ours, published]: &[[f64; 4]; 2]| match i {
            0 | 1 => format!("{:.1} / {:.1}", published[i], ours[i]),
            _ => format!("{:.0} / {:.0}", published[i], ours[i]),
        };
        let cells: Vec<String> = all.iter().map(cell).collect();
        println!("| {name} | {unit} | {} |", cells.join(" | "));
    }
}

#[test]
#[ignore = "a study of minutes, which prints a table"]
fn study_of_methods() {
    let sizes = [8, 10, 12, 14];
    let head: Vec<String> = sizes.iter().map(|k| format!("2^{k}")).collect();
    println!("| published / ours | figure | {} |", head.join(" | "));
    println!("|---|---|{}", "---|".repeat(sizes.len()));
    for shape in SHAPES {
        print_row(&format!("leaffix, {shape}"), Problem::Leaffix, shape, &sizes);
    }
    for shape in [Shape::Path, Shape::Preferential] {
        print_row(&format!("rootfix, {shape}"), Problem::Rootfix, shape, &sizes);
    }
    print_row("list ranking", Problem::ListRanking, Shape::Path, &sizes);
    println!();
    print_phases(12);
}

/// Where the energy of leaffix goes, by phase.
fn print_phases(k: u32) {
    let phases = ["mate", "compress", "announce", "rake", "uncontract"];
    println!("| leaffix, 2^{k} | method | {} |", phases.join(" | "));
    println!("|---|---|{}", "---|".repeat(phases.len()));
    for shape in SHAPES {
        for method in [Method::Published, Method::Ours] {
            let of = |phase: &str| {
                let name = format!("run: {phase}");
                median((1..=SEEDS).into_par_iter().map(|seed| {
                    let (machine, _) = run(Problem::Leaffix, method, shape, k, seed);
                    let costs = machine.ledger().phase(&name);
                    costs.map_or(0.0, |costs| costs.energy as f64) / f64::from(1u32 << k)
                }))
            };
            let cells: Vec<String> =
                phases.iter().map(|phase| format!("{:.1}", of(phase))).collect();
            println!("| {shape} | {method} | {} |", cells.join(" | "));
        }
    }
}

/// Ours takes less energy, fewer messages and steps: medians at 2^8 and 2^10.
#[test]
fn ours_takes_less_than_published() {
    for k in [8, 10] {
        for shape in SHAPES {
            for problem in [Problem::Leaffix, Problem::Rootfix] {
                let [ours, published] =
                    Method::ALL.map(|method| figures(problem, method, shape, k));
                let what = format!("{shape} 2^{k}: {published:.2?} and {ours:.2?}");
                assert!(ours[0] < published[0] && ours[1] < published[1], "{what}");
                assert!(ours[2] < published[2], "{what}");
            }
        }
        let [ours, published] =
            Method::ALL.map(|method| figures(Problem::ListRanking, method, Shape::Path, k));
        assert!(ours[0] < published[0] && ours[2] < published[2], "{ours:?} {published:?}");
    }
}
