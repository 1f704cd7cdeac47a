//! A queue of events by time: buckets for the near future, coarse ones for the rest.
//!
//! **Method.** Time is cut into stretches of [`SLOTS`] cycles. Every cycle of the current
//! stretch has a bucket; each later stretch that has events has one list, which is dealt out to
//! buckets when the stretch begins. So an event is moved once at most, however far ahead it
//! lies, and an empty cycle costs a bit of a bitmap. Emptied buckets are used again: memory is
//! linear in the events that are waiting.

use std::collections::BTreeMap;

/// Cycles of a stretch.
const SLOTS: u64 = 1 << 12;

#[derive(Debug, Clone)]
pub(super) struct Wheel<T> {
    /// The current stretch, counted from time 0.
    stretch: u64,
    slots: Vec<Vec<T>>,
    /// Which slots have events.
    used: [u64; (SLOTS / 64) as usize],
    later: BTreeMap<u64, Vec<(u64, T)>>,
    spare: Vec<Vec<T>>,
}

impl<T: Copy> Wheel<T> {
    pub(super) fn new() -> Wheel<T> {
        Wheel {
            stretch: 0,
            slots: (0..SLOTS).map(|_| Vec::new()).collect(),
            used: [0; (SLOTS / 64) as usize],
            later: BTreeMap::new(),
            spare: Vec::new(),
        }
    }

    /// Adds an event. Its time is not before that of the last bucket taken.
    #[inline(always)]
    pub(super) fn push(&mut self, time: u64, event: T) {
        if time / SLOTS == self.stretch {
            let at = (time % SLOTS) as usize;
            let slot = &mut self.slots[at];
            if slot.is_empty() {
                self.used[at / 64] |= 1 << (at % 64);
                if slot.capacity() == 0 {
                    *slot = self.spare.pop().unwrap_or_default();
                }
            }
            slot.push(event);
        } else {
            debug_assert!(time / SLOTS > self.stretch, "an event in the past");
            self.later.entry(time / SLOTS).or_default().push((time, event));
        }
    }

    /// Moves the events of the earliest time into an empty list.
    pub(super) fn take(&mut self, into: &mut Vec<T>) -> Option<u64> {
        let time = self.next_time()?;
        let at = (time % SLOTS) as usize;
        if time / SLOTS != self.stretch {
            self.begin(time / SLOTS);
        }
        self.used[at / 64] &= !(1 << (at % 64));
        std::mem::swap(into, &mut self.slots[at]);
        let emptied = std::mem::take(&mut self.slots[at]);
        if emptied.capacity() > 0 {
            self.spare.push(emptied);
        }
        Some(time)
    }

    /// The time of the earliest event.
    pub(super) fn next_time(&self) -> Option<u64> {
        if let Some(word) = self.used.iter().position(|&bits| bits != 0) {
            let bit = u64::from(self.used[word].trailing_zeros());
            return Some(self.stretch * SLOTS + 64 * word as u64 + bit);
        }
        let (_, events) = self.later.first_key_value()?;
        events.iter().map(|event| event.0).min()
    }

    fn begin(&mut self, stretch: u64) {
        self.stretch = stretch;
        for (time, event) in self.later.remove(&stretch).into_iter().flatten() {
            self.push(time, event);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use palmette_core::random::mixed;

    #[test]
    fn events_come_in_order_of_time() {
        let mut wheel = Wheel::new();
        let mut waiting: Vec<(u64, u64)> = Vec::new();
        let mut now = 0;
        for round in 0..30_000u64 {
            let draw = mixed(round);
            // Near, at the end of the stretch, far, and very far.
            let ahead = [draw % 3, draw % 5000, draw % 100_000, draw % (1 << 40)]
                [(mixed(draw) % 100).min(3) as usize];
            if round < 15_000 {
                wheel.push(now + ahead, round);
                waiting.push((now + ahead, round));
            }
            if draw.is_multiple_of(3) || round >= 15_000 {
                let mut events = Vec::new();
                let Some(time) = wheel.take(&mut events) else {
                    assert!(waiting.is_empty());
                    continue;
                };
                assert!(time >= now && waiting.iter().all(|event| event.0 >= time));
                now = time;
                events.sort_unstable();
                let mut expected: Vec<u64> =
                    waiting.iter().filter(|event| event.0 == time).map(|event| event.1).collect();
                expected.sort_unstable();
                assert_eq!(events, expected);
                waiting.retain(|event| event.0 != time);
            }
        }
        assert!(waiting.is_empty() && wheel.next_time().is_none());
    }
}
