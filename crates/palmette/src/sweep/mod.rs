//! Studies: a program of the spatial computer over shapes and sizes, against its theorems.
//!
//! **Problem.** A [`Study`] names a program, shapes, sizes and seeds. Every one of each is one
//! run on a generated tree; what it cost is evidence for one or several [`Claim`]s.
//!
//! **Method.** One case after another: a tree is generated, laid out in light-first order,
//! the program runs on a machine that counts no link loads unless messages are replayed, and its
//! answer is compared with the host's. What a theorem says of a part of the program is measured on a machine of its
//! own. What the same takes without a layout, as a PRAM and by ranking the Euler tour, runs on the
//! first shape, up to a size that keeps it cheap; nothing is extrapolated.
//!
//! Seeds of a case run at the same time, one per thread.
//!
//! **Cost.** Memory for one case at a time and thread: a few hundred bytes per vertex.
//!
//! **Determinism.** All figures but the seconds depend on the study alone.
//!
//! **Reference.** *Low-Depth Spatial Tree Algorithms*.

mod baseline;
mod case;
mod claim;
mod creation;
mod error;
mod lca;
mod lists;
mod program;
mod spread;
mod treefix;

pub use baseline::Baseline;
pub use case::{Case, Cycles, Finding, Run};
pub use claim::{Claim, is_bounded};
pub use error::SweepError;
pub use program::StudyProgram;
pub use spread::{MEDIAN, TAIL, percentile};

use crate::WrongAnswer;
use palmette_core::generate::{Shape, generate, shuffle};
use palmette_core::operator::Sum;
use palmette_core::random::{SPLIT_MIX_STEP, mixed};
use palmette_core::{DEFAULT_SEED, NONE, Tree, named};
use palmette_spatial::collective::Range;
use palmette_spatial::curve::CurveKind;
use palmette_spatial::layout::{Layout, LayoutParams};
use palmette_spatial::local::families;
use palmette_spatial::machine::network::ReplayWhen;
use palmette_spatial::machine::{Costs, Delivery, Given, Machine, MachineParams, Memory, Trace};
use palmette_spatial::program::tour::links_of;
use palmette_spatial::program::{Method, kin};
use palmette_tree::TreefixParams;
use rayon::prelude::*;
use std::time::Instant;

/// What to run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Study {
    /// The program.
    pub program: StudyProgram,
    /// The shapes; of no effect where the program runs on lists.
    pub shapes: Vec<Shape>,
    /// The numbers of vertices.
    pub sizes: Vec<usize>,
    /// Curve to lay trees along.
    pub curve: CurveKind,
    /// Seed for trees, values, queries and the processors' random bits.
    pub seed: u64,
    /// How many seeds every case runs with, this one first and the next numbers after it; baselines
    /// run with one.
    pub seeds: u32,
    /// How long messages take.
    pub delivery: Delivery,
    /// What programs are given for free.
    pub given: Given,
    /// How lists and trees are contracted, where the program has a choice.
    pub method: Method,
    /// The largest size on which the baselines run too; 0 for none.
    pub baseline_limit: usize,
    /// When messages are replayed, which takes longer than the run: cycles are counted then.
    pub replay: ReplayWhen,
    /// Keep all messages of the program's runs: 24 bytes each.
    pub trace: bool,
}

impl Default for Study {
    fn default() -> Study {
        Study {
            program: StudyProgram::Treefix,
            // Of bounded degree and not, shallow and deep.
            shapes: vec![
                Shape::Random,
                Shape::Path,
                Shape::Caterpillar,
                Shape::Star,
                Shape::Perfect,
                Shape::Preferential,
                Shape::DoubleBroom,
            ],
            sizes: (8..=14).map(|k| 1 << k).collect(),
            curve: CurveKind::Hilbert,
            seed: DEFAULT_SEED,
            method: Method::default(),
            seeds: 1,
            delivery: Delivery::default(),
            given: Given::default(),
            baseline_limit: 1 << 12,
            replay: ReplayWhen::Never,
            trace: false,
        }
    }
}

impl Study {
    /// The largest size; larger machines would not fit in memory.
    pub const MOST_VERTICES: usize = 1 << 24;

    /// The runs, in their order: shapes as given, sizes growing, the baseline last. What is
    /// given twice runs once.
    pub fn cases(&self) -> Vec<Case> {
        let mut shapes: Vec<Option<Shape>> = Vec::new();
        match self.program.has_shapes() {
            true => self.shapes.iter().for_each(|&shape| {
                if !shapes.contains(&Some(shape)) {
                    shapes.push(Some(shape));
                }
            }),
            false => shapes.push(None),
        }
        let mut sizes = self.sizes.clone();
        sizes.sort_unstable();
        sizes.dedup();
        let of = |shape: Option<Shape>, baseline: Option<Baseline>| {
            sizes.iter().map(move |&n| Case { shape, n, baseline })
        };
        let first = shapes.first().copied().into_iter().flat_map(|shape| {
            Baseline::of(self.program).iter().flat_map(move |&baseline| of(shape, Some(baseline)))
        });
        let baseline = first.filter(|case| case.n <= self.baseline_limit);
        shapes.iter().flat_map(|&shape| of(shape, None)).chain(baseline).collect()
    }

    /// How many runs there are, seeds and the baseline included.
    pub fn runs(&self) -> usize {
        self.cases().iter().map(|case| self.seeds_of(case) as usize).sum()
    }

