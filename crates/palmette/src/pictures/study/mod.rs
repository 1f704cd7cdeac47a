//! A study of a program over shapes and sizes: a plot per theorem, tables, a page.

mod own;
mod theorems;
mod words;

pub use own::{Bound, OwnRun, OwnStudy, Quantity};

use super::still;
use crate::figures::Figures;
use crate::sweep::{MEDIAN, Run, Study, Sweep, TAIL};
use palmette_core::{Picture, Record};
use palmette_report::{Cell, Law, SweepPage, Table, TheoremPlot};
use serde_json::{Map, Value, json};

const HEADER: [&str; 16] = [
    "shape",
    "n",
    "energy/n",
    "energy words/n",
    "energy/(n log n)",
    "energy/n^1.5",
    "depth/log n",
    "depth/log² n",
    "distance/√n",
    "rounds",
    "words",
    "work",
    "cycles",
    "cycles estimate",
    "cycles/estimate",
    "correct",
];

/// The columns of [`HEADER`] that a table has only where messages are replayed.
const CYCLES: [&str; 3] = ["cycles", "cycles estimate", "cycles/estimate"];

/// Costs over laws, with their names in records.
fn ratios(run: &Run) -> [(&'static str, Option<f64>); 7] {
    let n = run.case.n as f64;
    let over = |cost: f64, law: Law| Some(cost / law.at(n)).filter(|ratio| ratio.is_finite());
    let (energy, words) = (run.costs.energy as f64, run.costs.energy_words as f64);
    let depth = f64::from(run.costs.depth);
    [
        ("energy_per_vertex", over(energy, Law::Linear)),
        ("energy_words_per_vertex", over(words, Law::Linear)),
        ("energy_per_n_log_n", over(energy, Law::LinearLog)),
        ("energy_per_n_root_n", over(energy, Law::ThreeHalves)),
        ("depth_per_log_n", over(depth, Law::Log)),
        ("depth_per_log_squared_n", over(depth, Law::LogSquared)),
        ("distance_per_root_n", over(run.costs.distance as f64, Law::Root)),
    ]
}

/// What a study found, beside what the theorems say.
#[derive(Debug)]
pub struct StudyPlots<'a> {
    study: &'a Study,
    found: &'a Sweep,
    /// Medians over seeds, and the 99th percentiles where there are several seeds.
    runs: [Vec<Run>; 2],
    plots: Vec<TheoremPlot>,
    /// The same plots of the 99th percentiles.
    tails: Vec<TheoremPlot>,
}

impl<'a> StudyPlots<'a> {
    /// One plot per claim and quantity; none of claims without evidence.
    pub fn of(study: &'a Study, found: &'a Sweep) -> StudyPlots<'a> {
        let runs = [MEDIAN, TAIL].map(|percent| found.at(percent));
        let [plots, tails] =
            [0, 1].map(|k| theorems::plots(study.program, &runs[k], &found.baseline));
        StudyPlots { study, found, runs, plots, tails }
    }

    /// The plots, as records keep them.
    pub fn pictures(&self) -> Vec<Picture> {
        let plots = self.plots.iter();
        plots.map(|plot| still(&plot.name, &plot.quantity, plot.to_svg())).collect()
    }

    /// The runs, then the constants of all plots.
    pub fn tables(&self) -> [Table; 2] {
        [self.table(), self.constants()]
    }

    /// A page, the same for the same study; `facts` are what made it, by name.
    pub fn page(self, facts: Vec<(String, String)>) -> SweepPage {
        let table = self.table();
        let StudyPlots { study, found, plots, .. } = self;
        SweepPage {
            title: format!("Sweep of {}", study.program),
            introduction: words::introduction(study, found),
            facts,
            figures: Vec::new(),
            notes: words::notes(study.program, found, &plots),
            plots,
            tables: vec![(study.program.to_string(), table)],
        }
    }
}

impl Figures for StudyPlots<'_> {
    fn figures(&self, record: &mut Record) {
        record
            .figure("rows", rows(&self.runs[0], &self.runs[1]))
            .figure("baseline", rows(&self.found.baseline, &self.found.baseline))
            .figure("fits", self.fits())
            .figure("correct", self.found.is_correct());
    }
}

