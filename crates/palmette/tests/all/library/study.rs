//! Pages of studies.

use palmette::pictures::StudyPlots;
use palmette::sweep::{Study, StudyProgram, sweep};

#[test]
fn a_page_names_wrong_answers() {
    let study = Study { program: StudyProgram::Treefix, sizes: vec![8], ..Study::default() };
    let mut found = sweep(&study, |_| ()).unwrap();
    found.runs[1].correct = false;
    let page = StudyPlots::of(&study, &found).page(Vec::new()).to_html();
    assert!(page.contains("s: 1!") && page.contains(">NO<"));
}
