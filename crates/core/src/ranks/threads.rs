//! Ranks as threads of one process, for tests and for counting the traffic of jobs with many ranks.

use super::{Mail, Ranks, RanksError};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

/// Runs a program on as many ranks, a thread each, and returns what each returned. For tests,
/// and to count what jobs of many ranks would send.
///
/// # Panics
/// When the program panics on a rank.
pub fn on_threads<T: Send>(ranks: usize, program: impl Fn(ThreadRank) -> T + Sync) -> Vec<T> {
    let hub = Arc::new(Hub { state: Mutex::default(), changed: Condvar::new(), ranks });
    std::thread::scope(|scope| {
        let start = |rank| {
            let (own, program) = (ThreadRank { hub: hub.clone(), rank }, &program);
            scope.spawn(move || program(own))
        };
        let running: Vec<_> = (0..ranks).map(start).collect();
        running.into_iter().map(|rank| rank.join().expect("a rank that did not panic")).collect()
    })
}

/// A rank that is a thread; see [`on_threads`].
pub struct ThreadRank {
    hub: Arc<Hub>,
    rank: usize,
}

type Sent = Arc<(Vec<u64>, Vec<usize>)>;

struct Hub {
    state: Mutex<State>,
    changed: Condvar,
    ranks: usize,
}

/// One call of all ranks: first all bring their words, then all take.
#[derive(Default)]
struct State {
    brought: Vec<(usize, Sent)>,
    taken: usize,
    taking: bool,
    /// A rank that takes part no more.
    gone: Option<usize>,
}

impl ThreadRank {
    /// What every rank brought, in their order.
    fn call(&self, words: Vec<u64>, counts: Vec<usize>) -> Result<Vec<Sent>, RanksError> {
        let mut state = self.wait(|state| !state.taking)?;
        state.brought.push((self.rank, Arc::new((words, counts))));
        if state.brought.len() == self.hub.ranks {
            state.brought.sort_unstable_by_key(|&(rank, _)| rank);
            state.taking = true;
            self.hub.changed.notify_all();
        }
        drop(state);
        let mut state = self.wait(|state| state.taking)?;
        let all = state.brought.iter().map(|(_, sent)| sent.clone()).collect();
        state.taken += 1;
        if state.taken == self.hub.ranks {
            *state = State { gone: state.gone, ..State::default() };
            self.hub.changed.notify_all();
        }
        Ok(all)
    }

    /// A rank that is gone has taken its words; who waits for others waits in vain.
    fn wait(&self, ready: impl Fn(&State) -> bool) -> Result<MutexGuard<'_, State>, RanksError> {
        let mut state = self.hub.state.lock().unwrap_or_else(PoisonError::into_inner);
        while !ready(&state) {
            if let (Some(rank), false) = (state.gone, state.taking) {
                return Err(RanksError::Elsewhere { rank });
            }
            state = self.hub.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        Ok(state)
    }
}

impl Drop for ThreadRank {
    fn drop(&mut self) {
        let mut state = self.hub.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.gone.get_or_insert(self.rank);
        self.hub.changed.notify_all();
    }
}

impl Ranks for ThreadRank {
    fn rank(&self) -> usize {
        self.rank
    }

    fn ranks(&self) -> usize {
        self.hub.ranks
    }

    fn exchange(&mut self, words: &[u64], counts: &[usize]) -> Result<Mail, RanksError> {
        let mut mail = Mail::default();
        for sent in self.call(words.to_vec(), counts.to_vec())? {
            let (words, counts) = &*sent;
            let first: usize = counts[..self.rank].iter().sum();
            mail.words.extend_from_slice(&words[first..][..counts[self.rank]]);
            mail.counts.push(counts[self.rank]);
        }
        Ok(mail)
    }

    fn gather(&mut self, own: &[u64]) -> Result<Mail, RanksError> {
        let mut mail = Mail::default();
        for sent in self.call(own.to_vec(), Vec::new())? {
            mail.words.extend_from_slice(&sent.0);
            mail.counts.push(sent.0.len());
        }
        Ok(mail)
    }

    fn sum(&mut self, own: u64) -> Result<u64, RanksError> {
        Ok(self.gather(&[own])?.words.into_iter().fold(0, u64::wrapping_add))
    }

    fn sum_before(&mut self, own: u64) -> Result<u64, RanksError> {
        let all = self.gather(&[own])?.words;
        Ok(all[..self.rank].iter().copied().fold(0, u64::wrapping_add))
    }
}
