//! **Problem.** `M u″ + C u′ + K u = s(t) f` from given `u` and `u′`, with a diagonal mass: the
//! second-order equation of waves and earthquakes.
//!
//! **Method.** Central differences, explicit: `uₙ₊₁ = 2 uₙ − uₙ₋₁ + τ² M⁻¹ (s(tₙ) f − K uₙ − C vₙ)`
//! with `vₙ = (uₙ − uₙ₋₁)/τ`. The products with `K` and `C` are added before they are
//! assembled: one exchange per step.
//!
//! **Cost.** A step: a product with each matrix, one assembly, three passes over vectors.
//! Nothing is allocated.
//!
//! **Determinism.** The same bits on any number of threads and ranks.
//!
//! **When not to use.** The step must be below `2 ∕ √λ` with the largest eigenvalue `λ` of
//! `M⁻¹ K`, and damping lowers that. Without damping the error is of second order in the
//! step; velocities that lag by half a step make it first order in `C`.

use crate::spmv::{Full, Matrix, Partial, Product, Traffic, Transport, Vector, World, WorldError};

/// What moves.
pub struct Motion<'a> {
    /// `K`.
    pub stiffness: &'a Matrix,
    /// `C`, if there is damping.
    pub damping: Option<&'a Matrix>,
    /// The diagonal of `M`, assembled; positive.
    pub mass: &'a Vector<Full>,
    /// What pushes, if anything does.
    pub load: Option<Load<'a>>,
}

/// A force that changes with time.
#[derive(Clone, Copy)]
pub struct Load<'a> {
    /// `f`.
    pub force: &'a Vector<Partial>,
    /// `s`.
    pub over_time: &'a dyn Fn(f64) -> f64,
}

/// Options of [`central_differences`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct WaveParams {
    /// The step `τ` in time.
    pub step: f64,
    /// How many steps.
    pub steps: usize,
}

/// How the steps went.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Moved {
    /// Steps done.
    pub steps: usize,
    /// The time reached.
    pub time: f64,
    /// Messages and words of all parts.
    pub traffic: Traffic,
}

/// Steps after which numbers are looked at.
const LOOK: usize = 64;

/// Moves `u` with initial velocity `v` through time; `observe` sees the step, the time and `u`
/// after each step, and `u` ends as the last of them. See the file.
///
/// # Errors
/// [`WorldError::Unstable`] when the motion is no longer finite, or a rank that cannot be
/// reached.
///
/// # Panics
/// When something is not of this world.
pub fn central_differences<T: Transport>(
    world: &mut World<T>,
    motion: &Motion<'_>,
    u: &mut Vector<Full>,
    v: &Vector<Full>,
    params: &WaveParams,
    mut observe: impl FnMut(usize, f64, &Vector<Full>),
) -> Result<Moved, WorldError> {
    let before = world.traffic();
    let tau = params.step;
    let mut force = world.full(0.0);
    let mut velocity = world.full(0.0);
    let mut acceleration = world.full(0.0);
    world.copy(v, &mut velocity);
    // What lies a step before the start, from Taylor's series.
    let mut past = world.full(0.0);
    motion.forces(world, 0.0, u, &velocity, &mut force)?;
    world.divide(&force, motion.mass, &mut acceleration);
    world.combine(
        0.0,
        &[(1.0, &*u), (-tau, &velocity), (0.5 * tau * tau, &acceleration)],
        &mut past,
    );
    for step in 1..=params.steps {
        if step > 1 {
            world.combine(0.0, &[(1.0 / tau, &*u), (-1.0 / tau, &past)], &mut velocity);
            motion.forces(world, (step - 1) as f64 * tau, u, &velocity, &mut force)?;
            world.divide(&force, motion.mass, &mut acceleration);
        }
        world.combine(-1.0, &[(2.0, &*u), (tau * tau, &acceleration)], &mut past);
        std::mem::swap(u, &mut past);
        if (step % LOOK == 0 || step == params.steps) && !world.norm(u)?.is_finite() {
            return Err(WorldError::Unstable { step, step_size: tau });
        }
        observe(step, step as f64 * tau, u);
    }
    let traffic = world.traffic().since(&before);
    Ok(Moved { steps: params.steps, time: params.steps as f64 * tau, traffic })
}

impl Motion<'_> {
    /// `s(t) f − K u − C v`, assembled once.
    fn forces<T: Transport>(
        &self,
        world: &mut World<T>,
        time: f64,
        u: &Vector<Full>,
        v: &Vector<Full>,
        force: &mut Vector<Full>,
    ) -> Result<(), WorldError> {
        let stiffness = Product { scale: -1.0, matrix: self.stiffness, vector: u };
        let damping = self.damping.map(|matrix| Product { scale: -1.0, matrix, vector: v });
        let load = self.load.map(|load| ((load.over_time)(time), load.force));
        let terms = load.as_slice();
        match damping {
            Some(damping) => world.multiply_assembled(&[stiffness, damping], terms, force),
            None => world.multiply_assembled(&[stiffness], terms, force),
        }
    }
}
