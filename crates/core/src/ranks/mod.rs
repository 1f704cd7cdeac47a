//! Communication between ranks, with counts and times.
//!
//! [`Ranks`] is the interface: MPI implements it in `palmette-mpi`, threads in `threads.rs`.
//! [`Metered`] counts and times the traffic of each phase; [`send`] and [`ask`] carry records.

mod route;
mod threads;

pub use route::{Post, Slices, ask, send};
pub use threads::{ThreadRank, on_threads};

use thiserror::Error;

/// This process, or thread, as one of several that run the same program on their own slices.
///
/// All ranks must call the same functions in the same order; every call waits for all of them.
pub trait Ranks {
    /// The number of this rank.
    fn rank(&self) -> usize;

    /// How many ranks there are.
    fn ranks(&self) -> usize;

    /// Sends the first `counts[0]` words to rank 0, the next to rank 1, and so on. Returns
    /// what arrived, in the order of ranks, and how many words came from each.
    ///
    /// # Errors
    /// When a message cannot be sent, or a rank is gone.
    fn exchange(&mut self, words: &[u64], counts: &[usize]) -> Result<Mail, RanksError>;

    /// The words of all ranks, in the order of ranks.
    ///
    /// # Errors
    /// As [`exchange`](Ranks::exchange).
    fn gather(&mut self, own: &[u64]) -> Result<Mail, RanksError>;

    /// The sum over all ranks, modulo 2^64.
    ///
    /// # Errors
    /// As [`exchange`](Ranks::exchange).
    fn sum(&mut self, own: u64) -> Result<u64, RanksError>;

    /// The sum over all ranks before this one, modulo 2^64.
    ///
    /// # Errors
    /// As [`exchange`](Ranks::exchange).
    fn sum_before(&mut self, own: u64) -> Result<u64, RanksError>;
}

/// Words from every rank.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Mail {
    /// Those of rank 0, then those of rank 1, and so on.
    pub words: Vec<u64>,
    /// How many are from each.
    pub counts: Vec<usize>,
}

impl Mail {
    /// The records of `N` words each.
    pub fn records<const N: usize>(&self) -> &[[u64; N]] {
        self.words.as_chunks().0
    }

    /// The words of each rank.
    pub fn by_rank(&self) -> impl Iterator<Item = &[u64]> {
        let mut rest = &self.words[..];
        self.counts.iter().map(move |&count| {
            let (own, after) = rest.split_at(count);
            rest = after;
            own
        })
    }
}

/// Why communication between ranks failed.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum RanksError {
    /// The library between ranks says so.
    #[error("{message}")]
    Library { message: String },
    /// Another rank has found an error and reports it.
    #[error("rank {rank} has given up")]
    Elsewhere { rank: usize },
}

/// What went from this rank to others, and from others to this one. What a rank sends to
/// itself does not count.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct RankTraffic {
    /// Calls that all ranks make together: exchanges, gathers and sums.
    pub rounds: u64,
    /// Messages sent in exchanges: other ranks that there were words for.
    pub messages: u64,
    /// Words of 8 bytes sent in exchanges; a word that is gathered is sent once.
    pub sent: u64,
    /// Words that arrived.
    pub received: u64,
}

impl RankTraffic {
    fn add(&mut self, other: RankTraffic) {
        self.rounds += other.rounds;
        self.messages += other.messages;
        self.sent += other.sent;
        self.received += other.received;
    }
}

/// Ranks whose traffic is counted by phase, and timed.
pub struct Metered<R> {
    ranks: R,
    phases: Vec<Phase>,
    since: std::time::Instant,
}

/// What a phase cost this rank.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Phase {
    /// Its name.
    pub name: &'static str,
    /// What went over the wires.
    pub traffic: RankTraffic,
    /// How long it took, waiting included.
    pub seconds: f64,
}

impl<R: Ranks> Metered<R> {
    /// Counts from now on.
    pub fn new(ranks: R) -> Metered<R> {
        Metered { ranks, phases: Vec::new(), since: std::time::Instant::now() }
    }

