//! Operating points against circuits made anew, and Kirchhoff's laws.

use super::*;
use crate::PowerError;
use palmette_core::NONE;
use palmette_core::circuit::{Element, ElementKind};
use palmette_core::random::{Purpose, Random};
use palmette_graph::Laplacian;
use palmette_graph::solve::{Preconditioner, SolveParams, Solver};

fn element(kind: ElementKind, a: u32, b: u32, value: f64) -> Element {
    Element { kind, ends: [a, b], value, wave: NONE }
}

/// A grid of 6 × 6 nodes with three pads behind inductors, loads, a source between nodes and a
/// resistor of 0 ohms. Ground is node 0.
fn grid(seed: u64) -> Circuit {
    use ElementKind::{Current, Inductor, Resistor, Voltage};
    let mut random = Random::new(seed, Purpose::Shape);
    let at = |x: u32, y: u32| 1 + 6 * x + y;
    let mut elements = Vec::new();
    for x in 0..6 {
        for y in 0..6 {
            for (u, v) in [(x + 1, y), (x, y + 1)] {
                if u < 6 && v < 6 {
                    elements.push(element(Resistor, at(x, y), at(u, v), 0.5 + random.unit()));
                }
            }
            elements.push(element(Current, at(x, y), 0, 1e-2 * random.unit()));
        }
    }
    for (pad, (x, y)) in [(0, 0), (5, 5), (0, 5)].into_iter().enumerate() {
        let node = 37 + 2 * pad as u32;
        elements.push(element(Resistor, at(x, y), node, 0.1));
        elements.push(element(Resistor, at(x.min(4) + 1, y.max(1) - 1), node, 0.3));
        elements.push(element(Inductor, node, node + 1, 1e-9));
        elements.push(element(Voltage, node + 1, 0, 1.8));
    }
    elements.push(element(Voltage, 43, at(2, 2), 0.3));
    elements.push(element(Resistor, 43, at(3, 3), 2.0));
    elements.push(element(Resistor, 44, at(4, 1), 0.0));
    elements.push(element(Current, 44, 0, 3e-3));
    Circuit { nodes: 45, ground: Some(0), elements, waves: Vec::new() }
}

fn exact() -> SolveParams {
    SolveParams { preconditioner: Preconditioner::Direct, tolerance: 1e-13, ..Default::default() }
}

fn voltages(circuit: &Circuit) -> Vec<f64> {
    let point = OperatingPoint::new(circuit).expect("a circuit");
    let laplacian = Laplacian::new(&point.graph, Some(&point.ground));
    let x = Solver::new(&laplacian, &exact()).expect("a factor").solve(&point.currents());
    point.tied.potentials(&x.expect("potentials").x)
}

#[test]
fn currents_obey_kirchhoff() {
    let circuit = grid(3);
    let point = OperatingPoint::new(&circuit).expect("a circuit");
    let nets = Nets::of(&circuit, &point);
    let found = Drop::at(&circuit, &point.tied, &nets, voltages(&circuit));
    let mut leaving = vec![0.0; circuit.nodes];
    for (element, current) in circuit.elements.iter().zip(&found.elements.currents) {
        leaving[element.ends[0] as usize] += current;
        leaving[element.ends[1] as usize] -= current;
    }
    assert!(leaving.iter().all(|sum| f64::abs(*sum) < 1e-12), "{leaving:?}");
    assert!((found.supplied - found.losses - found.load).abs() < 1e-12);
    // One net of the grid with its pads, and the node behind the source of 0.3 V.
    assert_eq!(nets.nets.len(), 1);
    assert_eq!((nets.nets[0].nominal, nets.nets[0].nodes), (1.8, 44));
    let worst = found.worst.expect("a node") as usize;
    assert!(found.drops.iter().all(|drop| *drop <= found.drops[worst]));
}

