//! Times that can be compared although the machine is shared: contestants take
//! turns, and the best turn of each counts.

use std::time::Instant;

/// One contestant: what to do before each turn, untimed, and the turn itself.
pub struct Contestant<'a> {
    prepare: Box<dyn FnMut() + 'a>,
    turn: Box<dyn FnMut() + 'a>,
}

/// A contestant that needs no preparation.
pub fn run<'a>(turn: impl FnMut() + 'a) -> Contestant<'a> {
    Contestant { prepare: Box::new(|| ()), turn: Box::new(turn) }
}

/// The best seconds of each contestant over some rounds in which all take turns.
pub fn race(rounds: usize, contestants: &mut [Contestant<'_>]) -> Vec<f64> {
    let mut best = vec![f64::INFINITY; contestants.len()];
    for _ in 0..rounds {
        for (contestant, best) in contestants.iter_mut().zip(&mut best) {
            (contestant.prepare)();
            let start = Instant::now();
            (contestant.turn)();
            *best = best.min(start.elapsed().as_secs_f64());
        }
    }
    best
}

/// A pool of exactly so many threads.
pub fn pool(threads: usize) -> rayon::ThreadPool {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads can be started")
}
