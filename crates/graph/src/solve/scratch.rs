//! Vectors that a preconditioner needs while it is applied, kept between applications.
//!
//! Fresh memory costs a page fault every 4 KiB, more than the loops that fill it. Vectors
//! are taken out and put back, so that several right-hand sides can be solved at once.

use palmette_core::memory::huge_zeroed;
use std::sync::{Mutex, PoisonError};

/// A stack of vectors of one length.
#[derive(Debug)]
pub(crate) struct Scratch {
    length: usize,
    free: Mutex<Vec<Vec<f64>>>,
}

impl Scratch {
    pub(crate) fn new(length: usize) -> Self {
        Scratch { length, free: Mutex::new(Vec::new()) }
    }

    /// A vector with entries of any value. The lock is not held while it is in use.
    pub(crate) fn take(&self) -> Vec<f64> {
        let kept = self.free.lock().unwrap_or_else(PoisonError::into_inner).pop();
        kept.unwrap_or_else(|| huge_zeroed(self.length))
    }

    pub(crate) fn give(&self, vector: Vec<f64>) {
        self.free.lock().unwrap_or_else(PoisonError::into_inner).push(vector);
    }
}
