//! What each message of a trace waits for.
//!
//! A processor handles messages one after the other, and its state may depend on all that it has
//! handled. So a message waits for every message that its sender had handled before it, and for
//! no other. The trace says which these are: messages reach a processor in the order in which they
//! were sent; programs come one after the other; within a program a processor at clock `c` has
//! handled all messages of clocks below `c`, and [`Sent::heard`] of those of clock `c`. At the
//! clock at which it entered the program, these include the ones that came before it did.
//!
//! **Cost.** Linear time; 16 bytes per message and 12 per processor.

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
        for (message, sent) in trace.sent.iter().enumerate() {
            let processor = sent.from.max(sent.to);
            if processor as usize >= processors {
                return Err(NetworkError::NoProcessor { message, processor, processors });
            }
        }
        let by = |end: fn(&Sent) -> u32| {
            Lists::by_key(processors, trace.sent.iter().map(end).zip(0u32..))
        };
        let (received, sent) = (by(|s| s.to), by(|s| s.from));
        let mut waits_for = vec![0; trace.sent.len()];
        for p in 0..processors as u32 {
            wait(trace, received.of(p), sent.of(p), &mut waits_for);
        }
        Ok(Schedule { received, sent, waits_for })
    }
}

/// Walks through what one processor received and sent.
fn wait(trace: &Trace, received: &[u32], sent: &[u32], waits_for: &mut [u32]) {
    // Messages of earlier programs; the clock that they left the processor at; messages of
    // earlier clocks.
    let (mut before, mut entered, mut handled) = (0, 0, 0);
    let mut program = 0;
    for &i in sent {
        let message = &trace.sent[i as usize];
        let begins = |program: usize| trace.programs.get(program).is_some_and(|&b| b <= i as usize);
        while begins(program + 1) {
            program += 1;
        }
        let first = trace.programs.get(program).copied().unwrap_or(0);
        while let Some(&r) = received.get(before).filter(|&&r| (r as usize) < first) {
            entered = entered.max(trace.sent[r as usize].step + 1);
            before += 1;
        }
        handled = handled.max(before);
        let earlier = |r: &u32| trace.sent[*r as usize].step + 1 < message.step;
        while received.get(handled).is_some_and(earlier) && message.step > entered {
            handled += 1;
        }
        waits_for[i as usize] = handled as u32 + message.heard;
    }
}