    /// How many runs of the program there are, baselines not counted.
    pub fn program_runs(&self) -> usize {
        let cases = self.cases();
        let own = cases.iter().filter(|case| case.baseline.is_none());
        own.map(|case| self.seeds_of(case) as usize).sum()
    }

    fn seeds_of(&self, case: &Case) -> u32 {
        if case.baseline.is_some() { 1 } else { self.seeds.max(1) }
    }

    fn machine_params(&self) -> MachineParams {
        let &Study { seed, delivery, given, replay, trace, .. } = self;
        // The estimate needs the loads of links.
        let links = replay != ReplayWhen::Never;
        MachineParams { seed, delivery, given, links, replay, trace, ..MachineParams::default() }
    }

    /// A machine along the curve, with vertices that lie anywhere, for a program that states so
    /// many words.
    fn machine(&self, n: usize, words: usize) -> Result<Machine, SweepError> {
        let curve = self.curve.fitting(n as u64)?;
        Ok(Machine::on_curve(&curve, n, self.machine_params().stating(words))?)
    }

    /// The tree of a case, its vertices numbered at random.
    fn shuffled(&self, shape: Shape, n: usize) -> Result<Tree, SweepError> {
        Ok(Tree::from_parents(&shuffle(&generate(shape, n, self.seed)?, self.seed))?)
    }

    /// The tree of a case in light-first order.
    fn layout(&self, shape: Shape, n: usize) -> Result<Layout, SweepError> {
        let tree = Tree::from_parents(&generate(shape, n, self.seed)?)?;
        let params = LayoutParams { curve: self.curve, ..LayoutParams::default() };
        Ok(Layout::new(tree, params)?)
    }

    /// Number `i` of a random sequence (SplitMix64).
    fn random(&self, i: u64) -> u64 {
        mixed(self.seed.wrapping_add((i + 1).wrapping_mul(SPLIT_MIX_STEP)))
    }

    /// Small values of either sign, by position.
    fn values(&self, n: usize) -> Vec<i64> {
        (0..n as u64).map(|i| (self.random(i) % 2001) as i64 - 1000).collect()
    }
}

/// Where a study is.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub enum Progress<'a> {
    /// A case begins.
    Begins(&'a Case),
    /// A run has ended.
    Ends(&'a Run),
}

/// What a study found.
#[derive(Debug, Clone, PartialEq)]
pub struct Sweep {
    /// The program's runs: the seeds of a case one after another.
    pub runs: Vec<Run>,
    /// The baselines'.
    pub baseline: Vec<Run>,
}

impl Sweep {
    /// Whether every answer was the host's.
    pub fn is_correct(&self) -> bool {
        self.runs.iter().chain(&self.baseline).all(|run| run.correct)
    }

    /// The first answer of a program's study that was not the host's.
    ///
    /// # Errors
    /// When there is one.
    pub fn check(&self, program: StudyProgram) -> Result<(), WrongAnswer> {
        match self.runs.iter().chain(&self.baseline).find(|run| !run.correct) {
            Some(run) => Err(WrongAnswer { program: format!("{program} on {}", run.case) }),
            None => Ok(()),
        }
    }
}

/// Runs a study; `watch` hears when a case begins, and of every run when it has ended.
///
/// ```
/// use palmette::core::generate::Shape;
/// use palmette::sweep::{Study, sweep};
/// let study = Study { shapes: vec![Shape::Star], sizes: vec![64, 256], ..Study::default() };
/// let found = sweep(&study, |_| ())?;
/// assert!(found.is_correct());
/// assert!(found.runs.iter().all(|run| run.costs.energy < 12 * run.case.n as u64));
/// # Ok::<(), palmette::sweep::SweepError>(())
/// ```
///
/// # Errors
/// A size that a shape or the machine does not have, a method for a program that has no choice.
pub fn sweep(study: &Study, mut watch: impl FnMut(Progress<'_>)) -> Result<Sweep, SweepError> {
    if study.method != Method::default() && !study.program.has_methods() {
        return Err(SweepError::Method { program: study.program, method: study.method });
    }
    let mut found = Sweep { runs: Vec::new(), baseline: Vec::new() };
    for case in study.cases() {
        watch(Progress::Begins(&case));
        let of_seed = |k: u32| {
            let start = Instant::now();
            let study = Study { seed: study.seed.wrapping_add(k.into()), ..study.clone() };
            let run = run(&study, case)?;
            Ok(Run { seconds: start.elapsed().as_secs_f64(), ..run })
        };
        let seeds = (0..study.seeds_of(&case)).into_par_iter();
        let runs: Vec<Run> = seeds.map(of_seed).collect::<Result<_, SweepError>>()?;
        for run in runs {
            watch(Progress::Ends(&run));
            if case.baseline.is_some() { &mut found.baseline } else { &mut found.runs }.push(run);
        }
    }
    Ok(found)
}

fn run(study: &Study, case: Case) -> Result<Run, SweepError> {
    if let Some(baseline) = case.baseline {
        return match case.shape {
            Some(shape) => baseline::leaffix(study, (case, baseline), shape),
            None => baseline::list_ranking(study, case),
        };
    }
    match (study.program, case.shape) {
        (StudyProgram::Treefix | StudyProgram::Rootfix, Some(shape)) => {
            treefix::run(study, case, shape)
        }
        (StudyProgram::Lca, Some(shape)) => lca::run(study, case, shape),
        (StudyProgram::Layout, Some(shape)) => creation::run(study, case, shape),
        (_, _) => lists::run(study, case),
    }
}
