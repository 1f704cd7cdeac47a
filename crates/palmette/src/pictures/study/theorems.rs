//! The claims of a study, as plots.

use crate::sweep::{Claim, Run, StudyProgram, is_bounded};
use palmette_report::{Law, Series, TheoremPlot};
use palmette_spatial::machine::Costs;

/// What a claim says of one quantity.
struct Bound {
    quantity: &'static str,
    law: Law,
    words: &'static str,
}

const fn energy(law: Law, words: &'static str) -> Bound {
    Bound { quantity: "energy", law, words }
}

const fn depth(law: Law, words: &'static str) -> Bound {
    Bound { quantity: "depth", law, words }
}

impl Bound {
    fn of(&self, costs: Costs) -> f64 {
        match self.quantity {
            "depth" => f64::from(costs.depth),
            "energy_words" => costs.energy_words as f64,
            _ => costs.energy as f64,
        }
    }
}

/// What a claim says of all quantities. Theorems count energy by message; the same law is drawn for
/// energy by word, as messages have a fixed number of them.
fn bounds(claim: Claim) -> Vec<Bound> {
    let mut bounds = stated(claim);
    let energy = bounds.iter().position(|bound| bound.quantity == "energy");
    if let Some(at) = energy {
        let words = "the same with every message counted once for each of its words";
        bounds.insert(at + 1, Bound { quantity: "energy_words", law: bounds[at].law, words });
    }
    bounds
}

fn stated(claim: Claim) -> Vec<Bound> {
    match claim {
        // The depth of one round is 1.
        Claim::Theorem1 => vec![energy(
            Law::Linear,
            "on trees of bounded degree in light-first order, one message from every vertex to \
             each of its children takes O(n) energy",
        )],
        Claim::Theorem3 => vec![
            energy(
                Law::Linear,
                "local messaging takes O(n) energy: the virtual tree is made, every vertex tells \
                 all its children, and hears from all of them",
            ),
            depth(Law::Log, "the same messages have O(log n) depth"),
        ],
        Claim::Theorem4 => vec![
            energy(Law::ThreeHalves, "light-first order takes O(n^1.5) energy to compute"),
            depth(
                Law::LogSquared,
                "light-first order has polylogarithmic depth to compute: O(log^2 n) by the \
                 network that sorts siblings",
            ),
        ],
        Claim::Theorem5 => vec![
            energy(Law::ThreeHalves, "ranking a list takes O(n^1.5) energy"),
            depth(Law::Log, "ranking a list has O(log n) depth"),
        ],
        Claim::Theorem6 => vec![
            energy(Law::LinearLog, "lowest common ancestors of n pairs take O(n log n) energy"),
            depth(Law::LogSquared, "lowest common ancestors of n pairs have O(log^2 n) depth"),
        ],
        Claim::Corollary2 => vec![
            energy(Law::ThreeHalves, "an Euler tour takes O(n^1.5) energy"),
            depth(Law::Log, "an Euler tour has O(log n) depth"),
        ],
        Claim::Lemma11 => vec![
            energy(Law::LinearLog, "treefix on trees of bounded degree takes O(n log n) energy"),
            depth(Law::Log, "treefix on trees of bounded degree has O(log n) depth"),
        ],
        Claim::Lemma12 => vec![
            energy(Law::LinearLog, "treefix on any tree takes O(n log n) energy"),
            depth(Law::LogSquared, "treefix on any tree has O(log^2 n) depth"),
        ],
        Claim::Lemma13 => vec![
            energy(Law::Linear, "a broadcast on a range of n addresses takes O(n) energy"),
            depth(Law::Log, "a broadcast on a range of n addresses has O(log n) depth"),
        ],
    }
}

/// Whether baselines do what a claim is about, or a part of it.
fn has_baseline(claim: Claim) -> bool {
    !matches!(claim, Claim::Theorem1 | Claim::Theorem3 | Claim::Lemma13)
}

/// One plot per claim and quantity; none for claims without evidence.
pub(super) fn plots(program: StudyProgram, runs: &[Run], others: &[Run]) -> Vec<TheoremPlot> {
    let mut plots = Vec::new();
    for &claim in program.claims() {
        for bound in bounds(claim) {
            let series = series(runs, claim, &bound);
            if series.is_empty() {
                continue;
            }
            let baseline = strongest(others, &bound).filter(|_| has_baseline(claim));
            plots.push(TheoremPlot {
                name: claim.name().to_string(),
                claim: bound.words.to_string(),
                quantity: bound.quantity.to_string(),
                law: bound.law,
                series,
                baseline,
            });
        }
    }
    plots
}

/// The baseline that takes least, on the largest size, of what a bound is about.
fn strongest(runs: &[Run], bound: &Bound) -> Option<Series> {
    let last = runs.iter().map(|run| run.case.n).max()?;
    let of_last = runs.iter().filter(|run| run.case.n == last);
    let best = of_last.min_by(|a, b| bound.of(a.costs).total_cmp(&bound.of(b.costs)))?.case;
    let points = runs.iter().filter(|run| run.case.baseline == best.baseline);
    let points = points.map(|run| (run.case.n as f64, bound.of(run.costs))).collect();
    let name = format!("{} on {}, measured", best.baseline?, best.subject());
    Some(Series { name, points })
}

/// The evidence, one series per shape. Those of bounded degree come first, so that a shape has
/// the same colour in all plots of a page.
fn series(runs: &[Run], claim: Claim, bound: &Bound) -> Vec<Series> {
    let bounded = |run: &&Run| run.case.shape.is_some_and(is_bounded);
    let (first, others): (Vec<&Run>, Vec<&Run>) = runs.iter().partition(bounded);
    let mut series: Vec<Series> = Vec::new();
    for run in first.into_iter().chain(others) {
        for finding in run.findings.iter().filter(|finding| finding.claim == claim) {
            // A range is the same in all trees.
            let is_range = claim == Claim::Lemma13;
            let name = if is_range { "last two thirds".into() } else { run.case.subject() };
            let at = series.iter().position(|s| s.name == name).unwrap_or_else(|| {
                series.push(Series { name, points: Vec::new() });
                series.len() - 1
            });
            let point = (finding.n as f64, bound.of(finding.costs));
            if !series[at].points.contains(&point) {
                series[at].points.push(point);
            }
        }
    }
    series
}
