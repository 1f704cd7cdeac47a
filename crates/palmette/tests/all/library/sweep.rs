//! Studies on small sizes.

use palmette::core::generate::{Shape, generate};
use palmette::spatial::program::Method;
use palmette::sweep::{
    Case, Claim, MEDIAN, Progress, Run, Study, StudyProgram, SweepError, TAIL, percentile, sweep,
};
use palmette::{Tree, WrongAnswer};

fn study(program: StudyProgram) -> Study {
    let shapes = vec![Shape::Random, Shape::Star, Shape::Perfect, Shape::DoubleBroom];
    Study { program, shapes, sizes: vec![1, 2, 3, 16, 100], ..Study::default() }
}

#[test]
fn cases_come_in_order_and_once() {
    let study = Study {
        shapes: vec![Shape::Star, Shape::Path, Shape::Star],
        sizes: vec![64, 16, 64, 9000],
        ..Study::default()
    };
    let cases = study.cases();
    let names: Vec<String> = cases.iter().map(Case::to_string).collect();
    let expected = [
        "star, n = 16",
        "star, n = 64",
        "star, n = 9000",
        "path, n = 16",
        "path, n = 64",
        "path, n = 9000",
        "star, n = 16, PRAM",
        "star, n = 64, PRAM",
        "star, n = 16, Euler tour",
        "star, n = 64, Euler tour",
    ];
    assert_eq!(names, expected);
    let none = Study { baseline_limit: 0, ..study.clone() };
    assert!(none.cases().iter().all(|case| case.baseline.is_none()));
    assert!(Study { shapes: vec![], ..study }.cases().is_empty());
}

#[test]
fn every_program_is_right_and_has_evidence_for_its_claims() {
    for program in StudyProgram::ALL {
        let study = study(program);
        let mut heard = Vec::new();
        let found = sweep(&study, |progress| match progress {
            Progress::Begins(case) => heard.push((*case, false)),
            Progress::Ends(run) => heard.push((run.case, true)),
            _ => {}
        });
        let found = found.unwrap();
        assert!(found.is_correct(), "{program}: {found:?}");
        let expected: Vec<_> =
            study.cases().into_iter().flat_map(|case| [(case, false), (case, true)]).collect();
        assert_eq!(heard, expected);
        assert_eq!(found.runs.len() + found.baseline.len(), study.cases().len());
        for run in &found.runs {
            assert!(run.words > 0 && run.seconds > 0.0, "{program}: {run:?}");
            let silent = run.case.n == 1;
            assert_eq!(run.costs.energy == 0, silent, "{program}: {run:?}");
            assert!(run.findings.iter().all(|f| program.claims().contains(&f.claim)));
        }
        for claim in program.claims() {
            let has = |run: &Run| run.findings.iter().any(|f| f.claim == *claim);
            assert!(found.runs.iter().any(has), "{program}: {claim}");
        }
    }
}

#[test]
fn methods_are_as_right_and_cost_otherwise() {
    for program in StudyProgram::ALL {
        let study = Study { method: Method::Published, ..study(program) };
        match sweep(&study, |_| ()) {
            Ok(found) => {
                let ours = sweep(&self::study(program), |_| ()).unwrap();
                assert!(found.is_correct() && program.has_methods(), "{program}");
                assert_eq!(found.baseline.len(), ours.baseline.len());
                assert!(
                    found.runs.last().unwrap().costs.energy
                        > ours.runs.last().unwrap().costs.energy
                );
            }
            Err(error) => {
                assert!(!program.has_methods(), "{error}");
                assert_eq!(error, SweepError::Method { program, method: Method::Published });
            }
        }
    }
}

#[test]
fn figures_depend_on_the_study_alone() {
    let study = study(StudyProgram::Treefix);
    let figures = |study: &Study| {
        let found = sweep(study, |_| ()).unwrap();
        let runs = found.runs.into_iter().chain(found.baseline);
        runs.map(|run| (run.case, run.costs, run.rounds, run.findings)).collect::<Vec<_>>()
    };
    let pool = |threads| rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    let first = pool(1).install(|| figures(&study));
    assert_eq!(first, pool(3).install(|| figures(&study)));
    assert_ne!(first, figures(&Study { seed: 2, ..study }));
}

#[test]
fn only_shapes_of_bounded_degree_speak_for_lemma_11() {
    let study = Study { shapes: Shape::FREE.to_vec(), sizes: vec![500], ..Study::default() };
    for run in sweep(&study, |_| ()).unwrap().runs {
        let shape = run.case.shape.unwrap();
        let tree = Tree::from_parents(&generate(shape, 500, study.seed).unwrap()).unwrap();
        let most = tree.child_counts().into_iter().max().unwrap();
        let speaks = run.findings.iter().any(|f| f.claim == Claim::Lemma11);
        assert_eq!(speaks, most <= 2, "{shape}");
    }
}

#[test]
fn errors_are_those_of_the_stages() {
    let study = Study { sizes: vec![0], ..Study::default() };
    assert!(matches!(sweep(&study, |_| ()), Err(SweepError::Generate(_))));
    assert!("sorting".parse::<StudyProgram>().unwrap_err().to_string().contains("treefix"));
}

#[test]
fn a_wrong_answer_is_named() {
    let program = StudyProgram::Treefix;
    let study = Study { program, sizes: vec![8], ..Study::default() };
    let mut found = sweep(&study, |_| ()).unwrap();
    assert!(found.is_correct() && found.check(program).is_ok());
    found.runs[1].correct = false;
    let error: WrongAnswer = found.check(program).unwrap_err();
    assert!(!found.is_correct());
    assert_eq!(error.to_string(), "treefix on path, n = 8: the answer differs from the host's");
}

#[test]
fn percentiles_are_measured_values() {
    let of = |k: u32, percent| percentile((1..=k).rev(), percent);
    assert_eq!((of(1, 50), of(1, 99)), (1, 1));
    assert_eq!((of(30, 50), of(30, 99), of(30, 1)), (15, 30, 1));
    assert_eq!((of(200, 50), of(200, 99), of(200, 100)), (100, 198, 200));
    assert_eq!(percentile(std::iter::empty::<u64>(), 50), 0);
}

#[test]
fn seeds_are_runs_of_their_own() {
    let one = |seed| {
        let study =
            Study { shapes: vec![Shape::Random], sizes: vec![64], seed, ..Study::default() };
        sweep(&study, |_| ()).unwrap()
    };
    let study = Study { seeds: 5, seed: 3, ..Study::default() };
    let study = Study { shapes: vec![Shape::Random], sizes: vec![64], ..study };
    let found = sweep(&study, |_| ()).unwrap();
    assert_eq!((found.runs.len(), study.runs()), (5, 5 + found.baseline.len()));
    for (seed, run) in (3..).zip(&found.runs) {
        let alone = one(seed).runs.remove(0);
        assert_eq!((run.seed, run.costs, &run.findings), (seed, alone.costs, &alone.findings));
    }
    let mut depths: Vec<u32> = found.runs.iter().map(|run| run.costs.depth).collect();
    depths.sort_unstable();
    let [median, tail] = [MEDIAN, TAIL].map(|percent| found.at(percent).remove(0));
    assert_eq!((median.costs.depth, tail.costs.depth), (depths[2], depths[4]));
    assert!(median.seeds == 5 && median.correct && median.findings.len() == 2);
}
