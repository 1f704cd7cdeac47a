//! Steps in time, one after the other.

use super::control::{FIRST, LEVELS, Past};
use super::equations::Equations;
use super::loads::Changing;
use super::recorder::Recorder;
use super::start::start;
use super::state::State;
use super::stretch::Stretch;
use super::system::System;
use super::track::{Moving, Track};
use super::{Method, Probe, Transient, TransientParams};
use crate::PowerError;
use crate::drop::Nets;
use palmette_core::circuit::{ElementKind, Potential, first_nodes, tie};
use palmette_core::{Cancel, CgError, Circuit, NONE};
use palmette_graph::solve::{Preconditioner, SolveError};
use std::cell::OnceCell;
use std::time::Instant;

/// The most steps of a run.
const MOST_STEPS: f64 = 1e10;

/// Waveforms of probes, and the worst drops.
///
/// # Errors
/// When a setting is out of range, a node floats, voltage sources and inductors form a loop, or a
/// system cannot be solved.
pub fn transient(
    circuit: &Circuit,
    nets: &Nets,
    probes: &[Probe],
    params: &TransientParams,
) -> Result<Transient, PowerError> {
    check(params)?;
    let start = start(circuit, params)?;
    let circuit = &start.circuit;
    let span = params.span;
    let tied = tie(circuit, false)?;
    let mut moving = Moving::of(circuit, &tied);
    let mut places = tied.places.clone();
    let wants_currents = probes.iter().any(|probe| matches!(probe, Probe::Element(_)));
    let mut state =
        State::new(circuit, &places, &moving, params.method, &start.currents, wants_currents);
    let mut loads: Vec<Changing> = circuit
        .elements
        .iter()
        .enumerate()
        .filter(|(_, element)| element.kind == ElementKind::Current && element.wave != NONE)
        .map(|(k, element)| Changing::new(k, element))
        .collect();
    // Vertices instead of nodes.
    let vertex = |node: u32| match places[node as usize] {
        Potential::Free { vertex, .. } => vertex,
        Potential::Fixed(_) => NONE,
    };
    loads.iter_mut().for_each(|load| load.ends = load.ends.map(vertex));
    let first = first_nodes(&places);
    let mut x: Vec<f64> = first.iter().map(|&node| start.voltages[node as usize]).collect();
    let mut before = x.clone();
    let mut b = vec![0.0; x.len()];
    let mut track = Track::new(&places, nets, &moving);
    track.look(0.0, &x, nets, &places);
    let first_drops = nets.drops(&start.voltages);

    let mut found = Transient {
        times: Vec::new(),
        probes: vec![Vec::new(); probes.len()],
        worst_drops: Vec::new(),
        first_drops,
        worst: None,
        vertices: x.len(),
        steps: 0,
        rejected: 0,
        factors: 0,
        factor_entries: 0,
        preconditioner: Preconditioner::Direct,
        iterations: 0,
        residual: 0.0,
        factor_seconds: 0.0,
        step_seconds: 0.0,
    };
    let recorder = Recorder { circuit, probes, forest: &tied.forest, wants_currents };
    if params.start <= 0.0 {
        let known = wants_currents.then_some(&start.currents[..]);
        recorder.write(&mut found, 0.0, &x, &places, &state, &mut [], known, span);
    }
    let finest = if params.accuracy.is_some() { LEVELS } else { 0 };
    let mut level = if params.accuracy.is_some() { FIRST } else { 0 };
    let mut past = Past::default();
    let keeps_past = params.accuracy.is_some() || params.preconditioner != Preconditioner::Direct;
    past.push(0.0, &x);
    let clock = Instant::now();
    for stretch in Stretch::all(params, 1u64 << finest) {
        level = stretch.level(level, finest);
        let mut level_now = None;
        let points: Vec<OnceCell<Equations>> = (0..=finest).map(|_| OnceCell::new()).collect();
        let mut systems: Vec<Option<System<'_>>> = (0..=finest).map(|_| None).collect();
        let mut at = 0u64;
        while at < stretch.end {
            check_cancel(params.cancel.as_ref())?;
            let step = stretch.ticks >> level;
            let time = stretch.time(at + step);
            let equations = match points[level as usize].get() {
                Some(equations) => equations,
                None => {
                    let made =
                        Equations::new(circuit, stretch.length(level), params.method, &moving)?;
                    points[level as usize].get_or_init(|| made)
                }
            };
            if systems[level as usize].is_none() {
                let system = System::new(&equations.point, params)?;
                found.factors += 1;
                found.factor_entries = found.factor_entries.max(system.entries);
                found.factor_seconds += system.seconds;
                found.preconditioner = system.chosen;
                systems[level as usize] = Some(system);
            }
            let Some(system) = systems[level as usize].as_mut() else { continue };
            if level_now != Some(level) {
                state.set_step(params.method, stretch.length(level), &x, |n| {
                    voltage(&places, &x, n)
                });
                level_now = Some(level);
            }
            // Voltages that are let go at the start make currents jump: two half steps of backward
            // Euler, which have the matrix of one trapezoidal step.
            let damped = found.steps == 0
                && !params.initial.is_empty()
                && params.method == Method::Trapezoidal;
            if damped {
                let half = stretch.length(level) / 2.0;
                state.set_step(Method::BackwardEuler, half, &x, |n| voltage(&places, &x, n));
                level_now = None;
            }
            let saved = params.accuracy.filter(|_| !damped).map(|_| state.save());
            before.copy_from_slice(&x);
            past.guess(time, &mut x);
            let parts = if damped { 2 } else { 1 };
            for part in 1..=parts {
                let now = stretch.time(at);
                let time = now + (time - now) * f64::from(part) / f64::from(parts);
                moving.place(circuit, time, span, &mut places);
                b.copy_from_slice(&equations.constant);
                equations.add_moved(&mut b, &places);
                for load in &mut loads {
                    let amperes = load.at(circuit, time, span);
                    let [from, to] = load.ends;
                    if from != NONE {
                        b[from as usize] -= amperes;
                    }
                    if to != NONE {
                        b[to as usize] += amperes;
                    }
                }
                state.add(&mut b, &places);
                system.solve(&b, &mut x)?;
                if part < parts {
                    state.advance(&x, |node| voltage(&places, &x, node));
                }
            }
            if let (Some(bound), Some(saved)) = (params.accuracy, saved) {
                let error = past.error(params.method, time, &x);
                if error.is_some_and(|error| error > bound) && level < finest {
                    x.copy_from_slice(&before);
                    state.restore(saved);
                    moving.place(circuit, stretch.time(at), span, &mut places);
                    found.rejected += 1;
                    level += 1;
                    continue;
                }
                let next = at + step;
                let is_far_below = error.is_some_and(|error| error < 0.1 * bound);
                if is_far_below && level > 0 && next.is_multiple_of(2 * step) {
                    level -= 1;
                }
            }
            state.advance(&x, |node| voltage(&places, &x, node));
            at += step;
            found.steps += 1;
            if keeps_past {
                past.push(time, &x);
            }
            track.look(time, &x, nets, &places);
            if stretch.prints(at) && time >= params.start * (1.0 - 1e-12) {
                recorder.write(&mut found, time, &x, &places, &state, &mut loads, None, span);
            }
        }
        for system in systems.iter().flatten() {
            found.iterations = found.iterations.max(system.iterations);
            found.residual = found.residual.max(system.residual);
        }
    }
    found.step_seconds = clock.elapsed().as_secs_f64() - found.factor_seconds;
    found.worst = track.worst;
    found.worst_drops = track.drops(&places, nets);
    Ok(found)
}

