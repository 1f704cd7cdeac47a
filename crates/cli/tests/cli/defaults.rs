//! Defaults on the command line are those of the library.

use crate::{Place, TABLE};
use palmette::MappingParams;
use palmette::core::DEFAULT_SEED;
use palmette::core::generate::GenerateParams;
use palmette::graph::solve::SolveParams;
use palmette::spatial::layout::LayoutParams;
use palmette::sweep::Study;
use serde_json::{Value, json};

/// Whether the record of a command has these parameters.
fn check(place: &Place, line: &str, expected: Value) {
    let record: Value = serde_json::from_str(&place.stdout(&format!("{line} --json"))).unwrap();
    for (name, value) in expected.as_object().unwrap() {
        assert_eq!(&record["parameters"][name], value, "{line}: {name}");
    }
}

#[test]
fn options_default_to_what_the_library_does() {
    let place = Place::new(&[("t.csv", TABLE)]);
    place.stdout("graph generate grid:6x6 -o g.mtx");
    place.stdout("mesh generate triangles:6x6 -o m.msh");
    let expected = json!({ "seed": GenerateParams::default().seed });
    check(&place, "tree generate random:10 -o t.npy", expected);
    check(&place, "tree leaffix t.csv --op hash -o h.csv", json!({ "seed": DEFAULT_SEED }));
    let solve = SolveParams::default();
    let expected = json!({
        "preconditioner": solve.preconditioner.name(),
        "tolerance": solve.tolerance,
        "max_iterations": solve.max_iterations,
        "seed": solve.seed,
    });
    check(&place, "graph solve g.mtx --rhs random", expected);
    let map = MappingParams::default();
    let cut = json!({
        "preset": map.partition.preset.name(),
        "bisection": map.partition.bisection.name(),
        "imbalance": map.partition.imbalance,
        "refine": map.partition.refine,
        "contiguous": map.partition.contiguous,
        "seed": map.partition.seed,
    });
    check(&place, "mesh partition m.msh -k 4", cut.clone());
    check(&place, "mesh map m.msh --machine torus:2x2", cut);
    let route = json!({ "routing": map.routing.name(), "channels": map.channels });
    check(&place, "mesh map m.msh --machine torus:2x2", route);
    let layout = LayoutParams::default();
    let expected = json!({ "order": layout.order.name(), "curve": layout.curve.name() });
    check(&place, "spatial layout t.csv", expected);
    let limit = layout.refine.time_limit.unwrap().as_secs_f64();
    let expected = json!({ "seed": layout.refine.seed, "time_limit": limit });
    check(&place, "spatial layout t.csv --order refined", expected);
    let study = Study::default();
    let shapes: Vec<String> = study.shapes.iter().map(|shape| shape.to_string()).collect();
    let expected = json!({
        "shapes": shapes,
        "curve": study.curve.name(),
        "seed": study.seed,
        "method": study.method.name(),
        "baseline_limit": study.baseline_limit,
        "replay": study.replay.name(),
    });
    check(&place, "spatial sweep --program treefix --sizes 8", expected);
}

/// Where help states a number, it is the library's.
#[test]
fn help_states_the_defaults_of_the_library() {
    let place = Place::new(&[]);
    let most = SolveParams::default().max_iterations;
    let help = place.stdout("graph solve --help");
    assert!(help.contains(&format!("default: {most}")), "{help}");
    let help = place.stdout("spatial sweep --help");
    let names: Vec<String> = Study::default().shapes.iter().map(|s| s.to_string()).collect();
    let words = help.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.contains(&format!("[default: {}]", names.join(", "))), "{help}");
    // Sizes are written as powers of two.
    let Study { sizes, baseline_limit, .. } = Study::default();
    let (first, last) = (sizes[0].ilog2(), sizes[sizes.len() - 1].ilog2());
    assert_eq!(sizes, (first..=last).map(|k| 1 << k).collect::<Vec<usize>>());
    assert!(words.contains(&format!("[default: 2^{first}..2^{last}]")), "{help}");
    assert!(baseline_limit.is_power_of_two());
    assert!(words.contains(&format!("[default: 2^{}]", baseline_limit.ilog2())), "{help}");
}
