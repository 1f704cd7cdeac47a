//! Where a run starts: the operating point at time 0.

use super::TransientParams;
use crate::PowerError;
use crate::drop::element_currents;
use palmette_core::circuit::{CircuitError, Element, ElementKind, OperatingPoint, tie};
use palmette_core::{Circuit, NONE};
use palmette_graph::Laplacian;
use palmette_graph::solve::{Preconditioner, SolveError, SolveParams, Solver};

/// Where a run starts: voltages of all nodes, currents of all elements.
pub(super) struct Start {
    pub(super) circuit: Circuit,
    pub(super) voltages: Vec<f64>,
    pub(super) currents: Vec<f64>,
}

/// The operating point at time 0.
pub(super) fn start(circuit: &Circuit, params: &TransientParams) -> Result<Start, PowerError> {
    let mut now = circuit.clone();
    for element in &mut now.elements {
        if let Some(wave) = circuit.waves.get(element.wave as usize) {
            element.value = wave.at(0.0, params.span);
        }
    }
    let count = now.elements.len();
    let mut held = now.clone();
    for &(node, value) in &params.initial {
        let ground = circuit.ground.ok_or(PowerError::Floats { node })?;
        let (kind, ends, wave) = (ElementKind::Voltage, [node, ground], NONE);
        held.elements.push(Element { kind, ends, value, wave });
    }
    let point = OperatingPoint::new(&held).map_err(|error| match error {
        CircuitError::Conflict { element, value, .. } if element >= count => {
            PowerError::Initial { node: held.elements[element].ends[0], value }
        }
        other => other.into(),
    })?;
    // Elements in loops that inductors close have no currents of their own at rest.
    let tied = tie(&now, false)?;
    let closes = |k: &&u32| (**k as usize) < count && tied.spare.binary_search(k).is_err();
    if let Some(&element) = point.tied.spare.iter().find(closes) {
        return Err(PowerError::Loop { element });
    }
    if let Some(&element) = tied.spare.iter().find(|k| now.elements[**k as usize].wave != NONE) {
        return Err(PowerError::Loop { element });
    }
    let laplacian = Laplacian::new(&point.graph, Some(&point.ground));
    let solve = SolveParams {
        tolerance: 1e-12,
        memory: params.memory,
        cancel: params.cancel.clone(),
        ..SolveParams::default()
    };
    let direct = SolveParams { preconditioner: Preconditioner::Direct, ..solve.clone() };
    let solver = match Solver::new(&laplacian, &direct) {
        Err(SolveError::Memory { .. } | SolveError::Entries { .. }) => {
            Solver::new(&laplacian, &solve)
        }
        made => made,
    }?;
    let voltages = point.tied.potentials(&solver.solve(&point.currents())?.x);
    let mut currents = element_currents(&held, &point.tied, &voltages).currents;
    currents.truncate(count);
    Ok(Start { circuit: now, voltages, currents })
}
