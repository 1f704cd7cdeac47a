//! Ranks on threads of one process, connected by channels. Every message is a vector of its
//! own: this is for tests of what runs on MPI, not for speed.

use super::{Transport, TransportError};
use std::sync::mpsc::{Receiver, Sender, channel};

enum Message {
    Exchange(Vec<f64>),
    Gather(Vec<f64>),
    Abort(String),
}

impl Message {
    const fn kind(&self) -> &'static str {
        match self {
            Message::Exchange(_) => "an exchange",
            Message::Gather(_) => "a sum",
            Message::Abort(_) => "an end",
        }
    }
}

/// One of several ranks on threads of this process.
pub struct ChannelTransport {
    rank: usize,
    /// By rank.
    to: Vec<Sender<Message>>,
    /// By rank.
    from: Vec<Receiver<Message>>,
    sends: Vec<usize>,
    receives: Vec<usize>,
    outgoing: Vec<f64>,
    incoming: Vec<f64>,
}

/// So many ranks, each connected with all.
pub fn channels(ranks: usize) -> Vec<ChannelTransport> {
    let mut to: Vec<Vec<Sender<Message>>> = (0..ranks).map(|_| Vec::new()).collect();
    let mut from: Vec<Vec<Receiver<Message>>> = (0..ranks).map(|_| Vec::new()).collect();
    for to in &mut to {
        for from in &mut from {
            let (sender, receiver) = channel();
            to.push(sender);
            from.push(receiver);
        }
    }
    let both = to.into_iter().zip(from).enumerate();
    let new = |(rank, (to, from))| ChannelTransport {
        rank,
        to,
        from,
        sends: vec![0; ranks],
        receives: vec![0; ranks],
        outgoing: Vec::new(),
        incoming: Vec::new(),
    };
    both.map(new).collect()
}

impl ChannelTransport {
    fn send(&self, to: usize, message: Message) -> Result<(), TransportError> {
        let gone = TransportError::Gone { rank: self.rank, from: to };
        // A rank that has ended may have said why.
        self.to[to].send(message).map_err(|_| self.last_words(to).unwrap_or(gone))
    }

    fn last_words(&self, from: usize) -> Option<TransportError> {
        self.from[from].try_iter().find_map(|message| match message {
            Message::Abort(message) => Some(TransportError::Aborted { from, message }),
            _ => None,
        })
    }

    fn receive(&self, from: usize, expected: usize, sum: bool) -> Result<Vec<f64>, TransportError> {
        let rank = self.rank;
        let message = self.from[from].recv().map_err(|_| TransportError::Gone { rank, from })?;
        let found = message.kind();
        match message {
            Message::Abort(message) => Err(TransportError::Aborted { from, message }),
            Message::Exchange(values) if !sum => self.checked(from, expected, values),
            Message::Gather(values) if sum => self.checked(from, expected, values),
            _ => {
                let expected = if sum { "a sum" } else { "an exchange" };
                Err(TransportError::Kind { rank, from, expected, found })
            }
        }
    }

    fn checked(
        &self,
        from: usize,
        expected: usize,
        values: Vec<f64>,
    ) -> Result<Vec<f64>, TransportError> {
        let (rank, found) = (self.rank, values.len());
        match found == expected {
            true => Ok(values),
            false => Err(TransportError::Length { rank, from, expected, found }),
        }
    }
}

impl Transport for ChannelTransport {
    fn rank(&self) -> usize {
        self.rank
    }

    fn ranks(&self) -> usize {
        self.to.len()
    }

    fn connect(&mut self, sends: &[usize], receives: &[usize]) -> Result<(), TransportError> {
        (self.sends, self.receives) = (sends.to_vec(), receives.to_vec());
        self.outgoing = vec![0.0; sends.iter().sum()];
        self.incoming = vec![0.0; receives.iter().sum()];
        Ok(())
    }

    fn outgoing(&mut self) -> &mut [f64] {
        &mut self.outgoing
    }

    fn begin(&mut self) -> Result<(), TransportError> {
        let mut first = 0;
        for (to, &words) in self.sends.iter().enumerate().filter(|(_, words)| **words > 0) {
            let values = self.outgoing[first..first + words].to_vec();
            self.send(to, Message::Exchange(values))?;
            first += words;
        }
        Ok(())
    }