#[test]
fn changes_are_as_if_made_anew() {
    use Change::{Add, RemovePad, Set};
    let circuit = grid(5);
    let point = OperatingPoint::new(&circuit).expect("a circuit");
    let laplacian = Laplacian::new(&point.graph, Some(&point.ground));
    let solver = Solver::new(&laplacian, &exact()).expect("a factor");
    let pads: Vec<u32> = (0..)
        .zip(&circuit.elements)
        .filter(|(_, e)| e.kind == ElementKind::Voltage && e.ends[1] == 0)
        .map(|(k, _)| k)
        .collect();
    let lists: [&[Change]; 8] = [
        &[],
        &[Add { ends: [8, 20], ohms: 0.2 }],
        &[Add { ends: [43, 0], ohms: 10.0 }, Add { ends: [30, 38], ohms: 0.5 }],
        &[Set { element: 0, ohms: 0.01 }, Set { element: 0, ohms: 3.0 }],
        &[RemovePad { element: pads[0] }],
        &[RemovePad { element: pads[0] }, RemovePad { element: pads[2] }],
        &[
            RemovePad { element: pads[1] },
            Add { ends: [8, 37], ohms: 0.2 },
            Set { element: 4, ohms: 0.1 },
        ],
        &[Add { ends: [5, 5], ohms: 1.0 }, Add { ends: [38, 40], ohms: 1.0 }],
    ];
    for changes in lists {
        let found = change(&circuit, &point, &solver, changes).expect("potentials");
        let anew = voltages(&found.circuit);
        for (node, (a, b)) in found.voltages.iter().zip(&anew).enumerate() {
            assert!((a - b).abs() < 1e-10, "{changes:?}: node {node}: {a} and {b}");
        }
    }
    let all: Vec<Change> = pads.iter().map(|&element| RemovePad { element }).collect();
    let refused =
        |changes: &[Change]| change(&circuit, &point, &solver, changes).expect_err("wrong");
    assert!(matches!(refused(&all), PowerError::Floats { .. }));
    assert_eq!(refused(&[Set { element: 0, ohms: -1.0 }]), PowerError::Resistance { ohms: -1.0 });
    assert!(matches!(refused(&[RemovePad { element: 0 }]), PowerError::NotAPad { element: 0 }));
    assert!(matches!(
        refused(&[Set { element: pads[0], ohms: 1.0 }]),
        PowerError::NotAResistor { .. }
    ));
    let both = [RemovePad { element: pads[0] }, Add { ends: [37, 9], ohms: 1.0 }];
    assert_eq!(refused(&both), PowerError::AtRemovedPad { node: 37 });
}

#[test]
fn scenarios_are_as_if_made_anew() {
    let circuit = grid(7);
    let point = OperatingPoint::new(&circuit).expect("a circuit");
    let nets = Nets::of(&circuit, &point);
    let laplacian = Laplacian::new(&point.graph, Some(&point.ground));
    let solver = Solver::new(&laplacian, &exact()).expect("a factor");
    let loads: Vec<u32> = (0..)
        .zip(&circuit.elements)
        .filter(|(_, e)| e.kind == ElementKind::Current)
        .map(|(k, _)| k)
        .collect();
    let case = |k: usize| -> Case {
        let mut random = Random::numbered(1, Purpose::Samples, k as u64);
        loads.iter().map(|&load| (load, 2e-2 * random.unit())).collect()
    };
    let count = 150;
    let found = scenarios(&circuit, &point, &nets, &solver, count, case).expect("cases");
    let mut worst = vec![f64::NEG_INFINITY; circuit.nodes];
    for k in 0..count {
        let mut changed = circuit.clone();
        case(k).into_iter().for_each(|(load, a)| changed.elements[load as usize].value = a);
        let own = Drop::at(&changed, &point.tied, &nets, voltages(&changed));
        let (node, drop) = found.by_case[k];
        assert_eq!(Some(node), own.worst);
        assert!((drop - own.drops[node as usize]).abs() < 1e-11);
        assert!((found.supplied[k] - own.supplied).abs() < 1e-11);
        worst.iter_mut().zip(&own.drops).for_each(|(worst, drop)| *worst = worst.max(*drop));
    }
    for (node, (a, b)) in found.worst.drops.iter().zip(&worst).enumerate() {
        assert!((a - b).abs() < 1e-11, "node {node}");
    }
}