    /// The ranks themselves.
    pub fn inner(&self) -> &R {
        &self.ranks
    }

    /// Starts a phase, or goes on with one of that name.
    pub fn phase(&mut self, name: &'static str) {
        self.stop();
        match self.phases.iter().position(|phase| phase.name == name) {
            Some(place) => {
                let again = self.phases.remove(place);
                self.phases.push(again);
            }
            None => {
                self.phases.push(Phase { name, traffic: RankTraffic::default(), seconds: 0.0 });
            }
        }
    }

    /// The phases until now.
    pub fn phases(&mut self) -> &[Phase] {
        self.stop();
        &self.phases
    }

    /// The traffic of all phases.
    pub fn traffic(&self) -> RankTraffic {
        let mut all = RankTraffic::default();
        self.phases.iter().for_each(|phase| all.add(phase.traffic));
        all
    }

    /// Takes over the phases of some of these ranks among themselves, which began when the last phase here
    /// was [asked for](Metered::phases), and ended now.
    pub fn join<S: Ranks>(&mut self, mut some: Metered<S>) {
        for phase in some.phases() {
            match self.phases.iter_mut().find(|own| own.name == phase.name) {
                Some(own) => {
                    own.traffic.add(phase.traffic);
                    own.seconds += phase.seconds;
                }
                None => self.phases.push(*phase),
            }
        }
        self.since = std::time::Instant::now();
    }

    /// What goes on when no rank has failed. Otherwise the first of those that have keeps
    /// its error, and the others get [`RanksError::Elsewhere`].
    ///
    /// # Errors
    /// As said.
    pub fn agree<T, E: From<RanksError>>(&mut self, outcome: Result<T, E>) -> Result<T, E> {
        let failed = self.gather(&[u64::from(outcome.is_err())])?;
        match failed.words.iter().position(|&failed| failed != 0) {
            None => outcome,
            Some(rank) if rank == self.rank() => outcome,
            Some(rank) => Err(RanksError::Elsewhere { rank }.into()),
        }
    }

    fn stop(&mut self) {
        let now = std::time::Instant::now();
        if let Some(phase) = self.phases.last_mut() {
            phase.seconds += now.duration_since(self.since).as_secs_f64();
        }
        self.since = now;
    }

    fn note(&mut self, traffic: RankTraffic) {
        if self.phases.is_empty() {
            self.phase("other");
        }
        if let Some(phase) = self.phases.last_mut() {
            phase.traffic.add(traffic);
        }
    }
}

impl<R: Ranks> Ranks for Metered<R> {
    fn rank(&self) -> usize {
        self.ranks.rank()
    }

    fn ranks(&self) -> usize {
        self.ranks.ranks()
    }

    fn exchange(&mut self, words: &[u64], counts: &[usize]) -> Result<Mail, RanksError> {
        let mail = self.ranks.exchange(words, counts)?;
        let own = self.rank();
        let others = |counts: &[usize]| (counts.iter().sum::<usize>() - counts[own]) as u64;
        let messages =
            counts.iter().enumerate().filter(|&(rank, &count)| rank != own && count > 0).count();
        self.note(RankTraffic {
            rounds: 1,
            messages: messages as u64,
            sent: others(counts),
            received: others(&mail.counts),
        });
        Ok(mail)
    }

    fn gather(&mut self, own: &[u64]) -> Result<Mail, RanksError> {
        let mail = self.ranks.gather(own)?;
        let received = (mail.words.len() - own.len()) as u64;
        self.note(RankTraffic { rounds: 1, messages: 0, sent: own.len() as u64, received });
        Ok(mail)
    }

    fn sum(&mut self, own: u64) -> Result<u64, RanksError> {
        self.note(RankTraffic { rounds: 1, messages: 0, sent: 1, received: 1 });
        self.ranks.sum(own)
    }

    fn sum_before(&mut self, own: u64) -> Result<u64, RanksError> {
        self.note(RankTraffic { rounds: 1, messages: 0, sent: 1, received: 1 });
        self.ranks.sum_before(own)
    }
}
