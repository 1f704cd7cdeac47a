//! A study of a program over shapes and sizes: a plot per theorem, tables, a page.

mod own;
mod theorems;
mod words;

pub use own::{Bound, OwnRun, OwnStudy, Quantity};

use super::still;
use crate::figures::Figures;
use crate::sweep::{Run, Study, Sweep};
use palmette_core::{Picture, Record};
use palmette_report::{Cell, Law, SweepPage, Table, TheoremPlot};
use serde_json::{Map, Value, json};

const HEADER: [&str; 11] = [
    "shape",
    "n",
    "energy/n",
    "energy/(n log n)",
    "energy/n^1.5",
    "depth/log n",
    "depth/log² n",
    "distance/√n",
    "rounds",
    "words",
    "correct",
];

/// Costs over laws, with their names in records.
fn ratios(run: &Run) -> [(&'static str, Option<f64>); 6] {
    let n = run.case.n as f64;
    let over = |cost: f64, law: Law| Some(cost / law.at(n)).filter(|ratio| ratio.is_finite());
    let (energy, depth) = (run.costs.energy as f64, f64::from(run.costs.depth));
    [
        ("energy_per_vertex", over(energy, Law::Linear)),
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
    plots: Vec<TheoremPlot>,
}

impl<'a> StudyPlots<'a> {
    /// One plot per claim and quantity; none of claims without evidence.
    pub fn of(study: &'a Study, found: &'a Sweep) -> StudyPlots<'a> {
        StudyPlots { study, found, plots: theorems::plots(study.program, found) }
    }

    /// The plots, as records keep them.
    pub fn pictures(&self) -> Vec<Picture> {
        let plots = self.plots.iter();
        plots.map(|plot| still(&plot.name, &plot.quantity, plot.to_svg())).collect()
    }

    /// The runs, then the constants of all plots.
    pub fn tables(&self) -> [Table; 2] {
        [table(self.found), constants(&self.plots)]
    }

    /// A page, the same for the same study; `facts` are what made it, by name.
    pub fn page(self, facts: Vec<(String, String)>) -> SweepPage {
        let StudyPlots { study, found, plots } = self;
        SweepPage {
            title: format!("Sweep of {}", study.program),
            introduction: words::introduction(study, found),
            facts,
            figures: Vec::new(),
            notes: words::notes(study.program, found, &plots),
            plots,
            tables: vec![(study.program.to_string(), table(found))],
        }
    }
}

impl Figures for StudyPlots<'_> {
    fn figures(&self, record: &mut Record) {
        record
            .figure("rows", rows(&self.found.runs))
            .figure("baseline", rows(&self.found.baseline))
            .figure("fits", fits(&self.plots))
            .figure("correct", self.found.is_correct());
    }
}

/// One row per run, the baseline's last.
fn table(found: &Sweep) -> Table {
    let mut table = Table::new(&HEADER);
    for run in found.runs.iter().chain(&found.baseline) {
        let engine = run.case.baseline.map_or(String::new(), |other| format!(" ({other})"));
        let mut row =
            vec![Cell::from(format!("{}{engine}", run.case.subject())), Cell::from(run.case.n)];
        row.extend(ratios(run).map(|(_, ratio)| ratio.map_or_else(Cell::missing, Cell::from)));
        row.push(run.rounds.map_or_else(Cell::missing, |rounds| Cell::from(u64::from(rounds))));
        row.push(Cell::from(run.words));
        row.push(Cell::from(if run.correct { "yes" } else { "NO" }));
        table.row(row);
    }
    table
}

/// The constants of all plots.
fn constants(plots: &[TheoremPlot]) -> Table {
    let mut table = Table::new(&["theorem", "quantity", "law", "constant", "largest", "points"]);
    for plot in plots {
        let mut row = [&plot.name, &plot.quantity].map(|text| Cell::from(text.as_str())).to_vec();
        row.push(Cell::from(plot.law.name()));
        if let Some(fit) = plot.fit() {
            row.extend([Cell::from(fit.constant), Cell::from(fit.largest), fit.points.into()]);
        }
        table.row(row);
    }
    table
}

/// The runs for a record.
fn rows(runs: &[Run]) -> Value {
    let row = |run: &Run| {
        let mut row = Map::new();
        let mut put = |key: &str, value: Value| row.insert(key.to_string(), value);
        put("shape", run.case.subject().into());
        if let Some(baseline) = run.case.baseline {
            put("baseline", baseline.name().into());
        }
        put("n", run.case.n.into());
        put("energy", run.costs.energy.into());
        put("depth", run.costs.depth.into());
        put("distance", run.costs.distance.into());
        put("messages", run.costs.messages.into());
        put("rounds", run.rounds.into());
        put("words", run.words.into());
        put("correct", run.correct.into());
        ratios(run).into_iter().for_each(|(key, ratio)| drop(put(key, ratio.into())));
        put("seconds", run.seconds.into());
        Value::Object(row)
    };
    runs.iter().map(row).collect()
}

/// The constants for a record.
fn fits(plots: &[TheoremPlot]) -> Value {
    let fit = |plot: &TheoremPlot| {
        let fit = plot.fit();
        json!({
            "theorem": plot.name,
            "quantity": plot.quantity,
            "law": plot.law.name(),
            "constant": fit.map(|fit| fit.constant),
            "largest": fit.map(|fit| fit.largest),
            "points": fit.map_or(0, |fit| fit.points),
            "shapes": plot.series.iter().map(|series| series.name.as_str()).collect::<Vec<_>>(),
        })
    };
    plots.iter().map(fit).collect()
}
