//! The memory that messages take while they wait for a processor to start.
//!
//! A processor that has not started is still in an earlier program. So what waits for it lies
//! beside what that program needs; the machine takes the most that any program before needed.
//! Messages of several programs may wait at one time: whoever comes last to one program may find
//! messages of the next as well.

/// What waits for one processor, or waited last.
#[derive(Debug, Clone, Copy, Default)]
struct Heap {
    /// When they are handled.
    until: u64,
    words: u32,
}

/// What waits for the processors of a region: 16 bytes each once anything has waited.
#[derive(Debug, Default)]
pub(super) struct Waiting {
    heaps: Vec<Heap>,
}

impl Waiting {
    /// A message waits for a processor from `now` until it starts. Returns the words of all that
    /// wait for it then.
    ///
    /// What came before is still there if it waits for longer than `now`. That it is gone before
    /// the last message of this program comes is not looked at: then the words are too many.
    pub(super) fn add(
        &mut self,
        processor: usize,
        processors: usize,
        (now, until): (u64, u64),
        words: u32,
    ) -> u32 {
        if self.heaps.is_empty() {
            self.heaps.resize(processors, Heap::default());
        }
        let heap = &mut self.heaps[processor];
        let before = if now < heap.until { heap.words } else { 0 };
        *heap = Heap { until, words: before + words };
        heap.words
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_waits_at_one_time_is_added_up() {
        let mut waiting = Waiting::default();
        let mut add = |processor, now, until| waiting.add(processor, 3, (now, until), 4);
        assert_eq!((add(1, 2, 9), add(1, 5, 9), add(2, 5, 9)), (4, 8, 4));
        // Of the next program: while those of the last still wait, and after.
        assert_eq!((add(1, 8, 12), add(2, 9, 12)), (12, 4));
    }
}
