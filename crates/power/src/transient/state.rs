//! What capacitors and inductors remember from step to step.
//!
//! With `u` the voltage across an element, `i` its current and `g` its conductance in a step
//! (`k C / h` or `h / (k L)`, `k` is 2 for the trapezoidal rule and 1 for backward Euler), the
//! current is `i = g u + m` with what it remembers, `m`:
//!
//! | | trapezoidal | backward Euler |
//! |---|---|---|
//! | capacitor | `m = −(g u + i)` of the last step | `m = −g u` |
//! | inductor | `m = g u + i` | `m = i` |
//!
//! so that `m` of the next step is `−2 g u − m` and `−g u`, `2 g u + m` and `g u + m`: one number per
//! element. Capacitors from a vertex to fixed potentials are added up by vertex.

use super::Method;
use super::track::Moving;
use palmette_core::Circuit;
use palmette_core::circuit::{ElementKind, Potential};

/// An element between any two nodes.
pub(super) struct Single {
    pub(super) element: u32,
    ends: [u32; 2],
    is_capacitor: bool,
    /// Farads, or henries.
    size: f64,
    conductance: f64,
    memory: f64,
    /// Its current after the last step.
    pub(super) current: f64,
}

/// Capacitors of vertices to fixed potentials, by vertex.
#[derive(Default)]
struct Grounded {
    vertices: Vec<u32>,
    farads: Vec<f64>,
    /// Farads times how far the vertex's end lies above the fixed one at potential 0.
    above: Vec<f64>,
    memory: Vec<f64>,
    /// After steps of backward Euler, the currents.
    current: Vec<f64>,
}

pub(super) struct State {
    method: Method,
    step: f64,
    singles: Vec<Single>,
    grounded: Grounded,
}

impl State {
    /// The elements at rest, with the currents of the operating point. `apart` keeps all capacitors
    /// by themselves.
    pub(super) fn new(
        circuit: &Circuit,
        places: &[Potential],
        moving: &Moving,
        method: Method,
        currents: &[f64],
        apart: bool,
    ) -> State {
        let mut state =
            State { method, step: f64::NAN, singles: Vec::new(), grounded: Grounded::default() };
        let vertices = places.iter().filter_map(|place| match place {
            Potential::Free { vertex, .. } => Some(*vertex + 1),
            Potential::Fixed(_) => None,
        });
        let count = vertices.max().unwrap_or(0) as usize;
        let (mut farads, mut above) = (vec![0.0; count], vec![0.0; count]);
        for (k, element) in circuit.elements.iter().enumerate() {
            let is_capacitor = element.kind == ElementKind::Capacitor;
            if !(is_capacitor || element.kind == ElementKind::Inductor) || element.value == 0.0 {
                continue;
            }
            let [a, b] = element.ends.map(|node| places[node as usize]);
            let moves = element.ends.iter().any(|&node| moving.has(node));
            if let (
                [Potential::Free { vertex, offset }, Potential::Fixed(value)]
                | [Potential::Fixed(value), Potential::Free { vertex, offset }],
                true,
            ) = ([a, b], is_capacitor && !moves && !apart)
            {
                farads[vertex as usize] += element.value;
                above[vertex as usize] += element.value * (offset - value);
                continue;
            }
            state.singles.push(Single {
                element: k as u32,
                ends: element.ends,
                is_capacitor,
                size: element.value,
                conductance: 0.0,
                memory: 0.0,
                current: currents[k],
            });
        }
        let some: Vec<u32> = (0..count as u32).filter(|v| farads[*v as usize] > 0.0).collect();
        state.grounded = Grounded {
            farads: some.iter().map(|v| farads[*v as usize]).collect(),
            above: some.iter().map(|v| above[*v as usize]).collect(),
            memory: vec![0.0; some.len()],
            current: vec![0.0; some.len()],
            vertices: some,
        };
        state
    }

