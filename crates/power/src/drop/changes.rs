//! What if: a resistor more, a stronger one, a pad less.
//!
//! **Problem.** The potentials of a grid after a few changes, from the factor of the grid as it was.
//! **Method.** Each change adds `δ u uᵀ` to the matrix `A` and something to the currents:
//!
//! | change | `u` | `δ` | to the currents |
//! |---|---|---|---|
//! | a resistor between vertices `a` and `b` | `e_a − e_b` | its conductance, or the difference | offsets of tied nodes, times the conductance |
//! | one to a fixed node | `e_a` | the same | what that node puts in |
//! | a pad removed | the conductances `g` from its nodes to vertices | `−1 / Σ g` | what its nodes got from the pad, taken away; their own loads shared out by `g / Σ g` |
//!
//! The pad's nodes become one free node, which is eliminated. With `U` and `D = diag(δ)` Woodbury's
//! identity gives `(A + U D Uᵀ)⁻¹ b = y − Z (D⁻¹ + Uᵀ Z)⁻¹ Uᵀ y`, where `A y = b` and `A Z = U`: one
//! solve per change, and a small dense system. If that is singular, a node floats.
//! **Cost.** `k + 1` solves with the old factor and `k³` for `k` changes.
//! **Reference.** Hager, *Updating the inverse of a matrix*, 1989.
//! **When not to use.** For hundreds of changes: make a new netlist.

use crate::PowerError;
use palmette_core::Circuit;
use palmette_core::circuit::{ElementKind, OperatingPoint, Potential};
use palmette_graph::solve::Solver;
use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};

/// What is changed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Change {
    /// A resistor between two nodes.
    Add {
        /// Its ends.
        ends: [u32; 2],
        /// Its resistance.
        ohms: f64,
    },
    /// A resistor gets another resistance.
    Set {
        /// The element.
        element: u32,
        /// Its new resistance.
        ohms: f64,
    },
    /// A voltage source that holds nodes is taken away.
    RemovePad {
        /// The element.
        element: u32,
    },
}

/// A changed grid.
#[derive(Debug, Clone, PartialEq)]
pub struct Changed {
    /// By node, its voltage after the changes.
    pub voltages: Vec<f64>,
    /// Changes of the matrix: how many times the old factor was applied more.
    pub rank: usize,
    /// The circuit after the changes: resistors that were added come last, and a removed source is one of 0 A.
    pub circuit: Circuit,
}

/// `δ u uᵀ`.
struct Update {
    vector: Vec<(u32, f64)>,
    delta: f64,
}

/// A removed pad, which becomes one free node.
struct Freed {
    /// Its nodes, and how far they lie above the first.
    nodes: BTreeMap<u32, f64>,
    /// What the pad held its first node at.
    held: f64,
    /// The sum of conductances from the nodes to all others.
    sum: f64,
    /// Vertices that its conductances lead to.
    ends: Vec<(u32, f64)>,
    /// Fixed nodes that they lead to.
    fixed: Vec<u32>,
    /// What would flow in, were the first node and all vertices at 0 V.
    inflow: f64,
}

