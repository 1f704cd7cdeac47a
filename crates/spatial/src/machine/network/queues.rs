//! How long the queues of links are, over time: what an animation of a replay shows.
//!
//! **Method.** The replay is cut into frames of equal length. A message that waits for a link adds
//! the cycles of its wait to the frames in which it waits; a link adds the cycles in which it
//! is busy likewise. Sums over a frame divided by its length are the mean queue and the share of
//! time that a link is used.
//!
//! **Cost.** 16 bytes per frame and link while counting.

use super::router::{Watch, Way};
use crate::{Cell, Grid, Window};

/// Queues of a replay, frame by frame.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Queues {
    /// The first column and row that links are counted in.
    pub corner: Cell,
    /// The columns and rows.
    pub size: Grid,
    /// Cycles of a frame.
    pub cycles_per_frame: u64,
    /// The frames.
    pub frames: Vec<QueueFrame>,
}

/// Links that were used, or waited for, in a frame.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct QueueFrame {
    /// The cell that each leaves, row by row in [`Queues::size`], and its way.
    pub links: Vec<(u32, Way)>,
    /// Cycles in which each was busy.
    pub busy: Vec<u64>,
    /// Cycles that messages waited for each, all together.
    pub waiting: Vec<u64>,
}

impl Queues {
    /// Links in all frames together.
    pub fn links(&self) -> usize {
        self.frames.iter().map(|frame| frame.links.len()).sum()
    }

    /// The same in longer frames: so many in a row become one, of which the last may have fewer.
    pub fn merged(&self, together: usize) -> Queues {
        let frames = self.frames.chunks(together.max(1)).map(QueueFrame::sum).collect();
        Queues { cycles_per_frame: self.cycles_per_frame * together.max(1) as u64, frames, ..*self }
    }
}

impl QueueFrame {
    fn sum(frames: &[QueueFrame]) -> QueueFrame {
        let counts = |frame: &'_ QueueFrame| {
            let both = frame.busy.iter().copied().zip(frame.waiting.iter().copied());
            frame.links.iter().copied().zip(both).collect::<Vec<_>>()
        };
        let mut all: Vec<_> = frames.iter().flat_map(counts).collect();
        all.sort_unstable();
        let mut sum = QueueFrame::default();
        for (link, (busy, waiting)) in all {
            if sum.links.last() != Some(&link) {
                sum.links.push(link);
                sum.busy.push(0);
                sum.waiting.push(0);
            }
            let last = sum.links.len() - 1;
            sum.busy[last] += busy;
            sum.waiting[last] += waiting;
        }
        sum
    }

    pub(super) fn counters(window: Window, cycles: u64, frames: u32) -> QueueCounters {
        let length = (cycles + 1).div_ceil(u64::from(frames.max(1))).max(1);
        let count = (cycles + 1).div_ceil(length) as usize;
        let links = window.size.len() as usize * Way::COUNT;
        QueueCounters { window, length, counts: vec![vec![[0; 2]; links]; count] }
    }
}

/// Counts while a replay runs: busy and waiting cycles by frame and link.
#[derive(Debug)]
pub(super) struct QueueCounters {
    window: Window,
    length: u64,
    counts: Vec<Vec<[u64; 2]>>,
}

impl QueueCounters {
    /// Adds the cycles of a stretch of time to the frames that they lie in.
    fn add(&mut self, link: usize, kind: usize, begin: u64, end: u64) {
        let mut at = begin;
        while at < end {
            let frame = at / self.length;
            let until = ((frame + 1) * self.length).min(end);
            // The last word may leave a link after the last message has arrived elsewhere.
            if let Some(counts) = self.counts.get_mut(frame as usize) {
                counts[link][kind] += until - at;
            }
            at = until;
        }
    }

    pub(super) fn finish(self) -> Queues {
        let frame = |counts: &Vec<[u64; 2]>| {
            let mut frame = QueueFrame::default();
            for (link, &[busy, waiting]) in counts.iter().enumerate() {
                if busy + waiting > 0 {
                    frame.links.push(((link / Way::COUNT) as u32, Way::of(link)));
                    frame.busy.push(busy);
                    frame.waiting.push(waiting);
                }
            }
            frame
        };
        Queues {
            corner: self.window.corner,
            size: self.window.size,
            cycles_per_frame: self.length,
            frames: self.counts.iter().map(frame).collect(),
        }
    }
}

impl Watch for QueueCounters {
    fn crossing(&mut self, link: usize, came: u64, leaves: u64, busy: u64) {
        self.add(link, 1, came, leaves);
        self.add(link, 0, leaves, leaves + busy);
    }
}
