//! Random small networks with all that balanced feeders can have, against Newton's method.

use super::newton::{newton, paired};
use palmette_core::Texts;
use palmette_core::feeder::*;
use palmette_core::random::{Purpose, Random};
use palmette_power::flow::{FlowError, FlowParams, solve};

fn texts(prefix: &str, n: usize) -> Texts {
    let mut texts = Texts::default();
    (0..n).for_each(|k| texts.push(&format!("{prefix}{k}")));
    texts
}

/// A connected network: a random tree, further branches, one or two sources.
pub(crate) fn network(seed: u64) -> Balanced {
    let mut random = Random::new(seed, Purpose::Shape);
    let between = |random: &mut Random, low: f64, high: f64| low + (high - low) * random.unit();
    let n = 3 + random.below(9) as usize;
    let mut feeder = Balanced::new(2.0);
    feeder.buses.names = texts("b", n);
    feeder.buses.vn_kv = (0..n).map(|k| if k % 2 == 0 { 20.0 } else { 0.4 }).collect();
    let sources = 1 + usize::from(n > 4 && random.below(3) == 0);
    for k in 0..sources {
        feeder.sources.bus.push(if k == 0 { 0 } else { n as u32 - 1 });
        let v = Complex::from_polar(
            between(&mut random, 0.98, 1.03),
            between(&mut random, -0.02, 0.02),
        );
        feeder.sources.v.push(v);
    }
    let loops = if random.below(2) == 0 { 0 } else { random.below(4) as usize };
    let mut ends: Vec<(u32, u32)> = (1..n as u32).map(|k| (random.below(k), k)).collect();
    for _ in 0..loops {
        let a = random.below(n as u32);
        ends.push((a, (a + 1 + random.below(n as u32 - 1)) % n as u32));
    }
    // Shifts along any path depend on its ends only, so that no current circulates.
    let shift: Vec<f64> = (0..n).map(|k| if k % 3 == 1 { 0.5 } else { 0.0 }).collect();
    let branches = &mut feeder.branches;
    branches.names = texts("k", ends.len());
    for (at, &(a, b)) in ends.iter().enumerate() {
        let (a, b) = if random.below(2) == 0 { (a, b) } else { (b, a) };
        branches.kind.push(BranchKind::Transformer);
        branches.from.push(a);
        branches.to.push(b);
        branches
            .z
            .push(Complex::new(between(&mut random, 0.0, 0.02), between(&mut random, 0.005, 0.03)));
        branches.y.push(Complex::new(0.001, between(&mut random, -0.01, 0.02)));
        let angle = shift[b as usize] - shift[a as usize];
        branches.ratio.push(Complex::from_polar(between(&mut random, 0.98, 1.02), angle));
        // Tree branches stay closed.
        branches.ends.push(match random.below(4) {
            0 if at >= n - 1 => Ends { from: true, to: false },
            1 if at >= n - 1 => Ends { from: false, to: true },
            _ => Ends::CLOSED,
        });
        branches.length_km.push(1.0);
        branches.rated_a.push([100.0, f64::INFINITY]);
    }
    let loads = n + random.below(4) as usize;
    feeder.loads.names = texts("l", loads);
    for _ in 0..loads {
        feeder.loads.bus.push(random.below(n as u32));
        let p = between(&mut random, -0.2, 0.8);
        feeder.loads.s_mva.push(Complex::new(p, between(&mut random, -0.1, 0.4)));
        feeder.loads.zip.push(match random.below(3) {
            0 => Zip::POWER,
            1 => Zip { current_p: 0.3, impedance_p: 0.2, current_q: 0.1, impedance_q: 0.9 },
            _ => Zip::CURRENT,
        });
    }
    feeder.shunts.names = texts("s", 1);
    feeder.shunts.bus.push(random.below(n as u32));
    feeder.shunts.y.push(Complex::new(0.01, 0.05));
    let held = random.below(3) as usize;
    for _ in 0..held {
        let bus = random.below(n as u32);
        if !feeder.generators.bus.contains(&bus) && !feeder.sources.bus.contains(&bus) {
            feeder.generators.bus.push(bus);
            feeder.generators.p_mw.push(between(&mut random, 0.0, 0.5));
            feeder.generators.v_set.push(between(&mut random, 0.99, 1.01));
            feeder.generators.q_mvar.push([f64::NEG_INFINITY, f64::INFINITY]);
        }
    }
    feeder.generators.names = texts("g", feeder.generators.bus.len());
    feeder
}

