//! Writes reports with every kind of view and figure, which browsers are tested with, and the
//! records behind them: `cargo run -p palmette-report --example sample_report -- DIRECTORY`.
//! The numbers are invented; they show the page, not a program.

mod contraction;
mod machine;
mod trees;

use palmette_core::{Picture, Record};
use palmette_report::{
    AxisSpec, Compared, Law, LineChart, ReportPage, Series, SweepPage, Table, TheoremPlot,
};
use serde_json::json;
use std::path::Path;

type Outcome<T> = Result<T, Box<dyn std::error::Error>>;

fn main() -> Outcome<()> {
    let directory = std::env::args().nth(1).ok_or("usage: sample_report DIRECTORY")?;
    let directory = Path::new(&directory);
    std::fs::create_dir_all(directory)?;
    let records = [contraction::record(1024)?, machine::record(4)?, solve(1.0), odd(), hostile()];
    let page =
        ReportPage { title: "A sample of runs", overview: None, records: &records, compared: None };
    std::fs::write(directory.join("report.html"), page.to_html()?)?;
    let left = [machine::record(4)?, solve(1.0)];
    let right = [machine::record(6)?, solve(1.7)];
    let compared = Some(Compared { records: &right, names: ["torus-4.json", "torus-6.json"] });
    let page = ReportPage { title: "Two machines", overview: None, records: &left, compared };
    std::fs::write(directory.join("compare.html"), page.to_html()?)?;
    for (name, records) in [("report", &records[..]), ("left", &left), ("right", &right)] {
        let lines: Vec<String> = records.iter().map(Record::to_json).collect();
        std::fs::write(directory.join(format!("{name}.jsonl")), lines.join("\n") + "\n")?;
    }
    let large = [contraction::record(20_000)?];
    let page =
        ReportPage { title: "A large tree", overview: None, records: &large, compared: None };
    std::fs::write(directory.join("large.html"), page.to_html()?)?;
    std::fs::write(directory.join("sweep.html"), sweep().to_html())?;
    trees::write(directory)?;
    Ok(())
}

/// A page of theorems: one plot, and a chart.
fn sweep() -> SweepPage {
    let series = |factor: f64, name: &str| {
        let point = |k: i32| 2f64.powi(k);
        let points = (8..=18).map(|k| (point(k), factor * point(k))).collect();
        Series { name: name.to_string(), points }
    };
    let plot = TheoremPlot {
        name: "Theorem 5".into(),
        claim: "an invented program takes O(n) energy".into(),
        quantity: "energy".into(),
        law: Law::Linear,
        series: vec![series(2.0, "path"), series(3.1, "a shape with a rather long name")],
        baseline: Some(series(900.0, "PRAM simulation")),
    };
    let mut table = Table::new(&["shape", "n", "energy/n"]);
    table.row(["path".into(), 256u64.into(), 2.0.into()]);
    SweepPage {
        title: "A sweep over sizes".into(),
        facts: vec![("command".into(), "palmette spatial sweep --sizes 2^8..2^18".into())],
        figures: vec![("A chart".into(), solve(1.0).pictures[0].svg.clone())],
        plots: vec![plot],
        tables: vec![("energy".into(), table)],
        ..SweepPage::default()
    }
}

/// A run with a plot and a list of objects.
fn solve(factor: f64) -> Record {
    let mut record = Record::new("graph solve", "grid.mtx");
    record.command_line = "palmette graph solve grid.mtx --tolerance 1e-10 --svg convergence.svg \
                           --preconditioner sparsifier --rhs ones.csv --seed 7"
        .to_string();
    record.parameter("tolerance", 1e-10).parameter("preconditioner", "sparsifier");
    record.parameter("factor", factor).parameter("seed", 7);
    for (phase, seconds) in
        [("read", 0.0412), ("sparsify", 0.21), ("solve", 1.385), ("write", 0.002)]
    {
        record.seconds.insert(phase.to_string(), (seconds * factor).into());
    }
    record.figure("vertices", 1_000_000).figure("iterations", (41.0 * factor) as u64);
    record.figure("residual", 8.731_234_567e-11).figure("converged", true);
    record.figure("condition", serde_json::Value::Null);
    record
        .figure("kept", json!({"tree_edges": 999_999, "recovered_edges": 81_234, "share": 0.5406}));
    record.figure("largest_residuals", json!([1e-11, 2.5e-11, 8.7e-11]));
    let steps: Vec<_> = (0..40)
        .map(|i| json!({"iteration": i, "residual": 10f64.powf(-0.25 * f64::from(i)), "restart": i % 20 == 0}))
        .collect();
    record.figure("steps", steps);
    let points =
        (0..40).map(|i| (f64::from(i), 10f64.powf(-0.25 * f64::from(i) / factor))).collect();
    let chart = LineChart {
        title: "Residual over iterations".into(),
        x: AxisSpec::linear("iteration"),
        y: AxisSpec::log("residual"),
        series: vec![Series { name: "sparsifier".into(), points }],
        ..LineChart::default()
    };
    let title = "How the residual falls".to_string();
    record.pictures.push(Picture {
        name: "convergence".into(),
        title,
        svg: chart.to_svg(),
        view: None,
    });
    record
}

/// A record that only `--json` printed, with nothing in it that is usual.
fn odd() -> Record {
    let mut record = Record::new("some-later command", "-");
    record
        .figure("nothing", serde_json::Value::Null)
        .figure("empty", json!([]))
        .figure("map", json!({}));
    record
        .figure("a_name_that_is_longer_than_any_table_wants_it_to_be_on_a_small_screen", -1.5e300);
    record.figure("label", "word ".repeat(60)).figure("unbroken", "x".repeat(200));
    record.figure("nested", json!({"a": {"b": {"c": [1, [2, 3]]}}, "d": -17}));
    record.figure("many", (0..500).collect::<Vec<u32>>());
    record.seconds.insert("no number".into(), "soon".into());
    record
}

/// Text that would run, if any of it could.
fn hostile() -> Record {
    const RUN: &str = "<script>window.broken=1</script><img src=x onerror=window.broken=1>";
    let mut record = Record::new(&format!("tree </title>{RUN}"), &format!("\"'>{RUN}"));
    record.command_line = format!("echo '</code></pre>{RUN}'");
    record.parameter(RUN, RUN).figure(&format!("</table>{RUN}"), RUN);
    record.seconds.insert(RUN.into(), 0.5.into());
    let svg = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"300\" height=\"60\" viewBox=\"0 0 300 60\" \
         onload=\"window.broken=1\"><script>window.broken=1</script><style>text{fill:#d55e00}</style>\
         <text x=\"10\" y=\"35\" onclick=\"window.broken=1\">harmless<title>&lt;/template&gt;&lt;img src=x \
         onerror=window.broken=1&gt;</title></text></svg>";
    let view = json!({"kind": "</script><script>window.broken=1</script>"});
    let [name, title] = [RUN, "</figcaption><script>window.broken=1</script>"].map(String::from);
    record.pictures.push(Picture { name, title, svg: svg.into(), view: Some(view) });
    record
}