    fn finish(&mut self) -> Result<&[f64], TransportError> {
        let mut first = 0;
        for from in 0..self.receives.len() {
            let words = self.receives[from];
            if words > 0 {
                let values = self.receive(from, words, false)?;
                self.incoming[first..first + words].copy_from_slice(&values);
                first += words;
            }
        }
        Ok(&self.incoming)
    }

    fn gather(
        &mut self,
        own: &[f64],
        counts: &[usize],
        all: &mut [f64],
    ) -> Result<(), TransportError> {
        for to in 0..self.ranks() {
            self.send(to, Message::Gather(own.to_vec()))?;
        }
        let mut rest = all;
        for (from, &count) in counts.iter().enumerate() {
            let values = self.receive(from, count, true)?;
            let (here, after) = rest.split_at_mut(count);
            here.copy_from_slice(&values);
            rest = after;
        }
        Ok(())
    }

    fn abort(&self, message: &str) {
        for to in (0..self.ranks()).filter(|&to| to != self.rank) {
            // A rank that has ended needs no message.
            let _ = self.to[to].send(Message::Abort(message.to_string()));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::thread;

    /// Runs each rank on a thread of its own.
    fn on_threads<R: Send>(ranks: usize, work: impl Fn(ChannelTransport) -> R + Sync) -> Vec<R> {
        let work = &work;
        thread::scope(|scope| {
            let started: Vec<_> =
                channels(ranks).into_iter().map(|t| scope.spawn(move || work(t))).collect();
            started.into_iter().map(|t| t.join().unwrap()).collect()
        })
    }

    #[test]
    fn words_arrive_in_the_order_of_ranks() {
        let found = on_threads(3, |mut t| {
            // Rank r sends r + 1 words to everyone else.
            let own = t.rank() + 1;
            let others = |words: &dyn Fn(usize) -> usize| -> Vec<usize> {
                (0..3).map(|r| if r == t.rank() { 0 } else { words(r) }).collect()
            };
            let (sends, receives) = (others(&|_| own), others(&|r| r + 1));
            t.connect(&sends, &receives).unwrap();
            t.outgoing().fill(own as f64);
            t.begin().unwrap();
            t.finish().unwrap().to_vec()
        });
        assert_eq!(found, [vec![2., 2., 3., 3., 3.], vec![1., 3., 3., 3.], vec![1., 2., 2.]]);
    }

    #[test]
    fn everyone_gets_the_numbers_of_all() {
        let found = on_threads(3, |mut t| {
            let own = vec![t.rank() as f64; t.rank()];
            let mut all = vec![9.0; 3];
            t.gather(&own, &[0, 1, 2], &mut all).unwrap();
            all
        });
        assert_eq!(found, vec![vec![1.0, 2.0, 2.0]; 3]);
    }

    #[test]
    fn a_message_of_another_length_is_an_error() {
        let found = on_threads(2, |mut t| {
            let (send, receive) = if t.rank() == 0 { (2, 1) } else { (1, 3) };
            let other = 1 - t.rank();
            let of = |words| (0..2).map(|r| if r == other { words } else { 0 }).collect::<Vec<_>>();
            t.connect(&of(send), &of(receive)).unwrap();
            t.begin().and_then(|()| t.finish().map(<[f64]>::len))
        });
        assert_eq!(found[0], Ok(1));
        let wrong = TransportError::Length { rank: 1, from: 0, expected: 3, found: 2 };
        assert_eq!(found[1], Err(wrong));
    }

    #[test]
    fn who_waits_for_a_rank_that_ended_is_told() {
        let found = on_threads(2, |mut t| match t.rank() {
            0 => {
                t.abort("out of paper");
                Ok(())
            }
            _ => t.gather(&[1.0], &[1, 1], &mut [0.0; 2]),
        });
        let aborted = TransportError::Aborted { from: 0, message: "out of paper".to_string() };
        assert_eq!(found[1], Err(aborted));
    }

    #[test]
    fn a_rank_that_is_gone_is_no_hang() {
        let found = on_threads(2, |mut t| match t.rank() {
            0 => Ok(()),
            _ => t.gather(&[1.0], &[1, 1], &mut [0.0; 2]),
        });
        assert_eq!(found[1], Err(TransportError::Gone { rank: 1, from: 0 }));
    }
}
