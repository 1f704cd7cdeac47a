//! Transients against formulas, and against each other.

use super::*;
use crate::PowerError;
use crate::drop::Nets;
use palmette_core::circuit::{Element, ElementKind, OperatingPoint, Waveform};
use palmette_core::{Circuit, NONE};

fn element(kind: ElementKind, a: u32, b: u32, value: f64, wave: u32) -> Element {
    Element { kind, ends: [a, b], value, wave }
}

fn run(circuit: &Circuit, probes: &[Probe], params: &TransientParams) -> Transient {
    let point = OperatingPoint::new(circuit).expect("a circuit");
    transient(circuit, &Nets::of(circuit, &point), probes, params).expect("a run")
}

/// 1 V through 1 kΩ into 1 µF: at rest until a source in the middle jumps at 0.
fn charging() -> Circuit {
    use ElementKind::{Capacitor, Current, Resistor, Voltage};
    let elements = vec![
        element(Voltage, 1, 0, 1.0, NONE),
        element(Resistor, 1, 2, 1e3, NONE),
        element(Capacitor, 2, 0, 1e-6, NONE),
        element(Current, 2, 0, 0.0, 0),
    ];
    let wave = Waveform::Pwl(vec![[0.0, 0.0], [1e-12, 1e-3]]);
    Circuit { nodes: 3, ground: Some(0), elements, waves: vec![wave] }
}

#[test]
fn a_capacitor_discharges_by_the_formula() {
    let circuit = charging();
    let span = Span { step: 1e-5, stop: 5e-3 };
    let probes = [Probe::Node(2), Probe::Element(2), Probe::Element(0)];
    let mut errors = Vec::new();
    for (method, substeps) in [
        (Method::Trapezoidal, 10),
        (Method::Trapezoidal, 20),
        (Method::BackwardEuler, 10),
        (Method::BackwardEuler, 20),
    ] {
        let params = TransientParams { method, substeps, ..TransientParams::new(span) };
        let found = run(&circuit, &probes, &params);
        assert_eq!((found.times.len(), found.steps), (501, 500 * u64::from(substeps)));
        let exact = |t: f64| (-t / 1e-3).exp();
        // 1 mA through 1 kΩ takes all of the volt in the end.
        let error = |k: usize| (found.probes[0][k] - exact(found.times[k])).abs();
        errors.push((1..501).map(error).fold(0.0, f64::max));
        for k in 1..501 {
            // What the load takes comes from the capacitor and from the source.
            let sum = found.probes[1][k] + found.probes[2][k].abs().mul_add(-1.0, 1e-3);
            assert!(sum.abs() < 1e-12, "{k}: {sum}");
        }
        let (node, drop, time) = found.worst.expect("a node");
        assert!(node == 2 && (drop - 0.9933).abs() < 1e-3 && (time - 5e-3).abs() < 1e-12);
    }
    // The jump within the first step costs half of it; all else is of the method's order.
    assert!(errors[0] < 1e-3 && errors[1] < 0.6 * errors[0], "{errors:?}");
    assert!(errors[3] < 0.6 * errors[2], "{errors:?}");
}

/// A source that swings, an inductor, a capacitor, and a source between nodes that moves too.
fn swinging() -> Circuit {
    use ElementKind::{Capacitor, Inductor, Resistor, Voltage};
    let elements = vec![
        element(Voltage, 1, 0, 1.0, 0),
        element(Inductor, 1, 2, 1e-3, NONE),
        element(Resistor, 2, 3, 10.0, NONE),
        element(Capacitor, 3, 0, 1e-6, NONE),
        element(Resistor, 3, 0, 50.0, NONE),
        element(Voltage, 4, 3, 0.5, 1),
        element(Capacitor, 4, 2, 2e-7, NONE),
        element(Resistor, 4, 0, 80.0, NONE),
    ];
    let sine = |offset, amplitude, frequency| Waveform::Sin {
        offset,
        amplitude,
        frequency: Some(frequency),
        delay: 0.0,
        damping: 0.0,
        phase: 0.0,
    };
    let waves = vec![sine(1.0, 0.5, 2e3), sine(0.5, 0.1, 5e3)];
    Circuit { nodes: 5, ground: Some(0), elements, waves }
}

