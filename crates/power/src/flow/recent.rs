//! Anderson's acceleration with the last two steps, in place.
//!
//! **Problem.** Sweeps gain a digit each; most of what is left has one shape, which turns by the same
//! angle each time. Two steps show it, and the two numbers that cancel it.
//!
//! **Method.** As in `anderson.rs` with a depth of two, from the changes that sweeps write down as
//! they go. With changes `f` (newest), `g`, `h`, and `d₁`, `d₂` the last moves of images, the
//! coefficients of `f ≈ γ₁ (f − g) + γ₂ (g − h)` take `γ₁ d₁ + γ₂ d₂` off the image. Every part has
//! coefficients of its own.
//!
//! **Cost.** 80 bytes per number of the largest part; two passes over them. At ordinary loads five
//! sweeps do what eight did.
//!
//! **Determinism.** Sums are in a fixed order.

use super::wide::{Work, wide};
use palmette_core::feeder::Complex;

/// Sums that are kept apart.
const SIDE: usize = 8;
/// The same for three phases, which share a weight.
const PHASES: usize = 6;
/// Sweeps before there is something to combine.
pub(super) const FIRST: usize = 3;

/// The change of a voltage: its real and imaginary part.
pub(super) type Change = [f64; 2];

/// The last changes of one part.
#[derive(Debug, Default)]
pub(super) struct Recent {
    /// Changes of the last three sweeps; the next goes to `next`.
    changes: [Vec<Change>; 3],
    next: usize,
    /// How many are there.
    known: usize,
    /// The last move of images, and what was taken off the last image.
    moved: Vec<Change>,
    taken: Vec<Change>,
    corrected: bool,
}

/// Room that the next run makes anew.
impl Clone for Recent {
    fn clone(&self) -> Recent {
        Recent::default()
    }
}

impl Recent {
    /// Forgets everything; `n` numbers follow.
    pub(super) fn restart(&mut self, n: usize) {
        for values in self.changes.iter_mut().chain([&mut self.moved, &mut self.taken]) {
            values.resize(n, Change::default());
        }
        (self.known, self.corrected) = (0, false);
    }

    /// Where the next sweep writes its changes.
    pub(super) fn slot(&mut self) -> &mut [Change] {
        let at = self.next;
        self.next = (at + 1) % 3;
        self.known += 1;
        &mut self.changes[at]
    }

    /// Takes off the image of the last sweep what the last changes say is wrong with it. `weights`
    /// has one weight for every three numbers, or nothing.
    pub(super) fn correct(&mut self, image: &mut [Complex], weights: &[f64]) {
        if self.known < FIRST {
            return;
        }
        let of = |back: usize| (self.next + 3 - back) % 3;
        let [f, g, h] = [of(1), of(2), of(3)].map(|at| &self.changes[at][..]);
        let sums = if weights.is_empty() {
            wide(Sums::<SIDE>([f, g, h], None))
        } else {
            wide(Sums::<PHASES>([f, g, h], Some(weights)))
        };
        let Some(gamma) = coefficients(sums) else {
            (self.known, self.corrected) = (0, false);
            return;
        };
        let (moved, taken) = (&mut self.moved[..], &mut self.taken[..]);
        if self.corrected {
            wide(Next { gamma, f, moved, taken, image });
        } else {
            wide(Start { gamma, f, g, moved, taken, image });
        }
        self.corrected = true;
    }
}

/// Of `u = f − g` and `w = g − h`: `u·u`, `u·w`, `w·w`, `u·f`, `w·f`, in `N` sums side by side.
struct Sums<'a, const N: usize>([&'a [Change]; 3], Option<&'a [f64]>);

