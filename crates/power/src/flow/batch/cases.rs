//! Load cases: where the power of each load comes from.

use crate::flow::FlowError;
use palmette_core::feeder::{Complex, Loads};

/// A table of load cases, asked for by rows, from many threads.
pub trait LoadCases: Sync {
    /// How many cases there are.
    fn cases(&self) -> usize;
    /// Puts the power of each load in a case into `row`, in MVA, as [`Loads::s_mva`].
    fn row(&self, case: usize, loads: &Loads, row: &mut [Complex]);
    /// Whether the table fits a feeder.
    ///
    /// # Errors
    /// When it does not.
    fn check(&self, loads: &Loads) -> Result<(), FlowError>;
}

/// One factor per case, of all loads.
#[derive(Debug, Clone, Copy)]
pub struct LoadFactors<'a>(pub &'a [f64]);

/// Powers in MW and Mvar, case after case; each case has one value per load.
#[derive(Debug, Clone, Copy)]
pub struct LoadPowers<'a> {
    /// The number of values per case.
    pub loads: usize,
    /// Active powers.
    pub p_mw: &'a [f64],
    /// Reactive powers.
    pub q_mvar: &'a [f64],
}

/// Factors that loads share: profiles of a year, and which profile each load follows. With one
/// profile per load, factors of each load.
#[derive(Debug, Clone, Copy)]
pub struct LoadProfiles<'a> {
    /// Case after case, the factor of each profile.
    pub factors: &'a [f64],
    /// The number of profiles.
    pub profiles: usize,
    /// By load, its profile; empty when load `k` follows profile `k`.
    pub follows: &'a [u32],
}

impl LoadCases for LoadFactors<'_> {
    fn cases(&self) -> usize {
        self.0.len()
    }

    fn row(&self, case: usize, loads: &Loads, row: &mut [Complex]) {
        let factor = self.0[case];
        row.iter_mut().zip(&loads.s_mva).for_each(|(row, s)| *row = s * factor);
    }

    fn check(&self, loads: &Loads) -> Result<(), FlowError> {
        finite(self.0, 1, |_| 0, loads)
    }
}

impl LoadCases for LoadPowers<'_> {
    fn cases(&self) -> usize {
        self.p_mw.len() / self.loads.max(1)
    }

    fn row(&self, case: usize, loads: &Loads, row: &mut [Complex]) {
        let range = case * loads.len()..(case + 1) * loads.len();
        let values = self.p_mw[range.clone()].iter().zip(&self.q_mvar[range]);
        row.iter_mut().zip(values).for_each(|(row, (&p, &q))| *row = Complex::new(p, q));
    }

    fn check(&self, loads: &Loads) -> Result<(), FlowError> {
        if self.loads != loads.len() || self.p_mw.len() != self.q_mvar.len() {
            return Err(FlowError::Cases { expected: loads.len(), found: self.loads });
        }
        finite(self.p_mw, self.loads, |k| k, loads)?;
        finite(self.q_mvar, self.loads, |k| k, loads)
    }
}

impl LoadCases for LoadProfiles<'_> {
    fn cases(&self) -> usize {
        self.factors.len() / self.profiles.max(1)
    }

    fn row(&self, case: usize, loads: &Loads, row: &mut [Complex]) {
        let factors = &self.factors[case * self.profiles..(case + 1) * self.profiles];
        let rows = row.iter_mut().zip(&loads.s_mva);
        if self.follows.is_empty() {
            rows.zip(factors).for_each(|((row, s), factor)| *row = s * factor);
        } else {
            rows.zip(self.follows).for_each(|((row, s), &at)| *row = s * factors[at as usize]);
        }
    }

    fn check(&self, loads: &Loads) -> Result<(), FlowError> {
        let (expected, found) = match self.follows {
            [] => (loads.len(), self.profiles),
            follows => (loads.len(), follows.len()),
        };
        if expected != found || self.follows.iter().any(|&at| at as usize >= self.profiles) {
            return Err(FlowError::Cases { expected, found });
        }
        finite(self.factors, self.profiles, |k| if self.follows.is_empty() { k } else { 0 }, loads)
    }
}

/// Whole rows of finite numbers.
fn finite(
    values: &[f64],
    width: usize,
    load: impl Fn(usize) -> usize,
    loads: &Loads,
) -> Result<(), FlowError> {
    if width == 0 || !values.len().is_multiple_of(width) {
        return Err(FlowError::Cases { expected: loads.len(), found: values.len() });
    }
    match values.iter().position(|value| !value.is_finite()) {
        None => Ok(()),
        Some(at) => {
            let load = loads.names.get(load(at % width)).to_string();
            Err(FlowError::CaseValue { case: at / width, load })
        }
    }
}
