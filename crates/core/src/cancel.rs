//! Ending long work early.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A flag that long loops look at; clones share it. Whoever raises it gets an error from the
/// work instead of an answer, after the round of the loop that is under way.
///
/// ```
/// use palmette_core::Cancel;
/// let cancel = Cancel::new();
/// let seen_by_the_work = cancel.clone();
/// cancel.raise();
/// assert!(seen_by_the_work.is_raised());
/// ```
#[derive(Debug, Clone, Default)]
pub struct Cancel(Arc<AtomicBool>);

impl Cancel {
    /// A flag that nobody has raised.
    pub fn new() -> Cancel {
        Cancel::default()
    }

    /// Asks the work to end.
    pub fn raise(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether the work should end.
    pub fn is_raised(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// Whether raising one raises the other.
impl PartialEq for Cancel {
    fn eq(&self, other: &Cancel) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for Cancel {}