impl<const N: usize> Work for Sums<'_, N> {
    type Output = [f64; 5];
    #[inline(always)]
    fn run(self) -> [f64; 5] {
        let Sums(changes, weights) = self;
        let [(f, f_rest), (g, g_rest), (h, h_rest)] =
            changes.map(|values| values.as_flattened().as_chunks::<N>());
        let [mut uu, mut uw, mut ww, mut uf, mut wf] = [[0.0f64; N]; 5];
        let mut weights = weights.map(|weights| weights.iter());
        for ((f, g), h) in f.iter().zip(g).zip(h) {
            let weight = match &mut weights {
                Some(weights) => weights.next().copied().unwrap_or(0.0),
                None => 1.0,
            };
            let (u, w) = (minus(f, g), minus(g, h));
            let (heavy_u, heavy_w) = (u.map(|u| u * weight), w.map(|w| w * weight));
            // Each by itself, or the compiler shuffles them into each other's vectors.
            gather(&mut uu, &u, &heavy_u);
            gather(&mut uw, &u, &heavy_w);
            gather(&mut ww, &w, &heavy_w);
            gather(&mut uf, f, &heavy_u);
            gather(&mut wf, f, &heavy_w);
        }
        // What is done with the sums must not decide how they are laid out.
        let sums = std::hint::black_box([uu, uw, ww, uf, wf]);
        let [mut uu, mut uw, mut ww, mut uf, mut wf] = sums;
        for (k, ((f, g), h)) in f_rest.iter().zip(g_rest).zip(h_rest).enumerate() {
            let (u, w) = (f - g, g - h);
            uu[k] += u * u;
            uw[k] += u * w;
            ww[k] += w * w;
            uf[k] += f * u;
            wf[k] += f * w;
        }
        [uu, uw, ww, uf, wf].map(|sum| sum.iter().sum())
    }
}

#[inline(always)]
fn minus<const N: usize>(a: &[f64; N], b: &[f64; N]) -> [f64; N] {
    std::array::from_fn(|k| a[k] - b[k])
}

#[inline(always)]
fn gather<const N: usize>(sum: &mut [f64; N], a: &[f64; N], b: &[f64; N]) {
    (0..N).for_each(|k| sum[k] += a[k] * b[k]);
}

/// The coefficients; none where the two steps say the same.
fn coefficients([uu, uw, ww, uf, wf]: [f64; 5]) -> Option<[f64; 2]> {
    let determinant = uu * ww - uw * uw;
    if determinant.is_nan() || determinant <= 1e-10 * uu * ww {
        return None;
    }
    Some([(uf * ww - wf * uw) / determinant, (wf * uu - uf * uw) / determinant])
}

/// The first correction: images have moved by the changes.
struct Start<'a> {
    gamma: [f64; 2],
    f: &'a [Change],
    g: &'a [Change],
    moved: &'a mut [Change],
    taken: &'a mut [Change],
    image: &'a mut [Complex],
}

impl Work for Start<'_> {
    type Output = ();
    #[inline(always)]
    fn run(self) {
        let rows = self.f.iter().zip(self.g).zip(self.moved).zip(self.taken).zip(self.image);
        for ((((&f, &g), moved), taken), image) in rows {
            let off = [0, 1].map(|k| f[k] * self.gamma[0] + g[k] * self.gamma[1]);
            *moved = f;
            *taken = off;
            *image -= Complex::new(off[0], off[1]);
        }
    }
}

/// Later ones: what was taken off before is part of the move.
struct Next<'a> {
    gamma: [f64; 2],
    f: &'a [Change],
    moved: &'a mut [Change],
    taken: &'a mut [Change],
    image: &'a mut [Complex],
}

impl Work for Next<'_> {
    type Output = ();
    #[inline(always)]
    fn run(self) {
        let rows = self.f.iter().zip(self.moved).zip(self.taken).zip(self.image);
        for (((&f, moved), taken), image) in rows {
            let now = [0, 1].map(|k| f[k] - taken[k]);
            let off = [0, 1].map(|k| now[k] * self.gamma[0] + moved[k] * self.gamma[1]);
            *moved = now;
            *taken = off;
            *image -= Complex::new(off[0], off[1]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A map whose error turns and shrinks by one factor is at its fixed point after three steps.
    #[test]
    fn one_shape_is_cancelled_at_once() {
        let n = 7;
        let fixed = |k: usize| Complex::new(1.0, 0.1 * k as f64);
        let turn = Complex::new(0.1, 0.2);
        for weights in [vec![], vec![1.0, 4.0, 0.5]] {
            let n = if weights.is_empty() { n } else { 9 };
            let mut recent = Recent::default();
            recent.restart(n);
            let mut x: Vec<Complex> = (0..n).map(|k| Complex::new(k as f64, 2.0)).collect();
            for _ in 0..FIRST {
                let slot = recent.slot();
                for k in 0..n {
                    let image = fixed(k) + turn * (x[k] - fixed(k)).conj();
                    slot[k] = [(image - x[k]).re, (image - x[k]).im];
                    x[k] = image;
                }
            }
            assert!((x[5] - fixed(5)).norm() > 1e-3);
            recent.correct(&mut x, &weights);
            for (k, x) in x.iter().enumerate() {
                assert!((x - fixed(k)).norm() < 1e-13, "{k}: {x}");
            }
        }
    }
}
