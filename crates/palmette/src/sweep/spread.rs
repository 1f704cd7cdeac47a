//! Runs with many seeds, as one: every figure at a percentile of its own.
//!
//! **Method.** Nearest rank: of k values in growing order the p-th percentile is number
//! ⌈p k / 100⌉. So it was measured, and of 30 seeds the 99th percentile is the largest.

use super::*;

/// The percentile of the typical run.
pub const MEDIAN: u32 = 50;
/// The percentile that guards and bounds go by.
pub const TAIL: u32 = 99;

/// The value at a percentile from 1 to 100; the least one where there is none.
pub fn percentile<T: Ord + Default>(values: impl Iterator<Item = T>, percent: u32) -> T {
    let mut values: Vec<T> = values.collect();
    values.sort_unstable();
    let rank = (values.len() * percent as usize).div_ceil(100).max(1);
    values.into_iter().nth(rank - 1).unwrap_or_default()
}

impl Sweep {
    /// The program's runs, one for every case: its figures are those at a percentile of all its
    /// seeds, each by itself. It is correct if all were; its seconds are those of all.
    pub fn at(&self, percent: u32) -> Vec<Run> {
        self.runs.chunk_by(|a, b| a.case == b.case).map(|runs| at(runs, percent)).collect()
    }
}

fn at(runs: &[Run], percent: u32) -> Run {
    let of = |figure: fn(&Run) -> u64| percentile(runs.iter().map(figure), percent);
    let first = &runs[0];
    let finding = |(k, found): (usize, &Finding)| {
        let of_seeds = runs.iter().map(|run| run.findings[k].costs);
        Finding { costs: costs(of_seeds, percent), ..*found }
    };
    Run {
        case: first.case,
        seed: first.seed,
        seeds: runs.len() as u32,
        costs: costs(runs.iter().map(|run| run.costs), percent),
        rounds: first.rounds.map(|_| of(|run| run.rounds.unwrap_or(0).into()) as u32),
        words: of(|run| run.words as u64) as usize,
        work: of(|run| run.work.into()) as u32,
        cycles: cycles(runs, percent),
        correct: runs.iter().all(|run| run.correct),
        seconds: runs.iter().map(|run| run.seconds).sum(),
        findings: first.findings.iter().enumerate().map(finding).collect(),
        trace: None,
    }
}

/// Those of the runs that were replayed.
fn cycles(runs: &[Run], percent: u32) -> Option<Cycles> {
    let all: Vec<Cycles> = runs.iter().filter_map(|run| run.cycles).collect();
    let of = |figure: fn(&Cycles) -> u64| percentile(all.iter().map(figure), percent);
    let (replayed, estimated) = (of(|c| c.replayed), of(|c| c.estimated));
    (!all.is_empty()).then_some(Cycles { replayed, estimated, ratio: of(|c| c.ratio) })
}

fn costs(all: impl Iterator<Item = Costs> + Clone, percent: u32) -> Costs {
    let of = |figure: fn(&Costs) -> u64| percentile(all.clone().map(|c| figure(&c)), percent);
    Costs {
        energy: of(|c| c.energy),
        energy_words: of(|c| c.energy_words),
        messages: of(|c| c.messages),
        depth: of(|c| c.depth.into()) as u32,
        distance: of(|c| c.distance),
        longest: of(|c| c.longest.into()) as u32,
    }
}
