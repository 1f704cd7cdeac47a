//! Figures of an aggregate: its engine, what is not finite, and the range of answers.

use super::*;
use crate::{Answer, AnswerCells};
use palmette_io::Values;
use palmette_tree::sum::Findings;

impl Answer {
    /// The answers and their name, where they are numbers; bounds are none.
    pub fn proper(&self) -> Option<(&'static str, &Values)> {
        self.columns.iter().find_map(|column| match &column.cells {
            AnswerCells::Numbers(values) if column.name != Self::BOUND => {
                Some((column.name, values))
            }
            _ => None,
        })
    }
}

impl Figures for Answer {
    fn figures(&self, record: &mut Record) {
        if let Some(engine) = self.engine {
            record.figure("engine", engine.name());
        }
        let bounds = self.columns.iter().find(|column| column.name == Self::BOUND);
        if let Some(AnswerCells::Numbers(Values::F64(bounds))) = bounds.map(|found| &found.cells) {
            let finite = bounds.iter().copied().filter(|bound| bound.is_finite());
            let unbounded = bounds.iter().filter(|bound| bound.is_infinite()).count();
            record.figure("largest_bound", finite.fold(0.0, f64::max));
            record.figure("unbounded_sums", unbounded);
        }
        if let Some(found) = self.findings {
            found.figures(record);
        }
        match self.proper().map(|(_, values)| values) {
            Some(Values::I64(x)) => range(record, x.iter().copied()),
            Some(Values::U64(x)) => range(record, x.iter().copied()),
            Some(Values::F64(x)) => range(record, x.iter().copied().filter(|x| x.is_finite())),
            Some(Values::F32(x)) => {
                range(record, x.iter().map(|&x| f64::from(x)).filter(|x| x.is_finite()));
            }
            None => {}
        }
    }
}

/// The smallest and the largest answer, if there is any.
fn range<T: Copy + PartialOrd + Into<Value>>(record: &mut Record, x: impl Iterator<Item = T>) {
    let (low, high) = x.fold((None, None), |(low, high): (Option<T>, Option<T>), x| {
        (low.filter(|&l| l <= x).or(Some(x)), high.filter(|&h| h >= x).or(Some(x)))
    });
    if let (Some(low), Some(high)) = (low, high) {
        record.figure("smallest", low).figure("largest", high);
    }
}

/// What is not finite among sums of floats.
impl Figures for Findings {
    fn figures(&self, record: &mut Record) {
        figures!(record, self => nan_values, infinite_values, nan_sums, infinite_sums, overflows);
    }
}
