//! Sums of floats: how they are asked for, and what is said about them.

use crate::{Operation, named};
use clap::Args;
use palmette::{Findings, OperatorName, Summation, ValueType};

/// How floats are summed.
#[derive(Debug, Clone, Copy, Args)]
pub struct SumOptions {
    /// How floats are added: plain, in their own type; compensated, in about twice the
    /// precision; exact, the nearest float to the exact sum, the same bits on any engine and
    /// any number of ranks. Values are read as f64 unless --type says f32. [default: plain]
    #[arg(long = "sum", value_name = "HOW", value_parser = named::<Summation>())]
    pub summation: Option<Summation>,
    /// Add a column `bound` with an upper bound on the error of each float sum; `inf` where
    /// overflow cannot be ruled out.
    #[arg(long)]
    pub error_bound: bool,
    /// Accept NaN values: float sums follow IEEE 754, and NaN results are counted.
    #[arg(long)]
    pub allow_nan: bool,
}

impl SumOptions {
    /// The options, and whether they are given.
    pub fn options(&self) -> [(&'static str, bool); 3] {
        [
            ("--sum", self.summation.is_some()),
            ("--error-bound", self.error_bound),
            ("--allow-nan", self.allow_nan),
        ]
    }

    /// Whether values must be floats: integers become floats where sums are bounded or computed
    /// in another way, but not to allow NaN.
    ///
    /// # Errors
    /// The options are given, but only sums of floats round.
    pub fn need_floats(
        &self,
        operation: Operation,
        kind: Option<ValueType>,
    ) -> Result<bool, String> {
        let given = self.options().into_iter().find(|option| option.1);
        let Some((option, _)) = given else { return Ok(false) };
        if operation != Operation::Operator(OperatorName::Sum) {
            let found = operation.name();
            return Err(format!("{option} applies to --op sum only, not {found}"));
        }
        match kind {
            Some(kind @ (ValueType::I64 | ValueType::U64)) => {
                Err(format!("{option} applies to f32 and f64 only; sums of {kind} are exact"))
            }
            _ => Ok(option != "--allow-nan"),
        }
    }

    /// Refuses --allow-nan where the values turned out to be integers.
    ///
    /// # Errors
    /// They are.
    pub fn check_nan(&self, kind: Option<ValueType>) -> Result<(), String> {
        match kind {
            Some(kind @ (ValueType::I64 | ValueType::U64)) if self.allow_nan => {
                Err(format!("--allow-nan has no effect: the values are {kind}; leave it out"))
            }
            _ => Ok(()),
        }
    }
}

/// What people hear of values that are not finite, if there are any.
pub fn note_of_values(found: Findings) -> Option<String> {
    let Findings { nan_values, infinite_values, nan_sums, infinite_sums, .. } = found;
    (nan_values + infinite_values > 0).then(|| {
        format!(
            "the values contain {nan_values} NaN and {infinite_values} infinities; {nan_sums} sums \
            are NaN, {infinite_sums} infinite"
        )
    })
}

/// What people hear of sums that overflow, if there are any.
pub fn note_of_overflow(found: Findings, kind: Option<ValueType>) -> Option<String> {
    let overflows = found.overflows;
    let type_name = kind.map_or(String::new(), |kind| format!(" {kind}"));
    let wider = if kind == Some(ValueType::F32) { ", --type f64 holds more" } else { "" };
    (overflows > 0).then(|| {
        format!(
            "{overflows} sums of finite values overflow{type_name} on the way or in the end \
             (--sum exact loses only those that are too large themselves{wider})"
        )
    })
}
