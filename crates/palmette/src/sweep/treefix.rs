//! Runs of leaffix and rootfix, and the local messages that they rest on.

use super::*;
use palmette_spatial::local::{broadcast, construct, reduce};

/// Sums on a tree in light-first order, the virtual tree included.
pub(super) fn run(study: &Study, case: Case, shape: Shape) -> Result<Run, SweepError> {
    let layout = study.layout(shape, case.n)?;
    let tree = layout.tree();
    let values = study.values(tree.len());
    let words = match study.program {
        StudyProgram::Rootfix => study.method.rootfix_words::<Sum<i64>>(),
        _ => study.method.leaffix_words::<Sum<i64>>(),
    };
    let mut machine = layout.machine(study.machine_params().stating(words))?;
    let (sum, input) = (Sum::<i64>::new(), Memory::from(values.clone()));
    let kin = kin(&mut machine.keep(&input), tree)?;
    let host = TreefixParams::default();
    let (found, expected) = match study.program {
        StudyProgram::Rootfix => (
            study.method.rootfix(&mut machine, "rootfix", sum, &kin, input)?,
            palmette_tree::rootfix::rootfix(tree, &values, &sum, host)?,
        ),
        _ => (
            study.method.leaffix(&mut machine, "leaffix", sum, &kin, input)?,
            palmette_tree::leaffix::leaffix(tree, &values, &sum, host)?,
        ),
    };
    let local = local_messages(study, &layout, &values)?;
    let correct = found.values.states() == expected && local.correct;
    let mut run = Run::on(&machine, case, Some(found.rounds), correct);
    run.finding(Claim::Lemma12, case.n, run.costs);
    if is_bounded(shape) {
        run.finding(Claim::Lemma11, case.n, run.costs);
    }
    run.finding(Claim::Theorem3, case.n, local.costs);
    Ok(run)
}

struct Local {
    costs: Costs,
    correct: bool,
}

/// The virtual tree is made, every vertex tells its children a value, and adds up theirs.
fn local_messages(study: &Study, layout: &Layout, values: &[i64]) -> Result<Local, SweepError> {
    let tree = layout.tree();
    let mut machine = layout.machine(study.machine_params())?;
    let links = construct(&mut machine, &families(tree))?;
    let own = Memory::from(values.to_vec());
    let heard = broadcast(&mut machine, "broadcast", &links, own.clone())?;
    let sums = reduce(&mut machine, "reduce", Sum::<i64>::new(), &links, own)?;
    let correct = told(tree, values) == heard.states() && summed(tree, values) == sums.states();
    Ok(Local { costs: machine.costs(), correct })
}

fn told(tree: &Tree, values: &[i64]) -> Vec<Option<i64>> {
    (0..tree.len() as u32).map(|p| tree.parent(p).map(|q| values[q as usize])).collect()
}

fn summed(tree: &Tree, values: &[i64]) -> Vec<i64> {
    let mut sums = vec![0; values.len()];
    for (position, value) in values.iter().enumerate() {
        if let Some(parent) = tree.parent(position as u32) {
            sums[parent as usize] += value;
        }
    }
    sums
}
