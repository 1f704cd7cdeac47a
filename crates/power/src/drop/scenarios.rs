//! Many loads on one grid.
//!
//! **Problem.** Cases, each with other currents of some sources; out come the worst drop of each
//! case, and of each node its worst drop over all cases and the case that has it.
//! **Method.** The grid is factored once. Cases are solved one after the other, as many at a time
//! as there are threads; each thread keeps the worst of its cases, so that memory does not
//! grow with their number.
//! **Cost.** One application of the factor per case; 12 bytes per node and thread.
//! **Determinism.** A node's worst case is the first of those with the same drop: the same on any
//! number of threads.

use super::Nets;
use crate::PowerError;
use palmette_core::Circuit;
use palmette_core::circuit::{ElementKind, OperatingPoint, Potential};
use palmette_graph::solve::Solver;
use rayon::prelude::*;

/// What a case changes: current sources, and their amperes in it.
pub type Case = Vec<(u32, f64)>;

/// Cases at once.
const BLOCK: usize = 64;

/// The worst of many cases.
#[derive(Debug, Clone, PartialEq)]
pub struct WorstCases {
    /// By node, its largest drop.
    pub drops: Vec<f64>,
    /// By node, the case that has it.
    pub cases: Vec<u32>,
}

/// What came of all cases.
#[derive(Debug, Clone, PartialEq)]
pub struct Scenarios {
    /// The worst by node.
    pub worst: WorstCases,
    /// By case, the node with the largest drop, and the drop.
    pub by_case: Vec<(u32, f64)>,
    /// By case, the watts that voltage sources deliver.
    pub supplied: Vec<f64>,
}

/// Solves all cases; `case` makes one, by number.
///
/// # Errors
/// When a system cannot be solved.
///
/// # Panics
/// When a case names what is no current source.
pub fn scenarios(
    circuit: &Circuit,
    point: &OperatingPoint,
    nets: &Nets,
    solver: &Solver<'_>,
    count: usize,
    case: impl Fn(usize) -> Case + Sync,
) -> Result<Scenarios, PowerError> {
    let base = point.currents();
    let n = circuit.nodes;
    let one = |k: usize, worst: &mut WorstCases| -> Result<(u32, f64, f64), PowerError> {
        let changes = case(k);
        let mut currents = base.clone();
        for &(element, amperes) in &changes {
            let source = &circuit.elements[element as usize];
            assert_eq!(source.kind, ElementKind::Current, "a current source");
            let more = amperes - source.value;
            for (node, more) in [(source.ends[0], -more), (source.ends[1], more)] {
                if let Potential::Free { vertex, .. } = point.tied.places[node as usize] {
                    currents[vertex as usize] += more;
                }
            }
        }
        let x = solver.solve(&currents)?.x;
        let voltages = point.tied.potentials(&x);
        let (mut node, mut most) = (0, f64::NEG_INFINITY);
        for (v, &voltage) in voltages.iter().enumerate() {
            if nets.of[v] == palmette_core::NONE {
                continue;
            }
            let drop = nets.drop_of(v, voltage);
            if drop > worst.drops[v] {
                (worst.drops[v], worst.cases[v]) = (drop, k as u32);
            }
            if drop > most {
                (node, most) = (v as u32, drop);
            }
        }
        Ok((node, most, supplied(circuit, &voltages, &changes)))
    };
    let empty = || WorstCases { drops: vec![f64::NEG_INFINITY; n], cases: vec![0; n] };
    let mut worst = empty();
    let (mut by_case, mut watts) = (Vec::with_capacity(count), Vec::with_capacity(count));
    let threads = rayon::current_num_threads().max(1);
    let group = BLOCK * threads;
    for first in (0..count).step_by(group) {
        let end = (first + group).min(count);
        let starts: Vec<usize> = (first..end).step_by(BLOCK).collect();
        type Part = Result<(WorstCases, Vec<(u32, f64, f64)>), PowerError>;
        let parts: Vec<Part> = starts
            .into_par_iter()
            .map(|start| {
                let mut own = empty();
                let cases = start..(start + BLOCK).min(end);
                let found: Result<Vec<_>, PowerError> = cases.map(|k| one(k, &mut own)).collect();
                Ok((own, found?))
            })
            .collect();
        for part in parts {
            let (own, found) = part?;
            for v in 0..n {
                if own.drops[v] > worst.drops[v] {
                    (worst.drops[v], worst.cases[v]) = (own.drops[v], own.cases[v]);
                }
            }
            by_case.extend(found.iter().map(|&(node, drop, _)| (node, drop)));
            watts.extend(found.iter().map(|&(.., supplied)| supplied));
        }
    }
    if let Some(ground) = circuit.ground {
        worst.drops[ground as usize] = 0.0;
    }
    Ok(Scenarios { worst, by_case, supplied: watts })
}

/// What sources deliver: what resistors and loads take.
fn supplied(circuit: &Circuit, voltages: &[f64], changes: &Case) -> f64 {
    let across = |ends: [u32; 2]| voltages[ends[0] as usize] - voltages[ends[1] as usize];
    let mut watts = 0.0;
    for element in &circuit.elements {
        match element.kind {
            ElementKind::Resistor if element.value > 0.0 => {
                watts += across(element.ends).powi(2) / element.value;
            }
            ElementKind::Current => watts += across(element.ends) * element.value,
            _ => {}
        }
    }
    for &(element, amperes) in changes {
        let source = &circuit.elements[element as usize];
        watts += across(source.ends) * (amperes - source.value);
    }
    watts
}
