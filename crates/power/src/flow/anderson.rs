//! Anderson's acceleration of a fixed-point iteration.
//!
//! **Problem.** `x ← g(x)` converges slowly; find the fixed point in fewer calls of `g`.
//!
//! **Method.** Of the last few steps, the combination whose residuals `g(x) − x` cancel best is
//! taken (least squares by normal equations with a slight weight on small coefficients).
//!
//! **Cost.** Two vectors per step remembered, and `2 m` inner products per step.
//!
//! **Reference.** H. Walker and P. Ni, *Anderson acceleration for fixed-point iterations*, 2011.
//!
//! **When not to use.** While plain steps gain a digit every two or three: they are cheaper.

use super::dense::Factors;

/// Steps that are remembered.
const DEPTH: usize = 5;

/// The last steps of an iteration.
#[derive(Debug, Default)]
pub(super) struct Anderson {
    /// Differences of residuals and of images, oldest first.
    steps: Vec<(Vec<f64>, Vec<f64>)>,
    /// The last residual and image.
    last: Option<(Vec<f64>, Vec<f64>)>,
}

impl Anderson {
    /// The next point, after `x` went to `image`; put into `image`.
    pub(super) fn next(&mut self, x: &[f64], image: &mut [f64]) {
        let residual: Vec<f64> = image.iter().zip(x).map(|(g, x)| g - x).collect();
        if let Some((before, image_before)) = self.last.take() {
            let minus = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a - b).collect();
            if self.steps.len() == DEPTH {
                self.steps.remove(0);
            }
            self.steps.push((minus(&residual, &before), minus(image, &image_before)));
        }
        self.last = Some((residual, image.to_vec()));
        let Some((residual, _)) = &self.last else { return };
        let dot = |a: &[f64], b: &[f64]| -> f64 { a.iter().zip(b).map(|(a, b)| a * b).sum() };
        let m = self.steps.len();
        let mut normal = vec![0.0; m * m];
        let mut gamma = vec![0.0; m];
        for i in 0..m {
            for j in 0..=i {
                let entry = dot(&self.steps[i].0, &self.steps[j].0);
                normal[i * m + j] = entry;
                normal[j * m + i] = entry;
            }
            gamma[i] = dot(&self.steps[i].0, residual);
        }
        // Residuals shrink by orders of magnitude: steps of length 1 keep pivots comparable.
        let scale: Vec<f64> = (0..m).map(|i| normal[i * m + i].sqrt().recip()).collect();
        for i in 0..m {
            (0..m).for_each(|j| normal[i * m + j] *= scale[i] * scale[j]);
            normal[i * m + i] += 1e-12;
            gamma[i] *= scale[i];
        }
        let Some(factors) = Factors::new(m, normal) else {
            // Steps that say the same: begin anew from the plain image.
            self.steps.clear();
            return;
        };
        factors.solve(&mut gamma);
        gamma.iter_mut().zip(scale).for_each(|(gamma, scale)| *gamma *= scale);
        for (&gamma, (_, change)) in gamma.iter().zip(&self.steps) {
            image.iter_mut().zip(change).for_each(|(x, change)| *x -= gamma * change);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A linear map of two unknowns is solved once two steps are known.
    #[test]
    fn linear_maps_are_solved_at_once() {
        let map = |x: &[f64]| vec![0.9 * x[0] + 0.2 * x[1] + 1.0, -0.1 * x[0] + 0.95 * x[1] + 2.0];
        let mut anderson = Anderson::default();
        let mut x = vec![0.0, 0.0];
        for _ in 0..5 {
            let mut image = map(&x);
            anderson.next(&x, &mut image);
            x = image;
        }
        let image = map(&x);
        assert!((image[0] - x[0]).abs() + (image[1] - x[1]).abs() < 1e-5, "{x:?}");
    }
}
