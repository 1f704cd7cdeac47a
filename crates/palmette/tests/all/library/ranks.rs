//! Jobs whose launcher is a shell: what users hear of those that fail.

use palmette::language::run::Collected;
use palmette::ranks::{Launch, RankError, RankJob, run_on_ranks};

/// The error of a job whose launcher runs this script.
fn failed(script: &str) -> RankError {
    let launcher = ["sh", "-c", script].map(str::to_string).to_vec();
    // It is never started: any file will do.
    let worker = std::env::current_exe().unwrap();
    let launch = Launch { launcher, worker, ..Launch::new(1) };
    let job = RankJob::new(("none.pal", ""), "none.msh", vec![0]);
    run_on_ranks(&job, &launch, &mut Collected::default()).unwrap_err()
}

/// What is left of what a launcher says before it ends with this code.
fn reason(said: &str, code: i32) -> String {
    let error = failed(&format!("printf '{said}' >&2; exit {code}"));
    assert!(matches!(error, RankError::Failed { code: Some(c), .. } if c == code), "{error:?}");
    error.to_string()
}

#[test]
fn reasons_are_found_among_what_launchers_say() {
    let said = r"thread 1 panicked\nerror: rank 1: no such group\nerror: rank 0: no such group\n";
    assert_eq!(reason(said, 2), "rank 1: no such group");
    let said = r"%s-----\nPrimary job terminated\n-----\nmpirun noticed that process rank 2 with PID 7 on node x\nexited on signal 9 (Killed).\n-----";
    let died =
        "mpirun noticed that process rank 2 with PID 7 on node x exited on signal 9 (Killed).";
    assert_eq!(reason(said, 137), died);
    assert_eq!(reason(r"\n", 3), "the ranks ended with code 3 and no message");
    assert_eq!(reason(r"%s---\nno\n slots\n", 1), "no slots");
    let killed = failed("kill -9 $$");
    assert!(matches!(killed, RankError::Failed { code: None, .. }), "{killed:?}");
    assert_eq!(killed.to_string(), "the ranks were killed");
}
