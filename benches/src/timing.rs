//! Times that can be compared although the machine is shared: contestants take
//! turns, and the best turn of each counts, or the one in the middle.

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
    turns(rounds, contestants).iter().map(|t| t.first().copied().unwrap_or(f64::INFINITY)).collect()
}

/// The median seconds of each contestant over some rounds in which all take turns.
///
/// # Panics
/// Without a round.
pub fn medians(rounds: usize, contestants: &mut [Contestant<'_>]) -> Vec<f64> {
    turns(rounds, contestants).iter().map(|t| t[t.len() / 2]).collect()
}

/// The seconds of all turns of each contestant, shortest first.
fn turns(rounds: usize, contestants: &mut [Contestant<'_>]) -> Vec<Vec<f64>> {
    let mut seconds = vec![Vec::with_capacity(rounds); contestants.len()];
    for _ in 0..rounds {
        for (contestant, seconds) in contestants.iter_mut().zip(&mut seconds) {
            (contestant.prepare)();
            let start = Instant::now();
            (contestant.turn)();
            seconds.push(start.elapsed().as_secs_f64());
        }
    }
    seconds.iter_mut().for_each(|s| s.sort_by(f64::total_cmp));
    seconds
}

/// A pool of exactly so many threads.
pub fn pool(threads: usize) -> rayon::ThreadPool {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads can be started")
}

/// Seconds that processors have spent on this program so far, those of threads that have ended left
/// out; nothing where the system does not tell. On a shared machine the clock also counts waiting.
pub fn processor_seconds() -> Option<f64> {
    let spent = |task: std::fs::DirEntry| {
        let text = std::fs::read_to_string(task.path().join("schedstat")).ok()?;
        text.split_whitespace().next()?.parse::<f64>().ok()
    };
    let tasks = std::fs::read_dir("/proc/self/task").ok()?;
    Some(tasks.filter_map(|task| spent(task.ok()?)).sum::<f64>() / 1e9)
}

/// The least processor seconds of some turns, by the clock where the system tells none.
pub fn least_processor_seconds(rounds: usize, mut turn: impl FnMut()) -> f64 {
    let mut least = f64::INFINITY;
    for _ in 0..rounds {
        let (clock, before) = (Instant::now(), processor_seconds());
        turn();
        let spent = processor_seconds().zip(before).map(|(after, before)| after - before);
        least = least.min(spent.unwrap_or(clock.elapsed().as_secs_f64()));
    }
    least
}
