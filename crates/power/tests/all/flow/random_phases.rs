//! Random small three-phase networks against Newton's method.

use super::newton::{newton, paired};
use palmette_core::Texts;
use palmette_core::feeder::*;
use palmette_core::random::{Purpose, Random};
use palmette_power::flow::{FlowParams, solve_three_phase};

const BASE: f64 = 1000.0;

fn texts(prefix: &str, n: usize) -> Texts {
    let mut texts = Texts::default();
    (0..n).for_each(|k| texts.push(&format!("{prefix}{k}")));
    texts
}

/// Lines of missing phases, a transformer of any kind, loads and capacitors of all kinds, loops
/// among buses with three phases.
pub(crate) fn network(seed: u64) -> ThreePhase {
    let mut random = Random::new(seed, Purpose::Shape);
    let unit = |random: &mut Random, low: f64, high: f64| low + (high - low) * random.unit();
    let groups = ["YNyn0", "Dyn1", "Dyn11", "Dyn5", "YNyn6", "Dd0", "Yd1"];
    let group: VectorGroup = groups[random.below(7) as usize].parse().unwrap();
    let floating = matches!(group.windings(), Windings::DeltaDelta | Windings::StarDelta);
    let n = 4 + random.below(5) as usize;
    let mut feeder = ThreePhase::default();
    feeder.buses.names = texts("b", n);
    feeder.buses.v_base = Column::same(BASE, n);
    let mut phases = vec![Phases::ABC; n];
    let mut ends = vec![(0u32, 1u32)];
    for k in 2..n as u32 {
        let parent = random.below(k);
        let own = phases[parent as usize];
        let fewer = Phases::from_bits(own.bits() & (1 + random.below(7) as u8)).unwrap();
        let keeps = random.below(2) == 0 || fewer.count() == 0 || floating;
        phases[k as usize] = if keeps { own } else { fewer };
        ends.push((parent, k));
    }
    let full: Vec<u32> = (1..n as u32).filter(|&k| phases[k as usize] == Phases::ABC).collect();
    if full.len() > 2 && random.below(2) == 0 {
        ends.push((full[0], full[full.len() - 1]));
    }
    feeder.buses.phases = phases.iter().copied().collect();
    let turn = |k: usize| Complex::from_polar(1.02 * BASE, -std::f64::consts::TAU / 3.0 * k as f64);
    feeder.sources = PhaseSources { bus: vec![0], v: vec![[turn(0), turn(1), turn(2)]] };
    feeder.transformers = Transformers {
        names: texts("t", 1),
        from: vec![0],
        to: vec![1],
        phases: Column::same(Phases::ABC, 1),
        group: Column::same(group, 1),
        rated_kva: Column::same(3000.0, 1),
        kv: Column::same([BASE * 3f64.sqrt() / 1e3; 2], 1),
        z_part: Column::same(Complex::new(0.01, 0.04), 1),
        tap: Column::same(if floating { [1.0; 3] } else { [1.01, 1.0, 0.99] }, 1),
        y: Column::same(if floating { Complex::default() } else { Complex::new(1e-4, -1e-3) }, 1),
        closed: Column::same(true, 1),
    };
    let m = ends.len() - 1;
    feeder.lines.names = texts("l", m);
    for &(a, b) in &ends[1..] {
        let has = phases[a as usize].and(phases[b as usize]);
        let (a, b) = if random.below(2) == 0 { (a, b) } else { (b, a) };
        feeder.lines.from.push(a);
        feeder.lines.to.push(b);
        feeder.lines.phases.push(has);
        let own = Complex::new(unit(&mut random, 0.01, 0.03), unit(&mut random, 0.02, 0.05));
        let place = [(0, 0), (0, 1), (1, 1), (0, 2), (1, 2), (2, 2)];
        let part = |(i, j): (usize, usize)| {
            f64::from(u8::from(has.has(i) && has.has(j))) * if i == j { 1.0 } else { 0.3 }
        };
        feeder.lines.z.push(place.map(|at| own * part(at)));
        let b = if floating { 0.0 } else { 1e-4 };
        feeder.lines.b.push(place.map(|at| b * part(at) * if at.0 == at.1 { 1.0 } else { -0.2 }));
        feeder.lines.ends.push(Ends::CLOSED);
        feeder.lines.length.push(1.0);
        feeder.lines.rated_a.push(200.0);
    }
    let loads = 2 * n;
    for _ in 0..loads {
        let bus = 1 + random.below(n as u32 - 1);
        let has = phases[bus as usize];
        let delta = has.count() > 1 && (floating || random.below(2) == 0);
        if floating && !delta {
            continue;
        }
        feeder.loads.bus.push(bus);
        feeder.loads.phases.push(has);
        feeder.loads.connection.push(if delta { Connection::Delta } else { Connection::Wye });
        let s = Complex::new(unit(&mut random, 0.0, 40e3), unit(&mut random, -5e3, 20e3));
        feeder.loads.s_va.push(s);
        feeder.loads.zip.push(match random.below(3) {
            0 => Zip::POWER,
            1 => Zip { current_p: 0.3, impedance_p: 0.2, current_q: 0.1, impedance_q: 0.9 },
            _ => Zip::CURRENT,
        });
        feeder.loads.v_nom.push(if delta { BASE * 3f64.sqrt() } else { BASE });
    }
    feeder.loads.names = texts("c", feeder.loads.bus.len());
    feeder.capacitors = Capacitors {
        names: texts("q", 1),
        bus: vec![1],
        connection: Column::same(Connection::Delta, 1),
        phases: Column::same(Phases::ABC, 1),
        var: vec![20e3],
        v_nom: Column::same(BASE * 3f64.sqrt(), 1),
    };
    feeder
}