    /// Currents of capacitors and inductors after the last step, by element.
    pub(super) fn singles(&self) -> &[Single] {
        &self.singles
    }

    /// Prepares for steps of `h` from the voltages of nodes and potentials of vertices now.
    pub(super) fn set_step(
        &mut self,
        method: Method,
        h: f64,
        x: &[f64],
        voltage: impl Fn(u32) -> f64,
    ) {
        let remembers = self.method == Method::Trapezoidal && self.step.is_finite();
        self.method = method;
        let trapezoidal = method == Method::Trapezoidal;
        let k = if trapezoidal { 2.0 } else { 1.0 };
        let old = 2.0 / self.step;
        for single in &mut self.singles {
            let u = voltage(single.ends[0]) - voltage(single.ends[1]);
            let current = single.current;
            let g = if single.is_capacitor { k * single.size / h } else { h / (k * single.size) };
            single.conductance = g;
            single.memory = match (single.is_capacitor, trapezoidal) {
                (true, true) => -(g * u + current),
                (true, false) => -g * u,
                (false, true) => g * u + current,
                (false, false) => current,
            };
        }
        let all = &mut self.grounded;
        for (i, &v) in all.vertices.iter().enumerate() {
            // Farads times volts.
            let charge = all.farads[i] * x[v as usize] + all.above[i];
            let current = match remembers {
                true => -all.memory[i] - old * charge,
                false => all.current[i],
            };
            all.memory[i] = -(k / h * charge + if trapezoidal { current } else { 0.0 });
        }
        self.step = h;
    }

    /// Adds what is remembered to the currents into vertices. What offsets of nodes put in is in the
    /// equations already.
    pub(super) fn add(&self, b: &mut [f64], places: &[Potential]) {
        let all = &self.grounded;
        for (&v, &memory) in all.vertices.iter().zip(&all.memory) {
            b[v as usize] -= memory;
        }
        for single in &self.singles {
            for (node, sign) in single.ends.iter().zip([-1.0, 1.0]) {
                if let Potential::Free { vertex, .. } = places[*node as usize] {
                    b[vertex as usize] += sign * single.memory;
                }
            }
        }
    }

    /// After a step.
    pub(super) fn advance(&mut self, x: &[f64], voltage: impl Fn(u32) -> f64) {
        let trapezoidal = self.method == Method::Trapezoidal;
        for single in &mut self.singles {
            let flow = single.conductance * (voltage(single.ends[0]) - voltage(single.ends[1]));
            single.current = flow + single.memory;
            single.memory = match (single.is_capacitor, trapezoidal) {
                (true, true) => -2.0 * flow - single.memory,
                (true, false) => -flow,
                (false, true) => 2.0 * flow + single.memory,
                (false, false) => single.current,
            };
        }
        let all = &mut self.grounded;
        let k = if trapezoidal { 2.0 } else { 1.0 } / self.step;
        let parts = all.vertices.iter().zip(&all.farads).zip(&all.above).zip(&mut all.memory);
        if trapezoidal {
            for (((&v, &farads), &above), memory) in parts {
                *memory = -2.0 * k * (farads * x[v as usize] + above) - *memory;
            }
            return;
        }
        for ((((&v, &farads), &above), memory), current) in parts.zip(&mut all.current) {
            let flow = k * (farads * x[v as usize] + above);
            *current = flow + *memory;
            *memory = -flow;
        }
    }

    /// To undo a step: all that changes.
    pub(super) fn save(&self) -> (Vec<(f64, f64)>, Vec<f64>) {
        let singles = self.singles.iter().map(|single| (single.memory, single.current)).collect();
        (singles, self.grounded.memory.clone())
    }

    pub(super) fn restore(&mut self, (singles, grounded): (Vec<(f64, f64)>, Vec<f64>)) {
        for (single, (memory, current)) in self.singles.iter_mut().zip(singles) {
            (single.memory, single.current) = (memory, current);
        }
        self.grounded.memory = grounded;
    }
}
