//! Feeders: voltages along them, and one line.

use std::path::Path;

use crate::Outcome;
use palmette_report::{OneLine, VoltageProfile};

pub(crate) fn draw(directory: &Path) -> Outcome {
    let n = 60u32;
    // A trunk with a lateral at every fifth bus.
    let parents: Vec<u32> = (0..n)
        .map(|bus| match bus {
            0 => u32::MAX,
            bus if bus < 30 => bus - 1,
            bus if bus % 5 == 0 => bus - 30,
            bus => bus - 1,
        })
        .collect();
    let mut place = vec![(0.0, 1.02); n as usize];
    for bus in 1..n as usize {
        let (km, v) = place[parents[bus] as usize];
        place[bus] = (km + 0.3, v - 0.002 - 0.0005 * (bus % 3) as f64);
    }
    let phase = |shift: f64| -> Vec<[(f64, f64); 2]> {
        let end = |bus: usize| (place[bus].0, place[bus].1 - shift * place[bus].0);
        (1..n as usize).map(|bus| [end(parents[bus] as usize), end(bus)]).collect()
    };
    let profile = VoltageProfile {
        title: "Voltages of feeder.dss".into(),
        note: "lowest 0.934 p.u. at bus 29".into(),
        distance: "km from the source".into(),
        phases: [("a", 0.0), ("b", 0.002), ("c", -0.001)]
            .map(|(name, shift)| (name.to_string(), phase(shift)))
            .to_vec(),
        limits: Some((0.95, 1.05)),
    };
    std::fs::write(directory.join("voltage-profile.svg"), profile.to_svg())?;
    let one_line = OneLine {
        title: "One-line diagram of feeder.dss".into(),
        note: String::new(),
        names: (0..n).map(|bus| format!("bus {bus}")).collect(),
        parents,
        voltages: place.iter().map(|at| at.1).collect(),
    };
    std::fs::write(directory.join("one-line.svg"), one_line.to_svg())?;
    Ok(())
}
