//! Power flows drawn: voltages along a feeder, and the feeder as one line.

use super::*;
use crate::power::feeder::FeederSolution;
use palmette_core::feeder::Phases;
use palmette_report::{OneLine, VoltageProfile};

/// Limits of voltage that pictures mark, per unit: those of most grid codes at ordinary operation.
pub const VOLTAGE_LIMITS: (f64, f64) = (0.95, 1.05);

/// Voltages against the distance from the source, by phase.
pub fn voltage_profile(name: &str, solution: &FeederSolution<'_>) -> Picture {
    let parents = solution.parents();
    let (mut distances, mut unit) = (solution.distances(), solution.distance_name());
    if distances.iter().all(|&distance| distance == 0.0) {
        (distances, unit) = (depths(&parents), "branches from the source");
    }
    let lines = |voltage: &dyn Fn(usize) -> f64| -> Vec<[(f64, f64); 2]> {
        let ends = parents.iter().enumerate().filter(|(_, parent)| **parent != NONE);
        let line = ends.map(|(bus, &parent)| {
            let at = |bus: usize| (distances[bus], voltage(bus));
            [at(parent as usize), at(bus)]
        });
        line.filter(|ends| ends.iter().all(|end| end.1.is_finite() && end.1 > 0.0)).collect()
    };
    let magnitudes = solution.magnitudes();
    let phases = match solution {
        FeederSolution::Balanced(..) => {
            vec![(String::new(), lines(&|bus| magnitudes[bus]))]
        }
        FeederSolution::ThreePhase(..) => (0..3)
            .map(|phase| {
                let letter = Phases::LETTERS[phase].to_string();
                (letter, lines(&|bus| magnitudes[3 * bus + phase]))
            })
            .collect(),
    };
    let profile = VoltageProfile {
        title: format!("Voltages of {}", title(name)),
        note: note(solution),
        distance: unit.to_string(),
        phases,
        limits: Some(VOLTAGE_LIMITS),
    };
    still("voltage-profile", "Voltages along the feeder", profile.to_svg())
}

/// The feeder as one line, coloured by voltage: of three phases, by the lowest.
pub fn one_line(name: &str, solution: &FeederSolution<'_>) -> Picture {
    let magnitudes = solution.magnitudes();
    let (names, per_bus) = match solution {
        FeederSolution::Balanced(feeder, _) => (&feeder.buses.names, 1),
        FeederSolution::ThreePhase(feeder, _) => (&feeder.buses.names, 3),
    };
    let lowest = |all: &[f64]| {
        let least = all.iter().copied().filter(|v| *v > 0.0).fold(f64::INFINITY, f64::min);
        if least.is_finite() { least } else { f64::NAN }
    };
    let picture = OneLine {
        title: format!("One-line diagram of {}", title(name)),
        note: match per_bus {
            1 => note(solution),
            _ => format!("{} · colours: lowest phase", note(solution)),
        },
        names: (0..names.len()).map(|bus| names.get(bus).to_string()).collect(),
        parents: solution.parents(),
        voltages: magnitudes.chunks(per_bus).map(lowest).collect(),
    };
    still("one-line", "One-line diagram", picture.to_svg())
}

fn note(solution: &FeederSolution<'_>) -> String {
    let lowest = solution.lowest();
    let phase = lowest.phase.map_or(String::new(), |phase| format!(", phase {phase}"));
    let [_, _, lost] = solution.powers_mva();
    format!(
        "lowest {:.4} p.u. at bus {}{phase} · losses {:.1} kW",
        lowest.voltage,
        lowest.bus,
        lost.re * 1e3
    )
}

/// By bus, how many branches are before it.
fn depths(parents: &[u32]) -> Vec<f64> {
    let mut depth = vec![f64::NAN; parents.len()];
    let mut way = Vec::new();
    for bus in 0..parents.len() {
        let mut at = bus;
        while depth[at].is_nan() && parents[at] != NONE {
            way.push(at);
            at = parents[at] as usize;
        }
        if depth[at].is_nan() {
            depth[at] = 0.0;
        }
        while let Some(next) = way.pop() {
            depth[next] = depth[parents[next] as usize] + 1.0;
        }
    }
    depth
}