/// Potentials of all nodes after changes.
///
/// # Errors
/// When a resistance is no positive number, an element is none that can be changed so, a changed
/// resistor ends at a removed pad, or a node floats after the changes.
pub fn change(
    circuit: &Circuit,
    point: &OperatingPoint,
    solver: &Solver<'_>,
    changes: &[Change],
) -> Result<Changed, PowerError> {
    let mut after = circuit.clone();
    let mut currents = point.currents();
    let (mut updates, mut freed) = (Vec::new(), Vec::<Freed>::new());
    let mut gone = BTreeSet::new();
    for change in changes {
        if let Change::RemovePad { element } = *change {
            gone.insert(element);
        }
    }
    for change in changes {
        match *change {
            Change::Add { ends, ohms } => {
                check(ohms)?;
                updates.extend(wire(point, ends, 1.0 / ohms, &mut currents));
                let kind = ElementKind::Resistor;
                let wave = palmette_core::NONE;
                after.elements.push(palmette_core::circuit::Element {
                    kind,
                    ends,
                    value: ohms,
                    wave,
                });
            }
            Change::Set { element, ohms } => {
                check(ohms)?;
                let old = circuit.elements[element as usize];
                let current = after.elements[element as usize].value;
                if old.kind != ElementKind::Resistor || current == 0.0 {
                    return Err(PowerError::NotAResistor { element });
                }
                let more = 1.0 / ohms - 1.0 / current;
                updates.extend(wire(point, old.ends, more, &mut currents));
                after.elements[element as usize].value = ohms;
            }
            Change::RemovePad { element } => {
                let found = free(circuit, point, element, &gone)?;
                if freed.iter().any(|pad| pad.nodes.keys().eq(found.nodes.keys())) {
                    continue;
                }
                let scale = 1.0 / found.sum;
                let mut vector = BTreeMap::<u32, f64>::new();
                for &(vertex, g) in &found.ends {
                    *vector.entry(vertex).or_default() += g;
                    // Instead of the pad's potential, that of the freed node.
                    currents[vertex as usize] += g * (found.inflow * scale - found.held);
                }
                updates.push(Update { vector: vector.into_iter().collect(), delta: -scale });
                freed.push(found);
            }
        }
    }
    for change in changes {
        let ends = match *change {
            Change::Add { ends, .. } => ends,
            Change::Set { element, .. } => circuit.elements[element as usize].ends,
            Change::RemovePad { .. } => continue,
        };
        if let Some(&node) = ends.iter().find(|end| freed.iter().any(|f| f.nodes.contains_key(end)))
        {
            return Err(PowerError::AtRemovedPad { node });
        }
    }
    for pad in &freed {
        let is_freed = |node: &&u32| freed.iter().any(|other| other.nodes.contains_key(node));
        if let Some(&node) = pad.fixed.iter().find(is_freed) {
            return Err(PowerError::AtRemovedPad { node });
        }
    }
    let x = solve(solver, &currents, &updates, point)?;
    let mut voltages = point.tied.potentials(&x);
    for pad in &freed {
        // The freed node is the mean of its neighbours, and what flows in.
        let weighted: f64 = pad.ends.iter().map(|&(vertex, g)| g * x[vertex as usize]).sum();
        let potential = (weighted + pad.inflow) / pad.sum;
        for (&node, offset) in &pad.nodes {
            voltages[node as usize] = potential + offset;
        }
    }
    for &element in &gone {
        // A source that carries nothing, so that numbers of elements stay.
        let removed = &mut after.elements[element as usize];
        (removed.kind, removed.value) = (ElementKind::Current, 0.0);
    }
    Ok(Changed { voltages, rank: updates.len(), circuit: after })
}

fn check(ohms: f64) -> Result<(), PowerError> {
    let is_fine = ohms > 0.0 && ohms.is_normal() && (1.0 / ohms).is_normal();
    if is_fine { Ok(()) } else { Err(PowerError::Resistance { ohms }) }
}

/// A conductance more between two nodes.
fn wire(point: &OperatingPoint, ends: [u32; 2], more: f64, currents: &mut [f64]) -> Option<Update> {
    let vector = match ends.map(|node| point.tied.places[node as usize]) {
        [
            Potential::Free { vertex: u, offset: above_u },
            Potential::Free { vertex: v, offset: above_v },
        ] if u != v => {
            let flow = more * (above_u - above_v);
            currents[u as usize] -= flow;
            currents[v as usize] += flow;
            vec![(u, 1.0), (v, -1.0)]
        }
        [Potential::Free { vertex, offset }, Potential::Fixed(value)]
        | [Potential::Fixed(value), Potential::Free { vertex, offset }] => {
            currents[vertex as usize] += more * (value - offset);
            vec![(vertex, 1.0)]
        }
        // Both ends are one, or fixed: nothing changes at a vertex.
        _ => return None,
    };
    (more != 0.0).then_some(Update { vector, delta: more })
}

