//! Errors of f32 sums against condition numbers, and their bounds.

use super::instance::Instance;
use super::place::{self, Place};
use super::values::{condition, double, ill_conditioned, whole};
use crate::table::Table;
use palmette_core::Tree;
use palmette_report::{AxisSpec, LineChart, Series};
use palmette_tree::sum::Summation;
use palmette_tree::{Direction, Engine};
use rayon::prelude::*;

/// Contestants in the picture of the host; those behind it have one of their own.
pub const ON_THE_HOST: usize = 7;

/// Who takes part.
pub fn contestants() -> Vec<(&'static str, Summation, Place)> {
    let host = |name, summation, engine| (name, summation, Place::Host(engine));
    let mut all = vec![
        host("sequential", Summation::Plain, Engine::Sequential),
        host("threads", Summation::Plain, Engine::Threads),
        host("levels", Summation::Plain, Engine::Levels),
        host("contract", Summation::Plain, Engine::Contract),
        host("euler", Summation::Plain, Engine::Euler),
        host("compensated", Summation::Compensated, Engine::Auto),
        host("exact", Summation::Exact, Engine::Auto),
        ("4 ranks", Summation::Plain, Place::Ranks(4)),
    ];
    all.extend(place::on_devices());
    all
}

/// What one contestant did, at worst over the trees.
#[derive(Debug, Clone, Copy, Default)]
pub struct Worst {
    /// The relative error of the measured sum.
    pub error: f64,
    /// The bound on it, over the magnitude of the sum.
    pub bound: f64,
    /// The largest share of its bound that the error of any sum in the tree takes.
    pub share: f64,
}

impl Worst {
    fn join(self, other: Worst) -> Worst {
        Worst {
            error: self.error.max(other.error),
            bound: self.bound.max(other.bound),
            share: self.share.max(other.share),
        }
    }
}

/// A condition number and how all contestants did, in their order.
pub struct Point {
    /// The condition number that was wanted.
    pub wanted: f64,
    /// The smallest and the largest that were had.
    pub conditions: [f64; 2],
    /// The contestants.
    pub worst: Vec<Worst>,
}

/// One direction over all condition numbers.
///
/// # Panics
/// When an error exceeds its bound, or an exact sum is not the nearest float.
pub fn study(direction: Direction, terms: usize, trees: u64) -> Vec<Point> {
    let powers = 1..=10;
    powers
        .map(|power| {
            let wanted = 10f64.powi(power);
            let seeds = (0..trees).map(|k| 1000 * power as u64 + k).collect::<Vec<_>>();
            let conditions = seeds.par_iter().map(|&seed| {
                let had = condition(&ill_conditioned(terms, wanted, 2 * seed));
                [had, had]
            });
            let conditions =
                conditions.reduce(|| [f64::INFINITY, 0.0], |a, b| [a[0].min(b[0]), a[1].max(b[1])]);
            let one = |&seed: &u64| measure(direction, terms, wanted, seed);
            let worst = seeds.par_iter().map(one).reduce(
                || vec![Worst::default(); contestants().len()],
                |a, b| a.into_iter().zip(b).map(|(a, b)| a.join(b)).collect(),
            );
            Point { wanted, conditions, worst }
        })
        .collect()
}

fn measure(direction: Direction, terms: usize, condition: f64, seed: u64) -> Vec<Worst> {
    let instance = Instance::new(direction, terms, condition, seed);
    let exact = exact_sums(&instance.tree, direction, &instance.values);
    // On every engine, though the picture has one line for all.
    for summation in [Summation::Compensated, Summation::Exact] {
        for place in Engine::ALL.map(Place::Host).into_iter().chain([Place::Ranks(3)]) {
            judge(&instance, direction, &exact, (summation, place));
        }
    }
    let all = contestants().into_iter();
    all.map(|(_, summation, place)| judge(&instance, direction, &exact, (summation, place)))
        .collect()
}

