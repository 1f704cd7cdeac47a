//! The page with the paper's figures.

use super::{ENGINES, Measured, Times};
use palmette_gpu::{DeviceInfo, DeviceKind};
use palmette_report::{AxisSpec, BarChart, Cell, LineChart, Series, SweepPage, Table};

/// What a study found.
pub struct Found {
    /// The device.
    pub device: DeviceInfo,
    /// The profile trees, by size.
    pub profiles: Vec<Measured>,
    /// Stars, by size.
    pub stars: Vec<Measured>,
    /// Caterpillars in the paper's sense, paths, by size.
    pub paths: Vec<Measured>,
}

/// What is compared with.
const HOST: &str = "sequential";

/// Head of the tables.
pub const HEAD: [&str; 10] = [
    "tree",
    "vertices",
    "levels",
    "sequential ms",
    "levels ms",
    "scan ms",
    "contract ms",
    "scan, speedup",
    "with transfer",
    "transfer ms",
];

/// A row of the tables.
pub fn row(m: &Measured) -> Vec<String> {
    let ms = |s: f64| format!("{:.2}", 1e3 * s);
    let [levels, scan, contract] = m.device;
    let ratio = |s: f64| format!("{:.3}×", m.sequential / s);
    let transfer = scan.transfer + scan.tree;
    vec![
        m.name.clone(),
        m.vertices.to_string(),
        m.levels.to_string(),
        ms(m.sequential),
        ms(levels.compute),
        ms(scan.compute),
        ms(contract.compute),
        ratio(scan.compute),
        ratio(scan.compute + transfer),
        ms(transfer),
    ]
}

/// What has to be said of figures on a device in software.
pub fn remark(device: &DeviceInfo) -> String {
    match device.kind {
        DeviceKind::Software => format!(
            "{} is a device in software, on the host's own cores: the figures show that answers \
             are right and how times grow, not how fast a graphics processor is.",
            device.name
        ),
        _ => format!("Measured on {} ({}).", device.name, device.kind),
    }
}

/// The page.
pub fn page(found: &Found) -> SweepPage {
    let mut table = Table::new(&HEAD);
    for m in found.profiles.iter().chain(&found.stars).chain(&found.paths) {
        table.row(row(m).into_iter().map(Cell::from));
    }
    let device = &found.device;
    SweepPage {
        title: "Rootfix sums on a device".into(),
        introduction: vec![
            "Figures 4, 5 and 7 of Defour and Marin, Regularity versus Load-Balancing on GPU for \
             treefix computations: a sweep on the host, the method by levels and the scan over \
             the Euler tour on the device; and contraction, which needs no inverses. Every answer \
             was compared with the host's."
                .into(),
            remark(device),
        ],
        facts: vec![
            ("device".into(), device.name.clone()),
            ("kind".into(), device.kind.to_string()),
            ("driver".into(), device.driver.clone()),
            ("interface".into(), device.backend.clone()),
        ],
        figures: vec![
            ("Figure 4a: computing".into(), computing(&found.profiles)),
            ("Figure 4b: transfers".into(), transfers(&found.profiles)),
            (
                "Figure 5, computing alone".into(),
                speedups(&found.profiles, "Speedup, computing alone", |times| times.compute),
            ),
            (
                "Figure 5, with transfers".into(),
                speedups(&found.profiles, "Speedup, with transfers", |times| {
                    times.compute + times.transfer + times.tree
                }),
            ),
            ("Figure 7a: stars".into(), growth("Stars", &found.stars)),
            ("Figure 7b: caterpillars".into(), growth("Caterpillars (paths)", &found.paths)),
        ],
        tables: vec![("Times".into(), table)],
        notes: vec![
            "Values are 32-bit integers. The best of three rounds counts; what takes over a second has \
             one."
                .into(),
            "Transfer is the tree's form, once, and values up and answers down.".into(),
        ],
        ..SweepPage::default()
    }
}

fn names(all: &[Measured]) -> Vec<String> {
    all.iter().map(|m| m.name.clone()).collect()
}

fn by_engine(all: &[Measured], what: impl Fn(&Measured, Times) -> f64) -> Vec<(String, Vec<f64>)> {
    let column = |k: usize| all.iter().map(|m| what(m, m.device[k])).collect();
    ENGINES.iter().enumerate().map(|(k, name)| ((*name).to_string(), column(k))).collect()
}

/// The host comes last, so that an engine has the same colour in all figures.
fn computing(all: &[Measured]) -> String {
    let mut series = by_engine(all, |_, times| 1e3 * times.compute);
    series.push((HOST.to_string(), all.iter().map(|m| 1e3 * m.sequential).collect()));
    let (title, value) = ("Computing time of a rootfix".into(), "milliseconds".into());
    BarChart { title, value, groups: names(all), series, ..Default::default() }.to_svg()
}

fn transfers(all: &[Measured]) -> String {
    let series = by_engine(all, |_, times| 1e3 * (times.transfer + times.tree));
    let (title, value) = ("Transfer time".into(), "milliseconds".into());
    let note = "the tree's form, once, values up and answers down".into();
    BarChart { title, note, value, groups: names(all), series }.to_svg()
}

fn speedups(all: &[Measured], title: &str, time: fn(Times) -> f64) -> String {
    let series = by_engine(all, |m, times| m.sequential / time(times));
    let (title, value) = (title.into(), "times faster than the sequential sweep".into());
    BarChart { title, value, groups: names(all), series, ..Default::default() }.to_svg()
}

fn growth(title: &str, all: &[Measured]) -> String {
    let line = |name: &str, time: &dyn Fn(&Measured) -> f64| Series {
        name: name.to_string(),
        points: all.iter().map(|m| (m.vertices as f64, 1e3 * time(m))).collect(),
    };
    let mut series: Vec<Series> = Vec::new();
    for (k, name) in ENGINES.iter().enumerate() {
        series.push(line(name, &|m| m.device[k].compute));
    }
    series.push(line(HOST, &|m| m.sequential));
    let (x, y) = (AxisSpec::log("vertices"), AxisSpec::log("computing (ms)"));
    LineChart { title: title.to_string(), x, y, series, ..Default::default() }.to_svg()
}