/// The nodes that only the removed sources tie to ground.
fn free(
    circuit: &Circuit,
    point: &OperatingPoint,
    element: u32,
    gone: &BTreeSet<u32>,
) -> Result<Freed, PowerError> {
    let source = &circuit.elements[element as usize];
    let wrong = PowerError::NotAPad { element };
    let fixed = |node: u32| matches!(point.tied.places[node as usize], Potential::Fixed(_));
    if source.kind != ElementKind::Voltage || !source.ends.iter().all(|&node| fixed(node)) {
        return Err(wrong);
    }
    // Ties of fixed nodes that stay.
    let mut ties = BTreeMap::<u32, Vec<u32>>::new();
    for &tie in point.tied.forest.iter().chain(&point.tied.spare) {
        let ends = circuit.elements[tie as usize].ends;
        if !gone.contains(&tie) && fixed(ends[0]) {
            ties.entry(ends[0]).or_default().push(ends[1]);
            ties.entry(ends[1]).or_default().push(ends[0]);
        }
    }
    let potential = |node: u32| match point.tied.places[node as usize] {
        Potential::Fixed(value) => value,
        Potential::Free { .. } => 0.0,
    };
    // From either end, as far as ties go; the side without ground is the pad.
    let side = |from: u32| -> Option<BTreeMap<u32, f64>> {
        let mut seen = BTreeMap::from([(from, 0.0)]);
        let mut stack = vec![from];
        while let Some(node) = stack.pop() {
            if Some(node) == circuit.ground {
                return None;
            }
            for &next in ties.get(&node).into_iter().flatten() {
                if let Entry::Vacant(entry) = seen.entry(next) {
                    entry.insert(potential(next) - potential(from));
                    stack.push(next);
                }
            }
        }
        Some(seen)
    };
    let nodes = side(source.ends[0]).or_else(|| side(source.ends[1]));
    let nodes = nodes.ok_or(PowerError::StillHeld { element })?;
    let held =
        potential(*nodes.keys().next().unwrap_or(&0)) - nodes.values().next().unwrap_or(&0.0);
    let mut found =
        Freed { nodes, held, sum: 0.0, ends: Vec::new(), fixed: Vec::new(), inflow: 0.0 };
    for other in &circuit.elements {
        let inside = other.ends.map(|node| found.nodes.get(&node).copied());
        let (offset, outer, sign) = match inside {
            [Some(offset), None] => (offset, other.ends[1], -1.0),
            [None, Some(offset)] => (offset, other.ends[0], 1.0),
            _ => continue,
        };
        match other.kind {
            ElementKind::Resistor if other.value > 0.0 => {
                let g = 1.0 / other.value;
                found.sum += g;
                match point.tied.places[outer as usize] {
                    Potential::Free { vertex, offset: above } => {
                        found.ends.push((vertex, g));
                        found.inflow += g * (above - offset);
                    }
                    Potential::Fixed(value) => {
                        found.fixed.push(outer);
                        found.inflow += g * (value - offset);
                    }
                }
            }
            ElementKind::Current => found.inflow += sign * other.value,
            _ => {}
        }
    }
    if found.ends.is_empty() && found.sum == 0.0 {
        let node = *found.nodes.keys().next().unwrap_or(&0);
        return Err(PowerError::Floats { node });
    }
    Ok(found)
}

/// Woodbury's identity.
fn solve(
    solver: &Solver<'_>,
    currents: &[f64],
    updates: &[Update],
    point: &OperatingPoint,
) -> Result<Vec<f64>, PowerError> {
    let mut x = solver.solve(currents)?.x;
    let k = updates.len();
    if k == 0 {
        return Ok(x);
    }
    let dot = |u: &[(u32, f64)], x: &[f64]| u.iter().map(|&(v, w)| w * x[v as usize]).sum::<f64>();
    let mut columns = Vec::with_capacity(k);
    for update in updates {
        let mut b = vec![0.0; currents.len()];
        update.vector.iter().for_each(|&(v, w)| b[v as usize] += w);
        columns.push(solver.solve(&b)?.x);
    }
    // D⁻¹ + Uᵀ Z, and Uᵀ y beside it, scaled by D: I + D Uᵀ Z.
    let mut rows: Vec<Vec<f64>> = (0..k)
        .map(|i| {
            let Update { vector, delta } = &updates[i];
            let mut row: Vec<f64> = columns.iter().map(|z| delta * dot(vector, z)).collect();
            row[i] += 1.0;
            row.push(delta * dot(vector, &x));
            row
        })
        .collect();
    let weights = eliminate(&mut rows).ok_or_else(|| {
        let vertex = updates[0].vector[0].0 as usize;
        let nodes = palmette_core::circuit::first_nodes(&point.tied.places);
        PowerError::Floats { node: nodes[vertex] }
    })?;
    for (z, weight) in columns.iter().zip(&weights) {
        x.iter_mut().zip(z).for_each(|(x, z)| *x -= weight * z);
    }
    Ok(x)
}

/// Gauss with pivots; nothing when the matrix is singular to rounding.
fn eliminate(rows: &mut [Vec<f64>]) -> Option<Vec<f64>> {
    let n = rows.len();
    for i in 0..n {
        let pivot = (i..n).max_by(|&a, &b| rows[a][i].abs().total_cmp(&rows[b][i].abs()))?;
        rows.swap(i, pivot);
        // A sum of the identity and of what a pad loses: 0 but for rounding where all is lost.
        if rows[i][i].abs() < 1e-9 {
            return None;
        }
        let (above, below) = rows.split_at_mut(i + 1);
        for row in below {
            let factor = row[i] / above[i][i];
            for j in i..=n {
                row[j] -= factor * above[i][j];
            }
        }
    }
    let mut x = vec![0.0; n];
    for i in (0..n).rev() {
        let known: f64 = (i + 1..n).map(|j| rows[i][j] * x[j]).sum();
        x[i] = (rows[i][n] - known) / rows[i][i];
    }
    Some(x)
}
