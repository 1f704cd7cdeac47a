//! The studies on small inputs: they check that all contestants agree.
#![allow(clippy::unwrap_used)]

use palmette_bench::accuracy::instance::Instance;
use palmette_bench::accuracy::study::{
    ON_THE_HOST, contestants, largest_deviation, picture, study,
};
use palmette_bench::accuracy::values::{condition, ill_conditioned};
use palmette_bench::machine::Limits;
use palmette_bench::tree::goals::{Figure, What, goals};
use palmette_tree::Direction;
use std::path::Path;
use std::process::Command;

fn quick(study: &str) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let output = Command::new(env!("CARGO_BIN_EXE_palmette-bench"))
        .args([study, "--quick"])
        .current_dir(root)
        .output()
        .unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let said = text(&output.stdout) + &text(&output.stderr);
    assert!(output.status.success(), "palmette-bench {study} --quick:\n{said}");
}

#[test]
fn trees_agree() {
    quick("tree");
}

#[test]
fn what_is_written_reads_back() {
    quick("io");
}

#[test]
fn spatial_programs_agree() {
    quick("spatial");
}

#[test]
fn sparsifiers_agree() {
    quick("graph");
}

#[test]
fn solvers_agree() {
    quick("solve");
}

#[test]
fn partitioners_agree() {
    quick("mesh");
}

/// Needs `palmette-mpi`, which tests of the whole workspace build.
#[test]
fn products_agree() {
    quick("mesh-run");
}

/// Needs `palmette-mpi`, which tests of the whole workspace build.
#[test]
fn ranks_agree() {
    quick("mpi");
}

#[test]
fn sums_stay_within_their_bounds() {
    quick("accuracy");
}

#[cfg(feature = "gpu")]
#[test]
fn devices_agree() {
    quick("gpu");
}

#[test]
fn conditions_are_near_what_was_wanted() {
    for power in 1..=10 {
        let wanted = 10f64.powi(power);
        let values = ill_conditioned(10_000, wanted, power as u64);
        let found = condition(&values);
        assert_eq!(values.len(), 10_000);
        assert!((found / wanted - 1.0).abs() < 0.01, "{wanted:e}: {found:e}");
    }
}

#[test]
fn the_sum_is_where_it_is_said_to_be() {
    for direction in [Direction::Rootfix, Direction::Leaffix] {
        let found = Instance::new(direction, 200, 1e6, 3);
        let at = found.at as u32;
        let covered: Vec<u32> = match direction {
            Direction::Leaffix => (at..found.tree.end(at)).collect(),
            Direction::Rootfix => {
                std::iter::successors(Some(at), |&p| found.tree.parent(p)).collect()
            }
        };
        let mut terms: Vec<f32> = covered.iter().map(|&p| found.values[p as usize]).collect();
        let mut expected = ill_conditioned(200, 1e6, 6);
        terms.sort_by(f32::total_cmp);
        expected.sort_by(f32::total_cmp);
        assert_eq!(terms, expected);
    }
}

/// The study checks every bound itself.
#[test]
fn a_small_study_holds() {
    for direction in [Direction::Rootfix, Direction::Leaffix] {
        let found = study(direction, 1000, 3);
        assert_eq!(found.len(), 10);
        for point in &found {
            let [plain, _, _, _, _, compensated, exact, ..] = point.worst[..] else { panic!() };
            assert!(exact.error <= 6e-8 && exact.bound <= 6e-8, "{exact:?}");
            assert!(compensated.error <= 6e-8 + 1e-12 * point.wanted);
            assert!(plain.share > 0.0 && plain.share <= 1.0);
        }
        let hard = found.last().expect("ten points");
        assert!(hard.worst[0].error > 1.0, "single precision has nothing left");
        assert!(largest_deviation(&found) < 0.1, "{}", largest_deviation(&found));
        for (on_the_host, lines) in
            [(true, ON_THE_HOST), (false, contestants().len() - ON_THE_HOST)]
        {
            let picture = picture(direction, &found, (1000, 3), on_the_host);
            assert_eq!(picture.matches("line thin dashed").count(), lines);
        }
    }
}

#[test]
fn goals_have_what_was_measured_and_the_floor_beside_them() {
    let limits =
        [1, 2].map(|threads| Limits { threads, triad: 20.0, gather: 5.0, gather_wide: 8.0 });
    let figure = |tree: &str, what, threads, ours, plain| Figure {
        tree: format!("{tree}, shuffled 10^7"),
        n: 10_000_000,
        what,
        threads,
        ours,
        plain,
    };
    let figures = [
        figure("random", What::Raw, 1, 0.2, Some(0.8)),
        figure("star", What::Raw, 1, 0.06, Some(0.03)),
        figure("path", What::Tree, 1, 0.5, None),
    ];
    let text = goals(&figures, &limits).markdown();
    for row in [
        "one leaffix from parents, random, shuffled | ≤ 220.0 ms | 200.0 ms | yes",
        "| 160.0 ms | 1.2 | two random accesses",
        "star, shuffled: of the plain loop | ≤ 1.0 | 2.00 | no",
        "| 10.0 ms | 6.0 | bytes at the speed of a triad",
        "a tree from parents, path, shuffled | ≤ 300.0 ms | 500.0 ms | no",
        "worst ≤ 1.0, median ≤ 0.5 | 2.00, 2.00 | no",
    ] {
        assert!(text.contains(row), "{row}\n{text}");
    }
}