/// Currents out of each place (bus and phase), element by element, from `V_to = A V_from − Z I`.
fn nodal(feeder: &ThreePhase, v: &[Complex]) -> Vec<Complex> {
    let mut out = vec![Complex::default(); v.len()];
    let lines = &feeder.lines;
    for k in 0..lines.from.len() {
        let (f, t) = (3 * lines.from[k] as usize, 3 * lines.to[k] as usize);
        let has: Vec<usize> = lines.phases.get(k).iter().collect();
        let entry = |i: usize, j: usize| [[0, 1, 3], [1, 2, 4], [3, 4, 5]][i][j];
        let drop: Vec<Complex> = has.iter().map(|&p| v[f + p] - v[t + p]).collect();
        let z = |i: usize, j: usize| lines.z[k][entry(has[i], has[j])];
        let through = solve_small(has.len(), z, &drop);
        for (at, &p) in has.iter().enumerate() {
            out[f + p] += through[at];
            out[t + p] -= through[at];
            for &q in &has {
                let y = Complex::new(0.0, lines.b.get(k)[entry(p, q)] / 2.0);
                out[f + p] += y * v[f + q];
                out[t + p] += y * v[t + q];
            }
        }
    }
    let all = &feeder.transformers;
    for k in 0..all.from.len() {
        let (f, t) = (3 * all.from[k] as usize, 3 * all.to[k] as usize);
        let (a, z) = all.matrices(k);
        for p in 0..3 {
            let open: Complex = (0..3).map(|q| v[f + q] * a[p][q]).sum();
            let through = (open - v[t + p]) / z[p];
            out[t + p] += all.y.get(k) * v[t + p] - through;
            (0..3).for_each(|q| out[f + q] += through * a[p][q]);
        }
    }
    let mut element = |bus: u32, a: usize, b: Option<usize>, s: Complex, zip: Zip, v_nom: f64| {
        let at = 3 * bus as usize;
        let across = v[at + a] - b.map_or(Complex::default(), |b| v[at + b]);
        let size = across.norm() / v_nom;
        let part = |i: f64, z: f64| 1.0 - i - z + i * size + z * size * size;
        let p = s.re * part(zip.current_p, zip.impedance_p);
        let q = s.im * part(zip.current_q, zip.impedance_q);
        let current = (Complex::new(p, q) / across).conj();
        out[at + a] += current;
        if let Some(b) = b {
            out[at + b] -= current;
        }
    };
    for (k, &bus) in feeder.loads.bus.iter().enumerate() {
        let pairs = pairs(feeder.loads.connection.get(k), feeder.loads.phases.get(k));
        for &(a, b) in &pairs {
            let s = feeder.loads.s_va[k] / pairs.len() as f64;
            element(bus, a, b, s, feeder.loads.zip.get(k), feeder.loads.v_nom.get(k));
        }
    }
    let banks = &feeder.capacitors;
    for (k, &bus) in banks.bus.iter().enumerate() {
        let pairs = pairs(banks.connection.get(k), banks.phases.get(k));
        for &(a, b) in &pairs {
            let s = Complex::new(0.0, -banks.var[k] / pairs.len() as f64);
            element(bus, a, b, s, Zip::IMPEDANCE, banks.v_nom.get(k));
        }
    }
    out
}

