//! Step control: how long the next step may be.
//!
//! **Method.** The local error of the trapezoidal rule is `h³/12 · v‴`, that of backward Euler
//! `h²/2 · v″`; divided differences of the last potentials estimate the derivatives, and the largest
//! over all vertices counts. Steps are the printed one halved again and again, so that few
//! factors serve all of them and every printed time is met: a step is halved where its error is above
//! the bound, and doubled where it is far below and time is a multiple of the longer one.
//! **Reference.** Nagel, *SPICE2*, 1975, chapter 4.

use super::Method;

/// The most halvings.
pub(super) const LEVELS: u32 = 14;

/// Of the first step.
pub(super) const FIRST: u32 = 8;

/// Past potentials, the newest first.
#[derive(Default)]
pub(super) struct Past(Vec<(f64, Vec<f64>)>);

impl Past {
    pub(super) fn push(&mut self, time: f64, x: &[f64]) {
        if self.0.len() < 3 {
            self.0.insert(0, (time, x.to_vec()));
        } else {
            self.0.rotate_right(1);
            self.0[0].0 = time;
            self.0[0].1.copy_from_slice(x);
        }
    }

    /// The largest local error of a step to potentials `x`, if enough is known.
    pub(super) fn error(&self, method: Method, time: f64, x: &[f64]) -> Option<f64> {
        let order = if method == Method::Trapezoidal { 3 } else { 2 };
        if self.0.len() < order {
            return None;
        }
        let times: Vec<f64> = std::iter::once(time).chain(self.0.iter().map(|p| p.0)).collect();
        let h = time - times[1];
        let mut most = 0f64;
        for (v, &now) in x.iter().enumerate() {
            let mut table =
                [now, self.0[0].1[v], self.0[1].1[v], self.0.get(2).map_or(0.0, |p| p.1[v])];
            for width in 1..=order {
                for k in 0..=order - width {
                    table[k] = (table[k] - table[k + 1]) / (times[k] - times[k + width]);
                }
            }
            most = most.max(table[0].abs());
        }
        Some(match method {
            Method::Trapezoidal => most * h * h * h / 2.0,
            Method::BackwardEuler => most * h * h,
        })
    }

    /// Extrapolates to a time, as a guess for conjugate gradients.
    pub(super) fn guess(&self, time: f64, x: &mut [f64]) {
        if let [(t1, x1), (t2, x2), ..] = &self.0[..] {
            let share = (time - t1) / (t1 - t2);
            let pairs = x1.iter().zip(x2);
            x.iter_mut().zip(pairs).for_each(|(x, (a, b))| *x = a + share * (a - b));
        }
    }
}
