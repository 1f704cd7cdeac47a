//! Pages of studies.

use palmette::Figures;
use palmette::core::Record;
use palmette::pictures::{Bound, OwnRun, OwnStudy, StudyPlots};
use palmette::spatial::machine::Costs;
use palmette::sweep::{Study, StudyProgram, sweep};
use serde_json::json;

#[test]
fn a_page_names_wrong_answers() {
    let study = Study { program: StudyProgram::Treefix, sizes: vec![8], ..Study::default() };
    let mut found = sweep(&study, |_| ()).unwrap();
    found.runs[1].correct = false;
    let page = StudyPlots::of(&study, &found).page(Vec::new()).to_html();
    assert!(page.contains("s: 1!") && page.contains(">NO<"));
}

#[test]
fn a_law_that_is_too_small_grows() {
    let run = |n: usize| OwnRun {
        n,
        costs: Costs { energy: (3 * n * n.isqrt()) as u64, depth: 7, ..Costs::default() },
        words: 4,
        correct: Some(n < 1024),
    };
    let bound = |law| Bound::parse("energy", law).unwrap();
    let runs = [64, 256, 1024].map(run).to_vec();
    let study = OwnStudy { name: "mine".into(), runs, bounds: vec![bound("n^1.5")] };
    assert!((study.growth(bound("n")).unwrap() - 4.0).abs() < 1e-9);
    assert!((study.growth(bound("n^1.5")).unwrap() - 1.0).abs() < 1e-9);
    assert!(study.growth(bound("n^1.5 log n")).unwrap() < 0.7);
    let mut record = Record::new("spatial sweep", "mine");
    study.figures(&mut record);
    // Powers are good to a few units in the last place.
    let constant = record.result["fits"][0]["constant"].as_f64().unwrap();
    assert!((constant - 3.0).abs() < 1e-14, "{constant}");
    assert_eq!(record.result["correct"], json!(false));
    assert_eq!(study.pictures().len(), 1);
    let text = Bound::parse("energy", "n^3").unwrap_err().to_string();
    assert!(text.starts_with("unknown law `n^3`"), "{text}");
    assert!(Bound::parse("weight", "n").is_err());
}
