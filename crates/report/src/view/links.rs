//! The link loads of a machine, phase by phase.

use super::{ViewError, check_count, check_most};
use crate::MAX_PROCESSORS;
use palmette_core::NONE;
use serde::{Deserialize, Serialize};

/// A [`LinksView`] has at most this many numbers in all phases together.
pub const MAX_LOADS: usize = 1 << 20;

/// Up and down in two dimensions.
const DIRECTIONS: usize = 4;

/// Parts on a mesh or torus of two dimensions, and what its links carry in each phase.
///
/// ```
/// use palmette_report::view::LinksView;
/// let mut view = LinksView::new([1, 2], false, &[1, 0])?;
/// view.phase(&[0, 0, 5, 0, 0, 0, 0, 3])?;
/// assert_eq!(view.phases(), 1);
/// # Ok::<(), palmette_report::view::ViewError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LinksView {
    sides: [u32; 2],
    torus: bool,
    parts: Vec<i64>,
    phases: u32,
    loads: Vec<Vec<u64>>,
}

impl LinksView {
    /// A machine of rows and columns, whose sides of more than two are rings if it is a torus;
    /// by processor (row by row) its part, or `NONE`. It has no phases yet.
    ///
    /// # Errors
    /// If there is not exactly one part per processor, or there are more than [`MAX_PROCESSORS`].
    pub fn new(sides: [u32; 2], torus: bool, parts: &[u32]) -> Result<Self, ViewError> {
        let parts = parts.iter().map(|&p| if p == NONE { -1 } else { p.into() }).collect();
        let view = LinksView { sides, torus, parts, phases: 0, loads: Vec::new() };
        view.check()?;
        Ok(view)
    }

    /// How many phases there are.
    pub fn phases(&self) -> u32 {
        self.phases
    }

    /// Adds a phase: by processor and direction, the values sent, as
    /// [`PlacementDrawing`](crate::PlacementDrawing) takes them.
    ///
    /// # Errors
    /// When there is not a load per direction of each processor, or there are more than
    /// [`MAX_LOADS`].
    pub fn phase(&mut self, loads: &[u64]) -> Result<(), ViewError> {
        check_count("loads", loads.len(), DIRECTIONS * self.parts.len())?;
        check_most("loads", (self.loads.len() + 1) * loads.len(), MAX_LOADS)?;
        self.loads.push(loads.to_vec());
        self.phases += 1;
        Ok(())
    }

    /// Checks what the page's script relies on.
    pub(super) fn check(&self) -> Result<(), ViewError> {
        let [rows, columns] = self.sides.map(|side| side as usize);
        let processors = rows.saturating_mul(columns);
        if rows == 0 || columns == 0 {
            return Err(ViewError::new("sides of at least 1", format!("{rows} and {columns}")));
        }
        check_most("processors", processors, MAX_PROCESSORS)?;
        check_count("parts", self.parts.len(), processors)?;
        if let Some(part) = self.parts.iter().find(|&&part| part < -1) {
            return Err(ViewError::new("-1 or a part in `parts`", part.to_string()));
        }
        if self.loads.len() != self.phases as usize {
            let expected = format!("{} lists in `loads`, one per phase", self.phases);
            return Err(ViewError::new(expected, self.loads.len().to_string()));
        }
        check_most("loads", self.loads.iter().map(Vec::len).sum(), MAX_LOADS)?;
        self.loads.iter().try_for_each(|loads| {
            check_count("loads of a phase", loads.len(), DIRECTIONS * processors)
        })
    }
}
