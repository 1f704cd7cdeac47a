//! The queues of routers on a grid over time: where messages wait for links.

use super::{ViewError, check_count, check_most};
use crate::MAX_PROCESSORS;
use serde::{Deserialize, Serialize};

/// A [`QueuesView`] has at most this many links in all frames together: about 13 bytes of a page each.
pub const MAX_QUEUES: usize = 1 << 17;

/// Right, left, down and up, into the router and out of it.
const WAYS: u32 = 6;

/// Links of one frame: their numbers, the cycles in which each was busy, and the cycles that
/// messages waited for it, all together.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct QueueFrame(pub Vec<u32>, pub Vec<u64>, pub Vec<u64>);

/// Routers of columns and rows, and which of their links were used and waited for in stretches of
/// a run.
///
/// ```
/// use palmette_report::view::{QueueFrame, QueuesView};
/// let mut view = QueuesView::new([2, 1], 10)?;
/// // From the first cell to the right: busy for eight of ten cycles, two messages waited for one.
/// view.frame(QueueFrame(vec![0], vec![8], vec![2]))?;
/// assert_eq!(view.frames(), 1);
/// # Ok::<(), palmette_report::view::ViewError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct QueuesView {
    columns: u32,
    rows: u32,
    cycles_per_frame: u64,
    frames: Vec<QueueFrame>,
}

impl QueuesView {
    /// A grid of columns and rows, and the cycles of a frame. It has no frames yet.
    ///
    /// # Errors
    /// No cells, more than [`MAX_PROCESSORS`], frames of no cycles.
    pub fn new([columns, rows]: [u32; 2], cycles_per_frame: u64) -> Result<Self, ViewError> {
        let view = QueuesView { columns, rows, cycles_per_frame, frames: Vec::new() };
        view.check()?;
        Ok(view)
    }

    /// How many frames there are.
    pub fn frames(&self) -> usize {
        self.frames.len()
    }

    /// Adds a frame. The number of a link is six times that of the cell it leaves, row by row,
    /// and 0 to 5 for right, left, down, up, from the processor and to it.
    ///
    /// # Errors
    /// Links that there are not, or more than [`MAX_QUEUES`] in all.
    pub fn frame(&mut self, frame: QueueFrame) -> Result<(), ViewError> {
        self.check_frame(&frame)?;
        self.frames.push(frame);
        check_most("links", self.links(), MAX_QUEUES)
    }

    fn links(&self) -> usize {
        self.frames.iter().map(|frame| frame.0.len()).sum()
    }

    fn check_frame(&self, QueueFrame(links, busy, waiting): &QueueFrame) -> Result<(), ViewError> {
        check_count("frames: busy", busy.len(), links.len())?;
        check_count("frames: waiting", waiting.len(), links.len())?;
        let end = self.columns * self.rows * WAYS;
        match links.iter().find(|&&link| link >= end) {
            Some(link) => Err(ViewError::new(format!("links below {end}"), link.to_string())),
            None => Ok(()),
        }
    }

    /// Checks what the page's script relies on.
    pub(super) fn check(&self) -> Result<(), ViewError> {
        let (columns, rows) = (self.columns as usize, self.rows as usize);
        if columns == 0 || rows == 0 {
            return Err(ViewError::new("sides of at least 1", format!("{columns} and {rows}")));
        }
        check_most("processors", columns.saturating_mul(rows), MAX_PROCESSORS)?;
        if self.cycles_per_frame == 0 {
            return Err(ViewError::new("at least 1 in `cycles_per_frame`", "0"));
        }
        check_most("links", self.links(), MAX_QUEUES)?;
        self.frames.iter().try_for_each(|frame| self.check_frame(frame))
    }
}
