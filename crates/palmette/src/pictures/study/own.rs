//! A program of the user's over sizes, against a theorem of the user's.
//!
//! **Problem.** Costs at several sizes, and laws that they are said to follow.
//!
//! **Method.** One plot per law, as for our own programs. A law that is too small shows in the
//! ratio of cost and law: at the largest size it is above that of the smallest.
//!
//! **Cost.** One pass per law.

use super::*;
use palmette_core::named;
use palmette_report::Series;
use palmette_spatial::machine::{Costs, Machine};
use std::str::FromStr;

named! {
    /// What a theorem speaks of.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    #[non_exhaustive]
    pub enum Quantity("quantity") {
        /// The total distance of all messages.
        Energy = "energy",
        /// The same, counted once for every word.
        EnergyWords = "energy_words",
        /// The longest chain of messages.
        Depth = "depth",
        /// The largest energy of a chain.
        Distance = "distance",
        /// The number of messages.
        Messages = "messages",
        /// The most words that a processor needed.
        Words = "words",
    }
}

/// One run at one size.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OwnRun {
    /// The number of processors.
    pub n: usize,
    /// What it cost.
    pub costs: Costs,
    /// The most words that a processor needed.
    pub words: usize,
    /// Whether the answer was right, if anyone looked.
    pub correct: Option<bool>,
}

impl OwnRun {
    /// What a machine counted.
    pub fn on(machine: &Machine, correct: Option<bool>) -> OwnRun {
        let (costs, words) = (machine.costs(), machine.words_used());
        OwnRun { n: machine.processors(), costs, words, correct }
    }

    fn value(&self, quantity: Quantity) -> u64 {
        match quantity {
            Quantity::Energy => self.costs.energy,
            Quantity::EnergyWords => self.costs.energy_words,
            Quantity::Depth => self.costs.depth.into(),
            Quantity::Distance => self.costs.distance,
            Quantity::Messages => self.costs.messages,
            Quantity::Words => self.words as u64,
        }
    }
}

/// What a theorem says of one quantity.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bound {
    /// The quantity.
    pub quantity: Quantity,
    /// How it grows at most.
    pub law: Law,
}

impl Bound {
    /// A quantity and a law by their names; `n^1.5`, `log^2 n` and `sqrt n` are laws too.
    ///
    /// # Errors
    /// A name that does not exist.
    pub fn parse(quantity: &str, law: &str) -> Result<Bound, palmette_core::named::UnknownName> {
        let law = law.replace("^1.5", "¹·⁵").replace("^2", "²").replace("sqrt n", "√n");
        Ok(Bound { quantity: quantity.parse()?, law: Law::from_str(&law)? })
    }
}

/// What a program cost at several sizes, beside what is said of it.
#[derive(Debug, Clone)]
pub struct OwnStudy {
    /// The program.
    pub name: String,
    /// The runs, sizes growing; several of one size differ by their seeds.
    pub runs: Vec<OwnRun>,
    /// What is said.
    pub bounds: Vec<Bound>,
}

impl OwnStudy {
    fn plots(&self) -> Vec<TheoremPlot> {
        let plot = |&Bound { quantity, law }: &Bound| {
            let points = self.runs.iter().map(|run| (run.n as f64, run.value(quantity) as f64));
            TheoremPlot {
                name: self.name.clone(),
                claim: format!("{quantity} is O({law})"),
                quantity: quantity.to_string(),
                law,
                series: vec![Series { name: self.name.clone(), points: points.collect() }],
                baseline: None,
            }
        };
        self.bounds.iter().map(plot).collect()
    }

    /// One plot per bound.
    pub fn pictures(&self) -> Vec<Picture> {
        let plots = self.plots();
        plots.iter().map(|plot| still(&plot.quantity, &plot.quantity, plot.to_svg())).collect()
    }

    /// The mean ratio of a cost and its law at a size.
    fn ratio(&self, Bound { quantity, law }: Bound, n: usize) -> Option<f64> {
        let here = self.runs.iter().filter(|run| run.n == n);
        let points = here.map(|run| (n as f64, run.value(quantity) as f64));
        law.fit(points).map(|fit| fit.constant)
    }

    /// The ratio at the largest size over that at the smallest: about 1 where the law is right,
    /// and more where it is too small.
    pub fn growth(&self, bound: Bound) -> Option<f64> {
        let sizes = || self.runs.iter().map(|run| run.n);
        let ratio = |n: Option<usize>| self.ratio(bound, n?);
        Some(ratio(sizes().max())? / ratio(sizes().min())?)
    }
}

impl Figures for OwnStudy {
    fn figures(&self, record: &mut Record) {
        let row = |run: &OwnRun| {
            let mut row = Map::new();
            row.insert("n".to_string(), run.n.into());
            for quantity in Quantity::ALL {
                row.insert(quantity.to_string(), run.value(quantity).into());
            }
            row.insert("correct".to_string(), run.correct.into());
            Value::Object(row)
        };
        let plots = self.plots();
        let fits = plots.iter().zip(&self.bounds).map(|(plot, &bound)| {
            let fit = plot.fit();
            json!({
                "quantity": plot.quantity,
                "law": plot.law.name(),
                "constant": fit.map(|fit| fit.constant),
                "largest": fit.map(|fit| fit.largest),
                "growth": self.growth(bound),
                "points": fit.map_or(0, |fit| fit.points),
            })
        });
        let fits: Vec<Value> = fits.collect();
        let looked = self.runs.iter().any(|run| run.correct.is_some());
        let correct = self.runs.iter().all(|run| run.correct != Some(false));
        record
            .figure("rows", self.runs.iter().map(row).collect::<Vec<_>>())
            .figure("fits", fits)
            .figure("correct", looked.then_some(correct));
    }
}
