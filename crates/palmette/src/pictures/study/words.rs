//! The text of a page around its plots.

use crate::sweep::{Study, StudyProgram, Sweep};
use palmette_report::TheoremPlot;
use palmette_spatial::program::Method;

pub(super) fn introduction(study: &Study, found: &Sweep) -> Vec<String> {
    let method = match (study.program.has_methods(), study.method) {
        (true, Method::Published) => ", by the published method",
        _ => "",
    };
    let what = match study.program {
        StudyProgram::Treefix => "Sums over all subtrees, on trees in light-first order",
        StudyProgram::Rootfix => "Sums from the root down, on trees in light-first order",
        StudyProgram::Lca => {
            "Lowest common ancestors of as many random pairs as there are vertices, on trees in \
             light-first order"
        }
        StudyProgram::Layout => "Trees with randomly placed vertices move into light-first order",
        StudyProgram::ListRanking => {
            "The ranks of one list with randomly placed elements; trees and shapes play no part"
        }
    };
    let wrong = found.runs.iter().chain(&found.baseline).filter(|run| !run.correct).count();
    let checked = match wrong {
        0 => "All answers match the host's.".to_string(),
        _ => format!("Runs whose answers differ from the host's: {wrong}!"),
    };
    vec![
        format!("{what}{method}; costs as counted by the simulator. {checked}"),
        "Energy is the total distance all messages travel, each counted once, as the theorems do; \
        energy_words counts a message once for each of its words. Depth is the longest chain of messages \
        that wait for each other. Distance is the largest energy along such a chain. Logarithms \
        are to base 2."
            .to_string(),
    ]
}

pub(super) fn notes(program: StudyProgram, found: &Sweep, plots: &[TheoremPlot]) -> Vec<String> {
    let own: &[&str] = match program {
        StudyProgram::Treefix | StudyProgram::Rootfix => &[
            "The costs of treefix include making the virtual tree.",
            "Lemma 10, on one round of COMPACT, has no plot: rounds overlap in time here, so \
            messages cannot be assigned to a single round.",
        ],
        StudyProgram::Lca => &[
            "The costs include making the virtual tree. Vertices with more than four queries are \
            split beforehand, so the machine has up to a tenth more processors than n. Rounds are \
            those of two treefix sums.",
        ],
        StudyProgram::Layout => &[
            "Theorem 4 states O(log n) depth. A network sorts siblings here: the depth is \
             O(log n + log^2 D) with at most D children per vertex.",
            "Rounds are those of three rankings. A round of messages to children, Theorem 1, has \
             depth 1.",
        ],
        _ => &[],
    };
    let mut notes: Vec<String> = own.iter().map(|note| note.to_string()).collect();
    notes.push(
        "A fitted constant is the geometric mean of measured cost over law, all sizes weighted \
        equally. The largest ratio is what an upper bound needs."
            .to_string(),
    );
    if let Some(seeds) = found.runs.chunk_by(|a, b| a.case == b.case).map(<[_]>::len).max()
        && seeds > 1
    {
        notes.push(format!(
            "Points and rows are medians over {seeds} seeds, every figure by itself; rows with 99% \
             are the 99th percentiles by nearest rank."
        ));
    }
    for claim in program.claims() {
        if !plots.iter().any(|plot| plot.name == claim.name()) {
            notes.push(format!("{claim} has no plot: it needs shapes of bounded degree."));
        }
    }
    notes.extend(baseline(program, found));
    notes
}

/// What the baseline did.
fn baseline(program: StudyProgram, found: &Sweep) -> Option<String> {
    let last = found.baseline.last()?.case;
    let (shape, n) = (last.subject(), last.n);
    let what = match program {
        StudyProgram::ListRanking => "ranks of the same lists".to_string(),
        StudyProgram::Treefix => format!("the same sums on {shape} trees"),
        StudyProgram::Rootfix => format!("sums over subtrees on {shape} trees, at the same cost"),
        _ => format!("sums over subtrees on {shape} trees, the program's first step"),
    };
    let how = match program {
        StudyProgram::ListRanking => {
            "by Wyllie's pointer jumping on a PRAM that the grid simulates, with exclusive reads"
        }
        _ => {
            "by Wyllie's pointer jumping on a PRAM that the grid simulates, with exclusive reads, \
             and by ranking the Euler tour with values as gaps; plots have the one that takes less"
        }
    };
    Some(format!("Baselines are measured up to n = {n}, never extrapolated: {what}, {how}."))
}