/// Currents that flow out of each bus, from MATPOWER's admittances; open ends are buses of their
/// own, put at the end.
fn nodal(feeder: &Balanced, v: &[Complex]) -> Vec<Complex> {
    let n = feeder.buses.names.len();
    let mut out = vec![Complex::default(); v.len()];
    let mut open = n;
    let all = &feeder.branches;
    for k in 0..all.from.len() {
        let (mut f, mut t) = (all.from[k] as usize, all.to[k] as usize);
        for (closed, end) in [(all.ends.get(k).from, &mut f), (all.ends.get(k).to, &mut t)] {
            if !closed {
                *end = open;
                open += 1;
            }
        }
        let (series, ground, tap) = (all.z[k].inv(), all.y.get(k) / 2.0, all.ratio.get(k));
        out[f] += (series + ground) / tap.norm_sqr() * v[f] - series / tap.conj() * v[t];
        out[t] += (series + ground) * v[t] - series / tap * v[f];
    }
    for (k, &bus) in feeder.loads.bus.iter().enumerate() {
        let bus = bus as usize;
        let (s, zip, size) =
            (feeder.loads.s_mva[k] / feeder.base_mva, feeder.loads.zip.get(k), v[bus].norm());
        let part = |i: f64, z: f64| 1.0 - i - z + i * size + z * size * size;
        let p = s.re * part(zip.current_p, zip.impedance_p);
        let q = s.im * part(zip.current_q, zip.impedance_q);
        out[bus] += (Complex::new(p, q) / v[bus]).conj();
    }
    for (&bus, &y) in feeder.shunts.bus.iter().zip(&feeder.shunts.y) {
        out[bus as usize] += y * v[bus as usize];
    }
    out
}

fn reference(feeder: &Balanced) -> Vec<Complex> {
    let n = feeder.buses.names.len();
    let open: usize = feeder
        .branches
        .ends
        .iter()
        .map(|ends| usize::from(!ends.from) + usize::from(!ends.to))
        .sum();
    let shift = |k: usize| if k % 3 == 1 { -0.5 } else { 0.0 };
    let start = (0..n + open).map(|k| Complex::from_polar(1.0, if k < n { shift(k) } else { 0.0 }));
    let start: Vec<f64> = start.flat_map(|v| [v.re, v.im]).collect();
    let x = newton(start, |x| {
        let v = paired(x);
        let mut left = nodal(feeder, &v);
        for (&bus, &given) in feeder.sources.bus.iter().zip(&feeder.sources.v) {
            left[bus as usize] = v[bus as usize] - given;
        }
        for (k, &bus) in feeder.generators.bus.iter().enumerate() {
            let bus = bus as usize;
            let power = v[bus] * left[bus].conj();
            let p = power.re - feeder.generators.p_mw[k] / feeder.base_mva;
            left[bus] = Complex::new(p, v[bus].norm() - feeder.generators.v_set[k]);
        }
        left.iter().flat_map(|left| [left.re, left.im]).collect()
    });
    paired(&x)[..n].to_vec()
}

#[test]
fn all_elements_together_agree_with_newton() {
    let mut seen = [0; 4];
    for seed in 0..150 {
        let feeder = network(seed);
        let solution = match solve(&feeder, &FlowParams::default()) {
            Ok(solution) => solution,
            Err(error) => panic!("seed {seed}: {error}"),
        };
        let expected = reference(&feeder);
        for (bus, expected) in expected.iter().enumerate() {
            let off = (solution.voltage(bus as u32) - expected).norm();
            assert!(off < 1e-8, "seed {seed}, bus {bus}: off by {off}");
        }
        // Kirchhoff: what flows into the branches of a bus is what its elements do not draw.
        let losses: Complex = solution.branches().map(|flow| flow.loss_mva()).sum();
        assert!((losses - solution.totals().losses_mva).norm() < 1e-8, "seed {seed}");
        assert!(solution.balance() < 1e-9);
        seen[0] += usize::from(!solution.loops().is_empty());
        seen[1] += usize::from(!feeder.generators.bus.is_empty());
        seen[2] += usize::from(feeder.sources.bus.len() > 1);
        seen[3] += usize::from(feeder.branches.ends.uniform().is_none());
    }
    assert!(seen.iter().all(|&seen| seen > 15), "{seen:?}");
}

