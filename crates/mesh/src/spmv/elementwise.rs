//! Operations on vectors, unknown by unknown. No communication, nothing allocated, one pass
//! over memory.

use super::{Full, Partial, State, Transport, Vector, World};
use rayon::prelude::*;

/// Unknowns that a thread takes at once.
const CHUNK: usize = 1 << 14;

/// `z[i] = f(z[i], a[i], b[i])`.
fn zip3(z: &mut [f64], a: &[f64], b: &[f64], f: impl Fn(f64, f64, f64) -> f64 + Sync) {
    let chunks = z.par_chunks_mut(CHUNK).zip(a.par_chunks(CHUNK)).zip(b.par_chunks(CHUNK));
    chunks.for_each(|((z, a), b)| {
        z.iter_mut().zip(a).zip(b).for_each(|((z, a), b)| *z = f(*z, *a, *b));
    });
}

/// `z[i] = f(z[i], a[i])`.
fn zip2(z: &mut [f64], a: &[f64], f: impl Fn(f64, f64) -> f64 + Sync) {
    let chunks = z.par_chunks_mut(CHUNK).zip(a.par_chunks(CHUNK));
    chunks.for_each(|(z, a)| z.iter_mut().zip(a).for_each(|(z, a)| *z = f(*z, *a)));
}

impl<T: Transport> World<T> {
    /// `z = keep · z + Σ aᵢ xᵢ`, added from left to right. With `keep` 0 what `z` was does not
    /// matter, not even if it was NaN.
    ///
    /// # Panics
    /// When a vector is not of this world.
    pub fn combine<S: State>(&self, keep: f64, terms: &[(f64, &Vector<S>)], z: &mut Vector<S>) {
        self.check_sizes(&[&z.values]);
        terms.iter().for_each(|(_, x)| self.check_sizes(&[&x.values]));
        let z = &mut z.values[..];
        let rest = match (keep == 0.0, terms) {
            (true, []) => return self.fill_values(0.0, z),
            (true, [(a, x)]) => {
                zip2(z, &x.values, |_, x| a * x);
                &[]
            }
            (true, [(a, x), (b, y), rest @ ..]) => {
                zip3(z, &x.values, &y.values, |_, x, y| a * x + b * y);
                rest
            }
            (false, []) => {
                z.par_chunks_mut(CHUNK).for_each(|z| z.iter_mut().for_each(|z| *z *= keep));
                &[]
            }
            (false, [(a, x)]) => {
                zip2(z, &x.values, |z, x| keep * z + a * x);
                &[]
            }
            (false, [(a, x), (b, y), rest @ ..]) => {
                zip3(z, &x.values, &y.values, |z, x, y| keep * z + a * x + b * y);
                rest
            }
        };
        for (a, x) in rest {
            zip2(z, &x.values, |z, x| z + a * x);
        }
    }

    /// `z = a ∘ b`, elementwise: one of both must be full.
    ///
    /// # Panics
    /// When a vector is not of this world.
    pub fn times<S: State>(&self, a: &Vector<Full>, b: &Vector<S>, z: &mut Vector<S>) {
        self.check_sizes(&[&a.values, &b.values, &z.values]);
        zip3(&mut z.values, &a.values, &b.values, |_, a, b| a * b);
    }

    /// `z = a ∕ b`, elementwise: what divides must be full.
    ///
    /// # Panics
    /// When a vector is not of this world.
    pub fn divide<S: State>(&self, a: &Vector<S>, b: &Vector<Full>, z: &mut Vector<S>) {
        self.check_sizes(&[&a.values, &b.values, &z.values]);
        zip3(&mut z.values, &a.values, &b.values, |_, a, b| a / b);
    }

    /// `z = f(z)`, elementwise. Functions that are not linear need full vectors.
    ///
    /// # Panics
    /// When the vector is not of this world.
    pub fn apply(&self, z: &mut Vector<Full>, f: impl Fn(f64) -> f64 + Sync) {
        self.check_sizes(&[&z.values]);
        z.values.par_chunks_mut(CHUNK).for_each(|z| z.iter_mut().for_each(|z| *z = f(*z)));
    }

    /// `to = from`.
    ///
    /// # Panics
    /// When a vector is not of this world.
    pub fn copy<S: State>(&self, from: &Vector<S>, to: &mut Vector<S>) {
        self.check_sizes(&[&from.values, &to.values]);
        self.copy_values(&from.values, &mut to.values);
    }

    /// One value everywhere.
    ///
    /// # Panics
    /// When the vector is not of this world.
    pub fn fill(&self, value: f64, to: &mut Vector<Full>) {
        self.check_sizes(&[&to.values]);
        self.fill_values(value, &mut to.values);
    }

    /// Makes a full vector partial: owners keep their values, other copies become zero. No
    /// communication; the memory is the same.
    ///
    /// # Panics
    /// When the vector is not of this world.
    pub fn split(&self, x: Vector<Full>) -> Vector<Partial> {
        self.check_sizes(&[&x.values]);
        let mut partial = Vector::new(x.values);
        self.clear_copies(&mut partial);
        partial
    }

    /// `to = x`, split; `x` is kept.
    ///
    /// # Panics
    /// When a vector is not of this world.
    pub fn split_into(&self, x: &Vector<Full>, to: &mut Vector<Partial>) {
        self.check_sizes(&[&x.values, &to.values]);
        self.copy_values(&x.values, &mut to.values);
        self.clear_copies(to);
    }

    fn clear_copies(&self, x: &mut Vector<Partial>) {
        let d = self.components;
        for (piece, &start) in self.pieces.iter().zip(&self.starts) {
            let shared = x.values[start..].chunks_exact_mut(d).zip(&piece.owned);
            shared.filter(|(_, owned)| !**owned).for_each(|(values, _)| values.fill(0.0));
        }
    }

    pub(super) fn copy_values(&self, from: &[f64], to: &mut [f64]) {
        zip2(to, from, |_, x| x);
    }

    fn fill_values(&self, value: f64, to: &mut [f64]) {
        to.par_chunks_mut(CHUNK).for_each(|to| to.fill(value));
    }

    pub(super) fn check_sizes(&self, vectors: &[&[f64]]) {
        let unknowns = self.unknowns();
        assert!(vectors.iter().all(|v| v.len() == unknowns), "vectors are of this world");
    }
}