#[test]
fn methods_and_step_control_agree() {
    let circuit = swinging();
    let span = Span { step: 1e-5, stop: 2e-3 };
    let probes: Vec<Probe> = (1..5).map(Probe::Node).chain((0..8).map(Probe::Element)).collect();
    let with = |substeps, method, accuracy| {
        let params = TransientParams { substeps, method, accuracy, ..TransientParams::new(span) };
        run(&circuit, &probes, &params)
    };
    let fine = with(400, Method::Trapezoidal, None);
    let apart = |other: &Transient, which: std::ops::Range<usize>| {
        let pairs = fine.probes[which.clone()].iter().zip(&other.probes[which]);
        pairs.flat_map(|(a, b)| a.iter().zip(b)).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
    };
    // The second order shows, in voltages and currents.
    let [coarse, half] = [10, 20].map(|substeps| with(substeps, Method::Trapezoidal, None));
    for which in [0..4, 4..12] {
        let ratio = apart(&coarse, which.clone()) / apart(&half, which);
        assert!((3.5..4.5).contains(&ratio), "{ratio}");
    }
    let euler = with(400, Method::BackwardEuler, None);
    assert!(apart(&euler, 0..4) < 1e-3);
    let controlled = with(1, Method::Trapezoidal, Some(1e-7));
    assert!(apart(&controlled, 0..4) < 1e-4, "{}", apart(&controlled, 0..4));
    assert!(controlled.steps < fine.steps / 4 && controlled.factors > 1, "{controlled:?}");
    // Kirchhoff's law at node 3, in time.
    for k in 0..fine.times.len() {
        let i = |element: usize| fine.probes[4 + element][k];
        let sum = i(2) - i(3) - i(4) + i(5);
        assert!(sum.abs() < 1e-12, "{k}: {sum}");
    }
    // Conjugate gradients find the same; they are chosen where memory does not hold a factor.
    let approximate = Preconditioner::ApproximateCholesky;
    for (asked, memory, preconditioner) in [
        (Preconditioner::Jacobi, None, Preconditioner::Jacobi),
        (Preconditioner::Sparsifier, None, Preconditioner::Sparsifier),
        (Preconditioner::Auto, Some(1), approximate),
    ] {
        let base = TransientParams { substeps: 20, ..TransientParams::new(span) };
        let asked = TransientParams { preconditioner: asked, memory, ..base };
        let params = TransientParams { tolerance: 1e-12, ..asked };
        let found = run(&circuit, &probes, &params);
        let pairs = half.probes.iter().flatten().zip(found.probes.iter().flatten());
        let most = pairs.map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        assert!(most < 1e-8 && found.preconditioner == preconditioner, "{most}");
    }
}

#[test]
fn voltages_to_start_with() {
    let mut circuit = charging();
    circuit.elements.pop();
    let span = Span { step: 1e-5, stop: 5e-3 };
    let params =
        TransientParams { initial: vec![(2, 0.25)], substeps: 10, ..TransientParams::new(span) };
    let found = run(&circuit, &[Probe::Node(2)], &params);
    for (t, v) in found.times.iter().zip(&found.probes[0]) {
        let exact = 1.0 - 0.75 * (-t / 1e-3).exp();
        assert!((v - exact).abs() < 1e-6, "{t}: {v}, {exact}");
    }
    let point = OperatingPoint::new(&circuit).expect("a circuit");
    let nets = Nets::of(&circuit, &point);
    let wrong = TransientParams { initial: vec![(1, 0.25)], ..params };
    let refused = transient(&circuit, &nets, &[], &wrong);
    assert_eq!(refused, Err(PowerError::Initial { node: 1, value: 0.25 }));
}

#[test]
fn the_end_is_reached() {
    let circuit = charging();
    let exact = |t: f64| (-t / 1e-3).exp();
    let stop = 8e-4;
    // (step, substeps, accuracy, the printed times before the end)
    let runs = [
        (3e-4, 100, None, vec![0.0, 3e-4, 6e-4]),
        (3e-4, 130, None, vec![0.0, 3e-4, 6e-4]),
        (3e-4, 1, Some(1e-7), vec![0.0, 3e-4, 6e-4]),
        (7.9e-4, 200, None, vec![0.0, 7.9e-4]),
        (2e-4, 100, None, vec![0.0, 2e-4, 4e-4, 6e-4]),
    ];
    for (step, substeps, accuracy, mut times) in runs {
        times.push(stop);
        for method in [Method::Trapezoidal, Method::BackwardEuler] {
            let base = TransientParams::new(Span { step, stop });
            let params = TransientParams { method, substeps, accuracy, ..base };
            let found = run(&circuit, &[Probe::Node(2)], &params);
            assert_eq!(found.times.len(), times.len(), "{:?}", found.times);
            for (k, (t, expected)) in found.times.iter().zip(&times).enumerate() {
                assert!((t - expected).abs() < 1e-15, "{t} and {expected}");
                let error = (found.probes[0][k] - exact(*t)).abs();
                assert!(error < 3e-3, "{step} {accuracy:?}: {error} at {t}");
            }
            if accuracy.is_none() {
                let last = stop / step * f64::from(substeps);
                let is_whole = (last - last.round()).abs() < 1e-9;
                assert_eq!(found.factors, if is_whole { 1 } else { 2 });
                assert_eq!(found.steps, (last - 1e-9).ceil() as u64);
            }
        }
    }
    // Voltages that are let go at the start of a run of one short step.
    let short = Span { step: 1e-3, stop: 1e-6 };
    let params = TransientParams { initial: vec![(2, 0.25)], ..TransientParams::new(short) };
    let mut still = charging();
    still.elements.pop();
    let found = run(&still, &[Probe::Node(2)], &params);
    assert_eq!(found.times, [0.0, 1e-6]);
    assert!((found.probes[0][1] - (1.0 - 0.75 * exact(1e-6))).abs() < 1e-6);
}

#[test]
fn loops_and_settings() {
    let mut circuit = charging();
    let params = TransientParams::new(Span { step: 1e-5, stop: 1e-4 });
    let nets = Nets::of(&circuit, &OperatingPoint::new(&circuit).expect("a circuit"));
    let bad = TransientParams { span: Span { step: 0.0, stop: 1.0 }, ..params.clone() };
    assert!(matches!(transient(&circuit, &nets, &[], &bad), Err(PowerError::Setting { .. })));
    circuit.elements.push(element(ElementKind::Inductor, 2, 0, 1e-3, NONE));
    circuit.elements.push(element(ElementKind::Inductor, 2, 0, 1e-3, NONE));
    let found = transient(&circuit, &nets, &[], &params);
    assert_eq!(found, Err(PowerError::Loop { element: 5 }));
}