#[test]
fn limits_of_reactive_power_are_kept() {
    for seed in 0..150 {
        let mut feeder = network(seed);
        if feeder.generators.bus.is_empty() {
            continue;
        }
        let free = solve(&feeder, &FlowParams::default()).unwrap().generators();
        let half = free[0].mva.im / 2.0;
        feeder.generators.q_mvar.set(0, [half.min(0.0), half.max(0.0)]);
        let solution = solve(&feeder, &FlowParams::default()).unwrap();
        let flow = solution.generators()[0];
        assert!(flow.limited && (flow.mva.im - half).abs() < 1e-9, "seed {seed}: {flow:?}");
        // As a load that gives just this.
        let mut fixed = feeder.clone();
        let bus = fixed.generators.bus.remove(0);
        fixed.generators.names = texts("g", fixed.generators.bus.len());
        let p = fixed.generators.p_mw.remove(0);
        fixed.generators.v_set.remove(0);
        fixed.generators.q_mvar =
            Column::same([f64::NEG_INFINITY, f64::INFINITY], fixed.generators.bus.len());
        fixed.loads.names.push("fixed");
        fixed.loads.bus.push(bus);
        fixed.loads.s_mva.push(-Complex::new(p, half));
        fixed.loads.zip.push(Zip::POWER);
        let expected = solve(&fixed, &FlowParams::default()).unwrap();
        for bus in 0..feeder.buses.names.len() as u32 {
            assert!((solution.voltage(bus) - expected.voltage(bus)).norm() < 1e-8, "seed {seed}");
        }
    }
}

/// A switch is as good as one bus.
#[test]
fn closed_switches_join_buses() {
    for seed in 0..40 {
        let feeder = network(seed);
        let n = feeder.buses.names.len() as u32;
        let mut split = feeder.clone();
        // Bus `at` is cut in two: loads move behind a switch.
        let at = 1;
        split.buses.names.push("behind");
        split.buses.vn_kv.push(feeder.buses.vn_kv.get(at as usize));
        split.loads.bus.iter_mut().filter(|bus| **bus == at).for_each(|bus| *bus = n);
        let out = &mut split.branches;
        out.names.push("switch");
        out.kind.push(BranchKind::Switch);
        out.from.push(n);
        out.to.push(at);
        out.z.push(Complex::default());
        out.y.push(Complex::default());
        out.ratio.push(Complex::new(1.0, 0.0));
        out.ends.push(Ends::CLOSED);
        out.length_km.push(0.0);
        out.rated_a.push([f64::INFINITY; 2]);
        let (one, two) = (
            solve(&feeder, &FlowParams::default()).unwrap(),
            solve(&split, &FlowParams::default()).unwrap(),
        );
        for bus in 0..n {
            assert!((one.voltage(bus) - two.voltage(bus)).norm() < 1e-9, "seed {seed}");
        }
        assert_eq!(two.voltage(n), two.voltage(at));
        // Opened, the load behind it is an island.
        split.branches.ends.set(split.branches.from.len() - 1, Ends::OPEN);
        let error = solve(&split, &FlowParams::default()).err().unwrap();
        assert_eq!(error, FlowError::Unsupplied { buses: vec!["behind".into()], count: 1 });
        let params = FlowParams { allow_unsupplied: true, ..FlowParams::default() };
        let dark = solve(&split, &params).unwrap();
        assert!(!dark.is_supplied(n) && dark.voltage(n).norm() == 0.0 && dark.is_supplied(0));
    }
}
