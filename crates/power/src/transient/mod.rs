//! Waveforms of a grid with capacitors and inductors.
//!
//! **Problem.** A [`Circuit`](palmette_core::circuit::Circuit) whose sources change in time; out come the voltages and currents of
//! probes at given times, and by node the largest drop over all steps.
//! **Method.** In a step of `h` seconds a capacitor is a conductance `2C/h` and an inductor one of
//! `h/2L`, each beside a current that remembers the step before (the trapezoidal rule; backward
//! Euler has `C/h` and `h/L`). So every step solves a system with the same matrix, whose factor is made
//! once (`engine.rs`). The start is the operating point with the sources' values at time 0.
//! A last, shorter step with a factor of its own reaches the end (`stretch.rs`).
//! With step control (`control.rs`) steps are halved and doubled, so that the local error of every
//! node, estimated from divided differences, stays below a bound; each length of steps has its
//! factor, which is kept. Sources are followed by their straight pieces (`loads.rs`).
//! **Cost.** One application of the factor per step and a few sweeps over vertices; 8 bytes per
//! probe and printed time. Where memory does not hold a factor, conjugate gradients with an
//! approximate one, from an extrapolated start (`system.rs`).
//! **Determinism.** One thread per solve: the same bits always.
//! **Reference.** Ho, Ruehli and Brennan, *The modified nodal approach*, 1975; Feng, *Similarity-aware
//! spectral sparsification*, 2020 (preconditioners for transients).
//! **When not to use.** With sources that jump, prefer backward Euler: the trapezoidal rule rings.

mod control;
mod engine;
mod equations;
mod loads;
mod recorder;
mod start;
mod state;
mod stretch;
mod system;
#[cfg(test)]
mod tests;
mod track;

pub use engine::transient;

use palmette_core::circuit::Span;
use palmette_core::{Cancel, named};
use palmette_graph::solve::Preconditioner;

named! {
    /// How a step is made.
    #[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
    pub enum Method("method") {
        /// Of second order; rings after jumps.
        #[default]
        Trapezoidal = "trapezoidal",
        /// Of first order; damps.
        BackwardEuler = "backward-euler",
    }
}

/// What is looked at in time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Probe {
    /// The voltage of a node.
    Node(u32),
    /// The voltage of a node above another.
    Between(u32, u32),
    /// The current through an element, from its first end to its second.
    Element(u32),
}

/// Options of [`transient()`].
#[derive(Debug, Clone)]
pub struct TransientParams {
    /// How a step is made.
    pub method: Method,
    /// Printed times: every step, and the end.
    pub span: Span,
    /// Nothing is printed before.
    pub start: f64,
    /// Steps of the computation per printed one; with step control, to start with.
    pub substeps: u32,
    /// Step control: the local error of each step, in volts.
    pub accuracy: Option<f64>,
    /// Direct, or one of conjugate gradients.
    pub preconditioner: Preconditioner,
    /// The relative residual of conjugate gradients.
    pub tolerance: f64,
    /// The most bytes for a factor; by default three quarters of what is available.
    pub memory: Option<u64>,
    /// Voltages of nodes that are held at time 0.
    pub initial: Vec<(u32, f64)>,
    /// Ends the run early.
    pub cancel: Option<Cancel>,
}

impl TransientParams {
    /// The defaults for printed times.
    pub fn new(span: Span) -> TransientParams {
        TransientParams {
            method: Method::default(),
            span,
            start: 0.0,
            substeps: 1,
            accuracy: None,
            preconditioner: Preconditioner::Auto,
            tolerance: 1e-9,
            memory: None,
            initial: Vec::new(),
            cancel: None,
        }
    }
}

/// What came of a run.
#[derive(Debug, Clone, PartialEq)]
pub struct Transient {
    /// The printed times.
    pub times: Vec<f64>,
    /// By probe, its values at these times.
    pub probes: Vec<Vec<f64>>,
    /// By node, the largest drop over all steps; 0 at ground.
    pub worst_drops: Vec<f64>,
    /// By node, the drop at the start.
    pub first_drops: Vec<f64>,
    /// The largest drop of all, its node and its time.
    pub worst: Option<(u32, f64, f64)>,
    /// The unknowns of a step.
    pub vertices: usize,
    /// Steps that were made, and those that step control undid.
    pub steps: u64,
    /// Steps that were undone.
    pub rejected: u64,
    /// Factors or preconditioners that were made.
    pub factors: usize,
    /// Entries of the largest factor.
    pub factor_entries: u64,
    /// What solved.
    pub preconditioner: Preconditioner,
    /// The most iterations of a step; 0 for a factor.
    pub iterations: usize,
    /// The largest relative residual among those that were computed.
    pub residual: f64,
    /// Seconds to make factors.
    pub factor_seconds: f64,
    /// Seconds for all steps.
    pub step_seconds: f64,
}