/// The error at the measured sum; all others are compared with their bounds.
fn judge(
    Instance { tree, values, at }: &Instance,
    direction: Direction,
    exact: &[i128],
    (summation, place): (Summation, Place),
) -> Worst {
    let (sums, bounds) = place.sums(tree, direction, values, summation);
    let error = |i: usize| double((whole(sums[i].into()) - exact[i]).abs());
    let mut worst = Worst::default();
    for (i, &bound) in bounds.iter().enumerate() {
        assert!(error(i) <= bound, "{summation} {place:?} {direction:?}: {i} exceeds its bound");
        if bound > 0.0 {
            worst.share = worst.share.max(error(i) / bound);
        }
        if summation == Summation::Exact {
            assert!(sums[i] == nearest(exact[i]), "{place:?} {direction:?}: {i}");
        }
    }
    let size = double(exact[*at].abs());
    Worst { error: error(*at) / size, bound: bounds[*at] / size, ..worst }
}

/// The nearest f32 to a multiple of 2^-64; a cast rounds ties to even.
fn nearest(exact: i128) -> f32 {
    exact as f32 / 2f32.powi(64)
}

/// The sums in fixed point, by position.
fn exact_sums(tree: &Tree, direction: Direction, values: &[f32]) -> Vec<i128> {
    let mut sums: Vec<i128> = values.iter().map(|&x| whole(x.into())).collect();
    let parents: Vec<Option<u32>> = (0..tree.len() as u32).map(|i| tree.parent(i)).collect();
    let edges = parents.iter().enumerate().filter_map(|(i, p)| p.map(|p| (i, p as usize)));
    match direction {
        Direction::Rootfix => edges.for_each(|(i, p)| sums[i] += sums[p]),
        Direction::Leaffix => {
            edges.collect::<Vec<_>>().into_iter().rev().for_each(|(i, p)| sums[p] += sums[i]);
        }
    }
    sums
}

/// The largest relative errors, and in brackets the largest bounds.
pub fn table(found: &[Point]) -> Table {
    let names: Vec<&str> = contestants().iter().map(|c| c.0).collect();
    let mut table = Table::new(&[&["condition number"][..], &names].concat());
    for point in found {
        let cell = |w: &Worst| format!("{:.1e} ({:.1e})", w.error, w.bound);
        let mut row = vec![format!("{:.0e}", point.wanted)];
        row.extend(point.worst.iter().map(cell));
        table.row(row);
    }
    let share = |k: usize| found.iter().fold(0f64, |most, p| most.max(p.worst[k].share));
    let mut row = vec!["largest error/bound of all sums".to_string()];
    row.extend((0..names.len()).map(|k| format!("{:.3}", share(k))));
    table.row(row);
    table
}

/// How far condition numbers are from those that were wanted, at most, as a share.
pub fn largest_deviation(found: &[Point]) -> f64 {
    let off = |p: &Point| p.conditions.map(|had| (had / p.wanted - 1.0).abs());
    found.iter().flat_map(off).fold(0.0, f64::max)
}

/// Errors over condition numbers, and bounds, dashed: of the host's engines, or of the others.
pub fn picture(
    direction: Direction,
    found: &[Point],
    (terms, trees): (usize, u64),
    on_the_host: bool,
) -> String {
    let contestants = contestants();
    let pass = if direction == Direction::Rootfix { "Rootfix" } else { "Leaffix" };
    let points = |of: &dyn Fn(&Point) -> f64| found.iter().map(|p| (p.wanted, of(p))).collect();
    let all = if on_the_host { 0..ON_THE_HOST } else { ON_THE_HOST..contestants.len() };
    let chart = LineChart {
        title: format!("{pass} of f32: largest relative errors and their bounds"),
        note: format!("sums of {terms} values in {trees} trees per point; dashed: largest bounds"),
        x: AxisSpec::log("condition number"),
        y: AxisSpec::log("relative error"),
        series: all
            .clone()
            .map(|k| Series {
                name: contestants[k].0.to_string(),
                points: points(&|p| p.worst[k].error),
            })
            .collect(),
        dashed: all.map(|k| points(&|p| p.worst[k].bound)).collect(),
        ..LineChart::default()
    };
    chart.to_svg()
}
