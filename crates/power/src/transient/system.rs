//! The matrix of a step: a factor, or conjugate gradients with a preconditioner.

use super::TransientParams;
use crate::PowerError;
use palmette_core::circuit::OperatingPoint;
use palmette_core::{CgParams, LinOp};
use palmette_graph::Laplacian;
use palmette_graph::solve::{
    ApproximateCholesky, ApproximateCholeskyParams, Augmented, Factor, Floating,
    IncompleteCholesky, IncompleteCholeskyParams, Jacobi, Preconditioner, SolveError, SolveParams,
    conjugate_gradients, factor_skeleton,
};
use palmette_graph::sparsify::sparsify;
use std::time::Instant;

/// Steps between two looks at the residual of a factor.
const BETWEEN_CHECKS: u64 = 256;

/// A residual of a factor that is refined.
const ROUNDING: f64 = 1e-9;

/// A matrix and what solves with it.
pub(super) struct System<'a> {
    laplacian: Laplacian<'a>,
    inverse: Box<dyn LinOp + Send>,
    is_factor: bool,
    pub(super) chosen: Preconditioner,
    pub(super) entries: u64,
    pub(super) seconds: f64,
    pub(super) iterations: usize,
    pub(super) residual: f64,
    solves: u64,
    cg: CgParams,
}

impl<'a> System<'a> {
    pub(super) fn new(
        point: &'a OperatingPoint,
        params: &TransientParams,
    ) -> Result<System<'a>, PowerError> {
        let start = Instant::now();
        let laplacian = Laplacian::new(&point.graph, Some(&point.ground));
        let memory = params.memory;
        let cancel = params.cancel.as_ref();
        let factored = |l: &Laplacian<'_>| Factor::new(l, memory, cancel);
        let (mut chosen, mut entries) = (params.preconditioner, 0);
        let mut inverse: Option<Box<dyn LinOp + Send>> = None;
        if matches!(chosen, Preconditioner::Auto | Preconditioner::Direct) {
            match factored(&laplacian) {
                Ok(factor) => {
                    chosen = Preconditioner::Direct;
                    entries = factor.entries();
                    inverse = Some(Box::new(factor));
                }
                Err(SolveError::Memory { .. } | SolveError::Entries { .. })
                    if chosen == Preconditioner::Auto =>
                {
                    chosen = Preconditioner::ApproximateCholesky;
                }
                Err(error) => return Err(error.into()),
            }
        }
        let inverse: Box<dyn LinOp + Send> = match inverse {
            Some(inverse) => inverse,
            None => match chosen {
                Preconditioner::Sparsifier => {
                    let augmented = Augmented::new(&laplacian)?;
                    let options = SolveParams::default().sparsify;
                    let skeleton =
                        sparsify(augmented.graph(), &options).map_err(SolveError::from)?;
                    let skeleton = skeleton.graph(augmented.graph());
                    let factor = factor_skeleton(&augmented, &skeleton, memory, cancel)?;
                    entries = factor.entries();
                    Box::new(factor)
                }
                Preconditioner::Jacobi => Box::new(Jacobi::new(&laplacian)),
                Preconditioner::IncompleteCholesky => {
                    let options = IncompleteCholeskyParams::default();
                    Box::new(IncompleteCholesky::new(&laplacian, &options, cancel))
                }
                Preconditioner::ApproximateCholesky => {
                    let options = ApproximateCholeskyParams::default();
                    Box::new(ApproximateCholesky::new(&laplacian, &options))
                }
                other => return Err(PowerError::Unsupported { name: other.name() }),
            },
        };
        let cg = CgParams {
            cancel: params.cancel.clone(),
            tolerance: params.tolerance,
            ..CgParams::default()
        };
        Ok(System {
            laplacian,
            inverse,
            is_factor: chosen == Preconditioner::Direct,
            chosen,
            entries,
            seconds: start.elapsed().as_secs_f64(),
            iterations: 0,
            residual: 0.0,
            solves: 0,
            cg,
        })
    }

    /// Potentials for currents; `x` is a guess, and becomes the answer.
    pub(super) fn solve(&mut self, b: &[f64], x: &mut [f64]) -> Result<(), PowerError> {
        self.solves += 1;
        if self.is_factor {
            self.inverse.apply(b, x);
            if self.solves % BETWEEN_CHECKS == 1 {
                self.refine(b, x)?;
            }
            return Ok(());
        }
        let size = norm(b);
        let rest = self.rest(b, x);
        let far = norm(&rest);
        if size == 0.0 || far <= self.cg.tolerance * size {
            self.residual = self.residual.max(if size > 0.0 { far / size } else { 0.0 });
            return Ok(());
        }
        let tolerance = (self.cg.tolerance * size / far).min(0.5);
        let params = CgParams { tolerance, ..self.cg.clone() };
        let floating = Floating::of(&self.laplacian);
        let found = conjugate_gradients(&self.laplacian, &*self.inverse, floating, &rest, &params);
        let found = found?;
        x.iter_mut().zip(&found.x).for_each(|(x, more)| *x += more);
        self.iterations = self.iterations.max(found.iterations);
        self.residual = self.residual.max(found.residual * far / size);
        Ok(())
    }

    /// `b − A x`.
    fn rest(&self, b: &[f64], x: &[f64]) -> Vec<f64> {
        let mut product = vec![0.0; b.len()];
        self.laplacian.apply(x, &mut product);
        product.iter_mut().zip(b).for_each(|(y, b)| *y = b - *y);
        product
    }

    /// Looks at the residual of a factor's answer, and mends it where weights differ too much.
    fn refine(&mut self, b: &[f64], x: &mut [f64]) -> Result<(), PowerError> {
        let size = norm(b);
        if size == 0.0 {
            return Ok(());
        }
        let mut rest = self.rest(b, x);
        for _ in 0..3 {
            if norm(&rest) <= ROUNDING * size {
                break;
            }
            let mut more = vec![0.0; b.len()];
            self.inverse.apply(&rest, &mut more);
            x.iter_mut().zip(&more).for_each(|(x, more)| *x += more);
            rest = self.rest(b, x);
            // From now on conjugate gradients do the rest.
            self.is_factor = false;
        }
        self.residual = self.residual.max(norm(&rest) / size);
        Ok(())
    }
}

fn norm(x: &[f64]) -> f64 {
    x.iter().map(|x| x * x).sum::<f64>().sqrt()
}
