//! One run of a study: what is to run, and what came out.

use super::*;
use std::fmt;

/// What is run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Case {
    /// The shape of the tree; none where the program runs on a list.
    pub shape: Option<Shape>,
    /// The number of vertices or elements.
    pub n: usize,
    /// What runs instead of the program, for comparison.
    pub baseline: Option<Baseline>,
}

impl Case {
    /// What it runs on, in a word.
    pub fn subject(&self) -> String {
        self.shape.map_or("list".to_string(), |shape| shape.to_string())
    }
}

impl fmt::Display for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let engine = self.baseline.map_or(String::new(), |baseline| format!(", {baseline}"));
        f.pad(&format!("{}, n = {}{engine}", self.subject(), self.n))
    }
}

/// What a run found out about a claim.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Finding {
    /// The claim.
    pub claim: Claim,
    /// The number that its bound speaks of.
    pub n: usize,
    /// What was measured.
    pub costs: Costs,
}

/// The cycles of a run on a wafer-scale engine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cycles {
    /// By replay.
    pub replayed: u64,
    /// By formula, rounded.
    pub estimated: u64,
    /// How many times the second the first is, in thousandths.
    pub ratio: u64,
}

impl Cycles {
    fn on(machine: &Machine) -> Option<Cycles> {
        let (replay, estimate) = (machine.replay()?, machine.cycles_estimate()?);
        let (replayed, estimated) = (replay.cycles, estimate.cycles().round() as u64);
        let ratio = (1000 * replayed + estimated / 2).checked_div(estimated);
        Some(Cycles { replayed, estimated, ratio: ratio.unwrap_or(1000) })
    }

    /// How many times the estimate the replay took.
    pub fn over_estimate(&self) -> f64 {
        self.ratio as f64 / 1000.0
    }
}

/// One run.
#[derive(Debug, Clone, PartialEq)]
pub struct Run {
    /// What was run.
    pub case: Case,
    /// Its seed, or the first of several.
    pub seed: u64,
    /// How many runs this stands for.
    pub seeds: u32,
    /// What the whole program cost.
    pub costs: Costs,
    /// The rounds of its contractions, one after another; none where nothing is contracted.
    pub rounds: Option<u32>,
    /// The most words that a processor needed, for its state, what it kept and the messages that
    /// it held.
    pub words: usize,
    /// The most work of one call of a handler.
    pub work: u32,
    /// Cycles by replay and by formula, where the study has replays that cover the run.
    pub cycles: Option<Cycles>,
    /// Whether the answers were the host's.
    pub correct: bool,
    /// How long it took, from generating to comparing.
    pub seconds: f64,
    /// Evidence for the claims of the program.
    pub findings: Vec<Finding>,
    /// All messages, if they were kept; of several runs, those of the first.
    pub trace: Option<Trace>,
}

impl Run {
    /// A run after which a machine stands like this.
    pub(super) fn on(machine: &Machine, case: Case, rounds: Option<u32>, correct: bool) -> Run {
        Run {
            case,
            seed: machine.params().seed,
            seeds: 1,
            costs: machine.costs(),
            rounds,
            words: machine.words_used(),
            work: machine.most_work(),
            cycles: Cycles::on(machine),
            correct,
            seconds: 0.0,
            findings: Vec::new(),
            trace: machine.params().trace.then(|| machine.trace().cloned()).flatten(),
        }
    }

    /// Adds evidence.
    pub(super) fn finding(&mut self, claim: Claim, n: usize, costs: Costs) {
        self.findings.push(Finding { claim, n, costs });
    }
}