impl StudyPlots<'_> {
    /// One row per case, the baseline's last; with several seeds a row of medians, and one of the
    /// 99th percentiles.
    fn table(&self) -> Table {
        let replayed = self.runs[0].iter().any(|run| run.cycles.is_some());
        let header = HEADER.into_iter().filter(|name| replayed || !CYCLES.contains(name));
        let mut table = Table::new(&header.collect::<Vec<_>>());
        let mut row = |run: &Run, what: &str| {
            table.row(cells(run, what, replayed));
        };
        for (median, tail) in self.runs[0].iter().zip(&self.runs[1]) {
            row(median, "");
            if median.seeds > 1 {
                row(tail, ", 99%");
            }
        }
        for run in &self.found.baseline {
            let other = run.case.baseline.map_or(String::new(), |other| format!(" ({other})"));
            row(run, &other);
        }
        table
    }

    /// The constants of all plots.
    fn constants(&self) -> Table {
        let mut table =
            Table::new(&["theorem", "quantity", "law", "constant", "largest", "99%", "points"]);
        for (plot, tail) in self.plots.iter().zip(&self.tails) {
            let mut row =
                [&plot.name, &plot.quantity].map(|text| Cell::from(text.as_str())).to_vec();
            row.push(Cell::from(plot.law.name()));
            if let Some((fit, tail)) = plot.fit().zip(tail.fit()) {
                row.extend([fit.constant, fit.largest, tail.largest].map(Cell::from));
                row.push(fit.points.into());
            }
            table.row(row);
        }
        table
    }

    /// The constants for a record.
    fn fits(&self) -> Value {
        let fit = |(plot, tail): (&TheoremPlot, &TheoremPlot)| {
            let (fit, tail) = (plot.fit(), tail.fit());
            json!({
                "theorem": plot.name,
                "quantity": plot.quantity,
                "law": plot.law.name(),
                "constant": fit.map(|fit| fit.constant),
                "largest": fit.map(|fit| fit.largest),
                "largest_p99": tail.map(|fit| fit.largest),
                "points": fit.map_or(0, |fit| fit.points),
                "shapes": plot.series.iter().map(|series| series.name.as_str()).collect::<Vec<_>>(),
            })
        };
        self.plots.iter().zip(&self.tails).map(fit).collect()
    }
}

fn cells(run: &Run, what: &str, replayed: bool) -> Vec<Cell> {
    let mut row = vec![Cell::from(format!("{}{what}", run.case.subject())), Cell::from(run.case.n)];
    row.extend(ratios(run).map(|(_, ratio)| ratio.map_or_else(Cell::missing, Cell::from)));
    row.push(run.rounds.map_or_else(Cell::missing, |rounds| Cell::from(u64::from(rounds))));
    row.push(Cell::from(run.words));
    row.push(Cell::from(u64::from(run.work)));
    if replayed {
        let cycles = [run.cycles.map(|c| c.replayed), run.cycles.map(|c| c.estimated)];
        row.extend(cycles.map(|cycles| cycles.map_or_else(Cell::missing, Cell::from)));
        let ratio = run.cycles.map(|cycles| cycles.over_estimate());
        row.push(ratio.map_or_else(Cell::missing, Cell::from));
    }
    row.push(Cell::from(if run.correct { "yes" } else { "NO" }));
    row
}

/// The runs for a record: medians over seeds, and beside them the 99th percentiles.
fn rows(medians: &[Run], tails: &[Run]) -> Value {
    let row = |(run, tail): (&Run, &Run)| {
        let mut row = Map::new();
        let mut put = |key: &str, value: Value| row.insert(key.to_string(), value);
        put("shape", run.case.subject().into());
        if let Some(baseline) = run.case.baseline {
            put("baseline", baseline.name().into());
        }
        put("n", run.case.n.into());
        put("seeds", run.seeds.into());
        figures(run).into_iter().for_each(|(key, value)| drop(put(key, value)));
        put("correct", run.correct.into());
        ratios(run).into_iter().for_each(|(key, ratio)| drop(put(key, ratio.into())));
        if run.seeds > 1 {
            let tail = figures(tail).into_iter().map(|(key, value)| (key.to_string(), value));
            put("p99", Value::Object(tail.collect()));
        }
        put("seconds", run.seconds.into());
        Value::Object(row)
    };
    medians.iter().zip(tails).map(row).collect()
}

/// What was counted, with its names in records.
fn figures(run: &Run) -> [(&'static str, Value); 11] {
    [
        ("energy", run.costs.energy.into()),
        ("energy_words", run.costs.energy_words.into()),
        ("depth", run.costs.depth.into()),
        ("distance", run.costs.distance.into()),
        ("messages", run.costs.messages.into()),
        ("rounds", run.rounds.into()),
        ("words", run.words.into()),
        ("work", run.work.into()),
        ("cycles", run.cycles.map(|cycles| cycles.replayed).into()),
        ("cycles_estimate", run.cycles.map(|cycles| cycles.estimated).into()),
        ("cycles_ratio", run.cycles.map(|cycles| cycles.over_estimate()).into()),
    ]
}