fn pairs(connection: Connection, phases: Phases) -> Vec<(usize, Option<usize>)> {
    let has: Vec<usize> = phases.iter().collect();
    match (connection, &has[..]) {
        (Connection::Wye, has) => has.iter().map(|&p| (p, None)).collect(),
        (_, &[a, b]) => vec![(a, Some(b))],
        _ => vec![(0, Some(1)), (1, Some(2)), (2, Some(0))],
    }
}

/// A complex system of up to three unknowns.
fn solve_small(n: usize, a: impl Fn(usize, usize) -> Complex, b: &[Complex]) -> Vec<Complex> {
    let mut rows: Vec<Vec<Complex>> =
        (0..n).map(|i| (0..n).map(|j| a(i, j)).chain([b[i]]).collect()).collect();
    for k in 0..n {
        let top = rows[k].clone();
        for row in rows.iter_mut().skip(k + 1) {
            let factor = row[k] / top[k];
            row.iter_mut().zip(&top).for_each(|(x, t)| *x -= factor * t);
        }
    }
    let mut x = vec![Complex::default(); n];
    for k in (0..n).rev() {
        let known: Complex = (k + 1..n).map(|j| rows[k][j] * x[j]).sum();
        x[k] = (rows[k][n] - known) / rows[k][k];
    }
    x
}

#[test]
fn three_phases_agree_with_newton() {
    let mut loops = 0;
    for seed in 0..120 {
        let feeder = network(seed);
        let solution = match solve_three_phase(&feeder, &FlowParams::default()) {
            Ok(solution) => solution,
            Err(error) => panic!("seed {seed}: {error}"),
        };
        let n = feeder.buses.names.len();
        let groups = feeder.transformers.group.get(0);
        let floating = matches!(groups.windings(), Windings::DeltaDelta | Windings::StarDelta);
        let turn = |bus: usize, p: usize| {
            let lag = if bus == 0 { 0.0 } else { f64::from(groups.clock()) / 12.0 };
            Complex::from_polar(1.0, -std::f64::consts::TAU * (p as f64 / 3.0 + lag))
        };
        let start = (0..n).flat_map(|bus| (0..3).map(move |p| turn(bus, p)));
        let start: Vec<f64> = start.flat_map(|v| [v.re, v.im]).collect();
        let x = newton(start, |x| {
            let v: Vec<Complex> = paired(x).iter().map(|v| v * BASE).collect();
            let mut left: Vec<Complex> = nodal(&feeder, &v).iter().map(|i| i / BASE).collect();
            for bus in 0..n {
                for p in 0..3 {
                    let at = 3 * bus + p;
                    if bus == 0 {
                        left[at] = (v[at] - feeder.sources.v[0][p]) / BASE;
                    } else if !feeder.buses.phases.get(bus).has(p) {
                        left[at] = v[at] / BASE - turn(bus, p);
                    }
                }
            }
            left.iter().flat_map(|left| [left.re, left.im]).collect()
        });
        let expected = paired(&x);
        for bus in 0..n as u32 {
            for p in feeder.buses.phases.get(bus as usize).iter() {
                let off = (solution.voltage_pu(bus)[p] - expected[3 * bus as usize + p]).norm();
                assert!(off < 1e-8, "seed {seed} {groups} {floating}, bus {bus} {p}: off by {off}");
            }
        }
        assert!(solution.balance() < 1e-9);
        let lines: Complex =
            (0..feeder.lines.from.len() as u32).map(|k| solution.line(k).loss_va()).sum();
        let losses = lines + solution.transformer(0).loss_va();
        let totals = solution.totals();
        assert!(
            (losses - totals.losses_va).norm() < 1e-6 * totals.sources_va.norm(),
            "seed {seed}"
        );
        loops += solution.loops().len();
    }
    assert!(loops > 10, "{loops}");
}
