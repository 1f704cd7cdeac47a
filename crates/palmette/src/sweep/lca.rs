//! Runs of lowest common ancestors, and of the broadcasts that they rest on.

use super::*;
use palmette_spatial::collective::{broadcast, broadcast_words};
use palmette_spatial::program::lca::{Batch, LcaParams, QUERY_WORDS, lowest_common_ancestors};
use palmette_tree::lca::Lca;

/// As many random pairs as vertices, the virtual tree included.
pub(super) fn run(study: &Study, case: Case, shape: Shape) -> Result<Run, SweepError> {
    let layout = study.layout(shape, case.n)?;
    let tree = layout.tree();
    let position = |i: u64| (study.random(i) % case.n as u64) as u32;
    let pairs: Vec<(u32, u32)> =
        (0..case.n as u64).map(|i| (position(2 * i), position(2 * i + 1))).collect();
    // Vertices with many queries are split: the machine has a few more.
    let batch = Batch::new(tree, &pairs, study.machine_params().given)?;
    let params = LayoutParams { curve: study.curve, ..LayoutParams::default() };
    let split = Layout::new(batch.tree().clone(), params)?;
    let lca = LcaParams::default();
    let words = lca.words(split.tree().len());
    let mut machine = split.machine(study.machine_params().stating(words))?;
    let kin = kin(&mut machine.keep_words(QUERY_WORDS), split.tree())?;
    let answers = lowest_common_ancestors(&mut machine, &kin, &batch, lca)?;
    let is_right = answers.lca == Lca::new(tree).batch(&pairs);

    let mut ranges = layout.machine(study.machine_params().stating(broadcast_words::<u32>()))?;
    let range = Range::new(case.n as u32 / 3, case.n as u32);
    let values = Memory::new(case.n, |p| p);
    let heard = broadcast(&mut ranges, "broadcast", range, values)?;
    let told = |p: u32| if range.contains(p) { range.first } else { p };
    let all_heard = (0..).map(told).zip(heard.states()).all(|(told, &heard)| told == heard);

    let rounds = answers.rounds.iter().sum();
    let mut run = Run::on(&machine, case, Some(rounds), is_right && all_heard);
    run.finding(Claim::Theorem6, case.n, run.costs);
    run.finding(Claim::Lemma13, case.n - case.n / 3, ranges.costs());
    Ok(run)
}
