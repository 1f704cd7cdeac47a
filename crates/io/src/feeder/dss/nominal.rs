//! Nominal voltages of buses: from sources along lines and through transformers, then the nearest
//! of `Set VoltageBases`.

use super::bus::Build;

/// By bus, volts to ground.
pub(crate) fn voltages(build: &Build<'_>) -> Vec<f64> {
    let feeder = &build.feeder;
    let n = feeder.buses.names.len();
    let mut near: Vec<Vec<(u32, f64)>> = vec![Vec::new(); n];
    let mut join = |from: u32, to: u32, ratio: f64| {
        near[from as usize].push((to, ratio));
        near[to as usize].push((from, 1.0 / ratio));
    };
    for (&from, &to) in feeder.lines.from.iter().zip(&feeder.lines.to) {
        join(from, to, 1.0);
    }
    let all = &feeder.transformers;
    for (k, (&from, &to)) in all.from.iter().zip(&all.to).enumerate() {
        let [first, second] = all.kv.get(k);
        join(from, to, second / first);
    }
    let mut found = vec![0.0; n];
    let mut queue: Vec<u32> = Vec::new();
    let mut sources: Vec<(u32, f64)> = build.base.iter().map(|(&bus, &volt)| (bus, volt)).collect();
    sources.sort_by_key(|&(bus, _)| bus);
    let otherwise = sources.first().map_or(1.0, |&(_, volt)| volt);
    for (bus, volt) in sources {
        found[bus as usize] = volt;
        queue.push(bus);
    }
    let mut next = 0;
    while let Some(&bus) = queue.get(next) {
        next += 1;
        for &(other, ratio) in &near[bus as usize] {
            if found[other as usize] == 0.0 {
                found[other as usize] = found[bus as usize] * ratio;
                queue.push(other);
            }
        }
    }
    for volt in &mut found {
        // A bus without a path to a source; the solver tells it.
        if *volt == 0.0 || !volt.is_finite() {
            *volt = otherwise;
        }
        let bases = build.script.voltage_bases.iter().map(|kv| kv * 1e3 / 3f64.sqrt());
        let distance = |base: &f64| (1.0 - *volt / base).abs();
        if let Some(base) = bases.min_by(|a, b| distance(a).total_cmp(&distance(b))) {
            *volt = base;
        }
    }
    found
}
