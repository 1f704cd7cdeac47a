//! One contestant of `benches/power_flow.py`: makes a feeder, writes its arrays for the peer, and
//! then takes turns as it is told on standard input, answering with seconds of the processor.
//!
//! `flow_turns FOLDER BUSES`, then lines `single TURNS`, `three TURNS`, `first TURNS`, `batch
//! CASES`, `year HOURS`, `memory`. Arrays are raw numbers of the machine (`f64`, `u32`).
#![allow(clippy::unwrap_used, missing_docs)]

use palmette_core::feeder::{Balanced, Complex};
use palmette_power::flow::{
    Batch, FlowParams, LoadCases, LoadPowers, LoadProfiles, Prepared, PreparedThreePhase, solve,
};
use palmette_power::generate::{FeederShape, feeder, three_phase_feeder};
use std::io::BufRead;
use std::path::Path;

fn main() {
    let mut arguments = std::env::args().skip(1);
    let folder = arguments.next().unwrap();
    let folder = Path::new(&folder);
    let buses = arguments.next().unwrap().parse().unwrap();
    let shape = FeederShape { buses, ..FeederShape::default() };
    let params = FlowParams { tolerance: 1e-8, ..FlowParams::default() };
    let made = feeder(&shape).unwrap();
    write(&made, folder);
    println!("ready");
    for line in std::io::stdin().lock().lines() {
        let line = line.unwrap();
        let (what, count) = line.split_once(' ').unwrap_or((&line, "1"));
        let count: usize = count.parse().unwrap();
        let seconds = match what {
            "single" => single(&made, &params, count, folder),
            "three" => three(&shape, &params, count, folder),
            "first" => {
                let all = || (0..count).for_each(|_| drop(solve(&made, &params).unwrap()));
                timed(all) / count as f64
            }
            "batch" => batch(&made, &params, count, folder),
            "year" => year(&made, &params, count),
            "memory" => peak(),
            other => panic!("no turn `{other}`"),
        };
        println!("{seconds}");
    }
}

fn single(made: &Balanced, params: &FlowParams, turns: usize, folder: &Path) -> f64 {
    let mut prepared = Prepared::new(made, params).unwrap();
    let seconds = timed(|| {
        for _ in 0..turns {
            prepared.voltages(&made.loads.s_mva).unwrap();
        }
    });
    let voltages = prepared.voltages(&made.loads.s_mva).unwrap();
    let lengths: Vec<f64> = voltages.iter().map(|v| v.norm()).collect();
    raw(folder, "single", &lengths);
    seconds / turns as f64
}

fn three(shape: &FeederShape, params: &FlowParams, turns: usize, folder: &Path) -> f64 {
    let made = three_phase_feeder(shape).unwrap();
    let phases: Vec<f64> = made.loads.phases.iter().map(|p| f64::from(p.bits() / 2)).collect();
    raw(folder, "load_phase", &phases);
    let mut prepared = PreparedThreePhase::new(&made, params).unwrap();
    let base = made.buses.v_base.get(0);
    let seconds = timed(|| {
        for _ in 0..turns {
            prepared.voltages(&made.loads.s_va).unwrap();
        }
    });
    let voltages = prepared.voltages(&made.loads.s_va).unwrap();
    let lengths: Vec<f64> = voltages.iter().flatten().map(|v| v.norm() / base).collect();
    raw(folder, "three", &lengths);
    seconds / turns as f64
}

/// Random factors of each load between 0.2 and 1, as `power_flow.py` makes them.
fn batch(made: &Balanced, params: &FlowParams, cases: usize, folder: &Path) -> f64 {
    let read = std::fs::read(folder.join("factors")).unwrap();
    let factors: Vec<f64> =
        read.chunks_exact(8).map(|x| f64::from_ne_bytes(x.try_into().unwrap())).collect();
    let m = made.loads.len();
    assert_eq!(factors.len(), cases * m);
    let of = |part: fn(&Complex) -> f64| -> Vec<f64> {
        factors.iter().enumerate().map(|(k, f)| f * part(&made.loads.s_mva[k % m])).collect()
    };
    let (p, q) = (of(|s| s.re), of(|s| s.im));
    let powers = LoadPowers { loads: m, p_mw: &p, q_mvar: &q };
    let mut lowest = Vec::new();
    let seconds = timed(|| lowest = run(made, params, &powers));
    raw(folder, "batch", &lowest);
    seconds
}

/// 8,760 hours of 24 profiles: minima, loadings and losses of all, and nothing else kept.
fn year(made: &Balanced, params: &FlowParams, hours: usize) -> f64 {
    let profiles = 24;
    let factors: Vec<f64> = (0..hours * profiles)
        .map(|k| {
            let (hour, profile) = ((k / profiles) as f64, (k % profiles) as f64);
            0.6 + 0.3 * (hour * std::f64::consts::TAU / 24.0 + profile).sin()
        })
        .collect();
    let follows: Vec<u32> = (0..made.loads.len() as u32).map(|k| k % profiles as u32).collect();
    let cases = LoadProfiles { factors: &factors, profiles, follows: &follows };
    timed(|| drop(run(made, params, &cases)))
}

fn run(made: &Balanced, params: &FlowParams, cases: &dyn LoadCases) -> Vec<f64> {
    let report = Batch::new(made, params).unwrap().run(cases).unwrap();
    assert_eq!(report.diverged(), 0);
    report.cases.iter().map(|case| case.v_min).collect()
}

fn write(made: &Balanced, folder: &Path) {
    let branches = &made.branches;
    let numbers = |of: &[u32]| of.iter().map(|&x| f64::from(x)).collect::<Vec<f64>>();
    raw(folder, "from", &numbers(&branches.from));
    raw(folder, "to", &numbers(&branches.to));
    raw(folder, "r", &branches.z.iter().map(|z| z.re).collect::<Vec<_>>());
    raw(folder, "x", &branches.z.iter().map(|z| z.im).collect::<Vec<_>>());
    raw(folder, "b", &branches.y.iter().map(|y| y.im).collect::<Vec<_>>());
    raw(folder, "load_bus", &numbers(&made.loads.bus));
    raw(folder, "p", &made.loads.s_mva.iter().map(|s| s.re).collect::<Vec<_>>());
    raw(folder, "q", &made.loads.s_mva.iter().map(|s| s.im).collect::<Vec<_>>());
    raw(folder, "source", &numbers(&made.sources.bus));
}

fn raw(folder: &Path, name: &str, values: &[f64]) {
    let bytes: Vec<u8> = values.iter().flat_map(|value| value.to_ne_bytes()).collect();
    std::fs::write(folder.join(name), bytes).unwrap();
}

fn timed(work: impl FnOnce()) -> f64 {
    let start = spent();
    work();
    spent() - start
}

/// Seconds that processors have spent on this program: machines are shared.
fn spent() -> f64 {
    let text = std::fs::read_to_string("/proc/self/schedstat").unwrap_or_default();
    let main: f64 = text.split_whitespace().next().unwrap_or("0").parse().unwrap();
    let others = std::fs::read_dir("/proc/self/task").unwrap().filter_map(|task| {
        let path = task.ok()?.path();
        let own = path.file_name()?.to_str()? == std::process::id().to_string();
        let text = std::fs::read_to_string(path.join("schedstat")).ok()?;
        (!own).then(|| text.split_whitespace().next()?.parse::<f64>().ok())?
    });
    (main + others.sum::<f64>()) / 1e9
}

/// The most memory so far, in MB.
fn peak() -> f64 {
    let text = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = text.lines().find(|line| line.starts_with("VmHWM:")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse::<f64>().unwrap() / 1024.0
}
