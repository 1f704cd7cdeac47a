//! What each message of a trace waits for.
//!
//! A processor handles messages one after the other, and its state may depend on all that it has
//! handled. So a message waits for every message that its sender had handled before it, and for
//! no other. The trace says which these are: in which order messages were handled
//! ([`Trace::handled`]), and how many words the sender had received ([`Sent::heard`]).
//!
//! **Cost.** Linear time; 12 bytes per message and 16 per processor.

use super::NetworkError;
use crate::machine::{Sent, Trace};
use palmette_core::Lists;

/// Messages by sender and by receiver, with the number that each waits for.
#[derive(Debug)]
pub(in crate::machine) struct Schedule {
    /// Messages by receiver, in the order in which they are handled.
    pub(in crate::machine) received: Lists,
    /// Messages by sender, in the order of sending.
    pub(in crate::machine) sent: Lists,
    /// By message: how many of its sender's received messages it waits for, the first ones.
    pub(in crate::machine) waits_for: Vec<u32>,
}

impl Schedule {
    pub(in crate::machine) fn of(trace: &Trace) -> Result<Schedule, NetworkError> {
        let processors = trace.processors;
        let messages = &trace.sent;
        for (message, sent) in messages.iter().enumerate() {
            let processor = sent.from.max(sent.to);
            if processor as usize >= processors {
                return Err(NetworkError::NoProcessor { message, processor, processors });
            }
        }
        let (sender, receiver) = (|s: &Sent| s.from, |s: &Sent| s.to);
        let in_order = 0..messages.len() as u32;
        let sent = Lists::by_key(processors, messages.iter().map(sender).zip(in_order));
        let received = match &trace.handled {
            None => Lists::by_key(processors, messages.iter().map(receiver).zip(0u32..)),
            Some(handled) => {
                let to = |&message: &u32| (receiver(&messages[message as usize]), message);
                Lists::by_key(processors, handled.iter().map(to))
            }
        };
        let mut waits_for = vec![0; messages.len()];
        for p in 0..processors as u32 {
            let (mut count, mut words, received) = (0, 0, received.of(p));
            for &message in sent.of(p) {
                let heard = u64::from(messages[message as usize].heard);
                while words < heard {
                    // Words that nobody sent are waited for in vain.
                    let next = received.get(count).map(|&r| messages[r as usize].words);
                    words += next.map_or(heard, u64::from);
                    count += 1;
                }
                waits_for[message as usize] = count as u32;
            }
        }
        Ok(Schedule { received, sent, waits_for })
    }
}