pub(super) fn voltage(places: &[Potential], x: &[f64], node: u32) -> f64 {
    match places[node as usize] {
        Potential::Free { vertex, offset } => x[vertex as usize] + offset,
        Potential::Fixed(value) => value,
    }
}

fn check(params: &TransientParams) -> Result<(), PowerError> {
    let span = params.span;
    let positive = |what: &'static str, value: f64| match value > 0.0 && value.is_finite() {
        true => Ok(()),
        false => Err(PowerError::Setting { what, value }),
    };
    positive("a step", span.step)?;
    positive("an end", span.stop)?;
    positive("a tolerance", params.tolerance)?;
    if let Some(accuracy) = params.accuracy {
        positive("an accuracy", accuracy)?;
    }
    if params.substeps == 0 || !params.start.is_finite() {
        return Err(PowerError::Setting { what: "a number of steps", value: 0.0 });
    }
    let steps = span.stop / span.step * f64::from(params.substeps);
    match steps > MOST_STEPS {
        true => Err(PowerError::Setting { what: "a number of steps", value: steps }),
        false => Ok(()),
    }
}

fn check_cancel(cancel: Option<&Cancel>) -> Result<(), PowerError> {
    match cancel.is_some_and(Cancel::is_raised) {
        true => Err(SolveError::from(CgError::Cancelled { iterations: 0 }).into()),
        false => Ok(()),
    }
}
